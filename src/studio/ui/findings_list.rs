//! The findings of a campaign, the newest first. The list grows while the campaign runs.

use egui::{Align, Frame, Label, Layout, Margin, RichText, ScrollArea, Ui, WidgetType};

use std::sync::Arc;

use crate::state::{CampaignState, Command, ExportSubject, StudioState};
use taproof_core::campaign::{Finding, FindingState, FindingVerdict};
use taproof_core::engine::ENGINES;
use taproof_core::model::thousands;

use super::bug_cards::bug_cards_ui;
use super::export_menu::export_menu_ui;
use super::parts::{Tone, badge, empty_state, kept_apart, labelled_button, named, small_button};
use super::theme::{caption, heading, icon, strong, tokens};
use super::thumbnails::Thumbnails;

/// Draws the findings of a campaign, or its bugs if it has no specification.
pub fn findings_ui(
    state: &StudioState,
    campaign: &CampaignState,
    thumbnails: &mut Thumbnails,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    ui.set_width(ui.available_width());
    let has_spec = campaign.has_spec();
    ui.horizontal(|ui| {
        ui.label(heading(if has_spec { "Findings" } else { "Bugs" }));
        ui.label(caption(format!("campaign {}", campaign.id.0)));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let subject = ExportSubject::Campaign(campaign.id);
            export_menu_ui(&subject, campaign.row.is_some(), commands, ui, |_, _| ());
        });
    });
    if campaign.findings.is_empty() {
        let (what, how) = if campaign.alive() {
            ("Nothing found yet", "Findings appear here as soon as they are seen.")
        } else if campaign.idle_sentence().is_some() {
            (
                "Nothing found",
                "Not every function ran. Record how what they need is made, or try more events.",
            )
        } else if has_spec {
            ("Nothing found", "Every property held. Try more events, another seed, or the faulty build.")
        } else {
            ("Nothing found", "Nothing was lost, and nothing crashed. Try more events or another seed.")
        };
        empty_state(ui, icon::BUG, what, how);
        return;
    }
    ScrollArea::vertical().id_salt("findings").auto_shrink([false, false]).show(ui, |ui| {
        if !has_spec {
            bug_cards_ui(state, campaign, thumbnails, commands, ui);
            return;
        }
        for cause in campaign.causes() {
            let name = cause.first().map(|finding| &finding.id);
            kept_apart(ui, name, |ui| cause_ui(campaign, &cause, commands, ui));
        }
    });
}

/// Draws the findings with one cause: the first in full, the others in one line each.
fn cause_ui(campaign: &CampaignState, cause: &[&Arc<Finding>], commands: &mut Vec<Command>, ui: &mut Ui) {
    let Some((first, others)) = cause.split_first() else { return };
    let row =
        Frame::new().fill(tokens(ui.ctx()).raised).corner_radius(6).inner_margin(Margin::symmetric(10, 8));
    let mut open = |finding: &Finding| commands.push(Command::OpenFinding(campaign.id, finding.id.clone()));
    row.show(ui, |ui| {
        ui.set_width(ui.available_width());
        finding_ui(campaign, first, ui, || open(first));
        if !others.is_empty() {
            let engines = engines_of(cause);
            ui.label(caption(format!("One cause, {} findings by {engines}", cause.len())));
        }
        for finding in others {
            kept_apart(ui, &finding.id, |ui| other_ui(finding, ui, || open(finding)));
        }
    });
}

/// Draws a further finding of a cause.
pub fn other_ui(finding: &Finding, ui: &mut Ui, mut open: impl FnMut()) {
    ui.horizontal(|ui| {
        ui.spacing_mut().interact_size.y = 22.0;
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let button = ui.add(small_button("Replay"));
            named(&button, WidgetType::Button, &format!("Replay {}", finding.title));
            if button.clicked() {
                open();
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.label(caption(label_of(finding.engine)));
                let title = RichText::new(&finding.title).small();
                ui.add(Label::new(title).truncate()).on_hover_text(&finding.title);
            });
        });
    });
}

fn label_of(engine: &str) -> &str {
    ENGINES.iter().find(|info| info.name == engine).map_or(engine, |info| info.label)
}

/// The names of the engines that found these, each once.
fn engines_of(cause: &[&Arc<Finding>]) -> String {
    let mut engines: Vec<&str> = Vec::new();
    for finding in cause {
        let label = label_of(finding.engine);
        if !engines.contains(&label) {
            engines.push(label);
        }
    }
    engines.join(", ")
}

fn finding_ui(campaign: &CampaignState, finding: &Finding, ui: &mut Ui, mut open: impl FnMut()) {
    let colors = tokens(ui.ctx());
    ui.scope(|ui| {
        ui.horizontal(|ui| {
            ui.label(super::theme::glyph(icon::BROKEN).color(colors.bad));
            let width = (ui.available_width() - 96.0).max(80.0);
            ui.allocate_ui(egui::vec2(width, 20.0), |ui| {
                ui.set_width(width);
                ui.add(Label::new(strong(&finding.title)).wrap());
            });
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let button = labelled_button(ui, icon::PLAY, "Replay", true);
                let name = format!("Replay {}", finding.title);
                named(&button, WidgetType::Button, &name);
                if button.clicked() {
                    open();
                }
            });
        });
        ui.add(Label::new(RichText::new(facts(campaign, finding)).small().weak()).truncate());
        ui.horizontal_wrapped(|ui| badges_ui(finding, ui));
    });
}

fn facts(campaign: &CampaignState, finding: &Finding) -> String {
    let violation = &finding.violation;
    let subject = if violation.dmf.is_some() { &violation.subject } else { violation.oracle.name() };
    let count = campaign.count_of(finding);
    let (steps, found) = (finding.minimal.trace.len(), finding.witness.trace.len());
    let was = if steps == found { String::new() } else { format!(" (was {found})") };
    format!(
        "{}  \u{b7}  {}  \u{b7}  event {}  \u{b7}  {steps} {}{was}  \u{b7}  seen {} {}",
        label_of(finding.engine),
        subject,
        thousands(finding.first.event),
        if steps == 1 { "step" } else { "steps" },
        thousands(count),
        if count == 1 { "time" } else { "times" },
    )
}

/// Draws the facts about a finding as badges.
pub fn badges_ui(finding: &Finding, ui: &mut Ui) {
    ui.spacing_mut().item_spacing.x = 4.0;
    let state = FindingState::of(finding);
    let (icon, tone) = match state.verdict() {
        FindingVerdict::Confirmed => (icon::HELD, Tone::Good),
        FindingVerdict::Flaky | FindingVerdict::SeenOnce => (icon::LOOK, Tone::Warn),
    };
    badge(ui, icon, &state.to_string(), tone);
    if !finding.attribution.is_none() {
        badge(ui, icon::BUG, &finding.attribution.words(), Tone::Bad)
            .on_hover_text(format!("Catalogued: {}", finding.attribution.evidence()));
    }
    if finding.violation.after_drift {
        badge(ui, icon::LOOK, "after an earlier violation", Tone::Warn);
    }
}
