//! The system's own messages on crashes: entries of the events buffer, and lines of the activity manager.

use super::super::component::Component;
use super::super::lines::leading_number;
use super::not_responding;
use super::record::{Crash, CrashKind};

/// The tags of the entries of the events buffer that are parsed here.
pub(super) const TAGS: &[&str] = &["am_crash", "am_anr", "am_proc_died"];

/// The death of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Death {
    /// The name of the process.
    pub process: String,
    /// The pid of the process.
    pub pid: u32,
}

/// The content of an entry of the events buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SystemEvent {
    Crash(Box<Crash>),
    Death(Death),
}

/// Parses an entry, whose text is a list in brackets; `None` for anything else. Messages may contain commas, braces,
/// brackets and line ends, so fields are counted from both sides of the message.
pub(super) fn event(when: &str, tag: &str, text: &str) -> Option<SystemEvent> {
    let fields = text.trim().strip_prefix('[')?;
    let fields = fields.strip_suffix(']').unwrap_or(fields);
    match tag {
        "am_crash" => am_crash(when, text, fields).map(|crash| SystemEvent::Crash(Box::new(crash))),
        "am_anr" => am_anr(when, text, fields).map(|crash| SystemEvent::Crash(Box::new(crash))),
        "am_proc_died" => {
            let mut parts = fields.split(',');
            let pid = parts.nth(1)?.trim().parse().ok()?;
            let process = parts.next()?.trim().to_owned();
            Some(SystemEvent::Death(Death { process, pid }))
        }
        _ => None,
    }
}

/// Parses `pid,user,process,flags,class,message,file,line`, followed by `,recoverable` since Android 14.
fn am_crash(when: &str, text: &str, fields: &str) -> Option<Crash> {
    let mut front = fields.splitn(6, ',');
    let pid = front.next()?.trim().parse().ok()?;
    let process = front.nth(1)?.trim();
    let exception = front.nth(1)?.trim();
    let rest = front.next().unwrap_or_default();
    let (message, thrown_at) = message_and_place(rest);
    let native = exception.eq_ignore_ascii_case("native crash");
    Some(Crash {
        kind: match (native, process) {
            (true, _) => CrashKind::Native,
            (false, "system_server" | "system") => CrashKind::System,
            (false, _) => CrashKind::Java,
        },
        thrown_at: thrown_at.filter(|_| !native),
        ..bare(when, process, pid, exception, message, text)
    })
}

/// Splits `message,file,line[,recoverable]`. If the end is missing, everything is the message.
fn message_and_place(rest: &str) -> (&str, Option<String>) {
    let is_number = |field: &str| field.trim().parse::<i64>().is_ok();
    let place = || {
        let (before, mut line) = rest.rsplit_once(',').filter(|(_, field)| is_number(field))?;
        let (mut message, mut file) = before.rsplit_once(',')?;
        if is_number(file)
            && let Some(one_more) = message.rsplit_once(',')
        {
            line = file;
            (message, file) = one_more;
        }
        let file = file.trim();
        let known =
            !file.is_empty() && !file.eq_ignore_ascii_case("null") && !file.eq_ignore_ascii_case("unknown");
        Some((message, known.then(|| format!("{file}:{}", line.trim()))))
    };
    place().unwrap_or((rest, None))
}

/// Parses the fields of an `am_anr` entry, `user,pid,package,flags,reason`: an app that does not respond.
fn am_anr(when: &str, text: &str, fields: &str) -> Option<Crash> {
    let mut front = fields.splitn(5, ',');
    let pid = front.nth(1)?.trim().parse().ok()?;
    let process = front.next()?.trim();
    let reason = front.nth(1).unwrap_or_default();
    Some(bare(when, process, pid, not_responding::EXCEPTION, reason, text))
}

fn bare(when: &str, process: &str, pid: u32, exception: &str, message: &str, log: &str) -> Crash {
    Crash {
        kind: CrashKind::NotResponding,
        when: when.to_owned(),
        process: process.to_owned(),
        pid,
        exception: exception.to_owned(),
        message: message.to_owned(),
        stack: Vec::new(),
        causes: Vec::new(),
        activity: None,
        thrown_at: None,
        log: log.to_owned(),
    }
}

/// Parses `Process com.a (pid 4321) has died: fg TOP`; without the state in old releases, with `(adj 0)` in some.
pub(super) fn death(text: &str) -> Option<Death> {
    let (process, rest) = text.trim().strip_prefix("Process ")?.split_once(" (pid ")?;
    let pid = u32::try_from(leading_number(rest)?).ok()?;
    rest.contains(" has died").then(|| Death { process: process.trim().to_owned(), pid })
}

/// Parses `Force finishing activity com.a/.Main`; in old releases it contains the whole record.
pub(super) fn closed_activity(text: &str) -> Option<Component> {
    let rest = text.trim().strip_prefix("Force finishing activity ")?;
    Component::of_record(rest).or_else(|| Component::parse(rest.split_whitespace().next()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crash(tag: &str, text: &str) -> Crash {
        match event("when", tag, text) {
            Some(SystemEvent::Crash(crash)) => *crash,
            other => panic!("{text}: {other:?}"),
        }
    }

    fn check(text: &str, message: &str, thrown_at: Option<&str>) {
        let found = crash("am_crash", text);
        assert_eq!((found.message.as_str(), found.thrown_at.as_deref()), (message, thrown_at), "{text}");
        assert_eq!((found.process.as_str(), found.exception.as_str()), ("com.a", "x.Y"), "{text}");
    }

    #[test]
    fn messages_may_hold_anything() {
        check("[1,0,com.a,2,x.Y,boom,Main.kt,12]", "boom", Some("Main.kt:12"));
        check("[1,0,com.a,2,x.Y,length=1; index=1,A.java,176,0]", "length=1; index=1", Some("A.java:176"));
        check("[1,0,com.a,2,x.Y,a, {b}, [c],A.java,-2,1]", "a, {b}, [c]", Some("A.java:-2"));
        check("[1,0,com.a,2,x.Y,,A.java,1]", "", Some("A.java:1"));
        check("[1,0,com.a,2,x.Y,n 1,2,A.java,1]", "n 1,2", Some("A.java:1"));
        check("[1,0,com.a,2,x.Y,NULL,NULL,0,0]", "NULL", None);
        // The log truncates long entries.
        check("[1,0,com.a,2,x.Y,cut off, in the", "cut off, in the", None);
        check("[1,0,com.a,2,x.Y]", "", None);
    }

    #[test]
    fn kinds_are_told_apart() {
        let native = crash("am_crash", "[1,0,com.a,2,Native crash,Segmentation fault,unknown,0]");
        assert_eq!((native.kind, native.thrown_at), (CrashKind::Native, None));
        assert_eq!(crash("am_crash", "[1,0,system_server,2,x.Y,m,A.java,1]").kind, CrashKind::System);
        let anr = crash("am_anr", "[0,7544,com.a,13155909,Input dispatching timed out (a, b)]");
        assert_eq!((anr.pid, anr.message.as_str()), (7544, "Input dispatching timed out (a, b)"));
        assert_eq!((anr.kind, anr.exception.as_str()), (CrashKind::NotResponding, "ANR"));
    }

    #[test]
    fn broken_entries_are_none() {
        for (tag, text) in [
            ("am_crash", ""),
            ("am_crash", "["),
            ("am_crash", "[x,0,com.a,2,x.Y,m,A.java,1]"),
            ("am_anr", "[0]"),
            ("am_anr", "no list"),
            ("am_proc_died", "[0,]"),
            ("am_kill", "[0,1,com.a,0,x]"),
        ] {
            assert_eq!(event("when", tag, text), None, "{tag} {text}");
        }
    }

    #[test]
    fn deaths_of_all_releases_are_read() {
        let expected = Death { process: "com.a".to_owned(), pid: 4321 };
        for text in [
            "Process com.a (pid 4321) has died: fg TOP",
            "Process com.a (pid 4321) has died.",
            "Process com.a (pid 4321) (adj 0) has died.",
            "Process com.a (pid 4321) has died: fore TOP ",
        ] {
            assert_eq!(death(text), Some(expected.clone()), "{text}");
        }
        assert_eq!(death("Process com.a (pid x) has died"), None);
        assert_eq!(death("Process com.a (pid 4321) was started"), None);
        let event = event("when", "am_proc_died", "[0,4321,com.a,0,2]");
        assert_eq!(event, Some(SystemEvent::Death(expected)));
    }

    #[test]
    fn closed_activities_are_read() {
        for text in [
            "  Force finishing activity com.a/.Main",
            "Force finishing activity ActivityRecord{1 u0 com.a/.Main t3}",
        ] {
            assert_eq!(closed_activity(text).unwrap().to_string(), "com.a/.Main");
        }
        assert_eq!(closed_activity("Force finishing activity"), None);
    }
}
