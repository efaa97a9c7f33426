//! What an engine did, event by event, with a search.

use std::collections::BTreeMap;

use egui::{Align, Label, Layout, Margin, TextEdit, Ui, WidgetInfo, WidgetType};
use egui_extras::{Column, TableBuilder};

use crate::command::Command;
use crate::fuzz::{CampaignCommand, CampaignState, EventsFound};
use crate::parts::controls::{
    empty_state, labelled_button, look_ui, named, small_button, spinner_if, waiting_state,
};
use crate::parts::theme::{caption, icon};
use crate::state::StudioState;
use taproof_campaign::{Finding, LoggedEvent};
use taproof_screen::{counted, last_part, one_line, thousands};

/// Height of a row, in points.
const ROW: f32 = 22.0;
/// The column that says what was done.
const DONE: usize = 3;

/// Draws the events of the engine that is shown.
pub fn event_list_ui(
    state: &StudioState,
    campaign: &CampaignState,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    ui.set_height(ui.available_height() - 14.0);
    let list = &state.campaigns.events;
    ui.horizontal(|ui| {
        let mut words = list.words.clone();
        let search = TextEdit::singleline(&mut words)
            .desired_width(280.0)
            .margin(Margin::symmetric(8, 6))
            .hint_text("Search events and pages\u{2026}");
        let response = ui.add(search);
        response.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Search events"));
        if words != list.words {
            commands.push(CampaignCommand::FindEvents(words).into());
        }
        if let Some(Ok(found)) = &list.answer {
            ui.label(caption(found_words(found, list.words.trim().is_empty())));
            newer_ui(state, campaign, found, commands, ui);
        }
        spinner_if(ui, list.reading, "Reading the events");
    });
    match &list.answer {
        _ if campaign.row.is_none() => {
            empty_state(ui, icon::LIST, "No events yet", "They are listed once the campaign is kept.");
        }
        None => waiting_state(ui, "Reading the events", "They are read from the workspace."),
        Some(Err(problem)) => look_ui(ui, &format!("The events cannot be read: {problem}")),
        Some(Ok(found)) if found.events.is_empty() => {
            let (what, how) = match found.all {
                0 => ("No events yet", "They are written a thousand at a time while a campaign runs."),
                _ => ("No such event", "Look for other words: those of an event, or the name of a page."),
            };
            empty_state(ui, icon::LIST, what, how);
        }
        Some(Ok(found)) => events_ui(&found.events, campaign, &seen_first(state, campaign), commands, ui),
    }
}

fn found_words(found: &EventsFound, all: bool) -> String {
    let EventsFound { events, found, all: of } = found;
    let words = match all {
        true => counted(*of, "event"),
        false => format!("{} of {}", thousands(*found as u64), counted(*of, "event")),
    };
    match events.len() < *found {
        true => format!("{words}, the first {} are listed", thousands(events.len() as u64)),
        false => words,
    }
}

/// Draws a button that reads the list anew if the engine has done more since.
fn newer_ui(
    state: &StudioState,
    campaign: &CampaignState,
    found: &EventsFound,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let run = state.campaigns.shown_run().and_then(|run| campaign.runs.get(run));
    if run.is_some_and(|run| run.counts.events > found.all as u64) && !state.campaigns.events.reading {
        let tip = "The engine has done more since the events were read";
        if labelled_button(ui, icon::HISTORY, "Read again", true).on_hover_text(tip).clicked() {
            commands.push(CampaignCommand::RenewEvents.into());
        }
    }
}

/// The findings of the engine that is shown, by the event at which each was seen first.
fn seen_first<'c>(state: &StudioState, campaign: &'c CampaignState) -> BTreeMap<u64, &'c Finding> {
    let engine = state.campaigns.shown_run().and_then(|run| campaign.plan.engines.get(run));
    let findings = campaign.found.findings.iter().rev();
    let of_engine = findings.filter(|finding| engine.is_some_and(|engine| engine.name() == finding.engine));
    of_engine.map(|finding| (finding.first.event, &**finding)).collect()
}

fn events_ui(
    events: &[LoggedEvent],
    campaign: &CampaignState,
    findings: &BTreeMap<u64, &Finding>,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let number = Column::auto().at_least(48.0);
    let table = TableBuilder::new(ui)
        .id_salt("events")
        .striped(true)
        .auto_shrink([false, false])
        .cell_layout(Layout::left_to_right(Align::Center))
        .columns(number, 3)
        .column(Column::remainder().at_least(160.0).clip(true))
        .column(Column::initial(240.0).at_least(100.0).clip(true));
    let titles = [
        ("Event", "Number of the event of this engine"),
        ("Test", "Number of the test; each begins with a start of the app"),
        ("Time", "Time of the device since the campaign began"),
        ("What was done", ""),
        ("Page", "The page that it was done on, and the one that it led to"),
    ];
    let header = table.header(20.0, |mut header| {
        for (title, tip) in titles {
            header.col(|ui| {
                let label = ui.label(caption(title));
                if !tip.is_empty() {
                    label.on_hover_text(tip);
                }
            });
        }
    });
    header.body(|body| {
        body.rows(ROW, events.len(), |mut row| {
            let Some(event) = events.get(row.index()) else { return };
            for (column, words) in cells(event).into_iter().enumerate() {
                row.col(|ui| {
                    if let Some(finding) = findings.get(&event.number).filter(|_| column == DONE)
                        && found_ui(finding, ui)
                    {
                        commands.push(Command::OpenFinding(campaign.id, finding.id.clone()));
                    }
                    ui.add(Label::new(&words).truncate());
                });
            }
        });
    });
}

/// Draws the button that opens what was seen first after an event.
fn found_ui(finding: &Finding, ui: &mut Ui) -> bool {
    let button = ui.add(small_button("Replay"));
    named(&button, WidgetType::Button, &format!("Replay {}", finding.title));
    button.on_hover_text(format!("Seen first after this event: {}", finding.title)).clicked()
}

fn cells(event: &LoggedEvent) -> [String; 5] {
    let LoggedEvent { number, test, millis, event: words, page, led_to, .. } = event;
    let why = event.why();
    [
        thousands(*number),
        thousands(*test),
        format!("{:.1} s", *millis as f64 / 1000.0),
        one_line(words) + &if why.is_empty() { String::new() } else { format!(" ({why})") },
        one_line(page)
            + &led_to.as_ref().map_or_else(String::new, |led| format!(", then {}", last_part(led))),
    ]
}
