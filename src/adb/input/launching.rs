//! Starting, stopping and clearing apps.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::agent_client::AgentError;
use crate::connection::Connection;
use crate::connection::packages::FIRST_AT_RUNTIME;
use crate::host::command;
use crate::input::effects::Effects;
use crate::input::gestures::Input;
use crate::input::turning::Turning;
use crate::observe::ScreenObserver;
use crate::output::{
    ClearOutcome, Component, StartOutcome, clear_outcome, forbidden, package_details, resolved_activity,
    start_outcome,
};
use crate::restore::Journal;
use taproof_engine::agent::{FailureKind, Request, Seen, Settle};
use taproof_engine::device::{AppData, AppId, DeviceError, LinkFault};
use taproof_screen::{AppHealth, Rotation, Text};

/// How many starts of a virtual machine the cold start of an app takes as long as, including the wait of `am start -W`.
const COLD_START: usize = 3;
/// Pause before the agent looks again whether an app has come, in ms.
const GLANCE_MILLIS: u64 = 300;

/// Starts apps and caches what it learns about them.
#[derive(Default)]
pub(crate) struct Launcher {
    /// The launcher activity of each package.
    components: BTreeMap<String, Component>,
    /// Pairs of package and permission that the device refused to grant.
    not_grantable: BTreeSet<(String, String)>,
    /// Whether the app has permissions that can be taken away; `None` until that is asked for.
    pub holds_permissions: Option<bool>,
    /// The rotation in which the screen is locked.
    pub turning: Turning,
    /// Where apps are noted whose data are cleared.
    pub cleared: ClearedApps,
    /// What has no effect on the device.
    pub effects: Effects,
    /// Activities of other apps that were still in front after a start was waited for: the app opens them.
    opened_at_start: BTreeSet<Text>,
}

/// The apps whose data tests have cleared on a device; shared by all its phones.
#[derive(Clone, Default)]
pub(crate) struct ClearedApps(Arc<Mutex<BTreeSet<AppId>>>);

impl ClearedApps {
    fn note(&self, app: &AppId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(app.clone());
    }

    /// Takes the apps that were noted so far.
    pub fn take(&self) -> BTreeSet<AppId> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Launcher {
    /// Creates a launcher for a device whose screen is locked in this rotation, which notes what it clears and what has no
    /// effect.
    pub fn of(turning: Turning, cleared: ClearedApps, effects: Effects) -> Self {
        Launcher { turning, cleared, effects, ..Launcher::default() }
    }

    /// The activity that the device's launcher starts for the app.
    pub fn component_of(&mut self, connection: &Connection, app: &AppId) -> Result<Component, DeviceError> {
        if let Some(known) = self.components.get(&app.0) {
            return Ok(known.clone());
        }
        let found = match launcher_activity(connection, app)? {
            Some(found) => found,
            None => return Err(not_startable(connection, app)?),
        };
        self.components.insert(app.0.clone(), found.clone());
        Ok(found)
    }

    /// Stops the app, clears its data if requested, starts it and observes the screen.
    pub fn launch(
        &mut self,
        observer: &mut ScreenObserver,
        journal: &Journal,
        app: &AppId,
        data: AppData,
    ) -> Result<(), DeviceError> {
        let connection = &observer.connection;
        self.holds_permissions = None;
        self.component_of(connection, app)?;
        if data != AppData::Keep {
            let undo = journal.undo(|_| true);
            if !undo.is_empty() {
                connection.shell(&undo)?;
            }
        }
        match data {
            AppData::Keep => {}
            AppData::ResetAround => self.turn_upright(observer)?,
            AppData::Clear => {
                self.clear_data(observer, app)?;
                observer.connection.grant_all(app, &mut self.not_grantable)?;
            }
        }
        observer.begin_test(app)?;
        // Android stops an app whose data it clears.
        self.start(observer, app, data != AppData::Clear)
    }

    /// Whether the app has permissions that can be taken away. This is asked once in a test, and again after they were
    /// changed around the app: what the user grants in the app meanwhile is seen in the next test.
    pub fn holds_permissions(&mut self, connection: &Connection, app: &AppId) -> Result<bool, DeviceError> {
        if let Some(known) = self.holds_permissions {
            return Ok(known);
        }
        let holds = connection.info.sdk >= FIRST_AT_RUNTIME
            && connection.runtime_permissions(app)?.iter().any(|(_, granted)| *granted);
        self.holds_permissions = Some(holds);
        Ok(holds)
    }

    /// Clears the app's data and rotates the screen upright, as at the beginning of a test.
    pub fn clear_data(&self, observer: &ScreenObserver, app: &AppId) -> Result<(), DeviceError> {
        self.cleared.note(app);
        clear(&observer.connection, app)?;
        self.turn_upright(observer)
    }

    fn turn_upright(&self, observer: &ScreenObserver) -> Result<(), DeviceError> {
        let connection = &observer.connection;
        match self.turn(connection, Rotation::PORTRAIT, observer.pictures.rotation())? {
            Input::Nothing => Ok(()),
            turn => do_now(connection, &turn).inspect_err(|_| self.turning.forget()),
        }
    }

    /// The input that turns the screen and keeps it so; nothing if it is locked in that rotation and shows it. The change
    /// is recorded on the device first.
    pub fn turn(&self, connection: &Connection, to: Rotation, shown: Rotation) -> Result<Input, DeviceError> {
        let lines = self.turning.lines(to, shown);
        if lines.is_empty() {
            return Ok(Input::Nothing);
        }
        if connection.agent().is_some() {
            connection.shell(&self.turning.note())?;
        }
        Ok(Input::Rotate { to, lines })
    }

    /// Starts the app, or brings it to the front, and observes the screen.
    pub fn bring_to_front(&mut self, observer: &mut ScreenObserver, app: &AppId) -> Result<(), DeviceError> {
        self.start(observer, app, false)
    }

    /// Starts the app and observes the screen. If it is not `stopped_first`, a running app is brought to the front.
    fn start(
        &mut self,
        observer: &mut ScreenObserver,
        app: &AppId,
        stopped_first: bool,
    ) -> Result<(), DeviceError> {
        let connection = &observer.connection;
        let component = self.component_of(connection, app)?;
        connection.wake_up()?;
        if let Some(agent) = connection.agent() {
            if stopped_first {
                stop_app(connection, app)?;
            }
            let request = Request::Start { component: component.full() };
            return match connection.tell(agent, &request) {
                Ok(()) => self.await_start(observer),
                Err(AgentError::Failed(failure)) => Err(match failure.kind {
                    FailureKind::Missing => not_startable(connection, app)?,
                    _ => not_started(connection, app, failure.message),
                }),
                Err(AgentError::Device(error)) => Err(error),
            };
        }
        let component = component.full();
        let options = if stopped_first { &["-S", "-W"][..] } else { &["-W"] };
        let intent =
            ["-a", "android.intent.action.MAIN", "-c", "android.intent.category.LAUNCHER", "-n", &component];
        let start = command(&[&["am", "start"], options, &intent].concat())?;
        let said = match connection.shell_within(&start, connection.pace.limit_of(COLD_START)) {
            // `-W` never returns if an activity without a window starts another one.
            Err(DeviceError::Link { fault: LinkFault::TimedOut, .. }) => {
                return observer.run(&Input::Nothing);
            }
            said => said?,
        };
        let problem = match start_outcome(&said) {
            StartOutcome::Started => return observer.run(&Input::Nothing),
            StartOutcome::DoesNotExist => return Err(not_startable(connection, app)?),
            StartOutcome::Failed(why) => why,
        };
        Err(not_started(connection, app, problem))
    }

    /// Observes the screen once the app is in front, which the agent does not wait for, unlike `am start -W`.
    fn await_start(&mut self, observer: &mut ScreenObserver) -> Result<(), DeviceError> {
        observer.run(&Input::Nothing)?;
        let (began, pace) = (observer.now(), observer.connection.pace);
        while let Some(AppHealth::LeftApp(other)) = observer.last_frame().map(|frame| &frame.health)
            && !self.opened_at_start.contains(other)
        {
            if observer.now().since(began) >= pace.settling() {
                self.opened_at_start.insert(Text::clone(other));
                break;
            }
            observer.run(&Input::Wait(GLANCE_MILLIS))?;
        }
        Ok(())
    }
}

fn launcher_activity(connection: &Connection, app: &AppId) -> Result<Option<Component>, DeviceError> {
    if connection.info.sdk >= 24 {
        let ask = command(&["cmd", "package", "resolve-activity", "--brief", &app.0])?;
        if let Ok(Some(found)) = resolved_activity(&connection.shell(&ask)?) {
            return Ok(Some(found));
        }
    }
    let text = connection.shell(&command(&["dumpsys", "package", &app.0])?)?;
    Ok(package_details(&text, &app.0).ok().and_then(|details| details.launcher))
}

fn not_startable(connection: &Connection, app: &AppId) -> Result<DeviceError, DeviceError> {
    let installed = connection.installed()?;
    if installed.contains(&app.0) {
        return Ok(not_started(connection, app, "it has no activity that a launcher could start".to_owned()));
    }
    connection.missing(app)
}

fn not_started(connection: &Connection, app: &AppId, problem: String) -> DeviceError {
    DeviceError::NotStarted { app: app.0.clone(), serial: connection.info.serial.clone(), problem }
}

/// Stops the app. A package that is not installed is no error.
pub(crate) fn stop_app(connection: &Connection, app: &AppId) -> Result<(), DeviceError> {
    match connection.agent() {
        Some(agent) => connection
            .tell(agent, &Request::Stop { package: app.0.clone() })
            .map_err(|error| error.into_device(&connection.info.serial, "stop the app")),
        None => connection.shell(&command(&["am", "force-stop", &app.0])?).map(|_| ()),
    }
}

/// Clears the app's data. Android stops an app whose data it clears.
fn clear(connection: &Connection, app: &AppId) -> Result<(), DeviceError> {
    if let Some(agent) = connection.agent() {
        return match connection.tell(agent, &Request::Clear { package: app.0.clone() }) {
            Ok(()) => Ok(()),
            Err(AgentError::Failed(failure)) => Err(not_cleared(connection, app, &failure.message)?),
            Err(AgentError::Device(error)) => Err(error),
        };
    }
    match clear_outcome(&connection.shell(&command(&["pm", "clear", &app.0])?)?) {
        ClearOutcome::Cleared => Ok(()),
        ClearOutcome::Failed { text } => Err(not_cleared(connection, app, &text)?),
    }
}

/// Does something without waiting until the screen is still.
pub(crate) fn do_now(connection: &Connection, input: &Input) -> Result<(), DeviceError> {
    let (Some(agent), Some(action)) = (connection.agent(), input.action()) else {
        return connection.do_lines(&input.lines(connection.info.sdk));
    };
    let settle = Settle { quiet_millis: 0, limit_millis: 0 };
    let request = Request::Act { action, settle, log_from: None, picture_hash: false };
    agent
        .ask(&request, Duration::ZERO, &*connection.unwanted, Seen::decode)
        .map(|_| ())
        .map_err(|error| error.into_device(&connection.info.serial, "turn the screen or press a key"))
}

/// The error for data that Android did not clear, with what it said.
fn not_cleared(connection: &Connection, app: &AppId, said: &str) -> Result<DeviceError, DeviceError> {
    if let Some(what) = forbidden(said) {
        return Ok(connection.forbids(what));
    }
    connection.file_of(app)?;
    Ok(DeviceError::NotCleared {
        app: app.0.clone(),
        serial: connection.info.serial.clone(),
        problem: said.trim().to_owned(),
    })
}
