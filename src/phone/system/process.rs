//! An app as the phone sees it. The app's own types are hidden behind [`Process`].

use std::collections::BTreeSet;

use taproof_screen::determinism::DeviceInstant;
use taproof_screen::{CodePoint, Direction, PxPoint, PxRect, PxSize, Rotation};

use super::language::Language;
use crate::ImeAction;
use crate::app::{Changed, Crash, Manifest, SharedStorage, SystemOp};
use crate::toolkit::fonts::Fonts;
use crate::toolkit::scene::PlacedWindow;
use crate::{Setting, Settings};

/// A request of an app to the phone.
#[derive(Clone, Debug)]
pub(crate) enum Request {
    Toast(String),
    Permission(&'static str),
    System(SystemOp),
    Log(char, &'static str, String),
    Crash(Crash),
    /// The last page was closed.
    Gone,
}

/// The space that the phone provides for windows.
#[derive(Clone, Copy)]
pub(crate) struct Room<'a> {
    pub fonts: &'a Fonts,
    pub screen: PxSize,
    pub config: Configuration,
    pub network: bool,
    pub settings: Settings,
    /// The area between the status bar and the navigation bar.
    pub app: PxRect,
    /// Height of the open keyboard, in px.
    pub keyboard_height: i32,
    pub now: DeviceInstant,
}

/// What causes an activity to be recreated when it changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Configuration {
    pub rotation: Rotation,
    pub dark: bool,
    pub language: Language,
    /// Whether the system's texts are larger than normal.
    pub large_text: bool,
    /// Whether another app has half of the screen.
    pub split: bool,
    /// Whether everything on the screen is larger than normal.
    pub large_display: bool,
}

impl Configuration {
    /// What differs from an earlier configuration.
    pub(crate) fn changed_since(self, before: Configuration) -> Changed {
        Changed {
            rotation: self.rotation != before.rotation,
            dark: self.dark != before.dark,
            language: self.language != before.language,
            font_scale: self.large_text != before.large_text,
            window: self.split != before.split,
            display_size: self.large_display != before.large_display,
        }
    }
}

/// The modes of the keyboard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct KeyboardState {
    pub shift: bool,
    pub symbols: bool,
}

/// An app as the phone sees it.
pub(crate) trait Process: Send {
    fn clone_box(&self) -> Box<dyn Process>;
    fn manifest(&self) -> &'static Manifest;
    /// The app's string resources.
    fn strings(&self) -> BTreeSet<String>;
    /// Whether the app has a page.
    fn alive(&self) -> bool;
    /// Whether the app has a process. After a process death in the background the pages wait until they are shown
    /// again.
    fn running(&self) -> bool;
    fn start(&mut self, room: &Room<'_>);
    fn stop(&mut self);
    fn clear_data(&mut self);
    /// Whether the app has been started since it was installed or its data were cleared.
    fn used(&self) -> bool;
    fn hung(&self) -> Option<&'static str>;
    /// The class name of the activity in front.
    fn activity(&self) -> &'static str;
    /// The placed topmost window.
    fn top(&mut self, room: &Room<'_>) -> &PlacedWindow;
    /// All placed windows from the activity in front to the topmost.
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
    /// Called when the configuration has changed. Recreates the activities.
    fn reconfigured(&mut self, room: &Room<'_>);
    /// Ends the process in the background. The pages are restored from their saved state when the app is opened again.
    fn kill(&mut self);
    /// Destroys the activities in the background. They are recreated from their saved state when the app is opened
    /// again.
    fn destroy_activities(&mut self);
    /// Revokes all permissions. Returns whether there were any.
    fn revoke(&mut self) -> bool;
    /// Grants again what [`revoke`](Process::revoke) has taken.
    fn grant_revoked(&mut self);
    /// The permissions that are granted to the app.
    fn granted(&self) -> &BTreeSet<&'static str>;
    /// Grants or revokes a permission.
    fn set_granted(&mut self, permission: &'static str, granted: bool);
    fn enter_key(&mut self, room: &Room<'_>);
    fn center_key(&mut self, room: &Room<'_>);
    fn menu_key(&mut self, room: &Room<'_>);
    /// Moves the keyboard focus in a direction, or to the next widget if `None`.
    fn move_focus(&mut self, direction: Option<Direction>, room: &Room<'_>);
    fn came_to_front(&mut self, room: &Room<'_>);
    /// Called when the network was lost or is back while the app is in front.
    fn network_changed(&mut self, room: &Room<'_>);
    /// Called when a setting of the system has changed while the app is in front.
    fn setting_changed(&mut self, setting: Setting, room: &Room<'_>);
    /// Called when a window of the system in front of the app has closed, which this package had shown.
    fn uncovered(&mut self, by: &'static str, room: &Room<'_>);
    /// Called when the clock has moved, since placed windows may show an old time.
    fn time_passed(&mut self);
    fn permission_answer(&mut self, permission: &'static str, granted: bool, room: &Room<'_>);
    /// The files that other programs access as well, if the app has such files.
    fn shared_storage(&mut self) -> Option<&mut dyn SharedStorage>;
    /// When the next pending work is due, if there is any.
    fn next_due(&self) -> Option<DeviceInstant>;
    /// Executes the work that is due at `room.now`.
    fn run_due(&mut self, room: &Room<'_>);
    /// Takes the code points executed since the last call.
    fn take_executed(&mut self) -> Vec<CodePoint>;
    fn take_requests(&mut self) -> Vec<Request>;
}
