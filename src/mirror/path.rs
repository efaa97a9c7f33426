//! The way from a fresh start to where the phone stands: events, what was seen after each, snapshots.

use std::sync::Arc;

use crate::device::SnapshotId;
use crate::model::{Event, Frame, Layout};

/// States that are kept beside the fresh start; beyond them the oldest goes, and events are done again.
const MAX_SNAPSHOTS: usize = 200;

/// Says which way: another one with every fresh phone and every opened trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathNo(pub u64);

/// A place on a way: after so many events since the fresh start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathPlace {
    /// Which way.
    pub path: PathNo,
    /// Events since its start.
    pub step: usize,
}

/// How the phone came to stand where it stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    /// By what was just done.
    #[default]
    Live,
    /// Its saved state was restored.
    Snapshot,
    /// The events were done again, from the fresh start or from a saved state.
    Reexecuted,
}

/// What was seen at a place, kept for as long as the window wants it.
#[derive(Debug)]
pub struct Seen {
    /// Layout and health.
    pub frame: Frame,
    /// The picture as a PNG file, where the device can make one.
    pub png: Option<Arc<Vec<u8>>>,
}

/// One event that was done, with what was seen before and after it.
#[derive(Clone, Debug)]
pub struct Performed {
    /// Where the phone stood before it.
    pub place: PathPlace,
    /// The input; its selector is empty where a person pointed at the screen.
    pub event: Event,
    /// Before it.
    pub before: Arc<Seen>,
    /// After it.
    pub after: Arc<Seen>,
    /// Whether it was done again because a later place was asked for; what lies behind it stays then.
    pub again: bool,
}

/// A trace done again did not come where it came before.
#[derive(Clone, Debug, PartialEq)]
pub struct Divergence {
    /// After so many events.
    pub step: usize,
    /// What was seen then.
    pub expected: Arc<Layout>,
    /// What is seen now; the same as expected where the event could not be done at all.
    pub seen: Arc<Layout>,
    /// What differs, in words.
    pub reason: String,
}

/// A place on the way.
pub(super) struct Node {
    /// What led here; nothing leads to the start.
    pub(super) event: Option<Event>,
    /// What must be seen here, where a trace says so.
    pub(super) expected: Option<Arc<Layout>>,
    /// What was seen here, once the phone was here.
    pub(super) seen: Option<Arc<Seen>>,
    /// Its saved state.
    pub(super) snapshot: Option<SnapshotId>,
}

/// The way.
#[derive(Default)]
pub(super) struct Path {
    pub(super) no: PathNo,
    pub(super) nodes: Vec<Node>,
    /// Where the phone stands.
    pub(super) at: usize,
}

impl Path {
    pub(super) fn place(&self) -> PathPlace {
        PathPlace { path: self.no, step: self.at }
    }

    /// Goes on from where the phone stands; what lay behind is another way now. Returns what to forget.
    pub(super) fn branch(&mut self, node: Node) -> Vec<SnapshotId> {
        let gone = self.nodes.drain((self.at + 1).min(self.nodes.len())..);
        let gone = gone.filter_map(|node| node.snapshot).collect();
        self.nodes.push(node);
        self.at = self.nodes.len() - 1;
        gone
    }

    /// Saved states beyond the limit, oldest first; the start's stays.
    pub(super) fn too_many(&mut self) -> Vec<SnapshotId> {
        let saved = self.nodes.iter().filter(|node| node.snapshot.is_some()).count();
        let more = saved.saturating_sub(MAX_SNAPSHOTS);
        self.nodes.iter_mut().skip(1).filter_map(|node| node.snapshot.take()).take(more).collect()
    }

    /// The last place up to `step` with a saved state.
    pub(super) fn saved_before(&self, step: usize) -> Option<(usize, SnapshotId)> {
        let nodes = self.nodes.iter().enumerate().take(step + 1).rev();
        nodes.into_iter().find_map(|(number, node)| Some((number, node.snapshot?)))
    }
}
