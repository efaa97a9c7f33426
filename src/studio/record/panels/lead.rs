//! The steps from the app's fresh start to the first step of the recorded function. The list is folded; each step can
//! be left out.

use egui::{CollapsingHeader, Label, RichText, Ui};

use crate::command::Command;
use crate::parts::controls::{icon_button, wide_card};
use crate::parts::theme::{caption, icon, tokens};
use crate::record::{RecordCommand, RecordEdit};
use crate::state::StudioState;
use taproof_screen::{event_sentence, one_line};

/// Draws the folded list. Draws nothing if there are no such steps.
pub fn lead_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let Some(Ok(draft)) = &state.record.draft else { return };
    if draft.lead.is_empty() {
        return;
    }
    let number = draft.lead.iter().filter(|step| !step.without).count();
    let words = match number {
        0 => "Nothing is done before it".to_owned(),
        1 => "1 step leads here from the fresh start".to_owned(),
        number => format!("{number} steps lead here from the fresh start"),
    };
    wide_card(ui, |ui| {
        CollapsingHeader::new(words).id_salt("lead-in").default_open(false).show(ui, |ui| {
            ui.label(caption("Done before the function where it cannot start by itself."));
            for step in &draft.lead {
                let sentence = one_line(&event_sentence(&step.step.event, &step.step.before));
                ui.horizontal(|ui| {
                    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                        let change = RecordEdit::WithoutLead(step.at, !step.without);
                        let clicked = match step.without {
                            true => ui.link("take it back").clicked(),
                            false => icon_button(ui, icon::CLOSE, &format!("Leave out: {sentence}"), true)
                                .clicked(),
                        };
                        if clicked {
                            commands.push(Command::Record(RecordCommand::Edit(change)));
                        }
                        ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                            let said = RichText::new(sentence.as_str());
                            let quiet = tokens(ui.ctx()).quiet;
                            let said = if step.without { said.strikethrough().color(quiet) } else { said };
                            ui.add(Label::new(said).truncate());
                        });
                    });
                });
            }
        });
    });
}
