//! The command that is being played, and how it ends a flow.

use std::path::Path;

use super::flow::Part;
use super::yaml::Problem;
use taproof_engine::device::DeviceError;

/// Why a command ends the flow.
pub(super) enum Halt {
    Device(DeviceError),
    Unwanted,
    Failed {
        /// Where and why, in words.
        why: String,
        /// Whether it may be different at another try.
        again: bool,
    },
}

impl From<DeviceError> for Halt {
    fn from(error: DeviceError) -> Self {
        Halt::Device(error)
    }
}

/// A command that is being played.
pub(super) struct Turn<'p> {
    pub part: &'p Part,
    /// The file that it is in.
    pub path: &'p Path,
    pub line: usize,
    /// How often the screen is looked at for a widget.
    pub looks: usize,
}

impl Turn<'_> {
    pub fn said(&self, what: &str) -> String {
        format!("{}: {what}", self.part.place(self.line))
    }

    /// The end of the flow, unless it is tried again or the command is optional.
    pub fn failed(&self, what: &str) -> Halt {
        Halt::Failed { why: self.said(what), again: true }
    }

    /// The end of the flow by a problem, which has a line of its own.
    pub fn of(&self, problem: Problem) -> Halt {
        Turn { line: problem.line, ..*self }.impossible(&problem.what)
    }

    /// The end of the flow, as this cannot be done at all.
    pub fn impossible(&self, what: &str) -> Halt {
        Halt::Failed { why: self.said(what), again: false }
    }
}
