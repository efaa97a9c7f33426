//! The dialog that chooses the expectations of a regression test.

use egui::{Context, Id, Modal, ScrollArea};

use crate::command::Command;
use crate::parts::controls::{given_up, labelled_button, primary_button, sheet};
use crate::parts::theme::{caption, icon, title};
use crate::phone::KeepCommand;
use crate::state::StudioState;

/// Draws the dialog if a test is being drafted. It is hidden while a widget is picked or a file is chosen.
pub fn keep_dialog_ui(state: &StudioState, commands: &mut Vec<Command>, ctx: &Context) {
    let Some(draft) = state.keep.as_ref().filter(|draft| !draft.picking && state.chooser.is_none()) else {
        return;
    };
    let mut order = |command: KeepCommand| commands.push(command.into());
    let modal = Modal::new(Id::new("keep a test")).frame(sheet(ctx)).show(ctx, |ui| {
        ui.set_width(440.0);
        ui.label(title("Keep as a regression test"));
        let steps = draft.saved.steps.len();
        let word = if steps == 1 { "step" } else { "steps" };
        ui.label(format!("The {steps} {word} are done again on a fresh phone. What must be so at the end?"));
        ui.add_space(8.0);
        ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
            for (place, (expectation, demanded)) in draft.demands.iter().enumerate() {
                let mut demanded = *demanded;
                if ui.checkbox(&mut demanded, &expectation.sentence).changed() {
                    order(KeepCommand::Demand(place, demanded));
                }
            }
        });
        ui.add_space(4.0);
        if labelled_button(ui, icon::TOUCH, "Pick something that must be shown", true).clicked() {
            order(KeepCommand::Pick(true));
        }
        ui.add_space(12.0);
        let some = draft.demands.iter().any(|(_, demanded)| *demanded);
        if !some {
            ui.label(caption("A test that demands nothing cannot fail: tick at least one sentence."));
        }
        ui.horizontal(|ui| {
            if primary_button(ui, icon::HELD, "Keep the test\u{2026}", some).clicked() {
                order(KeepCommand::Save);
            }
            if labelled_button(ui, "", "Cancel", true).clicked() {
                order(KeepCommand::Cancel);
            }
        });
    });
    if given_up(&modal, ctx) {
        order(KeepCommand::Cancel);
    }
}
