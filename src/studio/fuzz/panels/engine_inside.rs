//! The view of an engine's own state: its current phase, and what it tells of itself.

use egui::{Label, ScrollArea, Ui};

use super::detours::detours_ui;
use super::numbers::properties_ui;
use super::stats_parts::stats_ui;
use super::thumbnails::Thumbnails;
use crate::command::Command;
use crate::fuzz::{CampaignCommand, CampaignState, EngineRunState};
use crate::parts::controls::empty_state;
use crate::parts::theme::{caption, heading, icon};
use crate::state::StudioState;
use taproof_engine::EngineConfig;

/// After how many events an engine with a view of its own has shown it.
const VIEW_EVENTS: u64 = 1000;

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
    let Some(place) = state.campaigns.shown_run() else { return };
    let (Some(run), Some(engine)) = (campaign.runs.get(place), campaign.plan.engines.get(place)) else {
        return;
    };
    ui.horizontal(|ui| {
        ui.label(heading(&run.label));
        ui.add(Label::new(caption(&run.stats.phase)).truncate());
    });
    ScrollArea::vertical().id_salt(("inside", &run.label)).auto_shrink([false, false]).show(ui, |ui| {
        if engine.settings().guards_data() && !campaign.plan.spec.dmfs.is_empty() {
            properties_ui(campaign, ui);
        } else if run.stats.is_only_phase() {
            plain_ui(campaign, run, ui);
        }
        let mut wanted = Vec::new();
        stats_ui(state, &run.stats, thumbnails, &mut wanted, ui);
        if !wanted.is_empty() {
            commands.push(CampaignCommand::Thumbnails(wanted).into());
        }
        if matches!(engine, EngineConfig::Genie(_)) && !run.stats.is_only_phase() {
            detours_ui(campaign, commands, ui);
        }
    });
}

/// Says why an engine has nothing of its own to show.
fn plain_ui(campaign: &CampaignState, run: &EngineRunState, ui: &mut Ui) {
    if run.counts.events < VIEW_EVENTS && run.alive() {
        empty_state(ui, icon::RUNNING, "Nothing to show yet", "It tells of itself every thousand events.");
    } else if campaign.earlier.is_some() && run.stats.phase.is_empty() {
        let how =
            "What an engine says of itself is kept when its campaign ends by itself, and this one did not.";
        empty_state(ui, icon::TOUCH, "Nothing was kept", how);
    } else {
        empty_state(
            ui,
            icon::TOUCH,
            "Nothing inside",
            "This engine shows nothing of how it chooses its events.",
        );
    }
}
