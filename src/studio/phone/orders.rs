//! What the mirror is asked for, and what it reports.

use super::{LiveTrace, TraceSource, WayOrigin};
use crate::mirror::{MirrorFact, MirrorNews};
use std::path::PathBuf;
use std::sync::Arc;
use taproof_campaign::Target;
use taproof_phone::BugSet;

/// A phone for the mirror to show.
pub(crate) enum PhoneToShow {
    /// An app that is launched: on a device, or on a bundled phone with these bugs.
    App(Target, BugSet),
    /// A device that was away, with the app in front in its current state.
    Again(Target),
    /// The recorded walk in this folder.
    Walk(PathBuf),
}

/// What an order to the mirror opens.
pub(crate) enum Opened {
    /// A path on a phone.
    Phone(WayOrigin),
    /// A recorded walk.
    Walk,
    /// A path along a trace.
    Trace(Box<Lead>),
}

/// What the mirror has reported since the last frame.
pub(crate) struct PhoneReport {
    /// Its newest state, if that has changed.
    pub news: Option<MirrorNews>,
    /// What happened, in order.
    pub facts: Vec<MirrorFact>,
    /// Whether further facts are waiting.
    pub more: bool,
}

/// A trace along which a fresh phone is led.
pub(crate) struct Lead {
    /// The trace: its app and phone, and its events.
    pub trace: Arc<LiveTrace>,
    /// Number of events to perform at once.
    pub step: usize,
    /// The catalogued bugs of a bundled phone.
    pub bugs: BugSet,
    /// The command of the host before the test.
    pub command: Option<String>,
    /// What is taken over with it, if anything.
    pub source: Option<TraceSource>,
    /// The milliseconds between two steps, if the trace is re-executed step by step from there.
    pub pace_millis: Option<u64>,
}
