//! The history of a test up to a behaviour, as far as it may explain the outcome.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::StateKey;
use crate::determinism::HashBuffer;
use crate::model::{EventKey, Text};

/// Number of open pages below the current one that are distinguished.
const PAGES_BELOW: usize = 2;

/// The open pages, the states seen and the events performed so far in a test.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The pages that are open, as far as the history shows: those to which Back and Cancel lead.
    pages: Vec<StateKey>,
    seen: Seen,
    hasher: HashBuffer,
}

/// Hashes of the states seen and the events performed, each with the number of those before it.
type Seen = BTreeMap<u64, u32>;

/// A moment of a history.
#[derive(Clone, Debug)]
pub struct Moment {
    /// Hashes of the pages below.
    below: Vec<u64>,
    /// Number of hashes seen until then.
    seen: u32,
}

/// What may explain an outcome: the pages below, the states seen, the events performed. Cheap to clone.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Past {
    below: Vec<u64>,
    /// Everything seen in the test. The behaviours of one test share it.
    seen: Arc<Seen>,
    /// Of these, so many were seen before the behaviour.
    until: u32,
}

impl History {
    /// Enters a state. If it was open already, what was above it is closed.
    pub fn enter(&mut self, state: StateKey) {
        self.see(2, state.0);
        match self.pages.iter().position(|open| *open == state) {
            Some(place) => self.pages.truncate(place + 1),
            None => self.pages.push(state),
        }
    }

    /// Adds an event that was performed on a receiver with these texts.
    pub fn did(&mut self, event: EventKey, texts: &[Text]) {
        self.see(3, event.0);
        for text in texts {
            self.see(3, event.typing(text).0);
        }
    }

    fn see(&mut self, kind: u64, number: u64) {
        let (hash, before) = (self.hash(kind, &[StateKey(number)]), self.seen.len() as u32);
        self.seen.entry(hash).or_insert(before);
    }

    fn hash(&mut self, kind: u64, numbers: &[StateKey]) -> u64 {
        self.hasher.clear();
        self.hasher.u64(kind);
        numbers.iter().for_each(|number| self.hasher.u64(number.0));
        self.hasher.finish()
    }

    /// The present moment.
    pub fn now(&mut self) -> Moment {
        let pages: Vec<StateKey> = self.pages.iter().rev().skip(1).take(PAGES_BELOW).copied().collect();
        let below = (1..=pages.len()).map(|depth| self.hash(1, &pages[..depth])).collect();
        Moment { below, seen: self.seen.len() as u32 }
    }

    /// What may explain outcomes at these moments of the history.
    pub fn pasts(self, moments: impl IntoIterator<Item = Moment>) -> impl Iterator<Item = Past> {
        let seen = Arc::new(self.seen);
        moments.into_iter().map(move |Moment { below, seen: until }| Past {
            below,
            seen: Arc::clone(&seen),
            until,
        })
    }

    /// What may explain an outcome now.
    pub fn past(&self) -> Past {
        let mut history = self.clone();
        let Moment { below, seen } = history.now();
        Past { below, seen: Arc::new(history.seen), until: seen }
    }
}

impl Past {
    /// Whether the other one contains all of this.
    pub fn is_within(&self, other: &Past) -> bool {
        let seen = |hash: &u64| other.seen.get(hash).is_some_and(|before| *before < other.until);
        self.below.iter().all(|page| other.below.contains(page))
            && self.seen.iter().filter(|(_, before)| **before < self.until).all(|(hash, _)| seen(hash))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_past_contains_what_was_done_and_the_pages_below() {
        let mut history = History::default();
        history.enter(StateKey(1));
        history.did(EventKey(7), &[]);
        let first = history.now();
        history.did(EventKey(8), &[Text::from("words")]);
        let second = history.now();
        history.enter(StateKey(2));
        let third = history.now();
        let whole = history.past();
        let pasts: Vec<Past> = history.pasts([first, second, third]).collect();
        let within = |one: &Past| pasts.iter().map(|other| one.is_within(other)).collect::<Vec<bool>>();
        assert_eq!(within(&pasts[0]), [true, true, true]);
        assert_eq!(within(&pasts[1]), [false, true, true]);
        assert_eq!(within(&pasts[2]), [false, false, true], "a page is below");
        assert!(whole.is_within(&pasts[2]) && pasts[2].is_within(&whole));
        assert!(Past::default().is_within(&pasts[0]) && !pasts[0].is_within(&Past::default()));
    }
}
