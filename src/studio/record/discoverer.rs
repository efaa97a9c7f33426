//! Discover on a separate thread with a phone of its own.

use std::sync::Arc;

use crossbeam_channel::Receiver;

use super::discover::{DiscoverPlan, DiscoveryNews};
use taproof_core::campaign::{DeviceSource, InitialisedDevices};
use taproof_core::device::DeviceError;
use taproof_core::discover::{Discovery, Progress, discover};
use taproof_core::worker::{self, CancelToken, Lane, PanicReport, Unwanted, Worker};
use taproof_session::TestPhones;

/// Maximum number of updates that wait for the window.
const MAX_WAITING: usize = 16;

/// Handle of the thread. Dropping it cancels the exploration and waits for the thread.
pub(crate) struct Discoverer {
    updates: Receiver<DiscoveryNews>,
    thread: Worker,
}

impl Discoverer {
    pub fn start(
        plan: DiscoverPlan,
        phones: TestPhones,
        wake: impl Fn() + Send + Clone + 'static,
    ) -> std::io::Result<Discoverer> {
        let token = CancelToken::new();
        let (lane, updates) = Lane::new(MAX_WAITING, &token, wake);
        let on_panic = lane.on_panic(|report: PanicReport| {
            DiscoveryNews::Failed(format!("A mistake of Taproof’s own ended it: {}", report.message))
        });
        let cancel = token.clone();
        let work = move || {
            let found = explore(&plan, &phones, &cancel, &mut |progress| {
                lane.send(DiscoveryNews::Progress(progress.clone()));
            });
            lane.send(match found {
                Ok(found) => DiscoveryNews::Ended(Box::new(found)),
                Err(error) => DiscoveryNews::Failed(error.to_string()),
            });
        };
        let thread = worker::spawn("discover", &token, work, on_panic)?;
        Ok(Discoverer { updates, thread })
    }

    /// Takes at most `most` updates, and returns whether the exploration is over.
    pub fn news(&self, most: usize) -> (Vec<DiscoveryNews>, bool) {
        let news: Vec<DiscoveryNews> = self.updates.try_iter().take(most).collect();
        let over = news.iter().any(|news| !matches!(news, DiscoveryNews::Progress(_)));
        (news, over)
    }

    /// Stops exploring; what was confirmed until then still comes.
    pub fn cancel(&self) {
        self.thread.cancel();
    }

    /// Returns the thread and discards its further updates.
    pub fn retire(self) -> Worker {
        self.thread
    }
}

fn explore(
    plan: &DiscoverPlan,
    phones: &TestPhones,
    cancel: &CancelToken,
    tell: &mut dyn FnMut(&Progress),
) -> Result<Discovery, DeviceError> {
    let phones = phones.on((&plan.app, &plan.build), &plan.device, 0);
    let mut phones = phones.running_before_tests(plan.command.clone());
    let asked = cancel.clone();
    let unwanted: Unwanted = Arc::new(move || asked.asked_to_stop());
    phones.unwanted_when(unwanted);
    let mut source = InitialisedDevices::new(&mut phones, &plan.app, plan.initialiser.as_ref());
    let mut phone = source.fresh()?;
    discover(&mut *phone, &plan.app, &plan.config, &|| cancel.asked_to_stop(), tell)
}
