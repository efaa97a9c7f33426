//! The window itself: what lies above it, its size, and what is asked of it.

use super::Command;
use super::settings::Theme;

/// What lies above the window, one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sheet {
    /// The list of commands.
    Palette,
    /// The list of shortcuts.
    Shortcuts,
}

/// What is true of the window now and not kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WindowState {
    /// What lies above it.
    pub sheet: Option<Sheet>,
    /// Whether dark colours are shown, chosen here or by the desktop.
    pub dark: bool,
}

/// What is asked of the window.
#[derive(Clone, Debug, PartialEq)]
pub enum WindowCommand {
    /// Lays this above the window, or nothing.
    Show(Option<Sheet>),
    /// Light, dark, or as the desktop.
    Theme(Theme),
    /// Shows everything at so many percent of its usual size.
    Scale(u16),
    /// Moves things, or not.
    ReduceMotion(bool),
    /// Asks for files in the window, not with the desktop's dialogs.
    OwnDialogs(bool),
    /// Shows or hides the first steps.
    FirstSteps(bool),
    /// An action was chosen in the palette: it stands first there from now on.
    Used(&'static str),
}

impl From<WindowCommand> for Command {
    fn from(command: WindowCommand) -> Self {
        Command::Window(command)
    }
}
