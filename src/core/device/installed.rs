//! Apps as a device lists them.

use super::AppId;

/// An app that a person could start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstalledApp {
    /// Its package.
    pub id: AppId,
    /// Its name on the launcher; empty where the device does not say.
    pub label: String,
    /// The class of the activity that the launcher starts, in full; empty where the device does not say.
    pub activity: String,
    /// The version's name.
    pub version: String,
    /// The version's number.
    pub version_code: u64,
    /// The runtime permissions that it may ask for, and whether it has them.
    pub permissions: Vec<(String, bool)>,
    /// Its process, if it runs.
    pub pid: Option<u32>,
}
