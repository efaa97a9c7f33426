//! A slot for one value, in which only the newest one matters.

use std::sync::{Arc, Mutex, PoisonError, TryLockError};

/// A slot whose value is overwritten: neither side waits for the other, and the reader gets the newest value. Clones
/// share the slot.
pub struct Latest<T> {
    slot: Arc<Mutex<Slot<T>>>,
}

struct Slot<T> {
    value: Option<T>,
    /// Whether the value was not looked at yet.
    new: bool,
}

impl<T> Latest<T> {
    /// Creates a slot without a value.
    pub fn new() -> Self {
        Latest { slot: Arc::new(Mutex::new(Slot { value: None, new: false })) }
    }

    /// Replaces the value in the slot.
    pub fn publish(&self, value: T) {
        let slot = Slot { value: Some(value), new: true };
        let old = std::mem::replace(&mut *self.slot.lock().unwrap_or_else(PoisonError::into_inner), slot);
        // The old value may be large, so it is dropped after the lock is released.
        drop(old);
    }

    /// Whether there is a value that nobody has looked at. False while another thread uses the slot.
    pub fn waits(&self) -> bool {
        self.at_slot(|slot| slot.new).unwrap_or(false)
    }

    /// Takes the newest value. `None` if none was published since the previous take, or while another thread uses the
    /// slot: that thread may not be running, and the reader is a window that must not wait.
    pub fn take(&self) -> Option<T> {
        self.at_slot(|slot| {
            slot.new = false;
            slot.value.take()
        })?
    }

    /// Calls `look` with the newest value. `None` if none was published since the previous look, or while another
    /// thread uses the slot. The value stays in the slot, so that the writer drops it: freeing memory that another
    /// thread allocated may have to wait for that thread.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_waits_once_the_value_was_looked_at_or_taken() {
        let latest = Latest::new();
        assert!(!latest.waits());
        latest.publish(1);
        assert!(latest.waits());
        assert_eq!((latest.look(|value| *value), latest.waits()), (Some(1), false));
        assert_eq!(latest.look(|value| *value), None);
        latest.publish(2);
        assert_eq!((latest.take(), latest.waits(), latest.take()), (Some(2), false, None));
    }
}
