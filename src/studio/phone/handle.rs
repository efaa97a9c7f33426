//! Shows an app, and takes what the mirror reports.

use super::lead::{follow_cursor, reexecute};
use super::lending::take_back;
use super::{Lead, Opened, PhoneToShow, Reexecution, TakenOver, WayOrigin};
use crate::effect::Effect;
use crate::event::Tick;
use crate::mirror::{Divergence, MirrorCommand, MirrorFact, MirrorNews};
use crate::state::StudioState;
use taproof_campaign::Target;
use taproof_phone::BugSet;
use taproof_screen::{Likeness, ScreenPrint};
use taproof_spec::TestRules;

/// Shows an app that a person has chosen. The next campaign is likely to test it as well.
pub(crate) fn choose_app(state: &mut StudioState, target: Target) -> Vec<Effect> {
    match state.apps.iter().find(|app| app.is(&target)) {
        Some(app) => state.campaigns.form.choose_entry(app),
        None => state.campaigns.form.choose_app(&target.app),
    }
    state.devices.lent = None;
    if let Some(replay) = &mut state.replay {
        replay.choose_build(&target);
    }
    use_app(state, target)
}

/// Shows an app.
pub(crate) fn use_app(state: &mut StudioState, target: Target) -> Vec<Effect> {
    // A restored recording waits no more for its phone.
    state.record.wants_phone = false;
    set_target(state, target);
    vec![show_phone(state)]
}

fn set_target(state: &mut StudioState, target: Target) {
    if state.settings.target.app != target.app {
        state.documents.follow_app(&target.app);
    }
    state.settings.target = target;
}

/// Replaces the shown device by a fresh phone with the chosen app. A device that something else uses is shown as its user
/// sees it until it is free.
pub(crate) fn show_phone(state: &mut StudioState) -> Effect {
    let target = &state.settings.target;
    let problem = target.device.as_deref().and_then(|serial| state.in_use().problem(serial));
    match problem {
        Some(problem) => {
            state.devices.lent = Some(target.clone());
            Effect::Mirror(MirrorCommand::LetGo(problem))
        }
        None => Effect::Show(chosen_phone(state)),
    }
}

/// The live phone with the chosen app and build.
pub(crate) fn chosen_phone(state: &StudioState) -> PhoneToShow {
    let target = state.settings.target.clone();
    let app = state.current_app().filter(|_| target.device.is_none());
    let bugs = app.map(|app| BugSet::of(app.switched_on(&target.build))).unwrap_or_default();
    PhoneToShow::App(target, bugs)
}

/// Called when an order was sent to the mirror: its number, or `None` if it was refused, and what it opens.
pub(crate) fn ordered(state: &mut StudioState, order: Option<u64>, opened: Option<Opened>) {
    state.mirror.sent(order.is_some());
    let (Some(order), Some(opened)) = (order, opened) else { return };
    match opened {
        Opened::Phone(origin) => state.mirror.opens(order, Some(origin)),
        Opened::Walk => state.mirror.opens(order, None),
        Opened::Trace(lead) => {
            let Lead { trace, source, pace_millis, .. } = *lead;
            let (target, initialiser) = (trace.target.clone(), trace.initialiser.clone());
            set_target(state, target.clone());
            state.mirror.opens(order, Some(WayOrigin { target, initialiser }));
            let Some(source) = source else { return };
            let total = trace.events.len();
            let again = |pace_millis| Reexecution { done: 0, total, running: true, pace_millis };
            let taken = TakenOver::new(source, trace, order);
            let follows = pace_millis.is_none();
            let reexecution = pace_millis.map(again);
            state.takeover = Some(TakenOver { follows, reexecution, ..taken });
        }
    }
}

/// Takes the newest state of the mirror.
pub(crate) fn take_news(state: &mut StudioState, news: MirrorNews) {
    let before = state.mirror.frame_no();
    state.mirror.take(news);
    if state.mirror.frame_no() != before {
        // The widgets of another layout have other indices.
        state.selected = None;
        state.matches.clear();
    }
}

/// Takes a fact that the mirror reported.
pub(crate) fn take_fact(state: &mut StudioState, fact: MirrorFact) {
    if let MirrorFact::Diverged(_, divergence) = &fact
        && is_ignored(state, divergence)
    {
        return;
    }
    state.takeover.take_if(|taken| !taken.take(&fact));
    state.mirror.take_fact(fact);
}

/// Whether two screens differ only in what the tests of the app ignore, which is not in the screens that a campaign stores.
fn is_ignored(state: &StudioState, divergence: &Divergence) -> bool {
    let Some(expected) = &divergence.expected else { return false };
    let rules = state.campaigns.all_rules(&state.settings.target.app);
    let rules = TestRules::joined(rules.iter().map(|rules| &**rules));
    let print = |layout| rules.without_ignored(layout).map(|layout| ScreenPrint::of(&layout));
    match (print(expected), print(&divergence.seen)) {
        (Some(expected), Some(seen)) => expected.likeness(&seen) == Likeness::Same,
        _ => false,
    }
}

/// Moves the phone on where nothing else asks for it.
pub(crate) fn tick(state: &mut StudioState, tick: Tick) -> Vec<Effect> {
    let mut effects = take_back(state, tick);
    effects.extend(follow_cursor(state));
    effects.extend(reexecute(state, tick.now));
    effects
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::AppRules;
    use std::sync::Arc;
    use taproof_screen::{WidgetIdx, layout_from};
    use taproof_spec::RuleEntry;

    #[test]
    fn screens_that_differ_in_what_tests_ignore_are_no_divergence() {
        let clock = |time: &str, name: &str| {
            Arc::new(layout_from(&format!(
                "FrameLayout\n  TextView#clock \"{time}\"\n  TextView#name \"{name}\"\n"
            )))
        };
        let of = |time: &str, name: &str| Divergence {
            step: 1,
            expected: Some(clock("10:00", "a")),
            seen: clock(time, name),
            likeness: Likeness::OtherScreen,
            reason: String::new(),
        };
        let mut state = StudioState::default();
        state.settings.target.app = "org.ex".to_owned();
        assert!(!is_ignored(&state, &of("10:01", "a")), "nothing is ignored");
        let mut own = TestRules::default();
        own.add(RuleEntry::ignoring(&clock("10:00", "a"), WidgetIdx(1)).unwrap());
        state.campaigns.form.set_rules("org.ex", AppRules { own: Arc::new(own), files: Vec::new() });
        assert!(is_ignored(&state, &of("10:01", "a")));
        assert!(!is_ignored(&state, &of("10:01", "b")), "something else differs, too");
    }
}
