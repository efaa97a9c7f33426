//! Parsing lines of `logcat`: `-v threadtime` with `year`, `UTC`, `zone`, `usec`, `epoch`, `monotonic` and `uid`, and
//! the older formats `time` and `brief`.

use super::lines::lines;

/// One line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// The time as the device prints it; empty in the brief format.
    pub when: String,
    /// The pid of the process that wrote the line.
    pub pid: u32,
    /// The thread id; the pid in formats that lack it.
    pub tid: u32,
    /// Whether its priority is that of an error or higher.
    pub error: bool,
    /// The tag, which names the component that wrote the line.
    pub tag: String,
    /// The message, including its leading blanks.
    pub text: String,
}

/// Parses all lines of an answer of `logcat -d`. Headers and anything that is not a log line are skipped.
pub fn log_lines(text: &str) -> Vec<LogLine> {
    lines(text).filter_map(log_line).collect()
}

/// Parses one line without its line end; `None` for the header of a buffer and for messages of `logcat` itself.
fn log_line(line: &str) -> Option<LogLine> {
    thread_time(line).or_else(|| brief(line, ""))
}

/// Parses `WHEN [UID] PID TID LEVEL TAG: TEXT`, or the brief format after the time.
fn thread_time(line: &str) -> Option<LogLine> {
    let (when, rest) = time(line)?;
    if let Some(line) = brief(rest.trim_start(), &when) {
        return Some(line);
    }
    let (first, rest) = next_word(rest)?;
    let (second, rest) = next_word(rest)?;
    let (third, after) = next_word(rest)?;
    let (pid, tid, error, rest) = match is_error(third) {
        Some(error) => (first, second, error, after),
        None => {
            let (fourth, rest) = next_word(after)?;
            (second, third, is_error(fourth)?, rest)
        }
    };
    let (tag, text) = tag_and_text(rest.strip_prefix(' ').unwrap_or(rest))?;
    Some(LogLine { when, pid: pid.parse().ok()?, tid: tid.parse().ok()?, error, tag, text })
}

/// Splits off the time at the beginning of a line: a date and a time, possibly with a year and a zone, or seconds.
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

/// Parses `LEVEL/TAG( PID): TEXT`.
fn brief(line: &str, when: &str) -> Option<LogLine> {
    let (level, rest) = line.split_once('/')?;
    let error = is_error(level)?;
    // A tag may itself contain parentheses.
    for (at, _) in rest.match_indices('(') {
        let inside = rest.get(at + 1..)?;
        // A pid has fewer digits, so this bounds the search on a line full of parentheses.
        let Some(end) = inside.bytes().take(12).position(|byte| byte == b')') else { continue };
        let (Some(pid), Some(after)) = (inside.get(..end), inside.get(end + 1..)) else { continue };
        if let (Ok(pid), Some(text)) = (pid.trim().parse(), after.strip_prefix(':')) {
            let (tag, text) = (rest.get(..at)?.trim_end(), text.strip_prefix(' ').unwrap_or(text));
            let (when, tag, text) = (when.to_owned(), tag.to_owned(), text.to_owned());
            return Some(LogLine { when, pid, tid: pid, error, tag, text });
        }
    }
    None
}

/// Splits tag and message. The tag is padded to 8 columns and ends before the first colon followed by a blank.
fn tag_and_text(rest: &str) -> Option<(String, String)> {
    let (tag, text) = rest.split_once(": ").or_else(|| Some((rest.trim_end().strip_suffix(':')?, "")))?;
    Some((tag.trim().to_owned(), text.to_owned()))
}

/// Whether the word is the priority of an error or a higher one: `F` is `A` in old releases. `None` for other words.
fn is_error(word: &str) -> Option<bool> {
    match word {
        "V" | "D" | "I" | "W" => Some(false),
        "E" | "F" | "A" => Some(true),
        _ => None,
    }
}

fn next_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let (word, rest) = text.split_at(text.find(' ').unwrap_or(text.len()));
    (!word.is_empty()).then_some((word, rest))
}

#[cfg(test)]
mod tests {
    use super::super::tests::test_data;
    use super::*;

    fn line(when: &str, pid: u32, tid: u32, error: bool, tag: &str, text: &str) -> LogLine {
        let (when, tag, text) = (when.to_owned(), tag.to_owned(), text.to_owned());
        LogLine { when, pid, tid, error, tag, text }
    }

    fn check(text: &str, expected: LogLine) {
        assert_eq!(log_line(text), Some(expected), "{text}");
    }

    #[test]
    fn all_formats_of_the_time_are_read() {
        let fatal = |when| line(when, 8395, 8396, true, "AndroidRuntime", "FATAL EXCEPTION: main");
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
            line("11-21 08:43:43.890", 8395, 8395, true, "AndroidRuntime", "FATAL")
        });
        check("F/a (b) (   12): ", line("", 12, 12, true, "a (b)", ""));
    }

    #[test]
    fn tags_are_padded_and_texts_keep_their_blanks() {
        check("11-21 08:43:43.830  8395  8395 E k3bFoto : \tat x.Y", {
            line("11-21 08:43:43.830", 8395, 8395, true, "k3bFoto", "\tat x.Y")
        });
        check("11-21 08:43:43.900  7204  7216 W ActivityManager:   Force", {
            line("11-21 08:43:43.900", 7204, 7216, false, "ActivityManager", "  Force")
        });
        check("11-21 08:43:01.010  8274  8274 D AndroidRuntime: ", {
            line("11-21 08:43:01.010", 8274, 8274, false, "AndroidRuntime", "")
        });
        check("11-21 08:43:01.010  8274  8274 I         : a: b", {
            line("11-21 08:43:01.010", 8274, 8274, false, "", "a: b")
        });
        check("11-21 08:38:05.980  7204  7215 I am_anr  : [0,1,com.a,2,x]", {
            line("11-21 08:38:05.980", 7204, 7215, false, "am_anr", "[0,1,com.a,2,x]")
        });
    }

    #[test]
    fn headers_and_complaints_are_no_lines() {
        for other in [
            "--------- beginning of /dev/log/main",
            "--------- beginning of crash",
            "--------- switch to main",
            "read: unexpected EOF!",
            "--------- ",
            "11-21 08:43:43.890",
            "1.5 2 3 X y: z",
            "-",
            "E/x(y): z",
        ] {
            assert_eq!(log_line(other), None, "{other}");
        }
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
            let Some(text) = test_data::text(name) else { return };
            assert_eq!(log_lines(&text).len(), expected, "{name}");
            let known = |line: &&str| line.is_empty() || line.starts_with("--------- beginning of ");
            let others: Vec<&str> =
                lines(&text).filter(|line| !known(line) && log_line(line).is_none()).collect();
            assert!(others.is_empty(), "{name}: {others:?}");
        }
    }

    #[test]
    fn the_old_logs_say_what_they_say() {
        let Some(text) = test_data::text("crash_logcat_threadtime.txt") else { return };
        let lines = log_lines(&text);
        assert_eq!(lines[0], line("11-21 08:43:01.010", 8274, 8274, false, "AndroidRuntime", ""));
        let text = "  Force finishing activity de.k3b.android.androFotoFinder/.ExifEditActivity";
        assert!(lines.contains(&line("11-21 08:43:43.900", 7204, 7216, false, "ActivityManager", text)));
    }
}
