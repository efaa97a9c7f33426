//! Watches the devices behind adb on a separate thread.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::mirror::{DeviceMaker, MirrorDevice};
use crate::state::{DeviceCommand, DeviceLine, Devices, DevicesInUse, FileCommand, FileQuestion, Search};
use taproof_adb::host::{AdbServer, DeviceEntry, Patience};
use taproof_adb::{
    AdbPhone, ControlMethod, Role, link_to, process_lives, put_settings_back, reach_server, running_server,
    third_party_packages,
};
use taproof_core::device::{AppData, AppId, Device, DeviceError, Initialised};
use taproof_core::model::Initialiser;
use taproof_core::worker::{self, CancelToken, Latest, Worker};

use super::Studio;

/// Delay before the adb server is contacted again after a failure.
const AGAIN: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_secs(10);

/// Handle of the thread that watches the devices behind adb, with the newest list and the devices in use.
pub(super) struct DeviceWatch {
    news: Latest<Devices>,
    /// The devices that campaigns and trials of this program use.
    in_use: Arc<Mutex<DevicesInUse>>,
    thread: Worker,
}

impl DeviceWatch {
    /// Starts to watch. With `start`, an adb server is started if none is running.
    fn begin(start: bool, wake: impl Fn() + Send + 'static) -> std::io::Result<DeviceWatch> {
        let (token, news) = (CancelToken::new(), Latest::new());
        let in_use = Arc::<Mutex<DevicesInUse>>::default();
        let (cancel, publisher, used) = (token.clone(), news.clone(), Arc::clone(&in_use));
        let work = move || {
            watch(start, &cancel, &used, &|devices| {
                publisher.publish(devices);
                wake();
            })
        };
        let thread = worker::spawn("devices", &token, work, |_| {})?;
        Ok(DeviceWatch { news, in_use, thread })
    }

    /// Sets which devices campaigns and trials use now.
    fn lent(&self, in_use: DevicesInUse) {
        *self.in_use.lock().unwrap_or_else(PoisonError::into_inner) = in_use;
    }
}

fn watch(start: bool, cancel: &CancelToken, in_use: &Mutex<DevicesInUse>, publish: &dyn Fn(Devices)) {
    let unwanted = || cancel.asked_to_stop();
    let (mut known, mut listened) = (BTreeMap::new(), false);
    while !unwanted() {
        let server = if start { reach_server(&unwanted).map(Some) } else { running_server(&unwanted) };
        let problem = match server {
            Ok(Some(server)) => {
                listened = true;
                follow(&server, &unwanted, (&mut known, in_use), publish)
            }
            // It was running before, so it may be started again.
            Ok(None) if listened => "the adb server has ended".to_owned(),
            // Starting one was not requested.
            Ok(None) => return publish(Devices::default()),
            Err(error) => error.to_string(),
        };
        if !unwanted() {
            publish(Devices { search: Search::Failed(problem), ..Devices::default() });
        }
        if cancel.stopped_within(AGAIN) {
            return;
        }
    }
}

/// Publishes every change of the device list until the connection to the server ends; returns the reason.
fn follow(
    server: &AdbServer,
    unwanted: &dyn Fn() -> bool,
    (known, in_use): (&mut BTreeMap<String, Vec<String>>, &Mutex<DevicesInUse>),
    publish: &dyn Fn(Devices),
) -> String {
    let mut tracker = match server.track(&Patience::new(LOOK, unwanted)) {
        Ok(tracker) => tracker,
        Err(error) => return error.to_string(),
    };
    loop {
        match tracker.next() {
            Some(Ok(entries)) => {
                known.retain(|serial, _| {
                    entries.iter().any(|entry| entry.state.is_ready() && entry.serial == *serial)
                });
                let list =
                    entries.iter().map(|entry| line(server, entry, unwanted, (known, in_use))).collect();
                publish(Devices { search: Search::Listening, list, ..Devices::default() });
            }
            Some(Err(error)) => return error.to_string(),
            None => return "the adb server ended".to_owned(),
        }
    }
}

fn line(
    server: &AdbServer,
    entry: &DeviceEntry,
    unwanted: &dyn Fn() -> bool,
    (known, in_use): (&mut BTreeMap<String, Vec<String>>, &Mutex<DevicesInUse>),
) -> DeviceLine {
    let ready = entry.state.is_ready();
    let mut words =
        if ready { String::new() } else { format!("{}: {}", entry.state.word(), entry.state.advice()) };
    if ready && !known.contains_key(&entry.serial) {
        let free = in_use.lock().unwrap_or_else(PoisonError::into_inner).problem(&entry.serial).is_none();
        match look_at(server, &entry.serial, free, unwanted) {
            Ok(packages) => drop(known.insert(entry.serial.clone(), packages)),
            Err(error) => words = error.to_string(),
        }
    }
    DeviceLine {
        serial: entry.serial.clone(),
        model: entry.model.clone().unwrap_or_default().replace('_', " "),
        ready,
        words,
        packages: known.get(&entry.serial).cloned().unwrap_or_default(),
    }
}

/// Examines a device that has just appeared and returns its third-party packages. First the settings that a killed run
/// left changed are restored; if the device is `free`, so are those of a campaign that ended while it was disconnected.
fn look_at(
    server: &AdbServer,
    serial: &str,
    free: bool,
    unwanted: &dyn Fn() -> bool,
) -> Result<Vec<String>, DeviceError> {
    let link = link_to(server, serial)?;
    if put_settings_back(&link, free.then_some(Role::Campaign), &process_lives, unwanted)? {
        tracing::info!(serial, "the settings that a run had changed are put back");
    }
    third_party_packages(&link, unwanted)
}

/// Returns a maker of mirrors of an app on a device. The app is launched, or with `as_it_is` only brought to the front
/// in its current state. With an empty `package` the device is left as it is.
pub(super) fn device_maker(serial: String, package: String, as_it_is: bool) -> DeviceMaker {
    Arc::new(move || {
        let server = reach_server(&|| false)?;
        let mut phone = AdbPhone::open(&server, &serial, ControlMethod::Agent, Arc::new(|| false))?.alone();
        let app = AppId(package.clone());
        match (package.is_empty(), as_it_is) {
            (true, _) => {}
            (false, true) => Device::open(&mut phone, &app)?,
            (false, false) => phone.launch(&app, AppData::Keep)?,
        }
        Ok(MirrorDevice::Live(Box::new(phone)))
    })
}

/// Returns a maker of mirrors of a device. The steps of `first`, if any, are performed whenever the app is launched
/// with cleared data.
pub(super) fn fresh_device_maker(
    serial: String,
    app: String,
    first: Option<Arc<Initialiser>>,
) -> DeviceMaker {
    Arc::new(move || {
        let server = reach_server(&|| false)?;
        let phone = AdbPhone::open(&server, &serial, ControlMethod::Agent, Arc::new(|| false))?.alone();
        Ok(MirrorDevice::Live(Initialised::device(Box::new(phone), &app, first.as_ref())))
    })
}

impl Studio {
    /// Watches the devices of the adb server. If none is running, it is started only with `start`.
    pub(super) fn watch_devices(&mut self, start: bool) {
        match DeviceWatch::begin(start, self.wake()) {
            // The previous thread is not waited for.
            Ok(watch) => {
                if let Some(before) = self.devices.replace(watch) {
                    self.leaving.add(before.thread);
                }
            }
            Err(error) => self.state.devices.search = Search::Failed(error.to_string()),
        }
    }

    pub(super) fn run_device(&mut self, command: &DeviceCommand) {
        match command {
            DeviceCommand::Look => {
                self.state.devices.search = Search::Looking;
                self.watch_devices(true);
            }
            DeviceCommand::StartServer(serial) => self.start_layout_server(serial),
            DeviceCommand::Install(serial) => {
                if self.is_free(serial) {
                    self.run_file(FileCommand::Ask(Box::new(FileQuestion::app(serial.clone()))));
                }
            }
        }
    }

    /// Takes the newest device list, if there is one, and updates the apps of devices accordingly.
    pub(super) fn drain_devices(&mut self) {
        let Some(watch) = &self.devices else { return };
        watch.lent(self.state.in_use());
        let Some(mut devices) = watch.news.take() else { return };
        devices.installing = std::mem::take(&mut self.state.devices.installing);
        devices.layout_servers = std::mem::take(&mut self.state.devices.layout_servers);
        devices.choose_next = self.state.devices.choose_next.take();
        self.state.apps.retain(|app| app.device.is_none());
        self.state.apps.extend(devices.apps());
        let asked = self.state.devices.search == Search::Looking;
        self.state.devices = devices;
        if asked {
            match self.state.devices.outcome() {
                Ok(text) => self.state.notify(text),
                Err(text) => self.state.notify_failure(text),
            }
        }
        if self.state.mirror.gone
            && let Some(serial) = self.state.settings.target.device.as_deref()
            && self.state.devices.list.iter().any(|device| device.ready && device.serial == serial)
        {
            let serial = serial.to_owned();
            self.state.notify(format!("{serial} is back."));
            let make = device_maker(serial, self.state.settings.target.app.clone(), true);
            self.use_maker(make);
        }
        self.choose_installed();
    }
}
