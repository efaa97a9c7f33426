//! What conditions are judged on.

use crate::{Bindings, DataModel};
use taproof_screen::Layout;

/// Everything that a condition is judged on.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The layout that the condition is judged on.
    pub layout: &'a Layout,
    /// What the app should hold.
    pub data: &'a DataModel,
    /// The app's package: nodes of other packages do not count.
    pub app: &'a str,
    /// What the run has read and drawn.
    pub bindings: &'a Bindings,
}
