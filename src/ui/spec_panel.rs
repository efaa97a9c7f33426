//! The specifications that are open: which there are, and the one that is shown.

use egui::Ui;

use crate::state::{Command, StudioState};

use super::parts::empty_state;
use super::theme::icon;

/// What only this panel remembers.
#[derive(Default)]
pub struct SpecPanel {}

/// Draws the side of the place Record that shows specifications.
pub fn spec_panel_ui(
    _state: &StudioState,
    _panel: &mut SpecPanel,
    _commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    empty_state(ui, icon::CHANGED, "No specification chosen", "Open one, or record a DMF and save it.");
}
