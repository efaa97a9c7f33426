//! Starting, stopping and clearing apps.

use std::time::Duration;

use super::gestures::words;
use super::output::{
    ClearOutcome, Component, Resolved, StartOutcome, clear_outcome, forbidden, package_details,
    resolved_activity, start_outcome,
};
use super::phone::AdbPhone;
use taproof_core::device::{AppData, AppId, DeviceError, LinkFault};

/// A cold start on a slow device, with the wait of `am start -W`.
const START: Duration = Duration::from_secs(40);

impl AdbPhone {
    /// The activity that the launcher starts.
    pub(super) fn component_of(&mut self, app: &AppId) -> Result<Component, DeviceError> {
        if let Some(known) = self.components.get(&app.0) {
            return Ok(known.clone());
        }
        let found = match self.launcher_activity(app)? {
            Some(found) => found,
            None => return Err(self.not_startable(app)?),
        };
        self.components.insert(app.0.clone(), found.clone());
        Ok(found)
    }

    fn launcher_activity(&self, app: &AppId) -> Result<Option<Component>, DeviceError> {
        if self.line.info.sdk >= 24 {
            let ask = words(&["cmd", "package", "resolve-activity", "--brief", &app.0])?;
            if let Ok(Resolved::Activity(found)) = resolved_activity(&self.line.shell(&ask)?) {
                return Ok(Some(found));
            }
        }
        let text = self.line.shell(&words(&["dumpsys", "package", &app.0])?)?;
        Ok(package_details(&text, &app.0).ok().and_then(|details| details.launcher))
    }

    fn not_startable(&self, app: &AppId) -> Result<DeviceError, DeviceError> {
        let installed = self.line.installed()?;
        if installed.contains(&app.0) {
            let problem = "it has no activity that a launcher could start".to_owned();
            return Ok(DeviceError::NotStarted {
                app: app.0.clone(),
                serial: self.line.info.serial.clone(),
                problem,
            });
        }
        self.line.missing(app)
    }

    /// Ends the app, clears its data if that is asked for, starts it and looks.
    pub(super) fn start_app(&mut self, app: &AppId, data: AppData) -> Result<(), DeviceError> {
        let component = self.component_of(app)?;
        self.line.shell(&words(&["am", "force-stop", &app.0])?)?;
        if data == AppData::Clear {
            let undo = self.around.undo(|_| true);
            if !undo.is_empty() {
                self.line.shell(&undo)?;
            }
            self.clear_data(app)?;
            self.line.grant_all(app, &mut self.not_grantable)?;
        }
        self.under_test = Some(app.clone());
        self.failure = None;
        // What the log tells up to here is of an earlier test.
        let place = self.log.command(self.line.info.sdk);
        let said = self.line.shell(&place)?;
        self.log.read(&said);
        self.bring_to_front(app, &component)
    }

    /// Starts the app, or brings it to the front, and looks.
    pub(super) fn bring_to_front(&mut self, app: &AppId, component: &Component) -> Result<(), DeviceError> {
        self.line.wake_up()?;
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
        let said = match self.line.shell_within(&start, START) {
            // `-W` waits for ever where an activity without a window starts another one.
            Err(DeviceError::Link { fault: LinkFault::TimedOut, .. }) => {
                return self.look_after("", Duration::ZERO);
            }
            said => said?,
        };
        let problem = match start_outcome(&said) {
            StartOutcome::Started { .. }
            | StartOutcome::BroughtToFront { .. }
            | StartOutcome::Timeout { .. } => return self.look_after("", Duration::ZERO),
            StartOutcome::DoesNotExist { .. } => return Err(self.not_startable(app)?),
            StartOutcome::NotResolved { text }
            | StartOutcome::Denied { text }
            | StartOutcome::Other { text } => text.trim().to_owned(),
        };
        Err(DeviceError::NotStarted { app: app.0.clone(), serial: self.line.info.serial.clone(), problem })
    }

    pub(super) fn clear_data(&mut self, app: &AppId) -> Result<(), DeviceError> {
        match clear_outcome(&self.line.shell(&words(&["pm", "clear", &app.0])?)?) {
            ClearOutcome::Cleared => self.rotate_upright(),
            ClearOutcome::Failed { text } => {
                if let Some(what) = forbidden(&text) {
                    return Err(self.line.forbids(what));
                }
                self.line.file_of(app)?;
                Err(DeviceError::NotCleared {
                    app: app.0.clone(),
                    serial: self.line.info.serial.clone(),
                    problem: text.trim().to_owned(),
                })
            }
        }
    }
}
