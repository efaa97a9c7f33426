//! The place Fuzz: the sentence that starts a campaign, the list of campaigns, and of the selected one its bugs, its
//! numbers, a state graph, or an engine's own view.

use egui::{Align, Frame, Layout, Margin, ScrollArea, Ui};

use super::bug_cards::bugs_ui;
use super::corrections::corrections_ui;
use super::curves::curves_ui;
use super::engine_inside::engine_inside_ui;
use super::engine_table::engine_table_ui;
use super::event_list::event_list_ui;
use super::graph::{GraphPanel, graph_panel_ui};
use super::held_cards::HeldCards;
use super::left_out::left_out_ui;
use super::list::{campaign_line_ui, campaign_list_ui};
use super::thumbnails::Thumbnails;
use crate::command::Command;
use crate::fuzz::panels::form::engine_settings::engine_settings_ui;
use crate::fuzz::panels::form::form_ui;
use crate::fuzz::{CampaignCommand, CampaignState, FuzzView, Opening};
use crate::parts::controls::{card, empty_state, roomy_segments, segments, waiting_state, wide_card};
use crate::parts::theme::{icon, tokens};
use crate::replay::ExportSubject;
use crate::replay::panels::export_menu::export_menu_ui;
use crate::state::StudioState;

/// The panel's own state.
#[derive(Default)]
pub struct FuzzPanel {
    /// The zoom and the position of the state graph.
    pub graph: GraphPanel,
    /// The thumbnails of screens.
    pub thumbnails: Thumbnails,
    /// The cards as they are drawn.
    pub cards: HeldCards,
}

/// Draws the place Fuzz.
pub fn fuzz_panel_ui(state: &StudioState, panel: &mut FuzzPanel, commands: &mut Vec<Command>, ui: &mut Ui) {
    egui::CentralPanel::default()
        .frame(Frame::new().fill(tokens(ui.ctx()).base).inner_margin(Margin::same(12)))
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 8.0;
            if let Some(campaign) = state.campaigns.shown().filter(|_| state.campaigns.folded) {
                card(ui, |ui| campaign_line_ui(campaign, commands, ui));
                campaign_ui(state, campaign, panel, commands, ui);
                return;
            }
            let mut form = state.campaigns.form.clone();
            card(ui, |ui| form_ui(state, &mut form, commands, ui));
            let settings = state.campaigns.settings;
            if let Some(open) = settings {
                card(ui, |ui| engine_settings_ui(&mut form, open, commands, ui));
            }
            if form != state.campaigns.form {
                commands.push(Command::EditForm(Box::new(form)));
            }
            if settings.is_some() {
                return;
            }
            if !state.campaigns.list.is_empty() || state.campaigns.earlier().next().is_some() {
                card(ui, |ui| campaign_list_ui(state, commands, ui));
            }
            match (&state.campaigns.opening, state.campaigns.shown()) {
                (Some(opening), _) => opening_ui(opening, ui),
                (None, Some(campaign)) => campaign_ui(state, campaign, panel, commands, ui),
                (None, None) => none_ui(state, ui),
            }
        });
}

/// Draws in the place of an earlier campaign that it is being read, or why it cannot be.
fn opening_ui(opening: &Opening, ui: &mut Ui) {
    let row = opening.row;
    match &opening.problem {
        Some(problem) => wide_card(ui, |ui| {
            empty_state(ui, icon::BROKEN, &format!("Campaign {row} cannot be read"), problem);
        }),
        None => waiting_state(ui, &format!("Reading campaign {row}"), "Its bugs are put on cards."),
    }
}

fn none_ui(state: &StudioState, ui: &mut Ui) {
    wide_card(ui, |ui| {
        let how = match state.campaigns.form.has_no_function(&state.documents) {
            true => {
                "Choose an app and press Scan. It is used in thousands of ways, and what it loses appears here."
            }
            false => "Choose an app and press Start (F5). Bugs appear here while it runs.",
        };
        let what = if state.campaigns.kept.is_empty() {
            "No campaign yet"
        } else {
            "No campaign in this window yet"
        };
        empty_state(ui, icon::BUG, what, how);
        if state.campaigns.earlier().next().is_some() {
            ui.vertical_centered(|ui| ui.label("Choose an earlier campaign above to see what it found."));
            ui.add_space(16.0);
        }
    });
}

/// Draws the chosen view of the selected campaign.
fn campaign_ui(
    state: &StudioState,
    campaign: &CampaignState,
    panel: &mut FuzzPanel,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    ui.horizontal(|ui| {
        let bugs = match campaign.carded().len() {
            0 => FuzzView::Bugs.word().to_owned(),
            bugs => format!("{} ({bugs})", FuzzView::Bugs.word()),
        };
        let view = |view: FuzzView, tip| (view, view.word().to_owned(), tip);
        let views = [
            (FuzzView::Bugs, bugs, "What was found: a card for each bug"),
            view(FuzzView::Numbers, "The engines side by side, and their curves"),
            view(FuzzView::States, "The states of the app that an engine saw"),
            view(
                FuzzView::Inside,
                "How an engine chooses its events, and how often each function ran, held and could not run",
            ),
            view(FuzzView::Events, "What an engine did, event by event, to search in"),
        ];
        if let Some(view) = roomy_segments(ui, Some(state.campaigns.view), &views, &["Bugs (888)"]) {
            commands.push(CampaignCommand::Show(view).into());
        }
        match state.campaigns.view {
            FuzzView::Bugs => export_ui(state, campaign, commands, ui),
            FuzzView::Numbers => {}
            FuzzView::States | FuzzView::Inside | FuzzView::Events => {
                engines_ui(state, campaign, commands, ui)
            }
        }
    });
    match state.campaigns.view {
        FuzzView::Bugs => bugs_ui(state, campaign, panel, commands, ui),
        FuzzView::Numbers => numbers_ui(state, campaign, commands, ui),
        FuzzView::States => {
            graph_panel_ui(state, campaign, &mut panel.graph, &mut panel.thumbnails, commands, ui);
        }
        FuzzView::Inside => {
            card(ui, |ui| engine_inside_ui(state, campaign, &mut panel.thumbnails, commands, ui));
        }
        FuzzView::Events => wide_card(ui, |ui| event_list_ui(state, campaign, commands, ui)),
    }
}

/// Draws the menu that exports the campaign, and what a person has said of its bugs.
fn export_ui(state: &StudioState, campaign: &CampaignState, commands: &mut Vec<Command>, ui: &mut Ui) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let subject = ExportSubject::Campaign(campaign.id);
        export_menu_ui(&subject, campaign.row.is_some(), commands, ui, |_, _| ());
        corrections_ui(state.history.corrections(&campaign.plan.app), campaign, commands, ui);
    });
}

/// Draws the choice of the engine.
fn engines_ui(state: &StudioState, campaign: &CampaignState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let runs = campaign.runs.iter().enumerate();
    let engines: Vec<(usize, String, &str)> =
        runs.map(|(place, run)| (place, run.name().to_owned(), "")).collect();
    if let Some(place) = segments(ui, state.campaigns.shown_run(), &engines) {
        commands.push(CampaignCommand::ShowRun(place).into());
    }
}

/// Draws the table of the engines, and below it their curves.
fn numbers_ui(state: &StudioState, campaign: &CampaignState, commands: &mut Vec<Command>, ui: &mut Ui) {
    ScrollArea::vertical().id_salt("numbers").auto_shrink([false, false]).show(ui, |ui| {
        wide_card(ui, |ui| {
            engine_table_ui(campaign, commands, ui);
        });
        card(ui, |ui| curves_ui(state, commands, ui));
        wide_card(ui, |ui| left_out_ui(campaign.together.as_ref(), ui));
    });
}
