//! The question before tests clear an app's data.

use crate::command::Command;
use taproof_session::DataQuestion;

/// The question that is open, and what waits for the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct AskedAboutData {
    /// What is asked.
    pub question: DataQuestion,
    /// The name of the app for people.
    pub label: String,
    /// Whether tests can also begin with the data that the app holds. What was planned before, to begin with an empty app,
    /// cannot.
    pub can_keep: bool,
    /// The command that is executed after the answer.
    pub(super) then: Box<Command>,
}

/// The person's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataAnswer {
    /// The app's data may be cleared.
    Clear,
    /// The app's data are kept; tests begin with them.
    Keep,
    /// Nothing begins.
    Cancel,
}

impl AskedAboutData {
    /// Whether tests wait for the answer, and not a person who clears the data by hand.
    pub fn before_tests(&self) -> bool {
        !matches!(*self.then, Command::BeginAnew)
    }
}
