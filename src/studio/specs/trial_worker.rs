//! *Try it* beside the window, with a phone of its own.

use crate::reporter::Reporter;
use taproof_campaign::{TrialPlan, TrialReport, TrialRun, TrialSink, try_dmf};
use taproof_session::TestPhones;

/// What is known of the trial.
pub(crate) enum TrialNews {
    /// A run is completed.
    Ran(Box<TrialRun>),
    /// All are completed.
    Ended(Box<TrialReport>),
    /// It was aborted; the reason.
    Failed(String),
}

impl TrialSink for &Reporter<'_, TrialNews> {
    fn ran(&mut self, run: &TrialRun) {
        (self.tell)(TrialNews::Ran(Box::new(run.clone())));
    }
}

/// Tries a function, with a command of the host before each test. Once that is cancelled, its report still comes.
pub(crate) fn try_function(
    plan: &TrialPlan,
    command: Option<String>,
    phones: &TestPhones,
    mut reporter: &Reporter<'_, TrialNews>,
) -> TrialNews {
    let phones = phones.on((&plan.app, &plan.build), &plan.device, 0);
    let mut phones = phones.running_before_tests(command);
    TrialNews::Ended(Box::new(try_dmf(plan, &mut phones, &reporter.cancel, &mut reporter)))
}
