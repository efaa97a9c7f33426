//! The campaigns of this window and of earlier sessions in one list: a row for each, with its progress and buttons.

use egui::{Align, Button, CollapsingHeader, Label, Layout, Sense, Ui, WidgetInfo, WidgetType};
use egui_extras::{Column, TableBuilder};

use super::engine_table::phase_look;
use crate::command::Command;
use crate::fuzz::{CampaignCommand, CampaignPhase, CampaignState, EngineRunState, earlier_end};
use crate::parts::controls::{
    badge, details_ui, explained_icon_button, icon_button, labelled_button, look_ui, progress_bar, time_left,
};
use crate::parts::theme::{caption, glyph, icon, strong, tokens};
use crate::phone::{folded, sentence};
use crate::state::{StudioState, place_words};
use taproof_campaign::counted_bugs;
use taproof_results::store::CampaignRow;
use taproof_screen::{counted, thousands};
use taproof_session::dates::{date_words, length_words};

/// Height of the row of a campaign, in points.
pub const ROW: f32 = 32.0;
/// Below this width in points, only the numbers from index [`FEW`] on are shown.
const WIDE: f32 = 1000.0;
/// Below this width in points, no dates are shown.
const NARROW: f32 = 720.0;
/// Index of the first number that is shown if there is little space.
const FEW: usize = 3;

/// The title of the number of bugs.
const BUGS: &str = "Bugs";

/// A number of a campaign: its title, what it means, and the function that returns it.
type NumberOf = (&'static str, &'static str, fn(&CampaignState) -> f64);

/// The numbers of a row. If there is little space, only the last ones are shown.
const NUMBERS: [NumberOf; 5] = [
    ("Activities", "Pages of the app, as Android counts them, that were reached", |campaign| {
        campaign.activities() as f64
    }),
    ("Tests", "How often an engine began anew from the app\u{2019}s start", |campaign| {
        campaign.tests() as f64
    }),
    ("States", "Screens that differ in their structure, not only in texts", |campaign| {
        campaign.states() as f64
    }),
    ("Events/s", "Taps, keys and other inputs in a second", CampaignState::events_per_second),
    (BUGS, "Cards below; several findings can show one bug", |campaign| campaign.carded().len() as f64),
];

/// A campaign of the list.
#[derive(Clone, Copy)]
enum Listed<'s> {
    /// One of this window.
    Here(&'s CampaignState),
    /// One of the workspace, with what is known of it while it is open.
    Earlier(&'s CampaignRow, Option<&'s CampaignState>),
}

/// Draws the list of campaigns, and what is to be said of the one that is shown.
pub fn campaign_list_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    ui.set_width(ui.available_width());
    let campaigns = &state.campaigns;
    let open = campaigns.list.iter().find(|campaign| campaign.earlier.is_some());
    let known = |row: i64| open.filter(|open| open.row == Some(row));
    let earlier = campaigns.earlier().map(|row| Listed::Earlier(row, known(row.id)));
    let list: Vec<Listed<'_>> = campaigns.of_window().map(Listed::Here).chain(earlier).collect();
    if !list.is_empty() {
        table_ui(state, &list, commands, ui);
    }
    if let Some(campaign) = campaigns.shown() {
        sentences_ui(campaign, ui);
    }
}

fn table_ui(state: &StudioState, list: &[Listed<'_>], commands: &mut Vec<Command>, ui: &mut Ui) {
    let (shown, room) = (state.campaigns.shown().map(|campaign| campaign.id), ui.available_width());
    let numbers = NUMBERS.get(if room < WIDE { FEW } else { 0 }..).unwrap_or_default();
    let dates: &[f32] = if room < NARROW { &[] } else { &[124.0, 92.0] };
    let mut table = TableBuilder::new(ui)
        .id_salt("campaigns")
        .cell_layout(Layout::left_to_right(Align::Center))
        // Cells are not focusable, since the campaign's name is.
        .sense(Sense::CLICK)
        .auto_shrink([false, true])
        .max_scroll_height(3.0 * (ROW + 4.0))
        .column(Column::remainder().at_least(130.0).clip(true));
    for width in dates {
        table = table.column(Column::exact(*width));
    }
    let table = table
        .column(Column::exact(210.0))
        .columns(Column::exact(58.0), numbers.len())
        .column(Column::exact(72.0));
    let header = table.header(20.0, |mut row| {
        let dates = ["Began", "Length"].into_iter().take(dates.len());
        for title in ["Campaign"].into_iter().chain(dates).chain(["Events"]) {
            row.col(|ui| drop(ui.label(caption(title))));
        }
        for (title, tip, _) in numbers {
            row.col(|ui| heading_ui(title, tip, ui));
        }
        row.col(|ui| {
            let fold = icon_button(ui, icon::OPEN, "Fold the sentence and the list", true);
            if fold.on_hover_text("Leaves the line of the campaign that is shown").clicked() {
                commands.push(CampaignCommand::Fold(true).into());
            }
        });
    });
    header.body(|body| {
        body.rows(ROW, list.len(), |mut row| {
            let Some(campaign) = list.get(row.index()).copied() else { return };
            let (chosen, open) = match campaign {
                Listed::Here(campaign) => (shown == Some(campaign.id), Command::ShowCampaign(campaign.id)),
                Listed::Earlier(campaign, _) => (
                    state.campaigns.earlier_shown() == Some(campaign.id),
                    CampaignCommand::Open(campaign.id).into(),
                ),
            };
            row.set_selected(chosen);
            let mut pressed = false;
            row.col(|ui| pressed = name_ui(state, campaign, chosen, ui));
            for words in campaign.dates(state).into_iter().take(dates.len()) {
                row.col(|ui| drop(ui.label(caption(words))));
            }
            row.col(|ui| match campaign {
                Listed::Here(campaign) => progress_ui(campaign, ui),
                Listed::Earlier(campaign, _) => {
                    let events = format!("{} events", thousands(campaign.events));
                    ui.label(caption(events)).on_hover_text(earlier_end(campaign));
                }
            });
            for (title, _, number) in numbers {
                row.col(|ui| match campaign {
                    Listed::Here(campaign) | Listed::Earlier(_, Some(campaign)) => {
                        number_ui(number(campaign), ui)
                    }
                    Listed::Earlier(campaign, None) if *title == BUGS => {
                        number_ui(state.history.bugs_in(campaign.id) as f64, ui);
                    }
                    Listed::Earlier(_, None) => number_ui(f64::NAN, ui),
                });
            }
            row.col(|ui| match campaign {
                Listed::Here(campaign) => steer_ui(campaign, commands, ui),
                Listed::Earlier(campaign, _) => resume_ui(campaign, commands, ui),
            });
            if pressed || row.response().clicked() {
                commands.push(open);
            }
        });
    });
}

impl Listed<'_> {
    /// When it began, and how long it has run.
    fn dates(self, state: &StudioState) -> [String; 2] {
        let (began, length) = match self {
            Listed::Here(campaign) => {
                let seconds = campaign.runs.iter().map(|run| run.seconds).fold(0.0, f64::max);
                (campaign.began, Some(seconds as u64))
            }
            Listed::Earlier(campaign, _) => (campaign.began, campaign.length),
        };
        let began = began.map(|at| date_words(at, &state.window.today));
        [began.unwrap_or_default(), length.map(length_words).unwrap_or_default()]
    }
}

/// Draws the state and the name of a campaign, and what it runs. Returns whether the name was clicked.
fn name_ui(state: &StudioState, campaign: Listed<'_>, chosen: bool, ui: &mut Ui) -> bool {
    let (name, spoken, what, tip) = match campaign {
        Listed::Here(campaign) => {
            phase_ui(campaign, ui);
            let (id, label) = (campaign.id.0, &campaign.label);
            let engines = match campaign.runs.as_slice() {
                few @ ([] | [_] | [_, _]) => {
                    few.iter().map(|run| run.label.as_str()).collect::<Vec<_>>().join(", ")
                }
                many => format!("{} engines", many.len()),
            };
            let build = place_words(&campaign.plan.device.words(&campaign.plan.build));
            let what = format!("{engines}, {build}, seed {}, {}", campaign.plan.seed, campaign.spec);
            let words = "full: all functions among random events. Version: a short hash of what the specification holds";
            let tip = format!("{what}\n{words}");
            (format!("{id} {label}"), format!("Campaign {id}, {label}"), what, tip)
        }
        Listed::Earlier(campaign, _) => {
            let (icon, word, tone) = phase_look(&CampaignPhase::Earlier(campaign.end.clone()));
            badge(ui, icon, word, tone).on_hover_text(earlier_end(campaign));
            let (id, label) = (campaign.id, state.label_of(&campaign.app));
            let (engines, build) = (campaign.engine_words(), place_words(&campaign.build));
            let what = format!("{engines}, {build}, seed {}", campaign.seed);
            (format!("{id} {label}"), format!("Earlier campaign {id}, {label}"), what.clone(), what)
        }
    };
    let response = ui.add(Button::new(strong(name)).frame_when_inactive(false));
    response.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, chosen, &spoken));
    ui.add(Label::new(caption(&what)).truncate()).on_hover_text(tip);
    response.on_hover_text("Shows what it found").clicked()
}

/// Draws the button that resumes an interrupted campaign.
fn resume_ui(campaign: &CampaignRow, commands: &mut Vec<Command>, ui: &mut Ui) {
    if campaign.is_interrupted() {
        let (name, tip) = (format!("Resume campaign {}", campaign.id), earlier_end(campaign));
        if explained_icon_button(ui, icon::PLAY, &name, &format!("Resume. {tip}"), true).clicked() {
            commands.push(CampaignCommand::Resume(campaign.id).into());
        }
    }
}

fn progress_ui(campaign: &CampaignState, ui: &mut Ui) {
    let left = campaign.seconds_left().map(|left| format!("  \u{b7}  {} left", time_left(left)));
    let done = format!("{} of {}", thousands(campaign.events()), thousands(campaign.budget()));
    let text = format!("{done}{}", left.unwrap_or_default());
    progress_bar(ui, campaign.progress(), &text, 202.0).on_hover_text(campaign.budget_sentence());
}

/// Draws the buttons that pause and end a campaign.
fn steer_ui(campaign: &CampaignState, commands: &mut Vec<Command>, ui: &mut Ui) {
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let paused = campaign.phase() == CampaignPhase::Paused;
        let steerable = campaign.runs.iter().any(EngineRunState::steerable);
        let (glyph, label) = if paused { (icon::PLAY, "Resume") } else { (icon::PAUSE, "Pause") };
        let name = format!("{label} campaign {}", campaign.id.0);
        if icon_button(ui, glyph, &name, steerable).clicked() {
            commands.push(Command::PauseCampaign(campaign.id, !paused));
        }
        let name = format!("Cancel campaign {}", campaign.id.0);
        if explained_icon_button(ui, icon::STOP, &name, "Ends the campaign; what it found is kept", steerable)
            .clicked()
        {
            commands.push(Command::CancelCampaign(campaign.id));
        }
    });
}

/// Draws a campaign in one line, with a button that shows the sentence and the list instead.
pub fn campaign_line_ui(campaign: &CampaignState, commands: &mut Vec<Command>, ui: &mut Ui) {
    ui.set_width(ui.available_width());
    ui.horizontal(|ui| {
        phase_ui(campaign, ui);
        ui.label(strong(format!("{} {}", campaign.id.0, campaign.label)));
        progress_ui(campaign, ui);
        steer_ui(campaign, commands, ui);
        ui.label(caption(counted_bugs(&campaign.found.bugs)));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let new = labelled_button(ui, icon::OPEN, "New campaign", true);
            if new.on_hover_text("Shows the sentence that starts one, and the list of campaigns").clicked() {
                commands.push(CampaignCommand::Fold(false).into());
            }
        });
    });
    sentences_ui(campaign, ui);
}

/// Draws the heading of a column of numbers, aligned to the right like them.
pub fn heading_ui(title: &str, tip: &str, ui: &mut Ui) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.add_space(8.0);
        let label = ui.label(caption(title));
        if !tip.is_empty() {
            label.on_hover_text(tip);
        }
    });
}

/// Draws a number, aligned to the right of its cell; a dash if it is none.
pub fn number_ui(number: f64, ui: &mut Ui) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.add_space(8.0);
        if number.is_nan() {
            ui.label(caption("\u{2013}"));
            return;
        }
        // Of few events in a second the fraction counts.
        let fraction = number < 10.0 && number.fract() != 0.0;
        ui.label(if fraction { format!("{number:.1}") } else { thousands(number.round() as u64) });
    });
}

fn phase_ui(campaign: &CampaignState, ui: &mut Ui) {
    let (icon, word, tone) = phase_look(&campaign.phase());
    badge(ui, icon, word, tone);
}

/// Draws how the campaign ended, its warnings, and findings that could not be written.
fn sentences_ui(campaign: &CampaignState, ui: &mut Ui) {
    if campaign.alive() {
        running_ui(campaign, ui);
    }
    if let Some(end) = campaign.end_sentence() {
        let bugs = counted_bugs(&campaign.found.bugs);
        let label = ui.label(caption(format!("Campaign {}: {bugs}. {end}", campaign.id.0)));
        let same = campaign.fingerprint().map(|hash| {
            format!("\nFingerprint {hash:016x}: campaigns with the same one did the same, event by event")
        });
        let tip = "The budget: the events and the minutes that it was given".to_owned();
        label.on_hover_text(tip + &same.unwrap_or_default());
    }
    if let Some(garbled) = campaign.garbled_sentence() {
        look_ui(ui, &garbled);
    }
    if !campaign.alive() {
        warnings_ui(&campaign.warnings, ui);
    }
    for finding in &campaign.unsaved {
        look_ui(ui, finding);
    }
}

/// Draws what a campaign does and the last warning in a line. It is there even if there is nothing to say: what is below does
/// not move.
fn running_ui(campaign: &CampaignState, ui: &mut Ui) {
    let task = campaign.task_sentence().unwrap_or_default();
    let warnings: Vec<String> = campaign.warnings.iter().map(|it| sentence(folded(it).0)).collect();
    ui.horizontal(|ui| {
        ui.set_min_height(20.0);
        if let Some(last) = warnings.last() {
            let more = match warnings.len() {
                1 => String::new(),
                all => format!("{}, the last: ", counted(all, "warning")),
            };
            ui.label(glyph(icon::LOOK).color(tokens(ui.ctx()).warn));
            let words = format!("{more}{last}  {task}");
            ui.add(Label::new(words).truncate()).on_hover_text(warnings.join("\n"));
        } else {
            ui.add(Label::new(caption(&task)).truncate()).on_hover_text(&task);
        }
    });
}

/// Draws the last warning, and those before it folded.
fn warnings_ui(warnings: &[String], ui: &mut Ui) {
    let Some((last, before)) = warnings.split_last() else { return };
    let (words, said) = folded(last);
    look_ui(ui, &sentence(words));
    details_ui(said, ui);
    if !before.is_empty() {
        let title = format!("{} before", counted(before.len(), "warning"));
        CollapsingHeader::new(title).id_salt("warnings before").show(ui, |ui| {
            before.iter().rev().for_each(|warning| look_ui(ui, &sentence(warning)));
        });
    }
}
