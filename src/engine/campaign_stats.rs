//! The statistics of a campaign. Bounded: they do not grow with the number of events.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use taproof_screen::words;

use serde::{Deserialize, Serialize};

use super::{RuleCounts, StateGraph, Task, TestTarget};
use crate::device::Arrivals;
use crate::oracle::agreement::Agreements;
use taproof_screen::determinism::{DeviceDuration, DeviceInstant, StableHasher};
use taproof_screen::{
    AppHealth, CodePoint, Event, FindingOrigin, Frame, Gesture, Layout, LayoutKey, Same, Text,
};
use taproof_spec::CompiledDmf;

/// How much a campaign may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Events that the campaign may perform.
    pub events: u64,
    /// Time that the campaign may take on the device's clock.
    pub device_time: DeviceDuration,
}

/// The statistics of a campaign so far. They are part of a checkpoint, which is made between two rounds.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct CampaignStats {
    /// Events that were performed.
    pub events: u64,
    /// Events that were performed again to confirm, minimise and attribute findings. The limits do not count them.
    pub reexecuted: u64,
    /// Those of them that were for violations not seen before, rather than for findings that had to wait.
    pub reexecuted_for_new: u64,
    /// Of these, those by which disagreements were looked at.
    pub reexecuted_for_disagreements: u64,
    /// Tests that were started, each with cleared data or from a saved state.
    pub tests: u64,
    /// Device time that passed.
    pub device_time: DeviceDuration,
    /// Number of garbled answers of the device, including those while findings were confirmed.
    pub garbled: u64,
    /// Activities of the app that were seen in the foreground.
    pub activities: BTreeSet<Text>,
    /// When the newest of them was first seen; `None` before the first.
    pub newest_activity: Option<Moment>,
    /// Code points of the app that were executed.
    pub code: BTreeSet<CodePoint>,
    /// Number of code points of the app; 0 without instrumentation.
    pub code_points: u32,
    /// What was counted of each DMF, in file order.
    pub properties: Vec<PropertyCounts>,
    /// The screens that were seen with the app in the foreground, and how events led from one to another.
    pub graph: StateGraph,
    /// What the tester's rules did.
    pub rules: RuleCounts,
    /// How long the app took to come to the front.
    pub(super) arrivals: Arrivals,
    /// What the screens agree on; `None` if they are not asked.
    pub agreements: Option<Agreements>,
    /// What the campaign does at the moment.
    #[serde(skip)]
    pub task: Task,
    limits: Limits,
    /// When the current stretch of the device's clock began, and the total of the stretches before it. Restoring a
    /// saved state sets the clock back as well, which begins a new stretch.
    started: Option<DeviceInstant>,
    before: DeviceDuration,
    /// Fingerprint of all rounds before the current one; `fingerprint` is that of the current round.
    past: u64,
    #[serde(skip)]
    fingerprint: StableHasher,
    #[serde(skip)]
    last: Option<(Arc<Layout>, ScreenKeys)>,
}

/// A layout's keys in both senses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScreenKeys {
    /// The key under `Same::Exact`: everything counts.
    pub exact: LayoutKey,
    /// The key under `Same::Structure`: texts and repeated rows do not count.
    pub structure: LayoutKey,
}

/// What was counted of one DMF.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyCounts {
    /// Name of the DMF.
    pub name: String,
    /// Why it is neither run nor judged; `None` if it is.
    pub not_judged: Option<String>,
    /// Number of screens on which the precondition held.
    pub precondition_held: u64,
    /// Number of completed runs.
    pub executed: u64,
    /// Number of completed runs after which the postcondition held.
    pub held: u64,
    /// Number of completed runs after which the postcondition was violated.
    pub violated: u64,
    /// Number of completed runs that could not be judged.
    pub inconclusive: u64,
    /// Number of runs that were not completed, by step (from 0) and reason.
    pub not_executed: BTreeMap<(usize, NotExecuted), u64>,
    /// When the precondition first held; `None` if it never did.
    pub first_ready: Option<Moment>,
    /// When a run was first completed; `None` if none was.
    pub first_executed: Option<Moment>,
    /// When a run first violated the postcondition; `None` if none did.
    pub first_violated: Option<Moment>,
    /// Device time of all runs, completed or not.
    pub device_time: DeviceDuration,
}

impl PropertyCounts {
    /// Adds what was counted of the same DMF elsewhere.
    pub fn add(&mut self, other: &PropertyCounts) {
        self.precondition_held += other.precondition_held;
        self.executed += other.executed;
        self.held += other.held;
        self.violated += other.violated;
        self.inconclusive += other.inconclusive;
        self.device_time = DeviceDuration(self.device_time.0 + other.device_time.0);
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
    /// Number of events performed until then.
    pub event: u64,
    /// Device time since the campaign began.
    pub device_time: DeviceDuration,
}

words! {
    /// Why a run of a DMF was not completed. Such a run is no violation and changes no data.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum NotExecuted {
        /// The precondition does not hold.
        NotReady = "not-ready",
        /// A widget whose text is to be remembered is not shown.
        ReadMissing = "read-missing",
        /// The target widget of the step is not shown.
        TargetMissing = "target-missing",
        /// The data model holds no object of the type to choose from, or none that is shown.
        NoObject = "no-object",
        /// A re-execution has no text recorded for the step.
        NoInput = "no-input",
        /// The step's text does not have the form that its action needs.
        BadInput = "bad-input",
        /// There is no event that performs the step.
        NotPossible = "not-possible",
        /// The app visibly refused the input.
        Refused = "refused",
        /// The target widget of the step is covered, so no touch reaches it.
        Covered {
            /// What takes the touches instead, in words.
            by: String,
        } = "covered",
        /// The step's text repeats an earlier text or a removed object, and there is none yet.
        NothingToRepeat = "nothing-to-repeat",
    }
    /// The reason as one word, as commands and files write it.
    pub fn word(&self);
}

impl NotExecuted {
    /// All reasons except that something covered the widget.
    pub const PLAIN: [NotExecuted; 9] = [
        NotExecuted::NotReady,
        NotExecuted::ReadMissing,
        NotExecuted::TargetMissing,
        NotExecuted::NoObject,
        NotExecuted::NoInput,
        NotExecuted::BadInput,
        NotExecuted::NotPossible,
        NotExecuted::Refused,
        NotExecuted::NothingToRepeat,
    ];

    /// The reason with this word. `covered_by` is what covered the widget, if that was the reason. `None` for a word that
    /// this version does not know.
    pub fn from_word(word: &str, covered_by: Option<&str>) -> Option<NotExecuted> {
        let covered = NotExecuted::Covered { by: covered_by.unwrap_or_default().to_owned() };
        NotExecuted::PLAIN.into_iter().chain([covered]).find(|reason| reason.word() == word)
    }

    /// Whether a step that is not required is skipped for this reason, because people do not see its widget.
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

impl CampaignStats {
    /// Statistics of a campaign that has not started, for the DMFs of this target.
    pub fn new(target: &TestTarget, limits: Limits) -> Self {
        let counts = |dmf: &CompiledDmf| PropertyCounts {
            name: dmf.dmf.name.clone(),
            not_judged: dmf.dmf.not_judged.clone(),
            ..PropertyCounts::default()
        };
        CampaignStats {
            properties: target.dmfs().iter().map(counts).collect(),
            limits,
            ..CampaignStats::default()
        }
    }

    /// A stable hash of every event, layout, health, time and verdict so far.
    pub fn fingerprint(&self) -> u64 {
        let mut all = StableHasher::new();
        all.u64(self.past);
        all.u64(self.fingerprint.finish());
        all.finish()
    }

    /// Ends a round: its fingerprint is folded into one number that a checkpoint can store.
    pub fn round_ended(&mut self) {
        // Whether an empty round is begun depends on when the campaign was stopped, so it must not change the
        // fingerprint.
        if self.fingerprint.finish() != StableHasher::new().finish() {
            self.past = self.fingerprint();
            self.fingerprint = StableHasher::new();
        }
    }

    /// Whether the limits are reached.
    pub fn spent(&self) -> bool {
        self.events >= self.limits.events || self.device_time >= self.limits.device_time
    }

    /// Number of events that the campaign may perform.
    pub fn event_limit(&self) -> u64 {
        self.limits.events
    }

    /// The present moment: events so far, and time on the device.
    pub fn moment(&self) -> Moment {
        Moment { event: self.events, device_time: self.device_time }
    }

    pub(super) fn test_begins(&mut self) {
        self.tests += 1;
        self.fingerprint.u64(self.tests);
        self.graph.leave();
    }

    /// Begins a new stretch of device time, because the device was restored to a saved state, which sets its clock
    /// back.
    pub(super) fn clock_set(&mut self, now: DeviceInstant) {
        self.before = self.device_time;
        self.started = Some(now);
    }

    pub(super) fn count_event(&mut self, event: &Event) {
        self.events += 1;
        hash_event(&mut self.fingerprint, event);
    }

    /// Adds a frame, to which `event` led, to the coverage and the fingerprint. The keys of a layout that the device
    /// returned before are not computed again.
    pub(super) fn see(&mut self, frame: &Frame, event: Option<&Event>, app: &str) -> ScreenKeys {
        let started = *self.started.get_or_insert(frame.at);
        self.device_time = self.before + frame.at.since(started);
        if let (Some(event), Some((before, _))) = (event, &self.last)
            && before.package() == app
        {
            self.graph.touch(event, before);
        }
        let keys = match &self.last {
            Some((layout, keys)) if Arc::ptr_eq(layout, &frame.layout) => *keys,
            Some(_) | None => {
                let keys = ScreenKeys {
                    exact: frame.layout.key(Same::Exact),
                    structure: frame.layout.key(Same::Structure),
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
            AppHealth::Crashed(report) | AppHealth::NotResponding(report) => {
                self.fingerprint.text(&report.exact_key());
            }
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

    /// Adds the code points that were executed since the last call; `points` is their number in the app. Code is not
    /// part of the fingerprint, so the same events have the same fingerprint with and without instrumentation.
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
        Event::OpenLink(link) => {
            hasher.u64(8);
            hasher.text(link);
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
