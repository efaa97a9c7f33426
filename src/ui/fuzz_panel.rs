//! Campaigns: the form that starts one, the list, and the numbers of the one that is chosen.

use egui::{Frame, Margin, ScrollArea, Ui};

use crate::state::{Command, StudioState};

use super::campaign_curves::curves_ui;
use super::campaign_form::form_ui;
use super::campaign_list::campaign_list_ui;
use super::campaign_numbers::properties_ui;
use super::findings_list::findings_ui;
use super::parts::{card, empty_state};
use super::theme::{icon, tokens};

/// From this width on what was found and what was counted stand side by side.
const WIDE: f32 = 720.0;
/// The height of the findings where they do not.
const LIST: f32 = 260.0;

/// Draws the place.
pub fn fuzz_panel_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    egui::CentralPanel::default()
        .frame(Frame::new().fill(tokens(ui.ctx()).base).inner_margin(Margin::same(12)))
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 8.0;
            card(ui, |ui| form_ui(state, commands, ui));
            if state.campaigns.list.is_empty() {
                card(ui, |ui| {
                    ui.set_width(ui.available_width());
                    let how = "Choose an app and press Start (F5). Findings appear here while it runs.";
                    empty_state(ui, icon::BUG, "No campaign yet", how);
                    if !state.history.rows().is_empty() {
                        ui.vertical_centered(|ui| ui.label("What earlier campaigns found is in Replay."));
                        ui.add_space(16.0);
                    }
                });
                return;
            }
            card(ui, |ui| campaign_list_ui(state, commands, ui));
            numbers_ui(state, commands, ui);
        });
}

/// What was found on the left, what was counted on the right; one below the other where there is little room.
fn numbers_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let Some(campaign) = state.campaigns.shown() else { return };
    let counted = |commands: &mut Vec<Command>, ui: &mut Ui| {
        curves_ui(state, commands, ui);
        ui.add_space(8.0);
        properties_ui(campaign, ui);
    };
    if ui.available_width() < WIDE {
        ScrollArea::vertical().id_salt("found and counted").show(ui, |ui| {
            card(ui, |ui| {
                ui.set_height(LIST);
                findings_ui(campaign, commands, ui);
            });
            card(ui, |ui| counted(commands, ui));
        });
        return;
    }
    let height = ui.available_height();
    ui.columns_const(|[left, right]| {
        card(left, |ui| {
            ui.set_min_height(height - 26.0);
            findings_ui(campaign, commands, ui);
        });
        card(right, |ui| {
            ui.set_min_height(height - 26.0);
            ScrollArea::vertical().id_salt("numbers").show(ui, |ui| counted(commands, ui));
        });
    });
}
