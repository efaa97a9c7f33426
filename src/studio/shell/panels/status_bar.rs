//! The line at the bottom: the state of the phone, and the newest message.

use egui::{Align, Label, Layout, RichText, Ui};

use crate::command::{Asking, Command, FileCommand};
use crate::mirror::PictureSource;
use crate::parts::controls::{small_button, small_icon_button};
use crate::parts::theme::{caption, icon, icon_font, tokens};
use crate::phone::panels::device_list::take_over_ui;
use crate::replay::panels::export_progress::export_progress_ui;
use crate::state::{News, StudioState};

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
            let quiet = state.message.is_none() && state.mirror.problem.is_none() && state.asking.is_none();
            let part = if quiet && state.exports.is_empty() { 1.0 } else { 0.5 };
            let room = ui.available_size() * egui::vec2(part, 1.0);
            let label = Label::new(RichText::new(&text).small().weak()).truncate();
            ui.allocate_ui_with_layout(room, Layout::left_to_right(Align::Center), |ui| {
                take_over_ui(state, commands, ui);
                ui.add(label).on_hover_text(text)
            });
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            export_progress_ui(&state.exports, commands, ui);
            message_ui(state, commands, ui);
        });
    });
}

/// Draws the question that a dialog of the desktop asks. The dialog may never appear, so there must be another way.
fn asking_ui(asking: &Asking, commands: &mut Vec<Command>, ui: &mut Ui) {
    if ui.add(small_button("Cancel the question")).clicked() {
        commands.push(Command::File(FileCommand::Cancel));
    }
    if asking.slow && ui.add(small_button("No dialog? Choose here")).clicked() {
        commands.push(Command::File(FileCommand::Here));
    }
    ui.label(caption(format!("A dialog of the desktop asks: {}", asking.question.title)));
}

fn message_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    if let Some(asking) = &state.asking {
        return asking_ui(asking, commands, ui);
    }
    let (text, kind) = match (&state.mirror.problem, &state.message) {
        (_, Some(message)) => (message.text.as_str(), message.kind),
        (Some(problem), None) => (problem.as_str(), News::Failed),
        (None, None) => return,
    };
    if small_icon_button(ui, icon::CLOSE, "Dismiss the message").clicked() {
        commands.push(Command::DismissMessage);
    }
    let tokens = tokens(ui.ctx());
    let (glyph, color) = match kind {
        News::Done => (icon::HELD, tokens.good),
        News::Found => (icon::BUG, tokens.bad),
        News::Failed => (icon::LOOK, tokens.warn),
    };
    // A truncated text takes all available space, so the icon's space is reserved on its left.
    let room = ui.available_size() - egui::vec2(24.0, 0.0);
    let label = Label::new(RichText::new(text).small()).truncate();
    ui.allocate_ui_with_layout(room, Layout::right_to_left(Align::Center), |ui| {
        ui.add(label).on_hover_text(text)
    });
    ui.label(RichText::new(glyph).font(icon_font(14.0)).color(color));
}
