//! The contents of the phone's screen at one moment, placed: the input of the dump and the renderer.
//!
//! These are plain values without messages, created by `measure.rs` and drawn by `render/`.

use taproof_screen::{PxRect, PxSize, Rotation, Text};

use crate::{CheckStyle, Color, Icon, ImeAction, Look, Picture, TextStyle};

/// Everything on the screen.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Size of the screen in its current orientation.
    pub screen: PxSize,
    /// The orientation of the screen.
    pub rotation: Rotation,
    /// Whether the status bar shows a network.
    pub network: bool,
    /// The time of day in the status bar.
    pub clock: String,
    /// The background colour of the status bar.
    pub status_color: Color,
    /// The windows of apps and of the system, the topmost last.
    pub windows: Vec<PlacedWindow>,
    /// The keyboard. `None` if it is closed.
    pub keyboard: Option<Keyboard>,
    /// The text of a toast, if one is shown.
    pub toast: Option<String>,
}

/// A window with its views, placed on the screen.
#[derive(Clone, Debug)]
pub struct PlacedWindow {
    /// The position and size on the screen.
    pub bounds: PxRect,
    /// Whether everything below the window is dimmed.
    pub dims: bool,
    /// The views in document order: parents come before their children.
    pub views: Vec<PlacedView>,
}

/// A view with its bounds.
#[derive(Clone, Debug)]
pub struct PlacedView {
    /// Index of the parent in the same window. `None` for a root.
    pub parent: Option<u32>,
    /// The full class name.
    pub class: &'static str,
    /// The resource id without the app's package.
    pub id: Option<&'static str>,
    /// The content description, for screen readers.
    pub content_desc: Text,
    /// The complete bounds, which may extend beyond the window.
    pub bounds: PxRect,
    /// The visible part of the bounds.
    pub visible: PxRect,
    /// Padding in px: left, top, right, bottom.
    pub padding: [i32; 4],
    /// The content of the view itself.
    pub drawing: Drawing,
    /// The appearance, which does not affect the bounds.
    pub look: Look,
    /// Whether the view reacts to a tap.
    pub clickable: bool,
    /// Whether the view reacts to a long press.
    pub long_clickable: bool,
    /// Whether the content can be scrolled because it does not fit.
    pub scrollable: bool,
    /// Whether the view is not greyed out.
    pub enabled: bool,
    /// Whether the view is selected.
    pub selected: bool,
    /// Whether keys have reached the view. The focus of a field is in [`PlacedField::focused`].
    pub focused: bool,
}

impl PlacedView {
    /// Whether the view shows this icon.
    pub fn shows(&self, icon: Icon) -> bool {
        matches!(self.drawing, Drawing::Icon(shown, ..) if shown == icon)
    }
}

/// The content of a view, apart from its children.
#[derive(Clone, Debug)]
pub enum Drawing {
    /// Nothing, or only a background or border.
    Nothing,
    /// A text, wrapped to the width inside of the padding, in at most `style.max_lines` lines.
    Text(Text, TextStyle),
    /// A text field, with its cursor and hint.
    Field(PlacedField),
    /// An icon with its colour and its size in dp.
    Icon(Icon, Color, i32),
    /// A picture, drawn from its seed.
    Picture(Picture),
    /// A checkable view: its style, whether it is checked, its label.
    Check(CheckStyle, bool, Text),
    /// A progress ring, which shows that something is being loaded.
    Progress,
}

/// A placed text field.
#[derive(Clone, Debug)]
pub struct PlacedField {
    /// The text that the field contains.
    pub value: Text,
    /// The hint that is shown while the field is empty.
    pub hint: Text,
    /// Whether the text is hidden.
    pub password: bool,
    /// Whether the field has several lines.
    pub multi_line: bool,
    /// Whether it has the focus.
    pub focused: bool,
    /// The cursor's position, in characters.
    pub cursor: usize,
}

/// The open soft keyboard.
#[derive(Clone, Debug)]
pub struct Keyboard {
    /// The position and size on the screen.
    pub bounds: PxRect,
    /// The keys with their bounds.
    pub keys: Vec<KeyCap>,
}

/// A key of the keyboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyCap {
    /// The position and size on the screen.
    pub bounds: PxRect,
    /// What the key does.
    pub action: KeyAction,
}

/// What a key of the soft keyboard does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyAction {
    /// Types this character at the cursor.
    Char(char),
    /// Switches to upper case for the next letter, or back. The flag is whether it is on.
    Shift(bool),
    /// Deletes the character before the cursor.
    Delete,
    /// Switches to symbols or back to letters. The flag is whether symbols are shown.
    Symbols(bool),
    /// Types a blank at the cursor.
    Space,
    /// The action key: Next, Done or Search, or a line break in a field of several lines if `None`.
    Action(Option<ImeAction>),
}
