//! A one-place slot in which only the newest value matters.

use std::sync::{Arc, Mutex, PoisonError, TryLockError};

/// A slot that overwrites: neither side waits for the other, the reader takes what is newest. Clones share it.
pub struct Latest<T> {
    slot: Arc<Mutex<Option<T>>>,
}

impl<T> Latest<T> {
    /// An empty slot.
    pub fn new() -> Self {
        Latest { slot: Arc::new(Mutex::new(None)) }
    }

    /// Replaces what is in the slot.
    pub fn publish(&self, value: T) {
        let old = self.slot.lock().unwrap_or_else(PoisonError::into_inner).replace(value);
        // What nobody took may be large: it goes while nobody is kept from the slot.
        drop(old);
    }

    /// Takes the newest value, if one came since the last take. While the writer is at the slot there is none
    /// yet: it may have lost the processor there, and the reader is a window.
    pub fn take(&self) -> Option<T> {
        match self.slot.try_lock() {
            Ok(mut slot) => slot.take(),
            Err(TryLockError::Poisoned(slot)) => slot.into_inner().take(),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

impl<T> Clone for Latest<T> {
    fn clone(&self) -> Self {
        Latest { slot: Arc::clone(&self.slot) }
    }
}

impl<T> Default for Latest<T> {
    fn default() -> Self {
        Latest::new()
    }
}
