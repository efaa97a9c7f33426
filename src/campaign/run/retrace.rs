//! Replays a saved trace, compares each screen with the saved one, and judges what must hold at the end.

use std::sync::Arc;

use super::stuck_watcher::StuckWatcher;
use crate::confirm::confirm_pair::{units_in_pair, with_control};
use crate::confirm::reexecute::{Rerun, appears, reexecute, units_from};
use crate::{
    CampaignPlan, Expectation, ExpectationKind, Finding, InitialisedDevices, Reference, Rig, SavedTrace, Unit,
};
use taproof_engine::device::DeviceSource;
use taproof_engine::device::{AppData, AppId, Arrivals, Device, StuckStep, returns_to_app};
use taproof_engine::{Reported, Stop, TestTarget};
use taproof_screen::{AppHealth, Frame, Likeness, ScreenPrint, StepRole, Trace, Verdict, event_sentence};
use taproof_spec::Spec;

/// The result of replaying a saved trace.
#[derive(Clone, Debug)]
pub struct Retraced {
    /// The comparison of the start and of each step.
    pub steps: Vec<RetracedStep>,
    /// The results of the expectations.
    pub judged: Vec<Judged>,
    /// Serial of the device that it was replayed on.
    pub device: String,
    /// The first step that could not be performed, with the screen that was there instead.
    pub stuck: Option<StuckStep>,
}

/// The overall result of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetraceOutcome {
    /// All expectations hold. Without expectations: every screen was as before.
    Passed,
    /// An expectation does not hold. Without expectations: a screen was not as before.
    Failed,
    /// No expectation is known to be violated, but at least one could not be judged.
    Unjudged,
}

/// One step of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetracedStep {
    /// The event in words.
    pub sentence: String,
    /// How similar the screen after it is to the saved one; `None` if only one of the two traces has the step.
    pub likeness: Option<Likeness>,
    /// The difference in words; empty if there is none.
    pub difference: String,
    /// The activity in front after it, as `package/class`; empty if it was not performed again.
    pub activity: String,
    /// When its effect was seen on the device's clock, in milliseconds since the start; `None` if it was not performed
    /// again.
    pub millis: Option<u64>,
}

/// An expectation with its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The expectation as a sentence for people.
    pub sentence: String,
    /// Whether the expectation holds.
    pub outcome: JudgedOutcome,
}

/// The result of an expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JudgedOutcome {
    /// The expectation holds in the replay.
    Held,
    /// The expectation does not hold; what was seen instead.
    Broken(String),
    /// The expectation could not be judged, for this reason.
    NotJudged(String),
}

/// A screen that was seen in a replay.
struct ReplayedScreen {
    /// The event before it in words.
    sentence: String,
    print: ScreenPrint,
    activity: String,
    millis: u64,
}

impl ReplayedScreen {
    fn of(sentence: String, frame: &Frame, start: &Frame) -> ReplayedScreen {
        ReplayedScreen {
            sentence,
            print: ScreenPrint::of(&frame.layout),
            activity: frame.layout.activity().to_string(),
            millis: frame.at.since(start.at).millis(),
        }
    }
}

/// What was seen in a replay.
struct Replayed {
    /// The first entry is the start.
    screens: Vec<ReplayedScreen>,
    last: Frame,
    reported: Vec<Reported>,
    /// What could not be executed, in words; `None` if everything could.
    not_performed: Option<String>,
    stuck: Option<StuckStep>,
}

/// Replays a saved trace on a fresh device and compares.
///
/// # Errors
///
/// [`Stop::Cancelled`] if `cancelled` returns true, [`Stop::Device`] if the device fails.
pub fn retrace(
    saved: &SavedTrace,
    source: &mut dyn DeviceSource,
    cancelled: &dyn Fn() -> bool,
) -> Result<Retraced, Stop> {
    let mut device = InitialisedDevices::new(source, &saved.app, saved.initialiser.as_ref()).fresh()?;
    let device = &mut *device;
    let serial = device.info().serial.clone();
    let judged_by_runs = |it: &Expectation| matches!(it.kind, ExpectationKind::Never(_));
    let replayed = if saved.expectations.iter().any(judged_by_runs) {
        let step = |at: usize| saved.steps.get(at).map(|step| (&step.event, step.role));
        let units = units_from(step, &saved.spans, saved.steps.len());
        replay_units((saved, &saved.spec), device, &units, cancelled)?.0
    } else {
        replay_events(saved, device, cancelled)?
    };
    let expected = saved.expectations.iter().filter(|expectation| expectation.after.is_none());
    let judged = expected.map(|expectation| Judged {
        sentence: expectation.sentence.clone(),
        outcome: judge(&expectation.kind, &replayed),
    });
    Ok(Retraced {
        steps: compared(saved, &replayed),
        judged: judged.collect(),
        device: serial,
        stuck: replayed.stuck.clone(),
    })
}

/// Replays both traces of a finding that is seen by comparing two, each on a fresh device, and compares them again.
///
/// # Errors
///
/// As [`retrace`].
pub fn retrace_pair(
    plan: &CampaignPlan,
    finding: &Finding,
    reference: &Reference,
    source: &mut dyn DeviceSource,
    cancelled: &dyn Fn() -> bool,
) -> Result<Retraced, Stop> {
    let saved = SavedTrace::of_finding(plan, finding);
    let source = &mut InitialisedDevices::new(source, &plan.app, plan.initialiser.as_ref());
    let mut serial = String::new();
    let mut replay = |units: &[Unit]| {
        let mut device = source.fresh()?;
        serial.clone_from(&device.info().serial);
        replay_units((&saved, &plan.spec), &mut *device, units, cancelled)
    };
    let units = |trace: &Trace| units_in_pair(&reference.rule, trace);
    let (witness, witness_trace) = replay(&units(&finding.minimal.trace))?;
    let compared_with = with_control(&reference.rule, &witness_trace, &units(&reference.evidence.trace));
    let (other, other_trace) = replay(&compared_with)?;
    let not_performed = witness.not_performed.clone().or(other.not_performed);
    let outcome = match (reference.rule.judge(&witness_trace, &other_trace), not_performed) {
        (Verdict::Violated(violation), _) => JudgedOutcome::Broken(violation.title),
        (Verdict::Holds, None) => JudgedOutcome::Held,
        (_, Some(not_performed)) => JudgedOutcome::NotJudged(not_performed),
        (Verdict::Inconclusive(_), None) => {
            JudgedOutcome::NotJudged("the two traces cannot be compared any more".to_owned())
        }
    };
    let sentence = match reference.goes_on_alike() {
        true => format!("the detour takes no effect away: {}", finding.origin.subject),
        false => format!("the outcome is as most often: {}", finding.origin.subject),
    };
    let judged = vec![Judged { sentence, outcome }];
    let stuck = witness.stuck.clone().or(other.stuck);
    Ok(Retraced { steps: compared(&saved, &witness), judged, device: serial, stuck })
}

/// Performs each event as it was recorded, on its widget wherever that is now.
fn replay_events(
    saved: &SavedTrace,
    device: &mut dyn Device,
    cancelled: &dyn Fn() -> bool,
) -> Result<Replayed, Stop> {
    let mut arrivals = Arrivals::default();
    let mut look = |device: &mut dyn Device, began, returns| {
        let seen = |device: &mut dyn Device| Ok(saved.rules.seen(device.observe()?, &saved.app));
        arrivals.look(device, &saved.app, (began, returns), seen)
    };
    let began = device.now();
    device.launch(&AppId(saved.app.clone()), AppData::Clear)?;
    let mut last = look(device, began, true)?;
    let (first, mut stuck) = (last.clone(), None);
    let mut screens = vec![ReplayedScreen::of(START.to_owned(), &last, &first)];
    for step in &saved.steps {
        if cancelled() {
            return Err(Stop::Cancelled);
        }
        let found = step.event.found_again(&last.layout);
        if found.is_none() && step.role != StepRole::Rule && stuck.is_none() {
            let (layout, why) =
                (Arc::clone(&last.layout), "its widget is not there, so its place was touched".to_owned());
            stuck = Some(StuckStep::on(device, step.sentence.clone(), why, layout));
        }
        let began = device.now();
        // What a rule dealt with does not come each time.
        if step.role != StepRole::Rule || found.is_some() {
            device.perform(&step.event.aimed(&last.layout))?;
        }
        last = look(device, began, returns_to_app(&step.event))?;
        screens.push(ReplayedScreen::of(step.sentence.clone(), &last, &first));
    }
    Ok(Replayed { screens, last, reported: Vec::new(), not_performed: None, stuck })
}

/// Runs the DMFs among these units again and judges them; other events are performed again.
fn replay_units(
    (saved, spec): (&SavedTrace, &Spec),
    device: &mut dyn Device,
    units: &[Unit],
    cancelled: &dyn Fn() -> bool,
) -> Result<(Replayed, Trace), Stop> {
    let target = TestTarget::new(&saved.app, spec, true).beginning_with(saved.initialiser.as_ref());
    let target = target.with_rules(saved.rules.clone());
    let rig = Rig { target: &target, policy: saved.policy, guarded: false, cancelled };
    let mut watcher = StuckWatcher::default();
    let Rerun { trace, done, reported, .. } = reexecute(device, rig, units, None, &mut watcher)?;
    let first = trace.first();
    let start = ReplayedScreen::of(START.to_owned(), first, first);
    let steps = trace.framed_steps().map(|(before, step)| {
        ReplayedScreen::of(event_sentence(&step.event, &before.layout), &step.after, first)
    });
    let screens = std::iter::once(start).chain(steps).collect();
    let stopped_at = units.iter().zip(&done).find(|(_, done)| !done.ran());
    let stopped_at = stopped_at.map(|(unit, _)| match unit {
        Unit::Dmf { name, .. } => format!("\u{201c}{name}\u{201d} could not be run to its end"),
        Unit::Event { .. } | Unit::Detour { .. } => "a widget of the trace is not there any more".to_owned(),
    });
    let ended = (done.len() < units.len()).then(|| "the trace ended early".to_owned());
    let (last, not_performed) = (trace.last().clone(), stopped_at.or(ended));
    Ok((Replayed { screens, last, reported, not_performed, stuck: watcher.first }, trace))
}

const START: &str = "Start the app";

fn compared(saved: &SavedTrace, replayed: &Replayed) -> Vec<RetracedStep> {
    let count = (saved.steps.len() + 1).max(replayed.screens.len());
    let step = |index: usize| {
        let (known, found) = (saved.screen(index), replayed.screens.get(index));
        let kept = index.checked_sub(1).and_then(|step| saved.steps.get(step));
        let sentence = match (kept, found) {
            (Some(kept), _) => kept.sentence.clone(),
            (None, Some(seen)) => seen.sentence.clone(),
            (None, None) => START.to_owned(),
        };
        let (likeness, difference) = match (known, found) {
            (Some(known), Some(ReplayedScreen { print: found, .. })) => match known.likeness(found) {
                Likeness::Same => (Some(Likeness::Same), String::new()),
                other => (Some(other), known.difference(found)),
            },
            (Some(_), None) => (None, "it was not done again".to_owned()),
            (None, _) => (None, "it was not done before".to_owned()),
        };
        RetracedStep {
            sentence,
            likeness,
            difference,
            activity: found.map_or(String::new(), |found| found.activity.clone()),
            millis: found.map(|found| found.millis),
        }
    };
    (0..count).map(step).collect()
}

fn judge(kind: &ExpectationKind, replayed: &Replayed) -> JudgedOutcome {
    let layout = &replayed.last.layout;
    match kind {
        ExpectationKind::Shown(selector) => match selector.matches(layout).is_empty() {
            false => JudgedOutcome::Held,
            true => JudgedOutcome::Broken(format!("nothing on the last screen has {selector}")),
        },
        ExpectationKind::NotShown(selector) => match selector.matches(layout).len() {
            0 => JudgedOutcome::Held,
            1 => JudgedOutcome::Broken(format!("the last screen shows it: {selector}")),
            many => JudgedOutcome::Broken(format!("the last screen shows it {many} times: {selector}")),
        },
        ExpectationKind::Running => match &replayed.last.health {
            AppHealth::Running => JudgedOutcome::Held,
            AppHealth::Crashed(report) | AppHealth::NotResponding(report) => {
                JudgedOutcome::Broken(format!("{}: {}", report.exception, report.message))
            }
            AppHealth::LeftApp(activity) => JudgedOutcome::Broken(format!("{activity} is in front")),
        },
        ExpectationKind::Never(origin) => {
            match (appears(&replayed.reported, origin), &replayed.not_performed) {
                (Some(reported), _) => JudgedOutcome::Broken(reported.violation.title.clone()),
                (None, Some(not_performed)) => JudgedOutcome::NotJudged(not_performed.clone()),
                (None, None) => JudgedOutcome::Held,
            }
        }
    }
}

impl Retraced {
    /// Index of the first step that was not as before; 0 is the start, `None` if nothing differs.
    pub fn first_difference(&self) -> Option<usize> {
        self.steps.iter().position(|step| step.likeness != Some(Likeness::Same))
    }

    /// Whether everything is known to be as it should be.
    pub fn passed(&self) -> bool {
        self.outcome() == RetraceOutcome::Passed
    }

    /// The overall result of the replay.
    pub fn outcome(&self) -> RetraceOutcome {
        let any =
            |wanted: fn(&JudgedOutcome) -> bool| self.judged.iter().any(|judged| wanted(&judged.outcome));
        if any(|outcome| matches!(outcome, JudgedOutcome::Broken(_))) {
            RetraceOutcome::Failed
        } else if any(|outcome| matches!(outcome, JudgedOutcome::NotJudged(_))) {
            RetraceOutcome::Unjudged
        } else if self.judged.is_empty() && self.first_difference().is_some() {
            RetraceOutcome::Failed
        } else {
            RetraceOutcome::Passed
        }
    }
}
