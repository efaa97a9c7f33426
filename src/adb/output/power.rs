//! Whether the device is awake and unlocked.

use super::OutputError;
use super::lines::{first_bool, values, word};

/// The state of the lock screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keyguard {
    /// Whether the lock screen is shown: apps are invisible, except one that covers the lock screen.
    pub showing: bool,
    /// Whether a code or a pattern is required; `None` if the release does not report it.
    pub secure: Option<bool>,
}

/// Parses whether the screen is on from `dumpsys power`. One with a screen saver or only a clock is not.
///
/// # Errors
///
/// If the answer contains no wakefulness.
pub fn is_awake(text: &str) -> Result<bool, OutputError> {
    let named = |value: &str| {
        let state = word(value);
        ["Awake", "Asleep", "Dreaming", "Dozing"].contains(&state).then_some(state == "Awake")
    };
    let lit = || values(text, "Display Power: state=").map(|value| word(value) == "ON").next();
    values(text, "mWakefulness=")
        .find_map(named)
        .or_else(lit)
        .or_else(|| first_bool(text, "mHoldingDisplaySuspendBlocker="))
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
    Ok(Keyguard { showing, secure: own("secure=") })
}

#[cfg(test)]
mod tests {
    use super::super::tests::test_data;
    use super::*;

    #[test]
    fn the_old_device_is_awake_then_asleep_and_never_locked() {
        let Some(power) = test_data::text("dumpsys_power.txt") else { return };
        assert_eq!(is_awake(&power), Ok(true));
        assert_eq!(is_awake(&test_data::text("dumpsys_power_off.txt").unwrap()), Ok(false));
        let policy = test_data::text("dumpsys_window_policy.txt").unwrap();
        assert_eq!(keyguard(&policy), Ok(Keyguard { showing: false, secure: None }));
    }

    #[test]
    fn newer_power_managers_are_read() {
        assert_eq!(is_awake("  mWakefulness=Dozing\n"), Ok(false));
        assert_eq!(is_awake("  mWakefulnessRaw=Awake\n  mWakefulness=Dreaming\r\n"), Ok(false));
        assert_eq!(is_awake("Display Power: state=OFF\n"), Ok(false));
        assert_eq!(is_awake("mHoldingDisplaySuspendBlocker=true"), Ok(true));
        assert!(is_awake("mWakefulness=").is_err());
    }

    #[test]
    fn newer_keyguards_are_read() {
        let text = "    mKeyguardOccluded=false\n    showing=false\n    KeyguardServiceDelegate\n      \
            showing=true\n      \
            showingAndNotOccluded=false\n      inputRestricted=false\n      occluded=true\n      secure=true\n      \
            KeyguardStateMonitor\n        mIsShowing=true\n";
        assert_eq!(keyguard(text), Ok(Keyguard { showing: true, secure: Some(true) }));
        let monitor = "KeyguardServiceDelegate\n  KeyguardStateMonitor\n    mIsShowing=true\n";
        assert_eq!(keyguard(monitor).map(|keyguard| keyguard.showing), Ok(true));
        assert_eq!(keyguard("mShowingLockscreen=true").map(|keyguard| keyguard.showing), Ok(true));
        assert!(keyguard("showing=true").is_err());
    }
}
