//! Opening a device: one-time queries, and the creation of phones that share their results.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::connection::Connection;
use super::disturbances::Disturbances;
use super::facts::Facts;
use super::garbled::GarbledAnswers;
use super::host::{AdbLink, AdbServer, Patience};
use super::observer::{ServerIdx, answering_server};
use super::phone::{AdbPhone, PhoneParts};
use super::reach::process_lives;
use super::settings_guard::{Role, save_settings};
use super::snapshots::Snapshots;
use super::typing::TypingMethod;
use taproof_core::device::{DeviceError, DeviceInfo};
use taproof_core::worker::Unwanted;

/// Limit for connecting to the device; a busy one answers late.
const REACH: Duration = Duration::from_secs(10);

/// A device that was opened, with everything that need not be queried again.
#[derive(Clone)]
pub struct OpenedPhone {
    link: AdbLink,
    facts: Facts,
    server: Option<ServerIdx>,
    snapshots: Option<Arc<Mutex<Snapshots>>>,
    disturbances: Disturbances,
    garbled: GarbledAnswers,
}

impl OpenedPhone {
    /// Opens a device that is ready and saves its settings on it, to restore them later (`settings_guard`). Garbled
    /// answers are counted in `garbled`, now and later.
    ///
    /// # Errors
    ///
    /// If the device cannot be reached, does not run Android, or has no storage left.
    pub fn reach(
        server: &AdbServer,
        serial: &str,
        role: Role,
        garbled: &GarbledAnswers,
        unwanted: &dyn Fn() -> bool,
    ) -> Result<Self, DeviceError> {
        let link = garbled.again(|| {
            let patience = Patience::new(REACH, unwanted);
            let mut link = AdbLink::connect(server, serial, &patience)?;
            if !link.ask_for_checksums(&patience)? {
                tracing::info!(
                    serial,
                    "it says no checksums: what comes changed but can be read is believed"
                );
            }
            Ok(link)
        })?;
        let facts = garbled.again(|| Facts::ask(&link, unwanted))?;
        let noted = garbled.again(|| save_settings(&link, role, unwanted))?;
        let layouts_by = answering_server(&link, unwanted);
        let (disturbances, garbled) = (Disturbances::of(noted), garbled.clone());
        Ok(OpenedPhone { link, facts, server: layouts_by, snapshots: None, disturbances, garbled })
    }

    /// Adds snapshots: those of `before` if this device was opened before, else those of an emulator whose console
    /// answers. They are deleted together with the last phone that uses them. Not used for a person, since each save
    /// takes seconds.
    #[must_use]
    pub fn with_snapshots(mut self, before: Option<&OpenedPhone>, unwanted: &dyn Fn() -> bool) -> Self {
        let known = before.and_then(|before| before.snapshots.clone());
        let find = || Snapshots::find(&self.link, &process_lives, unwanted);
        self.snapshots = known.or_else(|| find().map(|found| Arc::new(Mutex::new(found))));
        self
    }

    /// Sets how long an emulator may take to save or restore a snapshot.
    #[must_use]
    pub fn waiting_for_snapshots(self, limit: Duration) -> Self {
        if let Some(snapshots) = &self.snapshots {
            super::snapshots::lock(snapshots).limit = limit;
        }
        self
    }

    /// The link to the device.
    pub fn link(&self) -> &AdbLink {
        &self.link
    }

    /// Creates a phone for the device. It knows nothing of what earlier phones did there.
    pub fn phone(&self, unwanted: Unwanted) -> AdbPhone {
        let snapshots = self.snapshots.is_some();
        let info = DeviceInfo { snapshots, ..self.facts.info(&self.link.serial) };
        let connection =
            Connection { link: self.link.clone(), info, unwanted, garbled: self.garbled.clone() };
        AdbPhone::new(PhoneParts {
            connection,
            server: self.server,
            keys: TypingMethod::without_server(&self.facts),
            disturbances: self.disturbances.clone(),
            snapshots: self.snapshots.clone(),
        })
    }
}

impl AdbPhone {
    /// Opens a device that is ready, for a person.
    ///
    /// # Errors
    ///
    /// The same as of [`OpenedPhone::reach`].
    pub fn open(server: &AdbServer, serial: &str, unwanted: Unwanted) -> Result<AdbPhone, DeviceError> {
        let garbled = GarbledAnswers::default();
        Ok(OpenedPhone::reach(server, serial, Role::Window, &garbled, &*unwanted)?.phone(unwanted))
    }
}
