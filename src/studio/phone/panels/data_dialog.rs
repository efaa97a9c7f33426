//! The question before tests clear an app's data on a device.

use egui::{Context, Id, Modal, RichText};

use crate::command::Command;
use crate::parts::controls::{given_up, labelled_button, sheet};
use crate::parts::theme::title;
use crate::phone::DataAnswer;
use crate::state::StudioState;
use taproof_session::KEPT_DATA_MEANS;

/// Draws the open question, if there is one.
pub fn data_dialog_ui(state: &StudioState, commands: &mut Vec<Command>, ctx: &Context) {
    let Some(asked) = &state.asked_about_data else { return };
    let can_keep = asked.can_keep && asked.before_tests();
    let mut answer = None;
    let modal = Modal::new(Id::new("data question")).frame(sheet(ctx)).show(ctx, |ui| {
        ui.set_width(480.0);
        ui.label(title(format!("Clear the data of {}?", asked.label)));
        ui.add_space(8.0);
        if !asked.before_tests() {
            ui.label(asked.question.lost(&asked.label));
        } else {
            ui.label(asked.question.words(&asked.label));
            ui.add_space(8.0);
            ui.label("When the tests have ended, it is cleared once more, so that nothing of them is left.");
        }
        if can_keep {
            ui.add_space(8.0);
            ui.label(RichText::new(KEPT_DATA_MEANS).weak());
        }
        ui.add_space(8.0);
        let once = "This is asked once for this app on this phone. Fuzz shows the answer under Options.";
        ui.label(RichText::new(once).weak());
        ui.add_space(16.0);
        ui.horizontal(|ui| {
            let mut button = |ui: &mut egui::Ui, label: &str, given| {
                if labelled_button(ui, "", label, true).clicked() {
                    answer = Some(given);
                }
            };
            let clear = if asked.before_tests() { "Clear and start" } else { "Clear its data" };
            button(ui, clear, DataAnswer::Clear);
            if can_keep {
                button(ui, "Keep its data", DataAnswer::Keep);
            }
            button(ui, "Cancel", DataAnswer::Cancel);
        });
    });
    if given_up(&modal, ctx) {
        answer = Some(DataAnswer::Cancel);
    }
    commands.extend(answer.map(Command::AnswerAboutData));
}
