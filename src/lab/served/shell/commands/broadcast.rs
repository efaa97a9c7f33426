//! `am broadcast`: the broadcasts that the system and the usual helper keyboards receive.

use base64::Engine as _;

use super::intent::Intent;
use super::keycodes::stroke;
use super::{Call, Done};
use crate::droidbot;
use crate::served::State;
use taproof_core::device::DeviceError;
use taproof_core::model::{Event, Gesture, SystemEvent};

pub(super) fn broadcast(call: &mut Call<'_, '_>, args: &[String]) -> Done {
    let intent = match Intent::parse(args) {
        Ok(asked) => asked.intent,
        Err(problem) => return call.threw("broadcast", &problem),
    };
    let shown =
        Intent { flags: if call.old() { intent.flags } else { intent.flags | 0x40_0000 }, ..intent.clone() };
    call.say(&format!("Broadcasting: {}", shown.text(call.old())))?;
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
        "android.intent.action.BATTERY_LOW" => {
            state.device.perform(&Event::System(SystemEvent::LowBattery))?
        }
        "android.intent.action.BATTERY_OKAY" => state.set_battery(100)?,
        "android.intent.action.AIRPLANE_MODE" => {
            state.set_network(intent.extra("state") != Some("true"))?;
        }
        "android.intent.action.PHONE_STATE" if intent.extra("state") == Some("RINGING") => {
            state.device.perform(&Event::System(SystemEvent::IncomingCall))?;
        }
        "com.android.intent.action.SET_LOCALE" => {
            let tag = intent.extra("com.android.intent.extra.LOCALE").unwrap_or_default();
            return Ok(Some(i32::from(state.set_language(tag)?) - 1));
        }
        "android.intent.action.CLOSE_SYSTEM_DIALOGS" => {}
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
    let plain = |key: &str| intent.extra(key).map(str::to_owned);
    let event = match action {
        "ADB_INPUT_B64" => coded("msg").map(Event::Type),
        "ADB_INPUT_TEXT" => plain("msg").map(Event::Type),
        "ADB_KEYBOARD_INPUT_TEXT" => coded("text").map(Event::Type),
        "DROIDBOT_INPUT_TEXT" => {
            let Some(text) = intent.extra("text") else { return Ok(Some(0)) };
            let mode = intent.extra("mode").and_then(|mode| mode.parse().ok()).unwrap_or(0);
            return droidbot::input_text(state, text, mode).map(|()| Some(-1));
        }
        "ADB_CLEAR_TEXT" | "ADB_KEYBOARD_CLEAR_TEXT" => return replace(state, String::new()),
        "ADB_INPUT_CODE" => {
            state.press(stroke(intent.extra("code").unwrap_or_default()))?;
            return Ok(Some(-1));
        }
        "ADB_EDITOR_CODE" | "ADB_KEYBOARD_EDITOR_CODE" | "ADB_KEYBOARD_SMART_ENTER" => {
            Some(Event::Key(taproof_core::model::Key::ImeAction))
        }
        "ADB_KEYBOARD_HIDE" if state.device.keyboard()?.is_some() => {
            Some(Event::Key(taproof_core::model::Key::Back))
        }
        "ADB_KEYBOARD_HIDE" => return Ok(Some(-1)),
        _ => return Ok(None),
    };
    match event {
        Some(event) => state.input(&event).map(|()| Some(-1)),
        None => Ok(Some(0)),
    }
}

/// Replaces the content of the focused field.
fn replace(state: &mut State, text: String) -> Result<Option<i32>, DeviceError> {
    let layout = state.layout()?;
    let focused = layout
        .widgets()
        .iter()
        .find(|widget| widget.is_text_field() && widget.flags.has(taproof_core::model::WidgetFlags::FOCUSED));
    match focused.map(|widget| widget.bounds.center()) {
        Some(at) => state.gesture(at, Gesture::SetText(text)).map(|()| Some(-1)),
        None => Ok(Some(0)),
    }
}
