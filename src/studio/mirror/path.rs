//! The path from a fresh start to the phone's position: events, the screen after each, snapshots.

use std::sync::Arc;

use taproof_engine::device::SnapshotId;
use taproof_screen::{Event, Frame, Layout, Likeness, ScreenPrint};

/// Maximum number of snapshots besides that of the start. Beyond it some of the oldest are dropped, and events are
/// re-executed instead.
const MAX_SNAPSHOTS: usize = 200;
/// Number of latest positions whose pictures are stored; older ones keep their layouts.
pub const MAX_PICTURES: usize = 300;

/// The number of a path. A new path begins with every fresh phone and every opened trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathNo(pub u64);

/// A position on a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathPosition {
    /// The number of the path.
    pub path: PathNo,
    /// Number of events since its start.
    pub step: usize,
}

/// How the phone reached its position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReachedBy {
    /// By a live event or a fresh start.
    #[default]
    Live,
    /// By restoring a snapshot.
    Snapshot,
    /// By re-executing events from the start or from a snapshot.
    Reexecuted,
}

/// A screen that was seen at a position. The window may hold it for longer than the path does.
#[derive(Debug)]
pub struct Seen {
    /// The layout and the app's health.
    pub frame: Frame,
    /// The picture as a PNG file. `None` if the device cannot take pictures or the picture was dropped.
    pub png: Option<Arc<Vec<u8>>>,
}

impl Seen {
    /// Returns the same screen without its picture.
    pub fn without_picture(&self) -> Arc<Seen> {
        Arc::new(Seen { frame: self.frame.clone(), png: None })
    }
}

/// The screen expected at a position of a trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// The fingerprint by which the screen is recognised.
    pub print: ScreenPrint,
    /// The complete layout, if it was stored.
    pub layout: Option<Arc<Layout>>,
    /// The picture, if it was stored. It is reused if the same screen is seen.
    pub png: Option<Arc<Vec<u8>>>,
}

impl Expected {
    /// Expects the screen with this layout and picture.
    pub fn of(layout: &Arc<Layout>, png: Option<Arc<Vec<u8>>>) -> Self {
        Expected { print: ScreenPrint::of(layout), layout: Some(Arc::clone(layout)), png }
    }
}

/// An event that was performed, with the screens before and after it.
#[derive(Clone, Debug)]
pub struct Performed {
    /// The phone's position before the event.
    pub place: PathPosition,
    /// The event. Its selector is empty if a person pointed at the screen.
    pub event: Event,
    /// The screen before the event.
    pub before: Arc<Seen>,
    /// The screen after the event.
    pub after: Arc<Seen>,
    /// Whether the event was re-executed to reach a later position; the positions after it then stay valid.
    pub again: bool,
}

/// A re-executed trace led to another screen than before.
#[derive(Clone, Debug, PartialEq)]
pub struct Divergence {
    /// Number of events after which the screens differ.
    pub step: usize,
    /// The layout seen before, if it was stored.
    pub expected: Option<Arc<Layout>>,
    /// The layout seen now.
    pub seen: Arc<Layout>,
    /// How similar the two screens are; never [`Likeness::Same`].
    pub likeness: Likeness,
    /// What differs, as a sentence for people.
    pub reason: String,
}

/// A position on the path.
pub(super) struct Node {
    /// The event that led here. `None` at the start.
    pub(super) event: Option<Event>,
    /// The screen that an opened trace had here. `None` if no trace covers this position.
    pub(super) expected: Option<Expected>,
    /// The screen seen here last. `None` until the phone reaches this position.
    pub(super) seen: Option<Arc<Seen>>,
    /// The snapshot taken here, if it exists.
    pub(super) snapshot: Option<SnapshotId>,
}

impl Node {
    /// The screen expected here: that of the trace or else the one seen last.
    pub(super) fn expectation(&self) -> Option<Expected> {
        let seen = || self.seen.as_ref().map(|seen| Expected::of(&seen.frame.layout, seen.png.clone()));
        self.expected.clone().or_else(seen)
    }
}

/// The path from a fresh start, with a node for each position. The first node is the start.
#[derive(Default)]
pub(super) struct Path {
    pub(super) no: PathNo,
    pub(super) nodes: Vec<Node>,
    /// Index of the phone's position.
    pub(super) at: usize,
}

impl Path {
    pub(super) fn place(&self) -> PathPosition {
        PathPosition { path: self.no, step: self.at }
    }

    /// Appends an event at the phone's position. Later positions are dropped; returns their snapshots, to be deleted.
    pub(super) fn branch(&mut self, node: Node) -> Vec<SnapshotId> {
        let gone = self.nodes.drain((self.at + 1).min(self.nodes.len())..);
        let gone = gone.filter_map(|node| node.snapshot).collect();
        self.nodes.push(node);
        self.at = self.nodes.len() - 1;
        gone
    }

    /// If there are more than [`MAX_SNAPSHOTS`], drops every second one of the older half, so that only a few events
    /// need to be re-executed from any position. Returns the snapshots to be deleted; that of the start stays.
    pub(super) fn too_many(&mut self) -> Vec<SnapshotId> {
        let saved = |(place, node): (usize, &Node)| node.snapshot.map(|_| place);
        let places: Vec<usize> = self.nodes.iter().enumerate().skip(1).filter_map(saved).collect();
        if places.len() <= MAX_SNAPSHOTS {
            return Vec::new();
        }
        let gone = places.iter().take(places.len() / 2).step_by(2);
        gone.filter_map(|place| self.nodes.get_mut(*place)?.snapshot.take()).collect()
    }

    /// Drops the picture of the position that is now [`MAX_PICTURES`] events back.
    pub(super) fn drop_old_picture(&mut self) {
        let old = self.at.checked_sub(MAX_PICTURES).and_then(|place| self.nodes.get_mut(place));
        if let Some(seen) = old.and_then(|node| node.seen.as_mut()) {
            *seen = seen.without_picture();
        }
    }

    /// Returns the last position up to `step` that has a snapshot.
    pub(super) fn saved_before(&self, step: usize) -> Option<(usize, SnapshotId)> {
        let nodes = self.nodes.iter().enumerate().take(step + 1).rev();
        nodes.into_iter().find_map(|(number, node)| Some((number, node.snapshot?)))
    }
}
