//! What tests of clients let go wrong on the served device.

use std::time::Duration;

/// Faults that tests of clients switch on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// How the next dumps fail, and how many of them.
    pub dumps: Option<(DumpFault, u32)>,
    /// The lock screen that covers everything.
    pub lock: Lock,
    /// The operations that the vendor forbids adb.
    pub forbids: Forbids,
    /// Whether keys that edit text are accepted but arrive nowhere, as on a device without an input method.
    pub keys_lost: bool,
    /// How much later than usual the next answers of the shell come, and how many of them.
    pub late: Option<(Duration, u32)>,
    /// How the process of the system's services has died, while adb and its shell live on.
    pub services: Option<DeadServices>,
}

/// What happens to what needs a service of the system after their process has died.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadServices {
    /// It waits for the service.
    Hang,
    /// It says that there is none.
    Missing,
}

/// The kind of lock screen that is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lock {
    /// No lock screen is shown.
    #[default]
    Open,
    /// A lock screen without a code.
    Swipe,
    /// A lock screen that requires a code.
    Secret,
}

/// Operations that vendors forbid adb until a setting of theirs allows them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forbids {
    /// Touches and key presses.
    pub input: bool,
    /// Changing settings, by `settings` or `content`.
    pub settings: bool,
    /// Clearing the data of apps.
    pub clearing: bool,
    /// Installing apps, by `adb install` or `pm install`.
    pub installing: bool,
    /// Granting permissions, by `pm grant` or `-g`.
    pub granting: bool,
    /// Running programs of one's own, by `app_process`.
    pub programs: bool,
}

/// How `uiautomator dump` fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DumpFault {
    /// The screen is never idle.
    NeverIdle,
    /// The foreground app does not respond.
    NullRoot,
    /// The system kills the command.
    Killed,
}

impl Faults {
    /// How the next dump fails, if it is to fail.
    pub(super) fn next_dump(&mut self) -> Option<DumpFault> {
        next(&mut self.dumps)
    }

    /// How much later the next answer comes, if it is to be late.
    pub(super) fn next_late(&mut self) -> Option<Duration> {
        next(&mut self.late)
    }
}

/// Takes one of those that are left.
fn next<T: Copy>(planned: &mut Option<(T, u32)>) -> Option<T> {
    let (fault, left) = planned.take().filter(|(_, left)| *left > 0)?;
    *planned = Some((fault, left - 1));
    Some(fault)
}
