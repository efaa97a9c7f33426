//! The soft keyboard: the positions and functions of its keys.

use taproof_screen::{PxPoint, PxRect};

use super::process::KeyboardState;
use crate::toolkit::scene::{KeyAction, KeyCap, Keyboard};
use crate::{ImeAction, PX_PER_DP};

const LETTERS: [&str; 3] = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
const SYMBOLS: [&str; 3] = ["1234567890", "@#$%&-+()", "*\"':;!?"];

/// Height of the keyboard, in px.
pub(crate) fn height_px(sideways: bool) -> i32 {
    // In landscape, a dialog with one field must still fit above it.
    PX_PER_DP * if sideways { 112 } else { 240 }
}

/// Returns the keyboard at the bottom of the area for apps. `action` is the function of its action key; `None` inserts
/// a line break.
pub(crate) fn keyboard(
    room: PxRect,
    sideways: bool,
    state: KeyboardState,
    action: Option<ImeAction>,
) -> Keyboard {
    let bounds = PxRect::new(room.left, room.bottom - height_px(sideways), room.right, room.bottom);
    let row_height = bounds.height() / 4;
    let unit = bounds.width() / 20;
    let mut keys = Vec::with_capacity(34);
    let rows = if state.symbols { SYMBOLS } else { LETTERS };
    for (row, chars) in rows.iter().enumerate() {
        let top = bounds.top + row as i32 * row_height;
        let count = chars.chars().count() as i32;
        let left = bounds.left + (bounds.width() - count * 2 * unit) / 2;
        for (place, char) in (0i32..).zip(chars.chars()) {
            let char = if state.shift { char.to_ascii_uppercase() } else { char };
            let x = left + place * 2 * unit;
            let rect = PxRect::new(x, top, x + 2 * unit, top + row_height);
            keys.push(KeyCap { bounds: rect, action: KeyAction::Char(char) });
        }
    }
    let key = |row: i32, from: i32, to: i32, action: KeyAction| {
        let top = bounds.top + row * row_height;
        let rect = PxRect::new(bounds.left + from * unit, top, bounds.left + to * unit, top + row_height);
        KeyCap { bounds: rect, action }
    };
    keys.extend([
        key(2, 0, 3, KeyAction::Shift(state.shift)),
        key(2, 17, 20, KeyAction::Delete),
        key(3, 0, 3, KeyAction::Symbols(state.symbols)),
        key(3, 3, 5, KeyAction::Char(',')),
        key(3, 5, 15, KeyAction::Space),
        key(3, 15, 17, KeyAction::Char('.')),
        key(3, 17, 20, KeyAction::Action(action)),
    ]);
    Keyboard { bounds, keys }
}

/// Returns the function of the key at a point, if there is one.
pub(crate) fn key_at(keyboard: &Keyboard, at: PxPoint) -> Option<KeyAction> {
    keyboard.keys.iter().find(|key| key.bounds.contains(at)).map(|key| key.action)
}
