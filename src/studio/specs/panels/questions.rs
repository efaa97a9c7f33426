//! Questions about documents: unsaved changes, names that are taken, files that were changed.

use egui::{Context, Id, Modal, Ui};

use crate::command::Command;
use crate::parts::controls::{given_up, labelled_button, primary_button, sheet};
use crate::parts::theme::{icon, strong, title};
use crate::specs::{Answer, DocumentCommand, DocumentId, DocumentQuestion};
use crate::state::StudioState;

/// Draws the open question, if there is one.
pub fn spec_question_ui(state: &StudioState, commands: &mut Vec<Command>, ctx: &Context) {
    let Some(question) = &state.documents.question else { return };
    let mut answer = None;
    let modal = Modal::new(Id::new("document question")).frame(sheet(ctx)).show(ctx, |ui| {
        ui.set_width(440.0);
        let (heading, text, names, answers) = words(state, question);
        ui.label(title(heading));
        ui.add_space(8.0);
        ui.label(text);
        for name in names {
            ui.label(strong(format!("\u{2022} {name}")));
        }
        ui.add_space(16.0);
        ui.horizontal(|ui| answer = answers_ui(answers, ui));
    });
    if given_up(&modal, ctx) {
        answer = Some(Answer::Cancel);
    }
    if let Some(answer) = answer {
        commands.push(Command::Document(DocumentCommand::Answer(answer)));
    }
}

type Words = (&'static str, String, Vec<String>, &'static [(Answer, &'static str)]);

fn words(state: &StudioState, question: &DocumentQuestion) -> Words {
    let name = |id: &DocumentId| {
        let document = state.documents.get(*id);
        document.map(|document| document.name.clone()).unwrap_or_default()
    };
    match question {
        DocumentQuestion::Close(id) => (
            "Save before closing?",
            format!("\u{201c}{}\u{201d} has changes that are not saved.", name(id)),
            Vec::new(),
            &[(Answer::Save, "Save"), (Answer::Drop, "Don\u{2019}t save"), (Answer::Cancel, "Cancel")],
        ),
        DocumentQuestion::Quit(ids) => (
            "Save before leaving?",
            "These have changes that are not saved:".to_owned(),
            ids.iter().map(name).collect(),
            &[(Answer::Save, "Save all"), (Answer::Drop, "Don\u{2019}t save"), (Answer::Cancel, "Cancel")],
        ),
        DocumentQuestion::SameName(id, dmf) => (
            "This name is taken",
            format!("\u{201c}{}\u{201d} has a function \u{201c}{}\u{201d} already.", name(id), dmf.name),
            Vec::new(),
            &[(Answer::Replace, "Replace it"), (Answer::KeepBoth, "Keep both"), (Answer::Cancel, "Cancel")],
        ),
        DocumentQuestion::ChangedOnDisk(_, path) => (
            "The file has changed",
            format!("Somebody else wrote this file since it was read:\n{}", path.display()),
            Vec::new(),
            &[
                (Answer::Save, "Write over it"),
                (Answer::Drop, "Read it again, without my changes"),
                (Answer::Cancel, "Cancel"),
            ],
        ),
    }
}

fn answers_ui(answers: &[(Answer, &'static str)], ui: &mut Ui) -> Option<Answer> {
    let mut chosen = None;
    for (place, (answer, label)) in answers.iter().enumerate() {
        let response = match place {
            0 => primary_button(ui, icon::SAVE, label, true),
            _ => labelled_button(ui, "", label, true),
        };
        if response.clicked() {
            chosen = Some(*answer);
        }
    }
    chosen
}
