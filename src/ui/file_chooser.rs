//! The question for a file or folder, where the platform has no dialogs.

use egui::{Context, Id, Key, Margin, Modal, TextEdit};

use crate::state::{Command, FileCommand, StudioState};

use super::help::sheet;
use super::parts::{labelled_button, primary_button};
use super::theme::{caption, icon, title};

/// Draws the question while it is open.
pub fn file_chooser_ui(state: &StudioState, commands: &mut Vec<Command>, ctx: &Context) {
    let Some(chooser) = &state.chooser else { return };
    let mut text = chooser.path.clone();
    let modal = Modal::new(Id::new("file chooser")).frame(sheet(ctx)).show(ctx, |ui| {
        ui.set_width(480.0);
        ui.label(title(chooser.question.title.as_str()));
        let label = ui.label(caption("No file dialog answers on this desktop. Type the path."));
        ui.add_space(8.0);
        let edit = TextEdit::singleline(&mut text)
            .desired_width(f32::INFINITY)
            .margin(Margin::symmetric(8, 6))
            .hint_text("/path");
        let response = ui.add(edit).labelled_by(label.id);
        response.request_focus();
        ui.add_space(12.0);
        let mut chosen = ui.input(|input| input.key_pressed(Key::Enter));
        ui.horizontal(|ui| {
            chosen |= primary_button(ui, icon::FOLDER, "Choose", !text.trim().is_empty()).clicked();
            if labelled_button(ui, "", "Cancel", true).clicked() {
                commands.push(Command::File(FileCommand::Cancel));
            }
        });
        if chosen && !text.trim().is_empty() {
            let purpose = chooser.question.purpose.clone();
            commands.push(Command::File(FileCommand::Chosen(purpose, text.trim().into())));
        } else if text != chooser.path {
            commands.push(Command::File(FileCommand::Edit(text.clone())));
        }
    });
    if modal.should_close() {
        commands.push(Command::File(FileCommand::Cancel));
    }
}
