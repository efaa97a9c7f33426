//! A one-place slot in which only the newest value matters.

use std::sync::{Arc, Mutex, PoisonError, TryLockError};

/// A slot that overwrites: neither side waits for the other, the reader takes what is newest. Clones share it.
pub struct Latest<T> {
    slot: Arc<Mutex<Slot<T>>>,
}

struct Slot<T> {
    value: Option<T>,
    /// Nobody has looked at it.
    new: bool,
}

impl<T> Latest<T> {
    /// An empty slot.
    pub fn new() -> Self {
        Latest { slot: Arc::new(Mutex::new(Slot { value: None, new: false })) }
    }

    /// Replaces what is in the slot.
    pub fn publish(&self, value: T) {
        let slot = Slot { value: Some(value), new: true };
        let old = std::mem::replace(&mut *self.slot.lock().unwrap_or_else(PoisonError::into_inner), slot);
        // It may be large: it goes while nobody is kept from the slot.
        drop(old);
    }

    /// Whether a value is there that nobody has looked at.
    pub fn waits(&self) -> bool {
        self.at_slot(|slot| slot.new).unwrap_or(false)
    }

    /// Takes the newest value, if one came since the last take. While the writer is at the slot there is none
    /// yet: it may have lost the processor there, and the reader is a window.
    pub fn take(&self) -> Option<T> {
        self.at_slot(|slot| slot.value.take())?
    }

    /// Looks at the newest value, if one came since the last look. The writer frees it: what one thread
    /// allocated, another must wait for to free.
    pub fn look<R>(&self, look: impl FnOnce(&T) -> R) -> Option<R> {
        self.at_slot(|slot| std::mem::take(&mut slot.new).then(|| slot.value.as_ref().map(look)).flatten())?
    }

    fn at_slot<R>(&self, act: impl FnOnce(&mut Slot<T>) -> R) -> Option<R> {
        match self.slot.try_lock() {
            Ok(mut slot) => Some(act(&mut slot)),
            Err(TryLockError::Poisoned(slot)) => Some(act(&mut slot.into_inner())),
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
