//! What was done and seen on the way to a behaviour, as far as it may explain the outcome.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::StateKey;
use crate::determinism::HashBuffer;
use crate::model::{EventKey, Text};

/// Open pages below the one in front that are told apart.
const PAGES_BELOW: usize = 2;

/// What was done and seen on the way.
#[derive(Clone, Debug, Default)]
pub struct Way {
    /// The pages that are open, as far as the way tells: where Back and Cancel lead.
    pages: Vec<StateKey>,
    states: BTreeSet<StateKey>,
    events: BTreeSet<EventKey>,
}

impl Way {
    /// A state is entered; one that is entered again closes what was above it.
    pub fn enter(&mut self, state: StateKey) {
        self.states.insert(state);
        match self.pages.iter().position(|open| *open == state) {
            Some(place) => self.pages.truncate(place + 1),
            None => self.pages.push(state),
        }
    }

    /// An event was done, on a receiver that showed these texts.
    pub fn did(&mut self, event: EventKey, texts: &[Text]) {
        self.events.insert(event);
        for text in texts {
            self.events.insert(event.typing(text));
        }
    }

    /// Each thing that may explain an outcome, as sorted hashes: the pages below, the states seen, the events done.
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
