//! What a device is, and the device that is no phone: a recorded walk (`recorded`).
//!
//! Knows nothing of engines or windows. A failure of the device is a [`DeviceError`]; a failure of the app under test
//! is a value in the frame ([`AppHealth`](taproof_screen::AppHealth)).

mod app_file;
mod environment;
mod front;
mod initialised;
mod installed;
mod recorded;
mod screen_watcher;
mod source;
mod stuck_step;
mod typeable;
mod warning;

use std::sync::Arc;

use taproof_screen::determinism::DeviceInstant;
use taproof_screen::format::ApkError;
use taproof_screen::{CodePoint, CrashReport, Event, Frame, PxRect, PxSize};

pub use app_file::AppFile;
pub use environment::Environment;
pub use front::{Arrivals, returns_to_app};
pub use initialised::{BeforeTest, Initialised};
pub use installed::InstalledApp;
pub use recorded::{RecordedDevice, RecordedEvent};
pub use screen_watcher::{Observation, PictureSource, ScreenWatcher};
pub use source::{AppFacts, Build, BuildError, DeviceSource};
pub use stuck_step::StuckStep;
pub use typeable::Typeable;
pub use warning::{DeviceWarning, DeviceWarnings};

/// Package name of an app, such as `org.taproof.files`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AppId(pub String);

/// What a launch does with the app's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppData {
    /// The data are kept.
    Keep,
    /// The data are cleared first, as by `pm clear`, and permissions are revoked. The bundled phone clears everything
    /// that a test can have changed: what follows depends only on the clock and on the installed apps. A real device
    /// grants the app its permissions again at the launch.
    Clear,
    /// The app's data are kept, and everything else is cleared that a test can have changed, such as the rotation.
    ResetAround,
}

/// Description of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// Serial number or name by which the device is addressed, used in messages.
    pub serial: String,
    /// Model name of the device.
    pub model: String,
    /// Android API level; 0 for a recording.
    pub sdk: u32,
    /// Size of the upright screen, in pixels.
    pub screen: PxSize,
    /// Whether [`Device::save_snapshot`] is supported.
    pub snapshots: bool,
    /// Whether events have an effect; false for a recording.
    pub live: bool,
}

impl DeviceInfo {
    /// Returns the error for something that the device does not support: `{serial} cannot {what}`.
    pub fn cannot(&self, what: &str) -> DeviceError {
        DeviceError::Unsupported { serial: self.serial.clone(), what: what.to_owned() }
    }

    /// Returns the error for an app that is not among those installed.
    pub fn not_installed(&self, app: &AppId, installed: &[&str]) -> DeviceError {
        let installed = installed.join(", ");
        DeviceError::NotInstalled { app: app.0.clone(), serial: self.serial.clone(), installed }
    }

    /// Returns the error for a snapshot that the device does not have.
    pub fn no_snapshot(&self, id: SnapshotId) -> DeviceError {
        DeviceError::NoSnapshot { id: id.0, serial: self.serial.clone() }
    }
}

/// A picture as a PNG file.
pub type PngBytes = Vec<u8>;

/// A picture of the screen, as rotated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screenshot {
    /// Size of the picture in pixels.
    pub size: PxSize,
    /// Straight (not premultiplied) 8-bit RGBA: `width * height * 4` bytes, rows from top to bottom.
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
    /// Encodes the picture as a PNG file. Many are kept in memory, so it is worth some milliseconds to make it small: a third
    /// of what the fastest compression leaves.
    ///
    /// # Errors
    ///
    /// [`DeviceError::BadPicture`] if the picture cannot be encoded.
    pub fn to_png(&self) -> Result<PngBytes, DeviceError> {
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
            Ok(()) => {
                bytes.shrink_to_fit();
                Ok(bytes)
            }
            Err(error) => Err(DeviceError::BadPicture { problem: error.to_string() }),
        }
    }
}

/// Identifies a saved state of one device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SnapshotId(pub u64);

/// A failure of a device.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// The app is not installed.
    #[error("{app:?} is not installed on {serial}; installed: {installed}")]
    NotInstalled {
        /// Package name of the requested app.
        app: String,
        /// Serial of the device.
        serial: String,
        /// The installed apps, comma-separated.
        installed: String,
    },
    /// The device does not support this.
    #[error("{serial} cannot {what}")]
    Unsupported {
        /// Serial of the device.
        serial: String,
        /// What was requested, as an infinitive without "to", such as `save snapshots`.
        what: String,
    },
    /// The app does not request this permission.
    #[error("{app} does not ask for the permission {permission:?}; it asks for: {known}")]
    UnknownPermission {
        /// Package name of the app.
        app: String,
        /// The permission to be granted or revoked.
        permission: String,
        /// The permissions that the app may request, comma-separated.
        known: String,
    },
    /// A file is not an app that the device can run.
    #[error("{serial} cannot install this file: {problem}")]
    NotInstallable {
        /// Serial of the device.
        serial: String,
        /// What is wrong with the file.
        problem: String,
    },
    /// The file of an installed app cannot be read.
    #[error(transparent)]
    AppFile(#[from] ApkError),
    /// The connection to the device failed, or an answer over it is unusable.
    #[error("{problem}")]
    Link {
        /// What happened, and what to do about it.
        problem: String,
        /// The kind of failure.
        fault: LinkFault,
    },
    /// The app cannot be started.
    #[error("{app} cannot be started on {serial}: {problem}")]
    NotStarted {
        /// Package name of the app.
        app: String,
        /// Serial of the device.
        serial: String,
        /// Why, as the device reports it.
        problem: String,
    },
    /// One of the steps that precede every test cannot be performed.
    #[error(
        "the first steps of {app} on {serial} stopped at step {step} of {of}: {why}. Record them again, or leave \
         them out"
    )]
    NotInitialised {
        /// Package name of the app.
        app: String,
        /// Serial of the device.
        serial: String,
        /// Number of the step, from 1.
        step: usize,
        /// Number of steps in total.
        of: usize,
        /// Why the step cannot be performed.
        why: String,
        /// The screen that was there instead.
        screen: Box<StuckStep>,
    },
    /// What must be on the screen before a test may begin did not appear.
    #[error(
        "{app} on {serial} was not ready after {seconds} s: nothing on the screen matches {ready}. Look what it \
         shows there, and change what is waited for"
    )]
    NotReady {
        /// Package name of the app.
        app: String,
        /// Serial of the device.
        serial: String,
        /// XPath of the widget that was waited for.
        ready: String,
        /// How long it was waited for, in seconds.
        seconds: u64,
        /// The screen that was there instead.
        screen: Box<StuckStep>,
    },
    /// The command that precedes every test failed.
    #[error("before the test: {problem}")]
    BeforeTest {
        /// Which command failed, how, and what it printed.
        problem: String,
    },
    /// The app's data cannot be cleared.
    #[error("the data of {app} on {serial} cannot be cleared: {problem}")]
    NotCleared {
        /// Package name of the app.
        app: String,
        /// Serial of the device.
        serial: String,
        /// Why, as the device reports it.
        problem: String,
    },
    /// The device returns no layout.
    #[error("{serial} gives no layout: {problem}")]
    NoLayout {
        /// Serial of the device.
        serial: String,
        /// Why there is no layout.
        problem: String,
    },
    /// The device has no way to type the text. Nothing was typed.
    #[error("{serial} cannot type {text:?}: {why}")]
    CannotType {
        /// Serial of the device.
        serial: String,
        /// The text to be typed.
        text: String,
        /// Why the text cannot be typed.
        why: String,
    },
    /// The screen is locked, and only a person can unlock it.
    #[error("{serial} is locked {how}; unlock it and try again")]
    Locked {
        /// Serial of the device.
        serial: String,
        /// How the screen is locked, such as `with a PIN`.
        how: String,
    },
    /// The device's vendor does not permit this through adb.
    #[error("{serial} forbids adb {what}; {advice}")]
    Forbidden {
        /// Serial of the device.
        serial: String,
        /// What the caller attempted, as it completes `forbids adb …`.
        what: &'static str,
        /// Which setting of the device permits it.
        advice: &'static str,
    },
    /// Android is still starting; adb reaches a device long before Android runs on it.
    #[error("Android is still starting on {serial}; wait until its home screen is there")]
    Starting {
        /// Serial of the device.
        serial: String,
    },
    /// Somebody else uses the device. Two users would run into each other's data.
    #[error("{serial} is in use by {owner}; wait until it has ended, end it, or use another device")]
    InUse {
        /// Serial of the device.
        serial: String,
        /// Who uses it.
        owner: String,
    },
    /// The previous settings could not be saved on the device, so nothing was changed.
    #[error("the settings of {serial} were not changed, as they cannot be kept on it: {problem}")]
    NotKept {
        /// Serial of the device.
        serial: String,
        /// Why, as the device reports it.
        problem: String,
    },
    /// Something on the device gave a wrong answer.
    #[error("{serial}: {what} failed: {problem}")]
    NoAnswer {
        /// Serial of the device.
        serial: String,
        /// The request that failed, such as `settings put`.
        what: String,
        /// What the answer was.
        problem: String,
    },
    /// The device has no such snapshot.
    #[error("snapshot {id} was never saved on {serial}")]
    NoSnapshot {
        /// Number of the requested snapshot.
        id: u64,
        /// Serial of the device.
        serial: String,
    },
    /// A saved state could not be restored. The device's current state is unknown, and the saved state is dropped.
    #[error("{serial} did not go back to a saved state: {problem}")]
    NotRestored {
        /// Serial of the device.
        serial: String,
        /// What went wrong while restoring.
        problem: String,
    },
    /// What was changed on a device was not put back.
    #[error("not put back on {serial}, and noted there in {kept}: {left} ({problem})")]
    NotPutBack {
        /// Serial of the device.
        serial: String,
        /// What is left to put back.
        left: String,
        /// The file on the device that holds the values.
        kept: String,
        /// What happened.
        problem: String,
    },
    /// A picture cannot be decoded or encoded.
    #[error("the picture of the screen cannot be used: {problem}")]
    BadPicture {
        /// What is wrong with the picture.
        problem: String,
    },
    /// A folder or a file of a recording is missing or malformed.
    #[error("{path}: {problem}")]
    BadRecording {
        /// Path of the file or folder.
        path: String,
        /// What is wrong with the file or folder.
        problem: String,
    },
}

impl DeviceError {
    /// The step that could not be performed before a test, with its screen; `None` for other errors.
    pub fn stuck_step(&self) -> Option<&StuckStep> {
        match self {
            DeviceError::NotInitialised { screen, .. } | DeviceError::NotReady { screen, .. } => Some(screen),
            _ => None,
        }
    }

    /// Returns how the connection failed; `None` for errors other than [`DeviceError::Link`].
    pub fn link_fault(&self) -> Option<LinkFault> {
        match self {
            DeviceError::Link { fault, .. } => Some(*fault),
            _ => None,
        }
    }

    /// Whether the device's answer arrived damaged. Asking again may help.
    pub fn garbled(&self) -> bool {
        matches!(self.link_fault(), Some(LinkFault::Garbled | LinkFault::OutputGarbled))
    }
}

/// How the connection to a device failed. This alone determines what a caller can do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkFault {
    /// The caller did not want the answer any more.
    Cancelled,
    /// The answer did not arrive in time.
    TimedOut,
    /// The answer arrived damaged; whether the device executed the request is unknown.
    Garbled,
    /// The device executed the request, but its output arrived damaged.
    OutputGarbled,
    /// The server or the device is gone and may come back.
    Lost,
    /// The device refused a connection to one of its services.
    Closed,
    /// The operating system reported an error.
    Io,
    /// The program that provides the connection cannot be started.
    NoProgram,
    /// Any failure that trying again does not change.
    Other,
}

/// Answers of a device that arrived damaged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Garbled {
    /// Number of damaged answers.
    pub answers: u64,
    /// The error of the first of them.
    pub first: DeviceError,
}

/// A file or folder that all programs on a device share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedFile {
    /// What it is known by, also after it was renamed or moved.
    pub id: u64,
    /// The path below `/storage`, such as `emulated/0/Music`.
    pub path: String,
    /// When it was last changed, in milliseconds since 1970.
    pub modified_millis: u64,
    /// What it contains.
    pub content: SharedContent,
}

/// The content of a shared file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SharedContent {
    /// Files and folders, which have entries of their own.
    Folder,
    /// These bytes.
    Bytes(Vec<u8>),
    /// This many bytes, of which no more is known.
    Size(u64),
}

/// A change of the shared files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SharedChange {
    /// Creates or replaces a file, or creates a folder. Missing folders above it are created.
    Put {
        /// The path below `/storage`.
        path: String,
        /// The new content.
        content: SharedContent,
    },
    /// Removes a file, or a folder with all that it contains.
    Remove {
        /// The path below `/storage`.
        path: String,
    },
}

/// A phone: simulated, recorded or real.
pub trait Device: Send {
    /// Description of the device.
    fn info(&self) -> &DeviceInfo;
    /// The device's clock: virtual on the embedded phone.
    fn now(&self) -> DeviceInstant;
    /// Starts the app, stopping it first if it runs, and returns once the screen has settled.
    fn launch(&mut self, app: &AppId, data: AppData) -> Result<(), DeviceError>;
    /// Performs one event and returns once the screen has settled.
    fn perform(&mut self, event: &Event) -> Result<(), DeviceError>;
    /// Returns what the screen shows, and the state of the app that was launched last.
    fn observe(&mut self) -> Result<Frame, DeviceError>;
    /// Returns a picture of the whole screen.
    fn screenshot(&mut self) -> Result<Screenshot, DeviceError>;
    /// Saves the whole state of the device.
    ///
    /// # Errors
    ///
    /// [`DeviceError::Unsupported`] if the device cannot save states, or cannot hold any more of them.
    fn save_snapshot(&mut self) -> Result<SnapshotId, DeviceError> {
        Err(self.info().cannot("save snapshots"))
    }
    /// Restores a saved state exactly.
    ///
    /// # Errors
    ///
    /// [`DeviceError::NoSnapshot`] if there is no such state, [`DeviceError::NotRestored`] if the device did not return
    /// to it.
    fn restore_snapshot(&mut self, id: SnapshotId) -> Result<(), DeviceError> {
        Err(self.info().no_snapshot(id))
    }
    /// Drops a saved state.
    fn drop_snapshot(&mut self, _id: SnapshotId) {}
    /// Returns the apps that a person could start, sorted by package.
    fn apps(&mut self) -> Result<Vec<InstalledApp>, DeviceError> {
        Err(self.info().cannot("list its apps"))
    }
    /// Brings the app to the front, starting it if it does not run, and returns once the screen has settled.
    fn open(&mut self, _app: &AppId) -> Result<(), DeviceError> {
        Err(self.info().cannot("open apps"))
    }
    /// Ends the app, keeping its data.
    fn stop(&mut self, _app: &AppId) -> Result<(), DeviceError> {
        Err(self.info().cannot("stop apps"))
    }
    /// Ends the process of an app in the background, as a system short of memory does: its activities and their saved
    /// state are restored when it is opened again. An app in front is not affected.
    fn kill(&mut self, _app: &AppId) -> Result<(), DeviceError> {
        Err(self.info().cannot("end processes"))
    }
    /// Ends the app and clears what [`AppData::Clear`] clears.
    fn clear(&mut self, _app: &AppId) -> Result<(), DeviceError> {
        Err(self.info().cannot("clear the data of apps"))
    }
    /// Grants a permission to an app or revokes it. Revoking ends the app's process if it had the permission.
    fn set_permission(&mut self, _app: &AppId, _permission: &str, _granted: bool) -> Result<(), DeviceError> {
        Err(self.info().cannot("give permissions"))
    }
    /// Whether the app that was launched last has a permission that [`SystemEvent::RevokePermission`] takes away.
    ///
    /// [`SystemEvent::RevokePermission`]: taproof_screen::SystemEvent::RevokePermission
    fn holds_permissions(&mut self) -> Result<bool, DeviceError> {
        Ok(false)
    }
    /// Installs an APK, given as its bytes, and returns its package. The data of an app that is already installed stay.
    fn install(&mut self, _apk: &[u8]) -> Result<AppId, DeviceError> {
        Err(self.info().cannot("install apps"))
    }
    /// Ends the app and removes it from the device, with its data or without.
    fn uninstall(&mut self, _app: &AppId, _data: AppData) -> Result<(), DeviceError> {
        Err(self.info().cannot("uninstall apps"))
    }
    /// Where this is, with the version of an app that is installed; `None` on the bundled phone, whose reports name the build.
    fn environment(&mut self, _app: &AppId) -> Result<Option<Environment>, DeviceError> {
        Ok(None)
    }
    /// Returns the file of an installed app.
    fn app_file(&mut self, _app: &AppId) -> Result<AppFile, DeviceError> {
        Err(self.info().cannot("give away the files of its apps"))
    }
    /// Returns a number that changes with the shared files; `None` if the device shares none.
    fn shared_stamp(&mut self) -> Option<u64> {
        None
    }
    /// Returns the files that all programs on the device share.
    fn shared_files(&mut self) -> Vec<SharedFile> {
        Vec::new()
    }
    /// Applies a change of the shared files that a program other than an app made.
    fn change_shared_file(&mut self, _change: &SharedChange) {}
    /// Opens the list of notifications over the app in front, and returns once the screen has settled.
    fn open_notifications(&mut self) -> Result<(), DeviceError> {
        Err(self.info().cannot("show notifications"))
    }
    /// Returns the area of the keyboard; `None` if it is not on the screen.
    fn keyboard(&mut self) -> Result<Option<PxRect>, DeviceError> {
        Ok(None)
    }
    /// Sets whether operations wait until the screen has settled, as they do by default. Without that, time passes only
    /// by what is performed, and the caller waits where it needs a screen at rest.
    fn wait_until_settled(&mut self, _waits: bool) {}
    /// Looks at the screen once it has settled, because somebody else may have changed it.
    fn look_again(&mut self) -> Result<(), DeviceError> {
        Ok(())
    }
    /// Returns a watcher that observes the device independently of its owner; `None` if only the owner can change
    /// anything.
    fn screen_watcher(&mut self) -> Result<Option<Box<dyn ScreenWatcher>>, DeviceError> {
        Ok(None)
    }
    /// Which texts the device can type. For any other, [`Device::perform`] returns [`DeviceError::CannotType`].
    fn typeable(&self) -> Typeable {
        Typeable::Anything
    }
    /// Returns the log lines since the last call, in Android's `threadtime` format; none if the device has no log.
    fn logs(&mut self) -> Result<Vec<String>, DeviceError> {
        Ok(Vec::new())
    }
    /// Returns the problems of the layouts since the last call that did not prevent their use.
    fn take_warnings(&mut self) -> Vec<DeviceWarning> {
        Vec::new()
    }
    /// Returns the errors that the app under test has logged since the last call, or since its launch, and that did not end
    /// it; none if the device has no log.
    fn take_logged_errors(&mut self) -> Result<Vec<CrashReport>, DeviceError> {
        Ok(Vec::new())
    }
    /// Advances the clock to `at`, for a campaign that is resumed on another device. Returns false if the device cannot
    /// do this.
    fn resume_clock(&mut self, _at: DeviceInstant) -> bool {
        false
    }
    /// Number of code points of the app launched last; 0 without instrumentation.
    fn code_points(&self) -> u32 {
        0
    }
    /// Returns the code points that were executed since the last call, in ascending order. Restoring a snapshot does
    /// not remove any.
    fn take_coverage(&mut self) -> Result<Vec<CodePoint>, DeviceError> {
        Ok(Vec::new())
    }
}
