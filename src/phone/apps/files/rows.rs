//! What all lists of entries have in common: rows, formatted sizes, icons.

use super::messages::Msg;
use super::storage::{Entry, Kind};
use crate::{Color, Icon, View, list_row};

/// Height of every row, in dp.
pub const ROW_HEIGHT: i32 = 64;

/// The background of a selected row.
const CHOSEN: Color = Color(0xBBDEFB);

/// The messages of a row.
pub struct RowActions {
    /// Sent by a tap.
    pub click: Msg,
    /// Sent by a long press, if any.
    pub hold: Option<Msg>,
    /// Sent by a tap on the menu button. `None` for a row without one.
    pub menu: Option<Msg>,
}

/// A row for an entry: icon, name, second line (omitted if empty), menu button.
pub fn entry_row(entry: &Entry, second: String, chosen: bool, actions: RowActions) -> View<Msg> {
    let dots =
        |msg| View::icon_button(Icon::MoreVert, Color::SECONDARY, "More options", msg).id("properties");
    let trailing = actions.menu.map(dots).into_iter().collect();
    let icon = if chosen { (Icon::Check, Color(0x1565C0)) } else { icon_of(entry) };
    let mut row = list_row(Some(icon), ("firstline", entry.name.clone()), ("date", second), trailing)
        .id("second")
        .click(actions.click)
        .selected(chosen);
    row.on_long_click = actions.hold;
    if chosen { row.background(CHOSEN) } else { row }
}

/// When an entry was changed, and the size of a file, as text.
pub fn date_and_size(entry: &Entry) -> String {
    let date = &entry.modified;
    let (day, minute) = (date.iso(), date.clock());
    if entry.is_folder() {
        return format!("{day} {minute}");
    }
    format!("{day} {minute}  {}", size_in_words(entry.bytes()))
}

/// Formats a size for people.
pub fn size_in_words(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{}.{} kB", bytes / 1_000, bytes % 1_000 / 100),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}

/// The icon of an entry, with its colour.
pub fn icon_of(entry: &Entry) -> (Icon, Color) {
    if entry.hidden {
        return (Icon::VisibilityOff, Color::SECONDARY);
    }
    match entry.kind {
        Kind::Folder => (Icon::Folder, Color(0x2962FF)),
        Kind::Text(_) => (Icon::Note, Color(0x00897B)),
        Kind::Image(..) => (Icon::Image, Color(0xD81B60)),
        Kind::Audio(..) => (Icon::MusicNote, Color(0xF57C00)),
        Kind::Other(_) => (Icon::File, Color::SECONDARY),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_as_people_say_them() {
        assert_eq!(size_in_words(0), "0 B");
        assert_eq!(size_in_words(1_250), "1.2 kB");
        assert_eq!(size_in_words(48_234_496), "48.2 MB");
    }
}
