//! What a campaign does at the moment, for people who wait for it.

use std::fmt;

/// What a campaign does at the moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Task {
    /// It waits for a device to be ready.
    Opening,
    /// It starts the app for the first time.
    Starting,
    /// Its engine chooses and performs events.
    #[default]
    Fuzzing,
    /// It re-executes a test to see whether a violation comes back.
    Confirming {
        /// Number of this re-execution, from 1.
        run: u32,
        /// Number of re-executions.
        of: u32,
    },
    /// It looks for a shorter trace with the same violation.
    Minimising {
        /// Number of steps of the shortest trace so far.
        steps: usize,
        /// Number of candidates that are left to try, if none of them shows the violation.
        left: usize,
    },
    /// It re-executes the minimal trace with catalogued bugs switched off.
    Attributing,
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Task::Opening => f.write_str("opening the device"),
            Task::Starting => f.write_str("starting the app"),
            Task::Fuzzing => f.write_str("fuzzing"),
            Task::Confirming { run, of } => write!(f, "confirming {run} of {of}"),
            Task::Minimising { steps, left } => {
                let steps_word = if *steps == 1 { "step" } else { "steps" };
                write!(f, "minimising {steps} {steps_word}, {left} left to try")
            }
            Task::Attributing => f.write_str("attributing"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_told_with_what_is_left_of_it() {
        assert_eq!(Task::Confirming { run: 2, of: 3 }.to_string(), "confirming 2 of 3");
        let minimising = |steps, left| Task::Minimising { steps, left }.to_string();
        assert_eq!(minimising(43, 12), "minimising 43 steps, 12 left to try");
        assert_eq!(minimising(1, 0), "minimising 1 step, 0 left to try");
    }
}
