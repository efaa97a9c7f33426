//! What the file of an installed app declares.

use std::collections::BTreeSet;

use taproof_screen::format::{ApkError, manifest_of_apk, strings_of_apk};

/// The file of an installed app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AppFile {
    /// The APK.
    Apk(Vec<u8>),
    /// What an APK would declare, on a phone whose apps are part of this program.
    Declared {
        /// The activities as `package/class`, the one that the launcher starts first.
        activities: Vec<String>,
        /// The string resources in all languages.
        strings: BTreeSet<String>,
    },
}

impl AppFile {
    /// The activities as `package/class`, sorted.
    ///
    /// # Errors
    ///
    /// What is wrong with the APK.
    pub fn activities(self) -> Result<Vec<String>, ApkError> {
        match self {
            AppFile::Apk(apk) => Ok(manifest_of_apk(&apk)?.activities),
            AppFile::Declared { mut activities, .. } => {
                activities.sort();
                Ok(activities)
            }
        }
    }

    /// The string resources in all languages.
    ///
    /// # Errors
    ///
    /// What is wrong with the APK.
    pub fn strings(self) -> Result<BTreeSet<String>, ApkError> {
        match self {
            AppFile::Apk(apk) => strings_of_apk(&apk),
            AppFile::Declared { strings, .. } => Ok(strings),
        }
    }
}
