//! Operations that some vendors' Androids forbid adb, and the setting that allows them.

use taproof_screen::words;

words! {
    /// An operation that adb is not allowed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Forbidden {
        /// Injecting touches and keys.
        Input = "to touch its screen",
        /// Changing the device's settings.
        Settings = "to change its settings",
        /// Clearing the data of apps.
        Clearing = "to clear the data of apps",
    }
    /// The operation, phrased to follow "forbids adb".
    pub fn what;
}

impl Forbidden {
    /// What a person can do about it.
    pub fn advice(self) -> &'static str {
        "in its developer options switch on \"USB debugging (Security settings)\" (Xiaomi, Redmi, POCO) or \"Disable \
         permission monitoring\" (OPPO, realme, OnePlus), then try again"
    }
}

/// Detects a refusal in the output of a command that prints nothing on success.
pub fn forbidden(text: &str) -> Option<Forbidden> {
    let refuses = text.contains("SecurityException") || text.to_ascii_lowercase().contains("permission den");
    let needs = |permission: &str| refuses && text.contains(permission);
    if needs("INJECT_EVENTS") {
        Some(Forbidden::Input)
    } else if needs("WRITE_SECURE_SETTINGS") || needs("WRITE_SETTINGS") {
        Some(Forbidden::Settings)
    } else if needs("CLEAR_APP_USER_DATA") {
        Some(Forbidden::Clearing)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_of_several_releases_are_known() {
        for (said, expected) in [
            (
                "java.lang.SecurityException: Injecting to another application requires INJECT_EVENTS permission\n\
                 \tat android.os.Parcel.readException(Parcel.java:1683)",
                Some(Forbidden::Input),
            ),
            (
                "\nException occurred while executing 'tap':\njava.lang.SecurityException: Injecting input events \
                 requires the caller (or the source of the instrumentation, if any) to have the INJECT_EVENTS permission.",
                Some(Forbidden::Input),
            ),
            (
                "java.lang.SecurityException: Permission denial: writing to settings requires:\
                 android.permission.WRITE_SECURE_SETTINGS",
                Some(Forbidden::Settings),
            ),
            (
                "Permission denial, must have one of: [android.permission.WRITE_SECURE_SETTINGS]",
                Some(Forbidden::Settings),
            ),
            (
                "java.lang.SecurityException: PID 20512 does not have permission \
                 android.permission.CLEAR_APP_USER_DATA to clear data of package com.a",
                Some(Forbidden::Clearing),
            ),
            ("java.lang.SecurityException: Neither user 2000 has MODIFY_PHONE_STATE.", None),
            ("the app shows INJECT_EVENTS", None),
            ("", None),
        ] {
            assert_eq!(forbidden(said), expected, "{said}");
        }
    }
}
