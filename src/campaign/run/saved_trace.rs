//! A saved trace: the events, prints by which the screens are recognised and, for a regression test, expectations that
//! must hold at the end. It can be replayed, with a comparison step by step.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::stuck_watcher::StuckWatcher;
use crate::confirm::confirm_pair::{units_in_pair, with_control};
use crate::confirm::reexecute::{Rerun, appears, reexecute, units_from};
use crate::{CampaignPlan, Finding, InitialisedDevices, Reference, Rig, Unit};
use taproof_engine::device::{
    AppData, AppId, Arrivals, Build, Device, DeviceSource, StuckStep, returns_to_app,
};
use taproof_engine::{Reported, RunPolicy, Stop, TestTarget};
use taproof_screen::{
    AppHealth, DmfSpan, Event, FindingOrigin, Frame, Initialiser, Layout, Likeness, ScreenPrint, Selector,
    Step, StepRole, TouchTarget, Trace, Verdict, event_sentence, touched_widget,
};
use taproof_spec::{Spec, SpecSelector, TestRules, TextPattern, choose_selector};

/// A trace that was saved to a file.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedTrace {
    /// Display name of the trace.
    pub title: String,
    /// Package name of the app. Its data are cleared and it is launched before the first step.
    pub app: String,
    /// Which of the app's catalogued bugs were switched on.
    pub build: Build,
    /// Steps between the launch and the first step, if there are any.
    pub initialiser: Option<Arc<Initialiser>>,
    /// Print of the screen before the first step.
    pub start: ScreenPrint,
    /// The steps in order.
    pub steps: Vec<SavedStep>,
    /// The full screens, including the one before the first step. Empty if only prints were saved.
    pub frames: Vec<Frame>,
    /// The runs of DMFs among the steps. Their indices refer to `spec`.
    pub spans: Vec<DmfSpan>,
    /// The DMFs and invariants that the expectations refer to; empty if there are none.
    pub spec: Spec,
    /// How DMFs are run.
    pub policy: RunPolicy,
    /// The tester's rules, which act in a replay as they did before.
    pub rules: TestRules,
    /// What must hold at the end; empty for a trace whose screens are only compared.
    pub expectations: Vec<Expectation>,
}

/// A step of a saved trace.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedStep {
    /// The event in words.
    pub sentence: String,
    /// The event to perform.
    pub event: Event,
    /// Why the event was sent.
    pub role: StepRole,
    /// Print of the screen after the event.
    pub after: ScreenPrint,
}

/// What must hold when a trace is replayed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expectation {
    /// The expectation as a sentence for people.
    pub sentence: String,
    /// How the expectation is judged.
    #[serde(flatten)]
    pub kind: ExpectationKind,
}

/// How an expectation is judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExpectationKind {
    /// The last screen shows such a widget.
    Shown(Selector),
    /// The last screen shows no such widget.
    NotShown(Selector),
    /// At the end the app is running and in the foreground.
    #[serde(serialize_with = "is_so", deserialize_with = "is_so_in")]
    Running,
    /// No violation of this origin appears while the DMFs are run again and judged.
    Never(FindingOrigin),
}

/// Files contain `"running": true`.
fn is_so<S: Serializer>(to: S) -> Result<S::Ok, S::Error> {
    to.serialize_bool(true)
}

fn is_so_in<'de, D: Deserializer<'de>>(from: D) -> Result<(), D::Error> {
    bool::deserialize(from).map(drop)
}

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

/// A performed event with its role and the frames before and after it.
pub type PerformedStep<'a> = (&'a Event, StepRole, &'a Frame, &'a Frame);

impl SavedTrace {
    /// Saves steps that were performed on an app that was launched with empty data. A widget that was only addressed by
    /// coordinates gets a selector, so that the replay still works on a screen on which the widget is elsewhere.
    pub fn of_steps<'a>(
        title: String,
        (app, build): (&str, &Build),
        start: &Frame,
        steps: impl IntoIterator<Item = PerformedStep<'a>>,
    ) -> Self {
        let mut frames = vec![start.clone()];
        let steps = steps.into_iter().map(|(event, role, before, after)| {
            frames.push(after.clone());
            SavedStep {
                sentence: event_sentence(event, &before.layout),
                event: named(event, &before.layout),
                role,
                after: ScreenPrint::of(&after.layout),
            }
        });
        SavedTrace {
            steps: steps.collect(),
            frames,
            title,
            app: app.to_owned(),
            build: build.clone(),
            initialiser: None,
            start: ScreenPrint::of(&start.layout),
            spans: Vec::new(),
            spec: Spec::default(),
            policy: RunPolicy::default(),
            rules: TestRules::default(),
            expectations: Vec::new(),
        }
    }

    /// Saves a trace of a campaign, with the DMFs that it runs.
    pub fn of_trace(title: String, plan: &CampaignPlan, trace: &Trace) -> Self {
        let mut saved = SavedTrace::of_steps(title, (&plan.app, &plan.build), trace.first(), done_in(trace));
        saved.initialiser.clone_from(&plan.initialiser);
        saved.rules = plan.all_rules();
        saved.spec.invariants.clone_from(&plan.spec.invariants);
        for span in trace.spans.iter().filter(|span| span.completed) {
            let Some(dmf) = plan.spec.dmfs.get(span.dmf) else { continue };
            let known = saved.spec.dmfs.iter().position(|known| known == dmf);
            let place = known.unwrap_or(saved.spec.dmfs.len());
            if known.is_none() {
                saved.spec.dmfs.push(dmf.clone());
            }
            saved.spans.push(DmfSpan { dmf: place, ..span.clone() });
        }
        saved
    }

    /// Saves the minimal trace of a finding as a regression test, which fails as long as the violation can be
    /// reproduced.
    pub fn of_finding(plan: &CampaignPlan, finding: &Finding) -> Self {
        let mut saved = SavedTrace::of_trace(finding.title.clone(), plan, &finding.minimal.trace);
        if let Some(engine) = plan.engine_named(finding.engine) {
            saved.policy = engine.settings().run_policy();
        }
        let conditions = finding.violation.failures.iter().map(|failure| failure.condition.as_str());
        let conditions: Vec<&str> = conditions.collect();
        let sentence = match conditions.is_empty() {
            true => format!("this does not happen: {}", finding.title),
            false => format!("{}: {}", finding.origin.subject, conditions.join("; ")),
        };
        let kind = ExpectationKind::Never(finding.origin.clone());
        saved.expectations.push(Expectation { sentence, kind });
        saved
    }

    /// The events and screens as a [`Trace`]; `None` if only prints of the screens were saved.
    pub fn trace(&self) -> Option<Trace> {
        let (start, after) = self.frames.split_first()?;
        let mut trace = Trace::start(start.clone());
        for (step, after) in self.steps.iter().zip(after) {
            trace.push(Step { event: step.event.clone(), role: step.role, after: after.clone() });
        }
        trace.spans.clone_from(&self.spans);
        (trace.len() == self.steps.len()).then_some(trace)
    }

    /// Print of the screen after this many steps; `None` if there are fewer.
    pub fn screen(&self, steps: usize) -> Option<&ScreenPrint> {
        match steps.checked_sub(1) {
            None => Some(&self.start),
            Some(step) => self.steps.get(step).map(|step| &step.after),
        }
    }
}

/// The steps of a trace, each with the frames around it.
fn done_in(trace: &Trace) -> impl Iterator<Item = PerformedStep<'_>> {
    trace
        .steps()
        .iter()
        .enumerate()
        .filter_map(|(index, step)| Some((&step.event, step.role, trace.frame(index)?, &step.after)))
}

/// Returns the event with a selector for its widget, if it was only addressed by coordinates and a selector can be
/// found.
pub(crate) fn named(event: &Event, before: &Layout) -> Event {
    let Event::Widget { target, gesture } = event else { return event.clone() };
    let touched = touched_widget(event, before).filter(|_| target.selector.is_empty());
    let chosen = touched.map(|idx| choose_selector(before, idx, &[]).selector);
    match chosen.and_then(|selector| plain(&selector)) {
        Some(selector) => {
            Event::Widget { target: TouchTarget { selector, ..target.clone() }, gesture: gesture.clone() }
        }
        None => event.clone(),
    }
}

/// The selector as one that depends on no run. `None` if its text refers to a value that was read or to an existing
/// object, or if its XPath is invalid.
pub fn plain(selector: &SpecSelector) -> Option<Selector> {
    let text = match &selector.text {
        TextPattern::Any => None,
        TextPattern::Is(text) => Some(text.clone()),
        TextPattern::FromRead(_) | TextPattern::Existing(_) => return None,
    };
    selector.with_text(text).ok()
}

/// A screen that was seen in a replay.
struct SeenScreen {
    /// The event before it in words.
    sentence: String,
    print: ScreenPrint,
    activity: String,
    millis: u64,
}

impl SeenScreen {
    fn of(sentence: String, frame: &Frame, start: &Frame) -> SeenScreen {
        SeenScreen {
            sentence,
            print: ScreenPrint::of(&frame.layout),
            activity: frame.layout.activity().to_string(),
            millis: frame.at.since(start.at).millis(),
        }
    }
}

/// What was seen in a replay.
struct Seen {
    /// The first entry is the start.
    screens: Vec<SeenScreen>,
    last: Frame,
    reported: Vec<Reported>,
    /// What could not be executed, in words; `None` if everything could.
    undone: Option<String>,
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
    let seen = if saved.expectations.iter().any(judged_by_runs) {
        run_again(saved, device, cancelled)?
    } else {
        do_again(saved, device, cancelled)?
    };
    let judged = saved.expectations.iter().map(|expectation| Judged {
        sentence: expectation.sentence.clone(),
        outcome: judge(&expectation.kind, &seen),
    });
    Ok(Retraced {
        steps: compared(saved, &seen),
        judged: judged.collect(),
        device: serial,
        stuck: seen.stuck.clone(),
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
    let target = TestTarget::new(&saved.app, &plan.spec, true).beginning_with(plan.initialiser.as_ref());
    let target = target.with_rules(saved.rules.clone());
    let rig = Rig { target: &target, policy: saved.policy, guarded: false, cancelled };
    let mut serial = String::new();
    let mut again = |units: &[Unit]| {
        let mut device = source.fresh()?;
        serial.clone_from(&device.info().serial);
        let mut watcher = StuckWatcher::default();
        let rerun = reexecute(&mut *device, rig, units, None, &mut watcher)?;
        Ok::<_, Stop>((seen_in(units, &rerun, watcher.first), rerun.trace))
    };
    let units = |trace: &Trace| units_in_pair(&reference.rule, trace);
    let (witness, witness_trace) = again(&units(&finding.minimal.trace))?;
    let compared_with = with_control(&reference.rule, &witness_trace, &units(&reference.evidence.trace));
    let (other, other_trace) = again(&compared_with)?;
    let undone = witness.undone.clone().or(other.undone);
    let outcome = match (reference.rule.judge(&witness_trace, &other_trace), undone) {
        (Verdict::Violated(violation), _) => JudgedOutcome::Broken(violation.title),
        (Verdict::Holds, None) => JudgedOutcome::Held,
        (_, Some(undone)) => JudgedOutcome::NotJudged(undone),
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
fn do_again(saved: &SavedTrace, device: &mut dyn Device, cancelled: &dyn Fn() -> bool) -> Result<Seen, Stop> {
    let mut arrivals = Arrivals::default();
    let mut look = |device: &mut dyn Device, began, returns| {
        let seen = |device: &mut dyn Device| Ok(saved.rules.seen(device.observe()?, &saved.app));
        arrivals.look(device, &saved.app, (began, returns), seen)
    };
    let began = device.now();
    device.launch(&AppId(saved.app.clone()), AppData::Clear)?;
    let mut last = look(device, began, true)?;
    let (first, mut stuck) = (last.clone(), None);
    let mut screens = vec![SeenScreen::of(START.to_owned(), &last, &first)];
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
        screens.push(SeenScreen::of(step.sentence.clone(), &last, &first));
    }
    Ok(Seen { screens, last, reported: Vec::new(), undone: None, stuck })
}

/// Runs the DMFs again and judges them; other events are performed again.
fn run_again(
    saved: &SavedTrace,
    device: &mut dyn Device,
    cancelled: &dyn Fn() -> bool,
) -> Result<Seen, Stop> {
    let target = TestTarget::new(&saved.app, &saved.spec, true).beginning_with(saved.initialiser.as_ref());
    let target = target.with_rules(saved.rules.clone());
    let rig = Rig { target: &target, policy: saved.policy, guarded: false, cancelled };
    let step = |at: usize| saved.steps.get(at).map(|step| (&step.event, step.role));
    let units = units_from(step, &saved.spans, saved.steps.len());
    let mut watcher = StuckWatcher::default();
    let rerun = reexecute(device, rig, &units, None, &mut watcher)?;
    Ok(seen_in(&units, &rerun, watcher.first))
}

/// What was seen when units were re-executed.
fn seen_in(units: &[Unit], rerun: &Rerun, stuck: Option<StuckStep>) -> Seen {
    let first = rerun.trace.first();
    let start = SeenScreen::of(START.to_owned(), first, first);
    let steps = done_in(&rerun.trace)
        .map(|(event, _, before, after)| SeenScreen::of(event_sentence(event, &before.layout), after, first));
    let screens = std::iter::once(start).chain(steps).collect();
    let undone = units.iter().zip(&rerun.done).find(|(_, done)| !done.ran());
    let undone = undone.map(|(unit, _)| match unit {
        Unit::Dmf { name, .. } => format!("\u{201c}{name}\u{201d} could not be run to its end"),
        Unit::Event { .. } | Unit::Detour { .. } => "a widget of the trace is not there any more".to_owned(),
    });
    let ended = (rerun.done.len() < units.len()).then(|| "the trace ended early".to_owned());
    let last = rerun.trace.last().clone();
    Seen { screens, last, reported: rerun.reported.clone(), undone: undone.or(ended), stuck }
}

const START: &str = "Start the app";

fn compared(saved: &SavedTrace, seen: &Seen) -> Vec<RetracedStep> {
    let count = (saved.steps.len() + 1).max(seen.screens.len());
    let step = |index: usize| {
        let (known, found) = (saved.screen(index), seen.screens.get(index));
        let kept = index.checked_sub(1).and_then(|step| saved.steps.get(step));
        let sentence = match (kept, found) {
            (Some(kept), _) => kept.sentence.clone(),
            (None, Some(seen)) => seen.sentence.clone(),
            (None, None) => START.to_owned(),
        };
        let (likeness, difference) = match (known, found) {
            (Some(known), Some(SeenScreen { print: found, .. })) => match known.likeness(found) {
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

fn judge(kind: &ExpectationKind, seen: &Seen) -> JudgedOutcome {
    let layout = &seen.last.layout;
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
        ExpectationKind::Running => match &seen.last.health {
            AppHealth::Running => JudgedOutcome::Held,
            AppHealth::Crashed(report) | AppHealth::NotResponding(report) => {
                JudgedOutcome::Broken(format!("{}: {}", report.exception, report.message))
            }
            AppHealth::LeftApp(activity) => JudgedOutcome::Broken(format!("{activity} is in front")),
        },
        ExpectationKind::Never(origin) => match (appears(&seen.reported, origin), &seen.undone) {
            (Some(reported), _) => JudgedOutcome::Broken(reported.violation.title.clone()),
            (None, Some(undone)) => JudgedOutcome::NotJudged(undone.clone()),
            (None, None) => JudgedOutcome::Held,
        },
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
