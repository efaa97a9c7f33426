//! Draws that a text cannot be typed on the phone, with the button that changes it.

use egui::{Label, RichText, Ui, WidgetType};

use crate::command::Command;
use crate::parts::controls::{named, small_button};
use crate::parts::theme::{caption, glyph, icon, tokens};
use crate::phone::NotTypeable;
use crate::state::StudioState;

/// Draws in a line of a form that the phone cannot type the text; nothing if it can.
pub fn typing_note_ui(state: &StudioState, text: &str, commands: &mut Vec<Command>, ui: &mut Ui) {
    let Some(problem) = state.not_typeable(text) else { return };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.spacing_mut().interact_size.y = 20.0;
        let color = tokens(ui.ctx()).warn;
        ui.label(glyph(icon::LOOK).color(color));
        let words = RichText::new(problem.words()).small().color(color);
        ui.add(Label::new(words).wrap()).on_hover_text(problem.explanation());
        remedy_button(&problem, commands, ui);
    });
}

/// Draws the button that lets the phone type any text, or that this is under way.
pub fn remedy_button(problem: &NotTypeable, commands: &mut Vec<Command>, ui: &mut Ui) {
    let Some((label, command)) = problem.action() else {
        ui.label(caption("being changed\u{2026}")).on_hover_text(problem.explanation());
        return;
    };
    let response = ui.add(small_button(label));
    named(&response, WidgetType::Button, &format!("{label}, so that {} types any text", problem.serial));
    if response.on_hover_text(problem.explanation()).clicked() {
        commands.push(Command::Device(command));
    }
}
