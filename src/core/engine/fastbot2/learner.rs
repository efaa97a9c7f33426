//! The reward, and n-step SARSA over it (paper.md, section 6).

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::config::{Denominator, Learning, QKey};
use super::memory::{EventIdx, Knowledge, StateIdx, States};

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
pub(super) fn reward(learning: &Learning, done: &Pending, executions: u32, page: PageWorth) -> f64 {
    let surprise = if done.known { done.expected } else { learning.unknown_reward };
    let visits = match learning.denominator {
        Denominator::State => page.state_visits,
        Denominator::Activity => page.activity_visits,
    };
    let worth = learning.new_event * f64::from(page.new)
        + learning.undone_event * f64::from(page.undone)
        + page.expected;
    surprise / (f64::from(executions) + 1.0).sqrt() + worth / (f64::from(visits) + 1.0).sqrt()
}

/// The events that were executed in a row, without events by others in between, and their rewards.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Chain {
    done: VecDeque<(StateIdx, EventIdx)>,
    rewards: VecDeque<f64>,
}

impl Chain {
    /// Adds the reward of the last event of the chain.
    pub fn earn(&mut self, reward: f64) {
        self.rewards.push_back(reward);
    }

    /// Appends a chosen event. Once the return of the oldest event is complete it is learned, with the Q-value of the
    /// newest for everything that follows.
    pub fn push(
        &mut self,
        newest: (StateIdx, EventIdx),
        learning: &Learning,
        step: f64,
        values: &mut Values<'_>,
    ) {
        if self.rewards.len() >= learning.steps.max(1)
            && let Some(oldest) = self.done.pop_front()
        {
            let target = n_step_return(&self.rewards, learning.gamma, values.q(newest));
            values.learn(oldest, target, step);
            self.rewards.pop_front();
        }
        self.done.push_back(newest);
    }

    /// Ends the chain: the remaining returns are learned with the rewards so far, and with 0 for what would have
    /// followed.
    pub fn flush(&mut self, learning: &Learning, step: f64, values: &mut Values<'_>) {
        while !self.rewards.is_empty() {
            let target = n_step_return(&self.rewards, learning.gamma, 0.0);
            if let Some(oldest) = self.done.pop_front() {
                values.learn(oldest, target, step);
            }
            self.rewards.pop_front();
        }
        self.done.clear();
    }
}

/// G = r(t+1) + g r(t+2) + ... + g^(n-1) r(t+n) + g^n Q.
fn n_step_return(rewards: &VecDeque<f64>, gamma: f64, bootstrap: f64) -> f64 {
    rewards.iter().rev().fold(bootstrap, |later, reward| reward + gamma * later)
}

/// Access to the Q-values.
pub(super) struct Values<'m> {
    pub knowledge: &'m mut Knowledge,
    pub states: &'m mut States,
    pub key: QKey,
}

impl Values<'_> {
    fn q(&self, (state, event): (StateIdx, EventIdx)) -> f64 {
        match self.key {
            QKey::Event => self.knowledge.event(event).q,
            QKey::StateEvent => self.states.q.get(&(state, event)).copied().unwrap_or(0.0),
        }
    }

    /// Q += a (G - Q).
    fn learn(&mut self, (state, event): (StateIdx, EventIdx), target: f64, step: f64) {
        let q = match self.key {
            QKey::Event => &mut self.knowledge.event_mut(event).q,
            QKey::StateEvent => self.states.q.entry((state, event)).or_default(),
        };
        *q += step * (target - *q);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ActionKind, HyperEvent, Text};

    fn near(left: f64, right: f64) {
        assert!((left - right).abs() < 5e-5, "{left} is not {right}");
    }

    #[test]
    fn the_reward_is_the_papers() {
        let page = PageWorth { new: 4, undone: 2, expected: 0.5, state_visits: 3, activity_visits: 9 };
        let done = Pending { event: 0, state: 0, known: true, expected: 0.3 };
        let learning = Learning::default();
        near(reward(&learning, &done, 1, page), 2.9621);
        let by_activity = Learning { denominator: Denominator::Activity, ..Learning::default() };
        near(reward(&by_activity, &done, 1, page), 0.21213 + 5.5 / 10.0_f64.sqrt());
        let nothing = PageWorth::default();
        near(reward(&learning, &done, 1, nothing), 0.2121);
        near(reward(&learning, &Pending { expected: 0.0, ..done }, 1, nothing), 0.0);
        near(reward(&learning, &Pending { known: false, expected: 0.0, ..done }, 1, nothing), 0.5_f64.sqrt());
    }

    #[test]
    fn a_page_is_worth_most_while_it_is_untouched() {
        let done = Pending { event: 0, state: 0, known: true, expected: 0.0 };
        let of = |undone| PageWorth { undone, state_visits: 0, ..PageWorth::default() };
        near(reward(&Learning::default(), &done, 1, of(6)), 3.0);
        near(reward(&Learning::default(), &done, 1, of(0)), 0.0);
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
    fn the_return_has_five_rewards_and_what_the_newest_is_worth() {
        near(n_step_return(&VecDeque::from([1.0; 5]), 0.8, 2.0), 4.01696);
        let (mut knowledge, mut states) = (knowledge(6), States::default());
        knowledge.event_mut(5).q = 2.0;
        let mut values = Values { knowledge: &mut knowledge, states: &mut states, key: QKey::Event };
        let (mut chain, learning) = (Chain::default(), Learning::default());
        for event in 0..5 {
            chain.push((0, event), &learning, 0.5, &mut values);
            assert_eq!(values.q((0, 0)), 0.0, "nothing is learned before the return is whole");
            chain.earn(1.0);
        }
        chain.push((0, 5), &learning, 0.5, &mut values);
        near(values.q((0, 0)), 2.00848);
        assert_eq!(values.q((0, 1)), 0.0, "only the oldest is learned");
    }

    #[test]
    fn a_chain_that_ends_is_learned_with_shorter_returns() {
        let (mut knowledge, mut states) = (knowledge(3), States::default());
        let mut values = Values { knowledge: &mut knowledge, states: &mut states, key: QKey::StateEvent };
        let (mut chain, learning) = (Chain::default(), Learning::default());
        for event in 0..3 {
            chain.push((7, event), &learning, 0.5, &mut values);
            if event < 2 {
                chain.earn(1.0);
            }
        }
        chain.flush(&learning, 0.5, &mut values);
        near(values.q((7, 0)), 0.9);
        near(values.q((7, 1)), 0.5);
        assert_eq!(values.q((7, 2)), 0.0, "what it led to was not seen");
        assert_eq!(values.q((6, 0)), 0.0, "the value belongs to the state");
        chain.push((7, 0), &learning, 0.5, &mut values);
        chain.earn(1.0);
        chain.flush(&learning, 1.0, &mut values);
        near(values.q((7, 0)), 1.0);
    }
}
