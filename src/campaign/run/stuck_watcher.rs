//! Keeps the first step of a run that could not be performed.

use std::sync::Arc;

use taproof_engine::RoundWatcher;
use taproof_engine::device::{Device, StuckStep};
use taproof_screen::Layout;

/// Keeps the first step that could not be performed.
#[derive(Default)]
pub(crate) struct StuckWatcher {
    pub first: Option<StuckStep>,
}

impl RoundWatcher for StuckWatcher {
    fn stuck(&mut self, device: &mut dyn Device, step: String, why: String, layout: &Arc<Layout>) {
        if self.first.is_none() {
            self.first = Some(StuckStep::on(device, step, why, Arc::clone(layout)));
        }
    }
}
