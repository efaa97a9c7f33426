//! What there is to say of a step of a finding. Pure: a finding and a step go in, what is shown comes out; the
//! window's replay and the reports say the same because both ask here.

use std::collections::BTreeMap;
use std::sync::Arc;

use taproof_core::campaign::{Evidence, Finding};
use taproof_core::model::{
    Event, FailedCheck, Frame, Gesture, Layout, Step, Target, Widget, WidgetChange, WidgetIdx, diff_layouts,
    event_sentence, touched_widget, widget_name,
};

/// Why a widget is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// The event was done to it.
    Touched,
    /// A condition that failed names it.
    Offending,
    /// It was not there before.
    Added,
    /// It was there before, otherwise.
    Changed,
}

impl Mark {
    /// The word on its badge.
    pub fn word(self) -> &'static str {
        match self {
            Mark::Touched => "touched",
            Mark::Offending => "offending",
            Mark::Added => "new",
            Mark::Changed => "changed",
        }
    }
}

/// Which of a finding's traces is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// The shortest that shows it.
    #[default]
    Short,
    /// The test that showed it.
    AsFound,
    /// What the short way is compared with, where it takes two traces to see what is wrong.
    Reference,
}

/// What is shown of one step.
#[derive(Clone, Debug)]
pub struct ReplayFrame {
    /// The step, from 0.
    pub step: usize,
    /// How many there are.
    pub steps: usize,
    /// What is done.
    pub sentence: String,
    /// The DMF that the step belongs to.
    pub dmf: Option<String>,
    /// The screen before.
    pub before: Arc<Layout>,
    /// The screen after.
    pub after: Arc<Layout>,
    /// The frame of the trace after the step; the one before it has the step's own number.
    pub frame_after: usize,
    /// The event.
    pub event: Option<Event>,
    /// The widget that it was done to, on the layout before.
    pub touched: Option<WidgetIdx>,
    /// What is marked on the layout before.
    pub marks_before: BTreeMap<WidgetIdx, Mark>,
    /// What is marked on the layout after.
    pub marks_after: BTreeMap<WidgetIdx, Mark>,
    /// What failed; on the last step only.
    pub failures: Vec<FailedCheck>,
    /// What should be on the layout after and is not.
    pub missing: Vec<String>,
    /// Data that the app should hold after the step: type and objects.
    pub data: Vec<(String, Vec<String>)>,
    /// What changed on the screen, in words.
    pub changes: Vec<Change>,
}

/// One widget that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// How.
    pub kind: ChangeKind,
    /// The widget, in words.
    pub text: String,
    /// The widget on the layout after, if it is there.
    pub after: Option<WidgetIdx>,
}

/// How a widget differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// Only after.
    Added,
    /// Only before.
    Removed,
    /// In both.
    Changed,
}

impl Way {
    /// Not this one.
    pub fn other(self) -> Way {
        match self {
            Way::Short => Way::AsFound,
            Way::AsFound | Way::Reference => Way::Short,
        }
    }

    /// The trace and its pictures.
    pub fn of(self, finding: &Finding) -> &Evidence {
        match self {
            Way::Short => &finding.minimal,
            Way::AsFound => &finding.witness,
            Way::Reference => finding.reference.as_ref().map_or(&finding.minimal, |it| &it.evidence),
        }
    }
}

/// The steps of a finding in words, with the DMF that each belongs to.
pub fn step_sentences(finding: &Finding) -> Vec<(String, Option<String>)> {
    let trace = &finding.minimal.trace;
    let sentence = |(index, step): (usize, &Step)| {
        let before = trace.frame(index)?;
        let dmf = trace.span_of(index).map(|span| span.name.clone());
        Some((event_sentence(&step.event, &before.layout), dmf))
    };
    trace.steps().iter().enumerate().filter_map(sentence).collect()
}

/// What is shown of a step of the minimal trace; `None` if there is no such step. A finding that needs no
/// step at all (the app dies as it starts) has one to show: the launch.
pub fn replay_frame(finding: &Finding, step: usize) -> Option<ReplayFrame> {
    trace_frame(finding, Way::Short, step)
}

/// What is shown of a step of one of a finding's traces.
pub fn trace_frame(finding: &Finding, way: Way, step: usize) -> Option<ReplayFrame> {
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
        Way::Short => finding.violation.failures.clone(),
        Way::Reference => Vec::new(),
        Way::AsFound => failures_on(&finding.violation.failures, finding.minimal.trace.last(), &after),
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
            .map_or_else(|| "Start the app".to_owned(), |event| event_sentence(event, &before)),
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

/// The failures as they are on another trace's last layout: what offends is found again by its looks.
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
    // On another screen everything is new, and to say so of each widget says nothing.
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

/// Where the finger was put down, and what it did.
pub fn touch_of(event: &Event) -> Option<(&Target, &Gesture)> {
    match event {
        Event::Widget { target, gesture } => Some((target, gesture)),
        Event::Type(_)
        | Event::Key(_)
        | Event::Rotate
        | Event::Wait(_)
        | Event::Relaunch
        | Event::System(_) => None,
    }
}
