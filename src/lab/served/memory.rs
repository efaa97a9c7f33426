//! Bounds the memory that a peer can make a served device use, counted in bytes: each shell session has a budget, and
//! the uploads in progress of a listener share one. What lasts longer than both (files, settings) limits
//! itself.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The budget of a shell session in bytes.
const SESSION_BYTES: u64 = 64 << 20;

/// The memory for an entry of a map besides its key and value, in bytes.
const ENTRY_BYTES: usize = 128;

/// There is no room for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("out of memory")]
pub struct OutOfMemory;

/// A budget, shared by all that draw on it.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    limit: u64,
    used: Arc<AtomicU64>,
}

impl Memory {
    /// The budget of a new shell session.
    pub fn session() -> Memory {
        Memory::with_limit(SESSION_BYTES)
    }

    /// A budget of so many bytes.
    pub fn with_limit(limit: u64) -> Memory {
        Memory { limit, used: Arc::default() }
    }

    /// Takes so many bytes until what is returned is dropped.
    pub fn take(&self, bytes: usize) -> Result<Held, OutOfMemory> {
        let mut held = Held { memory: self.clone(), bytes: 0 };
        held.grow(bytes)?;
        Ok(held)
    }
}

/// Bytes of a budget that are in use.
#[derive(Debug)]
pub(crate) struct Held {
    memory: Memory,
    bytes: u64,
}

impl Held {
    /// Takes more bytes of the same budget.
    pub fn grow(&mut self, bytes: usize) -> Result<(), OutOfMemory> {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let add = |used: u64| used.checked_add(bytes).filter(|used| *used <= self.memory.limit);
        let added = self.memory.used.fetch_update(Ordering::SeqCst, Ordering::SeqCst, add);
        added.map_err(|_| OutOfMemory)?;
        self.bytes += bytes;
        Ok(())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.memory.used.fetch_sub(self.bytes, Ordering::SeqCst);
    }
}

/// Texts by key, of a limited total size.
#[derive(Clone, Debug)]
pub(crate) struct LimitedMap {
    entries: BTreeMap<String, String>,
    limit: usize,
}

impl LimitedMap {
    /// An empty map for so many bytes.
    pub fn new(limit: usize) -> LimitedMap {
        LimitedMap { entries: BTreeMap::new(), limit }
    }

    /// Inserts or replaces a value.
    pub fn insert(&mut self, key: &str, value: &str) -> Result<(), OutOfMemory> {
        let others = self.entries.iter().filter(|(known, _)| *known != key);
        let used: usize = others.map(|(key, value)| key.len() + value.len() + ENTRY_BYTES).sum();
        if used + key.len() + value.len() + ENTRY_BYTES > self.limit {
            return Err(OutOfMemory);
        }
        self.entries.insert(key.to_owned(), value.to_owned());
        Ok(())
    }

    /// Removes a value, if there is one.
    pub fn remove(&mut self, key: &str) {
        self.entries.remove(key);
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.entries.get(key).map(String::as_str)
    }

    /// All entries, by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_shared_and_given_back() {
        let memory = Memory::with_limit(100);
        let mut one = memory.take(40).unwrap();
        let other = memory.clone().take(50).unwrap();
        assert!(memory.take(11).is_err() && one.grow(usize::MAX).is_err());
        one.grow(10).unwrap();
        drop(other);
        assert!(memory.take(50).is_ok() && memory.take(51).is_err());
        drop(one);
        assert!(memory.take(100).is_ok());
    }

    #[test]
    fn a_map_has_room_for_so_much() {
        let mut map = LimitedMap::new(2 * ENTRY_BYTES + 10);
        map.insert("a", "1234").unwrap();
        map.insert("b", "1234").unwrap();
        assert!(map.insert("a", "12345").is_err() && map.insert("c", "").is_err());
        assert_eq!(map.get("a"), Some("1234"));
        map.remove("b");
        map.insert("c", "").unwrap();
        assert_eq!(map.iter().collect::<Vec<_>>(), [("a", "1234"), ("c", "")]);
    }
}
