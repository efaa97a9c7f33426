//! Events and the frames after them.

use serde::{Deserialize, Serialize};

use std::sync::Arc;

use super::{DrawnText, Event, Layout, Text};
use crate::determinism::DeviceInstant;

/// The layout and the app's health at an instant. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// What the screen shows.
    pub layout: Arc<Layout>,
    /// How the app under test is.
    pub health: AppHealth,
    /// When this was seen.
    pub at: DeviceInstant,
}

/// How the app under test is. A crash of it is data, not an error of ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AppHealth {
    /// In front and answering.
    Running,
    /// Its process died of an exception.
    Crashed(Arc<CrashReport>),
    /// It does not answer input.
    NotResponding(Arc<CrashReport>),
    /// Something else is in front: `package/class`.
    LeftApp(Text),
}

/// What the log says of a crash or of an app that does not answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrashReport {
    /// The package of the process.
    pub package: String,
    /// The exception's class, or `ANR`.
    pub exception: String,
    /// The exception's message, or the reason of the ANR.
    pub message: String,
    /// The stack's frames, top first, as `package.Class.method(File.java:12)`.
    pub stack: Vec<String>,
    /// The block as the log has it.
    pub log: String,
}

impl CrashReport {
    /// Two crashes are the same bug when exception class and the app's own top frames agree.
    pub fn signature(&self) -> String {
        let own: Vec<&str> = self
            .stack
            .iter()
            .filter(|frame| frame.starts_with(&self.package))
            .take(3)
            .map(String::as_str)
            .collect();
        format!("{} at {}", self.exception, if own.is_empty() { "?".to_owned() } else { own.join(" < ") })
    }
}

/// Why an event was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum StepRole {
    /// Chosen by the engine's exploration.
    Explored,
    /// Part of a seed test.
    Seed,
    /// Inserted into a seed test.
    Inserted,
    /// A step of a DMF.
    SpecStep,
    /// Sent after the test proper, for instance to scroll to an object before it is judged.
    Appended,
}

/// An event and the frame after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The input.
    pub event: Event,
    /// Why it was sent.
    pub role: StepRole,
    /// What was seen after it.
    pub after: Frame,
}

/// A stretch of a trace that is one run of one DMF.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DmfSpan {
    /// Index of the DMF in the plan's specification.
    pub dmf: usize,
    /// The DMF's name.
    pub name: String,
    /// The trace's step at which it began.
    pub first_step: usize,
    /// The step behind its last one.
    pub end_step: usize,
    /// The texts that it drew, in the order of drawing; a re-execution takes them from here.
    pub inputs: Vec<DrawnText>,
    /// Whether it ran to its end.
    pub completed: bool,
}

impl DmfSpan {
    /// The texts that it drew, without their classes.
    pub fn texts(&self) -> Vec<String> {
        self.inputs.iter().map(|drawn| drawn.text.clone()).collect()
    }
}

/// A start frame and the steps after it: frames = events + 1, by construction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    start: Frame,
    steps: Vec<Step>,
    /// The DMF runs in it, in order.
    pub spans: Vec<DmfSpan>,
}

impl Trace {
    /// A trace that begins at a launch.
    pub fn start(frame: Frame) -> Self {
        Trace { start: frame, steps: Vec::new(), spans: Vec::new() }
    }

    /// Adds an event and the frame after it.
    pub fn push(&mut self, step: Step) {
        self.steps.push(step);
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

    /// Frame `index`: 0 is the start, `n` the one after step `n - 1`.
    pub fn frame(&self, index: usize) -> Option<&Frame> {
        match index {
            0 => Some(&self.start),
            _ => self.steps.get(index - 1).map(|step| &step.after),
        }
    }

    /// How many events it has.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether it has no event.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Its first `steps` steps, with the DMF runs that lie wholly in them.
    pub fn until(&self, steps: usize) -> Trace {
        Trace {
            start: self.start.clone(),
            steps: self.steps.iter().take(steps).cloned().collect(),
            spans: self.spans.iter().filter(|span| span.end_step <= steps).cloned().collect(),
        }
    }

    /// The DMF run that step `index` belongs to.
    pub fn span_of(&self, index: usize) -> Option<&DmfSpan> {
        self.spans.iter().find(|span| (span.first_step..span.end_step).contains(&index))
    }
}
