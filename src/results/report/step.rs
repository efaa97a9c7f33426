//! What can be shown of a step of a finding. Pure functions, shared by the window's replay and the reports, so that
//! both show the same.

use std::collections::BTreeMap;
use std::sync::Arc;

use taproof_campaign::{Evidence, Finding};
use taproof_engine::oracle::preservation::is_control;
use taproof_screen::determinism::DeviceDuration;
use taproof_screen::{
    Event, FailedCheck, Frame, Gesture, Layout, Step, StepRole, TouchTarget, Trace, Widget, WidgetChange,
    WidgetIdx, diff_layouts, event_for_people, event_sentence, touched_widget, widget_name, words,
};

words! {
    /// Why a widget is marked.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Mark {
        /// The event was performed on it.
        Touched = "touched",
        /// It is evidence of a failed condition.
        Offending = "wrong",
        /// It was not there before the step.
        Added = "new",
        /// It was different before the step.
        Changed = "changed",
    }
    /// The text of its badge.
    pub fn word;
}

/// One of a finding's traces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingTrace {
    /// The shortest trace that shows the violation.
    #[default]
    Minimal,
    /// The test in which the violation was seen.
    Original,
    /// The trace that the minimal one is compared with, if the violation is seen by comparing two.
    Reference,
}

/// What is shown of one step.
#[derive(Clone, Debug)]
pub struct ReplayFrame {
    /// Index of the step.
    pub step: usize,
    /// Number of steps of the trace.
    pub steps: usize,
    /// The event in words.
    pub sentence: String,
    /// The event in words with the class and id of its widget; empty for the launch.
    pub exact: String,
    /// Name of the DMF that the step belongs to; `None` if it belongs to none.
    pub dmf: Option<String>,
    /// The layout before the step.
    pub before: Arc<Layout>,
    /// The layout after the step.
    pub after: Arc<Layout>,
    /// Index of the trace's frame after the step. The index of the frame before it is that of the step.
    pub frame_after: usize,
    /// The event of the step; `None` for the launch.
    pub event: Option<Event>,
    /// The widget that received the event, in the layout before; `None` if none did.
    pub touched: Option<WidgetIdx>,
    /// The marks in the layout before.
    pub marks_before: BTreeMap<WidgetIdx, Mark>,
    /// The marks in the layout after.
    pub marks_after: BTreeMap<WidgetIdx, Mark>,
    /// The failed conditions; empty except on the last step.
    pub failures: Vec<FailedCheck>,
    /// Texts that should be shown by the layout after, and are not.
    pub missing: Vec<String>,
    /// The data that the app should hold after the step: data types with their objects.
    pub data: Vec<(String, Vec<String>)>,
    /// The differences between the two layouts.
    pub changes: Vec<Change>,
}

/// A widget that differs between two layouts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// How the widget differs.
    pub kind: ChangeKind,
    /// The widget in words.
    pub text: String,
    /// The widget in the layout after; `None` if it was removed.
    pub after: Option<WidgetIdx>,
}

/// How a widget differs between two layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// The widget is only in the layout after.
    Added,
    /// The widget is only in the layout before.
    Removed,
    /// The widget is in both layouts, with other attributes.
    Changed,
}

impl FindingTrace {
    /// The trace to switch to: the original one from the minimal one, otherwise the minimal one.
    pub fn other(self) -> FindingTrace {
        match self {
            FindingTrace::Minimal => FindingTrace::Original,
            FindingTrace::Original | FindingTrace::Reference => FindingTrace::Minimal,
        }
    }

    /// The trace with its screenshots.
    pub fn of(self, finding: &Finding) -> &Evidence {
        match self {
            FindingTrace::Minimal => &finding.minimal,
            FindingTrace::Original => &finding.witness,
            FindingTrace::Reference => finding.reference.as_ref().map_or(&finding.minimal, |it| &it.evidence),
        }
    }
}

/// What a step did, when and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepFacts {
    /// The event in words.
    pub sentence: String,
    /// Name of the DMF that the step belongs to; `None` if it belongs to none.
    pub dmf: Option<String>,
    /// Why the event was performed.
    pub role: StepRole,
    /// The activity that it was performed on, as `package/class`; empty if unknown.
    pub activity: String,
    /// Name of the page that it was performed on.
    pub page: String,
    /// When its effect was seen on the device's clock, in milliseconds since the test began.
    pub millis: u64,
}

impl StepFacts {
    /// When and where, in words.
    pub fn place(&self) -> String {
        format!("{:.1} s, {}", self.millis as f64 / 1000.0, self.activity)
    }
}

/// The steps of a finding's shortest trace.
pub fn step_facts(finding: &Finding) -> Vec<StepFacts> {
    let trace = &finding.minimal.trace;
    (0..trace.len()).filter_map(|index| facts_of_step(trace, index)).collect()
}

fn facts_of_step(trace: &Trace, index: usize) -> Option<StepFacts> {
    let (step, before) = (trace.steps().get(index)?, &trace.frame(index)?.layout);
    Some(StepFacts {
        sentence: event_for_people(&step.event, before),
        dmf: trace.span_of(index).map(|span| span.name.clone()),
        role: step.role,
        activity: before.activity().to_string(),
        page: before.page_name(),
        millis: millis_at(trace, index + 1)?,
    })
}

/// Milliseconds of the device's clock from the start of a trace until a frame of it; `None` if there is no such frame.
pub fn millis_at(trace: &Trace, frame: usize) -> Option<u64> {
    Some(trace.frame(frame)?.at.since(trace.first().at).millis())
}

/// The steps of a finding as a person does them, each with the name of the DMF that it belongs to: pauses in a row are one,
/// and the control that a detour begins with is left out.
pub fn step_sentences(finding: &Finding) -> Vec<(String, Option<String>)> {
    let trace = &finding.minimal.trace;
    let by_hand = |step: &Step| step.role != StepRole::Detour || !is_control(&step.event);
    let done = |index: &usize| trace.steps().get(*index).is_some_and(by_hand);
    let indices: Vec<usize> = (0..trace.len()).filter(done).collect();
    let pause = |index: usize| match trace.steps()[index].event {
        Event::Wait(span) => Some(span.millis()),
        _ => None,
    };
    let groups = indices.chunk_by(|one, next| pause(*one).is_some() && pause(*next).is_some());
    let group = |group: &[usize]| {
        let facts = facts_of_step(trace, *group.first()?)?;
        let waited: u64 = group.iter().filter_map(|index| pause(*index)).sum();
        let sentence = match waited {
            0 => facts.sentence,
            millis => event_sentence(&Event::Wait(DeviceDuration(millis)), &trace.first().layout),
        };
        Some((sentence, facts.dmf))
    };
    groups.filter_map(group).collect()
}

/// What is shown of a step of the minimal trace; `None` if there is no such step. A finding without steps (the app dies
/// as it starts) has one for the launch.
pub fn replay_frame(finding: &Finding, step: usize) -> Option<ReplayFrame> {
    trace_frame(finding, FindingTrace::Minimal, step)
}

/// What is shown of a step of one of the finding's traces; `None` if there is no such step.
pub fn trace_frame(finding: &Finding, way: FindingTrace, step: usize) -> Option<ReplayFrame> {
    let trace = &way.of(finding).trace;
    let done = trace.steps().get(step);
    if done.is_none() && !(trace.is_empty() && step == 0) {
        return None;
    }
    let before = Arc::clone(&trace.frame(step)?.layout);
    let after = done.map_or_else(|| Arc::clone(&before), |done| Arc::clone(&done.after.layout));
    let event = done.map(|done| done.event.clone());
    let touched = event.as_ref().and_then(|event| touched_widget(event, &before));
    let is_last = step + 1 >= trace.len();
    let failures = match way {
        _ if !is_last => Vec::new(),
        FindingTrace::Minimal => finding.violation.failures.clone(),
        FindingTrace::Reference => Vec::new(),
        FindingTrace::Original => {
            failures_on(&finding.violation.failures, finding.minimal.trace.last(), &after)
        }
    };
    let frame = step + usize::from(done.is_some());
    let data = finding.data.at(frame).map_or_else(Vec::new, |data| {
        data.types().map(|(data_type, objects)| (data_type.clone(), objects.to_vec())).collect()
    });
    Some(ReplayFrame {
        step,
        steps: trace.len().max(1),
        sentence: event
            .as_ref()
            .map_or_else(|| "Start the app".to_owned(), |event| event_for_people(event, &before)),
        exact: event.as_ref().map_or_else(String::new, |event| event_sentence(event, &before)),
        dmf: trace.span_of(step).map(|span| span.name.clone()),
        frame_after: frame,
        touched,
        marks_before: touched.map(|idx| (idx, Mark::Touched)).into_iter().collect(),
        marks_after: marks_after(&before, &after, &failures),
        missing: failures.iter().filter_map(|failure| failure.missing.clone()).collect(),
        failures,
        data,
        changes: changes(&before, &after),
        event,
        before,
        after,
    })
}

/// The failures on another trace's last layout. Widgets in the evidence are located again by their looks.
fn failures_on(failures: &[FailedCheck], judged: &Frame, layout: &Layout) -> Vec<FailedCheck> {
    let again = |idx: &WidgetIdx| {
        let old = judged.layout.get(*idx)?;
        let same = |widget: &Widget| {
            (&widget.class, &widget.resource_id) == (&old.class, &old.resource_id)
                && (&widget.text, &widget.content_desc) == (&old.text, &old.content_desc)
        };
        layout.iter().find(|(_, widget)| same(widget)).map(|(idx, _)| idx)
    };
    let found = |failure: &FailedCheck| FailedCheck {
        offending: failure.offending.iter().filter_map(again).collect(),
        ..failure.clone()
    };
    failures.iter().map(found).collect()
}

fn marks_after(before: &Layout, after: &Layout, failures: &[FailedCheck]) -> BTreeMap<WidgetIdx, Mark> {
    let mut marks = BTreeMap::new();
    let changes = diff_layouts(before, after).changes;
    // On another screen every widget is new, so marking each as new would show nothing.
    let same_screen = changes.len() * 2 < after.widgets().len();
    for change in changes.into_iter().filter(|_| same_screen) {
        match change {
            WidgetChange::Added(idx) => {
                marks.insert(idx, Mark::Added);
            }
            WidgetChange::Changed(_, idx) => {
                marks.insert(idx, Mark::Changed);
            }
            WidgetChange::Removed(_) => {}
        }
    }
    let offending = failures.iter().flat_map(|failure| &failure.offending);
    marks.extend(offending.filter(|idx| after.get(**idx).is_some()).map(|idx| (*idx, Mark::Offending)));
    marks
}

fn changes(before: &Layout, after: &Layout) -> Vec<Change> {
    let named = |layout: &Layout, idx: WidgetIdx| widget_name(layout.widget(idx));
    let change = |change: &WidgetChange| match *change {
        WidgetChange::Added(idx) => {
            Change { kind: ChangeKind::Added, text: named(after, idx), after: Some(idx) }
        }
        WidgetChange::Removed(idx) => {
            Change { kind: ChangeKind::Removed, text: named(before, idx), after: None }
        }
        WidgetChange::Changed(old, idx) => {
            let (was, is) = (named(before, old), named(after, idx));
            let text = if was == is { format!("{is} (flags)") } else { format!("{was} \u{2192} {is}") };
            Change { kind: ChangeKind::Changed, text, after: Some(idx) }
        }
    };
    diff_layouts(before, after).changes.iter().map(change).collect()
}

/// The touched widget and the gesture; `None` if the event is not performed on a widget.
pub fn touch_of(event: &Event) -> Option<(&TouchTarget, &Gesture)> {
    let Event::Widget { target, gesture } = event else { return None };
    Some((target, gesture))
}
