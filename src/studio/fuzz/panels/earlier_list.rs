//! The campaigns of the workspace, below those of this window: each can be opened, and interrupted ones can be resumed.

use egui::{Align, Button, Label, Layout, Sense, Ui, WidgetInfo, WidgetType};
use egui_extras::{Column, TableBuilder, TableRow};

use super::engine_table::phase_look;
use super::list::ROW;
use crate::command::Command;
use crate::fuzz::{CampaignCommand, CampaignPhase, earlier_end};
use crate::parts::controls::{badge, icon_and_text, labelled_button, named};
use crate::parts::theme::{caption, icon, strong, tokens};
use crate::state::{StudioState, place_words};
use taproof_results::store::CampaignRow;
use taproof_screen::{counted, thousands};

/// Number of rows that are shown at once.
const ROWS: f32 = 3.0;

/// Draws the list. Folded, it has the campaign that is shown, and those of this window that could not be written.
pub fn earlier_list_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let campaigns = &state.campaigns;
    let all: Vec<&CampaignRow> = campaigns.earlier().collect();
    if all.is_empty() {
        return;
    }
    let (listed, shown) = (campaigns.lists_earlier(), campaigns.earlier_shown());
    ui.horizontal(|ui| {
        let words = counted(all.len(), "earlier campaign");
        let arrow = if listed { icon::OPEN } else { icon::CLOSED };
        let text = icon_and_text(ui, arrow, &words, tokens(ui.ctx()).quiet);
        let fold = ui.add(Button::new(text).frame_when_inactive(false));
        named(&fold, WidgetType::Button, &words);
        if fold.on_hover_text("Campaigns of earlier runs of the program, and of commands").clicked() {
            commands.push(CampaignCommand::ListEarlier(!listed).into());
        }
    });
    // What this window could not write can go on once there is room again.
    let failed = |row: i64| campaigns.of_window().any(|campaign| campaign.row == Some(row));
    let stays = |row: i64| Some(row) == shown || failed(row);
    let rows: Vec<&CampaignRow> = all.into_iter().filter(|campaign| listed || stays(campaign.id)).collect();
    if rows.is_empty() {
        return;
    }
    let table = TableBuilder::new(ui)
        .id_salt("earlier campaigns")
        .cell_layout(Layout::left_to_right(Align::Center))
        .sense(Sense::CLICK)
        .auto_shrink([false, true])
        .max_scroll_height(ROWS * (ROW + 4.0))
        .column(Column::remainder().at_least(130.0).clip(true))
        .column(Column::exact(190.0))
        .column(Column::exact(100.0));
    table.body(|body| {
        body.rows(ROW, rows.len(), |mut row| {
            let Some(campaign) = rows.get(row.index()) else { return };
            let chosen = shown == Some(campaign.id);
            row.set_selected(chosen);
            let pressed = row_ui(state, campaign, chosen, commands, &mut row);
            if pressed || row.response().clicked() {
                commands.push(CampaignCommand::Open(campaign.id).into());
            }
        });
    });
}

/// Draws the row of a campaign. Returns whether its name was clicked.
fn row_ui(
    state: &StudioState,
    campaign: &CampaignRow,
    chosen: bool,
    commands: &mut Vec<Command>,
    row: &mut TableRow<'_, '_>,
) -> bool {
    let sentence = earlier_end(campaign);
    let mut pressed = false;
    row.col(|ui| {
        let (icon, word, tone) = phase_look(&CampaignPhase::Earlier(campaign.end.clone()));
        badge(ui, icon, word, tone).on_hover_text(&sentence);
        let app = state.label_of(&campaign.app);
        let open = ui.add(Button::new(strong(format!("{} {app}", campaign.id))).frame_when_inactive(false));
        open.widget_info(|| {
            let name = format!("Earlier campaign {}, {app}", campaign.id);
            WidgetInfo::selected(WidgetType::SelectableLabel, true, chosen, name)
        });
        pressed = open.on_hover_text("Shows what it found").clicked();
        let what =
            format!("{}, {}, seed {}", campaign.engine_words(), place_words(&campaign.build), campaign.seed);
        ui.add(Label::new(caption(&what)).truncate()).on_hover_text(what);
    });
    row.col(|ui| {
        let bugs = counted(state.history.bugs_in(campaign.id), "bug");
        let events = format!("{} events, {bugs}", thousands(campaign.events));
        ui.add(Label::new(caption(events)).truncate()).on_hover_text(&sentence);
    });
    row.col(|ui| {
        if campaign.is_interrupted() {
            let button = labelled_button(ui, icon::PLAY, "Resume", true).on_hover_text(&sentence);
            named(&button, WidgetType::Button, &format!("Resume campaign {}", campaign.id));
            if button.clicked() {
                commands.push(CampaignCommand::Resume(campaign.id).into());
            }
        }
    });
    pressed
}
