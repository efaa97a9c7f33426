//! InsertAt a trace over: the live phone stands where the trace comes after some of its events, follows the
//! cursor of whoever steps through it, and what is done from there on is a branch of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::history::FindingKey;
use super::mirror::Walked;
use super::settings::BuildChoice;
use crate::mirror::{Divergence, Expected, MirrorFact, PathNo, PathPlace, Seen};
use taproof_core::campaign::{Build, CampaignPlan, Evidence, Finding};
use taproof_core::model::{Event, Initialiser, Likeness};
use taproof_results::report::Way;

/// A trace that a fresh phone can be led along.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveTrace {
    /// What people call it.
    pub title: String,
    /// Package of the app.
    pub app: String,
    /// Which of its bugs are on.
    pub build: BuildChoice,
    /// What is done after the launch, before the first event.
    pub initialiser: Option<Arc<Initialiser>>,
    /// What must be seen once the app is launched with empty data.
    pub start: Option<Expected>,
    /// The events, each with what must be seen after it.
    pub events: Vec<(Event, Expected)>,
}

/// What is taken over.
#[derive(Clone, Debug, PartialEq)]
pub enum TraceSource {
    /// The finding that is open in Replay, along one of its traces.
    Finding(FindingKey, Way),
    /// What was done on the phone; also a recording, which is a part of that.
    Way(PathNo),
    /// Any trace: of a trial, or from a file.
    Given(Arc<LiveTrace>),
}

/// What panels ask for.
#[derive(Clone, Debug, PartialEq)]
pub enum TakeOver {
    /// Puts the phone where the trace comes after so many events.
    At(TraceSource, usize),
    /// Whether the phone follows the cursor of the replay.
    Follow(bool),
    /// Does a trace again on a fresh phone, step by step, with so many milliseconds between.
    Reexecute(TraceSource, u64),
    /// The milliseconds between two steps from now on.
    Pace(u64),
    /// Goes on doing it again, or stops.
    Run(bool),
    /// Stops bringing the phone where it is wanted; it stays where it has come to.
    Stop,
    /// Goes where the way of the phone comes newest.
    Newest,
    /// Forgets that a trace was taken over; the phone stays.
    Leave,
}

/// A trace that the phone was led along.
pub struct TakenOver {
    /// What it is.
    pub source: TraceSource,
    /// The trace.
    pub trace: Arc<LiveTrace>,
    /// The number of the order that opens it on the phone.
    pub order: u64,
    /// The way of the phone along it, once it began.
    pub path: Option<PathNo>,
    /// How many events the trace and the phone's way have in common.
    pub prefix: usize,
    /// Whether the phone follows the cursor of the replay.
    pub follows: bool,
    /// Where the phone came elsewhere than the trace did, by step.
    pub diverged: BTreeMap<usize, Arc<Divergence>>,
    /// The trace is being done again step by step.
    pub reexecution: Option<Reexecution>,
}

/// A trace that is done again step by step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reexecution {
    /// Steps done.
    pub done: usize,
    /// Steps there are.
    pub total: usize,
    /// Whether it goes on by itself.
    pub running: bool,
    /// Milliseconds between two steps.
    pub pace_millis: u64,
}

impl LiveTrace {
    /// A finding's trace on a phone with the build of its campaign.
    pub fn of_finding(plan: &CampaignPlan, finding: &Finding, way: Way) -> Self {
        let trace = LiveTrace::of_evidence(finding.title.clone(), &plan.app, &plan.build, way.of(finding));
        let build = match plan.serial_of(finding.engine) {
            Some(serial) => BuildChoice::Device(serial.to_owned()),
            None => trace.build,
        };
        LiveTrace { build, initialiser: plan.initialiser.clone(), ..trace }
    }

    /// A trace with its pictures, as it was recorded from an app launched with empty data.
    pub fn of_evidence(title: String, app: &str, build: &Build, evidence: &Evidence) -> Self {
        let trace = &evidence.trace;
        let expected =
            |frame: usize, layout| Expected::of(layout, evidence.screenshots.get(frame).cloned().flatten());
        let steps = trace.steps().iter().enumerate();
        LiveTrace {
            title,
            app: app.to_owned(),
            build: BuildChoice::from(build),
            initialiser: None,
            start: Some(expected(0, &trace.first().layout)),
            events: steps
                .map(|(step, done)| (done.event.clone(), expected(step + 1, &done.after.layout)))
                .collect(),
        }
    }

    /// What was done on a phone since its fresh start; `None` if that was no fresh start of an app.
    pub fn of_way(walked: &Walked) -> Option<Self> {
        let origin = walked.origin.as_ref()?;
        let expected = |seen: &Seen| Expected::of(&seen.frame.layout, seen.png.clone());
        Some(LiveTrace {
            title: "what was done on the phone".to_owned(),
            app: origin.app.clone(),
            build: origin.build.clone(),
            initialiser: origin.initialiser.clone(),
            start: walked.start.as_deref().map(expected),
            events: walked.steps.iter().map(|step| (step.event.clone(), expected(&step.after))).collect(),
        })
    }
}

impl TakenOver {
    /// A trace that is being opened on the phone.
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
        }
    }

    /// The place on the phone's way after so many events of the trace, if it has it.
    pub fn place(&self, events: usize) -> Option<PathPlace> {
        self.path.filter(|_| events <= self.prefix).map(|path| PathPlace { path, step: events })
    }

    /// Whether something else was done than the trace did.
    pub fn branched(&self) -> bool {
        self.prefix < self.trace.events.len()
    }

    /// How many events were done again until the phone came to a place, where they are done step by step.
    pub fn redone_until(&self, place: PathPlace) -> Option<usize> {
        let again = self.reexecution.filter(|_| self.path == Some(place.path))?;
        Some(again.done.min(place.step))
    }

    /// Where the phone came elsewhere first.
    pub fn first_divergence(&self) -> Option<&Arc<Divergence>> {
        self.diverged.values().next()
    }

    /// How the screen after so many events was like the trace's, once it was seen.
    pub fn likeness(&self, events: usize, seen_until: usize) -> Option<Likeness> {
        let seen = (events <= seen_until.min(self.prefix)).then_some(Likeness::Same);
        self.diverged.get(&events).map(|divergence| divergence.likeness).or(seen)
    }

    /// Takes what happened on the phone; false if the phone is led along something else now.
    pub fn take(&mut self, fact: &MirrorFact) -> bool {
        match fact {
            MirrorFact::Began { path, order, .. } if *order == self.order => {
                self.path = Some(*path);
                self.diverged.clear();
                true
            }
            // The phone still was on its way to it.
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
    use taproof_core::model::{AppHealth, DeviceInstant, Frame, Key, layout_from};

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
            app: "org.ex".to_owned(),
            build: BuildChoice::Sound,
            initialiser: None,
            start: None,
            events: vec![(Event::Key(Key::Back), expected.clone()), (Event::Rotate, expected)],
        };
        TakenOver::new(TraceSource::Way(PathNo(1)), Arc::new(trace), order)
    }

    fn performed(path: u64, step: usize, again: bool) -> MirrorFact {
        let (before, after) = (seen(), seen());
        let place = PathPlace { path: PathNo(path), step };
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
        assert_eq!(taken.place(2), Some(PathPlace { path: PathNo(8), step: 2 }));
        assert_eq!((taken.likeness(1, 1), taken.likeness(2, 1)), (Some(Likeness::Same), None));
        assert!(taken.take(&performed(8, 1, false)));
        assert!(taken.branched() && !taken.follows);
        assert_eq!((taken.place(1).is_some(), taken.place(2)), (true, None));
        assert!(!taken.take(&began(5, 9)), "another phone");
    }
}
