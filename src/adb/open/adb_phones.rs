//! A source of devices for campaigns that always returns the same device behind adb.

use std::sync::Arc;
use std::time::Duration;

use crate::host::{AdbServer, Patience, over_after};
use crate::restore::{RESTORING, put_back_by};
use crate::{ControlMethod, GarbledAnswers, OpenedPhone, Opening, Role, process_lives, reach_server};
use taproof_engine::device::{Device, DeviceError, DeviceSource, Garbled, LinkFault};
use taproof_engine::worker::Unwanted;

/// Limit for connecting to a lost device in the network; the server itself tries for 10 s.
const CONNECT_AGAIN: Duration = Duration::from_secs(12);

/// An app whose data tests have cleared, when they have ended: it is cleared once more, so that nothing of the tests stays
/// in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClearedApp {
    /// Package name of the app.
    pub app: String,
    /// The serial of the device.
    pub serial: String,
    /// Why it was not cleared. `None` if it was.
    pub problem: Option<String>,
}

impl std::fmt::Display for ClearedApp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ClearedApp { app, serial, problem } = self;
        match problem {
            None => write!(
                f,
                "{app} on {serial} was cleared once more; files that it put outside its own folder stay"
            ),
            Some(problem) => write!(f, "{app} on {serial} still holds what the tests made: {problem}"),
        }
    }
}

/// How a device was left when its tests had ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceLeft {
    /// An app was to be cleared once more.
    Cleared(ClearedApp),
    /// Its settings were not put back, for this reason.
    NotPutBack(DeviceError),
}

impl DeviceLeft {
    /// Whether it is not as it was.
    pub fn is_problem(&self) -> bool {
        match self {
            DeviceLeft::Cleared(app) => app.problem.is_some(),
            DeviceLeft::NotPutBack(_) => true,
        }
    }
}

impl std::fmt::Display for DeviceLeft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DeviceLeft::Cleared(app) => app.fmt(f),
            DeviceLeft::NotPutBack(error) => {
                write!(f, "{error}. The next run on the device puts it back, and so does `taproof devices`")
            }
        }
    }
}

/// What hears of how devices are left at the end of tests.
pub type TellLeft = Arc<dyn Fn(DeviceLeft) + Send + Sync>;

/// A [`DeviceSource`] that returns the same device behind adb every time, since there is no fresher one. When this is
/// dropped, the apps whose data its phones have cleared are cleared once more, and the device's settings are restored.
pub struct AdbPhones {
    serial: String,
    /// The adb server to use; `None` for the one that the environment names.
    server: Option<AdbServer>,
    opened: Option<OpenedPhone>,
    /// The fastest method of control that may be used.
    best: ControlMethod,
    /// Whether the device must be opened again: it was lost and may come back restarted, with another server on it, or
    /// its answers came garbled, so what is known about it may be wrong.
    stale: bool,
    garbled: GarbledAnswers,
    unwanted: Unwanted,
    tell: Option<TellLeft>,
}

impl AdbPhones {
    /// Creates a source for the device with this serial. The device need not be connected yet.
    pub fn new(serial: &str) -> Self {
        let (serial, unwanted) = (serial.to_owned(), Arc::new(|| false));
        let garbled = GarbledAnswers::default();
        let best = ControlMethod::Agent;
        AdbPhones { serial, server: None, opened: None, best, stale: false, garbled, unwanted, tell: None }
    }

    /// Creates a source for the device with this serial behind the given server, whatever the environment names.
    pub fn at(server: &AdbServer, serial: &str) -> Self {
        let mut phones = AdbPhones::new(serial);
        phones.server = Some(server.clone());
        phones
    }

    /// Controls the device by methods up to `best` only.
    #[must_use]
    pub fn controlled_by(mut self, best: ControlMethod) -> Self {
        self.best = best;
        self
    }

    /// Tells how the device is left when the tests have ended.
    #[must_use]
    pub fn telling(mut self, tell: TellLeft) -> Self {
        self.tell = Some(tell);
        self
    }

    /// Clears the apps once more whose data tests have cleared. Half of the time for leaving the device is left to the rest.
    fn clear_at_end(&self) {
        let Some(opened) = &self.opened else { return };
        let apps = opened.cleared().take();
        if apps.is_empty() {
            return;
        }
        // A device that is away is not waited for, and a cancelled campaign was not asked to leave what it made.
        let limit = RESTORING / 2;
        let over: Unwanted = Arc::new(over_after(limit));
        let mut phone = opened.phone(Arc::clone(&over));
        for app in apps {
            let problem = phone.clear(&app).err().map(|error| match over() {
                true => format!("it did not answer within {} s", limit.as_secs()),
                false => error.to_string(),
            });
            let told = ClearedApp { app: app.0, serial: self.serial.clone(), problem };
            self.tell(DeviceLeft::Cleared(told));
        }
        // What was cleared just now is not noted for another time.
        opened.cleared().take();
    }

    fn tell(&self, left: DeviceLeft) {
        tracing::info!("{left}");
        if let Some(tell) = &self.tell {
            tell(left);
        }
    }

    fn reach(&self) -> Result<OpenedPhone, DeviceError> {
        let server = match &self.server {
            Some(server) => server.clone(),
            None => reach_server(&*self.unwanted)?,
        };
        self.connect_again(&server);
        let opening = Opening {
            role: Role::Campaign,
            best: self.best,
            garbled: &self.garbled,
            before: self.opened.as_ref(),
        };
        let opened = OpenedPhone::reach(&server, &self.serial, &opening, &*self.unwanted)?;
        Ok(opened.with_snapshots(self.opened.as_ref(), &*self.unwanted))
    }

    /// Asks the server to connect to a lost device in the network, which a restarted server does not know and which the
    /// server gives up after a while. A failure shows when the device is opened.
    fn connect_again(&self, server: &AdbServer) {
        if self.opened.is_some() && in_network(&self.serial) {
            let patience = Patience::new(CONNECT_AGAIN, &*self.unwanted);
            if let Err(error) = server.connect(&self.serial, &patience) {
                tracing::debug!(serial = self.serial, %error, "not connected yet");
            }
        }
    }
}

impl DeviceSource for AdbPhones {
    fn fresh(&mut self) -> Result<Box<dyn Device>, DeviceError> {
        let opened = match &self.opened {
            Some(opened) if !self.stale => opened.clone(),
            Some(_) | None => self.reach()?,
        };
        self.stale = false;
        let phone = opened.phone(Arc::clone(&self.unwanted));
        self.opened = Some(opened);
        Ok(Box::new(phone))
    }

    fn unwanted_when(&mut self, unwanted: Unwanted) {
        self.unwanted = unwanted;
    }

    fn lost(&mut self, error: &DeviceError) -> bool {
        if error.garbled() {
            self.garbled.count(error);
            self.stale = true;
            return true;
        }
        self.stale = match error {
            DeviceError::Starting { .. } => true,
            DeviceError::Link { fault, .. } => match fault {
                LinkFault::Lost
                // A device that goes away between two messages of the server refuses the request that was just sent,
                // and so does one whose uiautomator2 server has ended.
                | LinkFault::Closed
                // A bad cable or network may show only as a timeout or an I/O error.
                | LinkFault::TimedOut
                | LinkFault::Io => true,
                // The server ran before; somebody may start it again.
                LinkFault::NoProgram => self.opened.is_some(),
                LinkFault::Cancelled | LinkFault::Garbled | LinkFault::OutputGarbled | LinkFault::Other => {
                    false
                }
            },
            _ => false,
        };
        self.stale
    }

    fn garbled(&self) -> Option<Garbled> {
        self.garbled.so_far()
    }
}

impl Drop for AdbPhones {
    fn drop(&mut self) {
        let Some(opened) = &self.opened else { return };
        // Restored even if the campaign was cancelled: nobody asked for the device to stay changed.
        let limit = Patience::new(RESTORING, &|| false);
        self.clear_at_end();
        let back = put_back_by(opened.link(), opened.agent(), Some(Role::Campaign), &process_lives, &limit);
        if let Err(error) = back {
            self.tell(DeviceLeft::NotPutBack(error));
        }
    }
}

/// Whether a serial is the address of a device in the network, `HOST:PORT`.
fn in_network(serial: &str) -> bool {
    serial.rsplit_once(':').is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_in_the_network_is_known_by_its_serial() {
        for serial in ["192.168.0.5:5555", "localhost:5555", "[::1]:5555", "phone.lan:37125"] {
            assert!(in_network(serial), "{serial}");
        }
        for serial in ["emulator-5554", "R58M123ABC", "adb-R58M-x._adb-tls-connect._tcp", ":5555", "a:b"] {
            assert!(!in_network(serial), "{serial}");
        }
    }
}
