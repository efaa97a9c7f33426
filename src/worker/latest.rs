//! A one-place slot in which only the newest value matters.

use std::sync::{Arc, Mutex, PoisonError};

/// A slot that overwrites: the writer never waits, the reader takes what is newest. Clones share it.
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
        *self.slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
    }

    /// Takes the newest value, if one came since the last take.
    pub fn take(&self) -> Option<T> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner).take()
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
