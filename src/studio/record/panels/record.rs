//! The place Record: the recording on one side, the specifications on the other.

use egui::{Frame, Margin, Panel, Ui};

use super::head::record_buttons_ui;
use super::recording::{RecordingPanel, recording_panel_ui};
use crate::command::Command;
use crate::parts::controls::segments;
use crate::parts::overlay::Hover;
use crate::parts::theme::{BAR, tokens};
use crate::specs::panels::spec::{SpecPanel, spec_panel_ui};
use crate::state::{RecordView, StudioState};

/// Draws the place Record.
pub fn record_panel_ui(
    state: &StudioState,
    panel: &mut RecordingPanel,
    specs: &mut SpecPanel,
    hover: &mut Hover,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let frame = Frame::new().fill(tokens(ui.ctx()).panel).inner_margin(Margin::symmetric(12, 0));
    Panel::top("record view").exact_size(BAR).frame(frame).show(ui, |ui| {
        ui.horizontal_centered(|ui| {
            if let Some(view) = segments(ui, Some(state.settings.record_view), &views()) {
                commands.push(Command::GoRecord(view));
            }
            if state.settings.record_view == RecordView::Recording {
                let layout = egui::Layout::right_to_left(egui::Align::Center);
                ui.with_layout(layout, |ui| record_buttons_ui(state, commands, ui));
            }
        });
    });
    match state.settings.record_view {
        RecordView::Recording => recording_panel_ui(state, panel, hover, commands, ui),
        RecordView::Specification => spec_panel_ui(state, specs, commands, ui),
    }
}

fn views() -> [(RecordView, String, &'static str); 2] {
    [
        (
            RecordView::Recording,
            "Recording".to_owned(),
            "What you do on the phone, and the function that it makes",
        ),
        (
            RecordView::Specification,
            "Specification".to_owned(),
            "Read and edit the specifications that are open",
        ),
    ]
}
