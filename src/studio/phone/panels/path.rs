//! The line below the phone's screen: its position on the path, buttons to move back and forth, and the menu to keep
//! the path. More urgent things replace it: a request for a widget, a running re-execution, or a text that the phone cannot
//! type.

use std::time::Duration;

use egui::{Align, Frame, Key, Label, Layout, Margin, Modifiers, RichText, Ui, Vec2, WidgetType};

use super::typing::remedy_button;
use crate::command::{Command, DeviceCommand};
use crate::mirror::{FrameNo, PathPosition, ReachedBy, Shown};
use crate::parts::controls::{
    Tone, badge, clock, icon_button, labelled_button, named, progress_bar, time_left,
};
use crate::parts::shortcuts::tip_of;
use crate::parts::theme::{CONTROL, caption, glyph, icon, strong, tokens};
use crate::phone::{KeepCommand, Picking, TakeOver};
use crate::state::StudioState;

/// Height of the line including its margins, in points.
pub const WAY_LINE: f32 = CONTROL + 8.0;
/// Seconds after which a re-execution shows its progress.
const PATIENCE: f64 = 1.0;
/// Seconds after which it is said that a device is busy.
const SLOW: f64 = 3.0;

/// The line's own state.
#[derive(Default)]
pub struct WayLine {
    /// When the current re-execution began, in seconds of the window's clock.
    redoing_since: Option<f64>,
    /// Since when the device has been busy, in the same seconds.
    busy_since: Option<f64>,
    /// Whether Escape was pressed for this line, and not for an overlay.
    escaped: bool,
    /// The text that was typed last, if the phone cannot type it.
    pub untyped: Option<String>,
    /// The frame at which something was typed although no field of the phone had the focus.
    pub nowhere: Option<FrameNo>,
}

impl WayLine {
    /// Reads the Escape key. This must be done before anything is drawn: a menu that Escape closes is gone when the
    /// line is drawn.
    pub fn look_at_keys(&mut self, state: &StudioState, shown: &Shown, ui: &Ui) {
        let asked = state.picking().is_some() || state.mirror.redoing.is_some() || shown.ahead > 0;
        let above =
            ui.memory(|memory| memory.top_modal_layer().is_some()) || egui::Popup::is_any_open(ui.ctx());
        let free = asked && shown.walk.is_none() && !above && !ui.ctx().text_edit_focused();
        self.escaped = free && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
    }
}

/// Draws a badge in the phone's header that shows how the phone reached its position.
pub fn standing_ui(state: &StudioState, shown: &Shown, ui: &mut Ui) {
    match shown.standing {
        _ if state.mirror.gone => badge(ui, icon::BROKEN, "went away", Tone::Bad)
            .on_hover_text("What is shown is what was seen last. The phone is shown again when it is back."),
        ReachedBy::Live => badge(ui, icon::PHONE, "live", Tone::Good),
        ReachedBy::Snapshot => badge(ui, icon::HELD, "restored from snapshot", Tone::Accent)
            .on_hover_text("The phone\u{2019}s saved state of this step was put back."),
        ReachedBy::Reexecuted if shown.redone == 0 => badge(ui, icon::RESTART, "begun anew", Tone::Accent)
            .on_hover_text("The app was started with cleared data."),
        ReachedBy::Reexecuted => {
            let again = state.takeover.as_ref().and_then(|taken| taken.redone_until(shown.place));
            let redone = again.unwrap_or_default().max(shown.redone);
            let events = if redone == 1 { "event" } else { "events" };
            badge(ui, icon::RESTART, &format!("done again, {redone} {events}"), Tone::Accent)
                .on_hover_text("The events were done again to come here.")
        }
    };
    let taken = state.takeover.as_ref().filter(|taken| taken.path == Some(shown.place.path));
    let walked = Some(&state.mirror.walked).filter(|walked| walked.path == shown.place.path);
    let of_way = || walked.and_then(|walked| walked.diverged.as_ref());
    if let Some(divergence) = taken.and_then(|taken| taken.first_divergence()).or_else(of_way) {
        let text = match divergence.step {
            0 => "differs from the start".to_owned(),
            step => format!("differs after step {step}"),
        };
        badge(ui, icon::LOOK, &text, Tone::Warn).on_hover_text(&divergence.reason);
    }
}

/// Draws the line below the phone's screen.
pub fn way_line_ui(
    state: &StudioState,
    shown: &Shown,
    line: &mut WayLine,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    ui.add_space(4.0);
    let row = Vec2::new(ui.available_width(), CONTROL);
    ui.allocate_ui_with_layout(row, Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        if let Some(picking) = state.picking() {
            picking_ui(&picking, line.escaped, commands, ui);
        } else if !redoing_ui(state, line, commands, ui)
            && !slow_ui(state, line, commands, ui)
            && !untyped_ui(state, line, commands, ui)
            && !nowhere_ui(line.nowhere == Some(shown.no), ui)
        {
            place_ui(state, shown, line.escaped, commands, ui);
        }
    });
    ui.add_space(4.0);
}

/// Draws a filled bar over the whole line.
fn bar_ui(ui: &mut Ui, fill: egui::Color32, contents: impl FnOnce(&mut Ui)) {
    let ground = Frame::new().fill(fill).corner_radius(4).inner_margin(Margin::symmetric(8, 0));
    ground.show(ui, |ui| {
        ui.set_min_size(Vec2::new(ui.available_width(), CONTROL));
        contents(ui);
    });
}

fn picking_ui(picking: &Picking, escaped: bool, commands: &mut Vec<Command>, ui: &mut Ui) {
    let tokens = tokens(ui.ctx());
    bar_ui(ui, tokens.accent_soft, |ui| {
        ui.label(glyph(icon::TOUCH).color(tokens.accent));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if labelled_button(ui, "", "Do not pick", true).clicked() {
                commands.push(picking.leave.clone());
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(Label::new(strong(picking.prompt)).truncate()).on_hover_text(picking.prompt);
            });
        });
    });
    if escaped {
        commands.push(picking.leave.clone());
    }
}

/// Draws the button that ends what the phone is asked for at the moment.
pub fn give_up_ui(commands: &mut Vec<Command>, ui: &mut Ui) {
    let tip = "Ends what the phone is asked for. It is opened again when its app is chosen.";
    if labelled_button(ui, icon::STOP, "Stop", true).on_hover_text(tip).clicked() {
        commands.push(Command::Device(DeviceCommand::GiveUp));
    }
}

/// Draws how long a device behind adb takes for what it is asked for, if it is slow. Returns whether it was drawn.
fn slow_ui(state: &StudioState, line: &mut WayLine, commands: &mut Vec<Command>, ui: &mut Ui) -> bool {
    let device = state.settings.target.device.as_ref().filter(|_| state.mirror.busy());
    if device.is_none() {
        line.busy_since = None;
        return false;
    }
    let now = ui.input(|input| input.time);
    let seconds = now - *line.busy_since.get_or_insert(now);
    ui.ctx().request_repaint_after(Duration::from_millis(500));
    if seconds < SLOW {
        return false;
    }
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        give_up_ui(commands, ui);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.label(caption(format!("The phone is busy: {}", clock(seconds))));
        });
    });
    true
}

/// Draws the progress of a re-execution that takes long. Returns whether it was drawn.
fn redoing_ui(state: &StudioState, line: &mut WayLine, commands: &mut Vec<Command>, ui: &mut Ui) -> bool {
    let Some(redoing) = state.mirror.redoing else {
        line.redoing_since = None;
        return false;
    };
    let now = ui.input(|input| input.time);
    let since = *line.redoing_since.get_or_insert(now);
    if now - since < PATIENCE {
        return false;
    }
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let stop = labelled_button(ui, icon::STOP, "Stop there", true);
        if stop.clicked() || line.escaped {
            commands.push(Command::TakeOver(TakeOver::Stop));
        }
        let left =
            (now - since) / redoing.done.max(1) as f64 * redoing.total.saturating_sub(redoing.done) as f64;
        let words =
            format!("Step {} of {}  \u{b7}  {} left", redoing.done + 1, redoing.total, time_left(left));
        let done = redoing.done as f32 / redoing.total.max(1) as f32;
        progress_bar(ui, done, &words, ui.available_width()).on_hover_text("The events are done again");
    });
    true
}

/// Draws that the phone cannot type what was typed last, and what changes that. Returns whether it was drawn.
fn untyped_ui(state: &StudioState, line: &WayLine, commands: &mut Vec<Command>, ui: &mut Ui) -> bool {
    let problem = line.untyped.as_deref().and_then(|text| state.not_typeable(text));
    let Some(problem) = problem else { return false };
    let tokens = tokens(ui.ctx());
    bar_ui(ui, tokens.warn_soft, |ui| {
        ui.label(glyph(icon::LOOK).color(tokens.warn));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            remedy_button(&problem, commands, ui);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let words = RichText::new(problem.words()).color(tokens.warn);
                ui.add(Label::new(words).truncate()).on_hover_text(problem.explanation());
            });
        });
    });
    true
}

/// Draws that what was typed went nowhere, if it did. Returns whether it was drawn.
fn nowhere_ui(nowhere: bool, ui: &mut Ui) -> bool {
    if nowhere {
        let tokens = tokens(ui.ctx());
        bar_ui(ui, tokens.warn_soft, |ui| {
            ui.horizontal_centered(|ui| {
                ui.label(glyph(icon::LOOK).color(tokens.warn));
                let words = "No field has the phone\u{2019}s focus: tap one, then type.";
                ui.add(Label::new(RichText::new(words).color(tokens.warn)).truncate()).on_hover_text(words);
            });
        });
    }
    nowhere
}

fn place_ui(state: &StudioState, shown: &Shown, escaped: bool, commands: &mut Vec<Command>, ui: &mut Ui) {
    let (step, last) = (shown.place.step, shown.newest().step);
    if !shown.anew {
        return held_ui(state, step, commands, ui);
    }
    let stand = |step: usize| Command::Stand(PathPosition { step, ..shown.place });
    if icon_button(ui, icon::PREVIOUS, &tip_of("phone-step-back"), step > 0).clicked() {
        commands.push(stand(step.saturating_sub(1)));
    }
    if icon_button(ui, icon::NEXT, &tip_of("phone-step-on"), step < last).clicked() {
        commands.push(stand(step + 1));
    }
    let away = step < last;
    if away {
        let newest = icon_button(ui, icon::LAST, "Back to the newest (Esc)", true);
        if newest.clicked() || escaped {
            commands.push(Command::TakeOver(TakeOver::Newest));
        }
    }
    let text = words(step, last);
    let text = if away { RichText::new(text).color(tokens(ui.ctx()).warn) } else { caption(text) };
    let hint = "Every tap and every letter is an event; a recording makes one step of all letters of a text. The fresh start \
                is the app with cleared data. Go back to any event: clicking goes on from there.";
    ui.add(Label::new(text.small()).truncate()).on_hover_text(hint);
}

/// Draws why the phone cannot go back: its path began with existing data of an app on a device.
fn held_ui(state: &StudioState, step: usize, commands: &mut Vec<Command>, ui: &mut Ui) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let clear = labelled_button(ui, icon::RESTART, "Clear data", !state.mirror.gone);
        let app = &state.settings.target.app;
        let tip = format!("Clears all data of {app} on the device and starts it. From there the phone can go back.");
        if clear.on_hover_text(tip).clicked() {
            commands.push(Command::BeginAnew);
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let text = match step {
                0 => "As the app was. Click, scroll or type.".to_owned(),
                1 => "1 event so far.".to_owned(),
                events => format!("{events} events so far."),
            };
            let hint = "A device cannot go back to what an app held: it can once the app has begun with cleared data.";
            ui.add(Label::new(caption(text).small()).truncate()).on_hover_text(hint);
        });
    });
}

fn words(step: usize, last: usize) -> String {
    match (step, last) {
        (0, 0) => "Fresh start. Click, scroll or type.".to_owned(),
        (0, 1) => "Start, 1 event ahead. Click to go on.".to_owned(),
        (0, last) => format!("Start, {last} events ahead. Click to go on."),
        (step, last) if step < last => format!("Event {step} of {last}. Click to go on."),
        (1, _) => "1 event from the fresh start.".to_owned(),
        (step, _) => format!("{step} events from the fresh start."),
    }
}

/// Draws the menu that keeps the steps.
pub fn keep_menu(state: &StudioState, shown: &Shown, commands: &mut Vec<Command>, ui: &mut Ui) {
    let word = if ui.available_width() < 100.0 { "Save\u{2026}" } else { "Save as\u{2026}" };
    let menu = ui.menu_button(word, |ui| {
        let some = shown.place.step > 0;
        let branch = state.takeover.as_ref().filter(|taken| taken.branched());
        let from = branch.map_or(0, |taken| taken.prefix);
        let function = match branch {
            Some(_) => format!("The steps after {from} as a function"),
            None => "These steps as a function".to_owned(),
        };
        let choices = [
            ("These steps as a trace\u{2026}", KeepCommand::Trace),
            ("These steps as a regression test\u{2026}", KeepCommand::Test),
            (function.as_str(), KeepCommand::Function(from)),
            ("Their transition graph\u{2026}", KeepCommand::Graph),
        ];
        for (label, command) in choices {
            if ui.add_enabled(some, egui::Button::new(label)).clicked() {
                commands.push(command.into());
                ui.close();
            }
        }
        ui.separator();
        if ui.button("Open a kept trace\u{2026}").clicked() {
            commands.push(KeepCommand::Open.into());
            ui.close();
        }
    });
    // Beside it, a specification has a button with the same word.
    named(&menu.response, WidgetType::Button, "Save what was done on the phone");
    menu.response.on_hover_text(
        "Saves what was done since the fresh start as a trace, as a regression test or as a function",
    );
}

#[cfg(test)]
mod tests {
    use crate::phone::panels::path::words;

    #[test]
    fn the_line_says_where_the_phone_stands() {
        assert_eq!(words(2, 4), "Event 2 of 4. Click to go on.");
        assert_eq!(words(4, 4), "4 events from the fresh start.");
        assert_eq!(words(0, 1), "Start, 1 event ahead. Click to go on.");
        assert_eq!(words(0, 3), "Start, 3 events ahead. Click to go on.");
    }
}
