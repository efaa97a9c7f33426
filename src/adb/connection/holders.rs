//! Programs that control the screen of a device through its only connection for UI automation, and ending them.
//!
//! Android does not say who has the connection, so the processes are searched for programs that are known to want it.

use std::fmt;
use std::time::Duration;

use crate::host::{AdbError, AdbLink, Patience};
use taproof_engine::device::DeviceError;

/// Parts of the names of programs that want the connection.
const NAMES: [&str; 5] = ["uiautomator", "uia2", "appium", "maestro", "org.taproof.agent"];
/// The word in the command line of our agent if it leaves the connection to others.
pub(crate) const SCREENLESS: &str = "--screenless";
/// Limit for reading the command lines of all processes on a slow device, and for one command there.
const LIST: Duration = Duration::from_secs(30);
const ASK: Duration = Duration::from_secs(10);
/// How often, and at what interval, a process is checked that was asked to end.
const LOOKS: u32 = 6;
const PAUSE: Duration = Duration::from_millis(500);

/// A process that probably controls the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScreenHolder {
    /// The process id.
    pub pid: u32,
    /// The part of its command line that names the program, such as `com.wetest.uia2.Main`.
    pub program: String,
    /// Its command line.
    command: Vec<String>,
}

/// Why a program was not ended.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotEnded {
    /// The process ended meanwhile, and its number belongs to another program.
    #[error("process {pid} is {now} now; look again before ending it")]
    Another {
        /// The process id.
        pid: u32,
        /// The program that has it now.
        now: String,
    },
    /// The process does not end.
    #[error("{holder} does not end; end it where it was started")]
    Stays {
        /// The process.
        holder: ScreenHolder,
    },
    /// The device cannot be reached.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl From<AdbError> for NotEnded {
    fn from(error: AdbError) -> Self {
        NotEnded::Device(error.into())
    }
}

impl fmt::Display for ScreenHolder {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "process {} ({})", self.pid, self.program)
    }
}

impl ScreenHolder {
    /// The process with this command line (arguments that each end with NUL), if it may control the screen.
    fn of(pid: u32, command: &str) -> Option<ScreenHolder> {
        let command: Vec<String> = command.trim_end_matches('\0').split('\0').map(str::to_owned).collect();
        // A shell that starts one has it in its arguments, too.
        let shell = command.first().is_some_and(|first| first.ends_with("sh"));
        if shell || command.iter().any(|argument| argument.contains("CLASSPATH=")) {
            return None;
        }
        let names_one = |argument: &&String| {
            let small = argument.to_lowercase();
            !argument.starts_with('/') && NAMES.iter().any(|name| small.contains(name))
        };
        let program = command.iter().find(names_one)?.clone();
        let screenless = command.iter().any(|argument| argument == SCREENLESS);
        (!screenless).then_some(ScreenHolder { pid, program, command })
    }

    /// The package, if the process is that of an app, which the shell cannot kill.
    fn package(&self) -> Option<&str> {
        let name = self.command.first()?.split(':').next()?;
        let letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_');
        (name.contains('.') && name.chars().all(letter)).then_some(name)
    }
}

/// Finds the processes that may control the screen, without those that have `but` in their command lines.
pub(crate) fn screen_holders(
    link: &AdbLink,
    but: Option<&str>,
    unwanted: &dyn Fn() -> bool,
) -> Result<Vec<ScreenHolder>, DeviceError> {
    const LINE: &str =
        "for P in /proc/[0-9]*; do echo -n \"$P \"; cat \"$P/cmdline\" 2>/dev/null; echo; done";
    let text = link.without_checksums().shell(LINE, &Patience::new(LIST, unwanted))?.text();
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    let mut found: Vec<ScreenHolder> = lines
        .filter(|(_, command)| but.is_none_or(|but| !command.contains(but)))
        .filter_map(|(pid, command)| ScreenHolder::of(pid.strip_prefix("/proc/")?.parse().ok()?, command))
        .collect();
    found.sort_by_key(|holder| holder.pid);
    Ok(found)
}

/// The programs that probably control the screen of a device.
///
/// # Errors
///
/// If the device cannot be reached.
pub fn who_controls_screen(
    link: &AdbLink,
    unwanted: &dyn Fn() -> bool,
) -> Result<Vec<ScreenHolder>, DeviceError> {
    screen_holders(link, None, unwanted)
}

/// Ends a program that controls the screen, so that another one can. The process is left alone unless it still is that
/// program.
///
/// # Errors
///
/// If the process is another program now or does not end, or the device cannot be reached.
pub fn end_screen_holder(
    link: &AdbLink,
    holder: &ScreenHolder,
    unwanted: &dyn Fn() -> bool,
) -> Result<(), NotEnded> {
    match now_in(link, holder.pid, unwanted)? {
        None => return Ok(()),
        Some(now) if now != *holder => return Err(NotEnded::Another { pid: holder.pid, now: now.program }),
        Some(_) => {}
    }
    let kill =
        |signal: &str| link.shell(&format!("kill {signal}{}", holder.pid), &Patience::new(ASK, unwanted));
    kill("")?;
    for look in 0..LOOKS {
        match now_in(link, holder.pid, unwanted)? {
            Some(now) if now == *holder => {}
            Some(_) | None => return Ok(()),
        }
        match (look, holder.package()) {
            (0, Some(package)) => {
                link.shell(&format!("am force-stop {package}"), &Patience::new(LIST, unwanted))?;
            }
            (2, None) => {
                kill("-9 ")?;
            }
            _ => Patience::new(ASK, unwanted).pause(PAUSE, "the process")?,
        }
    }
    Err(NotEnded::Stays { holder: holder.clone() })
}

/// The program in a process, if it still may control the screen.
fn now_in(
    link: &AdbLink,
    pid: u32,
    unwanted: &dyn Fn() -> bool,
) -> Result<Option<ScreenHolder>, DeviceError> {
    let line = format!("cat /proc/{pid}/cmdline 2>/dev/null");
    let text = link.without_checksums().shell(&line, &Patience::new(ASK, unwanted))?.text();
    Ok(ScreenHolder::of(pid, &text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(command: &str) -> Option<String> {
        ScreenHolder::of(7, command).map(|holder| holder.program)
    }

    #[test]
    fn a_program_for_ui_automation_is_known_by_its_command_line() {
        for (command, name) in [
            (
                "app_process\0/system/bin\0com.android.commands.uiautomator.Launcher\0dump\0",
                Some("com.android.commands.uiautomator.Launcher"),
            ),
            ("app_process\0/\0com.wetest.uia2.Main\0-p\x009008\0", Some("com.wetest.uia2.Main")),
            ("io.appium.uiautomator2.server\0\0\0", Some("io.appium.uiautomator2.server")),
            ("app_process\0/\0org.taproof.agent.Main\0taproof-1\0", Some("org.taproof.agent.Main")),
            ("app_process\0/\0org.taproof.agent.Main\0taproof-1\0--screenless\0", None),
            ("sh\0-c\0uiautomator dump\0", None),
            ("/system/bin/sh\0/system/bin/uiautomator\0dump\0", None),
            ("org.ex\0", None),
            ("", None),
        ] {
            assert_eq!(program(command).as_deref(), name, "{command:?}");
        }
    }

    #[test]
    fn only_the_process_of_an_app_has_a_package() {
        let package = |command: &str| ScreenHolder::of(7, command).unwrap().package().map(str::to_owned);
        assert_eq!(
            package("io.appium.uiautomator2.server:x\0").as_deref(),
            Some("io.appium.uiautomator2.server")
        );
        assert_eq!(package("app_process\0/\0com.wetest.uia2.Main\0"), None);
        assert_eq!(package("a.b;reboot\0uiautomator\0"), None);
    }
}
