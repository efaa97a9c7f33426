//! Devices that do an app's first steps by themselves: whatever a campaign, a trial or a replay launches with cleared
//! data begins behind them.

use std::sync::Arc;

use super::DeviceSource;
use super::saved_trace::named;
use crate::device::adb::Unwanted;
use crate::device::{Device, DeviceError, Initialised};
use crate::model::{Event, InitialStep, Initialiser, Layout};

/// A source whose devices do an app's first steps.
pub struct InitialisedPhones<'s> {
    source: &'s mut dyn DeviceSource,
    app: &'s str,
    first: Option<&'s Arc<Initialiser>>,
}

impl<'s> InitialisedPhones<'s> {
    /// The same devices, with these first steps of an app if there are any.
    pub fn new(source: &'s mut dyn DeviceSource, app: &'s str, first: Option<&'s Arc<Initialiser>>) -> Self {
        InitialisedPhones { source, app, first }
    }
}

impl DeviceSource for InitialisedPhones<'_> {
    fn fresh(&mut self, bugs_off: &[String]) -> Result<Box<dyn Device>, DeviceError> {
        Ok(Initialised::device(self.source.fresh(bugs_off)?, self.app, self.first))
    }

    fn switchable_bugs(&self) -> Vec<String> {
        self.source.switchable_bugs()
    }

    fn unwanted_when(&mut self, unwanted: Unwanted) {
        self.source.unwanted_when(unwanted);
    }

    fn lost(&mut self, error: &DeviceError) -> bool {
        self.source.lost(error)
    }
}

/// What was done, each with the screen before and after it, as first steps. A widget that was only pointed at gets a
/// selector, so that the step survives a screen on which it stands elsewhere.
pub fn initial_steps<'a>(
    done: impl IntoIterator<Item = (&'a Event, &'a Arc<Layout>, &'a Arc<Layout>)>,
) -> Vec<InitialStep> {
    let step = |(event, before, after): (&Event, &Arc<Layout>, &Arc<Layout>)| InitialStep {
        event: named(event, before),
        before: Arc::clone(before),
        after: Arc::clone(after),
    };
    done.into_iter().map(step).collect()
}
