//! Lines of `logcat`, one by one or out of a stream: `-v threadtime` with `year`, `UTC`, `zone`, `usec`, `epoch`,
//! `monotonic` and `uid`, and the older formats `time` and `brief`.

use super::lines::{LineFeed, lines};

/// How grave a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// V.
    Verbose,
    /// D.
    Debug,
    /// I.
    Info,
    /// W.
    Warning,
    /// E.
    Error,
    /// F, in old releases also A.
    Fatal,
}

/// One line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// When, as the device writes it; empty in the brief format.
    pub when: String,
    /// The process.
    pub pid: u32,
    /// The thread; the process again in formats that do not say it.
    pub tid: u32,
    /// How grave it is.
    pub level: Level,
    /// Who writes.
    pub tag: String,
    /// What, with its leading blanks.
    pub text: String,
}

impl LogLine {
    /// Microseconds since 1970 where the log was asked for `-v epoch`.
    pub fn epoch_micros(&self) -> Option<u64> {
        let (seconds, fraction) = self.when.split_once('.')?;
        let digits = fraction.get(..fraction.len().min(6))?;
        let scale = 10_u64.checked_pow(u32::try_from(6 - digits.len()).ok()?)?;
        let micros = digits.parse::<u64>().ok()?.checked_mul(scale)?;
        seconds.parse::<u64>().ok()?.checked_mul(1_000_000)?.checked_add(micros)
    }
}

/// What stands on one line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogEntry {
    /// Somebody wrote a line.
    Line(LogLine),
    /// From here on the lines come from this buffer, such as `main` or `crash`.
    Buffer(String),
    /// Something else, for instance what `logcat` itself complains of.
    Other(String),
}

/// Reads one line without its line end.
pub fn log_entry(line: &str) -> LogEntry {
    if let Some(rest) = line.strip_prefix("---------") {
        let name =
            rest.trim().strip_prefix("beginning of ").or_else(|| rest.trim().strip_prefix("switch to "));
        if let Some(name) = name {
            // Releases before 5 give a path.
            return LogEntry::Buffer(name.trim_start_matches("/dev/log/").to_owned());
        }
    }
    match thread_time(line).or_else(|| brief(line, "")) {
        Some(line) => LogEntry::Line(line),
        None => LogEntry::Other(line.to_owned()),
    }
}

/// All lines of an answer of `logcat -d`, without its headers and what is no line.
pub fn log_lines(text: &str) -> Vec<LogLine> {
    let written = |line| match log_entry(line) {
        LogEntry::Line(line) => Some(line),
        LogEntry::Buffer(_) | LogEntry::Other(_) => None,
    };
    lines(text).filter_map(written).collect()
}

/// Reads a log as its bytes come in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogReader {
    feed: LineFeed,
}

impl LogReader {
    /// Takes the next bytes, gives the entries that they complete.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<LogEntry> {
        self.feed.feed(bytes).iter().filter(|line| !line.is_empty()).map(|line| log_entry(line)).collect()
    }

    /// The last entry, where the stream ended without a line end.
    pub fn finish(&mut self) -> Option<LogEntry> {
        self.feed.finish().filter(|line| !line.is_empty()).map(|line| log_entry(&line))
    }
}

/// `WHEN [UID] PID TID LEVEL TAG: TEXT`, or behind the time the brief format.
fn thread_time(line: &str) -> Option<LogLine> {
    let (when, rest) = time(line)?;
    if let Some(line) = brief(rest.trim_start(), &when) {
        return Some(line);
    }
    let (first, rest) = next_word(rest)?;
    let (second, rest) = next_word(rest)?;
    let (third, after) = next_word(rest)?;
    let (pid, tid, level, rest) = match level(third) {
        Some(level) => (first, second, level, after),
        None => {
            let (fourth, rest) = next_word(after)?;
            (second, third, level(fourth)?, rest)
        }
    };
    let (tag, text) = tag_and_text(rest.strip_prefix(' ').unwrap_or(rest))?;
    Some(LogLine { when, pid: pid.parse().ok()?, tid: tid.parse().ok()?, level, tag, text })
}

/// The time at the beginning of a line: a date and a time, with a year and a zone perhaps, or seconds.
fn time(line: &str) -> Option<(String, &str)> {
    let (first, rest) = next_word(line)?;
    let digits_and = |word: &str, marks: &[char]| {
        word.starts_with(|c: char| c.is_ascii_digit())
            && word.ends_with(|c: char| c.is_ascii_digit())
            && word.chars().all(|c| c.is_ascii_digit() || marks.contains(&c))
            && word.contains(marks)
    };
    if digits_and(first, &['.']) {
        return Some((first.to_owned(), rest));
    }
    let (clock, rest) = next_word(rest)?;
    if !digits_and(first, &['-']) || !clock.contains(':') || !digits_and(clock, &[':', '.']) {
        return None;
    }
    let zone = next_word(rest).filter(|(word, _)| {
        let hours = word.strip_prefix(['+', '-']);
        hours.is_some_and(|hours| hours.len() == 4 && hours.bytes().all(|byte| byte.is_ascii_digit()))
    });
    Some(match zone {
        Some((zone, rest)) => (format!("{first} {clock} {zone}"), rest),
        None => (format!("{first} {clock}"), rest),
    })
}

/// `LEVEL/TAG( PID): TEXT`.
fn brief(line: &str, when: &str) -> Option<LogLine> {
    let (level_name, rest) = line.split_once('/')?;
    let level = level(level_name)?;
    // A tag may hold parentheses itself.
    for (at, _) in rest.match_indices('(') {
        let inside = rest.get(at + 1..)?;
        // A number has no more digits, so a line of parentheses costs no time.
        let Some(end) = inside.bytes().take(12).position(|byte| byte == b')') else { continue };
        let (Some(pid), Some(after)) = (inside.get(..end), inside.get(end + 1..)) else { continue };
        if let (Ok(pid), Some(text)) = (pid.trim().parse(), after.strip_prefix(':')) {
            let (tag, text) = (rest.get(..at)?.trim_end(), text.strip_prefix(' ').unwrap_or(text));
            let (when, tag, text) = (when.to_owned(), tag.to_owned(), text.to_owned());
            return Some(LogLine { when, pid, tid: pid, level, tag, text });
        }
    }
    None
}

/// The tag is padded to 8 columns and ends before the first colon with a blank.
fn tag_and_text(rest: &str) -> Option<(String, String)> {
    let (tag, text) = rest.split_once(": ").or_else(|| Some((rest.trim_end().strip_suffix(':')?, "")))?;
    Some((tag.trim().to_owned(), text.to_owned()))
}

fn level(word: &str) -> Option<Level> {
    Some(match word {
        "V" => Level::Verbose,
        "D" => Level::Debug,
        "I" => Level::Info,
        "W" => Level::Warning,
        "E" => Level::Error,
        "F" | "A" => Level::Fatal,
        _ => return None,
    })
}

fn next_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let (word, rest) = text.split_at(text.find(' ').unwrap_or(text.len()));
    (!word.is_empty()).then_some((word, rest))
}

#[cfg(test)]
mod tests {
    use super::super::test_data;
    use super::*;

    fn line(when: &str, pid: u32, tid: u32, level: Level, tag: &str, text: &str) -> LogLine {
        let (when, tag, text) = (when.to_owned(), tag.to_owned(), text.to_owned());
        LogLine { when, pid, tid, level, tag, text }
    }

    fn check(text: &str, expected: LogLine) {
        assert_eq!(log_entry(text), LogEntry::Line(expected), "{text}");
    }

    #[test]
    fn all_formats_of_the_time_are_read() {
        let fatal = |when| line(when, 8395, 8396, Level::Error, "AndroidRuntime", "FATAL EXCEPTION: main");
        for when in [
            "11-21 08:43:43.890",
            "2026-11-21 08:43:43.890",
            "11-21 08:43:43.890123",
            "11-21 08:43:43.890123456",
            "11-21 08:43:43.890 +0000",
            "2026-11-21 08:43:43.890 -0330",
            "2026-11-21 08:43:43.890 +1245",
        ] {
            check(&format!("{when}  8395  8396 E AndroidRuntime: FATAL EXCEPTION: main"), fatal(when));
        }
        check(
            "         1795250082.405  8395  8396 E AndroidRuntime: FATAL EXCEPTION: main",
            fatal("1795250082.405"),
        );
        check(
            "11-21 08:43:43.890 10123  8395  8396 E AndroidRuntime: FATAL EXCEPTION: main",
            fatal("11-21 08:43:43.890"),
        );
        check(
            "11-21 08:43:43.890  root  8395  8396 E AndroidRuntime: FATAL EXCEPTION: main",
            fatal("11-21 08:43:43.890"),
        );
        check("11-21 08:43:43.890 E/AndroidRuntime( 8395): FATAL", {
            line("11-21 08:43:43.890", 8395, 8395, Level::Error, "AndroidRuntime", "FATAL")
        });
        check("F/a (b) (   12): ", line("", 12, 12, Level::Fatal, "a (b)", ""));
    }

    #[test]
    fn tags_are_padded_and_texts_keep_their_blanks() {
        check("11-21 08:43:43.830  8395  8395 E k3bFoto : \tat x.Y", {
            line("11-21 08:43:43.830", 8395, 8395, Level::Error, "k3bFoto", "\tat x.Y")
        });
        check("11-21 08:43:43.900  7204  7216 W ActivityManager:   Force", {
            line("11-21 08:43:43.900", 7204, 7216, Level::Warning, "ActivityManager", "  Force")
        });
        check("11-21 08:43:01.010  8274  8274 D AndroidRuntime: ", {
            line("11-21 08:43:01.010", 8274, 8274, Level::Debug, "AndroidRuntime", "")
        });
        check("11-21 08:43:01.010  8274  8274 I         : a: b", {
            line("11-21 08:43:01.010", 8274, 8274, Level::Info, "", "a: b")
        });
        check("11-21 08:38:05.980  7204  7215 I am_anr  : [0,1,com.a,2,x]", {
            line("11-21 08:38:05.980", 7204, 7215, Level::Info, "am_anr", "[0,1,com.a,2,x]")
        });
    }

    #[test]
    fn headers_and_complaints_are_no_lines() {
        assert_eq!(log_entry("--------- beginning of /dev/log/main"), LogEntry::Buffer("main".to_owned()));
        assert_eq!(log_entry("--------- beginning of crash"), LogEntry::Buffer("crash".to_owned()));
        assert_eq!(log_entry("--------- switch to main"), LogEntry::Buffer("main".to_owned()));
        for other in
            ["read: unexpected EOF!", "--------- ", "11-21 08:43:43.890", "1.5 2 3 X y: z", "-", "E/x(y): z"]
        {
            assert_eq!(log_entry(other), LogEntry::Other(other.to_owned()));
        }
    }

    #[test]
    fn epoch_times_are_numbers() {
        let at = |when| line(when, 1, 1, Level::Info, "a", "").epoch_micros();
        assert_eq!(at("1795250082.405"), Some(1_795_250_082_405_000));
        assert_eq!(at("1795250082.405123"), Some(1_795_250_082_405_123));
        assert_eq!(at("1795250082.405123456"), Some(1_795_250_082_405_123));
        assert_eq!(at("11-21 08:43:43.890"), None);
        assert_eq!(at("99999999999999999999.1"), None);
    }

    #[test]
    fn every_line_of_the_old_logs_is_read() {
        for (name, expected) in [
            ("logcat_threadtime.txt", 1954),
            ("logcat_events.txt", 424),
            ("crash_logcat_threadtime.txt", 710),
            ("anr_logcat_threadtime.txt", 259),
            ("anr_logcat_excerpt.txt", 4),
            ("crash_logcat_AndroidRuntime.txt", 24),
            ("events_am_crash.txt", 1),
            ("events_am_anr.txt", 1),
        ] {
            let Some(bytes) = test_data::bytes(name) else { return };
            let mut reader = LogReader::default();
            // As it comes through a socket.
            let mut entries: Vec<LogEntry> = bytes.chunks(1000).flat_map(|part| reader.feed(part)).collect();
            entries.extend(reader.finish());
            let others: Vec<&LogEntry> =
                entries.iter().filter(|entry| matches!(entry, LogEntry::Other(_))).collect();
            assert!(others.is_empty(), "{name}: {others:?}");
            let found = log_lines(&String::from_utf8(bytes).unwrap());
            assert_eq!(found.len(), expected, "{name}");
            let streamed = entries.into_iter().filter_map(|entry| match entry {
                LogEntry::Line(line) => Some(line),
                LogEntry::Buffer(_) | LogEntry::Other(_) => None,
            });
            assert!(streamed.eq(found), "{name}");
        }
    }

    #[test]
    fn the_old_logs_say_what_they_say() {
        let Some(text) = test_data::text("crash_logcat_threadtime.txt") else { return };
        let lines = log_lines(&text);
        assert_eq!(lines[0], line("11-21 08:43:01.010", 8274, 8274, Level::Debug, "AndroidRuntime", ""));
        let text = "  Force finishing activity de.k3b.android.androFotoFinder/.ExifEditActivity";
        assert!(lines.contains(&line(
            "11-21 08:43:43.900",
            7204,
            7216,
            Level::Warning,
            "ActivityManager",
            text
        )));
        let mut reader = LogReader::default();
        let header = reader.feed(b"--------- beginning of /dev/log/main\r\n\r\n11-21 0");
        assert_eq!(header, [LogEntry::Buffer("main".to_owned())]);
    }
}
