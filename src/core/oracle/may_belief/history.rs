//! The history of a test up to a behaviour, as far as it may explain the outcome.

use std::collections::BTreeSet;
use std::sync::Arc;

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
    states: BTreeSet<StateKey>,
    events: BTreeSet<EventKey>,
}

impl History {
    /// Enters a state. If it was open already, what was above it is closed.
    pub fn enter(&mut self, state: StateKey) {
        self.states.insert(state);
        match self.pages.iter().position(|open| *open == state) {
            Some(place) => self.pages.truncate(place + 1),
            None => self.pages.push(state),
        }
    }

    /// Adds an event that was performed on a receiver with these texts.
    pub fn did(&mut self, event: EventKey, texts: &[Text]) {
        self.events.insert(event);
        for text in texts {
            self.events.insert(event.typing(text));
        }
    }

    /// Everything that may explain an outcome, as sorted hashes: the pages below, the states seen, the events
    /// performed.
    pub fn features(&self) -> Arc<Vec<u64>> {
        let mut hasher = HashBuffer::default();
        let mut features = Vec::with_capacity(PAGES_BELOW + self.states.len() + self.events.len());
        let mut add = |kind: u64, numbers: &mut dyn Iterator<Item = u64>| {
            hasher.clear();
            hasher.u64(kind);
            numbers.for_each(|number| hasher.u64(number));
            features.push(hasher.finish());
        };
        for depth in 1..=PAGES_BELOW.min(self.pages.len().saturating_sub(1)) {
            add(1, &mut self.pages.iter().rev().skip(1).take(depth).map(|state| state.0));
        }
        self.states.iter().for_each(|state| add(2, &mut std::iter::once(state.0)));
        self.events.iter().for_each(|event| add(3, &mut std::iter::once(event.0)));
        features.sort_unstable();
        Arc::new(features)
    }
}
