//! `am broadcast`: the broadcasts that the system and the usual helper keyboards receive.

use base64::Engine as _;

use super::intent::Intent;
use super::{Call, Done};
use crate::droidbot;
use crate::served::State;
use crate::uiautomator2::set_focused;
use taproof_core::device::DeviceError;
use taproof_core::model::{Event, Key};

pub(super) fn broadcast(call: &mut Call<'_, '_>, args: &[String]) -> Done {
    let intent = match Intent::parse(args) {
        Ok(asked) => asked.intent,
        Err(problem) => return call.threw("broadcast", &problem),
    };
    let shown =
        Intent { flags: if call.old() { intent.flags } else { intent.flags | 0x40_0000 }, ..intent.clone() };
    call.say(&format!("Broadcasting: {}", shown.text()))?;
    let heard = {
        let mut state = call.state();
        hear(&mut state, &intent)
    };
    match heard {
        Ok(Some(result)) => call.say(&format!("Broadcast completed: result={result}"))?,
        Ok(None) => call.say("Broadcast completed: result=0")?,
        Err(error) => return call.fail(&format!("Error: {error}"), 1),
    }
    Ok(0)
}

/// The result of a broadcast; `None` if no app receives it.
fn hear(state: &mut State, intent: &Intent) -> Result<Option<i32>, DeviceError> {
    let Some(action) = intent.action.as_deref() else { return Ok(None) };
    match action {
        "android.intent.action.AIRPLANE_MODE" => {
            state.set_network(intent.extra("state") != Some("true"))?;
        }
        _ if state.helper_keyboard() => return typed(state, action, intent),
        _ => {}
    }
    Ok(None)
}

impl State {
    /// Whether the chosen keyboard is that of a helper app.
    pub(super) fn helper_keyboard(&self) -> bool {
        let chosen = self.setting("secure", "default_input_method");
        self.helpers.values().any(|helper| helper.keyboard.is_some() && helper.keyboard.as_deref() == chosen)
    }
}

/// The broadcasts of the usual helper keyboards, which type any text that they receive.
fn typed(state: &mut State, action: &str, intent: &Intent) -> Result<Option<i32>, DeviceError> {
    let coded = |key: &str| {
        let bytes = base64::engine::general_purpose::STANDARD.decode(intent.extra(key)?).ok()?;
        String::from_utf8(bytes).ok()
    };
    let event = match action {
        "ADB_INPUT_B64" => coded("msg").map(Event::Type),
        "ADB_KEYBOARD_INPUT_TEXT" => coded("text").map(Event::Type),
        "DROIDBOT_INPUT_TEXT" => {
            let Some(text) = intent.extra("text") else { return Ok(Some(0)) };
            let mode = intent.extra("mode").and_then(|mode| mode.parse().ok()).unwrap_or(0);
            return droidbot::input_text(state, text, mode).map(|()| Some(-1));
        }
        "ADB_KEYBOARD_CLEAR_TEXT" => {
            return set_focused(state, String::new()).map(|()| Some(-1));
        }
        "ADB_KEYBOARD_EDITOR_CODE" => Some(Event::Key(Key::ImeAction)),
        _ => return Ok(None),
    };
    match event {
        Some(event) => state.input(&event).map(|()| Some(-1)),
        None => Ok(Some(0)),
    }
}
