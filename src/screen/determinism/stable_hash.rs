//! Hashes that are the same in all releases and on all platforms (xxh3); the standard library guarantees this for none
//! of its own.

use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

/// Hashes a sequence of values to 64 bits. Texts and bytes are preceded by their lengths, so `("ab", "c")` and `("a",
/// "bc")` differ.
#[derive(Clone)]
pub struct StableHasher {
    state: Xxh3Default,
}

impl StableHasher {
    /// Creates a hasher without any value.
    pub fn new() -> Self {
        StableHasher { state: Xxh3Default::new() }
    }

    /// Adds a number, in little-endian order.
    pub fn u64(&mut self, value: u64) {
        self.state.update(&value.to_le_bytes());
    }

    /// Adds the length of a text in bytes, and the text.
    pub fn text(&mut self, value: &str) {
        self.u64(value.len() as u64);
        self.state.update(value.as_bytes());
    }

    /// Adds the number of bytes, and the bytes.
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

/// Returns the hash of some bytes, without their length.
pub fn hash_bytes(value: &[u8]) -> u64 {
    xxh3_64(value)
}

/// Computes the same hashes as [`StableHasher`], for many small inputs one after the other: it reuses its memory, and
/// does not set up a hasher's state for each input.
#[derive(Clone, Debug, Default)]
pub struct HashBuffer {
    bytes: Vec<u8>,
}

impl HashBuffer {
    /// Removes everything added so far.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    /// Adds a number, in little-endian order.
    pub fn u64(&mut self, value: u64) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// Adds the length of a text in bytes, and the text.
    pub fn text(&mut self, value: &str) {
        self.u64(value.len() as u64);
        self.bytes.extend_from_slice(value.as_bytes());
    }

    /// The hash of everything added so far.
    pub fn finish(&self) -> u64 {
        xxh3_64(&self.bytes)
    }
}

/// Returns the hash of a text, without its length.
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
