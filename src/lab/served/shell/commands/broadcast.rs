//! `am broadcast`: the broadcasts that the system and the usual helper keyboards receive.

use base64::Engine as _;

use super::intent::Intent;
use super::{Call, Done};
use crate::droidbot;
use crate::served::State;
use crate::uiautomator2::set_focused;
use taproof_engine::device::DeviceError;
use taproof_screen::{Event, Key};

pub(super) fn broadcast(call: &mut Call<'_, '_>, args: &[String]) -> Done {
    let intent = Intent::parse(args).or_else(|problem| call.threw("broadcast", &problem))?.intent;
    call.say(&format!("Broadcasting: {}", intent.text(0)))?;
    let heard = hear(&mut call.state(), &intent);
    let result = heard.or_else(|error| call.fails(&format!("Error: {error}"), 1))?;
    call.say(&format!("Broadcast completed: result={result}")).map(|()| 0)
}

/// The result of a broadcast, which is 0 if no app sets another one.
fn hear(state: &mut State, intent: &Intent) -> Result<i32, DeviceError> {
    let Some(action) = intent.action.as_deref() else { return Ok(0) };
    if action == "android.intent.action.AIRPLANE_MODE" {
        state.set_network(intent.extra("state") != Some("true"))?;
    } else if state.helper_keyboard() {
        return typed(state, action, intent);
    }
    Ok(0)
}

impl State {
    /// Whether the chosen keyboard is that of a helper app.
    pub(super) fn helper_keyboard(&self) -> bool {
        let chosen = self.setting("secure", "default_input_method");
        self.helpers.values().any(|helper| helper.keyboard.is_some() && helper.keyboard.as_deref() == chosen)
    }
}

/// The broadcasts of the usual helper keyboards, which type any text that they receive.
fn typed(state: &mut State, action: &str, intent: &Intent) -> Result<i32, DeviceError> {
    let coded = |key: &str| {
        let bytes = base64::engine::general_purpose::STANDARD.decode(intent.extra(key)?).ok()?;
        String::from_utf8(bytes).ok()
    };
    let event = match action {
        "ADB_INPUT_B64" => coded("msg").map(Event::Type),
        "ADB_KEYBOARD_INPUT_TEXT" => coded("text").map(Event::Type),
        "DROIDBOT_INPUT_TEXT" => {
            let Some(text) = intent.extra("text") else { return Ok(0) };
            let mode = intent.extra("mode").and_then(|mode| mode.parse().ok()).unwrap_or(0);
            return droidbot::input_text(state, text, mode).map(|()| -1);
        }
        "ADB_KEYBOARD_CLEAR_TEXT" => {
            return set_focused(state, String::new()).map(|()| -1);
        }
        "ADB_KEYBOARD_EDITOR_CODE" => Some(Event::Key(Key::ImeAction)),
        _ => return Ok(0),
    };
    match event {
        Some(event) => state.input(&event).map(|()| -1),
        None => Ok(0),
    }
}
