//! A phone or an emulator behind the `Device` trait.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::facts::Facts;
use super::garbled::GarbledAnswers;
use super::gestures::{erase, gesture, key, rotate, tap, words};
use super::health::LogPlace;
use super::host::{AdbLink, AdbServer, Patience};
use super::kept::{Role, keep_settings, put_settings_back};
use super::line::Line;
use super::look::LayoutSource;
use super::output::Component;
use super::packages::install_app;
use super::pictures::{Pictures, Rung};
use super::reach::process_lives;
#[cfg(feature = "scrcpy")]
use super::scrcpy::SearchPlaces;
use super::screen_watcher::AdbScreenWatcher;
use super::settling::Settling;
use super::snapshots::Snapshots;
use super::surroundings::Surroundings;
use super::typing::{TypingWay, lines_for};
use super::uiautomator2::server_answers;
use taproof_core::determinism::DeviceInstant;
use taproof_core::device::{
    AppData, AppId, Device, DeviceError, DeviceInfo, InstalledApp, ScreenWatcher, Screenshot, SnapshotId,
    Typeable,
};
use taproof_core::model::{
    AppHealth, Event, Frame, Gesture, Layout, PxRect, Rotation, Target, Widget, WidgetFlags,
};
use taproof_core::worker::Unwanted;

/// Old devices do not tell how long a password is.
const LONGEST_PASSWORD: usize = 64;
/// A device that is busy answers late.
const REACH: Duration = Duration::from_secs(10);

/// A device that was opened: what need not be asked again.
#[derive(Clone)]
pub struct OpenedPhone {
    link: AdbLink,
    facts: Facts,
    source: LayoutSource,
    snapshots: Option<Arc<Mutex<Snapshots>>>,
    around: Surroundings,
    garbled: GarbledAnswers,
}

impl OpenedPhone {
    /// Opens a device that is ready, and writes down on it which settings to put back (`kept`). What comes garbled is
    /// counted, now and later. Errors: it cannot be reached, is no Android, or its storage is full.
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
        let around = garbled.again(|| keep_settings(&link, role, unwanted))?;
        let server_runs = server_answers(&link, unwanted);
        let source = if server_runs { LayoutSource::Uiautomator2 } else { LayoutSource::Dump };
        let (around, garbled) = (Surroundings::of(around), garbled.clone());
        Ok(OpenedPhone { link, facts, source, snapshots: None, around, garbled })
    }

    /// The same with the snapshots that the device had when it was opened before, else with those of an emulator whose
    /// console answers. They are deleted with the last phone of it. Not for a person: saving takes seconds each time.
    #[must_use]
    pub fn with_snapshots(mut self, before: Option<&OpenedPhone>, unwanted: &dyn Fn() -> bool) -> Self {
        let known = before.and_then(|before| before.snapshots.clone());
        let find = || Snapshots::find(&self.link, &process_lives, unwanted);
        self.snapshots = known.or_else(|| find().map(|found| Arc::new(Mutex::new(found))));
        self
    }

    /// How long an emulator may take at most to save a snapshot or to come back from one.
    #[must_use]
    pub fn waiting_for_snapshots(self, limit: Duration) -> Self {
        if let Some(snapshots) = &self.snapshots {
            super::snapshots::lock(snapshots).limit = limit;
        }
        self
    }

    /// The link to it.
    pub fn link(&self) -> &AdbLink {
        &self.link
    }

    /// The device, as nobody has used it yet.
    pub fn phone(&self, unwanted: Unwanted) -> AdbPhone {
        let snapshots = self.snapshots.is_some();
        let info = DeviceInfo { snapshots, ..self.facts.info(&self.link.serial) };
        let line = Line { link: self.link.clone(), info, unwanted, garbled: self.garbled.clone() };
        let mut phone = AdbPhone {
            typing: TypingWay::Uiautomator2,
            best_keys: TypingWay::of(&self.facts),
            source: self.source,
            pictures: Pictures::new(line.clone(), Rung::Uiautomator2, Arc::default()),
            line,
            under_test: None,
            failure: None,
            log: LogPlace::default(),
            components: BTreeMap::new(),
            in_front: None,
            restless: None,
            settling: Settling::default(),
            now: DeviceInstant::default(),
            frame: None,
            scratch: format!("/data/local/tmp/taproof-{}.xml", std::process::id()),
            around: self.around.clone(),
            not_grantable: BTreeSet::new(),
            #[cfg(feature = "scrcpy")]
            scrcpy: SearchPlaces::from_environment(|name| std::env::var_os(name)),
            alone: false,
            snapshots: self.snapshots.clone(),
        };
        phone.look_by(self.source);
        phone
    }
}

/// A device that the adb server reaches. Everything that lasts is on the device.
pub struct AdbPhone {
    pub(super) line: Line,
    pub(super) source: LayoutSource,
    pub(super) typing: TypingWay,
    /// How text is typed where no server types it.
    best_keys: TypingWay,
    pub(super) pictures: Pictures,
    /// The app that was launched last.
    pub(super) under_test: Option<AppId>,
    pub(super) failure: Option<AppHealth>,
    pub(super) log: LogPlace,
    pub(super) components: BTreeMap<String, Component>,
    /// The activity in front at the last look, and one that never comes to rest.
    pub(super) in_front: Option<Component>,
    pub(super) restless: Option<Component>,
    /// How its screen comes to rest.
    pub(super) settling: Settling,
    pub(super) now: DeviceInstant,
    pub(super) frame: Option<Frame>,
    /// Where dumps lie for a moment.
    pub(super) scratch: String,
    /// What tests changed around the app and nothing took back yet; all phones of a device share it.
    pub(super) around: Surroundings,
    /// Permissions, by package, that the device did not give.
    pub(super) not_grantable: BTreeSet<(String, String)>,
    /// Where the user's scrcpy may be.
    #[cfg(feature = "scrcpy")]
    pub(super) scrcpy: SearchPlaces,
    /// The settings are put back when this is dropped.
    pub(super) alone: bool,
    /// What was saved of an emulator; all phones of it share them.
    pub(super) snapshots: Option<Arc<Mutex<Snapshots>>>,
}

impl Drop for AdbPhone {
    fn drop(&mut self) {
        if !self.alone {
            return;
        }
        // Whoever closed it still wants this.
        if let Err(error) = put_settings_back(&self.line.link, Some(Role::Window), &process_lives, &|| false)
        {
            tracing::warn!(serial = self.line.info.serial, %error, "its settings are put back when it is here again");
        }
    }
}

impl AdbPhone {
    /// Opens a device that is ready, for a person. Errors: as `OpenedPhone::reach`.
    pub fn open(server: &AdbServer, serial: &str, unwanted: Unwanted) -> Result<AdbPhone, DeviceError> {
        let garbled = GarbledAnswers::default();
        Ok(OpenedPhone::reach(server, serial, Role::Window, &garbled, &*unwanted)?.phone(unwanted))
    }

    /// The only one that a person has open: its end puts the device's settings back.
    #[must_use]
    pub fn alone(mut self) -> AdbPhone {
        self.alone = true;
        self
    }

    /// Where its pictures come from now.
    pub fn rung(&self) -> Rung {
        self.pictures.rung()
    }

    /// Looks for the user's scrcpy in these places instead of those that the environment names.
    #[cfg(feature = "scrcpy")]
    #[must_use]
    pub fn with_scrcpy_in(mut self, places: SearchPlaces) -> AdbPhone {
        self.scrcpy = places;
        self
    }

    /// Lets this one give the layouts from here on, and with them pictures and text.
    pub(super) fn look_by(&mut self, source: LayoutSource) {
        self.source = source;
        let best;
        (self.typing, best) = match source {
            LayoutSource::Uiautomator2 => (TypingWay::Uiautomator2, Rung::Uiautomator2),
            LayoutSource::Dump => (self.best_keys.clone(), Rung::Raw),
        };
        self.pictures.begin_with(best);
    }

    pub(super) fn seen(&mut self) -> Result<Frame, DeviceError> {
        if self.frame.is_none() {
            self.look_after("", Duration::ZERO)?;
        }
        self.frame.clone().ok_or_else(|| self.line.info.cannot("show its screen"))
    }

    pub(super) fn rotate_upright(&mut self) -> Result<(), DeviceError> {
        self.line.do_lines(&rotate(Rotation::PORTRAIT))
    }

    fn touch(&mut self, target: &Target, what: &Gesture) -> Result<(), DeviceError> {
        let layout = self.seen()?.layout;
        // A point means nothing on another screen.
        if target.screen != layout.screen() {
            return self.look_after("", Duration::ZERO);
        }
        match (gesture(target.at, what, &layout), what) {
            (Some(lines), _) => self.look_after(&lines, Duration::ZERO),
            (None, Gesture::SetText(text)) => self.set_text(&layout, target, text),
            (None, _) => Ok(()),
        }
    }

    fn set_text(&mut self, layout: &Layout, target: &Target, text: &str) -> Result<(), DeviceError> {
        if self.typing == TypingWay::Uiautomator2 {
            self.line.set_text_by_server(layout, target.at, text)?;
            self.look_after("", Duration::ZERO)?;
            self.read_back(target, text);
            return Ok(());
        }
        let typed = lines_for(&self.typing, text).map_err(|why| self.cannot_type(text, &why))?;
        let field = layout.touch_target(target.at).map(|idx| layout.widget(idx));
        let erased = erase(field.map_or(0, letters));
        let tapped = tap(target.at);
        let lines = match self.typing.keyboard_lines(self.line.info.sdk)? {
            Some((choose, shown)) => vec![choose, tapped, shown, erased, typed],
            None => vec![tapped, erased, typed],
        };
        self.look_after(&lines.join("\n"), Duration::ZERO)?;
        self.read_back(target, text);
        Ok(())
    }

    /// A field that shows another text filters it, or the device lost some of it: whoever wonders finds it in the log.
    fn read_back(&self, target: &Target, text: &str) {
        let Some(frame) = &self.frame else { return };
        let field = frame.layout.touch_target(target.at).map(|idx| frame.layout.widget(idx));
        if let Some(field) =
            field.filter(|field| &*field.text != text && !field.flags.has(WidgetFlags::PASSWORD))
        {
            let (serial, shown) = (&self.line.info.serial, &*field.text);
            tracing::warn!(serial, typed = text, shown, "the field shows another text than was typed");
        }
    }

    fn type_text(&mut self, text: &str) -> Result<(), DeviceError> {
        if self.typing == TypingWay::Uiautomator2 {
            self.line.paste_by_server(text)?;
            return self.look_after("", Duration::ZERO);
        }
        let typed = lines_for(&self.typing, text).map_err(|why| self.cannot_type(text, &why))?;
        let lines = match self.typing.keyboard_lines(self.line.info.sdk)? {
            Some((choose, shown)) => [choose, shown, typed].join("\n"),
            None => typed,
        };
        self.look_after(&lines, Duration::ZERO)
    }

    fn cannot_type(&self, text: &str, why: &str) -> DeviceError {
        DeviceError::CannotType {
            serial: self.line.info.serial.clone(),
            text: text.to_owned(),
            why: why.to_owned(),
        }
    }

    fn do_event(&mut self, event: &Event) -> Result<(), DeviceError> {
        match event {
            Event::Widget { target, gesture } => self.touch(target, gesture),
            Event::Type(text) => self.type_text(text),
            Event::Key(pressed) => self.look_after(&key(*pressed), Duration::ZERO),
            Event::Rotate => {
                let to = self.seen()?.layout.rotation().turned();
                self.look_after(&rotate(to), Duration::ZERO)
            }
            Event::Wait(span) => {
                let millis = span.millis();
                let lines = self.line.wait(millis);
                self.look_after(&lines, Duration::from_millis(millis))
            }
            Event::Relaunch => match self.under_test.clone() {
                Some(app) => self.start_app(&app, AppData::Keep),
                None => Ok(()),
            },
            Event::System(what) => self.system_event(*what),
        }
    }
}

/// How many letters a field may hold.
fn letters(field: &Widget) -> usize {
    let told = field.text.chars().count();
    if told == 0 && field.flags.has(WidgetFlags::PASSWORD) { LONGEST_PASSWORD } else { told }
}

impl Device for AdbPhone {
    fn info(&self) -> &DeviceInfo {
        &self.line.info
    }

    fn now(&self) -> DeviceInstant {
        self.now
    }

    fn launch(&mut self, app: &AppId, data: AppData) -> Result<(), DeviceError> {
        self.frame = None;
        self.start_app(app, data)
    }

    fn perform(&mut self, event: &Event) -> Result<(), DeviceError> {
        match self.do_event(event) {
            // It was to type the text, and did not.
            Err(error) if self.goes_on_without_server(&error) => self.do_event(event),
            done => done,
        }
    }

    fn observe(&mut self) -> Result<Frame, DeviceError> {
        self.seen()
    }

    fn screenshot(&mut self) -> Result<Screenshot, DeviceError> {
        self.pictures.take()
    }

    fn save_snapshot(&mut self) -> Result<SnapshotId, DeviceError> {
        self.save_state()
    }

    fn restore_snapshot(&mut self, id: SnapshotId) -> Result<(), DeviceError> {
        self.restore_state(id)
    }

    fn drop_snapshot(&mut self, id: SnapshotId) {
        self.drop_state(id);
    }

    fn apps(&mut self) -> Result<Vec<InstalledApp>, DeviceError> {
        self.line.list_apps()
    }

    fn open(&mut self, app: &AppId) -> Result<(), DeviceError> {
        self.under_test.get_or_insert_with(|| app.clone());
        let component = self.component_of(app)?;
        self.bring_to_front(app, &component)
    }

    fn stop(&mut self, app: &AppId) -> Result<(), DeviceError> {
        self.line.file_of(app)?;
        self.frame = None;
        self.line.shell(&words(&["am", "force-stop", &app.0])?).map(|_| ())
    }

    fn kill(&mut self, app: &AppId) -> Result<(), DeviceError> {
        self.line.file_of(app)?;
        self.line.shell(&words(&["am", "kill", &app.0])?).map(|_| ())
    }

    fn clear(&mut self, app: &AppId) -> Result<(), DeviceError> {
        self.frame = None;
        self.clear_data(app)
    }

    fn set_permission(&mut self, app: &AppId, permission: &str, granted: bool) -> Result<(), DeviceError> {
        self.frame = None;
        self.line.change_permission(app, permission, granted)
    }

    fn install(&mut self, apk: &[u8]) -> Result<AppId, DeviceError> {
        self.frame = None;
        install_app(&self.line.link, apk, &*self.line.unwanted)
    }

    fn apk(&mut self, app: &AppId) -> Result<Vec<u8>, DeviceError> {
        self.line.pull_apk(app)
    }

    fn typeable(&self) -> Typeable {
        self.typing.typeable()
    }

    fn keyboard(&mut self) -> Result<Option<PxRect>, DeviceError> {
        self.line.keyboard_area(self.pictures.rotation())
    }

    fn look_again(&mut self) -> Result<(), DeviceError> {
        self.look_after("", Duration::ZERO)
    }

    fn screen_watcher(&mut self) -> Result<Option<Box<dyn ScreenWatcher>>, DeviceError> {
        let watcher = AdbScreenWatcher::new(self.line.clone(), self.pictures.another())?;
        #[cfg(feature = "scrcpy")]
        let watcher = watcher.with_scrcpy_in(self.scrcpy.clone());
        Ok(Some(Box::new(watcher)))
    }
}
