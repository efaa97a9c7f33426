//! Keeps an eye on the devices behind adb, on a thread of its own.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::device::adb::host::{AdbServer, DeviceEntry, Patience};
use crate::device::adb::{
    AdbPhone, link_to, process_lives, put_settings_back, reach_server, running_server, third_party_packages,
};
use crate::device::{AppData, AppId, Device, DeviceError, Initialised};
use crate::mirror::{DeviceMaker, MirrorDevice};
use crate::model::Initialiser;
use crate::state::{DeviceCommand, DeviceLine, Devices, FileCommand, FileQuestion, Search};
use crate::worker::{self, CancelToken, Latest, Worker};

use super::Studio;

/// After a failure it is tried again.
const AGAIN: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_secs(10);

/// The thread.
pub(super) struct DeviceWatch {
    news: Latest<Devices>,
    thread: Worker,
}

impl DeviceWatch {
    /// Begins to watch; with `start`, an adb server is started where none runs.
    fn begin(start: bool, wake: impl Fn() + Send + 'static) -> std::io::Result<DeviceWatch> {
        let (token, news) = (CancelToken::new(), Latest::new());
        let (cancel, told) = (token.clone(), news.clone());
        let work = move || {
            watch(start, &cancel, &|devices| {
                told.publish(devices);
                wake();
            })
        };
        let thread = worker::spawn("devices", &token, work, |_| {})?;
        Ok(DeviceWatch { news, thread })
    }
}

fn watch(start: bool, cancel: &CancelToken, tell: &dyn Fn(Devices)) {
    let unwanted = || cancel.asked_to_stop();
    let (mut known, mut listened) = (BTreeMap::new(), false);
    while !unwanted() {
        let server = if start { reach_server(&unwanted).map(Some) } else { running_server(&unwanted) };
        let problem = match server {
            Ok(Some(server)) => {
                listened = true;
                follow(&server, &unwanted, &mut known, tell)
            }
            // One that ended may be started again.
            Ok(None) if listened => "the adb server has ended".to_owned(),
            // Nobody asked for one to be started.
            Ok(None) => return tell(Devices::default()),
            Err(error) => error.to_string(),
        };
        if !unwanted() {
            tell(Devices { search: Search::Failed(problem), ..Devices::default() });
        }
        if cancel.stopped_within(AGAIN) {
            return;
        }
    }
}

/// Tells every change of the list until the server goes; why it did.
fn follow(
    server: &AdbServer,
    unwanted: &dyn Fn() -> bool,
    known: &mut BTreeMap<String, Vec<String>>,
    tell: &dyn Fn(Devices),
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
                let list = entries.iter().map(|entry| line(server, entry, unwanted, known)).collect();
                tell(Devices { search: Search::Listening, list, ..Devices::default() });
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
    known: &mut BTreeMap<String, Vec<String>>,
) -> DeviceLine {
    let ready = entry.state.is_ready();
    let mut words =
        if ready { String::new() } else { format!("{}: {}", entry.state.word(), entry.state.advice()) };
    if ready && !known.contains_key(&entry.serial) {
        match look_at(server, &entry.serial, unwanted) {
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

/// A device that is new here: what a killed run left changed is put back, and its apps are listed.
fn look_at(
    server: &AdbServer,
    serial: &str,
    unwanted: &dyn Fn() -> bool,
) -> Result<Vec<String>, DeviceError> {
    let link = link_to(server, serial)?;
    if put_settings_back(&link, None, &process_lives, unwanted)? {
        tracing::info!(serial, "the settings that a killed run had changed are put back");
    }
    third_party_packages(&link, unwanted)
}

/// Makes a mirror of an app on a device.
pub(super) fn device_maker(serial: String, package: String) -> DeviceMaker {
    Arc::new(move || {
        let server = reach_server(&|| false)?;
        let mut phone = AdbPhone::open(&server, &serial, Arc::new(|| false))?.alone();
        if !package.is_empty() {
            phone.launch(&AppId(package.clone()), AppData::Keep)?;
        }
        Ok(MirrorDevice::Live(Box::new(phone)))
    })
}

/// Makes a mirror of a device on which an app's first steps are done once it is launched with cleared data.
pub(super) fn fresh_device_maker(
    serial: String,
    app: String,
    first: Option<Arc<Initialiser>>,
) -> DeviceMaker {
    Arc::new(move || {
        let server = reach_server(&|| false)?;
        let phone = AdbPhone::open(&server, &serial, Arc::new(|| false))?.alone();
        Ok(MirrorDevice::Live(Initialised::device(Box::new(phone), &app, first.as_ref())))
    })
}

impl Studio {
    /// Watches an adb server that runs already: none is started before somebody asks.
    pub(super) fn watch_devices(&mut self, start: bool) {
        match DeviceWatch::begin(start, self.wake()) {
            // The window does not wait for the one before.
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

    /// The apps of devices come and go with them.
    pub(super) fn drain_devices(&mut self) {
        let Some(mut devices) = self.devices.as_ref().and_then(|watch| watch.news.take()) else { return };
        devices.installing = std::mem::take(&mut self.state.devices.installing);
        devices.layout_servers = std::mem::take(&mut self.state.devices.layout_servers);
        devices.choose_next = self.state.devices.choose_next.take();
        self.state.apps.retain(|app| app.device.is_none());
        self.state.apps.extend(devices.apps());
        let asked = self.state.devices.search == Search::Looking;
        self.state.devices = devices;
        if asked {
            match self.state.devices.outcome() {
                Ok(text) => self.state.tell(text),
                Err(text) => self.state.tell_failure(text),
            }
        }
        if self.state.mirror.gone
            && let Some(serial) = self.state.settings.build.device()
            && self.state.devices.list.iter().any(|device| device.ready && device.serial == serial)
        {
            self.state.tell(format!("{serial} is back."));
            self.use_phone();
        }
        self.choose_installed();
    }
}
