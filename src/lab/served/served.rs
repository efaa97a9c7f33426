//! The state that all streams of a served device share.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::faults::{Faults, Lock};
use super::files::{Files, SharedState};
use super::latency::pause;
use super::log::Log;
use super::memory::OutOfMemory;
use super::real_time::{self, Elapsed, RealTime};
use super::{Cost, Latency, Like};
use crate::apk::component::Component;
use crate::apk::helpers::{DROIDBOT_PACKAGE, Helper};
use crate::screen::around::{Around, is_notification_shade};
use crate::screen::touch_screen::TouchScreen;
use crate::system::programs::Programs;
use crate::system::settings::Settings;
use taproof_engine::agent::Announced;
use taproof_engine::device::{AppId, Device, DeviceError, InstalledApp};
use taproof_phone::Date;
use taproof_screen::determinism::DeviceInstant;
use taproof_screen::{
    DeviceDuration, Event, Gesture, Key, Layout, PxPoint, Selector, SystemEvent, TouchTarget,
};

/// A device with the state of the Android around it, behind a lock.
pub struct Served {
    state: Mutex<State>,
    like: Like,
    latency: Latency,
    /// How long the start of a virtual machine takes, in addition to the latency of the command that starts it.
    machine_start: Duration,
    /// The total latency of commands so far, in milliseconds.
    waited: Arc<AtomicU64>,
    /// The same counter as in [`State`].
    restarts: Arc<AtomicU64>,
    /// The clock that the device follows; `None` if its time passes only by events and waits.
    real_time: Option<RealTime>,
}

/// The device and the state of the Android around it; [`Served::lock`] gives it to one thread at a time.
pub struct State {
    /// The device that is served.
    pub device: Box<dyn Device>,
    /// The version of Android that it imitates.
    pub like: Like,
    /// The text in the clipboard.
    pub clipboard: String,
    /// The programs of clients that are running.
    pub programs: Programs,
    /// Toasts and notifications that the agent has not reported yet.
    pub announced: Vec<Announced>,
    /// The values of `settings`, by namespace and key.
    pub settings: Settings,
    /// The files that adb and the shell access.
    pub files: Files,
    /// What the files and the device have in common.
    pub(super) shared: SharedState,
    /// The log that `logcat` prints; `update_log` brings it up to date.
    pub log: Log,
    /// Apps that tools expect but the device cannot run, by package.
    pub helpers: BTreeMap<String, Helper>,
    /// The number of installations of each app, by package: Android chooses another path each time.
    pub installs: BTreeMap<String, u32>,
    /// Users besides the owner, by id: the name, the flags in hexadecimal, and the packages that somebody installed; those
    /// of the system are the owner's.
    pub users: BTreeMap<u32, (String, String, Vec<String>)>,
    /// The id of the user in front.
    pub front_user: u32,
    /// The activity that the home key shows.
    pub home: Component,
    /// Whether the screen is on.
    pub awake: bool,
    /// Whether the device was rebooted.
    pub rebooted: bool,
    /// The time from the first boot to the last one, in milliseconds.
    pub(super) booted_millis: u64,
    /// How many times adb's daemon was restarted.
    restarts: Arc<AtomicU64>,
    /// The surroundings of the apps, as far as they were changed through this module.
    pub around: Around,
    /// The touch screen that `sendevent` writes to.
    pub touch_screen: TouchScreen,
    /// The debugging port of a browser that draws the web pages of the app in front; `None` if that app does not let its
    /// pages be debugged.
    pub browser: Option<SocketAddr>,
    /// Faults that tests of clients switch on.
    pub faults: Faults,
    /// Further system properties, and lines at the end of what each `dumpsys` prints: what people's devices have and this
    /// one does not.
    pub planted: (BTreeMap<String, String>, Vec<String>),
    /// How many times `uiautomator dump` was started.
    pub dumps: u64,
    /// How many commands have started a virtual machine.
    pub machine_starts: u64,
    /// The same counter as in [`Served`].
    waited: Arc<AtomicU64>,
}

/// Why a setting cannot be changed.
#[derive(Debug, thiserror::Error)]
pub enum SettingError {
    /// There is no room for the value.
    #[error("android.database.sqlite.SQLiteFullException: database or disk is full (code 13 SQLITE_FULL)")]
    Full(#[from] OutOfMemory),
    /// The effect of the setting on the device failed.
    #[error("{0}")]
    Device(#[from] DeviceError),
}

impl Served {
    /// Serves a device as a current phone, without latencies.
    pub fn new(device: Box<dyn Device>) -> Self {
        Served::with(device, Like::default(), Latency::default())
    }

    /// Serves a device that imitates this version of Android, with these latencies.
    pub fn with(device: Box<dyn Device>, like: Like, latency: Latency) -> Self {
        let boot = Date::epoch_millis(DeviceInstant(0)) / 1000;
        let (waited, restarts) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let state = State {
            device,
            like,
            clipboard: String::new(),
            programs: Programs::default(),
            announced: Vec::new(),
            settings: Settings::new(like),
            files: Files::new(like, boot),
            shared: SharedState::default(),
            log: Log::default(),
            helpers: BTreeMap::from([(DROIDBOT_PACKAGE.to_owned(), Helper::droidbot())]),
            installs: BTreeMap::new(),
            users: BTreeMap::new(),
            front_user: 0,
            home: Component::new("org.taproof.launcher", ".Launcher"),
            awake: true,
            rebooted: false,
            booted_millis: 0,
            restarts: Arc::clone(&restarts),
            around: Around::default(),
            touch_screen: TouchScreen::default(),
            browser: None,
            faults: Faults::default(),
            planted: Default::default(),
            dumps: 0,
            machine_starts: 0,
            waited: Arc::clone(&waited),
        };
        Served {
            state: Mutex::new(state),
            like,
            latency,
            machine_start: Duration::ZERO,
            waited,
            restarts,
            real_time: None,
        }
    }

    /// Makes each start of a virtual machine take this long, as on a slow phone: `am`, `pm`, `input`, `settings` and others
    /// are Java programs, of which each call starts one.
    #[must_use]
    pub fn slow(mut self, machine_start: Duration) -> Self {
        self.machine_start = machine_start;
        self
    }

    /// Lets the device's time pass with that of its user from now on. Operations then no longer wait until the screen
    /// has settled.
    #[must_use]
    pub fn in_real_time(mut self, elapsed: Elapsed) -> Self {
        let mut state = self.lock();
        state.device.wait_until_settled(false);
        let clock = RealTime::from(elapsed, state.device.now());
        drop(state);
        self.real_time = Some(clock);
        self
    }

    /// Locks the state. A lock poisoned by a panic is taken nevertheless: its state is consistent, or nearly so.
    pub fn lock(&self) -> MutexGuard<'_, State> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(clock) = &self.real_time {
            clock.advance(&mut state);
        }
        state.share_files();
        state
    }

    /// Waits as long as a gesture takes, if the device's time is real. Otherwise each kind of event has its time.
    pub(crate) fn hold(&self, span: DeviceDuration, wanted: impl FnMut() -> bool) -> bool {
        const LONGEST: DeviceDuration = DeviceDuration(60_000);
        self.real_time.is_none() || real_time::wait(span.min(LONGEST), wanted)
    }

    /// Lets time pass on the device, at once unless its time is real. Returns false early once `wanted` does.
    pub(crate) fn pass(
        &self,
        span: DeviceDuration,
        wanted: impl FnMut() -> bool,
    ) -> Result<bool, DeviceError> {
        match self.real_time {
            Some(_) => Ok(real_time::wait(span, wanted)),
            None => self.lock().wait(span).map(|()| true),
        }
    }

    /// Whether a thread holds the lock.
    #[cfg(test)]
    pub(super) fn is_locked(&self) -> bool {
        matches!(self.state.try_lock(), Err(std::sync::TryLockError::WouldBlock))
    }

    /// The version of Android that the device imitates.
    pub fn like(&self) -> Like {
        self.like
    }

    /// The latencies of the device.
    pub fn latency(&self) -> Latency {
        self.latency
    }

    /// How many times adb's daemon was restarted, by a reboot or otherwise. Does not wait for the lock.
    pub(super) fn restarts(&self) -> u64 {
        self.restarts.load(Ordering::SeqCst)
    }

    /// Restarts adb's daemon, which ends the connections to it.
    pub(super) fn restart_daemon(&self) {
        self.restarts.fetch_add(1, Ordering::SeqCst);
    }

    /// Waits as long as the device would take. The wait ends early with false once `wanted` returns false.
    pub(crate) fn take_time(&self, cost: Cost, wanted: impl FnMut() -> bool) -> bool {
        self.wait(self.latency.of(self.like, cost), wanted)
    }

    /// Counts the start of a virtual machine and waits for it. The wait ends early with false once `wanted` returns false.
    pub(crate) fn start_machine(&self, wanted: impl FnMut() -> bool) -> bool {
        self.lock().machine_starts += 1;
        self.wait(self.machine_start, wanted)
    }

    /// Waits while the process of the system's services is dead. Returns false early once `wanted` does.
    pub(crate) fn await_services(&self, mut wanted: impl FnMut() -> bool) -> bool {
        const GLANCE: Duration = Duration::from_millis(20);
        while self.lock().faults.services.is_some() {
            if !wanted() {
                return false;
            }
            pause(GLANCE);
        }
        true
    }

    /// Takes one late answer, if the next one is to be late, and waits for it.
    pub(crate) fn be_late(&self, wanted: impl FnMut() -> bool) -> bool {
        let late = self.lock().faults.next_late();
        let Some(span) = late else { return true };
        self.wait(span, wanted)
    }

    fn wait(&self, span: Duration, wanted: impl FnMut() -> bool) -> bool {
        let finished = self.latency.wait_for(span, wanted);
        if self.real_time.is_some() {
            return finished;
        }
        self.waited.fetch_add(span.as_millis().try_into().unwrap_or(u64::MAX), Ordering::SeqCst);
        finished
    }

    /// The total latency of commands so far. The stages of a pipe wait concurrently but are all counted.
    pub fn waited(&self) -> Duration {
        Duration::from_millis(self.waited.load(Ordering::SeqCst))
    }
}

impl State {
    /// The API level that the device reports.
    pub fn sdk(&self) -> u32 {
        self.like.sdk(self.device.info().sdk)
    }

    /// The time since it was switched on in milliseconds, including the latencies of commands.
    pub(crate) fn uptime_millis(&self) -> u64 {
        let since_first_boot = self.device.now().millis().saturating_add(self.waited.load(Ordering::SeqCst));
        since_first_boot.saturating_sub(self.booted_millis)
    }

    /// Restarts adb's daemon, which ends the connections to it.
    pub(super) fn restart_daemon(&self) {
        self.restarts.fetch_add(1, Ordering::SeqCst);
    }

    /// The device's clock, in milliseconds since 1970.
    pub fn epoch_millis(&self) -> u64 {
        Date::epoch_millis(self.device.now())
    }

    /// The device's clock, in seconds since 1970.
    pub(crate) fn epoch_seconds(&self) -> u64 {
        self.epoch_millis() / 1000
    }

    /// The current layout of the screen.
    pub fn layout(&mut self) -> Result<Arc<Layout>, DeviceError> {
        Ok(self.device.observe()?.layout)
    }

    /// The apps that a person could start; empty if the device cannot list them.
    pub fn apps(&mut self) -> Vec<InstalledApp> {
        self.device.apps().unwrap_or_default()
    }

    /// The installed app with that package name, if any.
    pub fn app(&mut self, package: &str) -> Option<InstalledApp> {
        self.apps().into_iter().find(|app| app.id.0 == package)
    }

    /// Performs a gesture at a point of the screen in its current rotation. Has no effect while the screen is off or
    /// locked.
    pub fn gesture(&mut self, at: PxPoint, gesture: Gesture) -> Result<(), DeviceError> {
        let screen = self.layout()?.screen();
        let target = TouchTarget { selector: Selector::default(), at, screen };
        self.input(&Event::Widget { target, gesture })
    }

    /// Performs an input event. Has no effect while the screen is off or locked.
    pub fn input(&mut self, event: &Event) -> Result<(), DeviceError> {
        if self.awake && self.faults.lock == Lock::Open { self.device.perform(event) } else { Ok(()) }
    }

    /// Dismisses a lock screen without a code. One that requires a code remains.
    pub(crate) fn dismiss_lock(&mut self) {
        if self.awake && self.faults.lock == Lock::Swipe {
            self.faults.lock = Lock::Open;
        }
    }

    /// Closes the list of notifications if it is open.
    pub(crate) fn close_notifications(&mut self) -> Result<(), DeviceError> {
        let open = is_notification_shade(&*self.layout()?);
        if open { self.device.perform(&Event::Key(Key::Back)) } else { Ok(()) }
    }

    /// Advances the device's clock.
    pub fn wait(&mut self, span: DeviceDuration) -> Result<(), DeviceError> {
        self.device.perform(&Event::Wait(span))
    }

    /// Rotates the device to a rotation in quarter turns, unless it is in it already. It only has an upright and a
    /// sideways one.
    pub fn rotate(&mut self, quarters: u8) -> Result<(), DeviceError> {
        let sideways = quarters % 2 == 1;
        if self.layout()?.rotation().sideways() == sideways {
            return Ok(());
        }
        self.device.perform(&Event::Rotate)
    }

    /// Stops an app and clears its data, and resets the surroundings.
    pub fn clear(&mut self, app: &AppId) -> Result<(), DeviceError> {
        self.device.clear(app)?;
        self.around = Around::default();
        Ok(())
    }

    /// Adds the device's new log lines to the log; to be called before the log is read.
    pub(crate) fn update_log(&mut self) {
        // A device without a log yields nothing.
        let lines = self.device.logs().unwrap_or_default();
        let year = Date::at(self.device.now()).year;
        self.log.take_in(&lines, year);
    }

    /// The value of a setting; `None` if it is not set.
    pub fn setting(&self, namespace: &str, key: &str) -> Option<&str> {
        self.settings.get(namespace, key)
    }

    /// Changes a setting and applies its effects; `None` deletes it.
    pub(crate) fn set_setting(
        &mut self,
        namespace: &str,
        key: &str,
        value: Option<&str>,
    ) -> Result<(), SettingError> {
        self.settings.set(namespace, key, value)?;
        match (namespace, key) {
            // With auto-rotation the device stays in its current rotation.
            ("system", "accelerometer_rotation" | "user_rotation") => {
                if self.setting("system", "accelerometer_rotation") == Some("0") {
                    let quarters = self.setting("system", "user_rotation").and_then(|turn| turn.parse().ok());
                    self.rotate(quarters.unwrap_or(0))?;
                }
                Ok(())
            }
            ("system", "font_scale") => Ok(self.set_font_scale(value)?),
            ("system", "time_12_24") => Ok(self.switch(SystemEvent::HourFormat, value == Some("12"))?),
            ("secure", "location_mode") => Ok(self.switch(SystemEvent::Location, value == Some("0"))?),
            _ => Ok(()),
        }
    }
}
