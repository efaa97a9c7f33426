//! The options of commands that perform something in one app: which app, on which phone, and how each test begins.

use std::path::Path;
use std::sync::Arc;

use super::devices::{ControlOptions, look_for_devices, tell_left};
use super::initialiser::BeginOptions;
use super::{Failure, app_named};
use crate::cli::fuzz::BuildOptions;
use taproof_campaign::DeviceChoice;
use taproof_engine::device::{Build, DeviceSource};
use taproof_engine::worker::CancelToken;
use taproof_phone::Apps;
use taproof_screen::Initialiser;
use taproof_session::Phones;

/// An app, by options.
#[derive(clap::Args)]
pub struct AppOptions {
    /// The app, by name or package
    #[arg(long, required_unless_present = "package")]
    app: Option<String>,
    /// A device by its serial; the bundled phone if left out
    #[arg(long, value_name = "SERIAL", requires = "package", conflicts_with_all = ["build", "bugs"])]
    device: Option<String>,
    #[command(flatten)]
    control: ControlOptions,
    /// The app on this device, by its package
    #[arg(long, value_name = "PACKAGE", requires = "device", conflicts_with = "app")]
    package: Option<String>,
    #[command(flatten)]
    build: BuildOptions,
    #[command(flatten)]
    begin: BeginOptions,
}

/// The app that options name.
pub(super) struct ChosenApp {
    /// Its package.
    pub(super) package: String,
    /// Which of its catalogued bugs are on.
    pub(super) build: Build,
    /// Where it runs.
    pub(super) device: DeviceChoice,
    /// What is done first in each test.
    pub(super) initialiser: Option<Arc<Initialiser>>,
    /// What the computer runs before each test.
    before_test: Option<String>,
}

impl AppOptions {
    /// The app, with what the workspace has stored for it.
    pub(super) fn choose(&self, apps: &Apps, workspace: &Path) -> Result<ChosenApp, Failure> {
        let build = self.build.build();
        let (package, device) = match (&self.package, &self.device) {
            (Some(package), Some(serial)) => {
                let device = DeviceChoice::Adb(vec![serial.clone()]);
                look_for_devices(device.serials(), package)?;
                (package.clone(), device)
            }
            _ => {
                let app = app_named(apps, self.app.as_deref().unwrap_or_default())?;
                let package = app.manifest().package.to_owned();
                let facts = apps.facts(&package);
                build.check(&package, &facts).map_err(|error| Failure::BadInput(error.into()))?;
                (package, DeviceChoice::Bundled)
            }
        };
        let mut initialiser = self.begin.first_steps(workspace, &package)?;
        self.begin.data.ask(workspace, &package, &device, &mut initialiser)?;
        let before_test = self.begin.command(workspace, &package)?;
        Ok(ChosenApp { package, build, device, initialiser, before_test })
    }

    /// Phones with the app in one of its builds. They are given back when the token is cancelled.
    pub(super) fn phones(
        &self,
        apps: &Apps,
        chosen: &ChosenApp,
        (package, build): (&str, &Build),
        cancel: &CancelToken,
    ) -> Phones {
        let mut phones = Phones::on(apps, (package, build), &chosen.device, 0)
            .controlled_by(self.control.method())
            .telling(tell_left())
            .running_before_tests(chosen.before_test.clone());
        phones.unwanted_when(cancel.unwanted());
        phones
    }
}
