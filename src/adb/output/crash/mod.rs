//! Java crashes, unresponsive apps (ANRs), native crashes and logged errors, found among the lines of the log.
//!
//! Nothing here knows how the log is read. One crash appears in several places (the block of the app in the buffers
//! main and crash, the system's block, an entry of the events buffer) and is merged to one value here.

mod collector;
mod java;
pub(crate) mod logged;
mod native;
mod not_responding;
mod record;
mod report;
mod system_events;

use super::log::LogLine;
use collector::CrashCollector;

pub use record::{Crash, CrashKind};

/// Returns all crashes of a complete log, in order.
pub fn crashes(lines: &[LogLine]) -> Vec<Crash> {
    let mut collector = CrashCollector::default();
    for line in lines {
        collector.push(line);
    }
    collector.finish()
}

#[cfg(test)]
mod tests;
