//! Processes a screen before anything is chosen: counts the visit, records and rewards the result of the last event,
//! and looks up everything that the choice depends on.

use super::choose::Candidate;
use super::learner::{PageWorth, Pending, reward};
use super::memory::StateIdx;
use super::{Fastbot2, Fastbot2State};

/// Weight of the newest page in the running mean of the spread of Q-values (not in the paper; paper.md, section 5).
const SPREAD_RATE: f64 = 0.05;

/// The state of a page, the number of visits of the state and of its activity, and the event that led to it.
#[derive(Clone, Copy)]
pub(super) struct Arrival {
    pub(super) state: StateIdx,
    pub(super) state_visits: u32,
    pub(super) activity_visits: u32,
    pub(super) came_of: Option<Pending>,
}

impl Fastbot2 {
    /// Counts the visit, and records in M which activity the last event led to (record, then choose).
    pub(super) fn arrive(&mut self, app: &str) -> Arrival {
        let Fastbot2State { knowledge, states, pending, pages, .. } = &mut self.state;
        *pages += 1;
        let (state, state_visits) = states.visit(self.page.state);
        let activity = knowledge.activity(&self.page.activity);
        let came_of = pending.take();
        let own = self.page.activity.split_once('/').is_none_or(|(package, _)| package == app);
        if let Some(done) = came_of.filter(|_| own) {
            knowledge.record(done.event, activity);
        }
        let activity_visits = knowledge.visit(activity);
        Arrival { state, state_visits, activity_visits, came_of }
    }

    /// Looks up everything that the choice among the page's actions depends on. Returns what the page is worth
    /// accordingly.
    pub(super) fn weigh(&mut self, arrival: Arrival) -> PageWorth {
        let Fastbot2State { knowledge, states, refused, spread, .. } = &mut self.state;
        let mut worth = PageWorth {
            state_visits: arrival.state_visits,
            activity_visits: arrival.activity_visits,
            ..PageWorth::default()
        };
        self.candidates.clear();
        let mut range: Option<(f64, f64)> = None;
        for (place, action) in self.page.actions.iter().enumerate() {
            let found = knowledge.find(action.key).filter(|idx| !refused.contains(idx));
            if found.is_none() && knowledge.find(action.key).is_some() {
                continue;
            }
            let mut candidate = Candidate::new(place, action.kind, action.widgets.max(1));
            if let Some(idx) = found {
                let record = knowledge.event_mut(idx);
                record.met = true;
                candidate.known = record.known();
                candidate.expected = record.expected();
                candidate.guided = record.guided;
                worth.undone += u32::from(candidate.known && record.done == 0);
                candidate.q = record.q;
                candidate.visits = states.times(arrival.state, idx);
            }
            // An equal widget that was not used yet counts as an event that was not executed.
            let unused = self.config.each_widget && (1..candidate.widgets).contains(&candidate.visits);
            worth.undone += u32::from(unused);
            worth.new += u32::from(!candidate.known);
            worth.expected += candidate.expected;
            let (low, high) = range.unwrap_or((candidate.q, candidate.q));
            range = Some((low.min(candidate.q), high.max(candidate.q)));
            self.candidates.push(candidate);
        }
        if let Some((low, high)) = range.filter(|(low, high)| high > low) {
            let newest = if *spread > 0.0 { SPREAD_RATE } else { 1.0 };
            *spread += newest * (high - low - *spread);
        }
        worth
    }

    pub(super) fn learn(&mut self, arrival: Arrival, worth: PageWorth) {
        if let Some(done) = arrival.came_of {
            let executions = self.state.knowledge.event(done.event).done;
            self.state.chain.earn(reward(self.config.denominator, &done, executions, worth));
        }
    }
}
