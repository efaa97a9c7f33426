//! Ensures that each device has one user at a time. The window lends the device that it shows to a campaign or a trial.

use std::time::Duration;

use super::handle::use_app;
use crate::effect::Effect;
use crate::event::Tick;
use crate::state::StudioState;
use taproof_core::campaign::{Build, DeviceChoice, Target};

const WHILE_THEY_LEAVE: Duration = Duration::from_millis(50);

/// Whether no campaign or trial uses the device. Notifies the person otherwise.
pub(crate) fn is_free(state: &mut StudioState, serial: &str) -> bool {
    let Some(problem) = state.in_use().problem(serial) else { return true };
    state.notify_failure(problem);
    false
}

/// Makes the devices available for a campaign or a trial, and shows the bundled phone if the window used one of them.
/// Returns `None`, after a notification, if one is in use.
pub(crate) fn lend(state: &mut StudioState, device: &DeviceChoice, to: &str) -> Option<Vec<Effect>> {
    if !device.serials().iter().all(|serial| is_free(state, serial)) {
        return None;
    }
    let shown = state.settings.target.device.as_deref();
    let Some(serial) = device.serials().iter().find(|serial| Some(serial.as_str()) == shown) else {
        return Some(Vec::new());
    };
    let Some(bundled) = state.apps.iter().find(|app| app.device.is_none()) else { return Some(Vec::new()) };
    let meanwhile = Target::bundled(bundled.package.as_str(), Build::Faulty);
    state.devices.lent = Some(state.settings.target.clone());
    let effects = use_app(state, meanwhile);
    state.notify(format!("The {to} has {serial}; the window shows the bundled phone meanwhile."));
    Some(effects)
}

/// Shows the lent device again once it is free, unless the bundled phone has been used meanwhile. Called once a frame,
/// since nothing signals that its last user has restored its settings.
pub(crate) fn take_back(state: &mut StudioState, tick: Tick) -> Vec<Effect> {
    let lent = state.devices.lent.as_ref().and_then(|lent| lent.device.clone());
    let Some(serial) = lent.filter(|serial| state.in_use().problem(serial).is_none()) else {
        return Vec::new();
    };
    // Until the mirror has switched to the bundled phone, it still has the steps of the device.
    if tick.leaving || state.mirror.busy() {
        return vec![Effect::RepaintAfter(WHILE_THEY_LEAVE)];
    }
    let used = state.settings.target.device.is_some() || !state.mirror.walked.steps.is_empty();
    let Some(lent) = state.devices.lent.take().filter(|_| !used) else { return Vec::new() };
    let effects = use_app(state, lent);
    if state.devices.list.iter().any(|device| device.ready && device.serial == serial) {
        state.notify(format!("The window shows {serial} again."));
    }
    effects
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phone::PhoneToShow;
    use crate::state::AppEntry;

    fn tick(leaving: bool) -> Tick {
        Tick { now: 0.0, leaving }
    }

    /// The app that the effects show, and the device that it is on.
    fn shown(effects: &[Effect]) -> Option<(&str, Option<&str>)> {
        match effects {
            [Effect::Show(PhoneToShow::App(target, _))] => Some((&target.app, target.device.as_deref())),
            _ => None,
        }
    }

    #[test]
    fn a_lent_device_comes_back_when_its_last_user_has_left_it() {
        let mut state = StudioState::default();
        state.apps.push(AppEntry { package: "org.bundled".to_owned(), ..AppEntry::default() });
        state.settings.target = Target::installed("org.ex", "phone-1");
        let device = DeviceChoice::Adb(vec!["phone-1".to_owned()]);
        let other = DeviceChoice::Adb(vec!["phone-2".to_owned()]);
        assert_eq!(lend(&mut state, &other, "campaign").unwrap().len(), 0, "the window uses another");
        let meanwhile = lend(&mut state, &device, "campaign").unwrap();
        assert_eq!(shown(&meanwhile), Some(("org.bundled", None)));
        let waits = take_back(&mut state, tick(true));
        assert!(matches!(waits[..], [Effect::RepaintAfter(_)]), "its settings are being restored");
        let back = take_back(&mut state, tick(false));
        assert_eq!(shown(&back), Some(("org.ex", Some("phone-1"))));
        assert_eq!(take_back(&mut state, tick(false)).len(), 0, "once");
    }

    #[test]
    fn a_lent_device_stays_away_where_another_is_used_meanwhile() {
        let mut state = StudioState::default();
        state.devices.lent = Some(Target::installed("org.ex", "phone-1"));
        state.settings.target = Target::installed("org.other", "phone-2");
        assert_eq!(take_back(&mut state, tick(false)).len(), 0);
        assert_eq!(state.devices.lent, None);
    }
}
