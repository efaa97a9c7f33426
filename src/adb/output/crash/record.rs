//! One crash as parsed from the log.

use super::super::component::{Component, package_of_process};
use taproof_screen::Thrown;

/// The kind of a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CrashKind {
    /// An uncaught exception in an app.
    Java,
    /// An uncaught exception in Android's system process, after which the whole device restarts. Old releases also log
    /// this for a shell command (`uiautomator`, `input`) that crashes.
    System,
    /// An app does not respond (ANR).
    NotResponding,
    /// A signal in native code.
    Native,
    /// An error that a framework logged and that ended nothing. Its process is only known by its pid.
    Logged,
}

/// One crash, assembled from all places of the log that mention it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crash {
    /// The kind of the crash.
    pub kind: CrashKind,
    /// The time, as the log prints it.
    pub when: String,
    /// The name of the process, such as `com.a:remote`; empty if the log does not report it.
    pub process: String,
    /// The pid; 0 if the log does not report it.
    pub pid: u32,
    /// The class of the exception, `ANR`, or the name of the signal.
    pub exception: String,
    /// The exception's message, the reason of an ANR, or the details of the signal.
    pub message: String,
    /// The frames, top first: the text after `at `, in native code the text after the frame's number.
    pub stack: Vec<String>,
    /// The causes of the exception, the root cause last.
    pub causes: Vec<Thrown>,
    /// The activity that did not respond, or that was closed after the crash.
    pub activity: Option<Component>,
    /// File and line of the root exception from the events buffer, such as `File.java:185`.
    pub thrown_at: Option<String>,
    /// The messages of the block's lines, without the log's prefixes.
    pub log: String,
}

impl Crash {
    /// The package of the process; empty if the process is unknown.
    pub fn package(&self) -> &str {
        package_of_process(&self.process)
    }
}
