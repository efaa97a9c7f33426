//! The keys of a phone, as flows name them.

use super::command::What;
use super::fields::UNKNOWN;
use taproof_screen::Key;

/// What pressing a key does.
pub(super) fn key(name: &str) -> What<'static> {
    What::Press(match name.to_lowercase().as_str() {
        "back" => Key::Back,
        "home" | UNKNOWN => Key::Home,
        "enter" => Key::ImeAction,
        "backspace" => Key::Delete,
        "tab" => Key::Tab,
        "volume up" => Key::VolumeUp,
        "volume down" => Key::VolumeDown,
        "remote dpad up" => Key::DpadUp,
        "remote dpad down" => Key::DpadDown,
        "remote dpad left" => Key::DpadLeft,
        "remote dpad right" => Key::DpadRight,
        "remote dpad center" => Key::DpadCenter,
        "remote menu" => Key::Menu,
        _ => return What::Impossible(format!("the key {name:?} cannot be recorded")),
    })
}
