//! What a `uiautomator dump` does not say of a widget.

use serde::{Deserialize, Serialize};

use super::Text;

/// What a dump does not say of a widget. Only the agent reports it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WidgetDetails {
    /// The error that a field shows; empty if it shows none.
    pub error: Text,
    /// The position among its siblings in which it is drawn; 0 if the device does not report it.
    pub drawing_order: i32,
    /// Least, current and greatest value of a slider or progress bar, in thousandths.
    pub range: Option<[i32; 3]>,
    /// Row and column in a list or grid.
    pub cell: Option<[i32; 2]>,
}

impl WidgetDetails {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == WidgetDetails::default()
    }
}
