//! The first steps for new users, as a strip above the place until it is closed.

use egui::{Frame, Label, Margin, Panel, RichText, Ui};

use crate::command::Command;
use crate::parts::controls::icon_button;
use crate::parts::theme::{CONTROL, glyph, icon, strong, tokens};
use crate::shell::WindowCommand;
use crate::state::{Place, Settings, StudioState};

const STEPS: [(Place, &str, &str, &str); 3] = [
    (
        Place::Record,
        "1",
        "Record:",
        "press Record, do on the phone what the app is good for, such as adding a note, and save it.",
    ),
    (
        Place::Fuzz,
        "2",
        "Fuzz:",
        "press Start; the app is used in thousands of ways and checked against what you recorded.",
    ),
    (Place::Replay, "3", "Replay:", "open a bug and see step by step what went wrong."),
];

/// Draws the strip unless it has been closed or all steps are done: all steps in the place Record, and in another place
/// its own. After the last one it stays until the person leaves the place, `kept`, so that what is below does not move.
pub fn first_steps_ui(
    state: &StudioState,
    kept: &mut Option<Place>,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let Settings { first_steps, first_steps_done: done, place: here, .. } = &state.settings;
    let is_done = |place: Place| done.contains(&place);
    let stays = *kept == Some(*here);
    let shown = |place: Place| *here == Place::Record || place == *here;
    *kept = (*first_steps || stays).then_some(*here);
    if kept.is_none() {
        return;
    }
    let tokens = tokens(ui.ctx());
    let frame = Frame::new().fill(tokens.accent_soft).inner_margin(Margin::symmetric(12, 6));
    Panel::top("first steps").frame(frame).show_separator_line(false).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.add_sized([18.0, 18.0], Label::new(glyph(icon::TOUCH).color(tokens.accent)));
            let room = ui.available_width() - 40.0;
            ui.scope(|ui| {
                ui.set_width(room);
                // A single line is as high as the button beside it.
                let lines = STEPS.iter().filter(|(place, ..)| shown(*place)).count();
                ui.spacing_mut().interact_size.y = if lines == 1 { CONTROL } else { 18.0 };
                ui.vertical(|ui| {
                    for (place, number, name, what) in STEPS {
                        if shown(place) {
                            step_ui(number, name, what, is_done(place), ui);
                        }
                    }
                });
            });
            if icon_button(ui, icon::CLOSE, "Put the first steps away", true).clicked() {
                *kept = None;
                commands.push(WindowCommand::FirstSteps(false).into());
            }
        });
    });
}

fn step_ui(number: &str, name: &str, what: &str, done: bool, ui: &mut Ui) {
    let tokens = tokens(ui.ctx());
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        if done {
            ui.label(glyph(icon::HELD).color(tokens.good)).on_hover_text("Done");
            ui.label(strong(name).color(tokens.quiet));
            ui.label(RichText::new(what).color(tokens.quiet));
        } else {
            ui.label(strong(number).color(tokens.accent));
            ui.label(strong(name));
            ui.label(what);
        }
    });
}
