//! A device that performs an app's first steps whenever the app is launched with cleared data, and waits until the app
//! is ready after any launch.
//!
//! All of this belongs to the launch: it appears in no trace, does not count as events, and is repeated at every
//! launch. Coverage and log are not read during it, so the code points and log lines of the steps are returned by the
//! next call as those of the launch.

use std::sync::Arc;

use super::{
    AppData, AppFile, AppId, Device, DeviceError, DeviceInfo, DeviceWarning, Environment, InstalledApp,
    ScreenWatcher, Screenshot, SnapshotId, StuckStep, Typeable,
};
use taproof_screen::determinism::{DeviceDuration, DeviceInstant};
use taproof_screen::{AppHealth, CodePoint, CrashReport, Event, Frame, Initialiser, Layout, PxRect};

/// Number of looks after which waiting ends even if the device's clock does not advance.
const LOOKS: usize = 80;

/// What is done before each test of an app on a device, such as resetting a server. On failure returns what went wrong,
/// for people.
pub type BeforeTest = Arc<dyn Fn(&DeviceInfo, &AppId) -> Result<(), String> + Send + Sync>;

/// A device that performs an app's first steps.
pub struct Initialised {
    inner: Box<dyn Device>,
    app: AppId,
    initialiser: Arc<Initialiser>,
    before: Option<BeforeTest>,
}

/// The result of waiting.
enum Waited<T> {
    Seen(T),
    /// The app crashed or does not respond.
    Died,
    InVain,
}

impl Initialised {
    /// Device time between two looks at the screen while waiting.
    pub const PAUSE: DeviceDuration = DeviceDuration(250);
    /// Device time after which waiting for a screen or a widget ends.
    pub const PATIENCE: DeviceDuration = DeviceDuration(20_000);

    /// Wraps the device so that it calls `before` and performs an app's first steps. Returns it unchanged if there is
    /// neither.
    pub fn device(
        inner: Box<dyn Device>,
        app: &str,
        first: Option<&Arc<Initialiser>>,
        before: Option<BeforeTest>,
    ) -> Box<dyn Device> {
        let initialiser = first.cloned().unwrap_or_default();
        if initialiser.is_empty() && before.is_none() {
            return inner;
        }
        Box::new(Initialised { inner, app: AppId(app.to_owned()), initialiser, before })
    }

    /// Performs the steps and waits until the app is ready. If the app dies meanwhile, it is left as it is.
    fn begin(&mut self) -> Result<(), DeviceError> {
        let initialiser = Arc::clone(&self.initialiser);
        for (place, step) in initialiser.performed().iter().enumerate() {
            let event = match self.wait_for(|layout| found(&step.event, layout))? {
                Waited::Seen(event) => event,
                Waited::Died => return Ok(()),
                Waited::InVain => {
                    let sentence = step.sentence();
                    let why = format!("nothing on the screen is what \u{201c}{sentence}\u{201d} means");
                    return Err(self.failed(place, &sentence, &why)?);
                }
            };
            match self.inner.perform(&event) {
                // The device works, but cannot do what this step needs.
                Err(error @ (DeviceError::CannotType { .. } | DeviceError::Unsupported { .. })) => {
                    return Err(self.failed(place, &step.sentence(), &error.to_string())?);
                }
                done => done?,
            }
        }
        self.wait_until_ready()
    }

    /// Does what is to be done before a test, and launches the app with its data cleared or kept.
    fn launch_for_test(&mut self, app: &AppId) -> Result<(), DeviceError> {
        if let Some(before) = &self.before {
            before(self.inner.info(), app).map_err(|problem| DeviceError::BeforeTest { problem })?;
        }
        let data = if self.initialiser.keep_data { AppData::ResetAround } else { AppData::Clear };
        self.inner.launch(app, data)?;
        self.begin()
    }

    fn failed(&mut self, place: usize, sentence: &str, why: &str) -> Result<DeviceError, DeviceError> {
        let what = format!("first steps, step {}: {sentence}", place + 1);
        Ok(DeviceError::NotInitialised {
            app: self.app.0.clone(),
            serial: self.inner.info().serial.clone(),
            step: place + 1,
            of: self.initialiser.performed().len(),
            why: why.to_owned(),
            screen: self.stuck(what, why)?,
        })
    }

    /// What the device shows instead of what a step needs.
    fn stuck(&mut self, step: String, why: &str) -> Result<Box<StuckStep>, DeviceError> {
        let layout = self.inner.observe()?.layout;
        Ok(Box::new(StuckStep::on(&mut *self.inner, step, why.to_owned(), layout)))
    }

    fn wait_until_ready(&mut self) -> Result<(), DeviceError> {
        let initialiser = Arc::clone(&self.initialiser);
        let Some(ready) = &initialiser.ready else { return Ok(()) };
        match self.wait_for(|layout| (!ready.select(layout).is_empty()).then_some(()))? {
            Waited::Seen(()) | Waited::Died => Ok(()),
            Waited::InVain => {
                let what = format!("wait for {}", ready.source());
                Err(DeviceError::NotReady {
                    app: self.app.0.clone(),
                    serial: self.inner.info().serial.clone(),
                    ready: ready.source().to_owned(),
                    seconds: Self::PATIENCE.millis() / 1000,
                    screen: self.stuck(what, "nothing on the screen matches it")?,
                })
            }
        }
    }

    /// Looks at the screen until `seen` returns a value, for at most [`Self::PATIENCE`].
    fn wait_for<T>(&mut self, seen: impl Fn(&Layout) -> Option<T>) -> Result<Waited<T>, DeviceError> {
        let began = self.inner.now();
        for _ in 0..LOOKS {
            let frame = self.inner.observe()?;
            match frame.health {
                AppHealth::Crashed(_) | AppHealth::NotResponding(_) => return Ok(Waited::Died),
                // A login may take place in another app.
                AppHealth::Running | AppHealth::LeftApp(_) => {}
            }
            if let Some(found) = seen(&frame.layout) {
                return Ok(Waited::Seen(found));
            }
            if self.inner.now().since(began) >= Self::PATIENCE {
                break;
            }
            self.inner.perform(&Event::Wait(Self::PAUSE))?;
        }
        Ok(Waited::InVain)
    }
}

/// Returns the event aimed at its widget on the current layout. An event without a selector is performed at its
/// original place. A widget with the same id may have another text; other widgets at this place, such as a picture that
/// is shown while the app starts, do not count.
fn found(event: &Event, layout: &Layout) -> Option<Event> {
    let Event::Widget { target, .. } = event else { return Some(event.clone()) };
    let same_id = target.selector.resource_id.is_some();
    let named = || same_id || !target.selector.matches(layout).is_empty();
    match target.selector.is_empty() {
        true => Some(event.clone()),
        false => event.found_again(layout).filter(|_| named()),
    }
}

/// The methods that are those of the device below.
macro_rules! passed_on {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)+) => {
        $(fn $name(&mut self $(, $argument: $type)*) -> $result {
            self.inner.$name($($argument),*)
        })+
    };
}

impl Device for Initialised {
    fn info(&self) -> &DeviceInfo {
        self.inner.info()
    }

    fn now(&self) -> DeviceInstant {
        self.inner.now()
    }

    fn launch(&mut self, app: &AppId, data: AppData) -> Result<(), DeviceError> {
        match data {
            _ if *app != self.app => self.inner.launch(app, data),
            AppData::Keep | AppData::ResetAround => {
                self.inner.launch(app, data)?;
                self.wait_until_ready()
            }
            AppData::Clear => match self.launch_for_test(app) {
                // What failed once, such as a login, may succeed the second time.
                Err(DeviceError::NotInitialised { .. } | DeviceError::NotReady { .. }) => {
                    self.launch_for_test(app)
                }
                done => done,
            },
        }
    }

    fn typeable(&self) -> Typeable {
        self.inner.typeable()
    }

    fn code_points(&self) -> u32 {
        self.inner.code_points()
    }

    passed_on! {
        perform(event: &Event) -> Result<(), DeviceError>;
        observe() -> Result<Frame, DeviceError>;
        screenshot() -> Result<Screenshot, DeviceError>;
        save_snapshot() -> Result<SnapshotId, DeviceError>;
        restore_snapshot(id: SnapshotId) -> Result<(), DeviceError>;
        drop_snapshot(id: SnapshotId) -> ();
        apps() -> Result<Vec<InstalledApp>, DeviceError>;
        open(app: &AppId) -> Result<(), DeviceError>;
        stop(app: &AppId) -> Result<(), DeviceError>;
        kill(app: &AppId) -> Result<(), DeviceError>;
        clear(app: &AppId) -> Result<(), DeviceError>;
        set_permission(app: &AppId, permission: &str, granted: bool) -> Result<(), DeviceError>;
        holds_permissions() -> Result<bool, DeviceError>;
        install(apk: &[u8]) -> Result<AppId, DeviceError>;
        environment(app: &AppId) -> Result<Option<Environment>, DeviceError>;
        app_file(app: &AppId) -> Result<AppFile, DeviceError>;
        keyboard() -> Result<Option<PxRect>, DeviceError>;
        look_again() -> Result<(), DeviceError>;
        screen_watcher() -> Result<Option<Box<dyn ScreenWatcher>>, DeviceError>;
        take_warnings() -> Vec<DeviceWarning>;
        logs() -> Result<Vec<String>, DeviceError>;
        take_logged_errors() -> Result<Vec<CrashReport>, DeviceError>;
        resume_clock(at: DeviceInstant) -> bool;
        take_coverage() -> Result<Vec<CodePoint>, DeviceError>;
    }
}
