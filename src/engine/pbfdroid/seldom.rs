//! Chance that prefers what seldom happened (paper.md, section 4.1). Most bugs need two DMFs on one object, and chance alone
//! takes long to draw every pair.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use taproof_screen::determinism::Rng;

/// The weight of what never happened, compared with 1 for what happened this many times.
const NEVER: u64 = 1000;

/// How often each of several things happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Seldom<T: Ord>(BTreeMap<T, u64>);

impl<T: Ord> Default for Seldom<T> {
    fn default() -> Self {
        Seldom(BTreeMap::new())
    }
}

impl<T: Ord> Seldom<T> {
    /// Counts one.
    pub(super) fn happened(&mut self, what: T) {
        *self.0.entry(what).or_default() += 1;
    }

    /// How often this happened.
    pub(super) fn count(&self, what: &T) -> u64 {
        self.0.get(what).copied().unwrap_or(0)
    }

    /// Draws the index of one of these, given with their weights: the likelier the less often it happened. `None` if
    /// there is none with a weight.
    pub(super) fn draw(&self, of: &[(T, u32)], rng: &mut Rng) -> Option<usize> {
        let weight = |(what, weight): &(T, u32)| {
            let weight = u64::from(*weight) * NEVER / (self.count(what) + 1);
            u32::try_from(weight).unwrap_or(u32::MAX)
        };
        rng.weighted(&of.iter().map(weight).collect::<Vec<u32>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_seldom_happened_is_likelier_and_the_weights_still_count() {
        let (mut seldom, mut rng) = (Seldom::default(), Rng::from_seed(1));
        let all = [('a', 1), ('b', 8), ('c', 0)];
        let mut seen = [0_u32; 3];
        for _ in 0..800 {
            let drawn = seldom.draw(&all, &mut rng).unwrap();
            seldom.happened(all[drawn].0);
            seen[drawn] += 1;
        }
        let [rare, common, never] = seen;
        assert_eq!(never, 0);
        assert!(common > rare && common < 5 * rare, "by weight, but not eight times as often: {seen:?}");
        assert_eq!(seldom.draw(&[], &mut rng), None);
    }
}
