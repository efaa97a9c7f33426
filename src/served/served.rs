//! What all streams of a served device share.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::component::Component;
use super::files::Files;
use super::log::Log;
use super::memory::{CountedMap, Memory, OutOfMemory};
use super::properties::{PROPERTY_BYTES, initial_settings};
use super::touch_screen::TouchScreen;
use super::{Cost, Latency, Like, droidbot, uiautomator2};
use taproof_core::determinism::DeviceInstant;
use taproof_core::device::{AppId, Device, DeviceError, InstalledApp};
use taproof_core::model::{DeviceDuration, Event, Gesture, Layout, PxPoint, Selector, SystemEvent, Target};
use taproof_phone::Date;

/// Who holds the device's only connection for automation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Automation {
    /// Nobody.
    Free,
    /// The uiautomator2 server.
    Uiautomator2,
}

/// A device and what Android keeps around it. One at a time works with it.
pub struct Served {
    state: Mutex<State>,
    memory: Memory,
    like: Like,
    latency: Latency,
    /// What commands took by the latencies so far, in milliseconds.
    waited: Arc<AtomicU64>,
}

/// What is behind the lock.
pub struct State {
    /// The device.
    pub device: Box<dyn Device>,
    /// Which Android it answers as.
    pub like: Like,
    /// What was copied last.
    pub clipboard: String,
    /// Who may dump layouts.
    pub automation: Automation,
    /// What the uiautomator2 server keeps between calls.
    pub uiautomator2: uiautomator2::Session,
    /// The scrcpy servers that run.
    #[cfg(feature = "scrcpy")]
    pub(super) scrcpy: super::scrcpy::Servers,
    /// `settings` by namespace and key.
    pub settings: CountedMap<(String, String)>,
    /// What `setprop` changed.
    pub properties: CountedMap<String>,
    /// Its files.
    pub files: Files,
    /// Its log.
    pub log: Log,
    /// Apps that the device cannot run but tools want to find on it, by package.
    pub helpers: BTreeMap<String, Helper>,
    /// How often each app was installed here, by package: Android puts it to another place each time.
    pub installs: BTreeMap<String, u32>,
    /// The activity that the home key shows.
    pub home: Component,
    /// Whether the screen is on.
    pub awake: bool,
    /// Whether somebody ran `reboot`; nothing else happens then.
    pub rebooted: bool,
    /// What happens around the apps, as far as it was asked for here.
    pub around: Around,
    /// A finger that `input motionevent DOWN` has put down.
    pub finger: Option<Finger>,
    /// What a hand does on it.
    pub touch_screen: TouchScreen,
    /// What goes wrong on purpose, for the tests of clients.
    pub faults: Faults,
    /// How often `uiautomator dump` began.
    pub dumps: u64,
    /// The same as of the device.
    waited: Arc<AtomicU64>,
}

/// An app that the device cannot run but tools want to find on it: it has a package and does nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Helper {
    /// The class of its accessibility service in full.
    pub service: Option<String>,
    /// The id of its keyboard, such as `org.ex/.Keyboard`. Once it is chosen, the broadcasts of the usual helper
    /// keyboards type.
    pub keyboard: Option<String>,
}

/// What happens around the apps. The device cannot be asked for it, so it is kept here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Around {
    /// Whether there is a network.
    pub network: bool,
    /// Whether dark mode is on.
    pub dark: bool,
    /// Which of the device's languages it speaks, from 0.
    pub language: usize,
    /// How full the battery is, in percent.
    pub battery: u32,
}

impl Default for Around {
    fn default() -> Self {
        Around { network: true, dark: false, language: 0, battery: 100 }
    }
}

/// A finger on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finger {
    /// Where it came down.
    pub start: PxPoint,
    /// When.
    pub at: DeviceInstant,
}

/// What goes wrong on purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// How the next dumps fail, and how many of them.
    pub dumps: Option<(DumpFault, u32)>,
    /// The lock screen that lies over everything.
    pub lock: Lock,
    /// What its vendor forbids adb.
    pub forbids: Forbids,
    /// The only version that its scrcpy server is of, whatever a client says that it has pushed.
    #[cfg(feature = "scrcpy")]
    pub scrcpy: Option<taproof_core::format::ServerVersion>,
}

/// A lock screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lock {
    /// There is none.
    #[default]
    Open,
    /// One that asks for nothing.
    Swipe,
    /// One that asks for a code.
    Secret,
}

/// What vendors forbid adb before a switch of theirs is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forbids {
    /// Touches and keys.
    pub input: bool,
    /// Changing settings.
    pub settings: bool,
    /// Clearing the data of apps.
    pub clearing: bool,
    /// Installing apps.
    pub installing: bool,
    /// Giving permissions.
    pub granting: bool,
}

/// Why a setting cannot be changed.
#[derive(Debug, thiserror::Error)]
pub enum SettingError {
    /// There is no room for it.
    #[error("android.database.sqlite.SQLiteFullException: database or disk is full (code 13 SQLITE_FULL)")]
    Full(#[from] OutOfMemory),
    /// What follows from it cannot be done.
    #[error("{0}")]
    Device(#[from] DeviceError),
}

/// How `uiautomator dump` fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DumpFault {
    /// The screen never settles.
    NeverIdle,
    /// The app in front does not answer.
    NullRoot,
    /// The system ends the command.
    Killed,
}

/// How often the languages go round at most until the wanted one is reached.
pub(super) const LANGUAGES: [&str; 3] = ["en-US", "de-DE", "fr-FR"];

impl Served {
    /// Serves a device as a phone of today, without latencies.
    pub fn new(device: Box<dyn Device>) -> Self {
        Served::with(device, Like::default(), Latency::default())
    }

    /// Serves a device.
    pub fn with(device: Box<dyn Device>, like: Like, latency: Latency) -> Self {
        let memory = Memory::of_device();
        let boot = Date::epoch_millis(DeviceInstant(0)) / 1000;
        let helper = Helper {
            service: Component::parse(droidbot::SERVICE).map(|service| service.class),
            keyboard: Some(droidbot::IME.to_owned()),
        };
        let waited = Arc::new(AtomicU64::new(0));
        let state = State {
            device,
            like,
            clipboard: String::new(),
            automation: Automation::Free,
            uiautomator2: uiautomator2::Session::new(&memory),
            #[cfg(feature = "scrcpy")]
            scrcpy: super::scrcpy::Servers::default(),
            settings: CountedMap::new(&memory),
            properties: CountedMap::new(&memory.part(PROPERTY_BYTES)),
            files: Files::new(like, boot, &memory),
            log: Log::default(),
            helpers: BTreeMap::from([(droidbot::PACKAGE.to_owned(), helper)]),
            installs: BTreeMap::new(),
            home: Component::new("org.taproof.launcher", ".Launcher"),
            awake: true,
            rebooted: false,
            around: Around::default(),
            finger: None,
            touch_screen: TouchScreen::default(),
            faults: Faults::default(),
            dumps: 0,
            waited: Arc::clone(&waited),
        };
        let mut state = state;
        for ((namespace, key), value) in initial_settings(like) {
            state.system_setting(&namespace, &key, &value);
        }
        Served { state: Mutex::new(state), memory, like, latency, waited }
    }

    /// What peers may make the device hold.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Waits for the device. What a panic left behind is the device's last whole state or close to it: others go on.
    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether somebody works with the device just now.
    #[cfg(test)]
    pub(super) fn is_locked(&self) -> bool {
        matches!(self.state.try_lock(), Err(std::sync::TryLockError::WouldBlock))
    }

    /// Which Android it answers as.
    pub fn like(&self) -> Like {
        self.like
    }

    /// How long it takes for what it is asked.
    pub fn latency(&self) -> Latency {
        self.latency
    }

    /// Takes as long as the device would; false once `wanted` says that nobody waits any more.
    pub fn take_time(&self, cost: Cost, wanted: impl FnMut() -> bool) -> bool {
        let finished = self.latency.wait(self.like, cost, wanted);
        let took = self.latency.of(self.like, cost);
        self.waited.fetch_add(took.as_millis().try_into().unwrap_or(u64::MAX), Ordering::SeqCst);
        finished
    }

    /// What commands took by the latencies so far, added up: the stages of a pipe wait side by side and count each.
    pub fn waited(&self) -> Duration {
        Duration::from_millis(self.waited.load(Ordering::SeqCst))
    }
}

impl State {
    /// The API level that it tells.
    pub fn sdk(&self) -> u32 {
        self.like.sdk(self.device.info().sdk)
    }

    /// How long it has been switched on, with what commands took by the latencies, in milliseconds.
    pub fn uptime_millis(&self) -> u64 {
        self.device.now().millis().saturating_add(self.waited.load(Ordering::SeqCst))
    }

    /// The device's clock, in milliseconds since 1970.
    pub fn epoch_millis(&self) -> u64 {
        Date::epoch_millis(self.device.now())
    }

    /// The device's clock, in seconds since 1970.
    pub fn epoch_seconds(&self) -> u64 {
        self.epoch_millis() / 1000
    }

    /// What the screen shows.
    pub fn layout(&mut self) -> Result<Arc<Layout>, DeviceError> {
        Ok(self.device.observe()?.layout)
    }

    /// The apps that a person could start; none where the device cannot say.
    pub fn apps(&mut self) -> Vec<InstalledApp> {
        self.device.apps().unwrap_or_default()
    }

    /// The installed app of that package.
    pub fn app(&mut self, package: &str) -> Option<InstalledApp> {
        self.apps().into_iter().find(|app| app.id.0 == package)
    }

    /// Does a gesture at a point of the screen as it is turned now. Nothing happens while the screen is off.
    pub fn gesture(&mut self, at: PxPoint, gesture: Gesture) -> Result<(), DeviceError> {
        let screen = self.layout()?.screen();
        let target = Target { selector: Selector::default(), at, screen };
        self.input(&Event::Widget { target, gesture })
    }

    /// Does an event that comes from a hand: nothing happens while the screen is off or locked.
    pub fn input(&mut self, event: &Event) -> Result<(), DeviceError> {
        if self.awake && self.faults.lock == Lock::Open { self.device.perform(event) } else { Ok(()) }
    }

    /// Takes a lock screen away that asks for nothing. One that asks for a code stays.
    pub fn dismiss_lock(&mut self) {
        if self.awake && self.faults.lock == Lock::Swipe {
            self.faults.lock = Lock::Open;
        }
    }

    /// Lets the device's clock go on.
    pub fn wait(&mut self, span: DeviceDuration) -> Result<(), DeviceError> {
        self.device.perform(&Event::Wait(span))
    }

    /// Turns the device to a rotation in quarter turns, if it is not so already: it knows upright and on its side.
    pub fn rotate(&mut self, quarters: u8) -> Result<(), DeviceError> {
        let sideways = quarters % 2 == 1;
        if self.layout()?.rotation().sideways() == sideways {
            return Ok(());
        }
        self.device.perform(&Event::Rotate)
    }

    /// Switches the network on or off, if it is not so already.
    pub fn set_network(&mut self, on: bool) -> Result<(), DeviceError> {
        if std::mem::replace(&mut self.around.network, on) == on {
            return Ok(());
        }
        let event = if on { SystemEvent::NetworkOn } else { SystemEvent::NetworkOff };
        self.device.perform(&Event::System(event))
    }

    /// Switches dark mode on or off, if it is not so already.
    pub fn set_dark(&mut self, dark: bool) -> Result<(), DeviceError> {
        if std::mem::replace(&mut self.around.dark, dark) == dark {
            return Ok(());
        }
        self.device.perform(&Event::System(SystemEvent::DarkMode))
    }

    /// Lets the device speak the language of that tag; false where it has none such.
    pub fn set_language(&mut self, tag: &str) -> Result<bool, DeviceError> {
        let two = |tag: &str| tag.get(..2).unwrap_or_default().to_ascii_lowercase();
        let Some(wanted) = LANGUAGES.iter().position(|known| two(known) == two(tag)) else {
            return Ok(false);
        };
        while self.around.language != wanted {
            self.around.language = (self.around.language + 1) % LANGUAGES.len();
            self.device.perform(&Event::System(SystemEvent::Locale))?;
        }
        Ok(true)
    }

    /// Sets what the battery says; below 15 percent the system complains, once.
    pub fn set_battery(&mut self, percent: u32) -> Result<(), DeviceError> {
        const LOW: u32 = 15;
        let before = std::mem::replace(&mut self.around.battery, percent.min(100));
        if before > LOW && percent <= LOW {
            self.device.perform(&Event::System(SystemEvent::LowBattery))?;
        }
        Ok(())
    }

    /// Ends an app and clears its data, and with them what happened around it.
    pub fn clear(&mut self, app: &AppId) -> Result<(), DeviceError> {
        self.device.clear(app)?;
        self.around = Around::default();
        Ok(())
    }

    /// Reads the device's log; call it before the log is read.
    pub fn update_log(&mut self) {
        // A device without a log has nothing to tell.
        let lines = self.device.logs().unwrap_or_default();
        let year = Date::at(self.device.now()).year;
        self.log.take_in(&lines, year);
    }

    /// A setting, or `fallback`.
    pub fn setting(&self, namespace: &str, key: &str) -> Option<&str> {
        self.settings.entries().get(&(namespace.to_owned(), key.to_owned())).map(String::as_str)
    }

    /// The system changes a setting of its own; nothing else follows.
    pub fn system_setting(&mut self, namespace: &str, key: &str, value: &str) {
        // These few are short. Where a peer took all the room, what was there stays.
        self.settings.insert((namespace.to_owned(), key.to_owned()), value.to_owned()).unwrap_or_default();
    }

    /// Changes a setting; what follows from it happens.
    pub fn set_setting(
        &mut self,
        namespace: &str,
        key: &str,
        value: Option<&str>,
    ) -> Result<(), SettingError> {
        let place = (namespace.to_owned(), key.to_owned());
        match value {
            Some(value) => self.settings.insert(place, value.to_owned())?,
            None => self.settings.remove(&place),
        }
        match (namespace, key) {
            // With auto-rotation the device stays as it lies.
            ("system", "accelerometer_rotation" | "user_rotation") => {
                if self.setting("system", "accelerometer_rotation") == Some("0") {
                    let quarters = self.setting("system", "user_rotation").and_then(|turn| turn.parse().ok());
                    self.rotate(quarters.unwrap_or(0))?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}
