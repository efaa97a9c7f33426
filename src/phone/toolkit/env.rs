//! What views depend on beside the state of their app: the window, the clock and the settings of the system.

use taproof_screen::Rotation;
use taproof_screen::determinism::DeviceInstant;

use super::view::Color;
use crate::points::ExecutedPoints;
use crate::{Date, Language, Settings};

/// What an app can read while it describes a page.
#[derive(Debug)]
pub struct Env<'a> {
    /// The orientation of the screen.
    pub rotation: Rotation,
    /// Width of the window in dp.
    pub width: i32,
    /// Height of the window in dp, without the keyboard.
    pub height: i32,
    /// The language of the system; apps without translations ignore it.
    pub language: Language,
    /// Whether the system is in dark mode.
    pub dark: bool,
    /// Whether the phone has a network.
    pub network: bool,
    /// The settings of the system that are not as usual.
    pub settings: Settings,
    /// The device's clock, in simulated time since the boot.
    pub now: DeviceInstant,
    /// The app's main colour.
    pub accent: Color,
    /// The state of each scrolled list.
    pub scrolls: &'a [ScrollState],
    pub(crate) points: &'static [&'static str],
    pub(crate) executed: &'a ExecutedPoints,
}

/// The position of a list or scroll view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScrollState {
    /// The resource id of the view.
    pub id: &'static str,
    /// How far the content is scrolled up, in px.
    pub offset: i32,
    /// Height of the view when it was last placed, in px.
    pub viewport: i32,
}

/// Number of pixels per dp on this phone.
pub const PX_PER_DP: i32 = 3;

impl Env<'_> {
    /// Returns the range `first..end` of the rows of a list that may be visible.
    pub(crate) fn rows_near_screen(&self, id: &str, total: usize, row_height: i32) -> (usize, usize) {
        let row = (row_height * PX_PER_DP).max(1);
        let content = row.saturating_mul(total as i32);
        let (offset, viewport) = match self.scrolls.iter().find(|scroll| scroll.id == id) {
            Some(scroll) => (scroll.offset, scroll.viewport),
            None => (0, self.height * PX_PER_DP),
        };
        let offset = offset.min(content - viewport).max(0);
        let first = (offset / row) as usize;
        // A list is never higher than its window, so this many rows suffice wherever it is placed.
        let shown = (self.height * PX_PER_DP / row) as usize + 2;
        (first.min(total), (first + shown).min(total))
    }

    /// The date and time that the system shows, in the phone's time zone.
    pub(crate) fn local_date(&self) -> Date {
        Date::local(self.now, self.settings)
    }

    /// The time of day that the system shows.
    pub(crate) fn system_clock(&self) -> String {
        self.local_date().clock_of(self.settings)
    }

    /// The phone's current date and time.
    pub fn today(&self) -> Date {
        Date::at(self.now)
    }

    /// Reports that a code point in the creation of views was executed.
    pub fn cover(&self, point: &'static str) {
        self.executed.insert(self.points, point);
    }
}

/// The function of the keyboard's action key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImeAction {
    /// Closes the soft keyboard.
    Done,
    /// Moves to the next field.
    Next,
    /// Starts a search with the field's text.
    Search,
}
