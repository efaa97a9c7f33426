//! The way from a fresh start to where the phone stands: events, what was seen after each, snapshots.

use std::sync::Arc;

use taproof_core::device::SnapshotId;
use taproof_core::model::{Event, Frame, Layout, Likeness, ScreenPrint};

/// States that are kept beside the fresh start; beyond them some of the oldest go, and events are done again.
const MAX_SNAPSHOTS: usize = 200;
/// Places whose pictures are kept; older ones keep their layouts.
pub const MAX_PICTURES: usize = 300;

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

impl Seen {
    /// The same without its picture.
    pub fn without_picture(&self) -> Arc<Seen> {
        Arc::new(Seen { frame: self.frame.clone(), png: None })
    }
}

/// What must be seen at a place of a trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// By what the screen is known again.
    pub print: ScreenPrint,
    /// The whole of it, where it was kept.
    pub layout: Option<Arc<Layout>>,
    /// Its picture, where there is one: the same screen is not drawn again.
    pub png: Option<Arc<Vec<u8>>>,
}

impl Expected {
    /// What was seen once.
    pub fn of(layout: &Arc<Layout>, png: Option<Arc<Vec<u8>>>) -> Self {
        Expected { print: ScreenPrint::of(layout), layout: Some(Arc::clone(layout)), png }
    }
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
    /// What was seen then, where it was kept.
    pub expected: Option<Arc<Layout>>,
    /// What is seen now.
    pub seen: Arc<Layout>,
    /// How much the two are alike; never the same.
    pub likeness: Likeness,
    /// What differs, in words.
    pub reason: String,
}

/// A place on the way.
pub(super) struct Node {
    /// What led here; nothing leads to the start.
    pub(super) event: Option<Event>,
    /// What must be seen here, where a trace says so.
    pub(super) expected: Option<Expected>,
    /// What was seen here, once the phone was here.
    pub(super) seen: Option<Arc<Seen>>,
    /// Its saved state.
    pub(super) snapshot: Option<SnapshotId>,
}

impl Node {
    /// What must be seen here: what the trace says, or else what was seen the last time.
    pub(super) fn expectation(&self) -> Option<Expected> {
        let seen = || self.seen.as_ref().map(|seen| Expected::of(&seen.frame.layout, seen.png.clone()));
        self.expected.clone().or_else(seen)
    }
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

    /// Where there are too many saved states, every second of the older half is forgotten: wherever the
    /// phone is put back, few events are done again. The start's stays.
    pub(super) fn too_many(&mut self) -> Vec<SnapshotId> {
        let saved = |(place, node): (usize, &Node)| node.snapshot.map(|_| place);
        let places: Vec<usize> = self.nodes.iter().enumerate().skip(1).filter_map(saved).collect();
        if places.len() <= MAX_SNAPSHOTS {
            return Vec::new();
        }
        let gone = places.iter().take(places.len() / 2).step_by(2);
        gone.filter_map(|place| self.nodes.get_mut(*place)?.snapshot.take()).collect()
    }

    /// Forgets the picture of the place that has just become too old for one.
    pub(super) fn drop_old_picture(&mut self) {
        let old = self.at.checked_sub(MAX_PICTURES).and_then(|place| self.nodes.get_mut(place));
        if let Some(seen) = old.and_then(|node| node.seen.as_mut()) {
            *seen = seen.without_picture();
        }
    }

    /// The last place up to `step` with a saved state.
    pub(super) fn saved_before(&self, step: usize) -> Option<(usize, SnapshotId)> {
        let nodes = self.nodes.iter().enumerate().take(step + 1).rev();
        nodes.into_iter().find_map(|(number, node)| Some((number, node.snapshot?)))
    }
}
