//! Helpers for all parsers: lines, fields by name, excerpts for error messages, and lines from a stream.

/// Longer lines of a stream are cut here, in bytes. Android's log writes at most 4 KB, a terminal less.
const LONGEST_LINE: usize = 64 * 1024;

/// The lines of an answer without their line ends. A terminal may have added more than one CR.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').map(|line| line.trim_end_matches('\r'))
}

/// For each `key` that is not the end of a longer word, the text from there to the end of the line.
pub(super) fn values<'a>(text: &'a str, key: &'a str) -> impl Iterator<Item = &'a str> {
    text.match_indices(key).filter_map(move |(at, _)| {
        let longer = text.get(..at)?.chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
        let rest = text.get(at + key.len()..)?;
        (!longer).then(|| lines(rest).next().unwrap_or_default())
    })
}

/// The first word, up to a blank or a character that ends a field or closes a list.
pub(super) fn word(rest: &str) -> &str {
    let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '}' | ']' | ')');
    rest.trim_start().split(ends).next().unwrap_or_default()
}

/// The first word after the first `key`.
pub(super) fn first_word<'a>(text: &'a str, key: &'a str) -> Option<&'a str> {
    values(text, key).map(word).next()
}

/// The first `true` or `false` after a `key`.
pub(super) fn first_bool(text: &str, key: &str) -> Option<bool> {
    values(text, key).find_map(|rest| word(rest).parse().ok())
}

/// The number at the beginning, after blanks. Commas between its digits are ignored.
pub(super) fn leading_number(rest: &str) -> Option<u64> {
    let digits: String = rest
        .trim_start()
        .chars()
        .take_while(|c| c.is_ascii_digit() || *c == ',')
        .filter(char::is_ascii_digit)
        .collect();
    digits.parse().ok()
}

/// The beginning of an answer, quoted for an error message.
pub(super) fn excerpt(text: &str) -> String {
    const SHOWN: usize = 160;
    let text = text.trim();
    let shown: String = text.chars().take(SHOWN).collect();
    match (shown.is_empty(), shown.len() < text.len()) {
        (true, _) => "as nothing at all".to_owned(),
        (false, false) => format!("{shown:?}"),
        (false, true) => format!("{shown:?} and so on"),
    }
}

/// Whether the shell reports that there is no such command, or `dumpsys` or `cmd` that there is no such service.
pub(super) fn says_no_command(text: &str) -> bool {
    lines(text).take(3).any(|line| {
        let line = line.trim();
        line.ends_with(": not found")
            || line.ends_with("inaccessible or not found")
            || line.starts_with("Can't find service: ")
    })
}

/// Reverts what a terminal of an old device does to binary data: each LF arrives as CRLF. Only one CR is removed, so
/// one that was part of the data remains.
pub fn undo_crlf(bytes: &[u8]) -> Vec<u8> {
    let mut undone = Vec::with_capacity(bytes.len());
    let mut rest = bytes.iter().peekable();
    while let Some(&byte) = rest.next() {
        if byte != b'\r' || rest.peek() != Some(&&b'\n') {
            undone.push(byte);
        }
    }
    undone
}

/// Splits a stream of bytes into lines. Buffers at most one unfinished line, of at most 64 KiB.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineFeed {
    pending: Vec<u8>,
    /// Whether the current line was too long, so that the rest of it is skipped.
    overlong: bool,
}

impl LineFeed {
    /// Takes the next bytes and returns the lines that they complete, without line ends. Invalid UTF-8 is replaced.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut complete = Vec::new();
        let mut parts = bytes.split(|byte| *byte == b'\n');
        if let Some(first) = parts.next() {
            self.append(first, &mut complete);
        }
        for part in parts {
            if !std::mem::take(&mut self.overlong) {
                complete.push(self.take_line());
            }
            self.append(part, &mut complete);
        }
        complete
    }

    fn append(&mut self, part: &[u8], complete: &mut Vec<String>) {
        if self.overlong {
            return;
        }
        let room = LONGEST_LINE.saturating_sub(self.pending.len());
        self.pending.extend_from_slice(part.get(..room).unwrap_or(part));
        if part.len() > room {
            self.overlong = true;
            complete.push(self.take_line());
        }
    }

    fn take_line(&mut self) -> String {
        let bytes = std::mem::take(&mut self.pending);
        let line = String::from_utf8_lossy(&bytes);
        line.trim_end_matches('\r').to_owned()
    }
}

/// The line of an answer that says that there is no service that every Android has: their process has died, and is started
/// again.
pub(super) fn no_services(answer: &str) -> Option<&str> {
    const SERVICES: [&str; 6] = ["activity", "input", "package", "power", "settings", "window"];
    answer.lines().map(str::trim).find(|line| {
        let said = line.strip_prefix("cmd: ").unwrap_or(line).strip_prefix("Can't find service: ");
        said.is_some_and(|service| SERVICES.contains(&service))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_services_are_those_of_every_android() {
        let said = "cmd: Can't find service: settings";
        assert_eq!(no_services(&format!("1\n{said}\r\n2")), Some(said));
        assert!(no_services("Can't find service: window").is_some());
        assert_eq!(None, no_services("Can't find service: face\nmTitle=Can't find service: window"));
    }

    #[test]
    fn a_field_is_not_the_end_of_a_longer_one() {
        let text = "mUserRotation=2 mRotation=1 rotation=3,\r\nmRotation=0\r\n";
        assert_eq!(values(text, "mRotation=").map(word).collect::<Vec<_>>(), ["1", "0"]);
        assert_eq!(first_word(text, "rotation="), Some("3"));
        assert_eq!(values(text, "rotation=").collect::<Vec<_>>(), ["3,"]);
    }

    #[test]
    fn numbers_may_have_commas() {
        assert_eq!(leading_number("  1,234K: x"), Some(1234));
        assert_eq!(leading_number("x1"), None);
        assert_eq!(leading_number("99999999999999999999999"), None);
    }

    #[test]
    fn excerpts_are_short_and_quoted() {
        assert_eq!(excerpt(" \r\n"), "as nothing at all");
        assert_eq!(excerpt("a\r\nb\r\n"), r#""a\r\nb""#);
        assert!(excerpt(&"ä".repeat(500)).len() < 400);
    }

    #[test]
    fn a_missing_command_is_known() {
        assert!(says_no_command("/system/bin/sh: cmd: not found\r\nrc=0\r\n"));
        assert!(says_no_command("/system/bin/sh: wm: inaccessible or not found\n"));
        assert!(says_no_command("Can't find service: display\n"));
        assert!(!says_no_command("Physical size: 1x1\n"));
    }

    #[test]
    fn crlf_is_undone_once() {
        assert_eq!(undo_crlf(b"\r\r\n\r\n\ra\r"), b"\r\n\n\ra\r");
    }

    #[test]
    fn a_stream_may_break_anywhere() {
        let text = "eins\r\nzw\u{f6}lf\r\n\r\nend\n";
        for size in 1..text.len() {
            let mut feed = LineFeed::default();
            let found: Vec<String> = text.as_bytes().chunks(size).flat_map(|part| feed.feed(part)).collect();
            assert_eq!(found, ["eins", "zw\u{f6}lf", "", "end"], "in parts of {size}");
            assert_eq!(feed, LineFeed::default());
        }
    }

    #[test]
    fn an_endless_line_is_cut() {
        let mut feed = LineFeed::default();
        let mut found = Vec::new();
        for _ in 0..100 {
            found.extend(feed.feed(&[b'x'; 10_000]));
        }
        found.extend(feed.feed(b"\nnext\n"));
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].len(), LONGEST_LINE);
        assert_eq!(found[1], "next");
    }
}
