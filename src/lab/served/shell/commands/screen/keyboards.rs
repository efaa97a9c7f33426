//! `ime`: the installed keyboards.

use crate::served::State;
use crate::shell::commands::{Call, Done};
use crate::system::settings::KEYBOARD;

const ENABLED: &str = "enabled_input_methods";
const CHOSEN: &str = "default_input_method";

impl State {
    /// The installed keyboards, by id.
    fn keyboards(&self) -> Vec<String> {
        let helpers = self.helpers.values().filter_map(|helper| helper.keyboard.clone());
        std::iter::once(KEYBOARD.to_owned()).chain(helpers).collect()
    }

    fn enabled_keyboards(&self) -> Vec<String> {
        let (known, enabled) = (self.keyboards(), self.settings.get("secure", ENABLED).unwrap_or_default());
        enabled.split(':').map(str::to_owned).filter(|id| known.contains(id)).collect()
    }

    /// The keyboard that is shown for text fields.
    pub(crate) fn keyboard_in_use(&self) -> String {
        let chosen = self.settings.get("secure", CHOSEN).unwrap_or_default();
        self.keyboards().into_iter().find(|known| known == chosen).unwrap_or_else(|| KEYBOARD.to_owned())
    }

    /// Enables or disables a keyboard. Returns whether it was enabled before; `None` for an unknown one.
    fn enable_keyboard(&mut self, id: &str, enable: bool) -> Option<bool> {
        let mut enabled = self.enabled_keyboards();
        let before = enabled.iter().any(|known| known == id);
        if !self.keyboards().iter().any(|known| known == id) {
            return None;
        }
        enabled.retain(|known| known != id);
        if enable {
            enabled.push(id.to_owned());
        } else if self.settings.get("secure", CHOSEN) == Some(id) {
            self.settings.store("secure", CHOSEN, KEYBOARD);
        }
        self.settings.store("secure", ENABLED, &enabled.join(":"));
        Some(before)
    }
}

/// `ime list -s [-a]`, `ime enable ID`, `ime disable ID`, `ime set ID`.
pub fn ime(call: &mut Call<'_, '_>) -> Done {
    let user = if call.old() { "" } else { " for user #0" };
    let words: Vec<&str> = call.args.iter().map(String::as_str).collect();
    let said = match words.as_slice() {
        ["list", "-s", more @ ..] => {
            let state = call.state();
            let ids = if more == ["-a"] { state.keyboards() } else { state.enabled_keyboards() };
            Ok(ids.join("\n"))
        }
        [word @ ("enable" | "disable"), id] => {
            let before = call.state().enable_keyboard(id, *word == "enable");
            let already = |before: bool| if before == (*word == "enable") { "already" } else { "now" };
            before
                .map(|before| format!("Input method {id}: {} {word}d{user}", already(before)))
                .ok_or_else(|| (*id, format!("{word}d")))
        }
        ["set", id] => {
            let mut state = call.state();
            if state.enabled_keyboards().iter().any(|known| known == id) {
                state.settings.store("secure", CHOSEN, id);
                Ok(format!("Input method {id} selected{user}"))
            } else {
                Err((*id, "selected".to_owned()))
            }
        }
        _ => return call.usage("ime"),
    };
    match said {
        Ok(text) => call.say(&text).map(|()| 0),
        Err((id, _)) if call.old() => call.fail(&format!("Error: Unknown id: {id}"), 0),
        Err((id, what)) => call.fail(&format!("Unknown input method {id} cannot be {what} for user #0"), 255),
    }
}
