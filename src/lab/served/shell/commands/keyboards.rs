//! `ime`: the installed keyboards.

use super::{Call, Done};
use crate::initial_settings::KEYBOARD;
use crate::served::State;

impl State {
    /// The ids of all keyboards.
    fn keyboards(&self) -> Vec<String> {
        let helpers = self.helpers.values().filter_map(|helper| helper.keyboard.clone());
        std::iter::once(KEYBOARD.to_owned()).chain(helpers).collect()
    }

    fn enabled_keyboards(&self) -> Vec<String> {
        let enabled = self.setting("secure", "enabled_input_methods").unwrap_or_default();
        enabled.split(':').map(str::to_owned).filter(|id| self.keyboards().contains(id)).collect()
    }

    /// The keyboard in use: the chosen one if it exists, otherwise the device's own one.
    pub(super) fn keyboard_in_use(&self) -> String {
        let chosen = self.setting("secure", "default_input_method").unwrap_or_default();
        self.keyboards().into_iter().find(|known| known == chosen).unwrap_or_else(|| KEYBOARD.to_owned())
    }

    fn put_keyboards(&mut self, key: &str, ids: &[String]) {
        self.system_setting("secure", key, &ids.join(":"));
    }
}

pub fn ime(call: &mut Call<'_, '_>) -> Done {
    let user = if call.old() { "" } else { " for user #0" };
    let id = call.args_from(1).iter().find(|arg| !arg.starts_with('-') && *arg != "0").cloned();
    match (call.arg(0), id) {
        (Some("list"), _) => list(call),
        (Some("reset"), _) => {
            let mut state = call.state();
            for key in ["enabled_input_methods", "default_input_method"] {
                state.put_keyboards(key, &[KEYBOARD.to_owned()]);
            }
            drop(state);
            call.say(&format!(
                "Reset current and enabled IMEs{user}\n  Newly selected IME: {KEYBOARD}\n  Newly enabled IMEs:\n    {KEYBOARD}"
            ))?;
            Ok(0)
        }
        (Some(word @ ("enable" | "disable")), Some(id)) if !call.state().keyboards().contains(&id) => {
            unknown(call, &id, &format!("{word}d"))
        }
        (Some("enable"), Some(id)) => enable(call, &id, user),
        (Some("disable"), Some(id)) => {
            let text = {
                let mut state = call.state();
                let mut enabled = state.enabled_keyboards();
                let there = enabled.contains(&id);
                enabled.retain(|known| *known != id);
                state.put_keyboards("enabled_input_methods", &enabled);
                if state.setting("secure", "default_input_method") == Some(id.as_str()) {
                    state.put_keyboards("default_input_method", &[KEYBOARD.to_owned()]);
                }
                format!("Input method {id}: {} disabled{user}", if there { "now" } else { "already" })
            };
            call.say(&text)?;
            Ok(0)
        }
        (Some("set"), Some(id)) => {
            let known = {
                let mut state = call.state();
                let known = state.enabled_keyboards().contains(&id);
                if known {
                    state.put_keyboards("default_input_method", std::slice::from_ref(&id));
                }
                known
            };
            match known {
                true => call.say(&format!("Input method {id} selected{user}")).map(|()| 0),
                false => unknown(call, &id, "selected"),
            }
        }
        _ => call.fail(
            "usage: ime list [-a] [-s]\n       ime enable ID\n       ime disable ID\n       ime set ID\n       ime reset",
            if call.old() { 0 } else { 255 },
        ),
    }
}

fn list(call: &Call<'_, '_>) -> Done {
    let has = |letter: char| call.args.iter().any(|arg| arg.starts_with('-') && arg.contains(letter));
    let ids = {
        let state = call.state();
        if has('a') { state.keyboards() } else { state.enabled_keyboards() }
    };
    let mut text = String::new();
    for id in ids {
        text += &match has('s') {
            true => format!("{id}\n"),
            false => format!(
                "{id}:\n  mId={id} mSettingsActivityName=null mIsVrOnly=false\n  mIsDefaultResId=0x0\n"
            ),
        };
    }
    call.print(&text)?;
    Ok(0)
}

fn enable(call: &Call<'_, '_>, id: &str, user: &str) -> Done {
    let there = {
        let mut state = call.state();
        let mut enabled = state.enabled_keyboards();
        let there = enabled.iter().any(|known| known == id);
        if !there {
            enabled.push(id.to_owned());
            state.put_keyboards("enabled_input_methods", &enabled);
        }
        there
    };
    call.say(&format!("Input method {id}: {} enabled{user}", if there { "already" } else { "now" }))?;
    Ok(0)
}

/// Refuses a keyboard that does not exist or, where one is to be selected, is not enabled.
fn unknown(call: &Call<'_, '_>, id: &str, what: &str) -> Done {
    match call.old() {
        true => call.fail(&format!("Error: Unknown id: {id}"), 0),
        false => call.fail(&format!("Unknown input method {id} cannot be {what} for user #0"), 255),
    }
}
