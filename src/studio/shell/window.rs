//! The state of the window itself, and the commands about it.

use crate::state::Theme;
use taproof_session::dates::Date;
use taproof_spec::SelectorPreference;

/// An overlay on the window. At most one is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sheet {
    /// The palette of all commands.
    Palette,
    /// Keys, words, and what program this is.
    Help,
    /// What a person prefers in every project.
    Preferences,
}

/// The state of the window that is not saved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WindowState {
    /// The open overlay, if any.
    pub sheet: Option<Sheet>,
    /// Whether dark colours are shown, by choice or by following the desktop.
    pub dark: bool,
    /// The date and time.
    pub today: Date,
}

/// A command about the window itself.
#[derive(Clone, Debug, PartialEq)]
pub enum WindowCommand {
    /// Opens this overlay, or closes the open one.
    Show(Option<Sheet>),
    /// Sets the colour theme.
    Theme(Theme),
    /// Sets the zoom factor, in percent.
    Scale(u16),
    /// Sets whether animations are reduced.
    ReduceMotion(bool),
    /// Sets the kind of selector to choose where several name a widget alone.
    PreferSelector(SelectorPreference),
    /// Sets the link for new issues.
    IssueLink(String),
    /// Shows or hides the first steps.
    FirstSteps(bool),
    /// Records that an action was chosen in the palette, which lists it first from now on.
    Used(&'static str),
}
