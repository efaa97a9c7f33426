//! Changes that tests make to an app's surroundings, apart from the device's settings, and how to undo them.

use std::sync::{Arc, Mutex, PoisonError};

/// A change that a test made to the surroundings of the app, apart from the guarded settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Disturbance {
    /// Wi-Fi was on and has been switched off.
    Wifi,
    /// Mobile data was on and has been switched off.
    Data,
    /// The battery service was made to report a low battery.
    Battery,
    /// Dark mode was changed; this is the previous mode.
    Night(Night),
}

/// How a device chooses between the light and the dark theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Night {
    Light,
    Dark,
    /// Dark at night, by sunset and sunrise.
    Auto,
    /// Dark between two times of the user's choice.
    Scheduled,
    /// Dark during the user's bedtime.
    Bedtime,
}

impl Night {
    const ALL: [Night; 5] = [Night::Light, Night::Dark, Night::Auto, Night::Scheduled, Night::Bedtime];

    /// Parses the answer of `cmd uimode night`, such as `Night mode: no`. `None` for an unknown mode.
    pub fn parse(answer: &str) -> Option<Night> {
        let said = answer.trim().rsplit(' ').next()?;
        Night::ALL.into_iter().find(|night| night.line().rsplit(' ').next() == Some(said))
    }

    /// The shell line that sets this mode.
    pub fn line(self) -> &'static str {
        match self {
            Night::Light => "cmd uimode night no",
            Night::Dark => "cmd uimode night yes",
            Night::Auto => "cmd uimode night auto",
            Night::Scheduled => "cmd uimode night custom_schedule",
            Night::Bedtime => "cmd uimode night custom_bedtime",
        }
    }
}

impl Disturbance {
    /// Every disturbance that may be recorded.
    pub const ALL: [Disturbance; 8] = [
        Disturbance::Wifi,
        Disturbance::Data,
        Disturbance::Battery,
        Disturbance::Night(Night::Light),
        Disturbance::Night(Night::Dark),
        Disturbance::Night(Night::Auto),
        Disturbance::Night(Night::Scheduled),
        Disturbance::Night(Night::Bedtime),
    ];

    /// The word for this disturbance in the file on the device.
    pub fn word(self) -> &'static str {
        match self {
            Disturbance::Wifi => "wifi",
            Disturbance::Data => "data",
            Disturbance::Battery => "battery",
            Disturbance::Night(Night::Light) => "was-light",
            Disturbance::Night(Night::Dark) => "was-dark",
            Disturbance::Night(Night::Auto) => "was-auto",
            Disturbance::Night(Night::Scheduled) => "was-scheduled",
            Disturbance::Night(Night::Bedtime) => "was-bedtime",
        }
    }

    /// The shell line that undoes the change.
    pub fn undo(self) -> &'static str {
        match self {
            Disturbance::Wifi => "svc wifi enable",
            Disturbance::Data => "svc data enable",
            Disturbance::Battery => "dumpsys battery reset",
            Disturbance::Night(night) => night.line(),
        }
    }
}

/// The changes that tests made on a device and that have not been undone yet. Clones share the list, which belongs to
/// the device.
#[derive(Clone, Default)]
pub(super) struct Disturbances(Arc<Mutex<Vec<Disturbance>>>);

impl Disturbances {
    /// Starts with the disturbances that the file on the device lists.
    pub fn of(noted: Vec<Disturbance>) -> Self {
        Disturbances(Arc::new(Mutex::new(noted)))
    }

    /// A copy of the list.
    pub fn all(&self) -> Vec<Disturbance> {
        self.change(|list| list.clone())
    }

    /// Replaces the list, for use after a snapshot of the device was restored.
    pub fn set(&self, now: &[Disturbance]) {
        self.change(|list| *list = now.to_vec());
    }

    /// Removes the disturbances for which `chosen` returns true and returns the shell lines that undo them, the newest
    /// first.
    pub fn undo(&self, chosen: impl Fn(&Disturbance) -> bool) -> String {
        let taken = self.change(|list| list.extract_if(.., |one| chosen(one)).collect::<Vec<_>>());
        taken.iter().rev().map(|one| one.undo()).collect::<Vec<_>>().join("\n")
    }

    /// Adds a disturbance that is about to be caused.
    pub fn add(&self, new: Disturbance) {
        self.change(|list| list.push(new));
    }

    fn change<T>(&self, change: impl FnOnce(&mut Vec<Disturbance>) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disturbance_is_taken_back_once() {
        let list = Disturbances::default();
        let other = list.clone();
        list.add(Disturbance::Wifi);
        list.add(Disturbance::Battery);
        assert_eq!(other.undo(|one| *one == Disturbance::Battery), "dumpsys battery reset");
        assert_eq!(list.undo(|_| true), "svc wifi enable");
        assert_eq!(list.undo(|_| true), "");
    }
}
