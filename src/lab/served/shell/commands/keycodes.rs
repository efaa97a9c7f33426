//! Android's key codes: their numbers and names, and their effects here.

use taproof_core::model::Key;

/// The effect of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stroke {
    Key(Key),
    /// Types this character into the focused field.
    Types(char),
    /// Toggles the screen between on and off.
    Power,
    Sleep,
    WakeUp,
    /// Types the text in the clipboard.
    Paste,
    /// Has no effect here.
    Nothing,
}

/// The keys with an effect here or a name that tools use.
const KEYS: &[(u32, &str, Stroke)] = &[
    (0, "UNKNOWN", Stroke::Nothing),
    (3, "HOME", Stroke::Key(Key::Home)),
    (4, "BACK", Stroke::Key(Key::Back)),
    (5, "CALL", Stroke::Nothing),
    (6, "ENDCALL", Stroke::Nothing),
    (17, "STAR", Stroke::Types('*')),
    (18, "POUND", Stroke::Types('#')),
    (19, "DPAD_UP", Stroke::Key(Key::DpadUp)),
    (20, "DPAD_DOWN", Stroke::Key(Key::DpadDown)),
    (21, "DPAD_LEFT", Stroke::Key(Key::DpadLeft)),
    (22, "DPAD_RIGHT", Stroke::Key(Key::DpadRight)),
    (23, "DPAD_CENTER", Stroke::Key(Key::DpadCenter)),
    (24, "VOLUME_UP", Stroke::Key(Key::VolumeUp)),
    (25, "VOLUME_DOWN", Stroke::Key(Key::VolumeDown)),
    (26, "POWER", Stroke::Power),
    (27, "CAMERA", Stroke::Nothing),
    (28, "CLEAR", Stroke::Nothing),
    (55, "COMMA", Stroke::Types(',')),
    (56, "PERIOD", Stroke::Types('.')),
    (57, "ALT_LEFT", Stroke::Nothing),
    (58, "ALT_RIGHT", Stroke::Nothing),
    (59, "SHIFT_LEFT", Stroke::Nothing),
    (60, "SHIFT_RIGHT", Stroke::Nothing),
    (61, "TAB", Stroke::Key(Key::Tab)),
    (62, "SPACE", Stroke::Types(' ')),
    (66, "ENTER", Stroke::Key(Key::Enter)),
    (67, "DEL", Stroke::Key(Key::Delete)),
    (68, "GRAVE", Stroke::Types('`')),
    (69, "MINUS", Stroke::Types('-')),
    (70, "EQUALS", Stroke::Types('=')),
    (71, "LEFT_BRACKET", Stroke::Types('[')),
    (72, "RIGHT_BRACKET", Stroke::Types(']')),
    (73, "BACKSLASH", Stroke::Types('\\')),
    (74, "SEMICOLON", Stroke::Types(';')),
    (75, "APOSTROPHE", Stroke::Types('\'')),
    (76, "SLASH", Stroke::Types('/')),
    (77, "AT", Stroke::Types('@')),
    (79, "HEADSETHOOK", Stroke::Nothing),
    (81, "PLUS", Stroke::Types('+')),
    (82, "MENU", Stroke::Key(Key::Menu)),
    (83, "NOTIFICATION", Stroke::Nothing),
    (84, "SEARCH", Stroke::Key(Key::Search)),
    (85, "MEDIA_PLAY_PAUSE", Stroke::Nothing),
    (91, "MUTE", Stroke::Nothing),
    (92, "PAGE_UP", Stroke::Nothing),
    (93, "PAGE_DOWN", Stroke::Nothing),
    (111, "ESCAPE", Stroke::Key(Key::Back)),
    (112, "FORWARD_DEL", Stroke::Nothing),
    (113, "CTRL_LEFT", Stroke::Nothing),
    (114, "CTRL_RIGHT", Stroke::Nothing),
    (115, "CAPS_LOCK", Stroke::Nothing),
    (122, "MOVE_HOME", Stroke::Nothing),
    (123, "MOVE_END", Stroke::Nothing),
    (154, "NUMPAD_DIVIDE", Stroke::Types('/')),
    (155, "NUMPAD_MULTIPLY", Stroke::Types('*')),
    (156, "NUMPAD_SUBTRACT", Stroke::Types('-')),
    (157, "NUMPAD_ADD", Stroke::Types('+')),
    (158, "NUMPAD_DOT", Stroke::Types('.')),
    (159, "NUMPAD_COMMA", Stroke::Types(',')),
    (160, "NUMPAD_ENTER", Stroke::Key(Key::Enter)),
    (161, "NUMPAD_EQUALS", Stroke::Types('=')),
    (162, "NUMPAD_LEFT_PAREN", Stroke::Types('(')),
    (163, "NUMPAD_RIGHT_PAREN", Stroke::Types(')')),
    (164, "VOLUME_MUTE", Stroke::Nothing),
    (176, "SETTINGS", Stroke::Nothing),
    (187, "APP_SWITCH", Stroke::Key(Key::Recents)),
    (220, "BRIGHTNESS_DOWN", Stroke::Nothing),
    (221, "BRIGHTNESS_UP", Stroke::Nothing),
    (223, "SLEEP", Stroke::Sleep),
    (224, "WAKEUP", Stroke::WakeUp),
    (276, "SOFT_SLEEP", Stroke::Sleep),
    (277, "CUT", Stroke::Nothing),
    (278, "COPY", Stroke::Nothing),
    (279, "PASTE", Stroke::Paste),
];

/// The effect of the key with this number or name, with or without `KEYCODE_`. Unknown keys have none.
pub(super) fn stroke(key: &str) -> Stroke {
    if let Ok(code) = key.parse::<u32>() {
        return of_code(code);
    }
    let name = key.strip_prefix("KEYCODE_").unwrap_or(key);
    if let Some((_, _, stroke)) = KEYS.iter().find(|(_, known, _)| *known == name) {
        return *stroke;
    }
    let one = name.strip_prefix("NUMPAD_").unwrap_or(name);
    let mut chars = one.chars();
    match (chars.next(), chars.next()) {
        (Some(digit @ '0'..='9'), None) => Stroke::Types(digit),
        (Some(letter @ 'A'..='Z'), None) if one == name => Stroke::Types(letter.to_ascii_lowercase()),
        _ => Stroke::Nothing,
    }
}

fn of_code(code: u32) -> Stroke {
    let letter = |first: char, number: u32| char::from_u32(u32::from(first) + number);
    let typed = match code {
        7..=16 => letter('0', code - 7),
        29..=54 => letter('a', code - 29),
        144..=153 => letter('0', code - 144),
        _ => None,
    };
    if let Some(typed) = typed {
        return Stroke::Types(typed);
    }
    KEYS.iter().find(|(known, _, _)| *known == code).map_or(Stroke::Nothing, |(_, _, stroke)| *stroke)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_are_one_key() {
        for (key, expected) in [
            ("4", Stroke::Key(Key::Back)),
            ("KEYCODE_BACK", Stroke::Key(Key::Back)),
            ("BACK", Stroke::Key(Key::Back)),
            ("111", Stroke::Key(Key::Back)),
            ("29", Stroke::Types('a')),
            ("KEYCODE_Z", Stroke::Types('z')),
            ("KEYCODE_7", Stroke::Types('7')),
            ("7", Stroke::Types('0')),
            ("NUMPAD_5", Stroke::Types('5')),
            ("26", Stroke::Power),
            ("279", Stroke::Paste),
            ("9999", Stroke::Nothing),
            ("NOPE", Stroke::Nothing),
        ] {
            assert_eq!(stroke(key), expected, "{key}");
        }
        for key in Key::ALL {
            assert_ne!(stroke(key.android_name()), Stroke::Nothing, "{key:?}");
        }
        assert!(KEYS.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
