//! `settings`: reads and changes the settings of the three namespaces.

use super::{Call, Done};

const USAGE: &str = "usage:  settings [--user NUM] get namespace key
        settings [--user NUM] put namespace key value

'namespace' is one of {system, secure, global}, case-insensitive
If '--user NUM' is not given, the operations are performed on the owner user.
";
const USAGE_NEW: &str = "Settings provider (settings) commands:
  help
      Print this help text.
  get [--user <USER_ID> | current] NAMESPACE KEY
  put [--user <USER_ID> | current] NAMESPACE KEY VALUE
  delete [--user <USER_ID> | current] NAMESPACE KEY
  list [--user <USER_ID> | current] NAMESPACE
  NAMESPACE is one of {system, secure, global}, case-insensitive
";
pub fn settings(call: &mut Call<'_, '_>) -> Done {
    let mut words: Vec<String> = call.args.to_vec();
    if let Some(place) = words.iter().position(|word| word == "--user") {
        words.drain(place..(place + 2).min(words.len()));
    }
    let old = call.old();
    let bad = |call: &Call<'_, '_>| {
        call.io.err.put((if old { USAGE } else { USAGE_NEW }).as_bytes())?;
        Ok(if old { 0 } else { 255 })
    };
    let Some(command) = words.first().cloned() else { return bad(call) };
    let known = ["get", "put", "delete", "list", "reset"];
    if !known.contains(&command.as_str()) || (old && !matches!(command.as_str(), "get" | "put")) {
        return bad(call);
    }
    let Some(namespace) = words.get(1).map(|word| word.to_ascii_lowercase()) else { return bad(call) };
    if !matches!(namespace.as_str(), "system" | "secure" | "global") {
        call.complain(&format!("Invalid namespace '{namespace}'"))?;
        return bad(call);
    }
    let (key, value) = (words.get(2), words.get(3));
    match (command.as_str(), key, value) {
        ("list", _, _) => list(call, &namespace),
        ("get", Some(key), _) => {
            let value = call.state().setting(&namespace, key).map_or("null".to_owned(), str::to_owned);
            call.say(&value)?;
            Ok(0)
        }
        ("put", Some(key), Some(value)) => put(call, &namespace, key, value),
        ("delete", Some(key), _) => {
            let (there, outcome) = {
                let mut state = call.state();
                let there = state.setting(&namespace, key).is_some();
                (there, state.set_setting(&namespace, key, None))
            };
            call.say(&format!("Deleted {} rows", u8::from(there)))?;
            call.ended(outcome)
        }
        ("reset", _, _) => Ok(0),
        _ => bad(call),
    }
}

fn list(call: &Call<'_, '_>, namespace: &str) -> Done {
    let lines: Vec<String> = {
        let state = call.state();
        let of_namespace = state.settings.entries().iter().filter(|((known, _), _)| known == namespace);
        of_namespace.map(|((_, key), value)| format!("{key}={value}\n")).collect()
    };
    call.print(&lines.concat())?;
    Ok(0)
}

pub(super) fn put(call: &Call<'_, '_>, namespace: &str, key: &str, value: &str) -> Done {
    if call.state().faults.forbids.settings {
        let needs = "requires:android.permission.WRITE_SECURE_SETTINGS";
        let problem = format!("java.lang.SecurityException: Permission denial: writing to settings {needs}");
        return call.threw("put", &problem);
    }
    let outcome = call.state().set_setting(namespace, key, Some(value));
    call.ended(outcome)
}
