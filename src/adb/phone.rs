//! A phone or an emulator behind the `Device` trait: delegates each request to the responsible part.

use std::sync::{Arc, Mutex};

use crate::connection::Connection;
use crate::connection::holders::ScreenHolder;
use crate::connection::packages::install_app;
use crate::host::{Patience, command};
use crate::input::effects::Effects;
use crate::input::gestures::{Input, gesture};
use crate::input::launching::{ClearedApps, Launcher, stop_app};
use crate::input::system_events::{system_event, try_effects};
use crate::input::text_input::TextInput;
use crate::input::turning::Turning;
use crate::observe::ScreenObserver;
use crate::observe::pictures::PictureSource;
use crate::open::control::Control;
use crate::output::{StartOutcome, package_details, start_outcome};
use crate::restore::snapshots::{Snapshots, lock};
use crate::restore::{Journal, RESTORING, Role, Seat, Site, process_lives, put_back_by};
use crate::watch::screen_watcher::AdbScreenWatcher;
use taproof_engine::device::{
    AppData, AppFile, AppId, Device, DeviceError, DeviceInfo, DeviceWarning, Environment, ScreenWatcher,
    Screenshot, SnapshotId, Typeable,
};
use taproof_screen::determinism::DeviceInstant;
use taproof_screen::{CrashReport, Event, Frame, Gesture, PxRect, TouchTarget};

/// A device that the adb server reaches. All lasting state is on the device.
pub struct AdbPhone {
    connection: Connection,
    observer: ScreenObserver,
    launcher: Launcher,
    text_input: TextInput,
    /// What was changed on the device; shared by all its phones.
    journal: Journal,
    /// The saved states of an emulator; shared by all its phones. `None` if it has no snapshots.
    snapshots: Option<Arc<Mutex<Snapshots>>>,
    /// Whether the settings are restored when this is dropped.
    alone: bool,
    /// The programs that probably control the screen instead of the agent.
    holders: Vec<ScreenHolder>,
    /// Keeps other processes away from the device until all its phones are dropped.
    seat: Seat,
    /// The release of Android.
    release: String,
}

/// The parts that a phone is built from.
pub(super) struct PhoneParts {
    pub connection: Connection,
    /// How the device is controlled.
    pub control: Control,
    pub text_input: TextInput,
    pub journal: Journal,
    pub turning: Turning,
    pub cleared: ClearedApps,
    pub effects: Effects,
    pub snapshots: Option<Arc<Mutex<Snapshots>>>,
    pub seat: Seat,
    pub release: String,
}

impl Drop for AdbPhone {
    fn drop(&mut self) {
        if !self.alone {
            return;
        }
        // Restored even if the window is closed: nobody asked for the device to stay changed.
        if let Err(error) = put_back_by(
            &self.connection.link,
            self.connection.agent(),
            Some(Role::Window),
            &process_lives,
            &Patience::new(RESTORING, &|| false),
        ) {
            tracing::warn!(serial = self.connection.info.serial, %error, "its settings are put back when it is here again");
        }
    }
}

impl AdbPhone {
    pub(super) fn new(parts: PhoneParts) -> AdbPhone {
        let PhoneParts {
            connection,
            control,
            text_input,
            journal,
            turning,
            cleared,
            effects,
            snapshots,
            seat,
            release,
        } = parts;
        let mut observer = ScreenObserver::new(connection.clone(), &control);
        let problems = [control.problem_to_report(), journal.left_behind_to_report()];
        problems.into_iter().flatten().for_each(|problem| observer.warn(&problem));
        AdbPhone {
            observer,
            connection,
            launcher: Launcher::of(turning, cleared, effects),
            text_input,
            journal,
            snapshots,
            alone: false,
            holders: control.holders,
            seat,
            release,
        }
    }

    /// Marks this as the only phone that a person has open. When it is dropped, the device's settings are restored.
    #[must_use]
    pub fn alone(mut self) -> AdbPhone {
        (self.alone, self.observer.for_person) = (true, true);
        self
    }

    /// The connection to the device.
    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The programs that probably control the screen instead of the agent; empty if the agent does or was not wanted.
    pub fn holders(&self) -> &[ScreenHolder] {
        &self.holders
    }

    /// The source of the last picture.
    pub fn picture_source(&self) -> PictureSource {
        self.observer.pictures.source()
    }

    /// Notes on the device from time to time that it is in use, for programs on other computers. Fails if one of them has
    /// taken it meanwhile, as after a long pause.
    fn note_use(&self) -> Result<(), DeviceError> {
        if !self.seat.note_is_due(self.observer.now()) {
            return Ok(());
        }
        let Connection { link, info, unwanted, pace, .. } = &self.connection;
        let site = Site { link, sdk: info.sdk, agent: self.connection.agent(), pace: *pace };
        match Journal::open(&site, self.seat.role, &**unwanted) {
            Err(error @ DeviceError::InUse { .. }) => Err(error),
            Err(error) => {
                tracing::debug!(serial = info.serial, %error, "it is not noted who uses it");
                Ok(())
            }
            Ok(_) => Ok(()),
        }
    }

    fn touch(&mut self, target: &TouchTarget, what: &Gesture) -> Result<(), DeviceError> {
        let layout = self.observer.observe()?.layout;
        // A point is meaningless on another screen.
        if target.screen != layout.screen() {
            return self.observer.run(&Input::Nothing);
        }
        match (gesture(target.at, what, &layout), what) {
            (Some(input), _) => self.observer.run(&input),
            (None, Gesture::SetText(text)) => {
                self.text_input.set_text(&mut self.observer, &layout, target, text)
            }
            (None, _) => Ok(()),
        }
    }

    fn open_link(&mut self, link: &str) -> Result<(), DeviceError> {
        let start = command(&["am", "start", "-a", "android.intent.action.VIEW", "-d", link])?;
        match start_outcome(&self.connection.shell(&start)?) {
            StartOutcome::Started => self.observer.run(&Input::Nothing),
            StartOutcome::DoesNotExist | StartOutcome::Failed(_) => {
                Err(self.connection.info.cannot(&format!("open the link {link}: no app on it takes it")))
            }
        }
    }

    fn do_event(&mut self, event: &Event) -> Result<(), DeviceError> {
        match event {
            Event::Widget { target, gesture } => self.touch(target, gesture),
            Event::Type(text) => self.text_input.type_text(&mut self.observer, text),
            Event::Key(pressed) => {
                if let Some(effect) = Effects::of(*pressed) {
                    self.launcher.effects.check(&self.connection, effect)?;
                }
                self.observer.run(&Input::Key(*pressed))
            }
            Event::Rotate => {
                let shown = self.observer.observe()?.layout.rotation();
                let input = self.launcher.turn(&self.connection, shown.turned(), shown)?;
                self.observer.run(&input).inspect_err(|_| self.launcher.turning.forget())
            }
            Event::Wait(span) => self.observer.run(&Input::Wait(span.millis())),
            Event::Relaunch => match self.observer.app.id().cloned() {
                Some(app) => self.launcher.launch(&mut self.observer, &self.journal, &app, AppData::Keep),
                None => Ok(()),
            },
            Event::System(what) => system_event(&mut self.observer, &mut self.launcher, &self.journal, *what),
            Event::OpenLink(link) => self.open_link(link),
        }
    }
}

impl Device for AdbPhone {
    fn info(&self) -> &DeviceInfo {
        &self.connection.info
    }

    fn now(&self) -> DeviceInstant {
        self.observer.now()
    }

    fn launch(&mut self, app: &AppId, data: AppData) -> Result<(), DeviceError> {
        self.observer.forget_frame();
        if self.seat.role == Role::Campaign && self.launcher.effects.take_first_try() {
            try_effects(&mut self.observer, &mut self.launcher, &self.journal, app)?;
        }
        self.launcher.launch(&mut self.observer, &self.journal, app, data)
    }

    fn perform(&mut self, event: &Event) -> Result<(), DeviceError> {
        self.note_use()?;
        match self.do_event(event) {
            // The server should have typed the text but did not.
            Err(error) if self.observer.does_without_server(&error) => self.do_event(event),
            done => done,
        }
    }

    fn observe(&mut self) -> Result<Frame, DeviceError> {
        self.observer.observe()
    }

    fn screenshot(&mut self) -> Result<Screenshot, DeviceError> {
        self.observer.pictures.take()
    }

    fn save_snapshot(&mut self) -> Result<SnapshotId, DeviceError> {
        let Some(snapshots) = &self.snapshots else {
            return Err(self.connection.info.cannot("save snapshots"));
        };
        let state = self.observer.state()?;
        lock(snapshots).save(&self.connection, state, self.journal.around())
    }

    fn restore_snapshot(&mut self, id: SnapshotId) -> Result<(), DeviceError> {
        match &self.snapshots {
            Some(snapshots) => {
                self.launcher.turning.forget();
                self.launcher.holds_permissions = None;
                lock(snapshots).restore(id, &mut self.observer, &self.journal)
            }
            None => Err(self.connection.info.no_snapshot(id)),
        }
    }

    fn drop_snapshot(&mut self, id: SnapshotId) {
        if let Some(snapshots) = &self.snapshots {
            lock(snapshots).forget(id, &*self.connection.unwanted);
        }
    }

    fn open(&mut self, app: &AppId) -> Result<(), DeviceError> {
        self.observer.app.opened(app);
        self.launcher.bring_to_front(&mut self.observer, app)
    }

    fn stop(&mut self, app: &AppId) -> Result<(), DeviceError> {
        self.connection.file_of(app)?;
        self.observer.forget_frame();
        stop_app(&self.connection, app)
    }

    fn kill(&mut self, app: &AppId) -> Result<(), DeviceError> {
        self.connection.file_of(app)?;
        self.connection.shell(&command(&["am", "kill", &app.0])?).map(|_| ())
    }

    fn clear(&mut self, app: &AppId) -> Result<(), DeviceError> {
        self.observer.forget_frame();
        self.launcher.clear_data(&self.observer, app)
    }

    fn holds_permissions(&mut self) -> Result<bool, DeviceError> {
        match self.observer.app.id() {
            Some(app) => self.launcher.holds_permissions(&self.connection, app),
            None => Ok(false),
        }
    }

    fn install(&mut self, apk: &[u8]) -> Result<AppId, DeviceError> {
        self.observer.forget_frame();
        install_app(&self.connection.link, apk, &*self.connection.unwanted)
    }

    fn environment(&mut self, app: &AppId) -> Result<Option<Environment>, DeviceError> {
        let said = self.connection.shell(&command(&["dumpsys", "package", &app.0])?)?;
        let app_version = package_details(&said, &app.0).map(|details| details.version).unwrap_or_default();
        let DeviceInfo { model, sdk, .. } = self.connection.info.clone();
        Ok(Some(Environment { model, release: self.release.clone(), sdk, app_version }))
    }

    fn app_file(&mut self, app: &AppId) -> Result<AppFile, DeviceError> {
        self.connection.pull_apk(app).map(AppFile::Apk)
    }

    fn typeable(&self) -> Typeable {
        self.text_input.method(&self.observer).typeable()
    }

    fn take_logged_errors(&mut self) -> Result<Vec<CrashReport>, DeviceError> {
        self.observer.take_logged_errors()
    }

    fn take_warnings(&mut self) -> Vec<DeviceWarning> {
        self.observer.take_warnings()
    }

    fn keyboard(&mut self) -> Result<Option<PxRect>, DeviceError> {
        self.observer.keyboard()
    }

    fn look_again(&mut self) -> Result<(), DeviceError> {
        self.observer.run(&Input::Nothing)
    }

    fn screen_watcher(&mut self) -> Result<Option<Box<dyn ScreenWatcher>>, DeviceError> {
        let watcher = AdbScreenWatcher::new(self.connection.clone(), self.observer.pictures.another())?;
        Ok(Some(Box::new(watcher)))
    }
}
