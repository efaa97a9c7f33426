//! The reward, and n-step SARSA over it (paper.md, section 6).

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::config::Denominator;
use super::memory::{EventIdx, Knowledge, StateIdx};

/// Number of rewards in a return, n (the published program's; paper.md, section 6.2).
const STEPS: usize = 5;
/// Discount factor of each later reward, γ (the published program's).
const GAMMA: f64 = 0.8;
/// Reward of an event that no run had executed (not in the paper; section 6.1).
const UNKNOWN_REWARD: f64 = 1.0;
/// What each event of the model that this run has not executed adds to the worth of a page (the paper's).
const UNDONE_EVENT: f64 = 0.5;

/// The values that the worth of a page is computed from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PageWorth {
    /// n_h: number of events that no run has executed.
    pub new: u32,
    /// n_c: number of events of the model that this run has not executed.
    pub undone: u32,
    /// Sum of E over the events of the page.
    pub expected: f64,
    /// Visits of the page's state, including this one.
    pub state_visits: u32,
    /// Visits of the page's activity, including this one.
    pub activity_visits: u32,
}

/// An executed event whose result is still to be seen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Pending {
    pub event: EventIdx,
    pub state: StateIdx,
    /// Whether the event was known when it was chosen.
    pub known: bool,
    /// E when it was chosen.
    pub expected: f64,
}

/// r = E(e) / sqrt(N(e) + 1) + (n_h + 0.5 n_c + sum of E) / sqrt(N + 1). For an event that no run had executed, E(e) is
/// replaced by 1; for a known event that leads to no new activity it is 0. `executions` is N(e), in this run.
pub(super) fn reward(by: Denominator, done: &Pending, executions: u32, page: PageWorth) -> f64 {
    let surprise = if done.known { done.expected } else { UNKNOWN_REWARD };
    let visits = match by {
        Denominator::State => page.state_visits,
        Denominator::Activity => page.activity_visits,
    };
    let worth = f64::from(page.new) + UNDONE_EVENT * f64::from(page.undone) + page.expected;
    surprise / (f64::from(executions) + 1.0).sqrt() + worth / (f64::from(visits) + 1.0).sqrt()
}

/// The step size after this many pages.
pub(super) fn step_size(pages: u64) -> f64 {
    match pages {
        0..=20_000 => 0.5,
        20_001..=50_000 => 0.4,
        50_001..=100_000 => 0.3,
        _ => 0.25,
    }
}

/// The events that were executed in a row, without events by others in between, and their rewards.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Chain {
    done: VecDeque<EventIdx>,
    rewards: VecDeque<f64>,
}

impl Chain {
    /// Adds the reward of the last event of the chain.
    pub fn earn(&mut self, reward: f64) {
        self.rewards.push_back(reward);
    }

    /// Appends a chosen event. Once the return of the oldest event is complete it is learned, with the Q-value of the
    /// newest for everything that follows.
    pub fn push(&mut self, newest: EventIdx, step: f64, knowledge: &mut Knowledge) {
        if self.rewards.len() >= STEPS
            && let Some(oldest) = self.done.pop_front()
        {
            let target = n_step_return(&self.rewards, knowledge.event(newest).q);
            learn(knowledge, oldest, target, step);
            self.rewards.pop_front();
        }
        self.done.push_back(newest);
    }

    /// Ends the chain: the remaining returns are learned with the rewards so far, and with 0 for what would have
    /// followed.
    pub fn flush(&mut self, step: f64, knowledge: &mut Knowledge) {
        while !self.rewards.is_empty() {
            let target = n_step_return(&self.rewards, 0.0);
            if let Some(oldest) = self.done.pop_front() {
                learn(knowledge, oldest, target, step);
            }
            self.rewards.pop_front();
        }
        self.done.clear();
    }
}

/// G = r(t+1) + g r(t+2) + ... + g^(n-1) r(t+n) + g^n Q.
fn n_step_return(rewards: &VecDeque<f64>, bootstrap: f64) -> f64 {
    rewards.iter().rev().fold(bootstrap, |later, reward| reward + GAMMA * later)
}

/// Q += a (G - Q). A Q-value belongs to the event, in whichever state it is executed.
fn learn(knowledge: &mut Knowledge, event: EventIdx, target: f64, step: f64) {
    let q = &mut knowledge.event_mut(event).q;
    *q += step * (target - *q);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fastbot2::HyperEvent;
    use taproof_screen::Text;
    use taproof_spec::ActionKind;

    fn near(left: f64, right: f64) {
        assert!((left - right).abs() < 5e-5, "{left} is not {right}");
    }

    #[test]
    fn the_reward_is_the_papers() {
        let page = PageWorth { new: 4, undone: 2, expected: 0.5, state_visits: 3, activity_visits: 9 };
        let done = Pending { event: 0, state: 0, known: true, expected: 0.3 };
        let by_state = Denominator::State;
        near(reward(by_state, &done, 1, page), 2.9621);
        near(reward(Denominator::Activity, &done, 1, page), 0.21213 + 5.5 / 10.0_f64.sqrt());
        let nothing = PageWorth::default();
        near(reward(by_state, &done, 1, nothing), 0.2121);
        near(reward(by_state, &Pending { expected: 0.0, ..done }, 1, nothing), 0.0);
        near(reward(by_state, &Pending { known: false, expected: 0.0, ..done }, 1, nothing), 0.5_f64.sqrt());
    }

    #[test]
    fn a_page_is_worth_most_while_it_is_untouched() {
        let done = Pending { event: 0, state: 0, known: true, expected: 0.0 };
        let of = |undone| PageWorth { undone, state_visits: 0, ..PageWorth::default() };
        near(reward(Denominator::State, &done, 1, of(6)), 3.0);
        near(reward(Denominator::State, &done, 1, of(0)), 0.0);
    }

    fn knowledge(events: u32) -> Knowledge {
        let mut knowledge = Knowledge::default();
        for number in 0..events {
            knowledge.intern(HyperEvent {
                activity: Text::from("org.ex/.Main"),
                resource_id: Text::from(number.to_string()),
                class: Text::from(""),
                static_text: Text::from(""),
                kind: ActionKind::Click,
            });
        }
        knowledge
    }

    #[test]
    fn the_step_shrinks_with_the_pages_seen() {
        let pages = [1, 20_000, 20_001, 50_000, 50_001, 100_000, 100_001, 1_000_000];
        assert_eq!(pages.map(step_size), [0.5, 0.5, 0.4, 0.4, 0.3, 0.3, 0.25, 0.25]);
    }

    #[test]
    fn the_return_has_five_rewards_and_what_the_newest_is_worth() {
        near(n_step_return(&VecDeque::from([1.0; 5]), 2.0), 4.01696);
        let (mut knowledge, mut chain) = (knowledge(6), Chain::default());
        knowledge.event_mut(5).q = 2.0;
        for event in 0..5 {
            chain.push(event, 0.5, &mut knowledge);
            assert_eq!(knowledge.event(0).q, 0.0, "nothing is learned before the return is whole");
            chain.earn(1.0);
        }
        chain.push(5, 0.5, &mut knowledge);
        near(knowledge.event(0).q, 2.00848);
        assert_eq!(knowledge.event(1).q, 0.0, "only the oldest is learned");
    }

    #[test]
    fn a_chain_that_ends_is_learned_with_shorter_returns() {
        let (mut knowledge, mut chain) = (knowledge(3), Chain::default());
        for event in 0..3 {
            chain.push(event, 0.5, &mut knowledge);
            if event < 2 {
                chain.earn(1.0);
            }
        }
        chain.flush(0.5, &mut knowledge);
        near(knowledge.event(0).q, 0.9);
        near(knowledge.event(1).q, 0.5);
        assert_eq!(knowledge.event(2).q, 0.0, "what it led to was not seen");
        chain.push(0, 0.5, &mut knowledge);
        chain.earn(1.0);
        chain.flush(1.0, &mut knowledge);
        near(knowledge.event(0).q, 1.0);
    }
}
