//! Hashes that stay the same across releases and platforms (xxh3), as std promises none.

use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

/// Collects values and ends in one 64-bit hash. Every value is delimited, so `("ab", "c")` and
/// `("a", "bc")` differ.
#[derive(Clone)]
pub struct StableHasher {
    state: Xxh3Default,
}

impl StableHasher {
    /// An empty hasher.
    pub fn new() -> Self {
        StableHasher { state: Xxh3Default::new() }
    }

    /// Adds a number.
    pub fn u64(&mut self, value: u64) {
        self.state.update(&value.to_le_bytes());
    }

    /// Adds a text with its length.
    pub fn text(&mut self, value: &str) {
        self.u64(value.len() as u64);
        self.state.update(value.as_bytes());
    }

    /// Adds bytes with their length.
    pub fn bytes(&mut self, value: &[u8]) {
        self.u64(value.len() as u64);
        self.state.update(value);
    }

    /// The hash of everything added so far.
    pub fn finish(&self) -> u64 {
        self.state.digest()
    }
}

impl Default for StableHasher {
    fn default() -> Self {
        StableHasher::new()
    }
}

/// The hash of some bytes.
pub fn hash_bytes(value: &[u8]) -> u64 {
    xxh3_64(value)
}

/// The hash of one text.
pub fn hash_text(value: &str) -> u64 {
    xxh3_64(value.as_bytes())
}
