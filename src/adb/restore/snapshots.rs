//! Saved states of an emulator, as snapshots by the emulator itself.
//!
//! Each snapshot takes about 2 GB on this computer's disk, so their number is limited, their names contain this
//! process's id, and they are deleted when nobody has the device open any more; those of a killed process are deleted
//! at the next opening. An `OK` to a load only means that loading began: the device goes away and comes back, all
//! streams to it are dead, and one load in five fails. So a load counts only once a mark that was made before it is
//! gone and the screen equals the saved one. Any other result is an error, and the snapshot is forgotten: the state can
//! be reached again by replaying its events.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::connection::Connection;
use crate::host::{AdbError, AdbLink, Patience, PatientSocket, ServerAddress};
use crate::input::gestures::Input;
use crate::observe::{ObserverState, ScreenObserver};
use crate::restore::console::{Console, ConsoleError, ListedSnapshot, SnapshotName};
use crate::restore::{Change, Journal};
use taproof_engine::device::{DeviceError, SnapshotId};
use taproof_screen::Frame;

/// Limit on the number of snapshots, which take 8 GB together.
const MOST: usize = 4;
/// The prefix of all names, followed by the pid and a number.
const OURS: &str = "taproof-";
/// Limit for the console's answer at the start. A console that is there greets at once.
const GREETING: Duration = Duration::from_secs(3);
/// Limit for saving and restoring. Saving writes gigabytes; a successful restore was measured to take at most 4 s.
const LIMIT: Duration = Duration::from_secs(60);
const DELETING: Duration = Duration::from_secs(20);
/// Limit for one query. A device that is going away may accept a query and never answer it.
const ANSWER: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(200);
/// How many times the screen is read until it equals the saved one.
const LOOKS: u32 = 5;

/// The emulator's console failed or is unavailable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum EmulatorError {
    #[error("{0}")]
    Console(#[from] ConsoleError),
    #[error("{0}")]
    Adb(#[from] AdbError),
    #[error("the emulator's console asks for a token, and {path} cannot be read: {problem}")]
    NoToken { path: String, problem: String },
}

/// The snapshots of one emulator.
pub(crate) struct Snapshots {
    console: ServerAddress,
    /// The file with the token that the emulator's console requires.
    token_file: PathBuf,
    serial: String,
    /// Limit for saving and restoring a snapshot.
    pub(crate) limit: Duration,
    saved: BTreeMap<SnapshotId, State>,
    next: u64,
    loads: u64,
    /// Whether the emulator refused to save: it is not tried again before a snapshot was deleted.
    full: bool,
}

/// A snapshot, with what was known about the device when it was saved.
struct State {
    name: SnapshotName,
    observed: ObserverState,
    around: Vec<Change>,
}

/// Locks the snapshots. After a panic the data is still consistent, since every change is a single step.
pub(crate) fn lock(snapshots: &Mutex<Snapshots>) -> MutexGuard<'_, Snapshots> {
    snapshots.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Snapshots {
    /// Returns the snapshots of an emulator whose console answers; `None` otherwise. Left-over snapshots of processes
    /// that are not `alive` are deleted. A console only listens on its own computer, so there are none behind a server
    /// on another one.
    pub(crate) fn find(
        link: &AdbLink,
        alive: &dyn Fn(u32) -> bool,
        unwanted: &dyn Fn() -> bool,
    ) -> Option<Snapshots> {
        let port = link.serial.strip_prefix("emulator-")?.parse().ok()?;
        let server = &link.server.address;
        let home = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE")).unwrap_or_default();
        let mut found = Snapshots {
            console: ServerAddress { host: server.host.clone(), port },
            token_file: PathBuf::from(home).join(".emulator_console_auth_token"),
            serial: link.serial.clone(),
            limit: LIMIT,
            saved: BTreeMap::new(),
            next: 1,
            loads: 0,
            full: false,
        };
        let listed = server.is_loopback().then(|| {
            let patience = Patience::new(GREETING, unwanted);
            found.talk(&patience, |console| console.list())
        })?;
        match listed {
            Ok(listed) => {
                found.delete_left_overs(&listed, alive, unwanted);
                Some(found)
            }
            Err(error) => {
                let serial = &found.serial;
                tracing::info!(serial, %error, "no snapshots: saved states are walked to instead");
                None
            }
        }
    }

    /// One conversation on a new connection, since a connection is unusable after an error.
    fn talk<T>(
        &self,
        patience: &Patience<'_>,
        work: impl FnOnce(&mut Console<PatientSocket<'_>>) -> Result<T, ConsoleError>,
    ) -> Result<T, EmulatorError> {
        let what = format!("the console of {}", self.serial);
        let socket = PatientSocket::connect(&self.console, &what, *patience)?;
        let mut console = Console::open(socket)?;
        if console.wants_token() {
            let token = std::fs::read_to_string(&self.token_file).map_err(|error| {
                let path = self.token_file.display().to_string();
                EmulatorError::NoToken { path, problem: error.to_string() }
            })?;
            console.authenticate(&token)?;
        }
        Ok(work(&mut console)?)
    }

    fn delete_left_overs(
        &mut self,
        listed: &[ListedSnapshot],
        alive: &dyn Fn(u32) -> bool,
        unwanted: &dyn Fn() -> bool,
    ) {
        for snapshot in listed {
            let Some((pid, number)) = maker(&snapshot.name) else { continue };
            if pid == std::process::id() {
                // A snapshot of this process that could not be deleted because the emulator was unreachable.
                self.next = self.next.max(number.saturating_add(1));
            }
            if pid != std::process::id() && !alive(pid) {
                let name = SnapshotName::new(&snapshot.name).ok();
                name.into_iter().for_each(|name| self.delete(&name, unwanted));
            }
        }
    }

    /// Deletes a snapshot. If that fails, it is deleted at a later opening, when this process is gone.
    fn delete(&self, name: &SnapshotName, unwanted: &dyn Fn() -> bool) {
        let patience = Patience::new(DELETING, unwanted);
        if let Err(error) = self.talk(&patience, |console| console.delete(name)) {
            let (serial, name) = (&self.serial, name.as_str());
            tracing::warn!(serial, name, %error, "a snapshot stays on the disk until the device is opened again");
        }
    }

    /// Why no more snapshots can be saved; `None` if they can.
    fn no_room(&self) -> Option<String> {
        if self.saved.len() >= MOST {
            Some(format!("hold more than {MOST} snapshots, which take 2 GB each"))
        } else {
            self.full.then(|| "save snapshots any more, as it refused one".to_owned())
        }
    }

    fn next_name(&mut self) -> Result<(SnapshotId, SnapshotName), ConsoleError> {
        let id = self.next;
        self.next += 1;
        Ok((SnapshotId(id), SnapshotName::new(&format!("{OURS}{}-{id}", std::process::id()))?))
    }

    /// Deletes a snapshot if it exists.
    pub fn forget(&mut self, id: SnapshotId, unwanted: &dyn Fn() -> bool) {
        if let Some(state) = self.saved.remove(&id) {
            self.delete(&state.name, unwanted);
            self.full = false;
        }
    }
}

impl Drop for Snapshots {
    /// Snapshots are deleted even if the campaign was cancelled, so this does not check for that.
    fn drop(&mut self) {
        let patience = Patience::new(DELETING, &|| false);
        for state in std::mem::take(&mut self.saved).into_values() {
            self.delete(&state.name, &|| patience.left().is_zero());
        }
    }
}

/// The pid and the number in the name of a snapshot of this program; `None` for other names.
fn maker(name: &str) -> Option<(u32, u64)> {
    let (pid, number) = name.strip_prefix(OURS)?.split_once('-')?;
    Some((pid.parse().ok()?, number.parse().ok()?))
}

impl Snapshots {
    /// Lets the emulator save its state, and remembers the given state of the observer and the changes around the app with it.
    pub fn save(
        &mut self,
        connection: &Connection,
        observed: ObserverState,
        around: Vec<Change>,
    ) -> Result<SnapshotId, DeviceError> {
        if let Some(reason) = self.no_room() {
            return Err(connection.info.cannot(&reason));
        }
        let unwanted = &*connection.unwanted;
        let patience = Patience::new(self.limit, unwanted);
        let (id, name) = self.next_name().map_err(|error| connection.info.cannot(&error.to_string()))?;
        if let Err(error) = self.talk(&patience, |console| console.save(&name)) {
            connection.still_wanted("saving a snapshot")?;
            tracing::warn!(serial = connection.info.serial, %error, "no snapshot was saved: states are walked to instead");
            self.full = true;
            // Part of it may have been written.
            if !matches!(error, EmulatorError::Console(ConsoleError::Refused { .. })) {
                self.delete(&name, unwanted);
            }
            return Err(connection.info.cannot(&format!("save a snapshot: {error}")));
        }
        self.saved.insert(id, State { name, observed, around });
        // The emulator was paused meanwhile, and may have lost its connection.
        match come_back(connection, None, &patience) {
            Ok(_) => Ok(id),
            Err(error) => {
                self.forget(id, unwanted);
                Err(error)
            }
        }
    }

    /// Restores a snapshot of the emulator, and the state of the observer and the changes around the app that belong to it.
    pub fn restore(
        &mut self,
        id: SnapshotId,
        observer: &mut ScreenObserver,
        journal: &Journal,
    ) -> Result<(), DeviceError> {
        if !self.saved.contains_key(&id) {
            return Err(observer.connection.info.no_snapshot(id));
        }
        observer.forget_frame();
        let restored = self.load(id, observer, journal);
        if let Err(error) = &restored {
            observer.forget_frame();
            let connection = &observer.connection;
            tracing::warn!(serial = connection.info.serial, %error, "a snapshot was not gone back to");
            self.forget(id, &*connection.unwanted);
            if matches!(error, DeviceError::NotRestored { .. }) {
                drop(connection.shell(&format!("rm -f {}", mark_file())));
            }
        }
        restored
    }

    fn load(
        &mut self,
        id: SnapshotId,
        observer: &mut ScreenObserver,
        journal: &Journal,
    ) -> Result<(), DeviceError> {
        let connection = &observer.connection;
        let patience = Patience::new(self.limit, &*connection.unwanted);
        self.loads += 1;
        let mark = self.loads;
        let Some(state) = self.saved.get(&id) else { return Err(connection.info.no_snapshot(id)) };
        connection.shell(&format!("echo {mark} >{}", mark_file()))?;
        let asked = self.talk(&patience, |console| console.load(&state.name));
        let gone_back = match &asked {
            Ok(()) => come_back(connection, Some(mark), &patience)?,
            // Nothing was loaded.
            Err(EmulatorError::Console(ConsoleError::Refused { .. }) | EmulatorError::Adb(_)) => false,
            // Loading may have begun nevertheless.
            Err(_) => come_back(connection, Some(mark), &patience)?,
        };
        connection.still_wanted("going back to a snapshot")?;
        let problem = match asked {
            _ if gone_back => None,
            Ok(()) => Some("it answers, and is where it was before".to_owned()),
            Err(error) => Some(error.to_string()),
        };
        if let Some(problem) = problem {
            return Err(DeviceError::NotRestored { serial: connection.info.serial.clone(), problem });
        }
        journal.set_around(&state.around);
        observer.restore(&state.observed);
        observe_until_same(observer, &state.observed.frame)
    }
}

fn observe_until_same(observer: &mut ScreenObserver, saved: &Frame) -> Result<(), DeviceError> {
    for _ in 0..LOOKS {
        observer.run(&Input::Nothing)?;
        if observer.last_frame().is_some_and(|frame| frame.layout == saved.layout) {
            return Ok(());
        }
    }
    let problem = "its screen is another one than was saved".to_owned();
    Err(DeviceError::NotRestored { serial: observer.connection.info.serial.clone(), problem })
}

/// Waits until the device answers and has booted. Returns whether the mark of a load is gone from it. Fails with
/// [`AdbError::NotReady`] if it is not back in time, and with the errors of the adb server.
fn come_back(
    connection: &Connection,
    mark: Option<u64>,
    patience: &Patience<'_>,
) -> Result<bool, DeviceError> {
    let script = format!("getprop sys.boot_completed\ncat {} 2>/dev/null", mark_file());
    loop {
        connection.link.wait_for_device(patience)?;
        let answer = connection.link.shell(&script, &patience.within(ANSWER)).map(|answer| answer.text());
        let mut words = answer.iter().flat_map(|text| text.split_whitespace());
        let booted = words.next() == Some("1");
        let marked = words.next().map(str::to_owned);
        let gone_back = mark.is_some_and(|mark| marked != Some(mark.to_string()));
        if booted && (mark.is_none() || gone_back) {
            return Ok(true);
        }
        connection.still_wanted("waiting for the device")?;
        // A look that the deadline cuts short would call a device silent that merely had no time for its answer.
        if patience.left() > PAUSE + ANSWER {
            patience.pause(PAUSE, "waiting for the device")?;
        } else if booted {
            return Ok(false);
        } else {
            let silent = AdbError::NotReady {
                serial: connection.info.serial.clone(),
                state: "it does not answer since a snapshot was loaded".to_owned(),
                advice: "look at the emulator's window, and start it again if it stands still",
                limit: Duration::from_secs(patience.elapsed().as_secs()),
            };
            return Err(silent.into());
        }
    }
}

/// A file on the device that a load makes disappear, since it was written after the state was saved.
fn mark_file() -> String {
    format!("/data/local/tmp/taproof-mark-{}", std::process::id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_ours_have_a_maker() {
        assert_eq!(maker("taproof-12-3"), Some((12, 3)));
        for other in ["taproof-12", "taproof-x-3", "default_boot", "my-taproof-12-3", "taproof-12-3-4", ""] {
            assert_eq!(maker(other), None, "{other}");
        }
    }
}
