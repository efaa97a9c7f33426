//! Watches the devices behind adb.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::{AppSearch, DeviceLine, Devices, DevicesInUse, Search};
use crate::mirror::{DeviceMaker, MirrorDevice};
use taproof_adb::host::{AdbServer, DeviceEntry, Patience};
use taproof_adb::{
    AdbPhone, ControlMethod, Role, ScreenHolder, link_to, packages, process_lives, put_settings_back,
    reach_server, running_server,
};
use taproof_engine::device::{AppData, AppId, BeforeTest, Device, DeviceError, Initialised};
use taproof_engine::worker::{CancelToken, Latest};
use taproof_screen::Initialiser;

/// Delay before the adb server is contacted again after a failure.
const AGAIN: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_secs(10);
/// How often the list is requested although no change was reported: the adb server reports none when the connection to
/// a device in the network breaks.
const LIST_AGAIN: Duration = Duration::from_secs(3);

/// What is known of the devices, also of those that are away.
#[derive(Default)]
struct KnownDevices {
    /// The listed packages by serial, as last listed.
    packages: BTreeMap<String, Vec<String>>,
    /// The serials of ready devices that were examined without a problem.
    examined: BTreeSet<String>,
    /// The devices as last published.
    lines: Vec<DeviceLine>,
}

impl KnownDevices {
    fn of(lines: &[DeviceLine]) -> Self {
        let packages = lines.iter().map(|line| (line.serial.clone(), line.packages.clone())).collect();
        KnownDevices { packages, lines: lines.to_vec(), ..KnownDevices::default() }
    }

    /// Takes the list of adb. Devices that have just become ready are yet to be examined.
    fn list(&mut self, entries: &[DeviceEntry]) {
        let ready =
            |serial: &str| entries.iter().any(|entry| entry.state.is_ready() && entry.serial == serial);
        self.examined.retain(|serial| ready(serial));
        self.lines = entries.iter().map(|entry| self.line(entry)).collect();
    }

    fn line(&self, entry: &DeviceEntry) -> DeviceLine {
        let ready = entry.state.is_ready();
        let unready = || format!("{}: {}", entry.state.word(), entry.state.advice());
        let examined = self.examined.contains(&entry.serial);
        DeviceLine {
            serial: entry.serial.clone(),
            model: entry.model.clone().unwrap_or_default().replace('_', " "),
            ready,
            words: if ready { String::new() } else { unready() },
            search: if examined { AppSearch::Done } else { AppSearch::Going },
            packages: self.packages.get(&entry.serial).cloned().unwrap_or_default(),
        }
    }

    /// The serials of the devices that must be examined.
    fn unexamined(&self) -> Vec<String> {
        let lines = self.lines.iter().filter(|line| line.is_searched());
        lines.map(|line| line.serial.clone()).collect()
    }

    /// Takes the result of examining a device. After a failure, the packages that were known stay listed, and the
    /// device is examined again with the next list.
    fn take(&mut self, serial: &str, examined: Result<(), DeviceError>) {
        let Some(line) = self.lines.iter_mut().find(|line| line.serial == serial) else { return };
        line.packages = self.packages.get(serial).cloned().unwrap_or_default();
        match examined {
            Ok(()) => {
                line.search = AppSearch::Done;
                self.examined.insert(serial.to_owned());
            }
            Err(error) => {
                line.search = AppSearch::Failed;
                line.words = error.to_string();
            }
        }
    }

    fn published(&self, search: Search) -> Devices {
        Devices { search, list: self.lines.clone(), ..Devices::default() }
    }
}

/// Watches the devices until that is cancelled; what `before` says was listed before. With `start`, an adb server is
/// started if none is running; with `system`, the apps that came with a device are listed, too. Returns the last list.
pub(super) fn watch(
    (start, system): (bool, bool),
    before: &[DeviceLine],
    (cancel, in_use): (&CancelToken, &Mutex<DevicesInUse>),
    publish: &dyn Fn(Devices),
) -> Devices {
    let mut known = KnownDevices::of(before);
    let unwanted = || cancel.asked_to_stop();
    let mut listened = false;
    while !unwanted() {
        let server = if start { reach_server(&unwanted).map(Some) } else { running_server(&unwanted) };
        let problem = match server {
            Ok(Some(server)) => {
                listened = true;
                follow((&server, system), &unwanted, (&mut known, in_use), publish)
            }
            // It was running before, so it may be started again.
            Ok(None) if listened => "the adb server has ended".to_owned(),
            // Starting one was not requested.
            Ok(None) => return Devices::default(),
            Err(error) => error.to_string(),
        };
        if !unwanted() {
            publish(known.published(Search::Failed(problem)));
        }
        cancel.stopped_within(AGAIN);
    }
    known.published(Search::Idle)
}

/// Publishes every change of the device list until the connection to the server ends; returns the reason. The devices
/// are listed before they are examined, which takes long on a slow one.
fn follow(
    (server, system): (&AdbServer, bool),
    unwanted: &dyn Fn() -> bool,
    (known, in_use): (&mut KnownDevices, &Mutex<DevicesInUse>),
    publish: &dyn Fn(Devices),
) -> String {
    let mut tracker = match server.track(&Patience::new(LOOK, unwanted)) {
        Ok(tracker) => tracker,
        Err(error) => return error.to_string(),
    };
    let mut listed = Vec::new();
    loop {
        let entries = match tracker.wait(&Patience::new(LIST_AGAIN, unwanted)) {
            Ok(Some(entries)) => entries,
            Ok(None) => match server.devices(&Patience::new(LOOK, unwanted)) {
                Ok(entries) if entries == listed => continue,
                Ok(entries) => entries,
                Err(error) => return error.to_string(),
            },
            Err(error) => return error.to_string(),
        };
        known.list(&entries);
        listed = entries;
        for serial in known.unexamined() {
            publish(known.published(Search::Listening));
            let free = in_use.lock().unwrap_or_else(PoisonError::into_inner).problem(&serial).is_none();
            let examined = examine((server, &serial), (free, system), unwanted, &mut known.packages);
            known.take(&serial, examined);
        }
        publish(known.published(Search::Listening));
    }
}

/// Examines a device that has just appeared: lists its packages. First the settings that a killed run left
/// changed are restored; if the device is `free`, so are those of a campaign that ended while it was disconnected. If
/// that fails, the packages are listed all the same.
fn examine(
    (server, serial): (&AdbServer, &str),
    (free, system): (bool, bool),
    unwanted: &dyn Fn() -> bool,
    listed: &mut BTreeMap<String, Vec<String>>,
) -> Result<(), DeviceError> {
    let link = link_to(server, serial)?;
    let restored = put_settings_back(&link, free.then_some(Role::Campaign), &process_lives, unwanted);
    if matches!(restored, Ok(true)) {
        tracing::info!(serial, "the settings that a run had changed are put back");
    }
    listed.insert(serial.to_owned(), packages(&link, system, unwanted)?);
    restored.map(drop)
}

/// Returns a maker of mirrors of an app on a device. The app is launched, or with `as_it_is` only brought to the front
/// in its current state. With an empty `package` the device is left as it is. `holders` receives the programs that
/// control the screen instead of the agent.
pub(in crate::phone) fn device_maker(
    serial: String,
    package: String,
    as_it_is: bool,
    holders: Latest<(String, Vec<ScreenHolder>)>,
) -> DeviceMaker {
    Arc::new(move |unwanted| {
        let server = reach_server(&**unwanted)?;
        let mut phone = AdbPhone::open(&server, &serial, ControlMethod::Agent, Arc::clone(unwanted))?.alone();
        holders.publish((serial.clone(), phone.holders().to_vec()));
        let app = AppId(package.clone());
        match (package.is_empty(), as_it_is) {
            (true, _) => {}
            (false, true) => Device::open(&mut phone, &app)?,
            (false, false) => phone.launch(&app, AppData::Keep)?,
        }
        Ok(MirrorDevice::Live(Box::new(phone)))
    })
}

/// Returns a maker of mirrors of a device. Whenever the app is launched with cleared data, `before` is called first and
/// the steps of `first` are performed.
pub(in crate::phone) fn fresh_device_maker(
    serial: String,
    app: String,
    first: Option<Arc<Initialiser>>,
    before: Option<BeforeTest>,
) -> DeviceMaker {
    Arc::new(move |unwanted| {
        let server = reach_server(&**unwanted)?;
        let phone = AdbPhone::open(&server, &serial, ControlMethod::Agent, Arc::clone(unwanted))?.alone();
        Ok(MirrorDevice::Live(Initialised::device(Box::new(phone), &app, first.as_ref(), before.clone())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_adb::host::DeviceState;
    use taproof_engine::device::LinkFault;

    fn entry(state: DeviceState) -> DeviceEntry {
        let serial = "phone".to_owned();
        DeviceEntry { serial, state, model: None, product: None, device: None, transport_id: None }
    }

    fn late() -> DeviceError {
        DeviceError::Link { fault: LinkFault::TimedOut, problem: "phone answers too late".to_owned() }
    }

    #[test]
    fn a_failure_hides_no_app_and_is_tried_again() {
        let mut known = KnownDevices::default();
        known.list(&[entry(DeviceState::Device)]);
        assert_eq!(known.unexamined(), ["phone"]);
        known.packages.insert("phone".to_owned(), vec!["org.ex".to_owned()]);
        known.take("phone", Ok(()));
        assert_eq!((known.lines[0].search, known.unexamined().len()), (AppSearch::Done, 0));
        for state in [DeviceState::Offline, DeviceState::Device] {
            known.list(&[entry(state)]);
        }
        assert_eq!(known.published(Search::Listening).apps().len(), 1, "while it is examined");
        known.take("phone", Err(late()));
        let failed = known.published(Search::Listening);
        assert_eq!((failed.apps().len(), failed.list[0].search), (1, AppSearch::Failed));
        assert_eq!(failed.outcome(), Err("Phone answers too late.".to_owned()));
        // A person looks again, which begins another watch.
        let mut again = KnownDevices::of(&failed.list);
        assert_eq!(again.published(Search::Failed("no server".to_owned())).apps().len(), 1);
        again.list(&[entry(DeviceState::Device)]);
        assert_eq!((again.unexamined(), again.lines[0].packages.len()), (vec!["phone".to_owned()], 1));
    }
}
