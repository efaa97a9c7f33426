//! The executed code points of an app.

use std::cell::Cell;

use taproof_core::model::CodePoint;

/// Number of 64-bit words, an upper limit for the number of an app's points.
const WORDS: usize = 4;

/// A set of an app's code points. It can be filled through a shared reference, since views are created from shared
/// data.
#[derive(Clone, Debug, Default)]
pub(super) struct ExecutedPoints {
    words: [Cell<u64>; WORDS],
}

impl ExecutedPoints {
    /// Adds a point, unless the app has not declared it.
    pub fn insert(&self, declared: &[&str], point: &str) {
        if let Ok(place) = declared.binary_search(&point)
            && let Some(word) = self.words.get(place / 64)
        {
            word.set(word.get() | 1 << (place % 64));
        }
    }

    /// Returns all points and clears the set.
    pub fn take(&self) -> impl Iterator<Item = CodePoint> + use<> {
        let taken = std::array::from_fn::<u64, WORDS, _>(|place| self.words[place].take());
        taken.into_iter().zip(0u32..).filter(|(word, _)| *word != 0).flat_map(|(word, place)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| CodePoint(place * 64 + bit))
        })
    }
}
