//! `settings`: reads and changes the settings of the three namespaces; `content`, with which old devices list them.

use super::{Call, Done};

/// Where `content` finds the settings of a namespace.
const PROVIDER: &str = "content://settings/";

pub fn settings(call: &mut Call<'_, '_>) -> Done {
    let words: Vec<&str> = call.args.iter().map(String::as_str).collect();
    let old = call.old();
    if let [_, namespace, ..] = words.as_slice()
        && call.state().settings.of(namespace).is_none()
    {
        call.complain(&format!("Invalid namespace '{namespace}'"))?;
    }
    match words.as_slice() {
        ["get", namespace, key] if call.state().settings.of(namespace).is_some() => {
            let value = call.state().settings.get(namespace, key).unwrap_or("null").to_owned();
            call.say(&value).map(|()| 0)
        }
        ["put", namespace, key, value] if call.state().settings.of(namespace).is_some() => {
            if call.state().faults.forbids.settings {
                let needs = "requires:android.permission.WRITE_SECURE_SETTINGS";
                let problem =
                    format!("java.lang.SecurityException: Permission denial: writing to settings {needs}");
                return call.threw("put", &problem);
            }
            let outcome = call.state().set_setting(namespace, key, Some(value));
            call.ended(outcome)
        }
        ["delete", namespace, key] if !old => {
            let (there, outcome) = {
                let mut state = call.state();
                let there = state.settings.get(namespace, key).is_some();
                (there, state.set_setting(namespace, key, None))
            };
            call.say(&format!("Deleted {} rows", u8::from(there)))?;
            call.ended(outcome)
        }
        ["list", namespace] if !old => {
            let text: String = match call.state().settings.of(namespace) {
                Some(all) => all.iter().map(|(key, value)| format!("{key}={value}\n")).collect(),
                None => String::new(),
            };
            call.print(&text).map(|()| 0)
        }
        _ => call.usage("settings command"),
    }
}

/// `content query --uri content://settings/NAMESPACE --projection name:value`, and `content delete` with
/// `--where "name='NAME'"`; nothing else is provided.
pub fn content(call: &mut Call<'_, '_>) -> Done {
    let words: Vec<&str> = call.args.iter().map(String::as_str).collect();
    if let ["delete", "--uri", uri, "--where", chosen] = words.as_slice()
        && let Some(namespace) = uri.strip_prefix(PROVIDER)
        && let Some(name) = chosen.strip_prefix("name='").and_then(|name| name.strip_suffix('\''))
    {
        let outcome = call.state().set_setting(namespace, name, None);
        return call.ended(outcome);
    }
    let namespace = match words.as_slice() {
        ["query", "--uri", uri, "--projection", "name:value"] => uri.strip_prefix(PROVIDER),
        _ => None,
    };
    let Some(namespace) = namespace else {
        return call
            .fail("usage: adb shell content [subcommand] [options]\n[ERROR] Unsupported operation", 1);
    };
    let rows: Vec<String> = match call.state().settings.of(namespace) {
        Some(all) => all.iter().map(|(key, value)| format!("name={key}, value={value}\n")).collect(),
        None => Vec::new(),
    };
    if rows.is_empty() {
        return call.say("No result found.").map(|()| 0);
    }
    let rows = rows.iter().enumerate().map(|(row, cells)| format!("Row: {row} {cells}"));
    call.print(&rows.collect::<String>()).map(|()| 0)
}
