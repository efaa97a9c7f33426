//! The states of an emulator that are gone back to, as snapshots of the emulator itself.
//!
//! Each is some 2 GB on the disk of this computer, so there are few, they carry this process in their name, and they
//! are deleted when nobody has the device open any more; those of a killed process go at the next opening. An `OK` to
//! a load only says that it begins: the device goes away and comes back, all streams to it are dead, and one load in
//! five fails. So a load counts only once a mark, which was made before it, is gone, and the screen is the one that was
//! saved. Whatever else comes of it is an error, and the state is forgotten: the way to it can be walked again.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::console::{Console, ConsoleError, ListedSnapshot, SnapshotName};
use super::health::LogPlace;
use super::host::{AdbError, AdbLink, Patience, PatientSocket, ServerAddress};
use super::kept::Around;
use super::look::LayoutSource;
use super::output::Component;
use super::phone::AdbPhone;
use super::uiautomator2::server_answers;
use taproof_core::device::{AppId, DeviceError, SnapshotId};
use taproof_core::model::{AppHealth, Frame};

/// So many are held at a time: 8 GB of somebody's disk.
const MOST: usize = 4;
/// All names begin so; then come the process and a number.
const OURS: &str = "taproof-";
/// A console that is there greets at once.
const GREETING: Duration = Duration::from_secs(3);
/// Saving writes gigabytes; coming back was measured to take 4 s at most where it works at all.
const LIMIT: Duration = Duration::from_secs(60);
const DELETING: Duration = Duration::from_secs(20);
/// A device that is going away may take a question and never answer it.
const ANSWER: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(200);
/// A screen is given so many looks to become the one that was saved.
const LOOKS: u32 = 5;

/// The emulator's console failed us, or is not to be had.
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
pub(super) struct Snapshots {
    console: ServerAddress,
    /// Where the emulator keeps the word that its console asks for.
    token_file: PathBuf,
    serial: String,
    /// How long saving and coming back may take.
    pub(super) limit: Duration,
    saved: BTreeMap<SnapshotId, State>,
    next: u64,
    loads: u64,
    /// It refused to save: it is not asked again before one was deleted.
    full: bool,
}

/// What was so when a snapshot was saved.
struct State {
    name: SnapshotName,
    under_test: Option<AppId>,
    failure: Option<AppHealth>,
    log: LogPlace,
    in_front: Option<Component>,
    around: Vec<Around>,
    frame: Frame,
}

/// What a panic left behind is whole: every change of it is one step.
pub(super) fn lock(snapshots: &Mutex<Snapshots>) -> MutexGuard<'_, Snapshots> {
    snapshots.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Snapshots {
    /// Those of an emulator whose console answers; left-overs of processes that are not `alive` are deleted. The
    /// console listens to its own computer alone, so there are none behind a server of another one.
    pub(super) fn find(
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

    /// One conversation: a connection that failed once is of no use any more.
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
                // Of this process, from when the emulator could not be reached to delete it.
                self.next = self.next.max(number.saturating_add(1));
            }
            if pid != std::process::id() && !alive(pid) {
                let name = SnapshotName::new(&snapshot.name).ok();
                name.into_iter().for_each(|name| self.delete(&name, unwanted));
            }
        }
    }

    /// One that stays is deleted at a later opening, when this process is gone.
    fn delete(&self, name: &SnapshotName, unwanted: &dyn Fn() -> bool) {
        let patience = Patience::new(DELETING, unwanted);
        if let Err(error) = self.talk(&patience, |console| console.delete(name)) {
            let (serial, name) = (&self.serial, name.as_str());
            tracing::warn!(serial, name, %error, "a snapshot stays on the disk until the device is opened again");
        }
    }

    /// Why no more can be saved.
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

    fn forget(&mut self, id: SnapshotId, unwanted: &dyn Fn() -> bool) {
        if let Some(state) = self.saved.remove(&id) {
            self.delete(&state.name, unwanted);
            self.full = false;
        }
    }
}

impl Drop for Snapshots {
    /// Whoever cancelled the campaign still wants this.
    fn drop(&mut self) {
        let patience = Patience::new(DELETING, &|| false);
        for state in std::mem::take(&mut self.saved).into_values() {
            self.delete(&state.name, &|| patience.left().is_zero());
        }
    }
}

/// The process and the number in a name of ours.
fn maker(name: &str) -> Option<(u32, u64)> {
    let (pid, number) = name.strip_prefix(OURS)?.split_once('-')?;
    Some((pid.parse().ok()?, number.parse().ok()?))
}

impl AdbPhone {
    pub(super) fn save_state(&mut self) -> Result<SnapshotId, DeviceError> {
        let Some(shared) = self.snapshots.clone() else {
            return Err(self.line.info.cannot("save snapshots"));
        };
        let frame = self.seen()?;
        let mut snapshots = lock(&shared);
        if let Some(reason) = snapshots.no_room() {
            return Err(self.line.info.cannot(&reason));
        }
        let unwanted = Arc::clone(&self.line.unwanted);
        let patience = Patience::new(snapshots.limit, &*unwanted);
        let (id, name) = snapshots.next_name().map_err(|error| self.line.info.cannot(&error.to_string()))?;
        if let Err(error) = snapshots.talk(&patience, |console| console.save(&name)) {
            self.line.still_wanted("saving a snapshot")?;
            tracing::warn!(serial = self.line.info.serial, %error, "no snapshot was saved: states are walked to instead");
            snapshots.full = true;
            // What it wrote before it gave up.
            if !matches!(error, EmulatorError::Console(ConsoleError::Refused { .. })) {
                snapshots.delete(&name, &*unwanted);
            }
            return Err(self.line.info.cannot(&format!("save a snapshot: {error}")));
        }
        let state = State {
            name,
            under_test: self.under_test.clone(),
            failure: self.failure.clone(),
            log: self.log.clone(),
            in_front: self.in_front.clone(),
            around: self.around.all(),
            frame,
        };
        snapshots.saved.insert(id, state);
        // It stood still meanwhile, and may have lost its connection.
        match self.come_back(None, &patience) {
            Ok(_) => Ok(id),
            Err(error) => {
                snapshots.forget(id, &*unwanted);
                Err(error)
            }
        }
    }

    pub(super) fn restore_state(&mut self, id: SnapshotId) -> Result<(), DeviceError> {
        let Some(shared) = self.snapshots.clone() else { return Err(self.line.info.no_snapshot(id)) };
        let mut snapshots = lock(&shared);
        if !snapshots.saved.contains_key(&id) {
            return Err(self.line.info.no_snapshot(id));
        }
        self.frame = None;
        let restored = self.load(&mut snapshots, id);
        if let Err(error) = &restored {
            tracing::warn!(serial = self.line.info.serial, %error, "a snapshot was not gone back to");
            self.frame = None;
            let unwanted = Arc::clone(&self.line.unwanted);
            snapshots.forget(id, &*unwanted);
            if matches!(error, DeviceError::NotRestored { .. }) {
                drop(self.line.shell(&format!("rm -f {}", self.mark_file())));
            }
        }
        restored
    }

    fn load(&mut self, snapshots: &mut Snapshots, id: SnapshotId) -> Result<(), DeviceError> {
        let unwanted = Arc::clone(&self.line.unwanted);
        let patience = Patience::new(snapshots.limit, &*unwanted);
        snapshots.loads += 1;
        let mark = snapshots.loads;
        let Some(state) = snapshots.saved.get(&id) else { return Err(self.line.info.no_snapshot(id)) };
        self.line.shell(&format!("echo {mark} >{}", self.mark_file()))?;
        let asked = snapshots.talk(&patience, |console| console.load(&state.name));
        let gone_back = match &asked {
            Ok(()) => self.come_back(Some(mark), &patience)?,
            // It did nothing.
            Err(EmulatorError::Console(ConsoleError::Refused { .. }) | EmulatorError::Adb(_)) => false,
            // It may have begun all the same.
            Err(_) => self.come_back(Some(mark), &patience)?,
        };
        self.line.still_wanted("going back to a snapshot")?;
        let problem = match asked {
            _ if gone_back => None,
            Ok(()) => Some("it answers, and is where it was before".to_owned()),
            Err(error) => Some(error.to_string()),
        };
        if let Some(problem) = problem {
            return Err(DeviceError::NotRestored { serial: self.line.info.serial.clone(), problem });
        }
        self.stand_as(state);
        self.look_until_same(&state.frame)
    }

    /// What was so when it was saved is so now, on the device too.
    fn stand_as(&mut self, state: &State) {
        self.under_test.clone_from(&state.under_test);
        self.failure.clone_from(&state.failure);
        self.log = state.log.clone();
        self.in_front.clone_from(&state.in_front);
        self.around.set(&state.around);
        // The server on the device ends with the connection that started it.
        let unwanted = Arc::clone(&self.line.unwanted);
        let server = self.source == LayoutSource::Uiautomator2 && server_answers(&self.line.link, &*unwanted);
        self.look_by(if server { LayoutSource::Uiautomator2 } else { LayoutSource::Dump });
    }

    fn look_until_same(&mut self, saved: &Frame) -> Result<(), DeviceError> {
        for _ in 0..LOOKS {
            self.look_after("", Duration::ZERO)?;
            if self.frame.as_ref().is_some_and(|frame| frame.layout == saved.layout) {
                return Ok(());
            }
        }
        let problem = "its screen is another one than was saved".to_owned();
        Err(DeviceError::NotRestored { serial: self.line.info.serial.clone(), problem })
    }

    /// Waits until the device answers and has started; whether the mark of a load is gone from it. Errors: `NotReady`
    /// where it is not back in time, those of the adb server.
    fn come_back(&mut self, mark: Option<u64>, patience: &Patience<'_>) -> Result<bool, DeviceError> {
        let script = format!("getprop sys.boot_completed\ncat {} 2>/dev/null", self.mark_file());
        loop {
            self.line.link.wait_for_device(patience)?;
            let answer = self.line.link.shell(&script, &patience.within(ANSWER)).map(|answer| answer.text());
            let mut words = answer.iter().flat_map(|text| text.split_whitespace());
            let booted = words.next() == Some("1");
            let marked = words.next().map(str::to_owned);
            let gone_back = mark.is_some_and(|mark| marked != Some(mark.to_string()));
            if booted && (mark.is_none() || gone_back) {
                return Ok(true);
            }
            self.line.still_wanted("waiting for the device")?;
            match patience.pause(PAUSE, "waiting for the device") {
                Ok(()) => {}
                Err(AdbError::Deadline { .. }) if booted => return Ok(false),
                Err(AdbError::Deadline { limit, .. }) => {
                    let silent = AdbError::NotReady {
                        serial: self.line.info.serial.clone(),
                        state: "it does not answer since a snapshot was loaded".to_owned(),
                        advice: "look at the emulator's window, and start it again if it stands still",
                        limit,
                    };
                    return Err(silent.into());
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    pub(super) fn drop_state(&mut self, id: SnapshotId) {
        if let Some(shared) = &self.snapshots {
            lock(shared).forget(id, &*self.line.unwanted);
        }
    }

    fn mark_file(&self) -> String {
        format!("/data/local/tmp/taproof-mark-{}", std::process::id())
    }
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
