//! The block that Android logs when an app does not respond.

use super::super::component::Component;
use super::super::lines::leading_number;
use super::record::{Crash, CrashKind};

/// The name that reports use in place of an exception's class.
pub(super) const EXCEPTION: &str = "ANR";

const HEADER: &str = "ANR in ";

/// Whether this line of `ActivityManager` begins a block.
pub(super) fn begins(text: &str) -> bool {
    text.starts_with(HEADER)
}

/// Whether the line can belong to a block that has begun.
pub(super) fn goes_on(text: &str) -> bool {
    const FIELDS: &[&str] = &[
        "PID: ",
        "Reason: ",
        "Parent: ",
        "ErrorId: ",
        "Frozen: ",
        "Load: ",
        "CPU usage from ",
        "-----",
        "some avg10=",
        "full avg10=",
    ];
    let field = FIELDS.iter().any(|field| text.starts_with(field));
    // Rows of the table of processes.
    field || text.trim().is_empty() || text.contains("% user + ") || text.contains("% TOTAL")
}

/// Parses a whole block: `ANR in com.a (com.a/.Main)`, then fields.
pub(super) fn crash(when: &str, block: &[String]) -> Crash {
    let header = block.first().and_then(|text| text.strip_prefix(HEADER)).unwrap_or_default();
    let process = header.split([' ', ',']).next().unwrap_or_default();
    let in_brackets = header.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
    let activity = in_brackets.and_then(|(name, _)| Component::parse(name.trim()));
    let field = |key: &str| block.iter().find_map(|text| text.strip_prefix(key));
    let pid = field("PID:").and_then(leading_number).and_then(|pid| u32::try_from(pid).ok());
    Crash {
        kind: CrashKind::NotResponding,
        when: when.to_owned(),
        process: process.to_owned(),
        pid: pid.unwrap_or(0),
        exception: EXCEPTION.to_owned(),
        message: field("Reason: ").unwrap_or_default().to_owned(),
        stack: Vec::new(),
        causes: Vec::new(),
        activity,
        thrown_at: None,
        log: block.join("\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_of_a_newer_release_is_read() {
        let block: Vec<String> = "ANR in com.a:remote (com.a/.Main)\nPID: 4321\nReason: Input \
            dispatching timed out (x (y))\n\
            Parent: com.a/.Main\nErrorId: 5b0b\nFrozen: false\nLoad: 0.1 / 0.2 / 0.3\n\
            ----- Output from /proc/pressure/memory -----\nsome avg10=0.00 avg60=0.00 avg300=0.00 total=0\n\
            ----- End output from /proc/pressure/memory -----\n\nCPU usage from 0ms to 5000ms later (2024-01-02 to x):\n  \
            99% 4321/com.a: 99% user + 0% kernel\n14% TOTAL: 7% user + 6% kernel"
            .lines()
            .map(str::to_owned)
            .collect();
        assert!(begins(&block[0]));
        for text in &block[1..] {
            assert!(goes_on(text), "{text}");
        }
        assert!(!goes_on("Killing 4321:com.a/u0a1 (adj 0): bg anr"));
        let found = crash("when", &block);
        assert_eq!((found.process.as_str(), found.package(), found.pid), ("com.a:remote", "com.a", 4321));
        assert_eq!(found.message, "Input dispatching timed out (x (y))");
        assert_eq!(found.report().stack, ["com.a.Main"]);
    }

    #[test]
    fn a_block_may_lack_everything() {
        let found = crash("when", &["ANR in com.a".to_owned()]);
        assert_eq!((found.process.as_str(), found.pid, found.message.as_str()), ("com.a", 0, ""));
        assert_eq!(found.report().stack, Vec::<String>::new());
        assert_eq!(crash("when", &["ANR in com.a, time=5".to_owned()]).process, "com.a");
        assert_eq!(crash("when", &[]).process, "");
    }
}
