//! Crashes, apps that do not answer and native crashes, found among the lines of the log.
//!
//! Knows nothing of how the log is read. One crash shows in several places (the block of the app in the buffers main
//! and crash, the system's block, an entry of the events buffer); here it becomes one value.

mod collector;
mod java;
mod native;
mod not_responding;
mod system_events;

use super::component::{Component, package_of_process};
use super::log::LogLine;
use collector::CrashCollector;

/// What kind of crash it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CrashKind {
    /// An exception that nobody caught, in an app.
    Java,
    /// The same in Android's own process: the whole device starts again. Old releases say it of a shell command
    /// (`uiautomator`, `input`) that crashes as well.
    System,
    /// An app does not answer.
    NotResponding,
    /// A signal in native code.
    Native,
}

/// An exception that led to another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// Its class.
    pub exception: String,
    /// Its message; may be empty.
    pub message: String,
    /// Its frames, top first; those that it shares with the exception above are left out by Java.
    pub stack: Vec<String>,
}

/// One crash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crash {
    /// What kind it is.
    pub kind: CrashKind,
    /// When, as the log writes it.
    pub when: String,
    /// The name of the process, such as `com.a:remote`; empty where the log does not say it.
    pub process: String,
    /// The process's number; 0 where the log does not say it.
    pub pid: u32,
    /// The class of the exception, `ANR`, or the name of the signal.
    pub exception: String,
    /// The exception's message, the reason of an ANR, or what is known of the signal.
    pub message: String,
    /// The frames, top first: what stands behind `at `, of native code what stands behind the number.
    pub stack: Vec<String>,
    /// What the exception was caused by, the root last.
    pub causes: Vec<Cause>,
    /// The activity that did not answer, or that was closed after the crash.
    pub activity: Option<Component>,
    /// File and line of the root exception as the events buffer gives it, such as `File.java:185`.
    pub thrown_at: Option<String>,
    /// The block's lines, texts only.
    pub log: String,
}

/// A crash as a report has it: what tells bugs apart, and the block to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrashText {
    /// The package of the process.
    pub package: String,
    /// The exception's class, `ANR`, or the signal.
    pub exception: String,
    /// The exception's message, or the reason of the ANR.
    pub message: String,
    /// The frames that tell where it happened, top first.
    pub stack: Vec<String>,
    /// The block's lines, texts only.
    pub log: String,
}

impl Crash {
    /// The package of the process.
    pub fn package(&self) -> &str {
        package_of_process(&self.process)
    }

    /// The crash as a report has it. Of the stack the loop that runs every app is left out, which is the same in all
    /// crashes; the frames of the causes follow, as the app's own are often among those only.
    pub fn report(&self) -> CrashText {
        let stack = match self.kind {
            CrashKind::NotResponding => self.activity.iter().map(|activity| activity.class.clone()).collect(),
            CrashKind::Native => self.stack.clone(),
            CrashKind::Java | CrashKind::System => {
                let own = java::without_main_loop(&self.stack).iter();
                own.chain(self.causes.iter().flat_map(|cause| &cause.stack)).cloned().collect()
            }
        };
        CrashText {
            package: self.package().to_owned(),
            exception: self.exception.clone(),
            message: self.message.clone(),
            stack,
            log: self.log.clone(),
        }
    }
}

/// All crashes of a log that is at its end, in order.
pub fn crashes(lines: &[LogLine]) -> Vec<Crash> {
    let mut collector = CrashCollector::default();
    for line in lines {
        collector.push(line);
    }
    collector.finish()
}

#[cfg(test)]
mod tests;
