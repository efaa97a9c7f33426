//! What the server prints for a client that only wants to know what there is (`--list-displays` and the like).

use std::fmt::Write as _;

use crate::State;

/// The width of the column of names.
const NAME_COLUMN: usize = 30;

/// The lists that the words after the class ask for; `None` if the client wants a picture.
pub fn lists(state: &mut State, words: &[&str]) -> Option<String> {
    let asked = |key: &str| words.iter().any(|word| word.strip_prefix(key) == Some("=true"));
    let mut text = String::new();
    if asked("list_encoders") {
        text += "[server] INFO: List of video encoders:\n    --video-codec=h264 --video-encoder=taproof.h264.encoder\n";
        text += "[server] INFO: List of audio encoders:\n    (none)\n";
    }
    if asked("list_displays") {
        let screen = state.device.info().screen;
        text += &format!(
            "[server] INFO: List of displays:\n    --display-id=0    ({}x{})\n",
            screen.width, screen.height
        );
    }
    if asked("list_cameras") || asked("list_camera_sizes") {
        text += "[server] INFO: List of cameras:\n    (none)\n";
    }
    if asked("list_apps") {
        text += "[server] INFO: List of apps:\n";
        for app in state.apps() {
            // Writing to a text cannot fail.
            writeln!(text, " - {:<NAME_COLUMN$} {}", app.label, app.id.0).unwrap_or_default();
        }
    }
    (!text.is_empty()).then_some(text)
}
