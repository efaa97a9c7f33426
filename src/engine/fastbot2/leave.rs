//! Leaves pages on which exploration gains nothing: those that the user-defined lists forbid, and those that do not
//! change.

use serde::{Deserialize, Serialize};

use super::learner::Pending;
use super::memory::StateIdx;
use super::{Decision, DecisionInput, Fastbot2};
use taproof_screen::{Event, Key};
use taproof_spec::is_key_forbidden;

/// Number of consecutive equal states after which the page counts as stuck (not in the paper; paper.md, section 10).
const STUCK_AFTER: u32 = 10;

/// For how many pages the state has been the same.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Stuck {
    state: StateIdx,
    times: u32,
    /// Number of attempts to leave it.
    tried: u32,
}

impl Fastbot2 {
    /// An activity that the tester's lists refuse is left at once, and what led there is not done again.
    pub(super) fn leave_refused(
        &mut self,
        seen: DecisionInput<'_>,
        came_of: Option<Pending>,
    ) -> Option<Decision> {
        let rules = &self.config.rules;
        let activity = &self.page.activity;
        if seen.layout.package() != seen.app || rules.may_enter(activity, &self.state.home) {
            return None;
        }
        let listed = rules.refused_by(activity);
        match listed {
            Some(number) => self.state.matches.count("abl.strings", number),
            None => self.state.matches.count("awl.strings", 0),
        }
        self.state.other.refused += 1;
        if let Some(done) = came_of {
            self.state.refused.insert(done.event);
            return Some(Decision::Perform(Event::Key(Key::Back)));
        }
        Some(Decision::Perform(Event::Relaunch))
    }

    /// Leaves a page that does not change: by Back, by restarting the app, or by ending the test.
    pub(super) fn unstick(&mut self, seen: DecisionInput<'_>, state: StateIdx) -> Option<Decision> {
        let stuck = &mut self.state.stuck;
        if stuck.times == 0 || stuck.state != state {
            *stuck = Stuck { state, times: 1, tried: 0 };
            return None;
        }
        stuck.times += 1;
        if stuck.times <= STUCK_AFTER {
            return None;
        }
        let back_blocked = is_key_forbidden(seen.blocks, seen.layout, Key::Back);
        let stage = stuck.tried.max(u32::from(back_blocked)).min(1 + u32::from(self.by_rules.clean_restart));
        stuck.tried = stage + 1;
        self.state.other.stuck[stage as usize] += 1;
        Some(match stage {
            0 => Decision::Perform(Event::Key(Key::Back)),
            1 => Decision::Perform(Event::Relaunch),
            _ => Decision::EndTest,
        })
    }
}
