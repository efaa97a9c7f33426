//! The phone around the apps: the app in front, the clock, rotation, keys, crashes, snapshots.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use taproof_engine::device::{
    AppData, AppFile, AppId, Device, DeviceError, DeviceInfo, InstalledApp, Screenshot, SharedChange,
    SharedFile, SnapshotId,
};
use taproof_screen::determinism::{DeviceDuration, DeviceInstant};
use taproof_screen::{
    AppHealth, CodePoint, CrashReport, Direction, Event, Frame, Gesture, Key, PxPoint, PxRect, PxSize, Text,
};

use super::app::{App, BugSet, Manifest, Package, SystemOp};
use super::dump::{Names, layout_of};
use super::render::draw;
use super::{Date, Settings};
use crate::PX_PER_DP;
use crate::system::keyboard::{height_px, key_at, keyboard};
use crate::system::logcat::{Logcat, write_anr, write_crash};
use crate::system::process::{Configuration, KeyboardState, Process, Request, Room};
use crate::system::running::Running;
use crate::system::system_ui::{ERRORS, Launcher, LauncherPage, PERMISSIONS, Prompt, Shortcut};
use crate::toolkit::fonts::Fonts;
use crate::toolkit::scene::{KeyAction, Scene};

/// Size of the screen in portrait orientation.
const SCREEN: PxSize = PxSize { width: 1080, height: 1920 };
const STATUS_BAR_PX: i32 = 24 * PX_PER_DP;
const NAVIGATION_BAR_PX: i32 = 48 * PX_PER_DP;
/// How long the phone is left alone after an event. While a progress ring is shown, it then waits for up to
/// [`LONGEST_LOADING`] more. (PBFDroid waits similarly: 1 s, then up to ten polls of 1 s.)
const QUIET: DeviceDuration = DeviceDuration(1000);
const LONGEST_LOADING: DeviceDuration = DeviceDuration(10_000);
/// How long Android waits for an app before it reports an ANR.
const ANR_TIMEOUT: DeviceDuration = DeviceDuration(5000);
const TOAST_TIME: DeviceDuration = DeviceDuration(3500);
/// Index of the launcher among the apps.
pub(super) const LAUNCHER: usize = 0;

/// The bundled phone. Operations take only simulated time.
pub struct Phone {
    pub(super) info: DeviceInfo,
    fonts: Arc<Fonts>,
    names: Names,
    log: Logcat,
    pub(super) state: State,
    snapshots: BTreeMap<SnapshotId, State>,
    next_snapshot: u64,
    /// What the app under test has executed since this was last taken. It is not part of the state, so restoring a
    /// snapshot does not undo it.
    executed: BTreeSet<CodePoint>,
    /// Whether operations wait until the screen has settled.
    waits: bool,
    /// The last observed frame. `None` if anything has happened since.
    pub(super) frame: Option<Frame>,
}

/// Everything that a snapshot contains.
pub(super) struct State {
    now: DeviceInstant,
    pub(super) config: Configuration,
    pub(super) network: bool,
    pub(super) settings: Settings,
    /// The installed apps. The first is the launcher.
    pub(super) apps: Vec<Box<dyn Process>>,
    /// Indices of the apps that were uninstalled. Their files stay in the program, and so they can be installed again.
    pub(super) uninstalled: BTreeSet<usize>,
    pub(super) front: usize,
    /// The open dialogs of the system, the topmost last.
    pub(super) overlays: Vec<Overlay>,
    /// Indices of the apps that were in front, the latest last.
    pub(super) recent: Vec<usize>,
    /// Index of the app last launched through the device.
    pub(super) under_test: Option<usize>,
    pub(super) failure: Option<AppHealth>,
    pub(super) toast: Option<(String, DeviceInstant)>,
}

/// A dialog of the system above the app that it is about.
pub(super) struct Overlay {
    process: Box<dyn Process>,
    app: usize,
    permission: Option<&'static str>,
}

impl Clone for Overlay {
    fn clone(&self) -> Self {
        Overlay { process: self.process.clone_box(), app: self.app, permission: self.permission }
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        State {
            now: self.now,
            config: self.config,
            network: self.network,
            settings: self.settings,
            apps: self.apps.iter().map(|app| app.clone_box()).collect(),
            uninstalled: self.uninstalled.clone(),
            front: self.front,
            overlays: self.overlays.clone(),
            recent: self.recent.clone(),
            under_test: self.under_test,
            failure: self.failure.clone(),
            toast: self.toast.clone(),
        }
    }
}

impl Phone {
    /// Creates a running phone with no app but the launcher.
    pub fn new(fonts: Arc<Fonts>) -> Self {
        let info = DeviceInfo {
            serial: "bundled".to_owned(),
            model: "Taproof bundled phone".to_owned(),
            sdk: 34,
            screen: SCREEN,
            snapshots: true,
            live: true,
        };
        let state = State {
            now: DeviceInstant(0),
            config: Configuration::default(),
            network: true,
            settings: Settings::default(),
            apps: vec![Box::new(Running::of_system(Launcher::default()))],
            uninstalled: BTreeSet::new(),
            front: LAUNCHER,
            overlays: Vec::new(),
            recent: Vec::new(),
            under_test: None,
            failure: None,
            toast: None,
        };
        let names = Names::default();
        let (log, snapshots, executed) = (Logcat::default(), BTreeMap::new(), BTreeSet::new());
        Phone {
            info,
            fonts,
            names,
            log,
            state,
            snapshots,
            next_snapshot: 0,
            executed,
            waits: true,
            frame: None,
        }
    }

    /// Installs an app with these bugs switched on. An installed one is reinstalled with empty data.
    pub fn install<A: Package>(&mut self, bugs: &BugSet) {
        self.install_made(A::manifest(), A::install, bugs);
    }

    /// Installs an app that is made as this says, with these bugs switched on. An installed one is reinstalled with empty
    /// data. For apps that are data: of a type, there may be several.
    pub fn install_made<A: App>(
        &mut self,
        manifest: &'static Manifest,
        make: impl Fn(&BugSet) -> A + Send + Sync + 'static,
        bugs: &BugSet,
    ) {
        self.install_process(Box::new(Running::installed(manifest, Arc::new(make), bugs)));
    }

    /// Installs an app, or installs it again with empty data.
    fn install_process(&mut self, process: Box<dyn Process>) {
        match self.known(process.manifest().package) {
            Some(place) => {
                self.state.apps[place] = process;
                self.state.uninstalled.remove(&place);
            }
            None => self.state.apps.push(process),
        }
        self.frame = None;
        self.start_launcher(LauncherPage::Home);
    }

    /// The packages of the installed apps, without the launcher.
    pub fn installed(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.installed_indices().map(|index| self.state.apps[index].manifest().package)
    }

    /// The indices of the installed apps, without the launcher.
    pub(super) fn installed_indices(&self) -> impl Iterator<Item = usize> + '_ {
        (1..self.state.apps.len()).filter(|index| !self.state.uninstalled.contains(index))
    }

    /// The index of an installed app.
    pub(super) fn find(&self, package: &str) -> Option<usize> {
        self.known(package).filter(|index| !self.state.uninstalled.contains(index))
    }

    /// The index of an app, whether or not it is installed at the moment.
    pub(super) fn known(&self, package: &str) -> Option<usize> {
        self.state.apps.iter().position(|app| app.manifest().package == package)
    }

    fn shortcut(&self, index: usize) -> Shortcut {
        let manifest = self.state.apps[index].manifest();
        Shortcut {
            label: manifest.label,
            package: manifest.package,
            icon: manifest.icon,
            color: manifest.accent,
        }
    }

    /// Recreates the launcher with the currently installed and recent apps, and shows it.
    pub(super) fn start_launcher(&mut self, page: LauncherPage) {
        let apps = self.installed_indices().map(|index| self.shortcut(index)).collect();
        let alive = self.state.recent.iter().rev().filter(|index| self.state.apps[**index].alive());
        let recent = alive.map(|index| self.shortcut(*index)).collect();
        let mut launcher = Running::of_system(Launcher { apps, recent });
        launcher.start_at(LauncherPage::Home, self.state.config);
        if page == LauncherPage::Recents {
            launcher.start_at(page, self.state.config);
        }
        self.state.apps[LAUNCHER] = Box::new(launcher);
        self.state.front = LAUNCHER;
        self.state.overlays.clear();
    }

    fn screen(&self) -> PxSize {
        SCREEN.rotated(self.state.config.rotation)
    }

    /// Returns the process that receives input, and the space available to it.
    pub(super) fn active(&mut self) -> (&mut dyn Process, Room<'_>) {
        let screen = self.screen();
        let split = self.state.config.split;
        let bottom = if split { screen.height / 2 } else { screen.height - NAVIGATION_BAR_PX };
        let room = Room {
            fonts: &self.fonts,
            screen,
            config: self.state.config,
            network: self.state.network,
            settings: self.state.settings,
            app: PxRect::new(0, STATUS_BAR_PX, screen.width, bottom),
            keyboard_height: height_px(self.state.config.rotation.sideways()),
            now: self.state.now,
        };
        let process = match self.state.overlays.last_mut() {
            Some(overlay) => &mut *overlay.process,
            None => &mut *self.state.apps[self.state.front],
        };
        (process, room)
    }

    pub(super) fn with_app<T>(
        &mut self,
        index: usize,
        work: impl FnOnce(&mut dyn Process, &Room<'_>) -> T,
    ) -> T {
        let overlays = std::mem::take(&mut self.state.overlays);
        let front = std::mem::replace(&mut self.state.front, index);
        let (process, room) = self.active();
        let result = work(process, &room);
        self.state.front = front;
        self.state.overlays = overlays;
        result
    }

    /// Tells the app in front something, and executes what it requests then.
    pub(super) fn inform_front(&mut self, work: impl FnOnce(&mut dyn Process, &Room<'_>)) {
        let front = self.state.front;
        self.with_app(front, work);
        self.answer_requests(front);
    }

    /// Executes what an app and the topmost dialog have requested.
    pub(super) fn answer_requests(&mut self, app: usize) {
        let requests = self.state.apps[app].take_requests();
        for request in requests {
            self.answer(app, request);
        }
        let asked = match self.state.overlays.last_mut() {
            Some(overlay) => overlay.process.take_requests(),
            None => return,
        };
        for request in asked {
            self.answer(app, request);
        }
    }

    fn answer(&mut self, app: usize, request: Request) {
        let package = self.state.apps[app].manifest().package;
        match request {
            Request::Toast(text) => self.state.toast = Some((text, self.state.now + TOAST_TIME)),
            Request::Log(level, tag, text) => self.log.write(self.state.now, pid(app), level, tag, &text),
            Request::Gone => {
                if self.state.front == app && app != LAUNCHER {
                    self.start_launcher(LauncherPage::Home);
                }
            }
            Request::Permission(permission) => {
                let label = self.state.apps[app].manifest().label;
                let words = self.state.config.language.words();
                let title = words.may_the_app(label, permission);
                let buttons = vec![
                    (words.deny, SystemOp::AnswerPermission(false)),
                    (words.allow, SystemOp::AnswerPermission(true)),
                ];
                self.show_overlay(Running::of_system(Prompt::<PERMISSIONS>::new(title, buttons)), app);
                if let Some(overlay) = self.state.overlays.last_mut() {
                    overlay.permission = Some(permission);
                }
            }
            Request::Crash(crash) => {
                let report = write_crash(&mut self.log, self.state.now, pid(app), package, &crash);
                self.state.apps[app].stop();
                let words = self.state.config.language.words();
                self.fail(
                    app,
                    AppHealth::Crashed(report),
                    words.has_stopped,
                    SystemOp::RestartApp,
                    words.open_again,
                );
            }
            Request::System(op) => self.system(app, op),
        }
    }

    pub(super) fn show_overlay<A: Package>(&mut self, mut process: Running<A>, app: usize) {
        let (_, room) = self.active();
        process.start(&room);
        self.state.overlays.push(Overlay { process: Box::new(process), app, permission: None });
    }

    fn fail(&mut self, app: usize, health: AppHealth, what: &str, other: SystemOp, label: &'static str) {
        if self.state.under_test == Some(app) {
            self.state.failure = Some(health);
        }
        if !self.state.apps[app].alive() && self.state.front == app {
            self.start_launcher(LauncherPage::Home);
        }
        let title = format!("{} {what}", self.state.apps[app].manifest().label);
        let close = self.state.config.language.words().close_app;
        let buttons = vec![(close, SystemOp::CloseApp), (label, other)];
        self.show_overlay(Running::of_system(Prompt::<ERRORS>::new(title, buttons)), app);
    }

    fn system(&mut self, app: usize, op: SystemOp) {
        let spoken_of = self.state.overlays.last().map_or(app, |overlay| overlay.app);
        match op {
            SystemOp::LaunchApp(package) => {
                if let Some(index) = self.find(&package) {
                    self.bring_to_front(index);
                }
            }
            SystemOp::AnswerPermission(granted) => {
                let overlay = self.state.overlays.pop();
                if let Some(permission) = overlay.and_then(|overlay| overlay.permission) {
                    self.with_app(spoken_of, |process, room| {
                        process.permission_answer(permission, granted, room);
                    });
                    self.answer_requests(spoken_of);
                }
            }
            SystemOp::CloseApp => {
                self.state.overlays.clear();
                self.state.apps[spoken_of].stop();
                self.start_launcher(LauncherPage::Home);
            }
            SystemOp::RestartApp => {
                self.state.overlays.clear();
                self.bring_to_front(spoken_of);
            }
            SystemOp::Dismiss => {
                if let Some(closed) = self.state.overlays.pop() {
                    let by = closed.process.manifest().package;
                    self.with_app(spoken_of, |process, room| process.uncovered(by, room));
                    self.answer_requests(spoken_of);
                }
            }
            SystemOp::AnswerCall => self.in_a_call(),
        }
    }

    pub(super) fn bring_to_front(&mut self, index: usize) {
        self.state.overlays.clear();
        self.state.front = index;
        self.state.recent.retain(|recent| *recent != index);
        self.state.recent.push(index);
        let alive = self.state.apps[index].alive();
        self.with_app(
            index,
            |process, room| {
                if alive { process.came_to_front(room) } else { process.start(room) }
            },
        );
        self.answer_requests(index);
    }

    /// Advances the clock, executing pending work when it is due.
    fn run_until(&mut self, end: DeviceInstant) {
        loop {
            let due =
                self.state.apps.iter().enumerate().filter_map(|(index, app)| Some((app.next_due()?, index)));
            match due.min() {
                Some((due, index)) if due <= end => {
                    self.state.now = due.max(self.state.now);
                    self.with_app(index, |process, room| process.run_due(room));
                    self.answer_requests(index);
                }
                _ => break,
            }
        }
        self.state.now = end.max(self.state.now);
        self.active().0.time_passed();
    }

    pub(super) fn settle(&mut self, cost_millis: u64) {
        self.frame = None;
        let quiet = if self.waits { QUIET } else { DeviceDuration(0) };
        self.run_until(self.state.now + DeviceDuration::from_millis(cost_millis) + quiet);
        let patience = self.state.now + LONGEST_LOADING;
        while self.waits && self.state.now < patience && self.loading() {
            let pending = self.state.apps.iter().any(|app| app.next_due().is_some());
            let end = if pending { self.state.now + QUIET } else { patience };
            self.run_until(end.min(patience));
        }
        if self.state.toast.as_ref().is_some_and(|(_, end)| *end <= self.state.now) {
            self.state.toast = None;
        }
    }

    fn loading(&mut self) -> bool {
        let (process, room) = self.active();
        process.top(&room).views.iter().any(|view| view.class == "android.widget.ProgressBar")
    }

    /// Handles input to an app whose main thread is blocked: waits as Android does, then reports an ANR.
    fn not_responding(&mut self, reason: &'static str) {
        let app = self.state.front;
        self.run_until(self.state.now + ANR_TIMEOUT);
        let manifest = self.state.apps[app].manifest();
        let activity = self.state.apps[app].activity();
        let report: Arc<CrashReport> =
            write_anr(&mut self.log, self.state.now, pid(app), manifest.package, activity, reason);
        let health = AppHealth::NotResponding(report);
        let words = self.state.config.language.words();
        self.fail(app, health, words.not_responding, SystemOp::Dismiss, words.wait);
    }

    /// Sends input to the topmost dialog of the system, or else to the app in front.
    fn input(&mut self, work: impl FnOnce(&mut dyn Process, &Room<'_>)) {
        let overlaid = !self.state.overlays.is_empty();
        if let (false, Some(reason)) = (overlaid, self.state.apps[self.state.front].hung()) {
            self.not_responding(reason);
            return;
        }
        let app = self.state.front;
        let (process, room) = self.active();
        work(process, &room);
        self.answer_requests(app);
    }

    fn touch(&mut self, at: PxPoint, long: bool) {
        let screen = self.screen();
        if at.y >= screen.height - NAVIGATION_BAR_PX {
            let key = match at.x * 3 / screen.width.max(1) {
                0 => Key::Back,
                1 => Key::Home,
                _ => Key::Recents,
            };
            self.key(key);
            return;
        }
        if at.y < STATUS_BAR_PX {
            return;
        }
        match self.key_cap_at(at) {
            Some(cap) => self.input(|process, room| press(process, cap, room)),
            None => self.input(|process, room| process.tap(at, long, room)),
        }
    }

    fn key_cap_at(&mut self, at: PxPoint) -> Option<KeyAction> {
        let (process, room) = self.active();
        let state = process.keyboard()?;
        let action = process.ime(&room);
        key_at(&keyboard(room.app, room.config.rotation.sideways(), state, action), at)
    }

    fn key(&mut self, key: Key) {
        match key {
            Key::Back => self.input(|process, room| process.back(room)),
            Key::Home => self.start_launcher(LauncherPage::Home),
            Key::Recents => self.start_launcher(LauncherPage::Recents),
            Key::ImeAction => self.input(|process, room| process.ime_action(room)),
            Key::Delete => self.input(|process, room| process.delete_char(room)),
            Key::Enter => self.input(|process, room| process.enter_key(room)),
            Key::Menu => self.input(|process, room| process.menu_key(room)),
            Key::Tab => self.input(|process, room| process.move_focus(None, room)),
            Key::DpadUp => self.input(|process, room| process.move_focus(Some(Direction::Up), room)),
            Key::DpadDown => self.input(|process, room| process.move_focus(Some(Direction::Down), room)),
            Key::DpadLeft => self.input(|process, room| process.move_focus(Some(Direction::Left), room)),
            Key::DpadRight => self.input(|process, room| process.move_focus(Some(Direction::Right), room)),
            Key::DpadCenter => self.input(|process, room| process.center_key(room)),
            // No app handles these keys, so nothing happens.
            Key::Search | Key::VolumeUp | Key::VolumeDown => {}
        }
    }

    fn gesture(&mut self, at: PxPoint, gesture: &Gesture) -> u64 {
        match gesture {
            Gesture::Tap => {
                self.touch(at, false);
                100
            }
            Gesture::LongPress => {
                self.touch(at, true);
                700
            }
            Gesture::SetText(text) => {
                self.input(|process, room| process.set_text(at, text, room));
                300
            }
            Gesture::Swipe(direction) => {
                self.input(|process, room| process.swipe(at, *direction, room));
                300
            }
            Gesture::Drag(to) => {
                let aside = to.x - at.x;
                if aside.abs() > 2 * (to.y - at.y).abs() {
                    let direction = if aside < 0 { Direction::Left } else { Direction::Right };
                    self.input(|process, room| process.swipe(at, direction, room));
                } else {
                    self.input(|process, room| process.scroll(at, at.y - to.y, room));
                }
                300
            }
        }
    }

    /// Applies a change of rotation, language or dark mode.
    pub(super) fn configure(&mut self, config: Configuration) {
        if config == self.state.config {
            return;
        }
        self.state.config = config;
        let mut overlays = std::mem::take(&mut self.state.overlays);
        for overlay in &mut overlays {
            let (_, room) = self.active();
            overlay.process.reconfigured(&room);
        }
        self.state.overlays = overlays;
        self.inform_front(|process, room| process.reconfigured(room));
    }

    fn restart(&mut self, index: usize, data: AppData) {
        self.state.failure = None;
        self.state.overlays.clear();
        self.state.toast = None;
        self.state.apps[index].stop();
        if data != AppData::Keep {
            self.forget_tests(index, data);
        }
        self.bring_to_front(index);
        self.settle(800);
    }

    /// Clears what earlier tests may have changed around this app and, if its data are to be cleared, in it.
    pub(super) fn forget_tests(&mut self, index: usize, data: AppData) {
        for (other, app) in self.state.apps.iter_mut().enumerate() {
            let clears = if other == index { data == AppData::Clear } else { app.used() };
            if clears {
                app.clear_data();
            }
        }
        self.state.config = Configuration::default();
        self.state.network = true;
        self.state.settings = Settings::default();
        self.state.recent.clear();
        self.start_launcher(LauncherPage::Home);
    }

    fn health(&self, activity: &Text) -> AppHealth {
        if let Some(failure) = &self.state.failure {
            return failure.clone();
        }
        let speaks_of_it =
            self.state.overlays.last().is_some_and(|overlay| Some(overlay.app) == self.state.under_test);
        if Some(self.state.front) == self.state.under_test || speaks_of_it {
            AppHealth::Running
        } else {
            AppHealth::LeftApp(Text::clone(activity))
        }
    }

    /// Makes this app the one whose health and executed code are reported.
    pub(super) fn test(&mut self, index: usize) {
        self.collect_executed();
        if self.state.under_test.replace(index) != Some(index) {
            self.executed.clear();
        }
    }

    /// Collects executed code points from the apps, since snapshots copy the apps' state.
    pub(super) fn collect_executed(&mut self) {
        for (index, app) in self.state.apps.iter_mut().enumerate() {
            let executed = app.take_executed();
            if Some(index) == self.state.under_test {
                self.executed.extend(executed);
            }
        }
    }

    /// The current contents of the screen, for drawing.
    pub fn scene(&mut self) -> Scene {
        let screen = self.screen();
        let front = self.state.front;
        let mut windows = self.with_app(front, |process, room| process.windows(room));
        let status_color = self.state.apps[front].manifest().accent;
        let (process, room) = self.active();
        let state = process.keyboard();
        let action = process.ime(&room);
        let keyboard = state.map(|state| keyboard(room.app, room.config.rotation.sideways(), state, action));
        for overlay in &self.state.overlays.clone() {
            let mut process = overlay.process.clone_box();
            let (_, room) = self.active();
            windows.extend(process.windows(&room));
        }
        Scene {
            screen,
            rotation: self.state.config.rotation,
            network: self.state.network,
            clock: Date::local(self.state.now, self.state.settings).clock_of(self.state.settings),
            status_color,
            windows,
            keyboard,
            toast: self.state.toast.as_ref().map(|(text, _)| text.clone()),
        }
    }
}

/// The process id of an app. Ids are fixed, since nothing on this phone depends on them.
pub(super) fn pid(app: usize) -> u32 {
    4321 + 100 * app as u32
}

fn press(process: &mut dyn Process, cap: KeyAction, room: &Room<'_>) {
    let state = process.keyboard().unwrap_or_default();
    match cap {
        KeyAction::Char(char) => {
            process.type_text(char.encode_utf8(&mut [0; 4]), room);
            if process.keyboard().is_some() {
                process.set_keyboard(Some(KeyboardState { shift: false, ..state }));
            }
        }
        KeyAction::Space => process.type_text(" ", room),
        KeyAction::Delete => process.delete_char(room),
        KeyAction::Shift(on) => process.set_keyboard(Some(KeyboardState { shift: !on, ..state })),
        KeyAction::Symbols(on) => process.set_keyboard(Some(KeyboardState { symbols: !on, ..state })),
        KeyAction::Action(_) => process.ime_action(room),
    }
}

impl Device for Phone {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn now(&self) -> DeviceInstant {
        self.state.now
    }

    fn launch(&mut self, app: &AppId, data: AppData) -> Result<(), DeviceError> {
        let index = self.place_of(app)?;
        self.test(index);
        self.restart(index, data);
        Ok(())
    }

    fn apps(&mut self) -> Result<Vec<InstalledApp>, DeviceError> {
        Ok(self.installed_apps())
    }

    fn open(&mut self, app: &AppId) -> Result<(), DeviceError> {
        self.open_app(app)
    }

    fn stop(&mut self, app: &AppId) -> Result<(), DeviceError> {
        self.stop_app(app)
    }

    fn kill(&mut self, app: &AppId) -> Result<(), DeviceError> {
        self.kill_app(app)
    }

    fn clear(&mut self, app: &AppId) -> Result<(), DeviceError> {
        self.clear_app(app)
    }

    fn set_permission(&mut self, app: &AppId, permission: &str, granted: bool) -> Result<(), DeviceError> {
        self.set_app_permission(app, permission, granted)
    }

    fn holds_permissions(&mut self) -> Result<bool, DeviceError> {
        let app = self.state.under_test.map(|app| &self.state.apps[app]);
        Ok(app.is_some_and(|app| !app.granted().is_empty()))
    }

    fn install(&mut self, apk: &[u8]) -> Result<AppId, DeviceError> {
        self.install_apk(apk)
    }

    fn uninstall(&mut self, app: &AppId, data: AppData) -> Result<(), DeviceError> {
        self.uninstall_app(app, data)
    }

    fn app_file(&mut self, app: &AppId) -> Result<AppFile, DeviceError> {
        self.declared(app)
    }

    fn shared_stamp(&mut self) -> Option<u64> {
        self.shared_storage().map(|(_, storage)| storage.stamp())
    }

    fn shared_files(&mut self) -> Vec<SharedFile> {
        self.shared_storage().map(|(_, storage)| storage.files()).unwrap_or_default()
    }

    fn change_shared_file(&mut self, change: &SharedChange) {
        self.change_shared(change);
    }

    fn open_notifications(&mut self) -> Result<(), DeviceError> {
        self.show_notifications();
        self.settle(300);
        Ok(())
    }

    fn keyboard(&mut self) -> Result<Option<PxRect>, DeviceError> {
        let (process, room) = self.active();
        let sideways = room.config.rotation.sideways();
        Ok(process.keyboard().map(|state| keyboard(room.app, sideways, state, None).bounds))
    }

    fn wait_until_settled(&mut self, waits: bool) {
        self.waits = waits;
    }

    fn perform(&mut self, event: &Event) -> Result<(), DeviceError> {
        let cost = match event {
            Event::Widget { target, gesture } => {
                // A point is meaningless on a screen of another size.
                if target.screen == self.screen() { self.gesture(target.at, gesture) } else { 100 }
            }
            Event::Type(text) => {
                self.input(|process, room| process.type_text(text, room));
                300
            }
            Event::Key(key) => {
                self.key(*key);
                100
            }
            Event::Rotate => {
                let rotation = self.state.config.rotation.turned();
                self.configure(Configuration { rotation, ..self.state.config });
                500
            }
            Event::Wait(span) => span.millis(),
            Event::Relaunch => {
                if let Some(index) = self.state.under_test {
                    self.restart(index, AppData::Keep);
                }
                return Ok(());
            }
            Event::System(what) => self.system_event(*what),
            Event::OpenLink(_) => return Err(self.info.cannot("open links: its apps take none")),
        };
        self.settle(cost);
        Ok(())
    }

    fn observe(&mut self) -> Result<Frame, DeviceError> {
        if let Some(frame) = &self.frame {
            return Ok(frame.clone());
        }
        let (screen, rotation) = (self.screen(), self.state.config.rotation);
        let mut names = std::mem::take(&mut self.names);
        let front = self.state.apps[self.state.front].manifest().package;
        let class = self.state.apps[self.state.front].activity();
        let activity = names.activity(front, class);
        let (process, room) = self.active();
        let manifest = process.manifest();
        let packages = (manifest.package, manifest.resources.unwrap_or(manifest.package));
        let window = process.top(&room);
        let layout = layout_of(window, packages, Text::clone(&activity), screen, rotation, &mut names);
        self.names = names;
        let frame = Frame { layout: Arc::new(layout), health: self.health(&activity), at: self.state.now };
        self.frame = Some(frame.clone());
        Ok(frame)
    }

    fn screenshot(&mut self) -> Result<Screenshot, DeviceError> {
        let scene = self.scene();
        Ok(draw(&scene, &self.fonts))
    }

    fn save_snapshot(&mut self) -> Result<SnapshotId, DeviceError> {
        self.collect_executed();
        self.next_snapshot += 1;
        let id = SnapshotId(self.next_snapshot);
        self.snapshots.insert(id, self.state.clone());
        Ok(id)
    }

    fn restore_snapshot(&mut self, id: SnapshotId) -> Result<(), DeviceError> {
        self.collect_executed();
        let missing = || self.info.no_snapshot(id);
        self.state = self.snapshots.get(&id).ok_or_else(missing)?.clone();
        self.frame = None;
        Ok(())
    }

    fn drop_snapshot(&mut self, id: SnapshotId) {
        self.snapshots.remove(&id);
    }

    fn logs(&mut self) -> Result<Vec<String>, DeviceError> {
        Ok(self.log.take())
    }

    fn resume_clock(&mut self, at: DeviceInstant) -> bool {
        self.state.now = self.state.now.max(at);
        self.frame = None;
        true
    }

    fn code_points(&self) -> u32 {
        self.state.under_test.map_or(0, |app| self.state.apps[app].manifest().points.len() as u32)
    }

    fn take_coverage(&mut self) -> Result<Vec<CodePoint>, DeviceError> {
        self.collect_executed();
        Ok(std::mem::take(&mut self.executed).into_iter().collect())
    }
}
