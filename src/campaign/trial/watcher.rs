//! Keeps what a trial's run found: the screens of its steps, and the first step that could not be performed.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::run::stuck_watcher::StuckWatcher;
use taproof_engine::RoundWatcher;
use taproof_engine::device::Device;
use taproof_screen::{Layout, WidgetIdx};
use taproof_spec::repair::WalkStep;

/// Watches the runs of one function; others only lead to it.
pub(super) struct TrialWatcher {
    dmf: usize,
    pub stuck: StuckWatcher,
    pub steps: BTreeMap<usize, WalkStep>,
}

impl TrialWatcher {
    pub fn of(dmf: usize) -> TrialWatcher {
        TrialWatcher { dmf, stuck: StuckWatcher::default(), steps: BTreeMap::new() }
    }
}

impl RoundWatcher for TrialWatcher {
    fn stuck(&mut self, device: &mut dyn Device, step: String, why: String, layout: &Arc<Layout>) {
        self.stuck.stuck(device, step, why, layout);
    }

    fn found_step(&mut self, dmf: usize, step: usize, layout: &Arc<Layout>, target: Option<WidgetIdx>) {
        if dmf == self.dmf {
            self.steps.insert(step, WalkStep { layout: Arc::clone(layout), target });
        }
    }
}
