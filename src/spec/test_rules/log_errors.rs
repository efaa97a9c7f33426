//! What becomes of errors that the app logs without ending.

use serde::{Deserialize, Serialize};
use taproof_screen::words;

words! {
    /// What becomes of errors that the app logs without ending: unhandled ones of Dart, and errors of JavaScript.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum LogErrors {
        /// The log is not read for them.
        Off = "off",
        /// They are findings, and no bugs.
        #[default]
        Found = "found",
        /// They are bugs.
        Fail = "fail",
    }
    /// The word for it in commands and files.
    pub fn word;
    /// All of them.
    pub const ALL;
}

impl LogErrors {
    /// Whether it is what holds if nobody says anything.
    pub(super) fn is_usual(&self) -> bool {
        *self == LogErrors::default()
    }
}
