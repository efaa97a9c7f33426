//! The outcomes of installing and removing an app, clearing its data and granting a permission.

use super::lines::lines;

/// The outcome of `pm install`, `adb install` or `pm uninstall`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstallOutcome {
    /// The app was installed or removed.
    Done,
    /// Android refused, with a code for the reason.
    Refused {
        /// The code, such as `INSTALL_FAILED_OLDER_SDK`; empty if there is none.
        code: String,
        /// The explanation after the code; may be empty.
        text: String,
    },
    /// The answer reports neither success nor failure.
    Unclear {
        /// The whole answer, its lines joined by blanks.
        text: String,
    },
}

impl InstallOutcome {
    /// An explanation with advice for a person; `None` on success.
    pub fn words(&self) -> Option<String> {
        match self {
            InstallOutcome::Done => None,
            InstallOutcome::Unclear { text } if text.is_empty() => {
                Some("the device says nothing about the install; try again".to_owned())
            }
            InstallOutcome::Unclear { text } => Some(format!("the device answers {text:?}")),
            InstallOutcome::Refused { code, text } => {
                Some(match (install_words(code, text), text.is_empty()) {
                    (Some(words), true) => format!("{words} ({code})"),
                    (Some(words), false) => format!("{words} ({code}: {text})"),
                    (None, true) if code.is_empty() => "the device refuses without a reason".to_owned(),
                    (None, true) => format!("the device refuses: {code}"),
                    (None, false) => format!("the device refuses: {code}: {text}"),
                })
            }
        }
    }
}

/// The outcome of `pm clear`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClearOutcome {
    /// The data was deleted.
    Cleared,
    /// The data was not deleted: there is no such app, or it protects its data.
    Failed {
        /// The device's answer, on one line.
        text: String,
    },
}

/// The outcome of `pm grant` or `pm revoke`, which print nothing on success.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GrantOutcome {
    /// The permission was granted or revoked.
    Granted,
    /// The app's manifest does not request the permission.
    NotRequested,
    /// The permission is granted at installation, or never.
    NotChangeable,
    /// This release of Android does not know the permission.
    UnknownPermission,
    /// The app is not installed.
    UnknownPackage,
    /// The shell is not allowed to do this: some vendors require a developer option.
    NotAllowed {
        /// The device's answer, on one line.
        text: String,
    },
    /// None of the known answers.
    Other {
        /// The device's answer, on one line.
        text: String,
    },
}

/// Parses the answer of `pm install`, `adb install` or `pm uninstall`. The exit code is meaningless on old devices.
pub fn install_outcome(text: &str) -> InstallOutcome {
    // The reason may itself contain brackets and line ends.
    let failure = text.find("Failure").and_then(|at| text.get(at + "Failure".len()..));
    if let Some(rest) = failure {
        let inside = rest
            .trim_start()
            .strip_prefix('[')
            .map(|inside| inside.rsplit_once(']').map_or(inside, |(inside, _)| inside));
        let reason = inside.unwrap_or(rest).trim();
        let (code, said) = reason.split_once(':').unwrap_or((reason, ""));
        let is_code = !code.is_empty()
            && code.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || "_-".contains(c));
        let (code, said) = if is_code { (code, said) } else { ("", reason) };
        return InstallOutcome::Refused { code: code.to_owned(), text: joined(said) };
    }
    if lines(text).any(|line| line.trim() == "Success") {
        return InstallOutcome::Done;
    }
    InstallOutcome::Unclear { text: joined(text) }
}

/// Parses the answer of `pm clear`.
pub fn clear_outcome(text: &str) -> ClearOutcome {
    if lines(text).any(|line| line.trim() == "Success") {
        ClearOutcome::Cleared
    } else {
        ClearOutcome::Failed { text: joined(text) }
    }
}

/// Parses the answer of `pm grant` or `pm revoke`.
pub fn grant_outcome(text: &str) -> GrantOutcome {
    let says = |words: &str| text.contains(words);
    if text.trim().is_empty() {
        GrantOutcome::Granted
    } else if says("has not requested permission") {
        GrantOutcome::NotRequested
    } else if says("not a changeable permission") {
        GrantOutcome::NotChangeable
    } else if says("Unknown permission") {
        GrantOutcome::UnknownPermission
    } else if says("Unknown package") {
        GrantOutcome::UnknownPackage
    } else if says("SecurityException") || says("Operation not allowed") {
        GrantOutcome::NotAllowed { text: joined(text) }
    } else {
        GrantOutcome::Other { text: joined(text) }
    }
}

/// What to do where a phone asks before it installs, as those of Xiaomi, vivo, OPPO and Meizu do.
const ASKS: &str = "the phone asks its user before it installs, who said no or nothing, or it forbids installing over USB: \
                    look at its screen, and allow installing over USB (\"Install via USB\" in its developer options)";

/// Explains a frequent code of a refused install or uninstall and what the device says to it, with advice. `None` for other
/// codes.
pub fn install_words(code: &str, said: &str) -> Option<&'static str> {
    let said = said.to_lowercase();
    let by_user = [
        "user reject",
        "rejected by user",
        "by the user",
        "canceled by user",
        "cancelled by user",
        "user denied",
    ];
    if code.ends_with("_BY_USER") || by_user.iter().any(|words| said.contains(words)) {
        return Some(ASKS);
    }
    Some(match code {
        "INSTALL_FAILED_INVALID_APK" | "-124" if said.contains("resources.arsc") || code == "-124" => {
            "Android 11 and later want resources.arsc uncompressed and aligned: build the APK anew, or run zipalign"
        }
        "INSTALL_FAILED_INTERNAL_ERROR" if said.contains("permission denied") => {
            "the phone does not let adb install: switch on \"USB debugging (Security settings)\" and \"Install via USB\" \
             in its developer options, or switch off its optimisation of the system there"
        }
        "-26" | "INSTALL_FAILED_PERMISSION_MODEL_DOWNGRADE" => {
            "the app on the device asks for permissions while it runs, and this older one does not: remove that one first"
        }
        "INSTALL_FAILED_ALREADY_EXISTS" => "an app of this package is there; replace it (-r)",
        "INSTALL_FAILED_INVALID_APK"
        | "INSTALL_PARSE_FAILED_NOT_APK"
        | "INSTALL_PARSE_FAILED_UNEXPECTED_EXCEPTION" => "the file is no APK that this device can read",
        "INSTALL_FAILED_INSUFFICIENT_STORAGE" => "the device has no room left; remove something",
        "INSTALL_FAILED_UPDATE_INCOMPATIBLE" | "INSTALL_FAILED_SHARED_USER_INCOMPATIBLE" => {
            "an app of this package with another signature is there; remove that one first"
        }
        "INSTALL_FAILED_VERSION_DOWNGRADE" => {
            "a newer version is there; remove it first or allow a downgrade (-d)"
        }
        "INSTALL_FAILED_OLDER_SDK" => "the device's Android is too old for this app",
        "INSTALL_FAILED_NEWER_SDK" => "the device's Android is too new for this app",
        "INSTALL_FAILED_DEPRECATED_SDK_VERSION" => {
            "the app is made for an Android so old that this device refuses it"
        }
        "INSTALL_FAILED_NO_MATCHING_ABIS" | "INSTALL_FAILED_CPU_ABI_INCOMPATIBLE" => {
            "the app has no code for this device's processor"
        }
        "INSTALL_FAILED_TEST_ONLY" => "the app is marked as for tests only; allow that (-t)",
        "INSTALL_FAILED_USER_RESTRICTED" => ASKS,
        "INSTALL_FAILED_VERIFICATION_FAILURE" | "INSTALL_FAILED_VERIFICATION_TIMEOUT" => {
            "the device's check of apps (Play Protect, or its maker's) refuses it: look at its screen, or switch off \
             \"Verify apps over USB\" in its developer options"
        }
        "INSTALL_FAILED_MISSING_SPLIT" => "a part of the app is missing; install all of its files together",
        "INSTALL_FAILED_MISSING_SHARED_LIBRARY" => "the app needs a library that this device does not have",
        "INSTALL_FAILED_CONFLICTING_PROVIDER" => {
            "another app already provides what this one wants to provide"
        }
        "INSTALL_FAILED_DUPLICATE_PERMISSION" => "another app already declares a permission of this one",
        "INSTALL_FAILED_ABORTED" => "the install was broken off; try again",
        "INSTALL_FAILED_DEXOPT" => "the device could not prepare the app's code",
        "INSTALL_PARSE_FAILED_NO_CERTIFICATES" => {
            "the app is not signed, or not in a way that this Android knows"
        }
        "INSTALL_PARSE_FAILED_INCONSISTENT_CERTIFICATES" => "the parts of the app are signed differently",
        "INSTALL_PARSE_FAILED_MANIFEST_MALFORMED" => "the app's manifest cannot be read",
        "DELETE_FAILED_INTERNAL_ERROR" => "there is no such app, or it belongs to the system",
        "DELETE_FAILED_DEVICE_POLICY_MANAGER" => "the app administers this device; take that from it first",
        "DELETE_FAILED_OWNER_BLOCKED" => "the owner of this device forbids it",
        _ => return None,
    })
}

/// The lines of an answer joined by blanks.
fn joined(text: &str) -> String {
    lines(text).map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::tests::test_data;
    use super::*;

    fn refused(code: &str, text: &str) -> InstallOutcome {
        InstallOutcome::Refused { code: code.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn the_old_device_takes_one_app_and_refuses_one() {
        let Some(text) = test_data::text("install_activitydiary.txt") else { return };
        assert_eq!(install_outcome(&text), InstallOutcome::Done);
        let outcome = install_outcome(&test_data::text("install_transistor.txt").unwrap());
        assert_eq!(outcome, refused("INSTALL_FAILED_OLDER_SDK", ""));
        assert_eq!(
            outcome.words().as_deref(),
            Some("the device's Android is too old for this app (INSTALL_FAILED_OLDER_SDK)")
        );
    }

    #[test]
    fn reasons_are_kept() {
        let text = "adb: failed to install a.apk: Failure [INSTALL_FAILED_VERSION_DOWNGRADE: Downgrade \
            detected: Update \
            version code 1 is older than current 2]\r\n";
        let said = "Downgrade detected: Update version code 1 is older than current 2";
        assert_eq!(install_outcome(text), refused("INSTALL_FAILED_VERSION_DOWNGRADE", said));
        let lines = "Failure [INSTALL_PARSE_FAILED_NO_CERTIFICATES: Failed to collect [x]\n from base.apk]\n";
        assert_eq!(
            install_outcome(lines),
            refused("INSTALL_PARSE_FAILED_NO_CERTIFICATES", "Failed to collect [x] from base.apk")
        );
        assert_eq!(install_outcome("Failure\n"), refused("", ""));
        assert_eq!(
            install_outcome("Failure [DELETE_FAILED_INTERNAL_ERROR]"),
            refused("DELETE_FAILED_INTERNAL_ERROR", "")
        );
        assert_eq!(install_outcome("Failure [not installed for 0]"), refused("", "not installed for 0"));
        assert_eq!(install_outcome("Performing Streamed Install\nSuccess\n"), InstallOutcome::Done);
        let unclear = install_outcome("avc: denied\n");
        assert_eq!(unclear.words().as_deref(), Some("the device answers \"avc: denied\""));
        for (answer, advice) in [
            ("Failure [INSTALL_FAILED_ABORTED: User rejected permissions]", "allow installing over USB"),
            ("Failure [INSTALL_FAILED_USER_RESTRICTED: Install canceled by user]", "look at its screen"),
            ("Failure [INSTALL_CANCELED_BY_USER]", "look at its screen"),
            ("Failure [INSTALL_FAILED_VERIFICATION_FAILURE]", "Verify apps over USB"),
            ("Failure [INSTALL_FAILED_INTERNAL_ERROR: Permission Denied]", "Security settings"),
            ("Failure [-26]", "remove that one first (-26)"),
            ("Failure [-124: Failed parse during installPackageLI: resources.arsc]", "zipalign"),
            ("Failure [INSTALL_FAILED_ABORTED: Session was abandoned]", "try again"),
            ("Failure [-99]", "the device refuses: -99"),
        ] {
            let words = install_outcome(answer).words().unwrap();
            assert!(words.contains(advice), "{answer}: {words}");
        }
        assert!(install_outcome("").words().is_some());
        assert!(refused("", "").words().is_some());
        assert_eq!(refused("X_Y", "z").words().as_deref(), Some("the device refuses: X_Y: z"));
    }

    #[test]
    fn clearing_works_or_not() {
        assert_eq!(clear_outcome("Success\r\n"), ClearOutcome::Cleared);
        assert_eq!(clear_outcome("Failed\r\n"), ClearOutcome::Failed { text: "Failed".to_owned() });
        assert_eq!(clear_outcome(""), ClearOutcome::Failed { text: String::new() });
    }

    #[test]
    fn a_grant_is_silent_or_refused() {
        assert_eq!(grant_outcome("\r\n"), GrantOutcome::Granted);
        let exception = "\nException occurred while executing 'grant':\njava.lang.SecurityException: ";
        for (said, expected) in [
            ("Package com.a has not requested permission x.Y", GrantOutcome::NotRequested),
            (
                "Permission x.Y requested by com.a is not a changeable permission type",
                GrantOutcome::NotChangeable,
            ),
        ] {
            assert_eq!(grant_outcome(&format!("{exception}{said}\n\tat x")), expected);
        }
        let old = "Operation not allowed: java.lang.SecurityException: Package com.a has not requested \
            permission x.Y";
        assert_eq!(grant_outcome(old), GrantOutcome::NotRequested);
        assert_eq!(
            grant_outcome("java.lang.IllegalArgumentException: Unknown permission: x"),
            GrantOutcome::UnknownPermission
        );
        assert_eq!(
            grant_outcome("java.lang.IllegalArgumentException: Unknown package: x"),
            GrantOutcome::UnknownPackage
        );
        let vendor = "java.lang.SecurityException: grantRuntimePermission: Neither user 2000 nor current \
            process has it.";
        assert_eq!(grant_outcome(vendor), GrantOutcome::NotAllowed { text: vendor.to_owned() });
        assert_eq!(grant_outcome("usage: pm"), GrantOutcome::Other { text: "usage: pm".to_owned() });
    }
}
