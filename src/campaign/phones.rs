//! Where a campaign's devices come from: bundled phones, one as fresh as the other, or devices behind adb.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{BundledPhones, CampaignPlan, DeviceSource};
use crate::device::adb::host::{AdbError, AdbServer, Refusal};
use crate::device::adb::{OpenedPhone, Unwanted, put_settings_back, reach_server};
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
        match &plan.device {
            DeviceChoice::Bundled => Phones::Bundled(BundledPhones::new(plan)),
            DeviceChoice::Adb(serials) => {
                Phones::Adb(Box::new(AdbPhones::new(serials.get(place).map_or("", String::as_str))))
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

    fn may_come_back(&self, error: &DeviceError) -> bool {
        match self {
            Phones::Bundled(phones) => phones.may_come_back(error),
            Phones::Adb(phones) => phones.may_come_back(error),
        }
    }
}

/// One device behind adb, again and again: there is no fresher one. Its settings are put back when this is dropped.
pub struct AdbPhones {
    serial: String,
    /// The server to ask, if it is not the environment's.
    named: Option<AdbServer>,
    server: Option<AdbServer>,
    opened: Option<OpenedPhone>,
    unwanted: Unwanted,
}

impl AdbPhones {
    /// The device with this serial; it need not be there yet.
    pub fn new(serial: &str) -> Self {
        AdbPhones {
            serial: serial.to_owned(),
            named: None,
            server: None,
            opened: None,
            unwanted: Arc::new(|| false),
        }
    }

    /// The device with this serial behind a server, whatever the environment names.
    pub fn at(server: &AdbServer, serial: &str) -> Self {
        let mut phones = AdbPhones::new(serial);
        phones.named = Some(server.clone());
        phones
    }

    fn server(&mut self) -> Result<AdbServer, DeviceError> {
        if let Some(server) = &self.server {
            return Ok(server.clone());
        }
        let server = match &self.named {
            Some(server) => server.clone(),
            None => reach_server(&*self.unwanted)?,
        };
        self.server = Some(server.clone());
        Ok(server)
    }
}

impl DeviceSource for AdbPhones {
    fn fresh(&mut self, _bugs_off: &[String]) -> Result<Box<dyn Device>, DeviceError> {
        if let Some(opened) = &self.opened {
            match opened.answers(&*self.unwanted) {
                Ok(()) => return Ok(Box::new(opened.phone(Arc::clone(&self.unwanted)))),
                // It may come back as another one: restarted, updated, with another server on it.
                Err(_) => self.opened = None,
            }
        }
        let server = self.server()?;
        let opened = OpenedPhone::reach(&server, &self.serial, &*self.unwanted).inspect_err(|_| {
            // The server itself may be gone: the next time it is started again.
            self.server = None;
        })?;
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

    fn may_come_back(&self, error: &DeviceError) -> bool {
        let DeviceError::Adb(error) = error else { return false };
        // A device that goes away between two words of the server refuses what it was just asked.
        error.connection_lost() || matches!(error, AdbError::Refused { reason: Refusal::Closed, .. })
    }
}

impl Drop for AdbPhones {
    fn drop(&mut self) {
        let Some(server) = &self.server else { return };
        // Whoever cancelled the campaign still wants this.
        if let Err(error) = put_back(server, &self.serial) {
            tracing::warn!(serial = self.serial, %error, "its settings are put back when it is here again");
        }
    }
}

fn put_back(server: &AdbServer, serial: &str) -> Result<bool, DeviceError> {
    let link = crate::device::adb::link_to(server, serial)?;
    put_settings_back(&link, None, &|| false)
}
