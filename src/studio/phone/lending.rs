//! Ensures that each device has one user at a time. The window lends the device that it shows to a campaign or a trial.

use std::time::Duration;

use super::DevicesInUse;
use super::handle::use_app;
use crate::effect::Effect;
use crate::event::Tick;
use crate::mirror::MirrorCommand;
use crate::state::StudioState;
use taproof_campaign::{DeviceChoice, Target};
use taproof_screen::Frame;

const WHILE_THEY_LEAVE: Duration = Duration::from_millis(50);

/// Whether no campaign or trial uses the device. Notifies the person otherwise.
pub(crate) fn is_free(state: &mut StudioState, serial: &str) -> bool {
    let Some(problem) = state.in_use().problem(serial) else { return true };
    state.notify_failure(problem);
    false
}

/// Makes the devices available for a campaign or a trial. If the window used one of them, it stays in its place, with the
/// screens that a campaign sees there. Returns `None`, after a notification, if one is in use.
pub(crate) fn lend(state: &mut StudioState, device: &DeviceChoice, to: &str) -> Option<Vec<Effect>> {
    if !device.serials().iter().all(|serial| is_free(state, serial)) {
        return None;
    }
    let shown = state.settings.target.device.as_deref();
    let Some(serial) = device.serials().iter().find(|serial| Some(serial.as_str()) == shown) else {
        return Some(Vec::new());
    };
    state.devices.lent = Some(state.settings.target.clone());
    state.record.wants_phone = false;
    Some(vec![Effect::Mirror(MirrorCommand::LetGo(format!("The {to} has {serial}.")))])
}

/// The device in the phone's place while something else uses it: nobody can touch it.
pub struct LentPhone<'s> {
    /// Who uses it, for people.
    pub user: String,
    /// The serial of the device.
    pub serial: &'s str,
    /// What its user saw there last. `None` as long as that is nothing, or the user does not say it.
    pub frame: Option<&'s Frame>,
}

impl StudioState {
    /// Why the last command to the phone failed. That something else uses the phone is no failure.
    pub fn phone_problem(&self) -> Option<&String> {
        self.mirror.problem.as_ref().filter(|_| self.lent_phone().is_none())
    }

    /// The device in the phone's place, while something else uses it. `None` if the window has the phone that it shows.
    pub fn lent_phone(&self) -> Option<LentPhone<'_>> {
        let here = |lent: &&Target| **lent == self.settings.target && !self.mirror.is_walk();
        let lent = self.devices.lent.as_ref().filter(here)?;
        let serial = lent.device.as_deref()?;
        let campaign = self.campaigns.list.iter().find(|campaign| {
            campaign.alive() && campaign.plan.device.serials().iter().any(|it| it == serial)
        });
        let frame = campaign.and_then(|campaign| campaign.screens.get(serial));
        let user = match campaign {
            Some(campaign) => format!("tested by campaign {}", campaign.id.0),
            None => "in use meanwhile".to_owned(),
        };
        Some(LentPhone { user, serial, frame })
    }
}

/// Shows the lent device live again once it is free, unless another phone has been chosen meanwhile. Called once a frame,
/// since nothing signals that its last user has restored its settings.
pub(crate) fn take_back(state: &mut StudioState, tick: Tick) -> Vec<Effect> {
    let lent = state.devices.lent.as_ref().and_then(|lent| lent.device.clone());
    if lent.is_none_or(|serial| state.in_use().problem(&serial).is_some()) {
        return Vec::new();
    }
    if tick.leaving || state.mirror.busy() {
        return vec![Effect::RepaintAfter(WHILE_THEY_LEAVE)];
    }
    let used = state.devices.lent.as_ref() != Some(&state.settings.target) || state.mirror.is_walk();
    let Some(lent) = state.devices.lent.take().filter(|_| !used) else { return Vec::new() };
    use_app(state, lent)
}

impl StudioState {
    /// The devices that are in use. A device has one user at a time.
    pub fn in_use(&self) -> DevicesInUse {
        let alive = self.campaigns.list.iter().filter(|campaign| campaign.alive());
        let campaigns =
            alive.map(|campaign| (&campaign.plan.device, format!("A campaign on {}", campaign.label)));
        let tried = self.trial.plan.as_ref().filter(|_| self.trial.is_running());
        let trial = tried.map(|plan| (&plan.device, "What is tried".to_owned()));
        let explored = self.discovery.device.as_ref();
        let explored = explored.map(|device| (device, "The exploration".to_owned()));
        let minimised = self.minimising.iter();
        let minimised = minimised.map(|minimising| (&minimising.device, "The minimisation".to_owned()));
        let checked = self.devices.checks.iter().filter(|(_, check)| check.ended.is_none());
        let checked = checked.map(|(serial, _)| (serial.clone(), "The check".to_owned()));
        let each = |(device, owner): (&DeviceChoice, String)| {
            let serials = device.serials().to_vec();
            serials.into_iter().map(move |serial| (serial, owner.clone()))
        };
        let tested = campaigns.chain(trial).chain(explored).chain(minimised).flat_map(each);
        DevicesInUse(tested.chain(checked).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phone::PhoneToShow;
    use crate::state::AppEntry;

    fn tick(leaving: bool) -> Tick {
        Tick { now: 0.0, today: Default::default(), leaving }
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
        assert!(matches!(meanwhile[..], [Effect::Mirror(MirrorCommand::LetGo(_))]));
        assert_eq!(
            state.settings.target.device.as_deref(),
            Some("phone-1"),
            "no other phone takes its place"
        );
        assert_eq!(state.lent_phone().unwrap().serial, "phone-1");
        let waits = take_back(&mut state, tick(true));
        assert!(matches!(waits[..], [Effect::RepaintAfter(_)]), "its settings are being restored");
        let back = take_back(&mut state, tick(false));
        assert_eq!(shown(&back), Some(("org.ex", Some("phone-1"))));
        assert!(take_back(&mut state, tick(false)).is_empty() && state.lent_phone().is_none(), "once");
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
