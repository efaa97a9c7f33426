//! Where the devices of a campaign come from, and which app they have.

use serde::{Deserialize, Serialize};

use super::{BeforeTest, Device, DeviceError, Garbled};
use crate::worker::Unwanted;

/// Which catalogued bugs are switched on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Build {
    /// All bugs are on.
    #[default]
    Faulty,
    /// No bug is on.
    Sound,
    /// Only the bugs with these ids are on.
    Bugs(Vec<String>),
}

/// An app of the bundled phone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppFacts {
    /// Package name of the app.
    pub package: String,
    /// The ids of the app's catalogued bugs.
    pub bugs: Vec<String>,
}

/// Why there is no such build.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The bundled phone has no app with this package name.
    #[error("no app is called {app:?}; there are {known}")]
    UnknownApp {
        /// The package name in the plan.
        app: String,
        /// The package names of all apps, comma-separated.
        known: String,
    },
    /// The app has no catalogued bug with this id.
    #[error("{app} has no bug {bug:?}; it has {known}")]
    UnknownBug {
        /// The id in the plan.
        bug: String,
        /// Package name of the app.
        app: String,
        /// The ids of all bugs of the app, comma-separated.
        known: String,
    },
}

/// Provides a campaign with devices.
pub trait DeviceSource {
    /// A device on which nothing has happened, with the app of the plan installed as planned.
    fn fresh(&mut self) -> Result<Box<dyn Device>, DeviceError>;
    /// The ids of the planted bugs that [`DeviceSource::fresh_without`] can switch off, to which findings are
    /// attributed; none on a real device.
    fn switchable_bugs(&self) -> Vec<String> {
        Vec::new()
    }
    /// The same as [`DeviceSource::fresh`], with some of the switchable bugs off.
    fn fresh_without(&mut self, _bugs: &[String]) -> Result<Box<dyn Device>, DeviceError> {
        self.fresh()
    }
    /// What is done before every test, beside what the plan says; `None` for nothing.
    fn before_test(&self) -> Option<BeforeTest> {
        None
    }
    /// Makes the devices of this source give up waiting once `unwanted` returns true. It must not block.
    fn unwanted_when(&mut self, _unwanted: Unwanted) {}
    /// Reports that a device failed with this error. Returns whether another attempt makes sense, because the device
    /// may come back by itself or only an answer was garbled. The next device is then opened by new connections, and
    /// its capabilities are queried again.
    fn lost(&mut self, _error: &DeviceError) -> bool {
        false
    }
    /// The garbled answers of all devices of this source so far: those that were requested again, and those passed to
    /// [`DeviceSource::lost`]. `None` if there were none.
    fn garbled(&self) -> Option<Garbled> {
        None
    }
}

impl Build {
    /// The ids of the bugs that are on, of all those of the app.
    pub fn switched_on(&self, all: &[String]) -> Vec<String> {
        match self {
            Build::Faulty => all.to_vec(),
            Build::Sound => Vec::new(),
            Build::Bugs(only) => all.iter().filter(|bug| only.contains(bug)).cloned().collect(),
        }
    }

    /// The build as commands and files write it: `faulty`, `sound` or `bugs a,b`.
    pub fn word(&self) -> String {
        match self {
            Build::Faulty => "faulty".to_owned(),
            Build::Sound => "sound".to_owned(),
            Build::Bugs(only) => format!("bugs {}", only.join(",")),
        }
    }

    /// Checks that `apps` has this app and that the app has these bugs.
    ///
    /// # Errors
    ///
    /// [`BuildError::UnknownApp`] or [`BuildError::UnknownBug`].
    pub fn check(&self, package: &str, apps: &[AppFacts]) -> Result<(), BuildError> {
        let Some(app) = apps.iter().find(|facts| facts.package == package) else {
            let known = known(apps.iter().map(|facts| &facts.package));
            return Err(BuildError::UnknownApp { app: package.to_owned(), known });
        };
        if let Build::Bugs(only) = self
            && let Some(bug) = only.iter().find(|bug| !app.bugs.contains(bug))
        {
            let known = known(app.bugs.iter());
            return Err(BuildError::UnknownBug { bug: bug.clone(), app: package.to_owned(), known });
        }
        Ok(())
    }
}

fn known<'i>(ids: impl Iterator<Item = &'i String>) -> String {
    ids.map(String::as_str).collect::<Vec<_>>().join(", ")
}
