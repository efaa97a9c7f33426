//! Android's key codes: their numbers and names, and what they do to the device.

use crate::faults::Lock;
use crate::served::State;
use taproof_engine::device::DeviceError;
use taproof_screen::{DeviceDuration, Event, Key};

/// The effect of a keystroke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stroke {
    Key(Key),
    Types(char),
    Power,
    Sleep,
    WakeUp,
    Paste,
    Nothing,
}

/// The keys that have a name, by code. Those without an effect here are missing, except for two that clients know.
const KEYS: &[(u32, &str, Stroke)] = &[
    (3, "HOME", Stroke::Key(Key::Home)),
    (4, "BACK", Stroke::Key(Key::Back)),
    (19, "DPAD_UP", Stroke::Key(Key::DpadUp)),
    (20, "DPAD_DOWN", Stroke::Key(Key::DpadDown)),
    (21, "DPAD_LEFT", Stroke::Key(Key::DpadLeft)),
    (22, "DPAD_RIGHT", Stroke::Key(Key::DpadRight)),
    (23, "DPAD_CENTER", Stroke::Key(Key::DpadCenter)),
    (24, "VOLUME_UP", Stroke::Key(Key::VolumeUp)),
    (25, "VOLUME_DOWN", Stroke::Key(Key::VolumeDown)),
    (26, "POWER", Stroke::Power),
    (27, "CAMERA", Stroke::Nothing),
    (61, "TAB", Stroke::Key(Key::Tab)),
    (66, "ENTER", Stroke::Key(Key::Enter)),
    (67, "DEL", Stroke::Key(Key::Delete)),
    (82, "MENU", Stroke::Key(Key::Menu)),
    (84, "SEARCH", Stroke::Key(Key::Search)),
    (111, "ESCAPE", Stroke::Key(Key::Back)),
    (160, "NUMPAD_ENTER", Stroke::Key(Key::Enter)),
    (164, "VOLUME_MUTE", Stroke::Nothing),
    (187, "APP_SWITCH", Stroke::Key(Key::Recents)),
    (223, "SLEEP", Stroke::Sleep),
    (224, "WAKEUP", Stroke::WakeUp),
    (279, "PASTE", Stroke::Paste),
];

/// What the keys write, from the code of the first one of each row.
const WRITING: &[(u32, &str)] = &[
    (7, "0123456789*#"),
    (29, "abcdefghijklmnopqrstuvwxyz,."),
    (62, " "),
    (68, "`-=[]\\;'/@"),
    (81, "+"),
    (144, "0123456789/*-+.,"),
    (161, "=()"),
];

impl Stroke {
    /// The key with this code.
    pub fn of_code(code: u32) -> Stroke {
        if let Some((_, _, stroke)) = KEYS.iter().find(|(number, ..)| *number == code) {
            return *stroke;
        }
        let written = WRITING.iter().find_map(|(first, letters)| {
            letters.chars().nth(usize::try_from(code.checked_sub(*first)?).ok()?)
        });
        written.map_or(Stroke::Nothing, Stroke::Types)
    }

    /// The key with this name, with or without `KEYCODE_`; `None` if it is unknown or has no effect here.
    pub fn named(name: &str) -> Option<Stroke> {
        let name = name.strip_prefix("KEYCODE_").unwrap_or(name);
        KEYS.iter().find(|(_, known, _)| *known == name).map(|(_, _, stroke)| *stroke)
    }
}

impl State {
    /// Whether somebody has set the device up. One that was never set up ignores its HOME and BACK keys.
    fn is_set_up(&self) -> bool {
        let done = [("global", "device_provisioned"), ("secure", "user_setup_complete")];
        done.iter().all(|(namespace, name)| self.setting(namespace, name) == Some("1"))
    }

    /// Performs the effect of a keystroke on the device.
    pub(crate) fn press(&mut self, stroke: Stroke) -> Result<(), DeviceError> {
        // A keystroke takes time even if it has no effect.
        let nothing = Event::Wait(DeviceDuration(0));
        match stroke {
            Stroke::Key(Key::Delete) | Stroke::Types(_) | Stroke::Paste if self.faults.keys_lost => {
                self.input(&nothing)
            }
            Stroke::Key(Key::Home | Key::Back) if !self.is_set_up() => self.input(&nothing),
            // It dismisses a lock screen without a code.
            Stroke::Key(Key::Menu) if self.faults.lock != Lock::Open => {
                self.dismiss_lock();
                Ok(())
            }
            Stroke::Key(key) => self.input(&Event::Key(key)),
            Stroke::Types(c) => self.input(&Event::Type(c.to_string())),
            Stroke::Paste if !self.clipboard.is_empty() => self.input(&Event::Type(self.clipboard.clone())),
            Stroke::Paste | Stroke::Nothing => self.input(&nothing),
            Stroke::Power => self.set_awake(!self.awake),
            Stroke::Sleep => self.set_awake(false),
            Stroke::WakeUp => self.set_awake(true),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_are_one_key() {
        for (code, expected) in [
            (4, Stroke::Key(Key::Back)),
            (111, Stroke::Key(Key::Back)),
            (29, Stroke::Types('a')),
            (7, Stroke::Types('0')),
            (77, Stroke::Types('@')),
            (26, Stroke::Power),
            (279, Stroke::Paste),
            (9999, Stroke::Nothing),
        ] {
            assert_eq!(Stroke::of_code(code), expected, "{code}");
        }
        assert_eq!(Stroke::named("KEYCODE_BACK"), Some(Stroke::Key(Key::Back)));
        assert_eq!(Stroke::named("BACK"), Some(Stroke::Key(Key::Back)));
        assert_eq!(Stroke::named("NOPE"), None);
        for key in Key::ALL {
            assert!(Stroke::named(key.android_name()).is_some(), "{key:?}");
        }
        assert!(KEYS.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
