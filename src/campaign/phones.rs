//! Where a campaign's devices come from: bundled phones, one as fresh as the other, or devices behind adb.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Build, BundledPhones, CampaignPlan, DeviceSource};
use crate::device::adb::host::{AdbError, AdbServer, Refusal};
use crate::device::adb::{
    Garbled, GarbledAnswers, OpenedPhone, Role, Unwanted, process_lives, put_settings_back, reach_server,
};
use crate::device::{Device, DeviceError};

/// What a campaign runs on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DeviceChoice {
    /// Bundled phones, one for each engine.
    #[default]
    Bundled,
    /// Devices by their serials, one for each engine in its order.
    Adb(Vec<String>),
}

impl DeviceChoice {
    /// Whether it is the bundled phone: what plans say that do not say it.
    pub fn is_bundled(&self) -> bool {
        *self == DeviceChoice::Bundled
    }

    /// The serials of all devices; none for the bundled phone.
    pub fn serials(&self) -> &[String] {
        match self {
            DeviceChoice::Bundled => &[],
            DeviceChoice::Adb(serials) => serials,
        }
    }

    /// The serial of the device at this place; `None` for the bundled phone.
    pub fn serial(&self, place: usize) -> Option<&str> {
        self.serials().get(place).map(String::as_str)
    }

    /// What people are told that an app ran on: its build there, or the devices.
    pub fn words(&self, build: &Build) -> String {
        match self {
            DeviceChoice::Bundled => build.word(),
            DeviceChoice::Adb(serials) => serials.join(", "),
        }
    }
}

/// The devices of one engine of a plan.
pub enum Phones {
    /// Bundled ones.
    Bundled(BundledPhones),
    /// The one with a serial.
    Adb(Box<AdbPhones>),
}

impl Phones {
    /// The devices for the engine at this place of a plan that was checked.
    pub fn of(plan: &CampaignPlan, place: usize) -> Phones {
        Phones::on((&plan.app, &plan.build), &plan.device, place)
    }

    /// Devices with an app: bundled ones with that build, or the one at this place of the choice.
    pub fn on((app, build): (&str, &Build), device: &DeviceChoice, place: usize) -> Phones {
        match device {
            DeviceChoice::Bundled => Phones::Bundled(BundledPhones::with(app, build)),
            DeviceChoice::Adb(_) => {
                Phones::Adb(Box::new(AdbPhones::new(device.serial(place).unwrap_or_default())))
            }
        }
    }
}

impl DeviceSource for Phones {
    fn fresh(&mut self, bugs_off: &[String]) -> Result<Box<dyn Device>, DeviceError> {
        match self {
            Phones::Bundled(phones) => phones.fresh(bugs_off),
            Phones::Adb(phones) => phones.fresh(bugs_off),
        }
    }

    fn switchable_bugs(&self) -> Vec<String> {
        match self {
            Phones::Bundled(phones) => phones.switchable_bugs(),
            Phones::Adb(phones) => phones.switchable_bugs(),
        }
    }

    fn unwanted_when(&mut self, unwanted: Unwanted) {
        match self {
            Phones::Bundled(phones) => phones.unwanted_when(unwanted),
            Phones::Adb(phones) => phones.unwanted_when(unwanted),
        }
    }

    fn lost(&mut self, error: &DeviceError) -> bool {
        match self {
            Phones::Bundled(phones) => phones.lost(error),
            Phones::Adb(phones) => phones.lost(error),
        }
    }

    fn garbled(&self) -> Option<Garbled> {
        match self {
            Phones::Bundled(phones) => phones.garbled(),
            Phones::Adb(phones) => phones.garbled(),
        }
    }
}

/// One device behind adb, again and again: there is no fresher one. Its settings are put back when this is dropped.
pub struct AdbPhones {
    serial: String,
    /// The server to ask, if it is not the environment's.
    server: Option<AdbServer>,
    opened: Option<OpenedPhone>,
    /// It went away since it was opened, and may come back as another one, restarted, with another server on it; or it was
    /// not understood, and what is known of it may be wrong.
    stale: bool,
    garbled: GarbledAnswers,
    unwanted: Unwanted,
}

impl AdbPhones {
    /// The device with this serial; it need not be there yet.
    pub fn new(serial: &str) -> Self {
        let (serial, unwanted) = (serial.to_owned(), Arc::new(|| false));
        let garbled = GarbledAnswers::default();
        AdbPhones { serial, server: None, opened: None, stale: false, garbled, unwanted }
    }

    /// The device with this serial behind a server, whatever the environment names.
    pub fn at(server: &AdbServer, serial: &str) -> Self {
        let mut phones = AdbPhones::new(serial);
        phones.server = Some(server.clone());
        phones
    }

    fn reach(&self) -> Result<OpenedPhone, DeviceError> {
        let server = match &self.server {
            Some(server) => server.clone(),
            None => reach_server(&*self.unwanted)?,
        };
        let (garbled, unwanted) = (&self.garbled, &*self.unwanted);
        let opened = OpenedPhone::reach(&server, &self.serial, Role::Campaign, garbled, unwanted)?;
        Ok(opened.with_snapshots(self.opened.as_ref(), &*self.unwanted))
    }
}

impl DeviceSource for AdbPhones {
    fn fresh(&mut self, _bugs_off: &[String]) -> Result<Box<dyn Device>, DeviceError> {
        let opened = match &self.opened {
            Some(opened) if !self.stale => opened.clone(),
            Some(_) | None => self.reach()?,
        };
        self.stale = false;
        let phone = opened.phone(Arc::clone(&self.unwanted));
        self.opened = Some(opened);
        Ok(Box::new(phone))
    }

    fn switchable_bugs(&self) -> Vec<String> {
        Vec::new()
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
            DeviceError::Adb(error) => {
                error.connection_lost()
                    || match error {
                        // A device that goes away between two words of the server refuses what it was just asked, and
                        // so does one whose uiautomator2 server has ended.
                        AdbError::Refused { reason, .. } => *reason == Refusal::Closed,
                        // A cable or a network in trouble need not say so.
                        AdbError::Deadline { .. } | AdbError::Io { .. } => true,
                        // The server was there before; somebody may start it again.
                        AdbError::NoProgram { .. } | AdbError::Program { .. } => self.opened.is_some(),
                        _ => false,
                    }
            }
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
        // Whoever cancelled the campaign still wants this.
        let back = put_settings_back(opened.link(), Some(Role::Campaign), &process_lives, &|| false);
        if let Err(error) = back {
            tracing::warn!(serial = self.serial, %error, "its settings are put back when it is here again");
        }
    }
}
