//! Conversion of a crash to a report's form.

use super::java::without_main_loop;
use super::record::{Crash, CrashKind};
use taproof_screen::CrashReport;

impl Crash {
    /// Converts the crash for a report. The main loop's frames, which are the same in all crashes, are removed from the
    /// stack. The frames of the causes follow, since the app's own frames are often found only there.
    pub fn report(&self) -> CrashReport {
        let stack = match self.kind {
            CrashKind::NotResponding => self.activity.iter().map(|activity| activity.class.clone()).collect(),
            CrashKind::Native => self.stack.clone(),
            CrashKind::Java | CrashKind::System => {
                let own = without_main_loop(&self.stack).iter();
                own.chain(self.causes.iter().flat_map(|cause| &cause.stack)).cloned().collect()
            }
        };
        CrashReport {
            package: self.package().to_owned(),
            exception: self.exception.clone(),
            message: self.message.clone(),
            stack,
            log: self.log.clone(),
        }
    }
}
