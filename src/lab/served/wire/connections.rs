//! The connections of a listener, and which of them gives way to a new one.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Limits;
use super::connection::Connection;

/// The connections of a listener; `None` once it has ended.
pub(super) struct Connections(Mutex<Option<Open>>);

impl Default for Connections {
    fn default() -> Self {
        Connections(Mutex::new(Some(Open::default())))
    }
}

#[derive(Default)]
struct Open {
    by_number: BTreeMap<u64, Arc<Connection>>,
    last: u64,
}

impl Connections {
    fn open(&self) -> MutexGuard<'_, Option<Open>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of connections.
    pub(super) fn count(&self) -> usize {
        self.open().as_ref().map_or(0, |open| open.by_number.len())
    }

    /// Prevents further connections and returns the existing ones.
    pub(super) fn end(&self) -> Vec<Arc<Connection>> {
        self.open().take().map_or_else(Vec::new, |open| open.by_number.into_values().collect())
    }

    /// Whether the listener has ended.
    pub(super) fn ended(&self) -> bool {
        self.open().is_none()
    }

    /// All connections, the newest first.
    pub(super) fn newest_first(&self) -> Vec<Arc<Connection>> {
        self.open().iter().flat_map(|open| open.by_number.values().rev().cloned()).collect()
    }

    /// Adds a connection and returns its number; `None` if there are too many or the listener has ended.
    pub(super) fn add(&self, connection: &Arc<Connection>, limits: &Limits) -> Option<u64> {
        let mut open = self.open();
        let open = open.as_mut()?;
        if open.by_number.len() >= limits.connections {
            return None;
        }
        open.last += 1;
        open.by_number.insert(open.last, Arc::clone(connection));
        Some(open.last)
    }

    /// Removes the connection with this number, if it is still there.
    pub(super) fn remove(&self, number: u64) {
        if let Some(open) = self.open().as_mut() {
            drop(open.by_number.remove(&number));
        }
    }
}
