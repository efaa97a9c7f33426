//! Starting, stopping and clearing apps.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::agent_client::{AgentClient, AgentError};
use super::connection::Connection;
use super::disturbances::Disturbances;
use super::gestures::{Input, rotate, words};
use super::observer::ScreenObserver;
use super::output::{
    ClearOutcome, Component, Resolved, StartOutcome, clear_outcome, forbidden, package_details,
    resolved_activity, start_outcome,
};
use taproof_core::agent::{Action, FailureKind, Request, Seen, Settle};
use taproof_core::device::{AppData, AppId, DeviceError, LinkFault};
use taproof_core::model::Rotation;

/// Limit for a cold start on a slow device, including the wait of `am start -W`.
const START: Duration = Duration::from_secs(40);

/// Starts apps and caches what it learns about them.
#[derive(Default)]
pub(super) struct Launcher {
    /// The launcher activity of each package.
    components: BTreeMap<String, Component>,
    /// Pairs of package and permission that the device refused to grant.
    not_grantable: BTreeSet<(String, String)>,
}

impl Launcher {
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
        disturbances: &Disturbances,
        app: &AppId,
        data: AppData,
    ) -> Result<(), DeviceError> {
        let connection = &observer.connection;
        self.component_of(connection, app)?;
        stop_app(connection, app)?;
        if data == AppData::Clear {
            let undo = disturbances.undo(|_| true);
            if !undo.is_empty() {
                connection.shell(&undo)?;
            }
            clear_data(connection, app)?;
            connection.grant_all(app, &mut self.not_grantable)?;
        }
        observer.begin_test(app)?;
        self.bring_to_front(observer, app)
    }

    /// Starts the app, or brings it to the front, and observes the screen.
    pub fn bring_to_front(&mut self, observer: &mut ScreenObserver, app: &AppId) -> Result<(), DeviceError> {
        let connection = &observer.connection;
        let component = self.component_of(connection, app)?;
        connection.wake_up()?;
        if let Some(agent) = connection.agent() {
            let request = Request::Start { component: component.full() };
            return match connection.tell(agent, &request) {
                Ok(()) => observer.run(&Input::Nothing),
                Err(AgentError::Failed(failure)) => Err(match failure.kind {
                    FailureKind::Missing => not_startable(connection, app)?,
                    _ => not_started(connection, app, failure.message),
                }),
                Err(AgentError::Device(error)) => Err(error),
            };
        }
        let start = words(&[
            "am",
            "start",
            "-W",
            "-a",
            "android.intent.action.MAIN",
            "-c",
            "android.intent.category.LAUNCHER",
            "-n",
            &component.full(),
        ])?;
        let said = match connection.shell_within(&start, START) {
            // `-W` never returns if an activity without a window starts another one.
            Err(DeviceError::Link { fault: LinkFault::TimedOut, .. }) => {
                return observer.run(&Input::Nothing);
            }
            said => said?,
        };
        let problem = match start_outcome(&said) {
            StartOutcome::Started { .. }
            | StartOutcome::BroughtToFront { .. }
            | StartOutcome::Timeout { .. } => return observer.run(&Input::Nothing),
            StartOutcome::DoesNotExist { .. } => return Err(not_startable(connection, app)?),
            StartOutcome::NotResolved { text }
            | StartOutcome::Denied { text }
            | StartOutcome::Other { text } => text.trim().to_owned(),
        };
        Err(not_started(connection, app, problem))
    }
}

fn launcher_activity(connection: &Connection, app: &AppId) -> Result<Option<Component>, DeviceError> {
    if connection.info.sdk >= 24 {
        let ask = words(&["cmd", "package", "resolve-activity", "--brief", &app.0])?;
        if let Ok(Resolved::Activity(found)) = resolved_activity(&connection.shell(&ask)?) {
            return Ok(Some(found));
        }
    }
    let text = connection.shell(&words(&["dumpsys", "package", &app.0])?)?;
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
pub(super) fn stop_app(connection: &Connection, app: &AppId) -> Result<(), DeviceError> {
    match connection.agent() {
        Some(agent) => connection
            .tell(agent, &Request::Stop { package: app.0.clone() })
            .map_err(|error| error.into_device(&connection.info.serial, "stop the app")),
        None => connection.shell(&words(&["am", "force-stop", &app.0])?).map(|_| ()),
    }
}

/// Clears the app's data and rotates the screen upright, as at the beginning of a test.
pub(super) fn clear_data(connection: &Connection, app: &AppId) -> Result<(), DeviceError> {
    if let Some(agent) = connection.agent() {
        return clear_by_agent(connection, agent, app);
    }
    match clear_outcome(&connection.shell(&words(&["pm", "clear", &app.0])?)?) {
        ClearOutcome::Cleared => connection.do_lines(&rotate(Rotation::PORTRAIT)),
        ClearOutcome::Failed { text } => Err(not_cleared(connection, app, &text)?),
    }
}

fn clear_by_agent(connection: &Connection, agent: &AgentClient, app: &AppId) -> Result<(), DeviceError> {
    match connection.tell(agent, &Request::Clear { package: app.0.clone() }) {
        Ok(()) => {}
        Err(AgentError::Failed(failure)) => return Err(not_cleared(connection, app, &failure.message)?),
        Err(AgentError::Device(error)) => return Err(error),
    }
    // The screen is read when the app is started.
    let settle = Settle { quiet_millis: 0, limit_millis: 0 };
    let action = Action::Rotate(Rotation::PORTRAIT.0);
    let upright = Request::Act { action, settle, log_from: None, picture_hash: false };
    agent
        .ask(&upright, Duration::ZERO, &*connection.unwanted, Seen::decode)
        .map(|_| ())
        .map_err(|error| error.into_device(&connection.info.serial, "turn the screen upright"))
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
