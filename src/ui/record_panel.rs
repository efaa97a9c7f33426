//! The place Record: the recording and the specification, the phone's widgets beside them.

use egui::Ui;

use crate::state::{Command, StudioState};

use super::inspect_panel::inspect_panel_ui;
use super::overlay::Hover;
use super::widget_tree::TreePanel;

/// Draws the place.
pub fn record_panel_ui(
    state: &StudioState,
    panel: &mut TreePanel,
    hover: &mut Hover,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    inspect_panel_ui(state, panel, hover, commands, ui);
}
