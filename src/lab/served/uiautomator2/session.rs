//! The state of the uiautomator2 server between calls.

use std::collections::BTreeMap;

use super::error::RpcError;
use super::selector::Selector;
use crate::memory::{Held, Memory};
use taproof_core::determinism::DeviceInstant;
use taproof_core::model::{PxPoint, PxSize};

/// Limit on the number of stored objects; the oldest are removed first.
const MOST_OBJECTS: usize = 1000;
/// Limit on the memory for them in bytes: the heap of the server's process.
const HEAP_BYTES: u64 = 64 << 20;

/// The prefix of objects' names, which look like Android's random ids but contain numbers that are the same in every
/// run.
const OBJECT_NAME: &str = "00000000-0000-4000-8000-";

/// The state of the server between calls.
pub struct Session {
    /// The finger that `injectInputEvent` has put down, if any.
    pub(super) pointer: Option<Pointer>,
    /// The stored objects, by their number.
    objects: BTreeMap<u64, (Selector, Held)>,
    heap: Memory,
    next_object: u64,
    /// The last toast that a client showed. Devices report none.
    pub(super) last_toast: Option<String>,
    /// Whether the screen is on. This is only reported: a dark screen accepts input as well.
    pub(super) screen_on: bool,
}

impl Session {
    /// The state of a server that starts, with a heap of its own within this budget.
    pub(crate) fn new(memory: &Memory) -> Self {
        Session::with_heap(memory.part(HEAP_BYTES))
    }

    /// Resets the state when the server ends, except for whether the screen is on.
    pub(crate) fn end(&mut self) {
        let (screen_on, heap) = (self.screen_on, self.heap.clone());
        *self = Session { screen_on, ..Session::with_heap(heap) };
    }

    fn with_heap(heap: Memory) -> Self {
        Session {
            pointer: None,
            objects: BTreeMap::new(),
            heap,
            next_object: 1,
            last_toast: None,
            screen_on: true,
        }
    }
}

/// A finger on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pointer {
    /// The point where it was put down.
    pub from: PxPoint,
    /// The size of the screen at that time.
    pub screen: PxSize,
    /// When it was put down, by the device's clock.
    pub since: DeviceInstant,
    /// The number of moves since then.
    pub moves: u32,
    /// Whether it left its starting point.
    pub strayed: bool,
}

impl Session {
    /// Stores an object and returns the name for it.
    pub(super) fn keep(&mut self, selector: Selector) -> Result<String, RpcError> {
        let held = self.heap.take(selector.bytes()).map_err(|_| RpcError::OutOfMemory)?;
        let number = self.next_object;
        self.next_object += 1;
        self.objects.insert(number, (selector, held));
        while self.objects.len() > MOST_OBJECTS {
            self.objects.pop_first();
        }
        Ok(format!("{OBJECT_NAME}{number:012x}"))
    }

    /// The object with that name, if it is stored.
    pub(super) fn kept(&self, name: &str) -> Option<&Selector> {
        self.objects.get(&object_number(name)?).map(|(selector, _)| selector)
    }

    /// Removes the object with that name.
    pub(super) fn forget(&mut self, name: &str) {
        if let Some(number) = object_number(name) {
            self.objects.remove(&number);
        }
    }
}

fn object_number(name: &str) -> Option<u64> {
    u64::from_str_radix(name.strip_prefix(OBJECT_NAME)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_objects_are_bounded() {
        let memory = Memory::of_device();
        let mut session = Session::new(&memory);
        let first = session.keep(Selector::default()).unwrap();
        assert!(session.kept(&first).is_some());
        for _ in 0..MOST_OBJECTS {
            session.keep(Selector::default()).unwrap();
        }
        assert!(session.kept(&first).is_none());
        let long = Selector::saying(&"x".repeat(4 << 20), false);
        let kept: Vec<_> = (0..MOST_OBJECTS).map_while(|_| session.keep(long.clone()).ok()).collect();
        assert_eq!(kept.len(), 15, "as many as the heap has room for");
        assert!(memory.used() <= HEAP_BYTES);
        session.forget(&kept[0]);
        session.keep(long).unwrap();
        assert!(session.kept("").is_none() && session.kept("00000000-0000-4000-8000-zz").is_none());
    }
}
