//! The JSON beside the form: the same contents as text.

use egui::{FontId, Margin, RichText, ScrollArea, TextEdit, TextStyle, Ui, WidgetInfo, WidgetType};

use super::edit::order;
use crate::command::Command;
use crate::parts::controls::{labelled_button, segments};
use crate::parts::theme::{glyph, icon, tokens};
use crate::specs::{DocumentCommand, JsonTarget, SpecDocument, SpecEdit, in_words};

/// Draws the JSON of the shown DMF or of its file; with `blocks`, that of the block list.
pub fn json_ui(document: &SpecDocument, blocks: bool, commands: &mut Vec<Command>, ui: &mut Ui) {
    let view = &document.json;
    let choices = if blocks {
        vec![(JsonTarget::Blocks, "Block list".to_owned(), "The file with the block list")]
    } else {
        vec![
            (JsonTarget::Dmf, "This function".to_owned(), "The text of the function that is shown"),
            (JsonTarget::File, "Whole file".to_owned(), "The text of the whole file"),
        ]
    };
    ui.horizontal(|ui| {
        let clicked = segments(ui, Some(view.target), &choices);
        if let Some(target) = clicked.filter(|_| view.problem.is_none()) {
            order(commands, DocumentCommand::ShowJson(document.id, target));
        }
    });
    problem_ui(document, commands, ui);
    let mut text = view.text.clone();
    let empty = view.target == JsonTarget::Dmf && document.spec.dmfs.is_empty();
    ScrollArea::both().id_salt("json").auto_shrink([false, false]).show(ui, |ui| {
        let edit = TextEdit::multiline(&mut text)
            .font(FontId::monospace(11.0))
            .code_editor()
            .interactive(!empty)
            .desired_width(f32::INFINITY)
            .desired_rows(24)
            .margin(Margin::same(8));
        let response = ui.add(edit);
        response.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, !empty, "JSON"));
        if response.changed() {
            let edit = Box::new(SpecEdit::Json(text.clone()));
            order(commands, DocumentCommand::Edit(document.id, edit));
        }
    });
}

fn problem_ui(document: &SpecDocument, commands: &mut Vec<Command>, ui: &mut Ui) {
    let Some(problem) = &document.json.problem else { return };
    let tokens = tokens(ui.ctx());
    let frame = egui::Frame::new().fill(tokens.bad_soft).corner_radius(6).inner_margin(Margin::same(8));
    frame.show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.label(glyph(icon::BROKEN).color(tokens.bad));
            ui.label(RichText::new(in_words(problem)).text_style(TextStyle::Body));
        });
        ui.horizontal(|ui| {
            if labelled_button(ui, icon::UNDO, "Take it back", true)
                .on_hover_text("Shows the last text that could be read")
                .clicked()
            {
                order(commands, DocumentCommand::ShowJson(document.id, document.json.target));
            }
        });
    });
}
