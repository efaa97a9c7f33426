//! The first steps for new users: which are done, and when they leave.

use crate::state::{Place, StudioState};

/// Ticks off the steps that were done. When the last one is, the first steps leave.
pub(crate) fn tick_off(state: &mut StudioState) {
    if !state.settings.first_steps {
        return;
    }
    let done = [
        (Place::Record, state.record.kept.is_some()),
        (Place::Fuzz, state.campaigns.of_window().next().is_some()),
        (Place::Replay, state.replay.is_some()),
    ];
    let known = &mut state.settings.first_steps_done;
    let before = known.len();
    known.extend(done.iter().filter(|(_, done)| *done).map(|(place, _)| *place));
    known.sort();
    known.dedup();
    if known.len() == done.len() && before < done.len() {
        state.settings.first_steps = false;
        state.notify(
            "Those were the first steps: you recorded, fuzzed and replayed. F1 lists what else there is.",
        );
    }
}

/// Shows or hides the first steps. Those that are shown again begin anew.
pub(crate) fn show_first_steps(settings: &mut crate::state::Settings, shown: bool) {
    settings.first_steps = shown;
    if shown {
        settings.first_steps_done.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::RecordPhase;

    #[test]
    fn the_steps_are_ticked_off_and_leave() {
        let mut state = StudioState::default();
        tick_off(&mut state);
        assert_eq!(state.settings.first_steps_done, []);
        state.record.phase = RecordPhase::Review;
        tick_off(&mut state);
        assert_eq!(state.settings.first_steps_done, [], "it is not saved yet");
        state.record.kept = Some("add folder".to_owned());
        tick_off(&mut state);
        state.record.kept = None;
        tick_off(&mut state);
        assert_eq!(state.settings.first_steps_done, [Place::Record], "what was done stays done");
        state.settings.first_steps_done = vec![Place::Fuzz, Place::Replay];
        state.record.kept = Some("add folder".to_owned());
        tick_off(&mut state);
        assert!(!state.settings.first_steps && state.message.is_some());
        show_first_steps(&mut state.settings, true);
        assert!(state.settings.first_steps && state.settings.first_steps_done.is_empty());
    }
}
