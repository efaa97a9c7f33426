//! The view of an engine's own state: its current phase, and what only this kind of engine has.

use egui::{Label, ScrollArea, Ui};

use crate::state::{CampaignState, Command, EngineRunState, StudioState};
use taproof_core::engine::EngineView;

use super::campaign_numbers::properties_ui;
use super::inside_fastbot2::fastbot2_ui;
use super::inside_genie::genie_ui;
use super::inside_odin::odin_ui;
use super::inside_timemachine::timemachine_ui;
use super::parts::empty_state;
use super::theme::{caption, heading, icon};
use super::thumbnails::Thumbnails;

/// Draws the view into the available space.
pub fn engine_inside_ui(
    state: &StudioState,
    campaign: &CampaignState,
    thumbnails: &mut Thumbnails,
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
            EngineView::TimeMachine(view) => timemachine_ui(state, run, view, thumbnails, commands, ui),
            EngineView::None => plain_ui(campaign, run, ui),
        }
    });
}

/// Draws the view of an engine without a specific one: the statistics of the functions if it runs them.
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
