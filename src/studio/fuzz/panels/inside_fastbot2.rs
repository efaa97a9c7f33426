//! Fastbot2's own view: how often each tier chose an event and why, and how much the model of earlier runs was reused.

use egui::{Label, Ui};
use egui_extras::{Column, TableBuilder};

use super::inside_parts::{numbers_ui, part_ui, share_ui};
use super::list::heading_ui;
use crate::parts::theme::{caption, tokens};
use taproof_core::engine::Fastbot2View;
use taproof_core::model::thousands;

/// Draws Fastbot2's own view.
pub fn fastbot2_ui(view: &Fastbot2View, ui: &mut Ui) {
    let reuse = &view.reuse;
    let [back, restarted, ended] = view.other.stuck;
    numbers_ui(
        &[
            ("states", view.states as u64, "Pages that it tells apart"),
            ("events in bursts", view.other.bursts, "Random events in a row, as the original sends them"),
            ("stuck: back", back, "Back was pressed, as the page was stuck"),
            ("stuck: app restarted", restarted, ""),
            ("stuck: test ended", ended, ""),
            ("activities refused", view.other.refused, "Activities left that a rule forbids"),
        ],
        ui,
    );
    let all: u64 = view.tiers.values().sum();
    part_ui("Tiers of choice", &format!("{} choices", thousands(all)), ui);
    for (place, (tier, count)) in view.tiers.iter().enumerate() {
        share_ui(tier.word(), tier.reason(), *count, all, tokens(ui.ctx()).series(place), ui);
    }
    part_ui("Reused model", "", ui);
    if reuse.events_loaded == 0 {
        ui.label(caption("This run began without a model of an earlier one."));
    } else {
        let loaded = reuse.events_loaded as u64;
        share_ui("Events met again", "", reuse.events_matched as u64, loaded, tokens(ui.ctx()).accent, ui);
    }
    part_ui("Last choices", "the newest first", ui);
    choices_ui(view, ui);
}

fn choices_ui(view: &Fastbot2View, ui: &mut Ui) {
    let table = TableBuilder::new(ui)
        .id_salt("choices")
        .vscroll(false)
        .column(Column::exact(110.0).clip(true))
        .column(Column::remainder().at_least(160.0).clip(true))
        .columns(Column::exact(70.0), 3);
    let header = table.header(20.0, |mut row| {
        row.col(|ui| drop(ui.label(caption("Tier"))));
        row.col(|ui| drop(ui.label(caption("Event"))));
        row.col(|ui| heading_ui("Among", "How many the tier had to choose from", ui));
        row.col(|ui| heading_ui("Chance", "The chance that this one had", ui));
        row.col(|ui| heading_ui("Weight", "What it was weighed by: priority, expectation or Q", ui));
    });
    header.body(|body| {
        body.rows(22.0, view.last.len(), |mut row| {
            let Some(line) = view.last.iter().rev().nth(row.index()) else { return };
            row.col(|ui| drop(ui.label(line.tier.word()).on_hover_text(line.tier.reason())));
            row.col(|ui| drop(ui.add(Label::new(&line.event).truncate()).on_hover_text(&line.event)));
            let right = |ui: &mut Ui, text: String| {
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    ui.add_space(8.0);
                    ui.label(text);
                });
            };
            row.col(|ui| right(ui, line.among.to_string()));
            row.col(|ui| right(ui, format!("{:.1} %", line.chance * 100.0)));
            row.col(|ui| right(ui, format!("{:.2}", line.score)));
        });
    });
}
