//! Opening a device: one-time queries, and the creation of phones that share their results.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::agent_client::AgentClient;
use crate::connection::Connection;
use crate::connection::facts::Facts;
use crate::connection::garbled::GarbledAnswers;
use crate::connection::pace::Pace;
use crate::host::{AdbLink, AdbServer, Patience};
use crate::input::arrivals::Arrivals;
use crate::input::effects::Effects;
use crate::input::launching::ClearedApps;
use crate::input::text_input::TextInput;
use crate::input::turning::Turning;
use crate::input::typing::TypingMethod;
use crate::open::control::{Control, ControlMethod};
use crate::output::Properties;
use crate::phone::{AdbPhone, PhoneParts};
use crate::restore::snapshots::Snapshots;
use crate::restore::{Journal, Role, Seat, Site, process_lives};
use taproof_engine::device::{DeviceError, DeviceInfo, LinkFault};
use taproof_engine::worker::Unwanted;

/// How many times a device is asked that answers late.
const TRIES: u32 = 3;

/// How a device is opened.
#[derive(Clone, Copy)]
pub struct Opening<'a> {
    /// The part of this program that uses the device.
    pub role: Role,
    /// The fastest method of control that may be used.
    pub best: ControlMethod,
    /// Where garbled answers are counted.
    pub garbled: &'a GarbledAnswers,
    /// The same device when it was opened before by the same user. An agent that still runs is used again.
    pub before: Option<&'a OpenedPhone>,
}

/// A device that was opened, with everything that need not be queried again.
#[derive(Clone)]
pub struct OpenedPhone {
    link: AdbLink,
    facts: Facts,
    control: Control,
    snapshots: Option<Arc<Mutex<Snapshots>>>,
    journal: Journal,
    turning: Turning,
    cleared: ClearedApps,
    effects: Effects,
    arrivals: Arrivals,
    garbled: GarbledAnswers,
    seat: Seat,
}

impl OpenedPhone {
    /// Opens a device that is ready, opens its journal there (`restore`), and chooses how it is controlled.
    ///
    /// # Errors
    ///
    /// If the device cannot be reached, does not run Android, has no storage left, or is in use by another process
    /// or, for a campaign, by another campaign.
    pub fn reach(
        server: &AdbServer,
        serial: &str,
        opening: &Opening<'_>,
        unwanted: &dyn Fn() -> bool,
    ) -> Result<Self, DeviceError> {
        let Opening { role, best, garbled, before } = *opening;
        let seat = match before {
            Some(before) => before.seat.clone(),
            None => Seat::take(server, serial, role)?,
        };
        let link = patiently(garbled, || {
            let patience = Patience::new(Pace::default().limit_of(0), unwanted);
            let mut link = AdbLink::connect(server, serial, &patience)?;
            if !link.ask_for_checksums(&patience)? {
                tracing::info!(
                    serial,
                    "it says no checksums: what comes changed but can be read is believed"
                );
            }
            Ok(link)
        })?;
        let properties = patiently(garbled, || Properties::ask(&link, unwanted))?;
        let sdk = properties.sdk;
        let running = before.and_then(|before| before.control.agent.as_ref());
        let control = Control::choose(&link, sdk, best, running, unwanted)?;
        let facts =
            patiently(garbled, || Facts::ask(&link, properties.clone(), control.agent.as_ref(), unwanted))?;
        let site = Site { link: &link, sdk, agent: control.agent.as_ref(), pace: facts.pace };
        let (journal, locked) = patiently(garbled, || Journal::open(&site, role, unwanted))?;
        let turning = Turning::locked_in(locked, journal.clone());
        // A device that was lost is the same one.
        let arrivals = before.map(|before| before.arrivals.clone()).unwrap_or_default();
        let cleared = before.map(|before| before.cleared.clone()).unwrap_or_default();
        let effects = before.map(|before| before.effects.clone()).unwrap_or_default();
        let (snapshots, garbled) = (None, garbled.clone());
        Ok(OpenedPhone {
            link,
            facts,
            control,
            snapshots,
            journal,
            turning,
            cleared,
            effects,
            arrivals,
            garbled,
            seat,
        })
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
            crate::restore::snapshots::lock(snapshots).limit = limit;
        }
        self
    }

    /// The agent, if the device is controlled by it.
    pub(crate) fn agent(&self) -> Option<&AgentClient> {
        self.control.agent.as_ref()
    }

    /// The apps whose data its phones have cleared.
    pub(crate) fn cleared(&self) -> &ClearedApps {
        &self.cleared
    }

    /// How the device is controlled.
    pub(crate) fn control(&self) -> &Control {
        &self.control
    }

    /// The link to the device.
    pub fn link(&self) -> &AdbLink {
        &self.link
    }

    /// Creates a phone for the device. It knows nothing of what earlier phones did there.
    pub fn phone(&self, unwanted: Unwanted) -> AdbPhone {
        let snapshots = self.snapshots.is_some();
        let info = DeviceInfo { snapshots, ..self.facts.info(&self.link.serial) };
        let agent = self.control.agent.clone();
        let (link, garbled, pace) = (self.link.clone(), self.garbled.clone(), self.facts.pace);
        let connection = Connection { link, info, unwanted, garbled, agent, pace };
        AdbPhone::new(PhoneParts {
            connection,
            control: self.control.clone(),
            text_input: TextInput {
                keys: TypingMethod::without_server(&self.facts),
                arrivals: self.arrivals.clone(),
                journal: self.journal.clone(),
            },
            journal: self.journal.clone(),
            turning: self.turning.clone(),
            cleared: self.cleared.clone(),
            effects: self.effects.clone(),
            snapshots: self.snapshots.clone(),
            seat: self.seat.clone(),
            release: self.facts.properties.release.clone(),
        })
    }
}

/// Repeats a request of the set-up whose answer was garbled or came too late: a busy device may be quicker the next time.
fn patiently<T>(
    garbled: &GarbledAnswers,
    mut request: impl FnMut() -> Result<T, DeviceError>,
) -> Result<T, DeviceError> {
    let mut tries = TRIES;
    loop {
        tries -= 1;
        match garbled.again(&mut request) {
            Err(DeviceError::Link { fault: LinkFault::TimedOut, problem }) if tries > 0 => {
                tracing::info!(problem, "asked again");
            }
            done => return done,
        }
    }
}

impl AdbPhone {
    /// Opens a device that is ready, for a person, and controls it by methods up to `best`.
    ///
    /// # Errors
    ///
    /// The same as of [`OpenedPhone::reach`].
    pub fn open(
        server: &AdbServer,
        serial: &str,
        best: ControlMethod,
        unwanted: Unwanted,
    ) -> Result<AdbPhone, DeviceError> {
        let garbled = GarbledAnswers::default();
        let opening = Opening { role: Role::Window, best, garbled: &garbled, before: None };
        Ok(OpenedPhone::reach(server, serial, &opening, &*unwanted)?.phone(unwanted))
    }
}
