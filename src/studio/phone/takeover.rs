//! Taking over a trace: the live phone is led to the position after some of its events and follows the replay's cursor.
//! What a person does there is a branch of the trace.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::state::WalkedPath;
use crate::mirror::{Divergence, Expected, MirrorFact, PathNo, PathPosition, Seen};
use crate::state::FindingKey;
use taproof_campaign::{CampaignPlan, Evidence, Finding, Target, TrialPlan};
use taproof_engine::device::Build;
use taproof_results::report::FindingTrace;
use taproof_screen::{Event, Initialiser, Likeness, Trace};

/// A trace that a fresh phone can be led along.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveTrace {
    /// The title, for people.
    pub title: String,
    /// The app, and the phone that it is on.
    pub target: Target,
    /// The steps after the launch, before the first event.
    pub initialiser: Option<Arc<Initialiser>>,
    /// The screen expected after that, if known.
    pub start: Option<Expected>,
    /// The events, each with the screen expected after it.
    pub events: Vec<(Event, Expected)>,
}

/// Which trace is taken over.
#[derive(Clone, Debug, PartialEq)]
pub enum TraceSource {
    /// A trace of the finding that is open in Replay.
    Finding(FindingKey, FindingTrace),
    /// A path of the phone, or a recording, which is a part of one.
    Path(PathNo),
    /// Another trace: of a trial, or from a file.
    Given(Arc<LiveTrace>),
}

/// A command about taking over a trace.
#[derive(Clone, Debug, PartialEq)]
pub enum TakeOver {
    /// Leads the phone to the position after this many events.
    At(TraceSource, usize),
    /// Sets whether the phone follows the replay's cursor.
    Follow(bool),
    /// Re-executes a trace on a fresh phone, step by step, with this many milliseconds between two steps.
    Reexecute(TraceSource, u64),
    /// Resumes (`true`) or pauses the re-execution.
    Run(bool),
    /// Stops moving the phone; it stays at the step that it has reached.
    Stop,
    /// Moves to the last position of the phone's path.
    Newest,
    /// Ends the takeover; the phone stays where it is.
    Leave,
}

/// A trace that the phone was led along.
pub struct TakenOver {
    /// Which trace it is.
    pub source: TraceSource,
    /// The trace itself: its app and phone, its events, and the expected screens.
    pub trace: Arc<LiveTrace>,
    /// The number of the order that opens it on the phone.
    pub order: u64,
    /// The phone's path along the trace. `None` until it has begun.
    pub path: Option<PathNo>,
    /// Number of events that the trace and the phone's path have in common.
    pub prefix: usize,
    /// Whether the phone follows the replay's cursor.
    pub follows: bool,
    /// Divergences of the phone from the trace, by step.
    pub diverged: BTreeMap<usize, Arc<Divergence>>,
    /// The re-execution step by step, if there is one.
    pub reexecution: Option<Reexecution>,
    /// Whether the finding came back in the re-execution. `None` as long as that is not over, and where it is not judged.
    pub judgement: Option<Judgement>,
}

/// Whether a finding came back in a re-execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It is being judged.
    Pending,
    /// It came back; what was seen.
    CameBack(String),
    /// It did not come back.
    DidNot,
    /// It could not be judged, for this reason.
    NotJudged(String),
}

/// The re-execution of a trace, step by step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reexecution {
    /// Number of steps performed.
    pub done: usize,
    /// Number of steps of the trace.
    pub total: usize,
    /// Whether the next step follows automatically.
    pub running: bool,
    /// Milliseconds between two steps.
    pub pace_millis: u64,
}

impl LiveTrace {
    /// A trace of a finding, on the device of the campaign or on a bundled phone with its build.
    pub fn of_finding(plan: &CampaignPlan, finding: &Finding, way: FindingTrace) -> Self {
        let trace = LiveTrace::of_evidence(finding.title.clone(), &plan.app, &plan.build, way.of(finding));
        trace.on(plan.serial_of(finding.engine), plan.initialiser.as_ref())
    }

    /// A trace with its pictures, recorded on a bundled phone from an app launched with empty data.
    pub fn of_evidence(title: String, app: &str, build: &Build, evidence: &Evidence) -> Self {
        let trace = &evidence.trace;
        let expected =
            |frame: usize, layout| Expected::of(layout, evidence.screenshots.get(frame).cloned().flatten());
        let steps = trace.steps().iter().enumerate();
        LiveTrace {
            title,
            target: Target::bundled(app, build.clone()),
            initialiser: None,
            start: Some(expected(0, &trace.first().layout)),
            events: steps
                .map(|(step, done)| (done.event.clone(), expected(step + 1, &done.after.layout)))
                .collect(),
        }
    }

    /// What a run of a trial did, on the phone that it was tried on.
    pub fn of_trial(plan: &TrialPlan, trace: &Trace) -> Self {
        let evidence = Evidence { trace: trace.clone(), screenshots: Vec::new() };
        let trace = LiveTrace::of_evidence("the run".to_owned(), &plan.app, &plan.build, &evidence);
        trace.on(plan.device.serial(0), plan.initialiser.as_ref())
    }

    /// The same on the device with this serial, if there is one, after these steps.
    fn on(self, serial: Option<&str>, initialiser: Option<&Arc<Initialiser>>) -> Self {
        let installed = serial.map(|serial| Target::installed(self.target.app.as_str(), serial));
        LiveTrace { target: installed.unwrap_or(self.target), initialiser: initialiser.cloned(), ..self }
    }

    /// The path of a phone as a trace. `None` if the path did not begin with a fresh app.
    pub fn of_way(walked: &WalkedPath) -> Option<Self> {
        let origin = walked.origin.as_ref()?;
        let expected = |seen: &Seen| Expected::of(&seen.frame.layout, seen.png.clone());
        Some(LiveTrace {
            title: "what was done on the phone".to_owned(),
            target: origin.target.clone(),
            initialiser: origin.initialiser.clone(),
            start: walked.start.as_deref().map(expected),
            events: walked.steps.iter().map(|step| (step.event.clone(), expected(&step.after))).collect(),
        })
    }
}

impl TakenOver {
    /// A trace that is being opened on the phone by this order.
    pub fn new(source: TraceSource, trace: Arc<LiveTrace>, order: u64) -> Self {
        let prefix = trace.events.len();
        TakenOver {
            source,
            trace,
            order,
            path: None,
            prefix,
            follows: true,
            diverged: BTreeMap::new(),
            reexecution: None,
            judgement: None,
        }
    }

    /// The position on the phone's path after `events` events of the trace. `None` if the path has not begun or has
    /// branched off before.
    pub fn place(&self, events: usize) -> Option<PathPosition> {
        self.path.filter(|_| events <= self.prefix).map(|path| PathPosition { path, step: events })
    }

    /// Whether the phone's path has branched off the trace.
    pub fn branched(&self) -> bool {
        self.prefix < self.trace.events.len()
    }

    /// Number of events re-executed up to a position. `None` if there is no re-execution, or the position is on another
    /// path.
    pub fn redone_until(&self, place: PathPosition) -> Option<usize> {
        let again = self.reexecution.filter(|_| self.path == Some(place.path))?;
        Some(again.done.min(place.step))
    }

    /// The divergence at the earliest step.
    pub fn first_divergence(&self) -> Option<&Arc<Divergence>> {
        self.diverged.values().next()
    }

    /// How similar the screen after `events` events was to the trace's. `None` if the phone, which has come to
    /// `seen_until`, was not there yet.
    pub fn likeness(&self, events: usize, seen_until: usize) -> Option<Likeness> {
        let seen = (events <= seen_until.min(self.prefix)).then_some(Likeness::Same);
        self.diverged.get(&events).map(|divergence| divergence.likeness).or(seen)
    }

    /// Takes a fact that the mirror reported. Returns `false` if the phone is led along something else now.
    pub fn take(&mut self, fact: &MirrorFact) -> bool {
        match fact {
            MirrorFact::Began { path, order, .. } if *order == self.order => {
                self.path = Some(*path);
                self.diverged.clear();
                true
            }
            // The path is an earlier one; the order that opens the trace is still waiting.
            MirrorFact::Began { order, .. } => *order < self.order,
            MirrorFact::Performed(performed) => {
                if self.path == Some(performed.place.path) && !performed.again {
                    self.prefix = self.prefix.min(performed.place.step);
                    self.follows = false;
                    self.reexecution = None;
                }
                true
            }
            MirrorFact::Diverged(path, divergence) => {
                if self.path == Some(*path) {
                    self.diverged.insert(divergence.step, Arc::clone(divergence));
                }
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mirror::Performed;
    use taproof_screen::{AppHealth, DeviceInstant, Frame, Key, layout_from};

    fn seen() -> Arc<Seen> {
        let layout = Arc::new(layout_from("FrameLayout\n"));
        Arc::new(Seen {
            frame: Frame { layout, health: AppHealth::Running, at: DeviceInstant(0) },
            png: None,
        })
    }

    fn taken(order: u64) -> TakenOver {
        let expected = Expected::of(&seen().frame.layout, None);
        let trace = LiveTrace {
            title: "t".to_owned(),
            target: Target::bundled("org.ex", Build::Sound),
            initialiser: None,
            start: None,
            events: vec![(Event::Key(Key::Back), expected.clone()), (Event::Rotate, expected)],
        };
        TakenOver::new(TraceSource::Path(PathNo(1)), Arc::new(trace), order)
    }

    fn performed(path: u64, step: usize, again: bool) -> MirrorFact {
        let (before, after) = (seen(), seen());
        let place = PathPosition { path: PathNo(path), step };
        MirrorFact::Performed(Arc::new(Performed { place, event: Event::Rotate, before, after, again }))
    }

    #[test]
    fn clicking_on_makes_a_branch_and_doing_again_does_not() {
        let mut taken = taken(4);
        let began = |order, path| MirrorFact::Began { path: PathNo(path), start: seen(), order };
        assert!(taken.take(&began(3, 7)), "of an order before it");
        assert_eq!(taken.place(1), None, "it has not begun");
        assert!(taken.take(&began(4, 8)));
        assert!(taken.take(&performed(8, 0, true)) && taken.take(&performed(8, 1, true)));
        assert!(taken.follows && !taken.branched());
        assert_eq!(taken.place(2), Some(PathPosition { path: PathNo(8), step: 2 }));
        assert_eq!((taken.likeness(1, 1), taken.likeness(2, 1)), (Some(Likeness::Same), None));
        assert!(taken.take(&performed(8, 1, false)));
        assert!(taken.branched() && !taken.follows);
        assert_eq!((taken.place(1).is_some(), taken.place(2)), (true, None));
        assert!(!taken.take(&began(5, 9)), "another phone");
    }
}
