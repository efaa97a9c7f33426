//! The version of Android that the served device imitates.

/// The version of Android that the served device imitates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Like {
    /// A current phone. The API level is the device's own.
    #[default]
    Android14,
    /// Android 4.4, as an emulator of 2014: no `exec:`, no shell v2, no `cmd`, CRLF, and no exit codes over the wire.
    Android44,
}

impl Like {
    /// Every version that can be imitated.
    pub const ALL: [Like; 2] = [Like::Android14, Like::Android44];

    /// Whether this is Android 4.4.
    pub fn old(self) -> bool {
        self == Like::Android44
    }

    /// The API level to report, given that of the device.
    pub fn sdk(self, device: u32) -> u32 {
        match self {
            Like::Android14 => device,
            Like::Android44 => 19,
        }
    }

    /// The path at which the shared storage is mounted.
    pub(super) fn storage(self) -> &'static str {
        match self {
            Like::Android14 => "/storage/emulated/0",
            Like::Android44 => "/storage/emulated/legacy",
        }
    }
}

/// The Android release with this API level, such as `11`.
pub(super) fn release_of(sdk: u32) -> String {
    match sdk {
        0..=19 => "4.4.2".to_owned(),
        20..=30 => sdk.saturating_sub(19).to_string(),
        31 | 32 => "12".to_owned(),
        newer => (newer - 20).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_follow_from_api_levels() {
        let releases = [19, 28, 29, 30, 31, 32, 33, 34, 35].map(release_of);
        assert_eq!(releases, ["4.4.2", "9", "10", "11", "12", "12", "13", "14", "15"]);
    }
}
