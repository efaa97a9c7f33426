//! Conversion of a crash to a report's form.

use super::java::without_main_loop;
use super::record::{Crash, CrashKind};
use taproof_screen::CrashReport;

impl Crash {
    /// Converts the crash for a report. The main loop's frames, which are the same in all crashes, are removed from the
    /// stack.
    pub fn report(&self) -> CrashReport {
        let stack = match self.kind {
            CrashKind::NotResponding => self.activity.iter().map(|activity| activity.class.clone()).collect(),
            CrashKind::Native | CrashKind::Logged => self.stack.clone(),
            CrashKind::Java | CrashKind::System => without_main_loop(&self.stack).to_vec(),
        };
        CrashReport {
            package: self.package().to_owned(),
            exception: self.exception.clone(),
            message: self.message.clone(),
            stack,
            log: self.log.clone(),
            causes: self.causes.clone(),
        }
    }
}
