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

/// Like `StableHasher`, with the same hashes, for many small things hashed one after the other: its memory is
/// used again, and a hasher's state need not be set up for each.
#[derive(Clone, Debug, Default)]
pub struct HashBuffer {
    bytes: Vec<u8>,
}

impl HashBuffer {
    /// Forgets everything added so far.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    /// Adds a number.
    pub fn u64(&mut self, value: u64) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// Adds a text with its length.
    pub fn text(&mut self, value: &str) {
        self.u64(value.len() as u64);
        self.bytes.extend_from_slice(value.as_bytes());
    }

    /// The hash of everything added so far.
    pub fn finish(&self) -> u64 {
        xxh3_64(&self.bytes)
    }
}

/// The hash of one text.
pub fn hash_text(value: &str) -> u64 {
    xxh3_64(value.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_hashes_as_a_hasher_does() {
        let (mut hasher, mut buffer) = (StableHasher::new(), HashBuffer::default());
        for round in 0..300u64 {
            hasher.u64(round);
            hasher.text("a widget's text");
            buffer.u64(round);
            buffer.text("a widget's text");
            assert_eq!(hasher.finish(), buffer.finish());
        }
    }
}
