//! An app as the phone sees it: the app's own types are hidden behind `Process`.

use std::collections::BTreeSet;

use taproof_core::determinism::DeviceInstant;
use taproof_core::model::{CodePoint, Direction, PxPoint, PxRect, PxSize, Rotation};

use super::app::{Crash, ImeAction, Manifest, SystemOp};
use super::fonts::Fonts;
use super::language::Language;
use super::scene::PlacedWindow;

/// What an app asks of the phone around it.
#[derive(Clone, Debug)]
pub(super) enum Request {
    Toast(String),
    Permission(&'static str),
    System(SystemOp),
    Log(char, &'static str, String),
    Crash(Crash),
    /// The last page was closed.
    Gone,
}

/// The room that the phone has for windows.
#[derive(Clone, Copy)]
pub(super) struct Room<'a> {
    pub fonts: &'a Fonts,
    pub screen: PxSize,
    pub config: Configuration,
    /// Below the status bar, above the navigation bar.
    pub app: PxRect,
    /// Height of the keyboard when it is open, in px.
    pub keyboard_height: i32,
    pub now: DeviceInstant,
}

/// What an activity is created anew for when it changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Configuration {
    pub rotation: Rotation,
    pub dark: bool,
    pub language: Language,
}

/// The keyboard's own state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct KeyboardState {
    pub shift: bool,
    pub symbols: bool,
}

/// An app as the phone sees it.
pub(super) trait Process: Send {
    fn clone_box(&self) -> Box<dyn Process>;
    fn manifest(&self) -> &'static Manifest;
    /// Whether it has a page.
    fn alive(&self) -> bool;
    /// Whether it runs; after a death in the background its pages wait until they are shown again.
    fn running(&self) -> bool;
    fn start(&mut self, room: &Room<'_>);
    fn stop(&mut self);
    fn clear_data(&mut self);
    /// Whether it was started since it was installed or cleared.
    fn used(&self) -> bool;
    fn hung(&self) -> Option<&'static str>;
    /// The class of the activity in front.
    fn activity(&self) -> &'static str;
    /// The topmost window, placed.
    fn top(&mut self, room: &Room<'_>) -> &PlacedWindow;
    /// All windows from the activity in front to the topmost.
    fn windows(&mut self, room: &Room<'_>) -> Vec<PlacedWindow>;
    fn keyboard(&self) -> Option<KeyboardState>;
    fn set_keyboard(&mut self, keyboard: Option<KeyboardState>);
    fn ime(&mut self, room: &Room<'_>) -> Option<ImeAction>;
    fn tap(&mut self, at: PxPoint, long: bool, room: &Room<'_>);
    fn set_text(&mut self, at: PxPoint, text: &str, room: &Room<'_>);
    fn type_text(&mut self, text: &str, room: &Room<'_>);
    fn delete_char(&mut self, room: &Room<'_>);
    fn ime_action(&mut self, room: &Room<'_>);
    fn scroll(&mut self, at: PxPoint, by: i32, room: &Room<'_>);
    fn swipe(&mut self, at: PxPoint, direction: Direction, room: &Room<'_>);
    fn back(&mut self, room: &Room<'_>);
    /// The configuration is another one: activities are created anew.
    fn reconfigured(&mut self, room: &Room<'_>);
    /// The process ends in the background: its pages come back from their saved state when it is opened again.
    fn kill(&mut self);
    /// Takes back all permissions; whether there were any.
    fn revoke(&mut self) -> bool;
    /// The permissions that it has.
    fn granted(&self) -> &BTreeSet<&'static str>;
    /// Gives it a permission or takes it back.
    fn set_granted(&mut self, permission: &'static str, granted: bool);
    fn enter_key(&mut self, room: &Room<'_>);
    fn center_key(&mut self, room: &Room<'_>);
    fn menu_key(&mut self, room: &Room<'_>);
    /// Moves the focus of keys that way, or to the next widget.
    fn move_focus(&mut self, direction: Option<Direction>, room: &Room<'_>);
    fn came_to_front(&mut self, room: &Room<'_>);
    /// The clock has moved: what was placed before may show an old time.
    fn time_passed(&mut self);
    fn permission_answer(&mut self, permission: &'static str, granted: bool, room: &Room<'_>);
    /// When its next pending work is due.
    fn next_due(&self) -> Option<DeviceInstant>;
    /// Does the work that is due at `room.now`.
    fn run_due(&mut self, room: &Room<'_>);
    /// The points of its code that were executed since the last call.
    fn take_executed(&mut self) -> Vec<CodePoint>;
    fn take_requests(&mut self) -> Vec<Request>;
}
