//! How the app under test is, out of the device's log and of what is in front.

use std::sync::Arc;

use super::output::crash::{Crash, CrashKind, crashes};
use super::output::{Component, LogLine, log_lines};
use taproof_core::model::{AppHealth, CrashReport, SYSTEM_PACKAGES, Text};

/// Where the log was read to: nothing is read twice, and nothing of before.
#[derive(Clone, Debug, Default)]
pub(super) struct LogPlace {
    /// The time of the last line, as the log writes it.
    when: String,
    /// How many lines of that time were read.
    seen: usize,
}

impl LogPlace {
    /// The line that reads on; the first time it prints the device's time, and what is in the log is of no test.
    /// Devices before Android 5 have no buffer for crashes and cannot begin at a time.
    pub(super) fn command(&self, sdk: u32) -> String {
        const FILTERS: &str = "am_crash:I am_anr:I AndroidRuntime:E DEBUG:I ActivityManager:E '*:S'";
        let clock = if self.when.is_empty() { "D=$(date +'%m-%d %H:%M:%S.000')\necho \"$D\"\n" } else { "" };
        let from = if self.when.is_empty() { "\"$D\"".to_owned() } else { format!("'{}'", self.when) };
        if sdk < 21 {
            format!("{clock}logcat -d -v threadtime -b main -b system -b events -t 300 {FILTERS}")
        } else {
            format!("{clock}logcat -d -v threadtime -b crash -b system -b events -T {from} {FILTERS}")
        }
    }

    /// The lines of an answer that are new.
    pub(super) fn read(&mut self, answer: &str) -> Vec<LogLine> {
        let first = self.when.is_empty();
        if first {
            self.when = answer.trim_start().lines().next().unwrap_or_default().trim().to_owned();
        }
        let mut lines = log_lines(answer);
        lines.retain(|line| line.when >= self.when);
        lines.sort_by(|one, other| one.when.cmp(&other.when));
        let known = lines.iter().take_while(|line| line.when == self.when).count().min(self.seen);
        let new = lines.split_off(known);
        if let Some(last) = new.last() {
            let same = new.iter().filter(|line| line.when == last.when).count();
            self.seen = if last.when == self.when { self.seen + same } else { same };
            self.when.clone_from(&last.when);
        }
        if first { Vec::new() } else { new }
    }
}

/// The failure of the app that new lines of the log tell of.
pub(super) fn failure(lines: &[LogLine], app: &str) -> Option<AppHealth> {
    let mut of_app = crashes(lines).into_iter().filter(|crash| crash.package() == app);
    of_app.next().map(|crash| {
        let report = Arc::new(report(&crash));
        match crash.kind {
            CrashKind::NotResponding => AppHealth::NotResponding(report),
            CrashKind::Java | CrashKind::System | CrashKind::Native => AppHealth::Crashed(report),
        }
    })
}

fn report(crash: &Crash) -> CrashReport {
    let text = crash.report();
    CrashReport {
        package: text.package,
        exception: text.exception,
        message: text.message,
        stack: text.stack,
        log: text.log,
    }
}

/// Whether the app is in front, where it did not fail. Android's own windows that ask a person something on its behalf
/// belong to it: engines answer them.
pub(super) fn standing(activity: Option<&Component>, app: &str) -> AppHealth {
    match activity {
        Some(activity)
            if activity.package != app && !SYSTEM_PACKAGES.contains(&activity.package.as_str()) =>
        {
            AppHealth::LeftApp(Text::from(activity.to_string()))
        }
        Some(_) | None => AppHealth::Running,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "01-05 09:00:01.500  4321  4321 E AndroidRuntime: FATAL EXCEPTION: main";
    const TWO: &str = "01-05 09:00:01.500  4321  4321 E AndroidRuntime: Process: org.ex, PID: 4321";
    const LATER: &str = "01-05 09:00:02.000  4321  4321 E AndroidRuntime: java.lang.Error: x";

    #[test]
    fn the_log_is_read_once() {
        let texts = |lines: Vec<LogLine>| lines.into_iter().map(|line| line.text).collect::<Vec<_>>();
        let mut place = LogPlace::default();
        assert!(place.command(30).contains("-T \"$D\""));
        assert!(place.read(&format!("01-05 09:00:01.000\n{ONE}\n")).is_empty(), "it was there before");
        assert!(place.command(30).contains("-T '01-05 09:00:01.500'"));
        assert_eq!(texts(place.read(&format!("{ONE}\n{TWO}\n"))), ["Process: org.ex, PID: 4321"]);
        assert_eq!(texts(place.read(&format!("{ONE}\n{TWO}\n{LATER}\n"))), ["java.lang.Error: x"]);
        assert!(place.read(&format!("{LATER}\n")).is_empty());
        assert!(place.read("").is_empty());
    }

    #[test]
    fn a_log_that_was_empty_begins_now() {
        let mut place = LogPlace::default();
        assert!(place.read("01-05 09:00:01.000\n").is_empty());
        assert_eq!(place.read(&format!("{ONE}\n{TWO}\n")).len(), 2);
    }

    #[test]
    fn another_app_in_front_is_not_the_app() {
        let activity = |text: &str| Component::parse(text);
        assert_eq!(standing(activity("org.ex/.Main").as_ref(), "org.ex"), AppHealth::Running);
        let left = standing(activity("com.home/.Home").as_ref(), "org.ex");
        assert_eq!(left, AppHealth::LeftApp("com.home/.Home".into()));
        let asked = activity("com.android.permissioncontroller/.permission.ui.GrantPermissionsActivity");
        assert_eq!(standing(asked.as_ref(), "org.ex"), AppHealth::Running);
    }
}
