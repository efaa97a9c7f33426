//! What is on the phone's screen at one moment, placed: the input of the dump and of the renderer.
//!
//! Plain values without messages; `measure.rs` makes them, `render/` draws them.

use taproof_core::model::{PxRect, PxSize, Rotation, Text};

use super::{CheckStyle, Color, Date, Icon, ImeAction, Look, Picture, TextStyle};

/// Everything on the screen, from the lowest window to the topmost.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The screen as rotated.
    pub screen: PxSize,
    /// The rotation.
    pub rotation: Rotation,
    /// Whether the status bar shows a network.
    pub network: bool,
    /// For the status bar.
    pub date: Date,
    /// The colour behind the status bar.
    pub status_color: Color,
    /// The windows of apps and of the system, lowest first.
    pub windows: Vec<PlacedWindow>,
    /// The keyboard, if it is open.
    pub keyboard: Option<Keyboard>,
    /// A line shown for a while.
    pub toast: Option<String>,
}

/// One window.
#[derive(Clone, Debug)]
pub struct PlacedWindow {
    /// Where it is.
    pub bounds: PxRect,
    /// Whether what is below it is darkened.
    pub dims: bool,
    /// Its views in document order: a parent stands before its children.
    pub views: Vec<PlacedView>,
}

/// One view with its bounds.
#[derive(Clone, Debug)]
pub struct PlacedView {
    /// Index of the view around it in the same window.
    pub parent: Option<u32>,
    /// Full class name.
    pub class: &'static str,
    /// Resource id as the view has it, without the app's package.
    pub id: Option<&'static str>,
    /// What a screen reader says.
    pub content_desc: Text,
    /// Its whole rectangle, which may leave the window.
    pub bounds: PxRect,
    /// The part of it that can be seen.
    pub visible: PxRect,
    /// Space between its edge and its content, in px: left, top, right, bottom.
    pub padding: [i32; 4],
    /// What it shows.
    pub drawing: Drawing,
    /// How it looks.
    pub look: Look,
    /// Reacts to a tap.
    pub clickable: bool,
    /// Reacts to a long press.
    pub long_clickable: bool,
    /// Its content can be moved (it does not fit).
    pub scrollable: bool,
    /// Not greyed out.
    pub enabled: bool,
    /// The chosen one.
    pub selected: bool,
    /// Keys have reached it. A field says by itself whether it has the focus.
    pub focused: bool,
}

impl PlacedView {
    /// Whether it shows this icon.
    pub fn shows(&self, icon: Icon) -> bool {
        matches!(self.drawing, Drawing::Icon(shown, ..) if shown == icon)
    }
}

/// What a view shows by itself.
#[derive(Clone, Debug)]
pub enum Drawing {
    /// Nothing, or only its look.
    Nothing,
    /// A text. Wrapped to the width inside the padding, at most `style.max_lines` lines.
    Text(Text, TextStyle),
    /// A text field.
    Field(PlacedField),
    /// An icon: colour, size in dp.
    Icon(Icon, Color, i32),
    /// A picture.
    Picture(Picture),
    /// A checkable: style, checked, label.
    Check(CheckStyle, bool, Text),
    /// A turning ring.
    Progress,
}

/// A text field as placed.
#[derive(Clone, Debug)]
pub struct PlacedField {
    /// What it holds.
    pub value: Text,
    /// What it asks for while empty.
    pub hint: Text,
    /// Hides what is typed.
    pub password: bool,
    /// Takes several lines.
    pub multi_line: bool,
    /// Whether it has the focus.
    pub focused: bool,
    /// The cursor's place, counted in characters.
    pub cursor: usize,
}

/// The soft keyboard.
#[derive(Clone, Debug)]
pub struct Keyboard {
    /// Where it is.
    pub bounds: PxRect,
    /// Its keys.
    pub keys: Vec<KeyCap>,
}

/// One key of the keyboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyCap {
    /// Where it is.
    pub bounds: PxRect,
    /// What it does.
    pub action: KeyAction,
}

/// What a key of the soft keyboard does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyAction {
    /// Types a character.
    Char(char),
    /// Upper case for the next letter; whether it is on.
    Shift(bool),
    /// Deletes a character.
    Delete,
    /// Switches to symbols or back to letters; whether symbols are shown.
    Symbols(bool),
    /// A blank.
    Space,
    /// Next, Done or Search; a new line in a field of several lines.
    Action(Option<ImeAction>),
}
