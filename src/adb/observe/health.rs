//! The health of the app under test, derived from the device's log and the foreground activity.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::output::crash::{CrashKind, crashes, logged};
use crate::output::{Component, LogLine, log_lines, package_of_process};
use taproof_engine::device::{AppId, DeviceError};
use taproof_screen::{AppHealth, CrashReport, Text, is_of_app};

/// The position up to which the log was read, so that nothing is read twice and nothing from before the test.
#[derive(Clone, Debug, Default)]
pub(crate) struct LogPosition {
    /// The timestamp of the last line that was read, as the log prints it.
    when: String,
    /// How many lines with that timestamp were read.
    seen: usize,
}

impl LogPosition {
    /// The shell lines that print the log from this position on. The first call also prints the device's time; the
    /// lines already in the log then belong to no test. Devices before Android 5 have no crash buffer and cannot start
    /// at a time.
    pub(crate) fn command(&self, sdk: u32) -> String {
        const FILTERS: &str = "am_crash:I am_anr:I AndroidRuntime:E DEBUG:I ActivityManager:E '*:S'";
        let clock = if self.when.is_empty() { "D=$(date +'%m-%d %H:%M:%S.000')\necho \"$D\"\n" } else { "" };
        let from = if self.when.is_empty() { "\"$D\"".to_owned() } else { format!("'{}'", self.when) };
        if sdk < 21 {
            format!("{clock}logcat -d -v threadtime -b main -b system -b events -t 300 {FILTERS}")
        } else {
            format!("{clock}logcat -d -v threadtime -b crash -b system -b events -T {from} {FILTERS}")
        }
    }

    /// The shell line that prints the errors that apps have logged from this position on.
    pub(crate) fn errors_command(&self, sdk: u32) -> String {
        let from = if sdk < 21 { "-t 300".to_owned() } else { format!("-T '{}'", self.when) };
        format!("logcat -d -v threadtime -b main {from} {}", logged::FILTERS)
    }

    /// The position of a reading of other lines that begins now.
    fn beginning(&self) -> LogPosition {
        LogPosition { when: self.when.clone(), seen: 0 }
    }

    /// The timestamp from which the agent reads the log; empty before the first reading.
    pub(crate) fn from(&self) -> &str {
        &self.when
    }

    /// The lines of an answer that were not read before.
    pub(crate) fn read(&mut self, answer: &str) -> Vec<LogLine> {
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

/// The app under test and its failure, if it failed.
#[derive(Clone, Debug, Default)]
pub(crate) struct TestedApp {
    /// The app that was launched last.
    id: Option<AppId>,
    /// How the app failed since it was launched; `None` if it did not.
    failure: Option<AppHealth>,
    /// The position up to which the log was read.
    pub log: LogPosition,
    /// The position up to which the log was read for errors that do not end the app.
    pub errors: LogPosition,
    /// Whether processes that logged such errors are the app's, by their pids.
    processes: BTreeMap<u32, bool>,
}

impl TestedApp {
    /// The app that was launched last, if one was.
    pub fn id(&self) -> Option<&AppId> {
        self.id.as_ref()
    }

    /// Marks the beginning of a test of this app, which forgets any earlier failure.
    pub fn launched(&mut self, app: &AppId) {
        (self.id, self.failure) = (Some(app.clone()), None);
    }

    /// Marks that a person opened the app. An app launched earlier stays the one under test.
    pub fn opened(&mut self, app: &AppId) {
        self.id.get_or_insert_with(|| app.clone());
    }

    /// Marks the place in the log where the test begins, up to which it was read.
    pub fn begins_here(&mut self) {
        self.errors = self.log.beginning();
        self.processes.clear();
    }

    /// The errors in new lines of the log that the app went on after. `process` returns the command line of a process.
    pub fn logged(
        &mut self,
        new: &[LogLine],
        mut process: impl FnMut(u32) -> Result<String, DeviceError>,
    ) -> Result<Vec<CrashReport>, DeviceError> {
        let mut errors = Vec::new();
        for crash in crashes(new).into_iter().filter(|crash| crash.kind == CrashKind::Logged) {
            let own = match self.processes.get(&crash.pid) {
                Some(known) => *known,
                None => {
                    let said = process(crash.pid)?;
                    let name = said.split('\0').next().unwrap_or_default().trim();
                    // A process that is gone by now may have been the app's.
                    let own = name.is_empty() || package_of_process(name) == self.package();
                    self.processes.insert(crash.pid, own);
                    own
                }
            };
            if own {
                errors.push(CrashReport { package: self.package().to_owned(), ..crash.report() });
            }
        }
        Ok(errors)
    }

    fn package(&self) -> &str {
        self.id.as_ref().map_or("", |app| app.0.as_str())
    }

    /// Whether the app has failed, according to earlier lines of the log or these new ones.
    pub fn has_failed(&self, new: &[LogLine]) -> bool {
        self.failure.is_some() || failure(new, self.package()).is_some()
    }

    /// The app's health, given new lines of the log and the foreground activity.
    pub fn health(&mut self, new: &[LogLine], activity: Option<&Component>) -> AppHealth {
        if self.failure.is_none() {
            self.failure = failure(new, self.package());
        }
        match &self.failure {
            Some(failure) => failure.clone(),
            None if self.package().is_empty() => AppHealth::Running,
            None => in_front(activity, self.package()),
        }
    }
}

/// The app's first failure in new lines of the log, if any.
fn failure(lines: &[LogLine], app: &str) -> Option<AppHealth> {
    let mut of_app =
        crashes(lines).into_iter().filter(|crash| crash.package() == app && crash.kind != CrashKind::Logged);
    of_app.next().map(|crash| {
        let report = Arc::new(crash.report());
        match crash.kind {
            CrashKind::NotResponding => AppHealth::NotResponding(report),
            _ => AppHealth::Crashed(report),
        }
    })
}

/// The health of an app that did not fail: running, or left for another app. Windows of Android itself that ask the
/// user something on the app's behalf count as part of the app, since engines answer them.
fn in_front(activity: Option<&Component>, app: &str) -> AppHealth {
    match activity {
        Some(activity) if !is_of_app(&activity.package, app) => {
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
        let mut place = LogPosition::default();
        assert!(place.command(30).contains("-T \"$D\""));
        assert!(place.read(&format!("01-05 09:00:01.000\n{ONE}\n")).is_empty(), "it was there before");
        assert!(place.command(30).contains("-T '01-05 09:00:01.500'"));
        assert_eq!(texts(place.read(&format!("{ONE}\n{TWO}\n"))), ["Process: org.ex, PID: 4321"]);
        assert_eq!(texts(place.read(&format!("{ONE}\n{TWO}\n{LATER}\n"))), ["java.lang.Error: x"]);
        assert!(place.read(&format!("{LATER}\n")).is_empty());
        assert!(place.read("").is_empty());
    }

    #[test]
    fn errors_of_other_processes_are_not_the_apps() {
        let mut app = TestedApp::default();
        app.launched(&AppId("org.ex".to_owned()));
        app.log.read("01-05 09:00:01.000\n");
        app.begins_here();
        assert!(app.errors.errors_command(30).contains("-b main -T '01-05 09:00:01.000' flutter:E"));
        let line =
            |pid: u32| format!("01-05 09:00:01.500  {pid}  {pid} E ReactNativeJS: TypeError: of {pid}");
        let mut asked = Vec::new();
        for (text, expected) in [
            (format!("{}\n{ONE}\n{}\n", line(7), line(8)), vec!["of 7"]),
            (format!("{}\n{}\n", line(7), line(9)).replace("01.5", "02.5"), vec!["of 7", "of 9"]),
        ] {
            let new = app.errors.read(&text);
            let found = app.logged(&new, |pid| {
                asked.push(pid);
                Ok(match pid {
                    7 => "org.ex:js\0".to_owned(),
                    8 => "org.other\0".to_owned(),
                    _ => String::new(),
                })
            });
            let messages: Vec<String> = found.unwrap().into_iter().map(|report| report.message).collect();
            assert_eq!(messages, expected);
        }
        assert_eq!(asked, [7, 8, 9], "each process is asked for once in a test");
    }

    #[test]
    fn a_log_that_was_empty_begins_now() {
        let mut place = LogPosition::default();
        assert!(place.read("01-05 09:00:01.000\n").is_empty());
        assert_eq!(place.read(&format!("{ONE}\n{TWO}\n")).len(), 2);
    }

    #[test]
    fn another_app_in_front_is_not_the_app() {
        let activity = |text: &str| Component::parse(text);
        assert_eq!(in_front(activity("org.ex/.Main").as_ref(), "org.ex"), AppHealth::Running);
        let left = in_front(activity("com.home/.Home").as_ref(), "org.ex");
        assert_eq!(left, AppHealth::LeftApp("com.home/.Home".into()));
        let asked = activity("com.android.permissioncontroller/.permission.ui.GrantPermissionsActivity");
        assert_eq!(in_front(asked.as_ref(), "org.ex"), AppHealth::Running);
    }
}
