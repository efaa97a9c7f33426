//! What a campaign does while one of its rounds runs.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::event_log::EventLog;
use super::opaque::OpaquePages;
use super::stagnation::Stagnation;
use crate::confirm::Confirmer;
use crate::confirm::investigate::take_picture;
use crate::{CampaignPlan, CampaignSink, CampaignWarning};
use taproof_engine::device::{Device, DeviceError, PngBytes, StuckStep};
use taproof_engine::{CampaignStats, Reported, RoundWatcher};
use taproof_screen::{FindingOrigin, Frame, Layout, Trace};

/// Number of events between two progress reports.
const PROGRESS_EVERY: u64 = 500;

/// Reports the progress of a round and the events that the device refuses, and takes a picture of what becomes a finding.
pub(crate) struct CampaignWatcher<'r, 'c> {
    pub sink: &'r mut dyn CampaignSink,
    pub plan: &'c CampaignPlan,
    pub confirmer: &'r Confirmer<'c>,
    pub noted: &'r mut Noted,
    /// The new origins that this round has told.
    pub told: BTreeSet<FindingOrigin>,
}

/// What was noted in the rounds of a campaign so far, beside what is counted.
#[derive(Default)]
pub(crate) struct Noted {
    /// What the device does not support and was reported.
    refused: BTreeSet<String>,
    /// The pages whose widget trees hold next to nothing.
    opaque: OpaquePages,
    /// The events that were not passed on yet.
    pub events: EventLog,
    stagnation: Stagnation,
    /// The steps that were already told as stuck.
    stuck: BTreeSet<String>,
    /// What was already said of rules that were given up.
    rules: BTreeSet<String>,
}

impl RoundWatcher for CampaignWatcher<'_, '_> {
    fn frame(&mut self, _device: &mut dyn Device, stats: &CampaignStats) -> Result<(), DeviceError> {
        if stats.events.is_multiple_of(PROGRESS_EVERY) || self.sink.wants_progress() {
            self.sink.progress(stats);
        }
        Ok(())
    }

    fn seen(&mut self, frame: &Frame) {
        self.sink.seen(frame);
        self.noted.opaque.count(frame, &self.plan.app, self.sink);
    }

    fn performed(&mut self, trace: &Trace, stats: &CampaignStats) {
        if let Some(at_once) = self.sink.events_at_once() {
            self.noted.events.note(trace, stats);
            if self.noted.events.len() >= at_once {
                self.sink.events(self.noted.events.take());
            }
        }
        if let Some(stagnant) = self.noted.stagnation.observe(trace, stats) {
            self.sink.warning(CampaignWarning::Stagnant(stagnant));
        }
    }

    fn refused(&mut self, error: &DeviceError) {
        self.noted.refused(self.sink, error);
    }

    fn stuck(&mut self, device: &mut dyn Device, step: String, why: String, layout: &Arc<Layout>) {
        if self.sink.wants_stuck_steps() && self.noted.stuck.insert(step.clone()) {
            self.sink.stuck(StuckStep::on(device, step, why, Arc::clone(layout)));
        }
    }

    fn gave_up_rule(&mut self, why: &str) {
        if self.noted.rules.insert(why.to_owned()) {
            self.sink.warning(CampaignWarning::Rule(why.to_owned()));
        }
    }

    fn violated(
        &mut self,
        device: &mut dyn Device,
        trace: &Trace,
        reported: &Reported,
    ) -> Option<Arc<PngBytes>> {
        let origin = reported.violation.origin();
        if !self.confirmer.is_new(&origin) || !self.told.insert(origin) {
            return None;
        }
        let picture = self.plan.confirm.pictures.then(|| take_picture(device)).flatten();
        // The test may go on for minutes on a device: people hear of it now, and of what becomes of it later.
        let reported = Reported { picture: picture.clone(), ..reported.clone() };
        self.sink.finding(Arc::new(self.confirmer.seen(trace, &reported)));
        picture
    }
}

impl Noted {
    /// Warns that the device did not perform an event or did not show its effect: once of each thing that it does not
    /// support, and once of all that depends on a text or a screen.
    pub(crate) fn refused(&mut self, sink: &mut dyn CampaignSink, error: &DeviceError) {
        let what = if let DeviceError::Unsupported { what, .. } = error { what.as_str() } else { "" };
        if self.refused.insert(what.to_owned()) {
            sink.warning(CampaignWarning::Refused(error.clone()));
        }
    }
}
