//! Crashes, hangs and logged errors of an app as the device's log tells of them, and what the same one is known by.

mod code;
mod key;
mod script;
mod shape;

use serde::{Deserialize, Serialize};

/// What the device's log contains about a crash, an ANR, or an error that the app survived.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrashReport {
    /// Package name of the process.
    pub package: String,
    /// The exception's class, the name of the signal, or `ANR`.
    pub exception: String,
    /// The exception's message, or the reason of the ANR.
    pub message: String,
    /// Stack frames, innermost first, as `package.Class.method(File.java:12)`.
    pub stack: Vec<String>,
    /// The lines of the log about it, verbatim.
    pub log: String,
    /// The causes of the exception, the root cause last. Earlier versions put their frames at the end of `stack`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<Thrown>,
}

/// An exception that caused another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thrown {
    /// The class of the exception.
    pub exception: String,
    /// The exception's message; may be empty.
    pub message: String,
    /// The frames, innermost first, without those shared with the exception above, which Java omits.
    pub stack: Vec<String>,
}

impl CrashReport {
    /// All frames: those of the exception, and those of its causes.
    pub fn frames(&self) -> impl Iterator<Item = &String> {
        self.stack.iter().chain(self.causes.iter().flat_map(|cause| &cause.stack))
    }

    /// The report with another text for each message, and other frames for each stack.
    #[must_use]
    pub(crate) fn changed(
        &self,
        text: impl Fn(&str) -> String,
        class: impl Fn(&str) -> String,
        stack: impl Fn(&[String]) -> Vec<String>,
    ) -> CrashReport {
        let cause = |cause: &Thrown| Thrown {
            exception: class(&cause.exception),
            message: text(&cause.message),
            stack: stack(&cause.stack),
        };
        CrashReport {
            exception: class(&self.exception),
            message: text(&self.message),
            stack: stack(&self.stack),
            causes: self.causes.iter().map(cause).collect(),
            ..self.clone()
        }
    }

    /// The report with a question mark for each of these texts in a message: what a test typed is another text in the
    /// next one.
    #[must_use]
    pub fn without_texts(&self, typed: &[&str]) -> CrashReport {
        self.changed(|message| shape::without(message, typed), str::to_owned, <[String]>::to_vec)
    }
}
