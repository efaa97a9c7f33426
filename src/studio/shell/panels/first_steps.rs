//! The first steps for new users, as a strip above the place until it is closed.

use egui::{Frame, Margin, Panel, RichText, Ui};

use crate::command::Command;
use crate::parts::controls::icon_button;
use crate::parts::theme::{glyph, icon, strong, tokens};
use crate::shell::WindowCommand;
use crate::state::{Place, StudioState};

const STEPS: [(&str, &str, &str); 3] = [
    (
        "1",
        "Record:",
        "press Record and do on the phone what the app should be good for, for instance add a note.",
    ),
    (
        "2",
        "Fuzz:",
        "press Start; the app is used in thousands of ways and checked against what you recorded.",
    ),
    ("3", "Replay:", "open a finding and see step by step what went wrong."),
];

/// Draws the strip in the place Record unless it has been closed.
pub fn first_steps_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    if !state.settings.first_steps || state.settings.place != Place::Record {
        return;
    }
    let tokens = tokens(ui.ctx());
    let frame = Frame::new().fill(tokens.accent_soft).inner_margin(Margin::symmetric(12, 6));
    Panel::top("first steps").frame(frame).show_separator_line(false).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.label(glyph(icon::TOUCH).color(tokens.accent));
            let room = ui.available_width() - 40.0;
            ui.scope(|ui| {
                ui.set_width(room);
                ui.spacing_mut().interact_size.y = 18.0;
                ui.vertical(|ui| {
                    for (number, place, what) in STEPS {
                        ui.horizontal_wrapped(|ui| {
                            ui.spacing_mut().item_spacing.x = 4.0;
                            ui.label(strong(number).color(tokens.accent));
                            ui.label(strong(place));
                            ui.label(RichText::new(what));
                        });
                    }
                });
            });
            if icon_button(ui, icon::CLOSE, "Put the first steps away", true).clicked() {
                commands.push(WindowCommand::FirstSteps(false).into());
            }
        });
    });
}
