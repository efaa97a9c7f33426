//! The engines of a campaign in comparison: a row for each with its numbers and buttons, and a row for all of them.

use egui::{Align, Button, Layout, Sense, Ui, WidgetInfo, WidgetType};
use egui_extras::{Column, TableBody, TableBuilder};

use super::list::{heading_ui, number_ui};
use crate::command::Command;
use crate::fuzz::{CampaignCommand, CampaignPhase, CampaignState, EngineRunState};
use crate::parts::controls::{Tone, icon_button};
use crate::parts::theme::{caption, glyph, icon, strong, tokens};
use taproof_screen::thousands;

const ROW: f32 = 26.0;
/// Width in points from which on all numbers are shown.
const WIDE: f32 = 840.0;

/// A number of an engine: its title, description and value, and the value for all engines together, `None` if it cannot be
/// combined.
type Number = (&'static str, &'static str, fn(&EngineRunState) -> f64, fn(&CampaignState) -> Option<f64>);

/// Where there is little space, the last one is left out.
const NUMBERS: &[Number] = &[
    ("Events", "Events so far", |run| run.counts.events as f64, |campaign| Some(campaign.events() as f64)),
    ("Events/s", "Events in a second, over all of its time", EngineRunState::events_per_second, |campaign| {
        Some(campaign.events_per_second())
    }),
    (
        "Activities",
        "Different activities; all: together, or the most of one engine as long as they run",
        |run| run.counts.activities as f64,
        |campaign| Some(campaign.activities() as f64),
    ),
    (
        "States",
        "Different structures of screens; all: together, or the most of one engine as long as they run",
        |run| run.counts.states as f64,
        |campaign| Some(campaign.states() as f64),
    ),
    (
        "Transitions",
        "Pairs of states between which an event led",
        |run| run.counts.transitions as f64,
        |_| None,
    ),
];

/// Draws the table. A click on an engine's name shows the engine's own view.
pub fn engine_table_ui(campaign: &CampaignState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let wide = ui.available_width() >= WIDE;
    let numbers = NUMBERS.get(..NUMBERS.len() - usize::from(!wide)).unwrap_or_default();
    ui.spacing_mut().item_spacing = egui::vec2(4.0, 1.0);
    let table = TableBuilder::new(ui)
        .id_salt("engines side by side")
        .cell_layout(Layout::left_to_right(Align::Center))
        .sense(Sense::hover())
        .vscroll(false)
        .column(Column::exact(if wide { 132.0 } else { 124.0 }).clip(true))
        .column(Column::exact(84.0).clip(true))
        .columns(Column::exact(if wide { 74.0 } else { 64.0 }), numbers.len())
        .column(Column::exact(86.0).clip(true))
        .column(Column::remainder().at_least(60.0).clip(true))
        .column(Column::exact(60.0));
    let header = table.header(20.0, |mut row| {
        for title in ["Engine", "State"] {
            row.col(|ui| drop(ui.label(caption(title))));
        }
        for (title, tip, ..) in numbers {
            row.col(|ui| heading_ui(title, tip, ui));
        }
        row.col(|ui| {
            heading_ui("Code points", "Points of the app\u{2019}s code that were executed, of all", ui)
        });
        row.col(|ui| {
            let tip = "What was seen, before it is put together to bugs: several findings can show one bug";
            ui.label(caption("Findings")).on_hover_text(tip);
        });
        row.col(|_| {});
    });
    header.body(|mut body| {
        for (place, run) in campaign.runs.iter().enumerate() {
            run_ui(campaign, place, run, numbers, commands, &mut body);
        }
        if campaign.runs.len() > 1 {
            total_ui(campaign, numbers, &mut body);
        }
    });
}

fn run_ui(
    campaign: &CampaignState,
    place: usize,
    run: &EngineRunState,
    numbers: &[Number],
    commands: &mut Vec<Command>,
    body: &mut TableBody<'_>,
) {
    body.row(ROW, |mut row| {
        row.col(|ui| name_ui(place, run, commands, ui));
        row.col(|ui| phase_ui(run, ui));
        for (.., of, _) in numbers {
            row.col(|ui| number_ui(of(run), ui));
        }
        row.col(|ui| code_ui(run.counts.code_covered as u64, run.counts.code_points, ui));
        row.col(|ui| {
            let words = run.finding_words();
            ui.add(egui::Label::new(&words).truncate()).on_hover_text(&words);
        });
        row.col(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            let paused = run.phase == CampaignPhase::Paused;
            let (icon_of, word) = if paused { (icon::PLAY, "Resume") } else { (icon::PAUSE, "Pause") };
            if icon_button(ui, icon_of, &format!("{word} {}", run.name()), run.steerable()).clicked() {
                commands.push(CampaignCommand::PauseRun(campaign.id, place, !paused).into());
            }
            if icon_button(ui, icon::STOP, &format!("Cancel {}", run.name()), run.steerable()).clicked() {
                commands.push(CampaignCommand::CancelRun(campaign.id, place).into());
            }
        });
    });
}

/// Draws the engine's name with a dot in the colour of its curve. The tooltip shows what it is doing.
fn name_ui(place: usize, run: &EngineRunState, commands: &mut Vec<Command>, ui: &mut Ui) {
    ui.label(glyph(icon::DOT).color(tokens(ui.ctx()).series(place)));
    let button = Button::new(strong(&run.label)).frame(false).truncate();
    let tip = if run.stats.phase.is_empty() { "Show what it says of itself" } else { &run.stats.phase };
    let response = ui.add(button).on_hover_text(tip);
    response
        .widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, format!("Look inside {}", run.label)));
    if response.clicked() {
        commands.push(CampaignCommand::LookInside(place).into());
    }
}

/// Draws the engine's state. A run that ended early looks different from one that was completed.
fn phase_ui(run: &EngineRunState, ui: &mut Ui) {
    let (icon, word, tone) = phase_look(&run.phase);
    let (color, _) = tone.colors(tokens(ui.ctx()));
    ui.spacing_mut().item_spacing.x = 4.0;
    ui.label(glyph(icon).color(color));
    let said = match &run.phase {
        CampaignPhase::Ended(end) => crate::fuzz::end_words(end, run.counts.events),
        CampaignPhase::Starting
        | CampaignPhase::Running
        | CampaignPhase::Paused
        | CampaignPhase::Stopping
        | CampaignPhase::Earlier(_) => run.stats.phase.clone(),
    };
    let label = ui.add(egui::Label::new(word).truncate());
    if !said.is_empty() {
        label.on_hover_text(said);
    }
}

/// The icon, the word and the tone of a state.
pub fn phase_look(phase: &CampaignPhase) -> (&'static str, &'static str, Tone) {
    match phase {
        CampaignPhase::Starting => (icon::RUNNING, "starting", Tone::Plain),
        CampaignPhase::Running => (icon::RUNNING, "running", Tone::Accent),
        CampaignPhase::Paused => (icon::PAUSE, "paused", Tone::Warn),
        CampaignPhase::Stopping => (icon::STOP, "stopping", Tone::Warn),
        CampaignPhase::Ended(end) => end_look(end.word()),
        CampaignPhase::Earlier(Some(end)) => end_look(end),
        CampaignPhase::Earlier(None) => (icon::RUNNING, "elsewhere", Tone::Plain),
    }
}

/// The icon, the word and the tone of an end, given as a keyword.
fn end_look(word: &str) -> (&'static str, &'static str, Tone) {
    match word {
        "exhausted" | "budget" => (icon::HELD, "done", Tone::Plain),
        "cancelled" => (icon::STOP, "cancelled", Tone::Warn),
        "interrupted" => (icon::LOOK, "interrupted", Tone::Warn),
        "device" => (icon::BROKEN, "device failed", Tone::Bad),
        "checkpoint" => (icon::BROKEN, "not resumed", Tone::Bad),
        "failed" => (icon::BROKEN, "failed", Tone::Bad),
        _ => (icon::BROKEN, "broken off", Tone::Bad),
    }
}

fn code_ui(covered: u64, points: u32, ui: &mut Ui) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.add_space(8.0);
        if points > 0 {
            ui.label(format!("{} of {}", thousands(covered), thousands(u64::from(points))));
        } else {
            let tip = "The app does not tell which of its code is executed";
            ui.label(caption("\u{2013}")).on_hover_text(tip);
        }
    });
}

/// Draws the row of all engines together.
fn total_ui(campaign: &CampaignState, numbers: &[Number], body: &mut TableBody<'_>) {
    body.row(ROW, |mut row| {
        row.col(|ui| {
            ui.add_space(18.0);
            ui.label(strong("All engines"));
        });
        row.col(|_| {});
        for (.., all) in numbers {
            row.col(|ui| all(campaign).into_iter().for_each(|value| number_ui(value, ui)));
        }
        row.col(|ui| {
            let most = campaign.runs.iter().max_by_key(|run| run.counts.code_covered);
            if let Some(run) = most {
                code_ui(run.counts.code_covered as u64, run.counts.code_points, ui);
            }
        });
        row.col(|ui| drop(ui.label(strong(thousands(campaign.found.findings.len() as u64)))));
        row.col(|_| {});
    });
}
