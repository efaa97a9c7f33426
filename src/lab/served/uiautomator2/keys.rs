//! Keys by Android's names and key codes, and operations of the clipboard and the keyboard on the focused field.

use serde_json::{Value, json};

use super::error::RpcError;
use super::params::Params;
use super::set_focused;
use super::touch::perform;
use crate::{Served, State};
use taproof_core::model::{Event, Key};

/// Android's key codes of the keys that a device supports.
const KEYS: &[(i64, Key)] = &[
    (3, Key::Home),
    (4, Key::Back),
    (19, Key::DpadUp),
    (20, Key::DpadDown),
    (21, Key::DpadLeft),
    (22, Key::DpadRight),
    (23, Key::DpadCenter),
    (24, Key::VolumeUp),
    (25, Key::VolumeDown),
    (61, Key::Tab),
    (66, Key::Enter),
    (67, Key::Delete),
    (82, Key::Menu),
    (84, Key::Search),
    (160, Key::Enter),
    (187, Key::Recents),
];

/// The names of keys in `pressKey`, with their key codes.
const NAMES: &[(&str, i64)] = &[
    ("home", 3),
    ("back", 4),
    ("left", 21),
    ("right", 22),
    ("up", 19),
    ("down", 20),
    ("center", 23),
    ("menu", 82),
    ("search", 84),
    ("enter", 66),
    ("delete", 67),
    ("del", 67),
    ("recent", 187),
    ("volume_up", 24),
    ("volume_down", 25),
    ("volume_mute", 164),
    ("camera", 27),
    ("power", POWER),
];

/// Ranges of keys that type characters: the first key code, the characters, the characters with shift.
const WRITING: &[(i64, &str, &str)] = &[
    (7, "0123456789", ")!@#$%^&*("),
    (17, "*#", "*#"),
    (29, "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    (55, ",.", "<>"),
    (62, " ", " "),
    (68, "`-=[]\\;'/@", "~_+{}|:\"?@"),
    (81, "+", "+"),
    (144, "0123456789/*-+.,", "0123456789/*-+.,"),
    (161, "=()", "=()"),
];

const POWER: i64 = 26;
const SLEEP: i64 = 223;
const WAKE_UP: i64 = 224;
const V: i64 = 50;
const PASTE: i64 = 279;

const SHIFT: i64 = 0xc1;
const CONTROL: i64 = 0x7000;

/// `pressKey(name)`: false for an unknown name.
pub(super) fn press_key(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let name = params.text(0)?.to_ascii_lowercase();
    let Some((_, code)) = NAMES.iter().find(|(known, _)| *known == name) else { return Ok(json!(false)) };
    press(&mut served.lock(), *code, 0)?;
    Ok(json!(true))
}

/// `pressKeyCode(code[, meta])`. A key without effect on this device is no error.
pub(super) fn press_key_code(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let code = params.whole(0)?;
    let meta = if params.len() > 1 { params.whole(1)? } else { 0 };
    press(&mut served.lock(), code, meta)?;
    Ok(json!(true))
}

fn press(state: &mut State, code: i64, meta: i64) -> Result<(), RpcError> {
    let controlled = meta & CONTROL != 0;
    match code {
        POWER => state.uiautomator2.screen_on = !state.uiautomator2.screen_on,
        SLEEP => state.uiautomator2.screen_on = false,
        WAKE_UP => state.uiautomator2.screen_on = true,
        PASTE => paste(state)?,
        V if controlled => paste(state)?,
        _ if controlled => {}
        _ => {
            if let Some(event) = event_of(code, meta) {
                perform(state, &event)?;
            }
        }
    }
    Ok(())
}

/// The effect of a key in an app, given Android's key code and meta state; `None` if it has none.
#[cfg(feature = "scrcpy")]
pub(crate) fn key_event(code: u32, meta: u32) -> Option<Event> {
    event_of(i64::from(code), i64::from(meta))
}

fn event_of(code: i64, meta: i64) -> Option<Event> {
    if let Some((_, key)) = KEYS.iter().find(|(number, _)| *number == code) {
        return Some(Event::Key(*key));
    }
    let written = WRITING.iter().find_map(|(first, plain, shifted)| {
        let chars = if meta & SHIFT != 0 { shifted } else { plain };
        chars.chars().nth(usize::try_from(code.checked_sub(*first)?).ok()?)
    });
    written.map(|char| Event::Type(char.to_string()))
}

fn paste(state: &mut State) -> Result<(), RpcError> {
    let text = state.clipboard.clone();
    if text.is_empty() { Ok(()) } else { perform(state, &Event::Type(text)) }
}

/// `pasteClipboard()`: types the text in the clipboard into the focused field.
pub(super) fn paste_clipboard(served: &Served, _params: &Params<'_>) -> Result<Value, RpcError> {
    paste(&mut served.lock())?;
    Ok(Value::Null)
}

/// `clearInputText()`: empties the focused field.
pub(super) fn clear_input_text(served: &Served, _params: &Params<'_>) -> Result<Value, RpcError> {
    set_focused(&mut served.lock(), String::new())?;
    Ok(Value::Null)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::testing::{Scripted, call, done, served, served_by, touches};
    use super::*;
    use taproof_core::model::{Gesture, WidgetFlags, WidgetIdx, layout_from};

    fn check(method: &str, params: &Value, answer: bool, expected: &[Event]) {
        let served = served("EditText#name\n");
        served.lock().clipboard = "Grüße".to_owned();
        assert_eq!(call(&served, method, params).unwrap(), answer, "{method} {params}");
        assert_eq!(done(&served), expected, "{method} {params}");
    }

    #[test]
    fn keys_by_name_and_number() {
        let typed = |text: &str| vec![Event::Type(text.to_owned())];
        check("pressKey", &json!(["home"]), true, &[Event::Key(Key::Home)]);
        check("pressKey", &json!(["DEL"]), true, &[Event::Key(Key::Delete)]);
        check("pressKey", &json!(["camera"]), true, &[]);
        check("pressKey", &json!(["fly"]), false, &[]);
        check("pressKeyCode", &json!([4]), true, &[Event::Key(Key::Back)]);
        check("pressKeyCode", &json!([29]), true, &typed("a"));
        check("pressKeyCode", &json!([54, 1]), true, &typed("Z"));
        check("pressKeyCode", &json!([77, 0]), true, &typed("@"));
        check("pressKeyCode", &json!([50, 0x1000]), true, &typed("Grüße"));
        check("pressKeyCode", &json!([29, 0x1000]), true, &[]);
        check("pressKeyCode", &json!([279]), true, &typed("Grüße"));
        for unknown in [json!([-1]), json!([0]), json!([i64::MAX]), json!([i64::MIN]), json!([28])] {
            check("pressKeyCode", &unknown, true, &[]);
        }
    }

    #[test]
    fn the_power_key_is_told() {
        let served = served("FrameLayout\n");
        call(&served, "pressKey", &json!(["power"])).unwrap();
        assert_eq!(call(&served, "isScreenOn", &json!({})).unwrap(), false);
        call(&served, "wakeUp", &json!([])).unwrap();
        assert_eq!(call(&served, "deviceInfo", &json!([])).unwrap()["screenOn"], true);
    }

    #[test]
    fn a_failing_device_is_an_error_with_its_words() {
        let served = served("FrameLayout\n");
        let error = call(&served, "pressKey", &json!(["volume_down"])).unwrap_err();
        assert_eq!(error["message"], "java.lang.IllegalStateException");
        assert_eq!(error["data"], "scripted cannot be any quieter");
    }

    #[test]
    fn the_clipboard_goes_into_the_field_in_focus_and_clearing_empties_it() {
        let layout = layout_from("FrameLayout\n  EditText#first\n  EditText#second\n");
        let focused = |widget: &mut taproof_core::model::Widget| {
            widget.flags = widget.flags.with(WidgetFlags::FOCUSED, true);
        };
        let layout = layout.with_changed(&[WidgetIdx(2)], focused);
        let served = served_by(Scripted::of(vec![(0, Arc::new(layout))]));
        let text = "'; reboot; ' $(x) `y` %s\n😀 مرحبا";
        assert_eq!(call(&served, "getClipboard", &json!({})).unwrap(), Value::Null);
        assert_eq!(call(&served, "setClipboard", &json!([null, text])).unwrap(), Value::Null);
        assert_eq!(call(&served, "getClipboard", &json!({})).unwrap(), text);
        call(&served, "pasteClipboard", &json!({})).unwrap();
        assert_eq!(done(&served), [Event::Type(text.to_owned())], "letter for letter");
        call(&served, "clearInputText", &json!({})).unwrap();
        assert_eq!(touches(&served), [(540, 250, Gesture::SetText(String::new()))]);
    }
}
