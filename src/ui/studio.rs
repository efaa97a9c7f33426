//! The whole window: the bar, the phone, the place, the status line, the keys that work everywhere.

use egui::{Frame, Margin, Panel, Ui};

use crate::state::{Command, Place, StudioState};

use super::file_chooser::file_chooser_ui;
use super::fuzz_panel::fuzz_panel_ui;
use super::help::help_ui;
use super::keep_dialog::keep_dialog_ui;
use super::overlay::Hover;
use super::palette::{PalettePanel, palette_ui};
use super::phone_panel::{PhonePanel, phone_panel_ui};
use super::record_panel::record_panel_ui;
use super::recording_panel::RecordingPanel;
use super::replay_panel::{ReplayPanel, replay_panel_ui};
use super::shortcuts::shortcuts;
use super::spec_panel::SpecPanel;
use super::status_bar::status_bar_ui;
use super::theme::{BAR, tokens};
use super::top_bar::top_bar_ui;

/// What the panels remember.
#[derive(Default)]
pub struct StudioPanels {
    phone: PhonePanel,
    tree: RecordingPanel,
    specs: SpecPanel,
    replay: ReplayPanel,
    palette: PalettePanel,
    hover: Hover,
    /// When the replay went on last, in seconds of the window's clock.
    pub last_tick: Option<f64>,
    /// When the timer of the recording was looked at last, on the same clock.
    pub last_second: Option<f64>,
}

/// Draws the window and queues what the person asks for.
pub fn studio_ui(state: &StudioState, panels: &mut StudioPanels, commands: &mut Vec<Command>, ui: &mut Ui) {
    let tokens = tokens(ui.ctx());
    let bar = |margin| Frame::new().fill(tokens.panel).inner_margin(margin);
    Panel::top("top bar")
        .exact_size(BAR)
        .frame(bar(Margin::symmetric(12, 0)))
        .show(ui, |ui| top_bar_ui(state, commands, ui));
    Panel::bottom("status line")
        .exact_size(28.0)
        .frame(bar(Margin::symmetric(12, 0)))
        .show(ui, |ui| status_bar_ui(state, commands, ui));
    let height = ui.available_height();
    let width = ((height - 24.0 - 76.0) * 9.0 / 16.0 + 24.0).clamp(260.0, 560.0);
    Panel::left("phone")
        .default_size(width)
        .size_range(240.0..=720.0)
        .frame(Frame::new().fill(tokens.base).inner_margin(Margin::same(12)))
        .show(ui, |ui| phone_panel_ui(state, &mut panels.phone, &mut panels.hover, commands, ui));
    match state.settings.place {
        Place::Record => {
            let (tree, specs) = (&mut panels.tree, &mut panels.specs);
            record_panel_ui(state, tree, specs, &mut panels.hover, commands, ui);
        }
        Place::Fuzz => fuzz_panel_ui(state, commands, ui),
        Place::Replay => replay_panel_ui(state, &mut panels.replay, commands, ui),
    }
    panels.hover.turn(ui.ctx());
    help_ui(state, commands, ui.ctx());
    keep_dialog_ui(state, commands, ui.ctx());
    file_chooser_ui(state, commands, ui.ctx());
    palette_ui(state, &mut panels.palette, commands, ui.ctx());
    shortcuts(state, commands, ui.ctx());
}
