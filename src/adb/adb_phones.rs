//! A device behind adb as the source of a campaign's devices.

use std::sync::Arc;

use crate::host::AdbServer;
use crate::{GarbledAnswers, OpenedPhone, Role, process_lives, put_settings_back, reach_server};
use taproof_core::campaign::DeviceSource;
use taproof_core::device::{Device, DeviceError, Garbled, LinkFault};
use taproof_core::worker::Unwanted;

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
            DeviceError::Link { fault, .. } => match fault {
                LinkFault::Lost
                // A device that goes away between two words of the server refuses what it was just asked, and so does
                // one whose uiautomator2 server has ended.
                | LinkFault::Closed
                // A cable or a network in trouble need not say so.
                | LinkFault::TimedOut
                | LinkFault::Io => true,
                // The server was there before; somebody may start it again.
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
        // Whoever cancelled the campaign still wants this.
        let back = put_settings_back(opened.link(), Some(Role::Campaign), &process_lives, &|| false);
        if let Err(error) = back {
            tracing::warn!(serial = self.serial, %error, "its settings are put back when it is here again");
        }
    }
}
