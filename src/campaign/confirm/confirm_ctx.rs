//! What confirming needs of its campaign: devices, the budget for re-executions, and somebody to report to.

use std::sync::Arc;

use super::investigate::Camera;
use super::reexecute::on_fresh;
use crate::{CampaignSink, Finding, Rerun, Rig, Unit, keep_latest, reexecute};
use taproof_engine::device::{Device, DeviceError, DeviceSource};
use taproof_engine::{CampaignStats, RoundWatcher, Stop, Task};
use taproof_screen::FindingOrigin;
use taproof_spec::DataModel;

/// What confirming needs of its campaign.
pub(crate) struct ConfirmCtx<'c> {
    pub(crate) source: &'c mut dyn DeviceSource,
    pub(crate) stats: &'c mut CampaignStats,
    pub(crate) sink: &'c mut dyn CampaignSink,
    /// The findings so far, in the order in which they were seen.
    pub(crate) findings: &'c mut Vec<Arc<Finding>>,
    pub(crate) allowance: Allowance,
}

/// How many events may be re-executed.
#[derive(Clone, Copy)]
pub(crate) struct Allowance {
    /// Maximum number of re-executed events of the whole campaign; `None` for no limit.
    pub(crate) limit: Option<u64>,
    /// Whether the campaign performs no more events of its own, so that nothing need be left for later findings.
    pub(crate) last: bool,
}

impl ConfirmCtx<'_> {
    /// Whether re-executions are limited.
    pub(crate) fn limited(&self) -> bool {
        self.allowance.limit.is_some()
    }

    /// Number of events that may still be re-executed.
    pub(crate) fn left(&self) -> u64 {
        self.allowance.limit.map_or(u64::MAX, |limit| limit.saturating_sub(self.stats.reexecuted))
    }

    /// Number of events that minimising a trace must leave: half of what is left, as long as there may be more
    /// findings, so that these can be confirmed.
    pub(crate) fn reserve(&self) -> u64 {
        if self.allowance.last { 0 } else { self.left() / 2 }
    }

    /// Reports a finding that is new, or of which more is known.
    pub(crate) fn report(&mut self, finding: &Finding) {
        let finding = Arc::new(finding.clone());
        keep_latest(self.findings, Arc::clone(&finding));
        self.sink.finding(finding);
    }

    /// Whether a finding of this origin is not finished.
    pub(crate) fn pending(&self, origin: &FindingOrigin) -> bool {
        self.findings.iter().any(|known| known.origin == *origin && !known.finished)
    }

    /// Makes known what the campaign does from now on.
    pub(crate) fn begin(&mut self, task: Task) {
        self.stats.task = task;
        publish(self.stats, self.sink);
    }

    /// Re-executes units on a fresh device without these bugs, and counts the events as they happen.
    pub(crate) fn run(
        &mut self,
        rig: Rig<'_>,
        units: &[Unit],
        sought: Option<&FindingOrigin>,
        bugs_off: &[String],
    ) -> Result<Rerun, Stop> {
        self.run_with_camera(rig, units, sought, (bugs_off, None)).map(|(rerun, _)| rerun)
    }

    /// As [`ConfirmCtx::run`]. `pictures`: whether the camera takes screenshots as well; `None` for no camera.
    pub(crate) fn run_with_camera(
        &mut self,
        rig: Rig<'_>,
        units: &[Unit],
        sought: Option<&FindingOrigin>,
        (bugs_off, pictures): (&[String], Option<bool>),
    ) -> Result<(Rerun, Camera), Stop> {
        let (stats, sink) = (&mut *self.stats, &mut *self.sink);
        on_fresh(self.source, bugs_off, |device| {
            let camera = pictures.map(|pictures| Camera { pictures, ..Camera::default() });
            let mut watcher = Watcher { stats: &mut *stats, sink: &mut *sink, counted: 0, camera };
            let rerun = reexecute(device, rig, units, sought, &mut watcher)?;
            Ok((rerun, watcher.camera.unwrap_or_default()))
        })
    }
}

/// Publishes the counts if somebody waits for them.
fn publish(stats: &CampaignStats, sink: &mut dyn CampaignSink) {
    if sink.wants_progress() {
        sink.progress(stats);
    }
}

/// Counts the events of a re-execution, for the campaign and for whoever waits for its progress.
struct Watcher<'w> {
    stats: &'w mut CampaignStats,
    sink: &'w mut dyn CampaignSink,
    /// Number of events of the re-execution that are counted.
    counted: u64,
    camera: Option<Camera>,
}

impl RoundWatcher for Watcher<'_> {
    fn frame(&mut self, device: &mut dyn Device, stats: &CampaignStats) -> Result<(), DeviceError> {
        self.stats.reexecuted += stats.events - self.counted;
        self.counted = stats.events;
        publish(self.stats, self.sink);
        match &mut self.camera {
            Some(camera) => camera.frame(device, stats),
            None => Ok(()),
        }
    }

    fn data(&mut self, frame: usize, data: &DataModel) {
        if let Some(camera) = &mut self.camera {
            camera.data(frame, data);
        }
    }
}
