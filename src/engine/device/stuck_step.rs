//! A step that could not be performed, with the screen that was there instead.

use std::sync::Arc;

use super::{Device, PngBytes};
use taproof_screen::Layout;

/// A step that could not be performed, with the screen that was there instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StuckStep {
    /// The step in words, such as `add note, step 2`.
    pub step: String,
    /// Why it could not be performed.
    pub why: String,
    /// The layout that was shown.
    pub layout: Arc<Layout>,
    /// A picture of it; `None` if none could be taken.
    pub picture: Option<Arc<PngBytes>>,
}

impl StuckStep {
    /// A step that cannot be performed on what a device shows now.
    pub fn on(device: &mut dyn Device, step: String, why: String, layout: Arc<Layout>) -> StuckStep {
        let picture = device.screenshot().and_then(|shot| shot.to_png()).ok().map(Arc::new);
        StuckStep { step, why, layout, picture }
    }
}
