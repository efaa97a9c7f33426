//! Traces: events and the frames after them.

use serde::{Deserialize, Serialize};

use std::sync::Arc;

use super::named_field::named_field;
use super::{CrashReport, DrawnText, Event, Gesture, Layout, Text, drawn_texts, event_sentence};
use crate::determinism::DeviceInstant;

/// The layout and the app's health at one instant. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// What the screen showed.
    #[serde(with = "crate::archive::layout")]
    pub layout: Arc<Layout>,
    /// State of the app under test.
    pub health: AppHealth,
    /// Device time at which this was seen.
    pub at: DeviceInstant,
}

/// State of the app under test. A crash of the app is data, not an error of Taproof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AppHealth {
    /// In the foreground and responsive.
    Running,
    /// Its process died of an exception.
    Crashed(Arc<CrashReport>),
    /// It does not respond to input.
    NotResponding(Arc<CrashReport>),
    /// Something else is in the foreground: the activity, as `package/class`, or the package of the window.
    #[serde(with = "activity")]
    LeftApp(Text),
}

named_field!(activity: Text);

/// Why an event was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepRole {
    /// Chosen by the engine while exploring.
    Explored,
    /// Part of a seed test.
    Seed,
    /// Inserted into a seed test.
    Inserted,
    /// A step of a DMF.
    #[serde(rename = "spec")]
    SpecStep,
    /// Sent after the test proper, for instance to scroll to an object before it is judged.
    Appended,
    /// Part of a neutral detour, after which everything should be as before.
    Detour,
    /// Sent by a rule of the tester about the screen.
    Rule,
}

impl StepRole {
    /// Whether the step is no part of what was chosen: it follows from the screens, and a re-execution sends it by itself
    /// where that is needed.
    pub fn is_appended(self) -> bool {
        matches!(self, StepRole::Appended | StepRole::Rule)
    }
}

/// A step of a [`Trace`]: an event and the frame after it. The frame before it belongs to the previous step, so a trace
/// stores each frame once and cannot contradict itself. A [`RecordedStep`] in contrast is self-contained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The event that was performed.
    pub event: Event,
    /// Why it was sent.
    pub role: StepRole,
    /// What was observed after it.
    pub after: Frame,
}

/// An event with the layouts before and after it, as a person recorded it. Unlike a [`Step`] it is self-contained:
/// people remove and move recorded steps, and join several into one. It has neither time nor health, which recordings
/// on disk and recorded walks do not contain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedStep {
    /// The recorded input.
    pub event: Event,
    /// The layout before the event.
    #[serde(with = "crate::archive::layout")]
    pub before: Arc<Layout>,
    /// The layout after the event.
    #[serde(with = "crate::archive::layout")]
    pub after: Arc<Layout>,
}

impl RecordedStep {
    /// The event as an imperative sentence; see [`event_sentence`].
    pub fn sentence(&self) -> String {
        event_sentence(&self.event, &self.before)
    }
}

/// The steps of a trace that are one run of one DMF.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DmfSpan {
    /// Index of the DMF in the plan's specification.
    pub dmf: usize,
    /// Name of the DMF, for people.
    pub name: String,
    /// Index of its first step in the trace.
    pub first_step: usize,
    /// Index after its last step in the trace.
    pub end_step: usize,
    /// The texts that it drew, in that order. A re-execution reuses them.
    #[serde(flatten, with = "drawn_texts")]
    pub inputs: Vec<DrawnText>,
    /// Whether the run reached the end of the DMF.
    pub completed: bool,
}

impl DmfSpan {
    /// The texts that it drew, without their classes.
    pub fn texts(&self) -> Vec<String> {
        self.inputs.iter().map(|drawn| drawn.text.clone()).collect()
    }
}

/// A start frame and the steps after it: by construction, one frame more than events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    start: Frame,
    steps: Vec<Step>,
    /// The DMF runs in the trace, in order.
    pub spans: Vec<DmfSpan>,
}

impl Trace {
    /// Creates a trace without steps from the frame after a launch.
    pub fn start(frame: Frame) -> Self {
        Trace { start: frame, steps: Vec::new(), spans: Vec::new() }
    }

    /// Appends an event and the frame after it.
    pub fn push(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// Replaces the last frame by what another reading of the same screen shows.
    pub fn replace_last(&mut self, frame: Frame) {
        match self.steps.last_mut() {
            Some(step) => step.after = frame,
            None => self.start = frame,
        }
    }

    /// The frame before the first event.
    pub fn first(&self) -> &Frame {
        &self.start
    }

    /// The frame after the last event.
    pub fn last(&self) -> &Frame {
        self.steps.last().map_or(&self.start, |step| &step.after)
    }

    /// The steps in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The steps, each with the frame before it.
    pub fn framed_steps(&self) -> impl DoubleEndedIterator<Item = (&Frame, &Step)> {
        self.steps.iter().enumerate().filter_map(|(at, step)| Some((self.frame(at)?, step)))
    }

    /// The steps that were chosen, without those that [are appended](StepRole::is_appended).
    pub fn chosen_steps(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(|step| !step.role.is_appended())
    }

    /// The steps as self-contained recorded steps.
    pub fn recorded_steps(&self) -> impl Iterator<Item = RecordedStep> {
        self.framed_steps().map(|(before, step)| RecordedStep {
            event: step.event.clone(),
            before: Arc::clone(&before.layout),
            after: Arc::clone(&step.after.layout),
        })
    }

    /// Frame `index`: 0 is the start frame, `n` the frame after step `n - 1`. `None` if there are fewer frames.
    pub fn frame(&self, index: usize) -> Option<&Frame> {
        match index {
            0 => Some(&self.start),
            _ => self.steps.get(index - 1).map(|step| &step.after),
        }
    }

    /// The screens of all frames, in order.
    pub fn layouts(&self) -> Vec<Arc<Layout>> {
        (0..=self.len()).filter_map(|index| Some(Arc::clone(&self.frame(index)?.layout))).collect()
    }

    /// The texts that its events type.
    pub fn typed_texts(&self) -> Vec<&str> {
        let typed = self.steps.iter().filter_map(|step| match &step.event {
            Event::Type(text) | Event::Widget { gesture: Gesture::SetText(text), .. } => Some(text.as_str()),
            _ => None,
        });
        typed.collect()
    }

    /// Number of events.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether the trace has no event.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns the first `steps` steps, with the DMF runs that lie entirely within them.
    pub fn until(&self, steps: usize) -> Trace {
        Trace {
            start: self.start.clone(),
            steps: self.steps.iter().take(steps).cloned().collect(),
            spans: self.spans.iter().filter(|span| span.end_step <= steps).cloned().collect(),
        }
    }

    /// The DMF run that step `index` belongs to; `None` if it belongs to none.
    pub fn span_of(&self, index: usize) -> Option<&DmfSpan> {
        self.spans.iter().find(|span| (span.first_step..span.end_step).contains(&index))
    }
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeOwned;
    use std::fmt::Debug;

    use super::*;
    use crate::TextClass;

    fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, text: &str) {
        assert_eq!(serde_json::to_string(value).unwrap(), text);
        assert_eq!(serde_json::from_str::<T>(text).unwrap(), *value);
        let bytes = rmp_serde::to_vec(value).unwrap();
        assert_eq!(rmp_serde::from_slice::<T>(&bytes).unwrap(), *value);
    }

    #[test]
    fn health_and_roles_are_written_as_files_have_them() {
        let report = Arc::new(CrashReport {
            package: "org.ex".to_owned(),
            exception: "E".to_owned(),
            message: String::new(),
            stack: vec!["a".to_owned()],
            log: "l".to_owned(),
            causes: Vec::new(),
        });
        let said = r#""package":"org.ex","exception":"E","message":"","stack":["a"],"log":"l"}"#;
        check(&AppHealth::Running, r#"{"kind":"running"}"#);
        check(&AppHealth::Crashed(Arc::clone(&report)), &format!(r#"{{"kind":"crashed",{said}"#));
        check(&AppHealth::NotResponding(report), &format!(r#"{{"kind":"not_responding",{said}"#));
        check(&AppHealth::LeftApp("a/.B".into()), r#"{"kind":"left_app","activity":"a/.B"}"#);
        let roles = [
            StepRole::Explored,
            StepRole::Seed,
            StepRole::Inserted,
            StepRole::SpecStep,
            StepRole::Appended,
            StepRole::Detour,
            StepRole::Rule,
        ];
        check(&roles, r#"["explored","seed","inserted","spec","appended","detour","rule"]"#);
    }

    #[test]
    fn the_class_of_a_text_is_kept_and_older_files_have_none() {
        let old =
            r#"{"dmf":0,"name":"add note","first_step":0,"end_step":2,"inputs":["a","B"],"completed":true}"#;
        let mut span = serde_json::from_str::<DmfSpan>(old).unwrap();
        assert!(span.inputs.iter().all(|drawn| drawn.class.is_none()));
        span.inputs[1].class = Some(TextClass::OtherCase);
        let text = old.replace(r#"["a","B"],"#, r#"["a","B"],"classes":[null,"other_case"],"#);
        check(&span, &text);
        // A word of a newer program.
        let newer = text.replace("other_case", "odd");
        assert!(serde_json::from_str::<DmfSpan>(&newer).unwrap().inputs[1].class.is_none());
        let none = DmfSpan { inputs: Vec::new(), ..span };
        check(&none, &old.replace(r#"["a","B"]"#, "[]"));
    }
}
