//! What a device is, and the devices that are no phone: a recorded walk (`recorded`) and a trace (`traced`).
//!
//! Knows nothing of engines or windows. A device's failure is a `DeviceError`; a failure of the app under
//! test is a value in the frame (`AppHealth`).

mod initialised;
mod installed;
mod recorded;
mod screen_watcher;
mod traced;
mod typeable;

use std::sync::Arc;

use crate::determinism::DeviceInstant;
use crate::model::{CodePoint, Event, Frame, PxRect, PxSize};

pub use initialised::Initialised;
pub use installed::InstalledApp;
pub use recorded::{RecordedDevice, RecordedEvent};
pub use screen_watcher::{Observation, PictureSource, ScreenWatcher};
pub use traced::TraceDevice;
pub use typeable::Typeable;

/// The package of an app, such as `org.taproof.files`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AppId(pub String);

/// What a launch does with the app's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppData {
    /// They stay.
    Keep,
    /// They are cleared first, as `pm clear` does; permissions are taken back. The bundled phone clears all
    /// that a test can have changed: what follows depends on the clock and on what is installed alone. A real device
    /// gives the app its permissions again at the launch.
    Clear,
}

/// What a device says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// Its serial.
    pub serial: String,
    /// Its model name.
    pub model: String,
    /// Android API level.
    pub sdk: u32,
    /// The upright screen.
    pub screen: PxSize,
    /// Whether `save_snapshot` works.
    pub snapshots: bool,
    /// Whether events change anything (false for a recording).
    pub live: bool,
}

impl DeviceInfo {
    /// What the device says where it cannot do something at all.
    pub fn cannot(&self, what: &str) -> DeviceError {
        DeviceError::Unsupported { serial: self.serial.clone(), what: what.to_owned() }
    }

    /// What it says of an app that is not there; these are.
    pub fn not_installed(&self, app: &AppId, installed: &[&str]) -> DeviceError {
        let installed = installed.join(", ");
        DeviceError::NotInstalled { app: app.0.clone(), serial: self.serial.clone(), installed }
    }

    /// What it says of a snapshot that it does not have.
    pub fn no_snapshot(&self, id: SnapshotId) -> DeviceError {
        DeviceError::NoSnapshot { id: id.0, serial: self.serial.clone() }
    }
}

/// A picture of the screen, as rotated. `rgba` has `width * height * 4` bytes, rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screenshot {
    /// The picture's size.
    pub size: PxSize,
    /// Straight (not premultiplied) 8-bit RGBA.
    pub rgba: Arc<Vec<u8>>,
}

impl From<image::RgbaImage> for Screenshot {
    fn from(picture: image::RgbaImage) -> Self {
        let side = |px: u32| i32::try_from(px).unwrap_or(i32::MAX);
        let size = PxSize { width: side(picture.width()), height: side(picture.height()) };
        Screenshot { size, rgba: Arc::new(picture.into_raw()) }
    }
}

impl Screenshot {
    /// The picture as a PNG file.
    pub fn to_png(&self) -> Result<Vec<u8>, DeviceError> {
        let mut bytes = Vec::new();
        let encoder = image::codecs::png::PngEncoder::new_with_quality(
            &mut bytes,
            image::codecs::png::CompressionType::Fast,
            image::codecs::png::FilterType::Up,
        );
        let (width, height) = (self.size.width.unsigned_abs(), self.size.height.unsigned_abs());
        let written = image::ImageEncoder::write_image(
            encoder,
            &self.rgba,
            width,
            height,
            image::ExtendedColorType::Rgba8,
        );
        match written {
            Ok(()) => Ok(bytes),
            Err(error) => Err(DeviceError::BadPicture { problem: error.to_string() }),
        }
    }
}

/// A saved state of one device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SnapshotId(pub u64);

/// A device failed us.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// The app is not there.
    #[error("{app:?} is not installed on {serial}; installed: {installed}")]
    NotInstalled {
        /// The app asked for.
        app: String,
        /// The device.
        serial: String,
        /// What is there, comma-separated.
        installed: String,
    },
    /// The device cannot do this at all.
    #[error("{serial} cannot {what}")]
    Unsupported {
        /// The device.
        serial: String,
        /// What was asked for.
        what: String,
    },
    /// The app does not know this permission.
    #[error("{app} does not ask for the permission {permission:?}; it asks for: {known}")]
    UnknownPermission {
        /// The app.
        app: String,
        /// The permission asked for.
        permission: String,
        /// Those that it may ask for, comma-separated.
        known: String,
    },
    /// A file is no app that the device can run.
    #[error("{serial} cannot install this file: {problem}")]
    NotInstallable {
        /// The device.
        serial: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The connection to the device, or an answer that came over it.
    #[error("{problem}")]
    Link {
        /// What happened and what to do about it.
        problem: String,
        /// What kind of failure it is.
        fault: LinkFault,
    },
    /// The app does not start.
    #[error("{app} cannot be started on {serial}: {problem}")]
    NotStarted {
        /// The app.
        app: String,
        /// The device.
        serial: String,
        /// What the device says.
        problem: String,
    },
    /// A step that is to be done first in every test cannot be done.
    #[error(
        "the first steps of {app} on {serial} stopped at step {step} of {of}: {why}. Record them again, or leave \
         them out"
    )]
    NotInitialised {
        /// The app.
        app: String,
        /// The device.
        serial: String,
        /// The step, from 1.
        step: usize,
        /// How many there are.
        of: usize,
        /// Why it cannot be done.
        why: String,
    },
    /// What must be on the screen before a test may begin does not come.
    #[error(
        "{app} on {serial} was not ready after {seconds} s: nothing on the screen matches {ready}. Look what it \
         shows there, and change what is waited for"
    )]
    NotReady {
        /// The app.
        app: String,
        /// The device.
        serial: String,
        /// What is waited for.
        ready: String,
        /// How long it was waited for.
        seconds: u64,
    },
    /// The app's data stay.
    #[error("the data of {app} on {serial} cannot be cleared: {problem}")]
    NotCleared {
        /// The app.
        app: String,
        /// The device.
        serial: String,
        /// What the device says.
        problem: String,
    },
    /// The device gives no layout.
    #[error("{serial} gives no layout: {problem}")]
    NoLayout {
        /// The device.
        serial: String,
        /// Why.
        problem: String,
    },
    /// No way of typing carries the text. Nothing was typed.
    #[error("{serial} cannot type {text:?}: {why}")]
    CannotType {
        /// The device.
        serial: String,
        /// The text.
        text: String,
        /// Why.
        why: String,
    },
    /// Its screen is locked, and only a person can unlock it.
    #[error("{serial} is locked {how}; unlock it and try again")]
    Locked {
        /// The device.
        serial: String,
        /// How.
        how: String,
    },
    /// Its vendor lets nobody do this through adb.
    #[error("{serial} forbids adb {what}; {advice}")]
    Forbidden {
        /// The device.
        serial: String,
        /// What was to be done.
        what: &'static str,
        /// Which switch allows it.
        advice: &'static str,
    },
    /// adb reaches a device long before Android runs on it.
    #[error("Android is still starting on {serial}; wait until its home screen is there")]
    Starting {
        /// The device.
        serial: String,
    },
    /// What was there before could not be written down, so nothing was changed.
    #[error("the settings of {serial} were not changed, as they cannot be kept on it: {problem}")]
    NotKept {
        /// The device.
        serial: String,
        /// What the device says.
        problem: String,
    },
    /// Something on the device answers wrongly.
    #[error("{serial}: {what} failed: {problem}")]
    NoAnswer {
        /// The device.
        serial: String,
        /// What was asked.
        what: String,
        /// What it says.
        problem: String,
    },
    /// There is no such snapshot.
    #[error("snapshot {id} was never saved on {serial}")]
    NoSnapshot {
        /// The snapshot asked for.
        id: u64,
        /// The device.
        serial: String,
    },
    /// A saved state could not be gone back to. Where the device stands now is not known; the state is forgotten.
    #[error("{serial} did not go back to a saved state: {problem}")]
    NotRestored {
        /// The device.
        serial: String,
        /// What went wrong.
        problem: String,
    },
    /// A picture cannot be read or encoded.
    #[error("the picture of the screen cannot be used: {problem}")]
    BadPicture {
        /// What is wrong with it.
        problem: String,
    },
    /// A recording's folder or file is not as it should be.
    #[error("{path}: {problem}")]
    BadRecording {
        /// The file or folder.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
}

impl DeviceError {
    /// The failure of the connection, if it is one.
    pub fn link_fault(&self) -> Option<LinkFault> {
        match self {
            DeviceError::Link { fault, .. } => Some(*fault),
            _ => None,
        }
    }

    /// Whether an answer came that cannot be what the device said: who asks again may understand it.
    pub fn garbled(&self) -> bool {
        matches!(self.link_fault(), Some(LinkFault::Garbled | LinkFault::OutputGarbled))
    }
}

/// How the connection to a device failed: what a caller can do about it follows from this alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkFault {
    /// Nobody waited for the answer any more.
    Cancelled,
    /// The answer did not come in time.
    TimedOut,
    /// The answer was changed on its way; whether the device did what it was asked is unknown.
    Garbled,
    /// The device did what it was asked, but what it printed was changed on its way.
    OutputGarbled,
    /// The server or the device is gone and may come back.
    Lost,
    /// The device refused a connection to one of its services.
    Closed,
    /// The operating system failed.
    Io,
    /// The program that provides the connection cannot be started.
    NoProgram,
    /// Anything that does not change by trying again.
    Other,
}

/// Answers of a device that were changed on their way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Garbled {
    /// How many.
    pub answers: u64,
    /// What was wrong with the first of them.
    pub first: DeviceError,
}

/// A phone, simulated, recorded or real.
pub trait Device: Send {
    /// What it says of itself.
    fn info(&self) -> &DeviceInfo;
    /// Its clock: virtual on the embedded phone.
    fn now(&self) -> DeviceInstant;
    /// Starts the app (stopping it first if it runs) and returns once the screen has settled.
    fn launch(&mut self, app: &AppId, data: AppData) -> Result<(), DeviceError>;
    /// Does one event and returns once the screen has settled.
    fn perform(&mut self, event: &Event) -> Result<(), DeviceError>;
    /// What the screen shows, and how the app launched last is.
    fn observe(&mut self) -> Result<Frame, DeviceError>;
    /// A picture of the whole screen.
    fn screenshot(&mut self) -> Result<Screenshot, DeviceError>;
    /// Saves the whole state, where the device can. Errors: `Unsupported` where it cannot, or holds no more of them.
    fn save_snapshot(&mut self) -> Result<SnapshotId, DeviceError> {
        Err(self.info().cannot("save snapshots"))
    }
    /// Goes back to a saved state, exactly. Errors: `NoSnapshot`, and `NotRestored` where it is not that state.
    fn restore_snapshot(&mut self, id: SnapshotId) -> Result<(), DeviceError> {
        Err(self.info().no_snapshot(id))
    }
    /// Forgets a saved state.
    fn drop_snapshot(&mut self, _id: SnapshotId) {}
    /// The apps that a person could start, sorted by package.
    fn apps(&mut self) -> Result<Vec<InstalledApp>, DeviceError> {
        Err(self.info().cannot("list its apps"))
    }
    /// Brings the app to the front, starting it if it does not run, and returns once the screen has settled.
    fn open(&mut self, _app: &AppId) -> Result<(), DeviceError> {
        Err(self.info().cannot("open apps"))
    }
    /// Ends the app; its data stay.
    fn stop(&mut self, _app: &AppId) -> Result<(), DeviceError> {
        Err(self.info().cannot("stop apps"))
    }
    /// Ends the process of an app in the background, as a system short of memory does: its activities and their
    /// saved state come back when it is opened again. An app in front stays.
    fn kill(&mut self, _app: &AppId) -> Result<(), DeviceError> {
        Err(self.info().cannot("end processes"))
    }
    /// Ends the app and clears what `AppData::Clear` clears.
    fn clear(&mut self, _app: &AppId) -> Result<(), DeviceError> {
        Err(self.info().cannot("clear the data of apps"))
    }
    /// Gives an app a permission or takes it back, which ends a process that had it.
    fn set_permission(&mut self, _app: &AppId, _permission: &str, _granted: bool) -> Result<(), DeviceError> {
        Err(self.info().cannot("give permissions"))
    }
    /// Installs an APK, given as its bytes; the data of an app that is there already stay.
    fn install(&mut self, _apk: &[u8]) -> Result<AppId, DeviceError> {
        Err(self.info().cannot("install apps"))
    }
    /// The APK of an installed app.
    fn apk(&mut self, _app: &AppId) -> Result<Vec<u8>, DeviceError> {
        Err(self.info().cannot("give away the files of its apps"))
    }
    /// Where its keyboard is, if it is on the screen.
    fn keyboard(&mut self) -> Result<Option<PxRect>, DeviceError> {
        Ok(None)
    }
    /// Somebody else may have changed the screen: looks at it once it has settled.
    fn look_again(&mut self) -> Result<(), DeviceError> {
        Ok(())
    }
    /// Who looks at the device beside its owner; nobody where nothing happens but what the owner does.
    fn screen_watcher(&mut self) -> Result<Option<Box<dyn ScreenWatcher>>, DeviceError> {
        Ok(None)
    }
    /// Which texts it can type; of another one `perform` says `CannotType`.
    fn typeable(&self) -> Typeable {
        Typeable::Anything
    }
    /// Log lines since the last call, in Android's threadtime format; none where the device keeps no log.
    fn logs(&mut self) -> Result<Vec<String>, DeviceError> {
        Ok(Vec::new())
    }
    /// Sets the clock forward: a campaign goes on on it that came so far on another one. Whether the device can.
    fn resume_clock(&mut self, _at: DeviceInstant) -> bool {
        false
    }
    /// How many code points the app launched last has; 0 without instrumentation.
    fn code_points(&self) -> u32 {
        0
    }
    /// Which of them were executed since the last call, in order. Restoring a snapshot takes none back.
    fn take_coverage(&mut self) -> Result<Vec<CodePoint>, DeviceError> {
        Ok(Vec::new())
    }
}
