//! Repairs a specification on a separate thread with phones of its own.

use std::sync::Arc;

use crossbeam_channel::Receiver;

use super::repair::RepairOrder;
use taproof_core::campaign::{Build, FunctionRepair, RepairPlan, RepairReport, RepairSink, observe, repair};
use taproof_core::device::DeviceError;
use taproof_core::worker::{self, CancelToken, Lane, PanicReport, Worker};
use taproof_session::TestPhones;

/// Maximum number of updates that wait for the window.
const MAX_WAITING: usize = 64;

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
    /// Its thread panicked.
    Broken(PanicReport),
}

/// Handle of the thread. Dropping it cancels the repair and waits for the thread.
pub(crate) struct RepairWorker {
    updates: Receiver<RepairNews>,
    thread: Worker,
}

struct Sink<'l, W>(&'l mut Lane<RepairNews, W>);

impl<W: Fn()> RepairSink for Sink<'_, W> {
    fn begins(&mut self, function: &str, index: usize, of: usize) {
        self.0.send(RepairNews::At(function.to_owned(), index, of));
    }

    fn ended(&mut self, function: &FunctionRepair) {
        self.0.send(RepairNews::Function(Box::new(function.clone())));
    }
}

impl RepairWorker {
    pub fn start(
        order: Arc<RepairOrder>,
        (phones, command): (TestPhones, Option<String>),
        wake: impl Fn() + Send + Clone + 'static,
    ) -> std::io::Result<RepairWorker> {
        let token = CancelToken::new();
        let (mut lane, updates) = Lane::new(MAX_WAITING, &token, wake);
        let on_panic = lane.on_panic(RepairNews::Broken);
        let cancel = token.clone();
        let work = move || {
            let repaired = repaired(&order, (&phones, command), &cancel, &mut Sink(&mut lane));
            lane.send(match repaired {
                Ok(report) => RepairNews::Ended(Box::new(report)),
                Err(error) => RepairNews::Failed(error.to_string()),
            });
        };
        let thread = worker::spawn("repair", &token, work, on_panic)?;
        Ok(RepairWorker { updates, thread })
    }

    /// Takes at most `most` updates, and returns whether the repair is over.
    pub fn news(&self, most: usize) -> (Vec<RepairNews>, bool) {
        let mut news = Vec::new();
        for update in self.updates.try_iter().take(most) {
            let over = matches!(update, RepairNews::Ended(_) | RepairNews::Failed(_) | RepairNews::Broken(_));
            news.push(update);
            if over {
                return (news, true);
            }
        }
        (news, false)
    }

    /// Cancels the repair; its report still comes.
    pub fn cancel(&self) {
        self.thread.cancel();
    }

    /// Returns the thread and discards its further updates.
    pub fn retire(self) -> Worker {
        self.thread
    }
}

fn repaired(
    order: &RepairOrder,
    (source, command): (&TestPhones, Option<String>),
    cancel: &CancelToken,
    sink: &mut dyn RepairSink,
) -> Result<RepairReport, DeviceError> {
    let mut plan = order.plan.clone();
    let phones = |plan: &RepairPlan| {
        source.on((&plan.app, &plan.build), &plan.device, 0).running_before_tests(command.clone())
    };
    if let Some(old) = &order.old {
        let before = RepairPlan { app: old.clone(), build: Build::Sound, ..plan.clone() };
        plan.history = observe(&before, &mut phones(&before), cancel)?;
    }
    repair(&plan, &mut phones(&plan), cancel, sink)
}
