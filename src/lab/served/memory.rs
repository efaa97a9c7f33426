//! Bounds the memory that peers can make a served device use, counted in bytes.
//!
//! There is one budget for the whole device and, inside it, one for each shell session. Code that stores bytes for a
//! peer first takes them from a budget, and fails with Android's message if there is no room. A session's bytes are
//! returned when it ends.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Budget for everything that peers make the device store, in bytes.
const DEVICE_BYTES: u64 = 1 << 30;
/// Budget for one shell session, in bytes.
const SESSION_BYTES: u64 = 64 << 20;
/// The size of a map's entry besides its key and value, in bytes; a generous estimate.
const ENTRY_BYTES: usize = 128;

/// A budget has no room for the requested bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("out of memory")]
pub struct OutOfMemory;

/// A budget of bytes. Clones share it.
#[derive(Clone, Debug)]
pub struct Memory(Arc<Budget>);

#[derive(Debug)]
struct Budget {
    limit: u64,
    used: AtomicU64,
    /// The larger budget that this one is a part of.
    whole: Option<Memory>,
}

impl Memory {
    /// Creates the budget of a device.
    pub fn of_device() -> Memory {
        Memory::with_limit(DEVICE_BYTES)
    }

    /// Creates a budget of this many bytes.
    pub(crate) fn with_limit(limit: u64) -> Memory {
        Memory(Arc::new(Budget { limit, used: AtomicU64::new(0), whole: None }))
    }

    /// Creates a budget of this many bytes inside this one: bytes taken from it count in both.
    pub fn part(&self, limit: u64) -> Memory {
        Memory(Arc::new(Budget { limit, used: AtomicU64::new(0), whole: Some(self.clone()) }))
    }

    /// Creates the budget of a new shell session on this device.
    pub fn session(&self) -> Memory {
        self.part(SESSION_BYTES)
    }

    /// The bytes that are currently taken.
    pub fn used(&self) -> u64 {
        self.0.used.load(Ordering::SeqCst)
    }

    /// Takes bytes from the budget; they are returned when the [`Held`] is dropped.
    pub fn take(&self, bytes: usize) -> Result<Held, OutOfMemory> {
        let mut held = self.hold();
        held.grow(bytes)?;
        Ok(held)
    }

    /// Returns a [`Held`] without any bytes, to be grown.
    pub fn hold(&self) -> Held {
        Held { memory: self.clone(), bytes: 0 }
    }

    fn add(&self, bytes: u64) -> Result<(), OutOfMemory> {
        let limit = self.0.limit;
        let add = |used: u64| used.checked_add(bytes).filter(|used| *used <= limit);
        self.0.used.fetch_update(Ordering::SeqCst, Ordering::SeqCst, add).map_err(|_| OutOfMemory)?;
        let added = self.0.whole.as_ref().map_or(Ok(()), |whole| whole.add(bytes));
        if added.is_err() {
            self.0.used.fetch_sub(bytes, Ordering::SeqCst);
        }
        added
    }

    fn give(&self, bytes: u64) {
        self.0.used.fetch_sub(bytes, Ordering::SeqCst);
        if let Some(whole) = &self.0.whole {
            whole.give(bytes);
        }
    }

    /// Counts bytes that are in use already, even beyond the limit.
    fn count(&self, bytes: u64) {
        self.0.used.fetch_add(bytes, Ordering::SeqCst);
        if let Some(whole) = &self.0.whole {
            whole.count(bytes);
        }
    }
}

/// Bytes taken from a budget. A clone counts as well, even if there is no room for it.
#[derive(Debug)]
pub struct Held {
    memory: Memory,
    bytes: u64,
}

impl Held {
    /// The number of bytes that are taken.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Takes this many more bytes.
    pub fn grow(&mut self, bytes: usize) -> Result<(), OutOfMemory> {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        self.memory.add(bytes)?;
        self.bytes += bytes;
        Ok(())
    }

    /// Returns this many bytes to the budget, at most all.
    pub fn shrink(&mut self, bytes: usize) {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX).min(self.bytes);
        self.bytes -= bytes;
        self.memory.give(bytes);
    }
}

impl Clone for Held {
    fn clone(&self) -> Self {
        self.memory.count(self.bytes);
        Held { memory: self.memory.clone(), bytes: self.bytes }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.memory.give(self.bytes);
    }
}

/// A key of a [`CountedMap`].
pub trait CountedKey: Ord {
    /// The length of the key in bytes.
    fn length(&self) -> usize;
}

impl CountedKey for String {
    fn length(&self) -> usize {
        self.len()
    }
}

impl CountedKey for (String, String) {
    fn length(&self) -> usize {
        self.0.len() + self.1.len()
    }
}

/// A map from keys to texts whose size counts in a budget.
#[derive(Clone, Debug)]
pub struct CountedMap<K> {
    entries: BTreeMap<K, String>,
    held: Held,
}

impl<K: CountedKey> CountedMap<K> {
    /// Creates an empty map that takes from this budget.
    pub fn new(memory: &Memory) -> CountedMap<K> {
        CountedMap { entries: BTreeMap::new(), held: memory.hold() }
    }

    /// Sets a value. Without room for it nothing changes.
    pub fn insert(&mut self, key: K, value: String) -> Result<(), OutOfMemory> {
        let old = self.entries.get(&key).map_or(0, |old| entry_bytes(&key, old));
        self.held.grow(entry_bytes(&key, &value))?;
        self.held.shrink(old);
        self.entries.insert(key, value);
        Ok(())
    }

    /// Removes the value of a key, if there is one.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q)
    where
        K: Borrow<Q>,
    {
        if let Some((key, old)) = self.entries.remove_entry(key) {
            self.held.shrink(entry_bytes(&key, &old));
        }
    }

    /// The entries of the map.
    pub fn entries(&self) -> &BTreeMap<K, String> {
        &self.entries
    }

    /// The size of a copy of the map in bytes.
    pub fn bytes(&self) -> u64 {
        self.held.bytes()
    }
}

fn entry_bytes<K: CountedKey>(key: &K, value: &str) -> usize {
    key.length() + value.len() + ENTRY_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_bounded_by_itself_and_by_the_whole() {
        let device = Memory::with_limit(100);
        let (one, other) = (device.part(60), device.part(60));
        let first = one.take(60).unwrap();
        assert_eq!(one.take(1).err(), Some(OutOfMemory), "the part is full");
        assert_eq!(other.take(41).err(), Some(OutOfMemory), "the whole is full");
        assert_eq!((other.used(), device.used()), (0, 60), "what was refused is not counted");
        let mut second = other.take(40).unwrap();
        drop(first);
        assert_eq!((one.used(), device.used()), (0, 40));
        second.grow(20).unwrap();
        assert_eq!(second.grow(usize::MAX).err(), Some(OutOfMemory));
        second.shrink(1000);
        assert_eq!((second.bytes(), device.used()), (0, 0));
    }

    #[test]
    fn a_copy_counts_as_well() {
        let memory = Memory::with_limit(100);
        let held = memory.take(70).unwrap();
        let copy = held.clone();
        assert_eq!(memory.used(), 140);
        assert_eq!(memory.take(1).err(), Some(OutOfMemory));
        drop((held, copy));
        assert_eq!(memory.used(), 0);
    }

    #[test]
    fn a_map_counts_what_is_in_it() {
        let memory = Memory::with_limit(1000);
        let mut map: CountedMap<String> = CountedMap::new(&memory);
        map.insert("a".to_owned(), "x".repeat(500)).unwrap();
        assert_eq!(map.insert("b".to_owned(), "y".repeat(500)), Err(OutOfMemory));
        assert_eq!(map.insert("a".to_owned(), "z".repeat(900)), Err(OutOfMemory));
        assert_eq!(map.entries().get("a").map(String::len), Some(500), "the old value stays");
        map.insert("a".to_owned(), "z".to_owned()).unwrap();
        map.insert("b".to_owned(), "y".repeat(500)).unwrap();
        map.remove("b");
        map.remove("c");
        assert_eq!(memory.used(), (2 + ENTRY_BYTES) as u64);
        drop(map);
        assert_eq!(memory.used(), 0);
    }
}
