//! A wrapper around ChaCha8, seeded by the plan and forked for each purpose.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng};

use super::StableHasher;

/// A seeded stream of random numbers. The program guarantees this stream: the mapping from ChaCha's words to numbers is
/// written out here, so that no release of a package can change it.
#[derive(Clone, Debug)]
pub struct Rng {
    key: u64,
    stream: ChaCha8Rng,
}

impl Rng {
    /// The root stream of a plan, from the plan's seed.
    pub fn from_seed(seed: u64) -> Self {
        Rng { key: seed, stream: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// Returns an independent stream for one purpose. It depends only on the seed and the purpose, not on how much was
    /// drawn before, so a new draw in one place does not shift the others.
    pub fn fork(&self, purpose: &str) -> Rng {
        let mut hasher = StableHasher::new();
        hasher.u64(self.key);
        hasher.text(purpose);
        Rng::from_seed(hasher.finish())
    }

    /// Returns an independent stream for the `index`-th use of a purpose, such as one test of a campaign.
    pub fn fork_indexed(&self, purpose: &str, index: u64) -> Rng {
        let mut hasher = StableHasher::new();
        hasher.u64(self.key);
        hasher.text(purpose);
        hasher.u64(index);
        Rng::from_seed(hasher.finish())
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.stream.next_u64()
    }

    /// Returns a number in `0..bound`; 0 if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        // Multiply and shift: the bias of at most bound / 2^64 is far below anything measurable.
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    /// Returns a number in `low..=high`; `low` if the range is empty.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// Returns true with a probability of `part / whole`.
    pub fn chance(&mut self, part: usize, whole: usize) -> bool {
        self.below(whole) < part
    }

    /// Returns one of the items, chosen uniformly; `None` if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// Shuffles the items uniformly.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// Returns an index with a probability proportional to its weight; `None` if all weights are 0.
    pub fn weighted(&mut self, weights: &[u32]) -> Option<usize> {
        let total: u64 = weights.iter().map(|weight| u64::from(*weight)).sum();
        if total == 0 {
            return None;
        }
        let mut left = self.below(total as usize) as u64;
        for (index, weight) in weights.iter().enumerate() {
            if left < u64::from(*weight) {
                return Some(index);
            }
            left -= u64::from(*weight);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_part_of_the_promise() {
        let mut rng = Rng::from_seed(1);
        let first: Vec<usize> = (0..5).map(|_| rng.below(1000)).collect();
        let mut again = Rng::from_seed(1);
        assert_eq!(first, (0..5).map(|_| again.below(1000)).collect::<Vec<_>>());
        let mut other = Rng::from_seed(2);
        assert_ne!(first, (0..5).map(|_| other.below(1000)).collect::<Vec<_>>());
    }

    #[test]
    fn a_fork_does_not_depend_on_what_was_drawn() {
        let mut rng = Rng::from_seed(7);
        let mut before = rng.fork("texts");
        rng.next_u64();
        let mut after = rng.fork("texts");
        assert_eq!(before.next_u64(), after.next_u64());
        assert_ne!(rng.fork("texts").next_u64(), rng.fork("events").next_u64());
    }

    #[test]
    fn weights_of_zero_are_never_drawn() {
        let mut rng = Rng::from_seed(3);
        for _ in 0..200 {
            assert_ne!(rng.weighted(&[10, 0, 5]), Some(1));
        }
        assert_eq!(rng.weighted(&[0, 0]), None);
    }
}
