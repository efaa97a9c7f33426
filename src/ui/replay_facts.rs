//! What a step of a finding shows in words: what should be seen and what was, the data, what changed.

use egui::{Frame, Grid, Label, Margin, RichText, Sense, Stroke, Ui};

use crate::state::{ChangeKind, ReplayFrame};

use super::overlay::Hover;
use super::parts::{Tone, badge};
use super::theme::{caption, glyph, heading, icon, strong, tokens};

/// What should be seen and what was, for each condition that failed.
pub fn expected_ui(frame: &ReplayFrame, ui: &mut Ui) {
    let colors = tokens(ui.ctx());
    for failure in &frame.failures {
        let ground = Frame::new().fill(colors.bad_soft).stroke(Stroke::new(1.0, colors.bad)).corner_radius(8);
        ground.inner_margin(Margin::symmetric(12, 8)).show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().interact_size.y = 18.0;
            ui.horizontal(|ui| {
                ui.label(glyph(icon::BROKEN).color(colors.bad));
                ui.add(Label::new(strong(format!("Broken: {}", failure.condition))).wrap());
            });
            Grid::new(&failure.key).num_columns(2).spacing([12.0, 2.0]).show(ui, |ui| {
                for (word, text) in [("Expected", &failure.expected), ("Seen", &failure.seen)] {
                    ui.label(caption(word));
                    ui.add(Label::new(text.as_str()).wrap());
                    ui.end_row();
                }
            });
        });
    }
    if frame.failures.is_empty() && frame.step + 1 < frame.steps {
        ui.label(caption(format!("Nothing is wrong yet; the property breaks at step {}.", frame.steps)));
    }
}

/// The data that the app should hold.
pub fn data_ui(frame: &ReplayFrame, ui: &mut Ui) {
    ui.set_width(ui.available_width());
    ui.label(heading("Data model"));
    if frame.data.iter().all(|(_, objects)| objects.is_empty()) {
        ui.label(RichText::new("No object is known yet: DMFs add them.").weak());
    }
    for (data_type, objects) in &frame.data {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            ui.label(caption(format!("{data_type} ")));
            for object in objects {
                badge(ui, "", object, Tone::Plain);
            }
        });
    }
}

/// What the step changed on the screen. Pointing at a row lights its widget on the screen after; returns
/// whether one is pointed at.
pub fn changes_ui(frame: &ReplayFrame, hover: &mut Hover, ui: &mut Ui) -> bool {
    ui.set_width(ui.available_width());
    ui.horizontal(|ui| {
        ui.label(heading("Changes on the screen"));
        ui.label(caption(frame.changes.len().to_string()));
    });
    if frame.changes.is_empty() {
        ui.label(RichText::new("The screen is as it was.").weak());
    }
    let colors = tokens(ui.ctx());
    let mut lit = false;
    for change in &frame.changes {
        let (glyph_of, color) = match change.kind {
            ChangeKind::Added => (icon::NEW, colors.good),
            ChangeKind::Removed => (icon::REMOVED, colors.bad),
            ChangeKind::Changed => (icon::CHANGED, colors.warn),
        };
        let row = ui.horizontal(|ui| {
            ui.spacing_mut().interact_size.y = 18.0;
            ui.label(glyph(glyph_of).color(color));
            ui.add(Label::new(&change.text).truncate());
        });
        let row = ui.interact(row.response.rect, row.response.id.with("row"), Sense::hover());
        if let Some(idx) = change.after.filter(|_| row.contains_pointer()) {
            hover.point_at(idx);
            lit = true;
        }
    }
    lit
}
