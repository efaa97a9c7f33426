//! A saved trace: the events, prints by which the screens are recognised and, for a regression test, expectations that
//! must hold at the end.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{CampaignPlan, Finding};
use taproof_engine::RunPolicy;
use taproof_engine::device::Build;
use taproof_screen::{
    DmfSpan, Event, FindingOrigin, Frame, Initialiser, Layout, ScreenPrint, Selector, Step, StepRole,
    TouchTarget, Trace, event_sentence, touched_widget,
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

/// What must hold when a trace is replayed, or what is known to hold after one of its steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expectation {
    /// The expectation as a sentence for people.
    pub sentence: String,
    /// How the expectation is judged.
    #[serde(flatten)]
    pub kind: ExpectationKind,
    /// After how many steps it holds; `None` for the end. Only what is expected of the end is judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<usize>,
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
    Running,
    /// No violation of this origin appears while the DMFs are run again and judged.
    Never(FindingOrigin),
}

impl Expectation {
    /// The expectation for a trace that begins after `first` steps of this one, which has `count`; `None` if it is about
    /// an earlier screen.
    pub fn moved(&self, first: usize, count: usize) -> Option<Expectation> {
        let after = self.after.unwrap_or(count).checked_sub(first)?;
        Some(Expectation { after: Some(after), ..self.clone() })
    }
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
        let steps = trace.framed_steps();
        let steps = steps.map(|(before, step)| (&step.event, step.role, before, &step.after));
        let mut saved = SavedTrace::of_steps(title, (&plan.app, &plan.build), trace.first(), steps);
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
        saved.expectations.push(Expectation { sentence, kind, after: None });
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
