//! A trace that was kept: what was done, by what its screens are known again and, for a regression test,
//! what must be so at the end. It is done again here and compared step by step.

use std::sync::Arc;

use super::reexecute::{Rerun, appears, reexecute, units_from, units_of};
use super::{Build, CampaignPlan, DeviceSource, Finding, InitialisedPhones, Reference, Rig, Unit};
use crate::device::{AppData, AppId, Device};
use crate::engine::{NoWatcher, PbfdroidConfig, Reported, RunPolicy, Setting, Stop};
use crate::model::{
    AppHealth, DmfSpan, Event, FindingOrigin, Frame, Initialiser, Layout, Likeness, ScreenPrint, Selector,
    Step, StepRole, Target, Trace, Verdict, XPath, event_sentence, touched_widget,
};
use crate::spec::{Spec, SpecSelector, TextPattern, choose_selector};

/// A trace that was kept.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedTrace {
    /// What people call it.
    pub title: String,
    /// Package of the app; its data are cleared and it is launched before the first step.
    pub app: String,
    /// Which of its catalogued bugs were on.
    pub build: Build,
    /// What is done after the launch, before the first step.
    pub initialiser: Option<Arc<Initialiser>>,
    /// The screen before the first step.
    pub start: ScreenPrint,
    /// What was done.
    pub steps: Vec<SavedStep>,
    /// The screens in full, the start first; empty where only their prints were kept.
    pub frames: Vec<Frame>,
    /// The runs of DMFs among the steps; they index `spec`.
    pub spans: Vec<DmfSpan>,
    /// The DMFs and invariants by which the expectations are judged; empty if none needs them.
    pub spec: Spec,
    /// How DMFs are run.
    pub policy: RunPolicy,
    /// What must be so; empty for a trace that is only compared.
    pub expectations: Vec<Expectation>,
}

/// A step of a trace that was kept.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedStep {
    /// What is done, in words.
    pub sentence: String,
    /// What is done.
    pub event: Event,
    /// Why it was sent.
    pub role: StepRole,
    /// The screen after it.
    pub after: ScreenPrint,
}

/// What must be so when a trace is done again.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// In words.
    pub sentence: String,
    /// By what it is judged.
    pub kind: ExpectationKind,
}

/// By what an expectation is judged.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpectationKind {
    /// The last screen shows such a widget.
    Shown(Selector),
    /// The last screen shows no such widget.
    NotShown(Selector),
    /// The app is in front and answers at the end.
    Running,
    /// This does not happen while the DMFs are run again and judged.
    Never(FindingOrigin),
}

/// A trace that was done again.
#[derive(Clone, Debug)]
pub struct Retraced {
    /// The start and each step.
    pub steps: Vec<RetracedStep>,
    /// What became of the expectations.
    pub judged: Vec<Judged>,
}

/// How a trace that was done again came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Came {
    /// All expectations held or, without any, every screen was as before.
    AsItShould,
    /// An expectation did not hold or, without any, a screen was not as before.
    Otherwise,
    /// None is known not to hold, and of one nothing can be said.
    Unjudged,
}

/// One step that was done again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetracedStep {
    /// What was done, in words.
    pub sentence: String,
    /// How the screen after it is like the one kept; `None` where only one of the two has the step.
    pub likeness: Option<Likeness>,
    /// What differs, in words; empty where nothing does.
    pub difference: String,
}

/// What became of an expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The expectation in words.
    pub sentence: String,
    /// What came of it.
    pub outcome: JudgedOutcome,
}

/// What came of an expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JudgedOutcome {
    /// It is so.
    Held,
    /// It is not so: what was seen instead.
    Broken(String),
    /// It cannot be said: why.
    NotJudged(String),
}

/// Something that was done, between two screens.
pub type Done<'a> = (&'a Event, StepRole, &'a Frame, &'a Frame);

impl SavedTrace {
    /// Keeps what was done on an app that was launched with empty data. A widget that was only pointed at
    /// gets a selector, so that the trace survives a screen on which it stands elsewhere.
    pub fn of_steps<'a>(
        title: String,
        (app, build): (&str, &Build),
        start: &Frame,
        steps: impl IntoIterator<Item = Done<'a>>,
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
            policy: default_policy(),
            expectations: Vec::new(),
        }
    }

    /// Keeps a trace of a campaign, with the DMFs that it runs.
    pub fn of_trace(title: String, plan: &CampaignPlan, trace: &Trace) -> Self {
        let mut saved = SavedTrace::of_steps(title, (&plan.app, &plan.build), trace.first(), done_in(trace));
        saved.initialiser.clone_from(&plan.initialiser);
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

    /// Keeps the shortest trace of a finding as a regression test: it fails as long as the finding comes back.
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

    /// What was done and seen; `None` where only prints of the screens were kept.
    pub fn trace(&self) -> Option<Trace> {
        let (start, after) = self.frames.split_first()?;
        let mut trace = Trace::start(start.clone());
        for (step, after) in self.steps.iter().zip(after) {
            trace.push(Step { event: step.event.clone(), role: step.role, after: after.clone() });
        }
        trace.spans.clone_from(&self.spans);
        (trace.len() == self.steps.len()).then_some(trace)
    }

    /// The screen after so many steps.
    pub fn screen(&self, steps: usize) -> Option<&ScreenPrint> {
        match steps.checked_sub(1) {
            None => Some(&self.start),
            Some(step) => self.steps.get(step).map(|step| &step.after),
        }
    }
}

/// How DMFs are run where nobody says otherwise.
pub fn default_policy() -> RunPolicy {
    PbfdroidConfig::default().run_policy()
}

/// What was done in a trace.
fn done_in(trace: &Trace) -> impl Iterator<Item = Done<'_>> {
    trace
        .steps()
        .iter()
        .enumerate()
        .filter_map(|(index, step)| Some((&step.event, step.role, trace.frame(index)?, &step.after)))
}

/// The event with a selector for the widget that was pointed at.
pub(super) fn named(event: &Event, before: &Layout) -> Event {
    let Event::Widget { target, gesture } = event else { return event.clone() };
    let touched = touched_widget(event, before).filter(|_| target.selector.is_empty());
    let chosen = touched.map(|idx| choose_selector(before, idx, &[]).selector);
    match chosen.and_then(|selector| plain(&selector)) {
        Some(selector) => {
            Event::Widget { target: Target { selector, ..target.clone() }, gesture: gesture.clone() }
        }
        None => event.clone(),
    }
}

/// A selector that depends on no run.
pub fn plain(selector: &SpecSelector) -> Option<Selector> {
    let text = match &selector.text {
        TextPattern::Any => None,
        TextPattern::Is(text) => Some(text.clone()),
        TextPattern::FromRead(_) | TextPattern::Existing(_) => return None,
    };
    let xpath = selector.xpath.as_deref().map(XPath::parse).transpose().ok()?;
    Some(Selector {
        resource_id: selector.resource_id.clone(),
        class: selector.class.clone(),
        text,
        content_desc: selector.content_desc.clone(),
        xpath,
        instance: selector.instance,
    })
}

/// What was seen when a trace was done again.
struct Seen {
    /// What was done, in words, and the screen after it; the first is the start.
    screens: Vec<(String, ScreenPrint)>,
    last: Frame,
    reported: Vec<Reported>,
    /// What could not be done, in words.
    undone: Option<String>,
}

/// Does a trace again on a fresh device and compares.
pub fn retrace(
    saved: &SavedTrace,
    source: &mut dyn DeviceSource,
    cancelled: &dyn Fn() -> bool,
) -> Result<Retraced, Stop> {
    let mut device = InitialisedPhones::new(source, &saved.app, saved.initialiser.as_ref()).fresh(&[])?;
    let device = &mut *device;
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
    Ok(Retraced { steps: compared(saved, &seen), judged: judged.collect() })
}

/// Does both traces of a finding again that takes two to see, each on a fresh device, and compares them again.
pub fn retrace_pair(
    plan: &CampaignPlan,
    finding: &Finding,
    reference: &Reference,
    source: &mut dyn DeviceSource,
    cancelled: &dyn Fn() -> bool,
) -> Result<Retraced, Stop> {
    let saved = SavedTrace::of_finding(plan, finding);
    let source = &mut InitialisedPhones::new(source, &plan.app, plan.initialiser.as_ref());
    let setting = Setting::new(&saved.app, &plan.spec, true);
    let rig = Rig { setting: &setting, policy: saved.policy, cancelled };
    let mut again = |trace: &Trace| {
        let units = units_of(trace, trace.len());
        let rerun = reexecute(&mut *source.fresh(&[])?, rig, &units, None, &mut NoWatcher)?;
        Ok::<_, Stop>((seen_in(&units, &rerun), rerun.trace))
    };
    let (witness, witness_trace) = again(&finding.minimal.trace)?;
    let (other, other_trace) = again(&reference.evidence.trace)?;
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
    Ok(Retraced { steps: compared(&saved, &witness), judged: vec![Judged { sentence, outcome }] })
}

/// Each event as it was done, on its widget wherever that is now.
fn do_again(saved: &SavedTrace, device: &mut dyn Device, cancelled: &dyn Fn() -> bool) -> Result<Seen, Stop> {
    device.launch(&AppId(saved.app.clone()), AppData::Clear)?;
    let mut last = device.observe()?;
    let mut screens = vec![(START.to_owned(), ScreenPrint::of(&last.layout))];
    for step in &saved.steps {
        if cancelled() {
            return Err(Stop::Cancelled);
        }
        device.perform(&step.event.aimed(&last.layout))?;
        last = device.observe()?;
        screens.push((step.sentence.clone(), ScreenPrint::of(&last.layout)));
    }
    Ok(Seen { screens, last, reported: Vec::new(), undone: None })
}

/// DMFs are run and judged again; other events are done again.
fn run_again(
    saved: &SavedTrace,
    device: &mut dyn Device,
    cancelled: &dyn Fn() -> bool,
) -> Result<Seen, Stop> {
    let setting = Setting::new(&saved.app, &saved.spec, true);
    let rig = Rig { setting: &setting, policy: saved.policy, cancelled };
    let step = |at: usize| saved.steps.get(at).map(|step| (&step.event, step.role));
    let units = units_from(step, &saved.spans, saved.steps.len());
    let rerun = reexecute(device, rig, &units, None, &mut NoWatcher)?;
    Ok(seen_in(&units, &rerun))
}

/// What was seen when units were run again.
fn seen_in(units: &[Unit], rerun: &Rerun) -> Seen {
    let start = (START.to_owned(), ScreenPrint::of(&rerun.trace.first().layout));
    let steps = done_in(&rerun.trace).map(|(event, _, before, after)| {
        (event_sentence(event, &before.layout), ScreenPrint::of(&after.layout))
    });
    let screens = std::iter::once(start).chain(steps).collect();
    let undone = units.iter().zip(&rerun.done).find(|(_, done)| !done.ran());
    let undone = undone.map(|(unit, _)| match unit {
        Unit::Dmf { name, .. } => format!("\u{201c}{name}\u{201d} could not be run to its end"),
        Unit::Event { .. } => "a widget of the trace is not there any more".to_owned(),
    });
    let ended = (rerun.done.len() < units.len()).then(|| "the trace ended early".to_owned());
    let last = rerun.trace.last().clone();
    Seen { screens, last, reported: rerun.reported.clone(), undone: undone.or(ended) }
}

const START: &str = "Start the app";

fn compared(saved: &SavedTrace, seen: &Seen) -> Vec<RetracedStep> {
    let count = (saved.steps.len() + 1).max(seen.screens.len());
    let step = |index: usize| {
        let (known, found) = (saved.screen(index), seen.screens.get(index));
        let kept = index.checked_sub(1).and_then(|step| saved.steps.get(step));
        let sentence = match (kept, found) {
            (Some(kept), _) => kept.sentence.clone(),
            (None, Some((sentence, _))) => sentence.clone(),
            (None, None) => START.to_owned(),
        };
        let (likeness, difference) = match (known, found) {
            (Some(known), Some((_, found))) => match known.likeness(found) {
                Likeness::Same => (Some(Likeness::Same), String::new()),
                other => (Some(other), known.difference(found)),
            },
            (Some(_), None) => (None, "it was not done again".to_owned()),
            (None, _) => (None, "it was not done before".to_owned()),
        };
        RetracedStep { sentence, likeness, difference }
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
    /// The first step that was not as before; 0 is the start.
    pub fn first_difference(&self) -> Option<usize> {
        self.steps.iter().position(|step| step.likeness != Some(Likeness::Same))
    }

    /// Whether it is known to be as it should be.
    pub fn passed(&self) -> bool {
        self.came() == Came::AsItShould
    }

    /// How it came out.
    pub fn came(&self) -> Came {
        let any =
            |wanted: fn(&JudgedOutcome) -> bool| self.judged.iter().any(|judged| wanted(&judged.outcome));
        if any(|outcome| matches!(outcome, JudgedOutcome::Broken(_))) {
            Came::Otherwise
        } else if any(|outcome| matches!(outcome, JudgedOutcome::NotJudged(_))) {
            Came::Unjudged
        } else if self.judged.is_empty() && self.first_difference().is_some() {
            Came::Otherwise
        } else {
            Came::AsItShould
        }
    }
}
