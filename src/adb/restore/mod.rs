//! What is changed on a device, by which run, and how it is put back.
//!
//! A journal on the device says all of it: before something is changed, a line with its value before is added there, and
//! each user of the device adds a line of its own. So what was changed can be put back after this program was killed, by
//! another run of it on any computer, and is left alone while another user still needs it. Only what was changed is put
//! back. `change` names what is changed and how it is set, `journal` reads and adds to the file, `put_back` puts back what
//! stands there, and `owners` tells whose device it is.
//!
//! On an emulator, `snapshots` goes back to whole states that were saved through its `console`.

mod change;
pub mod console;
mod journal;
mod owners;
mod put_back;
pub(crate) mod snapshots;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::agent_client::AgentClient;
use crate::host::AdbLink;
use change::Setting;
pub(super) use change::{
    Change, FONT_SCALE, GRANT, GUARDED, HOURS, KEYBOARDS, LOCATION, LOW, ROTATION, Thing, UNSET,
};
pub(super) use journal::{Journal, Site, settings_line};
pub(super) use owners::Seat;
pub use owners::{Role, process_lives};
pub use put_back::put_settings_back;
pub(super) use put_back::{RESTORING, put_back_by};
use taproof_engine::agent::{Request, SettingChange, SettingRequest};
use taproof_engine::device::DeviceError;

/// The journal on the device.
const FILE: &str = "/data/local/tmp/taproof-journal";
/// How much of a device's complaint is told.
const LONGEST_COMPLAINT: usize = 120;

/// A lock per device: the parts of this program that use a device change it one after the other.
fn turn_of(serial: &str) -> Arc<Mutex<()>> {
    static TURNS: Mutex<BTreeMap<String, Arc<Mutex<()>>>> = Mutex::new(BTreeMap::new());
    let mut turns = TURNS.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(turns.entry(serial.to_owned()).or_default())
}

/// Reads and changes settings by the agent. Returns the values before.
fn change_by_agent(
    agent: &AgentClient,
    link: &AdbLink,
    changes: impl Iterator<Item = (Setting, SettingChange)>,
    unwanted: &dyn Fn() -> bool,
) -> Result<Vec<Option<String>>, DeviceError> {
    let requests = changes.map(|(setting, change)| SettingRequest {
        namespace: setting.namespace.to_owned(),
        name: setting.name.to_owned(),
        change,
    });
    agent
        .ask(&Request::Settings(requests.collect()), Duration::ZERO, unwanted, |from| from.values())
        .map_err(|error| error.into_device(&link.serial, "change settings"))
}

/// The first line of what a device complains of; some print pages.
fn shortened(said: &str) -> String {
    let first = said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    first.chars().take(LONGEST_COMPLAINT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_is_one_short_line() {
        assert_eq!(shortened("\n usage:  settings\n more\n"), "usage:  settings");
        assert_eq!(shortened(&"x".repeat(500)).len(), LONGEST_COMPLAINT);
        assert_eq!(shortened(""), "");
    }
}
