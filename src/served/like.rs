//! Which Android the served device answers as.

/// Which Android the served device answers as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Like {
    /// A phone of today; its API level is the device's own.
    #[default]
    Android14,
    /// Android 4.4, as an emulator of 2014: no `exec:`, no shell v2, no `cmd`, CRLF, exit codes that nobody sends.
    Android44,
}

impl Like {
    /// All of them.
    pub const ALL: [Like; 2] = [Like::Android14, Like::Android44];

    /// The word for it on a command line.
    pub fn word(self) -> &'static str {
        match self {
            Like::Android14 => "android14",
            Like::Android44 => "android44",
        }
    }

    /// What the word stands for.
    pub fn from_word(word: &str) -> Option<Like> {
        Like::ALL.into_iter().find(|like| like.word() == word)
    }

    /// Whether it is the old one.
    pub fn old(self) -> bool {
        self == Like::Android44
    }

    /// The features that its banner announces to the adb server.
    pub fn features(self) -> &'static [&'static str] {
        match self {
            Like::Android14 => &["shell_v2", "cmd", "stat_v2", "ls_v2", "fixed_push_mkdir"],
            Like::Android44 => &[],
        }
    }

    /// The largest packet that it takes, in bytes.
    pub fn max_data(self) -> u32 {
        match self {
            Like::Android14 => 1 << 20,
            Like::Android44 => 4096,
        }
    }

    /// Whether the terminal of `shell:` makes CRLF of every LF.
    pub fn crlf(self) -> bool {
        self.old()
    }

    /// The API level, on a device that has this one itself.
    pub fn sdk(self, device: u32) -> u32 {
        match self {
            Like::Android14 => device,
            Like::Android44 => 19,
        }
    }

    /// Where the shared storage is mounted.
    pub(super) fn storage(self) -> &'static str {
        match self {
            Like::Android14 => "/storage/emulated/0",
            Like::Android44 => "/storage/emulated/legacy",
        }
    }
}

/// The release that has this API level, such as `11`.
pub(super) fn release_of(sdk: u32) -> String {
    match sdk {
        0..=19 => "4.4.2".to_owned(),
        20..=22 => "5.1".to_owned(),
        23 => "6.0".to_owned(),
        24 | 25 => "7.1.1".to_owned(),
        26 | 27 => "8.1.0".to_owned(),
        28..=30 => (sdk - 19).to_string(),
        31 | 32 => "12".to_owned(),
        newer => (newer - 20).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_releases_fit() {
        for like in Like::ALL {
            assert_eq!(Like::from_word(like.word()), Some(like));
        }
        assert_eq!(Like::from_word("android5"), None);
        let releases = [19, 28, 29, 30, 31, 32, 33, 34, 35].map(release_of);
        assert_eq!(releases, ["4.4.2", "9", "10", "11", "12", "12", "13", "14", "15"]);
    }
}
