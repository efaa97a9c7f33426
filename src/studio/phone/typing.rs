//! Texts that the phone which is shown cannot type, and what would change that.

use super::{DeviceCommand, LayoutServer};
use crate::state::StudioState;
use taproof_adb::ScreenHolder;

/// Why a text cannot be typed on the phone that is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotTypeable {
    /// The first character that cannot be typed.
    pub missing: char,
    /// The serial of the phone.
    pub serial: String,
    /// What would let it type any text.
    pub remedy: TypingRemedy,
}

/// What lets a phone type any text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypingRemedy {
    /// Ending the program that keeps the agent from the screen.
    TakeOver(ScreenHolder),
    /// Starting the uiautomator2 server.
    StartServer,
    /// Waiting for one of these, which is under way.
    Wait,
}

impl StudioState {
    /// Why the phone that is shown cannot type the text; `None` if it can, or if no phone behind adb is shown.
    pub fn not_typeable(&self, text: &str) -> Option<NotTypeable> {
        let serial = self.settings.target.device.clone()?;
        let shown = self.mirror.shown.as_ref().filter(|shown| shown.walk.is_none() && !self.mirror.gone)?;
        let missing = shown.typeable.missing_from(text)?;
        let devices = &self.devices;
        let under_way = self.mirror.opening()
            || devices.taking.contains(&serial)
            || devices.layout_servers.get(&serial) == Some(&LayoutServer::Starting);
        let remedy = match devices.holders_of(&serial) {
            _ if under_way => TypingRemedy::Wait,
            [holder] => TypingRemedy::TakeOver(holder.clone()),
            _ => TypingRemedy::StartServer,
        };
        Some(NotTypeable { missing, serial, remedy })
    }
}

impl NotTypeable {
    /// What cannot be typed, for people.
    pub fn words(&self) -> String {
        let what = match self.missing {
            '\n' => "line breaks".to_owned(),
            char if char.is_control() => "control characters".to_owned(),
            char => format!("\u{201c}{char}\u{201d}"),
        };
        format!("This phone cannot type {what}")
    }

    /// Why it cannot, and what would change that, for people.
    pub fn explanation(&self) -> String {
        let able = match self.missing {
            '\n' => "one line at a time",
            _ => "the characters of an English keyboard",
        };
        let remedy = match &self.remedy {
            TypingRemedy::TakeOver(holder) => {
                format!("Once {holder} is ended, the agent can type any text there.")
            }
            TypingRemedy::StartServer => "The uiautomator2 server can type any text there.".to_owned(),
            TypingRemedy::Wait => "In a moment it can type any text.".to_owned(),
        };
        format!("As it is controlled now, {} types only {able}. {remedy}", self.serial)
    }

    /// The label of the button that changes it, and its command; `None` while that is under way.
    pub fn action(&self) -> Option<(&'static str, DeviceCommand)> {
        let serial = self.serial.clone();
        match &self.remedy {
            TypingRemedy::TakeOver(holder) => {
                Some(("Take over", DeviceCommand::TakeOver(serial, holder.clone())))
            }
            TypingRemedy::StartServer => Some(("Start the server", DeviceCommand::StartServer(serial))),
            TypingRemedy::Wait => None,
        }
    }
}
