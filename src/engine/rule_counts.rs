//! What the tester's rules did in a campaign.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use taproof_spec::OutOfBounds;

/// What the tester's rules did in a campaign.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleCounts {
    /// How often each rule fired, by its index; shorter if the last ones never did.
    pub fired: Vec<u64>,
    /// How often each place that is out of bounds was left, in words.
    pub left: BTreeMap<String, u64>,
}

impl RuleCounts {
    pub(super) fn fired(&mut self, rule: usize) {
        if self.fired.len() <= rule {
            self.fired.resize(rule + 1, 0);
        }
        self.fired[rule] += 1;
    }

    pub(super) fn left(&mut self, place: &OutOfBounds) {
        *self.left.entry(place.to_string()).or_default() += 1;
    }

    /// Adds what was counted elsewhere.
    pub fn add(&mut self, other: &RuleCounts) {
        self.fired.resize(self.fired.len().max(other.fired.len()), 0);
        self.fired.iter_mut().zip(&other.fired).for_each(|(mine, theirs)| *mine += theirs);
        for (place, times) in &other.left {
            *self.left.entry(place.clone()).or_default() += times;
        }
    }
}
