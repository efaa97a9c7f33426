//! Whether the device is awake and unlocked.

use super::OutputError;
use super::lines::{first_bool, values, word};

/// How awake the device is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wakefulness {
    /// The screen is on.
    Awake,
    /// The screen is off.
    Asleep,
    /// A screen saver is running.
    Dreaming,
    /// The screen is off or shows only a clock.
    Dozing,
}

/// The state of the lock screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keyguard {
    /// Whether the lock screen is shown: apps are invisible, except one that covers the lock screen.
    pub showing: bool,
    /// Whether an app covers it, such as an alarm or a call.
    pub occluded: bool,
    /// Whether a code or a pattern is required; `None` if the release does not report it.
    pub secure: Option<bool>,
}

/// Parses `dumpsys power`.
///
/// # Errors
///
/// If the answer contains no wakefulness.
pub fn wakefulness(text: &str) -> Result<Wakefulness, OutputError> {
    let named = |value: &str| match word(value) {
        "Awake" => Some(Wakefulness::Awake),
        "Asleep" => Some(Wakefulness::Asleep),
        "Dreaming" => Some(Wakefulness::Dreaming),
        "Dozing" => Some(Wakefulness::Dozing),
        _ => None,
    };
    let by_screen = || {
        let lit = values(text, "Display Power: state=").map(|value| word(value) == "ON").next();
        let lit = lit.or_else(|| first_bool(text, "mHoldingDisplaySuspendBlocker="));
        lit.map(|lit| if lit { Wakefulness::Awake } else { Wakefulness::Asleep })
    };
    values(text, "mWakefulness=")
        .find_map(named)
        .or_else(by_screen)
        .ok_or_else(|| OutputError::missing("dumpsys power", "field `mWakefulness`", text))
}

/// Parses `dumpsys window policy` (or the whole `dumpsys window`).
///
/// # Errors
///
/// If the answer does not report whether the lock screen is shown.
pub fn keyguard(text: &str) -> Result<Keyguard, OutputError> {
    const DELEGATE: &str = "KeyguardServiceDelegate";
    let delegate = text.split_once(DELEGATE).map(|(_, rest)| rest);
    // Elsewhere in the dump the short names belong to other things.
    let own = |key: &str| delegate.and_then(|block| first_bool(block, key));
    let showing = own("showing=")
        .or_else(|| own("mIsShowing="))
        .or_else(|| first_bool(text, "mShowingLockscreen="))
        .or_else(|| first_bool(text, "isStatusBarKeyguard="))
        .ok_or_else(|| OutputError::missing("dumpsys window policy", "`showing=` of the keyguard", text))?;
    let occluded = own("occluded=").or_else(|| first_bool(text, "mKeyguardOccluded=")).unwrap_or(false);
    Ok(Keyguard { showing, occluded, secure: own("secure=") })
}

#[cfg(test)]
mod tests {
    use super::super::tests::test_data;
    use super::*;

    #[test]
    fn the_old_device_is_awake_then_asleep_and_never_locked() {
        let Some(power) = test_data::text("dumpsys_power.txt") else { return };
        assert_eq!(wakefulness(&power), Ok(Wakefulness::Awake));
        assert_eq!(wakefulness(&test_data::text("dumpsys_power_off.txt").unwrap()), Ok(Wakefulness::Asleep));
        let policy = test_data::text("dumpsys_window_policy.txt").unwrap();
        assert_eq!(keyguard(&policy), Ok(Keyguard { showing: false, occluded: false, secure: None }));
    }

    #[test]
    fn newer_power_managers_are_read() {
        assert_eq!(wakefulness("  mWakefulness=Dozing\n"), Ok(Wakefulness::Dozing));
        assert_eq!(
            wakefulness("  mWakefulnessRaw=Awake\n  mWakefulness=Dreaming\r\n"),
            Ok(Wakefulness::Dreaming)
        );
        assert_eq!(wakefulness("Display Power: state=OFF\n"), Ok(Wakefulness::Asleep));
        assert_eq!(wakefulness("mHoldingDisplaySuspendBlocker=true"), Ok(Wakefulness::Awake));
        assert!(wakefulness("mWakefulness=").is_err());
    }

    #[test]
    fn newer_keyguards_are_read() {
        let text = "    mKeyguardOccluded=false\n    showing=false\n    KeyguardServiceDelegate\n      \
            showing=true\n      \
            showingAndNotOccluded=false\n      inputRestricted=false\n      occluded=true\n      secure=true\n      \
            KeyguardStateMonitor\n        mIsShowing=true\n";
        assert_eq!(keyguard(text), Ok(Keyguard { showing: true, occluded: true, secure: Some(true) }));
        let monitor = "KeyguardServiceDelegate\n  KeyguardStateMonitor\n    mIsShowing=true\n";
        assert_eq!(keyguard(monitor).map(|keyguard| keyguard.showing), Ok(true));
        assert_eq!(keyguard("mShowingLockscreen=true").map(|keyguard| keyguard.showing), Ok(true));
        assert!(keyguard("showing=true").is_err());
    }
}
