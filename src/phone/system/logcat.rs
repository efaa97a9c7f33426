//! Log lines in Android's threadtime format, including its blocks for fatal exceptions and ANRs.

use std::sync::Arc;

use taproof_screen::CrashReport;
use taproof_screen::determinism::DeviceInstant;

use crate::Date;
use crate::app::Crash;

/// The log lines that have not been taken. If there are too many, the oldest are dropped, as in Android's ring buffer.
#[derive(Default)]
pub(crate) struct Logcat {
    lines: std::collections::VecDeque<String>,
}

const CAPACITY: usize = 2000;

impl Logcat {
    /// Appends a line. If there are [`CAPACITY`] lines already, the oldest is dropped.
    pub fn write(&mut self, now: DeviceInstant, pid: u32, level: char, tag: &str, text: &str) {
        if self.lines.len() == CAPACITY {
            self.lines.pop_front();
        }
        self.lines.push_back(line(now, pid, level, tag, text));
    }

    /// Takes all lines and clears the log.
    pub fn take(&mut self) -> Vec<String> {
        self.lines.drain(..).collect()
    }
}

fn line(now: DeviceInstant, pid: u32, level: char, tag: &str, text: &str) -> String {
    let date = Date::at(now);
    format!(
        "{:02}-{:02} {:02}:{:02}:{:02}.{:03} {pid:5} {pid:5} {level} {tag:<8}: {text}",
        date.month, date.day, date.hour, date.minute, date.second, date.millis
    )
}

/// Writes the block of a crash. Returns its contents.
pub(crate) fn write_crash(
    log: &mut Logcat,
    now: DeviceInstant,
    pid: u32,
    package: &str,
    crash: &Crash,
) -> Arc<CrashReport> {
    let mut block = vec![
        "FATAL EXCEPTION: main".to_owned(),
        format!("Process: {package}, PID: {pid}"),
        format!("{}: {}", crash.exception, crash.message),
    ];
    block.extend(crash.stack.iter().map(|frame| format!("\tat {frame}")));
    block.push("\tat android.os.Handler.dispatchMessage(Handler.java:106)".to_owned());
    block.push("\tat android.os.Looper.loop(Looper.java:193)".to_owned());
    block.push("\tat android.app.ActivityThread.main(ActivityThread.java:6669)".to_owned());
    for text in &block {
        log.write(now, pid, 'E', "AndroidRuntime", text);
    }
    log.write(
        now,
        1500,
        'I',
        "ActivityManager",
        &format!("Process {package} (pid {pid}) has died: fore TOP"),
    );
    Arc::new(CrashReport {
        package: package.to_owned(),
        exception: crash.exception.to_owned(),
        message: crash.message.to_owned(),
        stack: crash.stack.iter().map(|frame| (*frame).to_owned()).collect(),
        log: block.join("\n"),
        causes: Vec::new(),
    })
}

/// Writes the block of an ANR. Returns its contents.
pub(crate) fn write_anr(
    log: &mut Logcat,
    now: DeviceInstant,
    pid: u32,
    package: &str,
    activity: &str,
    reason: &str,
) -> Arc<CrashReport> {
    let block = [
        format!("ANR in {package} ({package}/.{activity})"),
        format!("PID: {pid}"),
        format!("Reason: {reason}"),
        "Load: 1.02 / 0.87 / 0.64".to_owned(),
        "CPU usage from 0ms to 5000ms later:".to_owned(),
        format!("  99% {pid}/{package}: 99% user + 0% kernel"),
    ];
    for text in &block {
        log.write(now, 1500, 'E', "ActivityManager", text);
    }
    Arc::new(CrashReport {
        package: package.to_owned(),
        exception: "ANR".to_owned(),
        message: reason.to_owned(),
        stack: vec![format!("{package}.{activity}")],
        log: block.join("\n"),
        causes: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_block_reads_as_androids() {
        let mut log = Logcat::default();
        let crash = Crash {
            exception: "java.lang.IllegalStateException",
            message: "no view",
            stack: &["org.ex.Main.onCreate(Main.java:12)"],
        };
        let report = write_crash(&mut log, DeviceInstant(1500), 4321, "org.ex", &crash);
        let lines = log.take();
        assert_eq!(lines[0], "01-05 09:00:01.500  4321  4321 E AndroidRuntime: FATAL EXCEPTION: main");
        assert_eq!(lines[1], "01-05 09:00:01.500  4321  4321 E AndroidRuntime: Process: org.ex, PID: 4321");
        assert_eq!(
            lines[3],
            "01-05 09:00:01.500  4321  4321 E AndroidRuntime: \tat org.ex.Main.onCreate(Main.java:12)"
        );
        assert_eq!(report.key(), "java.lang.IllegalStateException at org.ex.Main.onCreate");
        assert!(log.take().is_empty());
    }
}
