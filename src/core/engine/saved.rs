//! A state of the app under test to go back to.

use serde::{Deserialize, Serialize};

use super::{Recogniser, ScreenKeys};
use crate::determinism::DeviceInstant;
use crate::device::SnapshotId;
use crate::model::{Frame, Trace};
use crate::spec::DataModel;

/// A state of the app under test to go back to, with the way that led to it from a launch: whatever is found from
/// here on can be re-executed without the snapshot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Saved {
    /// The device's own copy of the state; it dies with the program.
    #[serde(skip)]
    pub(super) snapshot: Option<SnapshotId>,
    /// When the launch began.
    pub(super) launched: DeviceInstant,
    pub(super) trace: Trace,
    pub(super) keys: ScreenKeys,
    pub(super) data: DataModel,
    pub(super) drifted: bool,
    pub(super) recogniser: Option<Recogniser>,
}

impl Saved {
    /// The way from the launch to the state.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// When the launch began.
    pub fn launched(&self) -> DeviceInstant {
        self.launched
    }

    /// The device was brought to the state again, and holds it under this number.
    pub fn attach(&mut self, snapshot: SnapshotId) {
        self.snapshot = Some(snapshot);
    }

    /// What the state looks like.
    pub fn frame(&self) -> &Frame {
        self.trace.last()
    }
}
