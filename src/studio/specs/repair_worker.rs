//! Repairs a specification beside the window, with phones of its own.

use super::repair::RepairOrder;
use crate::reporter::Reporter;
use taproof_campaign::{FunctionRepair, RepairPlan, RepairReport, RepairSink, observe, repair};
use taproof_engine::device::{Build, DeviceError};
use taproof_session::TestPhones;

/// What is known of the repair.
pub(crate) enum RepairNews {
    /// A function is looked at: its name, its index and the number of all.
    At(String, usize, usize),
    /// This came of a function.
    Function(Box<FunctionRepair>),
    /// It is complete.
    Ended(Box<RepairReport>),
    /// It was aborted; the reason.
    Failed(String),
}

impl RepairSink for &Reporter<'_, RepairNews> {
    fn begins(&mut self, function: &str, index: usize, of: usize) {
        (self.tell)(RepairNews::At(function.to_owned(), index, of));
    }

    fn ended(&mut self, function: &FunctionRepair) {
        (self.tell)(RepairNews::Function(Box::new(function.clone())));
    }
}

/// Repairs a specification, with a command of the host before each test. Once that is cancelled, its report still comes.
pub(crate) fn repair_spec(
    order: &RepairOrder,
    command: Option<String>,
    phones: &TestPhones,
    reporter: &Reporter<'_, RepairNews>,
) -> RepairNews {
    match repaired(order, (phones, command), reporter) {
        Ok(report) => RepairNews::Ended(Box::new(report)),
        Err(error) => RepairNews::Failed(error.to_string()),
    }
}

fn repaired(
    order: &RepairOrder,
    (source, command): (&TestPhones, Option<String>),
    mut reporter: &Reporter<'_, RepairNews>,
) -> Result<RepairReport, DeviceError> {
    let mut plan = order.plan.clone();
    let phones = |plan: &RepairPlan| {
        source.on((&plan.app, &plan.build), &plan.device, 0).running_before_tests(command.clone())
    };
    if let Some(old) = &order.old {
        let before = RepairPlan { app: old.clone(), build: Build::Sound, ..plan.clone() };
        plan.history = observe(&before, &mut phones(&before), &reporter.cancel)?;
    }
    repair(&plan, &mut phones(&plan), &reporter.cancel, &mut reporter)
}
