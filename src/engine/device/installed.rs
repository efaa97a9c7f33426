//! Installed apps, as a device lists them.

use super::AppId;

/// An app that a person could start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstalledApp {
    /// Package name of the app.
    pub id: AppId,
    /// Name of the app on the launcher; empty if the device does not report it.
    pub label: String,
    /// Full class name of the activity that the launcher starts; empty if the device does not report it.
    pub activity: String,
    /// Version name, such as `1.4.2`.
    pub version: String,
    /// Version code, which grows with each release.
    pub version_code: u64,
    /// The runtime permissions that the app may request, and whether each is granted.
    pub permissions: Vec<(String, bool)>,
    /// Process id; `None` if the app is not running.
    pub pid: Option<u32>,
}
