//! What an engine says of itself: what it is doing now, and what only this engine has to show.

use egui::{Label, RichText, ScrollArea, Ui};

use crate::state::{CampaignState, Command, EngineRunState, StudioState};
use taproof_core::engine::EngineView;
use taproof_core::model::thousands;

use super::campaign_numbers::properties_ui;
use super::fuzz_panel::FuzzPanel;
use super::inside_fastbot2::fastbot2_ui;
use super::inside_genie::genie_ui;
use super::inside_odin::odin_ui;
use super::inside_timemachine::timemachine_ui;
use super::parts::empty_state;
use super::theme::{caption, heading, icon, strong};

/// Draws it into the room there is.
pub fn engine_inside_ui(
    state: &StudioState,
    campaign: &CampaignState,
    panel: &mut FuzzPanel,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    ui.set_width(ui.available_width());
    ui.set_height(ui.available_height() - 14.0);
    let Some(run) = state.campaigns.shown_run().and_then(|place| campaign.runs.get(place)) else { return };
    ui.horizontal(|ui| {
        ui.label(heading(&run.label));
        ui.add(Label::new(caption(&run.stats.phase)).truncate());
    });
    ScrollArea::vertical().id_salt(("inside", &run.label)).auto_shrink([false, false]).show(ui, |ui| {
        match &run.stats.view {
            EngineView::Genie(counts) => genie_ui(campaign, counts, commands, ui),
            EngineView::Odin(view) => odin_ui(view, ui),
            EngineView::Fastbot2(view) => fastbot2_ui(view, ui),
            EngineView::TimeMachine(view) => {
                timemachine_ui(state, run, view, &mut panel.thumbnails, commands, ui)
            }
            EngineView::None => plain_ui(campaign, run, ui),
        }
    });
}

/// An engine without a view of its own: what became of the functions, where it runs them.
fn plain_ui(campaign: &CampaignState, run: &EngineRunState, ui: &mut Ui) {
    if run.name() == "PBFDroid" {
        properties_ui(campaign, ui);
    } else if run.counts.events == 0 || run.name() != "Monkey" {
        empty_state(ui, icon::RUNNING, "Nothing to show yet", "It tells of itself every thousand events.");
    } else {
        let how = "Random events: it keeps nothing from one event to the next.";
        empty_state(ui, icon::TOUCH, "Nothing inside", how);
    }
}

/// Numbers beside each other, each over what it counts.
pub fn numbers_ui(numbers: &[(&str, u64, &str)], ui: &mut Ui) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(20.0, 8.0);
        for (word, number, tip) in numbers {
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                let label = ui.label(RichText::new(thousands(*number)).text_style(egui::TextStyle::Heading));
                let word = ui.label(caption(*word));
                if !tip.is_empty() {
                    label.on_hover_text(*tip);
                    word.on_hover_text(*tip);
                }
            });
        }
    });
    ui.add_space(8.0);
}

/// The heading of a part.
pub fn part_ui(title: &str, what: &str, ui: &mut Ui) {
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        ui.label(strong(title));
        ui.add(Label::new(caption(what)).truncate());
    });
}

/// How large a share is, as a bar with its number.
pub fn share_ui(label: &str, tip: &str, count: u64, of: u64, color: egui::Color32, ui: &mut Ui) {
    ui.spacing_mut().item_spacing.y = 2.0;
    ui.horizontal(|ui| {
        ui.spacing_mut().interact_size.y = 20.0;
        ui.allocate_ui_with_layout(
            egui::vec2(130.0, 20.0),
            egui::Layout::left_to_right(egui::Align::Center),
            |ui| {
                ui.set_min_width(130.0);
                ui.add(Label::new(label).truncate()).on_hover_text(tip);
            },
        );
        let share = if of == 0 { 0.0 } else { count as f32 / of as f32 };
        let width = (ui.available_width() - 120.0).clamp(60.0, 360.0);
        let (rect, _) = ui.allocate_exact_size(egui::vec2(width, 10.0), egui::Sense::hover());
        let full = rect.with_max_x(rect.left() + rect.width() * share.clamp(0.0, 1.0));
        ui.painter().rect_filled(rect, 3, super::theme::tokens(ui.ctx()).control);
        ui.painter().rect_filled(full, 3, color);
        ui.label(format!("{} ({:.0} %)", thousands(count), share * 100.0));
    });
}
