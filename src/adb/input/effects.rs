//! What has no effect on a device: one that was never set up ignores its HOME and BACK keys, and not every device ends
//! processes for adb. It is tried once, so that no test waits for it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::connection::Connection;
use crate::connection::sections::{answers, script};
use crate::output::setting_value;
use taproof_engine::device::DeviceError;
use taproof_screen::Key;

/// Something that a device may ignore.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Effect {
    /// The HOME key puts the app in the background.
    Home,
    /// The BACK key leaves a page or the app.
    Back,
    /// `am kill` ends the process of an app in the background.
    Kill,
}

/// What was found to have no effect; shared by all phones of a device.
#[derive(Clone, Default)]
pub(crate) struct Effects(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    tried: bool,
    /// What the device cannot do for want of the effect, as [`DeviceError::Unsupported`] says it.
    missing: BTreeMap<Effect, String>,
}

impl Effects {
    /// Whether nobody has tried the effects yet. The next call returns false.
    pub fn take_first_try(&self) -> bool {
        !std::mem::replace(&mut self.known().tried, true)
    }

    /// # Errors
    ///
    /// [`DeviceError::Unsupported`] for what is known to have no effect.
    pub fn check(&self, connection: &Connection, effect: Effect) -> Result<(), DeviceError> {
        self.known().missing.get(&effect).map_or(Ok(()), |what| Err(connection.info.cannot(what)))
    }

    /// The effect of a key; `None` for keys that are never tried.
    pub fn of(key: Key) -> Option<Effect> {
        match key {
            Key::Home => Some(Effect::Home),
            Key::Back => Some(Effect::Back),
            _ => None,
        }
    }

    /// Notes that something has no effect, and returns the error for it.
    pub fn note(&self, connection: &Connection, effect: Effect) -> DeviceError {
        let what = match effect {
            Effect::Home => "show its home screen: the HOME key has no effect",
            Effect::Back => "go back: the BACK key has no effect",
            Effect::Kill => "end the process of an app in the background: `am kill` has no effect",
        };
        let cure = (effect != Effect::Kill).then(|| cure(|lines| connection.shell(lines))).flatten();
        let what = cure.map_or_else(|| what.to_owned(), |cure| format!("{what}; {cure}"));
        self.known().missing.entry(effect).or_insert_with(|| what.clone());
        connection.info.cannot(&what)
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What to do about keys without effect; `None` if the device says that it is set up.
pub(crate) fn cure(ask: impl Fn(&str) -> Result<String, DeviceError>) -> Option<&'static str> {
    let questions = ["settings get global device_provisioned", "settings get secure user_setup_complete"];
    let said = ask(&script(&questions)).ok()?;
    let yes = |answer: &str| matches!(setting_value(answer.trim()), Ok(Some(value)) if value == "1");
    (!answers(&said).all(yes)).then_some(
        "it was never set up: do that, or let it believe so by `adb shell settings put global device_provisioned 1` and \
         `adb shell settings put secure user_setup_complete 1`",
    )
}
