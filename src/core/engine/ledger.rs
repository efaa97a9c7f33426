//! What a campaign has counted so far. Bounded: it does not grow with the number of events.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Setting, StateGraph};
use crate::determinism::{DeviceDuration, DeviceInstant, StableHasher};
use crate::model::{
    Abstraction, AppHealth, CodePoint, Event, FindingOrigin, Frame, Gesture, Layout, LayoutKey, Text,
};
use crate::spec::CompiledDmf;

/// How much a campaign may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Events.
    pub events: u64,
    /// Time on the device's clock.
    pub device_time: DeviceDuration,
}

/// What a campaign has counted so far. A checkpoint keeps it between two rounds.
#[derive(Clone, Serialize, Deserialize)]
pub struct Ledger {
    /// Events performed.
    pub events: u64,
    /// Tests started.
    pub tests: u64,
    /// Time that passed on the device.
    pub device_time: DeviceDuration,
    /// Answers of the device that came garbled, also while findings were confirmed.
    pub garbled: u64,
    /// Activities of the app seen in front.
    pub activities: BTreeSet<Text>,
    /// When the last of them was seen first.
    pub newest_activity: Option<Moment>,
    /// Code points of the app that were executed.
    pub code: BTreeSet<CodePoint>,
    /// How many it has; 0 without instrumentation.
    pub code_points: u32,
    /// What was counted of each DMF, in file order.
    pub properties: Vec<PropertyCounts>,
    /// The screens seen with the app in front, and how events led from one to another.
    pub graph: StateGraph,
    limits: Limits,
    /// When the clock's current stretch began, and the time of the stretches before it: going back to a saved
    /// state turns the device's clock back, too.
    started: Option<DeviceInstant>,
    before: DeviceDuration,
    /// Everything before this round, and this round.
    past: u64,
    #[serde(skip)]
    fingerprint: StableHasher,
    #[serde(skip)]
    last: Option<(Arc<Layout>, ScreenKeys)>,
}

/// A layout's keys under both abstractions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScreenKeys {
    /// Everything counts.
    pub exact: LayoutKey,
    /// Texts and repeated rows do not.
    pub structure: LayoutKey,
}

/// What was counted of one DMF.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyCounts {
    /// The DMF's name.
    pub name: String,
    /// Screens on which its precondition held.
    pub precondition_held: u64,
    /// Runs that came to their end.
    pub executed: u64,
    /// Of these: the postcondition held.
    pub held: u64,
    /// Of these: it did not.
    pub violated: u64,
    /// Of these: it cannot be said.
    pub inconclusive: u64,
    /// Runs that did not come to their end, by step (from 0) and reason.
    pub not_executed: BTreeMap<(usize, NotExecuted), u64>,
    /// When its precondition held first.
    pub first_ready: Option<Moment>,
    /// When it came to its end first.
    pub first_executed: Option<Moment>,
    /// When it was violated first.
    pub first_violated: Option<Moment>,
}

impl PropertyCounts {
    /// Adds what was counted of the same DMF elsewhere.
    pub fn add(&mut self, other: &PropertyCounts) {
        self.precondition_held += other.precondition_held;
        self.executed += other.executed;
        self.held += other.held;
        self.violated += other.violated;
        self.inconclusive += other.inconclusive;
        for (place, count) in &other.not_executed {
            *self.not_executed.entry(place.clone()).or_default() += count;
        }
        for (mine, theirs) in [
            (&mut self.first_ready, other.first_ready),
            (&mut self.first_executed, other.first_executed),
            (&mut self.first_violated, other.first_violated),
        ] {
            let both = [*mine, theirs];
            *mine = both.into_iter().flatten().min_by_key(|moment| moment.event);
        }
    }
}

/// A moment of a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// Events performed until then.
    pub event: u64,
    /// Time on the device since the campaign began.
    pub device_time: DeviceDuration,
}

/// Why a run of a DMF did not come to its end. Such a run is no violation and changes no data.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum NotExecuted {
    /// The precondition does not hold.
    NotReady,
    /// A widget whose text is to be remembered is not shown.
    ReadMissing,
    /// The widget that the step is done to is not shown.
    TargetMissing,
    /// The model holds no object of the type to choose from, or shows none.
    NoObject,
    /// A re-execution has no text recorded for the step.
    NoInput,
    /// The step's text is not what its action needs.
    BadInput,
    /// No event does what the step says.
    NotPossible,
    /// The app visibly refused what was typed.
    Refused,
    /// No touch reaches the widget that the step is done to.
    Covered {
        /// What takes the touches instead, in words.
        by: String,
    },
    /// There is nothing yet, or nothing was removed yet, that the step's text could be made of.
    NothingToRepeat,
}

impl NotExecuted {
    /// The word that commands and files use.
    pub fn word(&self) -> &'static str {
        match self {
            NotExecuted::NotReady => "not-ready",
            NotExecuted::ReadMissing => "read-missing",
            NotExecuted::TargetMissing => "target-missing",
            NotExecuted::NoObject => "no-object",
            NotExecuted::NoInput => "no-input",
            NotExecuted::BadInput => "bad-input",
            NotExecuted::NotPossible => "not-possible",
            NotExecuted::Refused => "refused",
            NotExecuted::Covered { .. } => "covered",
            NotExecuted::NothingToRepeat => "nothing-to-repeat",
        }
    }

    /// Whether a step that is not required is left out for this reason: its widget is not there for people.
    pub fn leaves_out_step(&self) -> bool {
        matches!(self, NotExecuted::TargetMissing | NotExecuted::Covered { .. })
    }
}

impl fmt::Display for NotExecuted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotExecuted::NotReady => "its precondition does not hold",
            NotExecuted::ReadMissing => "a widget whose text is to be remembered is not shown",
            NotExecuted::TargetMissing => "the widget of the step is not shown",
            NotExecuted::NoObject => "there is no object to choose",
            NotExecuted::NoInput => "no text was recorded for the step",
            NotExecuted::BadInput => "the step's text is not what its action needs",
            NotExecuted::NotPossible => "no event does what the step says",
            NotExecuted::Refused => "the app refused what was typed",
            NotExecuted::Covered { by } => return write!(f, "covered by {by}"),
            NotExecuted::NothingToRepeat => {
                "its text repeats something that is there or was removed, and there is nothing of its type yet"
            }
        })
    }
}

impl Ledger {
    /// Nothing counted yet.
    pub fn new(setting: &Setting, limits: Limits) -> Self {
        let counts =
            |dmf: &CompiledDmf| PropertyCounts { name: dmf.dmf.name.clone(), ..PropertyCounts::default() };
        Ledger {
            events: 0,
            tests: 0,
            device_time: DeviceDuration(0),
            garbled: 0,
            activities: BTreeSet::new(),
            newest_activity: None,
            code: BTreeSet::new(),
            code_points: 0,
            properties: setting.dmfs().iter().map(counts).collect(),
            graph: StateGraph::default(),
            limits,
            started: None,
            before: DeviceDuration(0),
            past: 0,
            fingerprint: StableHasher::new(),
            last: None,
        }
    }

    /// A stable hash of every event, layout, health, time and verdict so far.
    pub fn fingerprint(&self) -> u64 {
        let mut all = StableHasher::new();
        all.u64(self.past);
        all.u64(self.fingerprint.finish());
        all.finish()
    }

    /// A round is over. What it did is folded into one number, so that a checkpoint between rounds can keep it.
    pub fn round_ended(&mut self) {
        // Whether a round that does nothing is begun depends on when the campaign was stopped: it leaves no mark.
        if self.fingerprint.finish() != StableHasher::new().finish() {
            self.past = self.fingerprint();
            self.fingerprint = StableHasher::new();
        }
    }

    /// Whether the limits are reached.
    pub fn spent(&self) -> bool {
        self.events >= self.limits.events || self.device_time >= self.limits.device_time
    }

    /// The events that the campaign may perform.
    pub fn event_limit(&self) -> u64 {
        self.limits.events
    }

    /// Now.
    pub fn moment(&self) -> Moment {
        Moment { event: self.events, device_time: self.device_time }
    }

    pub(super) fn test_begins(&mut self) {
        self.tests += 1;
        self.fingerprint.u64(self.tests);
        self.graph.leave();
    }

    /// The device went back to a saved state, and its clock with it.
    pub(super) fn clock_set(&mut self, now: DeviceInstant) {
        self.before = self.device_time;
        self.started = Some(now);
    }

    pub(super) fn count_event(&mut self, event: &Event) {
        self.events += 1;
        hash_event(&mut self.fingerprint, event);
    }

    /// Takes a frame into the coverage and the fingerprint; `event` led to it. A layout that the device handed out
    /// before is not hashed again.
    pub(super) fn see(&mut self, frame: &Frame, event: Option<&Event>, app: &str) -> ScreenKeys {
        let started = *self.started.get_or_insert(frame.at);
        self.device_time = self.before + frame.at.since(started);
        let keys = match &self.last {
            Some((layout, keys)) if Arc::ptr_eq(layout, &frame.layout) => *keys,
            Some(_) | None => {
                let keys = ScreenKeys {
                    exact: frame.layout.key(Abstraction::Exact),
                    structure: frame.layout.key(Abstraction::Structure),
                };
                self.last = Some((Arc::clone(&frame.layout), keys));
                if frame.layout.package() == app {
                    self.cover(&frame.layout);
                }
                keys
            }
        };
        if frame.layout.package() == app {
            self.graph.observe(keys.structure, &frame.layout, event);
        } else {
            self.graph.leave();
        }
        self.fingerprint.u64(keys.exact.0);
        self.fingerprint.u64(frame.at.millis());
        match &frame.health {
            AppHealth::Running => self.fingerprint.u64(0),
            AppHealth::Crashed(report) => self.fingerprint.text(&report.signature()),
            AppHealth::NotResponding(report) => self.fingerprint.text(&report.signature()),
            AppHealth::LeftApp(activity) => self.fingerprint.text(activity),
        }
        keys
    }

    fn cover(&mut self, layout: &Layout) {
        if !self.activities.contains(layout.activity()) {
            self.activities.insert(Arc::clone(layout.activity()));
            self.newest_activity = Some(self.moment());
        }
    }

    /// Takes in what was executed since the last call, of so many points that the app has. Code is no part of the
    /// fingerprint: the same events on an app that nobody has instrumented are the same campaign.
    pub(super) fn cover_code(&mut self, executed: Vec<CodePoint>, points: u32) {
        self.code.extend(executed);
        self.code_points = points;
    }

    pub(super) fn note(&mut self, word: &str) {
        self.fingerprint.text(word);
    }

    pub(super) fn note_origin(&mut self, origin: &FindingOrigin) {
        self.fingerprint.text(origin.oracle.name());
        self.fingerprint.text(&origin.subject);
        for check in &origin.checks {
            self.fingerprint.text(check);
        }
    }

    pub(super) fn property(&mut self, index: usize) -> Option<&mut PropertyCounts> {
        self.properties.get_mut(index)
    }
}

fn hash_event(hasher: &mut StableHasher, event: &Event) {
    match event {
        Event::Widget { target, gesture } => {
            hasher.u64(1);
            hasher.u64((target.at.x as u64) << 32 | u64::from(target.at.y as u32));
            hash_gesture(hasher, gesture);
        }
        Event::Type(text) => {
            hasher.u64(2);
            hasher.text(text);
        }
        Event::Key(key) => {
            hasher.u64(3);
            hasher.u64(*key as u64);
        }
        Event::Rotate => hasher.u64(4),
        Event::Wait(span) => {
            hasher.u64(5);
            hasher.u64(span.millis());
        }
        Event::Relaunch => hasher.u64(6),
        Event::System(what) => {
            hasher.u64(7);
            hasher.u64(*what as u64);
        }
    }
}

fn hash_gesture(hasher: &mut StableHasher, gesture: &Gesture) {
    match gesture {
        Gesture::Tap => hasher.u64(1),
        Gesture::LongPress => hasher.u64(2),
        Gesture::SetText(text) => {
            hasher.u64(3);
            hasher.text(text);
        }
        Gesture::Swipe(direction) => {
            hasher.u64(4);
            hasher.u64(*direction as u64);
        }
        Gesture::Drag(to) => {
            hasher.u64(5);
            hasher.u64((to.x as u64) << 32 | u64::from(to.y as u32));
        }
    }
}
