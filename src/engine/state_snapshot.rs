//! A saved state of the app under test.

use serde::{Deserialize, Serialize};

use super::{Recogniser, ScreenKeys};
use crate::device::SnapshotId;
use taproof_screen::determinism::DeviceInstant;
use taproof_screen::{Frame, Trace};
use taproof_spec::DataModel;

/// A saved state of the app under test, with the trace that led to it from a launch, so that findings after it can be
/// re-executed without the snapshot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StateSnapshot {
    /// The device's snapshot of the state; it does not outlive the program.
    #[serde(skip)]
    pub(super) snapshot: Option<SnapshotId>,
    /// When the launch was started.
    pub(super) launched: DeviceInstant,
    pub(super) trace: Trace,
    pub(super) keys: ScreenKeys,
    pub(super) data: DataModel,
    pub(super) drifted: bool,
    pub(super) recogniser: Option<Recogniser>,
}

impl StateSnapshot {
    /// The trace from the launch to the state.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// When the launch was started.
    pub fn launched(&self) -> DeviceInstant {
        self.launched
    }

    /// Sets the snapshot, after the device was brought to the state again and saved it under this id.
    pub fn attach(&mut self, snapshot: SnapshotId) {
        self.snapshot = Some(snapshot);
    }

    /// The screen of the state: the last frame of its trace.
    pub fn frame(&self) -> &Frame {
        self.trace.last()
    }
}
