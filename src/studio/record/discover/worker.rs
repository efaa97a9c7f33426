//! Discover beside the window, with a phone of its own.

use super::{DiscoverPlan, DiscoveryNews};
use crate::reporter::Reporter;
use taproof_campaign::InitialisedDevices;
use taproof_campaign::discover::{Discovery, discover};
use taproof_engine::device::{DeviceError, DeviceSource};
use taproof_session::TestPhones;

/// Explores an app. Once that is cancelled, what was confirmed until then still comes.
pub(crate) fn explore(
    plan: &DiscoverPlan,
    phones: &TestPhones,
    reporter: &Reporter<'_, DiscoveryNews>,
) -> DiscoveryNews {
    match explored(plan, phones, reporter) {
        Ok(found) => DiscoveryNews::Ended(Box::new(found)),
        Err(error) => DiscoveryNews::Failed(error.to_string()),
    }
}

fn explored(
    plan: &DiscoverPlan,
    phones: &TestPhones,
    reporter: &Reporter<'_, DiscoveryNews>,
) -> Result<Discovery, DeviceError> {
    let phones = phones.on((&plan.app, &plan.build), &plan.device, 0);
    let mut phones = phones.running_before_tests(plan.command.clone());
    phones.unwanted_when(reporter.cancel.unwanted());
    let mut source = InitialisedDevices::new(&mut phones, &plan.app, plan.initialiser.as_ref());
    let mut phone = source.fresh()?;
    let stopped = || reporter.cancel.asked_to_stop();
    discover(&mut *phone, &plan.app, &plan.config, &stopped, &mut |progress| {
        (reporter.tell)(DiscoveryNews::Progress(progress.clone()));
    })
}
