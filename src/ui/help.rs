//! The shortcuts.

use egui::{Context, Frame, Grid, Id, Margin, Modal, RichText};

use crate::state::{Command, StudioState};

use super::parts::primary_button;
use super::theme::{strong, title};

const SHORTCUTS: &[(&str, &[(&str, &str)])] = &[
    (
        "Everywhere",
        &[
            ("Ctrl+1, Ctrl+2, Ctrl+3", "Record, Fuzz, Replay"),
            ("Ctrl+O", "Open a recorded walk"),
            ("Ctrl+D", "Light or dark colours"),
            ("F5", "Start a campaign (in Fuzz)"),
            ("F1", "These shortcuts"),
        ],
    ),
    (
        "Phone",
        &[
            ("click, hold, drag, wheel", "tap, long press, swipe, scroll"),
            ("right click", "choose the widget without touching it"),
            ("type, Backspace, Enter", "into the field that has the phone\u{2019}s focus"),
            ("F6, F7, F8, F9", "Back, Home, Recents, Rotate"),
            ("Page Up, Page Down", "previous, next screen of a recorded walk"),
        ],
    ),
    (
        "Replay",
        &[
            ("Left, Right", "previous, next step"),
            ("Home, End", "first, last step"),
            ("Space", "play, pause"),
        ],
    ),
    ("Widget tree", &[("Tab, Enter", "go through the rows, choose one"), ("Left, Right", "fold, unfold")]),
];

/// Draws the shortcuts while they are asked for.
pub fn help_ui(state: &StudioState, commands: &mut Vec<Command>, ctx: &Context) {
    if !state.settings.help {
        return;
    }
    let modal = Modal::new(Id::new("help")).frame(sheet(ctx)).show(ctx, |ui| {
        ui.set_width(480.0);
        ui.spacing_mut().interact_size.y = 20.0;
        ui.label(title("Shortcuts"));
        for (place, keys) in SHORTCUTS {
            ui.add_space(8.0);
            ui.label(strong(*place));
            Grid::new(place).num_columns(2).min_col_width(170.0).spacing([12.0, 4.0]).show(ui, |ui| {
                for (key, what) in *keys {
                    ui.label(RichText::new(*key).monospace());
                    ui.label(*what);
                    ui.end_row();
                }
            });
        }
        ui.add_space(12.0);
        if primary_button(ui, "", "Close", true).clicked() {
            commands.push(Command::SetHelp(false));
        }
    });
    if modal.should_close() {
        commands.push(Command::SetHelp(false));
    }
}

/// What lies above the window while it asks or tells something.
pub fn sheet(ctx: &Context) -> Frame {
    Frame::popup(&ctx.global_style()).inner_margin(Margin::same(20))
}
