//! What a step of a finding shows, in words: expected and observed values, the crash, the data.

use std::collections::BTreeMap;

use egui::{CollapsingHeader, Frame, Grid, Label, Margin, RichText, Stroke, Ui, WidgetType};

use crate::parts::controls::{Tone, badge, named};
use crate::parts::theme::{caption, glyph, icon, strong, tokens};
use crate::replay::{DataRow, ObjectChange, StepView};
use taproof_results::report::{MOST_SENTENCES, failure_sentence};
use taproof_screen::{CrashReport, FailedCheck, Layout, counted, one_line};

/// Width in points from which on two failures are shown side by side.
const TWO_COLUMNS: f32 = 520.0;

/// Draws all facts about a step.
pub fn facts_ui(view: &StepView, required: &BTreeMap<String, String>, ui: &mut Ui) {
    ui.spacing_mut().item_spacing.y = 6.0;
    let failures = &view.frame.failures;
    if let Some((report, waits)) = &view.crash {
        broken_ui(ui, |ui| crash_ui(report, *waits, ui));
    } else {
        let (first, others) = failures.split_at(failures.len().min(MOST_SENTENCES));
        failures_ui(first, view, required, ui);
        if !others.is_empty() {
            let more = CollapsingHeader::new(format!("and {} more", others.len())).id_salt("more failures");
            more.show(ui, |ui| failures_ui(others, view, required, ui));
        }
    }
    data_ui(view.data.as_deref(), ui);
    if failures.is_empty() && view.frame.step + 1 < view.frame.steps {
        let steps = view.frame.steps;
        ui.label(caption(format!("Nothing is wrong yet; it breaks at step {steps}.")));
    }
}

/// Draws failures, two side by side where there is room.
fn failures_ui(failures: &[FailedCheck], view: &StepView, required: &BTreeMap<String, String>, ui: &mut Ui) {
    let failure_box = |failure: &FailedCheck, ui: &mut Ui| {
        broken_ui(ui, |ui| failure_ui(failure, required.get(&failure.key), &view.frame.after, ui));
    };
    if failures.len() < 2 || ui.available_width() < TWO_COLUMNS {
        failures.iter().for_each(|failure| failure_box(failure, ui));
        return;
    }
    for pair in failures.chunks(2) {
        ui.columns(2, |columns| {
            columns.iter_mut().zip(pair).for_each(|(ui, failure)| failure_box(failure, ui));
        });
    }
}

fn broken_ui(ui: &mut Ui, contents: impl FnOnce(&mut Ui)) {
    let colors = tokens(ui.ctx());
    let ground = Frame::new().fill(colors.bad_soft).stroke(Stroke::new(1.0, colors.bad)).corner_radius(8);
    ground.inner_margin(Margin::symmetric(12, 8)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().interact_size.y = 18.0;
        contents(ui);
    });
}

fn title_ui(text: &str, ui: &mut Ui) {
    let bad = tokens(ui.ctx()).bad;
    ui.horizontal(|ui| {
        ui.label(glyph(icon::BROKEN).color(bad));
        ui.add(Label::new(strong(text)).wrap());
    });
}

/// Draws what is wrong in a sentence; the terms of the specification are folded.
fn failure_ui(failure: &FailedCheck, required: Option<&String>, after: &Layout, ui: &mut Ui) {
    title_ui(&failure_sentence(failure, after), ui);
    if let Some(required) = required {
        ui.add(Label::new(caption(format!("Required: {required}."))).wrap());
    }
    let words = "In the specification\u{2019}s words";
    let terms = CollapsingHeader::new(caption(words)).id_salt(&failure.key);
    let shown = terms.show(ui, |ui| {
        Grid::new(&failure.key).num_columns(2).spacing([12.0, 2.0]).show(ui, |ui| {
            let lines =
                [("Condition", &failure.condition), ("Expected", &failure.expected), ("Seen", &failure.seen)];
            for (word, text) in lines {
                ui.label(caption(word));
                ui.add(Label::new(text.as_str()).wrap());
                ui.end_row();
            }
        });
    });
    let name = format!("{words}: {}", failure.condition);
    named(&shown.header_response, WidgetType::CollapsingHeader, &name);
}

/// Draws the exception and the app's own stack frames. Frames of the platform are folded.
fn crash_ui(report: &CrashReport, waits: bool, ui: &mut Ui) {
    title_ui(if waits { "The app does not answer" } else { "The app crashed" }, ui);
    ui.add(Label::new(strong(&report.exception)).wrap());
    if !report.message.is_empty() {
        ui.add(Label::new(&report.message).wrap());
    }
    for cause in &report.causes {
        ui.add(Label::new(format!("Caused by {}: {}", cause.exception, cause.message)).wrap());
    }
    let (own, other): (Vec<&String>, Vec<&String>) =
        report.frames().partition(|frame| frame.starts_with(&report.package));
    let frame = |ui: &mut Ui, text: &str| ui.add(Label::new(RichText::new(text).monospace()).wrap());
    for text in own {
        frame(ui, text);
    }
    if !other.is_empty() {
        CollapsingHeader::new(format!("{} outside the app", counted(other.len(), "frame"))).show(ui, |ui| {
            for text in other {
                frame(ui, text);
            }
        });
    }
    if !report.log.is_empty() {
        CollapsingHeader::new("Log").show(ui, |ui| frame(ui, &report.log));
    }
}

/// Draws the data that the app should hold, and the changes by the step.
fn data_ui(data: Option<&[DataRow]>, ui: &mut Ui) {
    let ground = Frame::new().fill(tokens(ui.ctx()).panel).corner_radius(8);
    ground.inner_margin(Margin::symmetric(12, 6)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().interact_size.y = 20.0;
        let Some(rows) = data else {
            ui.label(caption("The data model is known along the minimised trace only."));
            return;
        };
        let tip = "What the app should hold, and what this step does to it";
        let known: Vec<&DataRow> = rows.iter().filter(|row| !row.objects.is_empty()).collect();
        if known.is_empty() {
            ui.horizontal_wrapped(|ui| {
                ui.label(strong("Data model")).on_hover_text(tip);
                ui.label(caption("nothing that functions created is there at this step"));
            });
        }
        for (place, row) in known.into_iter().enumerate() {
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                if place == 0 {
                    ui.label(strong("Data model ")).on_hover_text(tip);
                }
                ui.label(caption(format!("{} ", row.data_type)));
                for (object, change) in &row.objects {
                    object_ui(object, *change, ui);
                }
            });
        }
    });
}

fn object_ui(object: &str, change: ObjectChange, ui: &mut Ui) {
    let (glyph, tone, said) = match change {
        ObjectChange::Kept => ("", Tone::Plain, String::new()),
        ObjectChange::Added => (icon::NEW, Tone::Good, " new".to_owned()),
        ObjectChange::Removed => (icon::REMOVED, Tone::Warn, " gone".to_owned()),
        ObjectChange::Doubted => (icon::LOOK, Tone::Warn, " in doubt".to_owned()),
    };
    let shown = if object.is_empty() { "(no text)" } else { object };
    let text = format!("{}{said}", one_line(shown));
    badge(ui, glyph, &text, tone).on_hover_text(object);
}
