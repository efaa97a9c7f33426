//! The line at the bottom: the state of the phone, and the newest message.

use std::path::Path;

use egui::{Align, Label, Layout, RichText, ScrollArea, Ui};

use crate::command::Command;
use crate::mirror::PictureSource;
use crate::parts::controls::{details_ui, small_button, small_icon_button, spinner_if};
use crate::parts::theme::{caption, icon, icon_font, tokens};
use crate::phone::folded;
use crate::phone::panels::device_list::take_over_ui;
use crate::replay::panels::export_progress::export_progress_ui;
use crate::state::LoggedMessage;
use crate::state::{News, StudioState};

/// Room for the button of the list of messages, in points.
const LIST: f32 = 28.0;

/// The method and the rate of taking pictures, in words.
fn source_words(source: PictureSource) -> String {
    let (whole, tenth) = (source.in_ten_seconds / 10, source.in_ten_seconds % 10);
    match source.in_ten_seconds {
        // A video stream of an unchanging screen delivers no pictures.
        0 => format!("{}: still", source.name),
        _ => format!("{}: {whole}.{tenth} pictures a second", source.name),
    }
}

/// Draws the line at the bottom of the window.
pub fn status_bar_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    ui.horizontal_centered(|ui| {
        let busy = !state.mirror.gone && state.mirror.busy();
        spinner_if(ui, busy || state.connecting().is_some(), "The phone is working");
        if let Some(serial) = state.connecting() {
            ui.label(caption(format!("{serial}  \u{b7}  connecting")));
        } else if let Some(shown) = &state.mirror.shown {
            let layout = &shown.frame.layout;
            let activity =
                if layout.activity().is_empty() { "unknown activity" } else { &**layout.activity() };
            let doing = match (state.mirror.gone, state.mirror.busy(), shown.stale) {
                (true, ..) => "gone",
                (false, true, _) => "working",
                (false, false, true) => "the screen moves, its layout follows",
                (false, false, false) => "settled",
            };
            let at = shown.frame.at.millis() as f64 / 1000.0;
            let mut text = format!("{activity}  \u{b7}  {doing}  \u{b7}  {at:.1} s of device time");
            if let Some(source) = shown.source.filter(|_| !state.mirror.gone) {
                text += &format!("  \u{b7}  {}", source_words(source));
            }
            if let Some(warning) = &state.mirror.warning {
                text += &format!("  \u{b7}  {warning}");
            }
            // The other half is for messages.
            let quiet = state.message.is_none() && state.phone_problem().is_none();
            let part = if quiet && state.exports.is_empty() { 1.0 } else { 0.5 };
            let room = (ui.available_size() - egui::vec2(LIST, 0.0)).max(egui::Vec2::ZERO) * egui::vec2(part, 1.0);
            let label = Label::new(RichText::new(&text).small().weak()).truncate();
            ui.allocate_ui_with_layout(room, Layout::left_to_right(Align::Center), |ui| {
                take_over_ui(state, commands, ui);
                let words = "Settled: nothing moves any more. Device time: how long the phone has run by its own clock, which \
                             on the bundled phone goes on only with what is done";
                ui.add(label).on_hover_text(format!("{text}\n{words}"))
            });
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            message_list_ui(state, commands, ui);
            export_progress_ui(&state.exports, commands, ui);
            message_ui(state, commands, ui);
        });
    });
}

fn message_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let (text, kind, file) = match (state.phone_problem(), &state.message) {
        (_, Some(message)) => (message.text.as_str(), message.kind, message.file.as_deref()),
        (Some(problem), None) => (problem.as_str(), News::Failed, None),
        (None, None) => return,
    };
    if small_icon_button(ui, icon::CLOSE, "Dismiss the message").clicked() {
        commands.push(Command::DismissMessage);
    }
    if let Some(file) = file {
        file_ui(file, commands, ui);
    }
    let (glyph, color) = look(kind, ui);
    // A truncated text takes all available space, so the icon's space is reserved on its left.
    // Buttons beside it and what the phone does may leave none.
    let room = (ui.available_size() - egui::vec2(24.0, 0.0)).max(egui::Vec2::ZERO);
    let label = Label::new(RichText::new(folded(text).0).small()).truncate();
    ui.allocate_ui_with_layout(room, Layout::right_to_left(Align::Center), |ui| {
        ui.add(label).on_hover_text(folded(text).0)
    });
    ui.label(RichText::new(glyph).font(icon_font(14.0)).color(color));
}

/// Draws the buttons that open a file that was written, from right to left.
fn file_ui(file: &Path, commands: &mut Vec<Command>, ui: &mut Ui) {
    let mut button = |word: &str, path: &Path| {
        if ui.add(small_button(word)).on_hover_text(path.display().to_string()).clicked() {
            commands.push(Command::OpenOutside(path.to_owned()));
        }
    };
    if let Some(folder) = file.parent() {
        button("Show in folder", folder);
    }
    button("Open", file);
}

/// The icon and the colour of a message.
fn look(kind: News, ui: &Ui) -> (&'static str, egui::Color32) {
    let tokens = tokens(ui.ctx());
    match kind {
        News::Done => (icon::HELD, tokens.good),
        News::Found => (icon::BUG, tokens.bad),
        News::Failed => (icon::LOOK, tokens.warn),
    }
}

/// Draws the button that shows the messages so far.
fn message_list_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let button = small_icon_button(ui, icon::HISTORY, "Messages so far");
    egui::Popup::menu(&button).close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        ui.set_width(420.0_f32.min(ui.ctx().content_rect().width() - 32.0));
        ui.label(caption("Messages so far, the newest first"));
        if state.messages.newest_first().next().is_none() {
            ui.label("No message yet.");
        }
        let now = ui.input(|input| input.time);
        ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
            for logged in state.messages.newest_first() {
                logged_ui(logged, now, commands, ui);
            }
        });
    });
}

fn logged_ui(logged: &LoggedMessage, now: f64, commands: &mut Vec<Command>, ui: &mut Ui) {
    let (glyph, color) = look(logged.message.kind, ui);
    ui.horizontal_top(|ui| {
        ui.label(RichText::new(glyph).font(icon_font(14.0)).color(color));
        ui.vertical(|ui| {
            let (words, said) = folded(&logged.message.text);
            ui.add(Label::new(words).wrap());
            details_ui(said, ui);
            let times = if logged.times > 1 { format!(", {} times", logged.times) } else { String::new() };
            ui.label(caption(format!("{}{times}", age(now - logged.at.unwrap_or(now)))));
            if let Some(file) = &logged.message.file {
                let row = Layout::right_to_left(Align::Center);
                ui.allocate_ui_with_layout(egui::vec2(ui.available_width(), 24.0), row, |ui| {
                    file_ui(file, commands, ui);
                });
            }
        });
    });
}

/// How long ago something was, in words.
fn age(seconds: f64) -> String {
    match seconds.max(0.0) as u64 {
        0..=4 => "just now".to_owned(),
        seconds @ 5..=89 => format!("{seconds} s ago"),
        seconds @ 90..=5_399 => format!("{} min ago", seconds / 60),
        seconds => format!("{} h ago", seconds / 3_600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_age_of_a_message_is_as_precise_as_needed() {
        assert_eq!([0.0, 89.0, 90.0, 7_300.0].map(age), ["just now", "89 s ago", "1 min ago", "2 h ago"]);
    }
}
