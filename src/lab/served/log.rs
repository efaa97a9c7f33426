//! The log of a served device: the device's lines, sorted into Android's buffers, and lines that the system adds.
//!
//! The device writes lines in the threadtime format. The buffers are derived from them: the block of a crash belongs to
//! the crash buffer, lines of the system's services to the system buffer, and each crash and each unresponsive app gets
//! a line in the events buffer.

use std::collections::{BTreeMap, VecDeque};
use taproof_screen::words;

use taproof_phone::Date;

/// The pid of the system's process, which writes the system's log lines.
pub(super) const SYSTEM_PID: u32 = 1500;

words! {
    /// One of Android's log buffers.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Buffer {
        /// Lines that apps write.
        Main = "main",
        /// Lines that the system's services write.
        System = "system",
        /// The blocks of crashes. Android 4.4 has no such buffer and writes them to the main one.
        Crash = "crash",
        /// Events in a machine-readable form, such as `am_crash`.
        Events = "events",
    }
    /// The name that `logcat -b` takes.
    pub fn name;
    /// Every buffer once, in the order of their declaration.
    pub const ALL;
}

/// The priority of a line, ascending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// `V`: details of interest only to the author of the code.
    Verbose,
    /// `D`: details for debugging.
    Debug,
    /// `I`: something that happens in normal operation.
    Info,
    /// `W`: something unexpected but harmless.
    Warn,
    /// `E`: an operation failed.
    Error,
    /// `F`: a failure that ends the process.
    Fatal,
}

impl Level {
    /// The letter for it in the log.
    pub fn letter(self) -> char {
        match self {
            Level::Verbose => 'V',
            Level::Debug => 'D',
            Level::Info => 'I',
            Level::Warn => 'W',
            Level::Error => 'E',
            Level::Fatal => 'F',
        }
    }

    /// The priority for the letter, in either case; `None` for other letters.
    pub(crate) fn from_letter(letter: char) -> Option<Level> {
        let all = [Level::Verbose, Level::Debug, Level::Info, Level::Warn, Level::Error, Level::Fatal];
        all.into_iter().find(|level| level.letter() == letter.to_ascii_uppercase())
    }
}

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Sequence number among all lines; later lines have larger numbers.
    pub number: u64,
    /// The time of writing, in milliseconds since 1970.
    pub epoch_millis: u64,
    /// The pid of the process that wrote it.
    pub pid: u32,
    /// The priority of the line.
    pub level: Level,
    /// The tag by which `logcat` filters, naming the component that wrote the line.
    pub tag: String,
    /// The message, a single line of it.
    pub text: String,
    /// The buffer that it was written to.
    pub buffer: Buffer,
}

impl Entry {
    fn bytes(&self) -> usize {
        self.tag.len() + self.text.len() + LINE_BYTES
    }
}

/// The beginning of a text, at most `most` bytes, cut between characters.
fn cut(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or_default()
}

/// The log of a device: all its buffers in one sequence.
#[derive(Clone, Debug, Default)]
pub struct Log {
    entries: VecDeque<Entry>,
    /// The size of each buffer's content in bytes.
    used: BTreeMap<Buffer, usize>,
    next: u64,
    /// The pid, the time and the lines of a crash whose block is being read.
    crash: Option<(u32, u64, Vec<String>)>,
    /// The process that does not respond and its pid, from the block that is being read.
    silent: (String, String),
}

/// Limit on each buffer in bytes. The oldest lines are dropped, as on Android.
const BUFFER_BYTES: usize = 256 << 10;
/// The size of a line besides its tag and text, in bytes.
const LINE_BYTES: usize = 28;
/// Limit on the tag and text of a line in bytes; the rest is cut off, as on Android.
const LONGEST: usize = 4068;
/// The tags of the system's services.
const SYSTEM_TAGS: [&str; 6] = [
    "ActivityManager",
    "ActivityTaskManager",
    "InputDispatcher",
    "PackageManager",
    "PowerManagerService",
    "WindowManager",
];

impl Log {
    /// All lines from this number on, oldest first.
    pub fn since(&self, number: u64) -> impl Iterator<Item = &Entry> {
        let first = self.entries.partition_point(|entry| entry.number < number);
        self.entries.range(first..)
    }

    /// The number of the next line.
    pub(crate) fn next_number(&self) -> u64 {
        self.next
    }

    /// Deletes the content of these buffers.
    pub fn clear(&mut self, buffers: &[Buffer]) {
        self.entries.retain(|entry| !buffers.contains(&entry.buffer));
        self.used.retain(|buffer, _| !buffers.contains(buffer));
    }

    /// Appends a line to a buffer, dropping the oldest lines of a full buffer.
    pub fn write(
        &mut self,
        epoch_millis: u64,
        buffer: Buffer,
        pid: u32,
        level: Level,
        tag: &str,
        text: &str,
    ) {
        let tag = cut(tag, LONGEST).to_owned();
        let text = cut(text, LONGEST - tag.len()).to_owned();
        let entry = Entry { number: self.next, epoch_millis, pid, level, tag, text, buffer };
        self.next += 1;
        let used = self.used.entry(buffer).or_default();
        *used += entry.bytes();
        self.entries.push_back(entry);
        while *used > BUFFER_BYTES
            && let Some(oldest) = self.entries.iter().position(|entry| entry.buffer == buffer)
            && let Some(gone) = self.entries.remove(oldest)
        {
            *used -= gone.bytes();
        }
    }

    /// Adds lines that the device wrote in the threadtime format, which lacks the year.
    pub(crate) fn take_in(&mut self, lines: &[String], year: i32) {
        for line in lines {
            // Lines in another format are skipped: they cannot be distinguished from noise.
            if let Some(line) = Line::parse(line, year) {
                self.sort_in(&line);
            }
        }
        self.end_crash();
    }

    fn sort_in(&mut self, line: &Line<'_>) {
        let of_crash = line.tag == "AndroidRuntime" && line.level == Level::Error;
        if self.crash.as_ref().is_some_and(|(pid, ..)| !of_crash || *pid != line.pid) {
            self.end_crash();
        }
        let buffer = match line.tag {
            _ if of_crash => Buffer::Crash,
            tag if SYSTEM_TAGS.contains(&tag) => Buffer::System,
            _ => Buffer::Main,
        };
        self.write(line.epoch_millis, buffer, line.pid, line.level, line.tag, line.text);
        if of_crash && line.text.starts_with("FATAL EXCEPTION") {
            self.crash = Some((line.pid, line.epoch_millis, Vec::new()));
        } else if let (true, Some((.., lines))) = (of_crash, &mut self.crash) {
            lines.push(line.text.to_owned());
        } else if line.tag == "ActivityManager" {
            self.read_anr(line);
        }
    }

    fn end_crash(&mut self) {
        let Some((pid, epoch_millis, lines)) = self.crash.take() else { return };
        let after = |start: &str| lines.iter().filter_map(|line| line.strip_prefix(start)).next();
        let process = after("Process: ").and_then(|rest| rest.split(',').next()).unwrap_or_default();
        let exception = lines.iter().find(|line| !line.starts_with("Process: ") && !line.starts_with('\t'));
        let exception = exception.map_or("", String::as_str);
        let (class, message) = exception.split_once(": ").unwrap_or((exception, ""));
        let place = after("\tat ").and_then(|frame| frame.rsplit_once('(')).map_or("", |(_, place)| place);
        let (file, line) = place.trim_end_matches(')').split_once(':').unwrap_or_default();
        let text = format!("[{pid},0,{process},545832518,{class},{message},{file},{line}]");
        self.event(epoch_millis, "am_crash", &text);
    }

    fn read_anr(&mut self, line: &Line<'_>) {
        if let Some(rest) = line.text.strip_prefix("ANR in ") {
            self.silent = (rest.split(' ').next().unwrap_or(rest).to_owned(), String::new());
        } else if let Some(pid) = line.text.strip_prefix("PID: ") {
            pid.clone_into(&mut self.silent.1);
        } else if let Some(reason) = line.text.strip_prefix("Reason: ") {
            let (process, pid) = std::mem::take(&mut self.silent);
            self.event(line.epoch_millis, "am_anr", &format!("[0,{pid},{process},545832518,{reason}]"));
        }
    }

    /// Appends a line to the events buffer.
    pub fn event(&mut self, epoch_millis: u64, tag: &str, text: &str) {
        self.write(epoch_millis, Buffer::Events, SYSTEM_PID, Level::Info, tag, text);
    }
}

/// A line as the device wrote it.
struct Line<'a> {
    epoch_millis: u64,
    pid: u32,
    level: Level,
    tag: &'a str,
    text: &'a str,
}

impl<'a> Line<'a> {
    fn parse(line: &'a str, year: i32) -> Option<Line<'a>> {
        let (date, rest) = line.split_once(' ')?;
        let (time, rest) = rest.split_once(' ')?;
        let (pid, rest) = rest.trim_start().split_once(' ')?;
        let (_, rest) = rest.trim_start().split_once(' ')?;
        let (level, rest) = rest.split_at_checked(1)?;
        let (tag, text) = rest.trim_start().split_once(": ").or(rest.trim_start().split_once(':'))?;
        Some(Line {
            epoch_millis: epoch_of(&format!("{year}-{date} {time}"))?,
            pid: pid.parse().ok()?,
            level: Level::from_letter(level.chars().next()?)?,
            tag: tag.trim_end(),
            text,
        })
    }
}

/// Parses `YYYY-MM-DD HH:MM:SS[.fraction]` to milliseconds since 1970; `None` if it is malformed.
pub(super) fn epoch_of(text: &str) -> Option<u64> {
    let (date, time) = text.split_once(' ')?;
    let mut date = date.split('-').map(|part| part.parse::<u32>().ok());
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let mut time = time.split(':').map(|part| part.parse::<u32>().ok());
    let (hour, minute, second) = (time.next()??, time.next()??, time.next()??);
    let plausible = (1970..10_000).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    if !plausible || hour > 24 || minute > 60 || second > 61 {
        return None;
    }
    let millis = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
    let year = i32::try_from(year).ok()?;
    Some(Date { year, month, day, hour, minute, second, millis }.epoch())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(log: &Log, buffer: Buffer) -> Vec<String> {
        let wanted = log.since(0).filter(|entry| entry.buffer == buffer);
        wanted.map(|entry| format!("{}/{}: {}", entry.level.letter(), entry.tag, entry.text)).collect()
    }

    #[test]
    fn epochs_agree_with_the_calendar() {
        for (text, millis) in [
            ("1970-01-01 00:00:00", 0),
            ("2026-01-05 09:00:01.500", 1_767_603_601_500),
            ("2024-02-29 23:59:59.9", 1_709_251_199_900),
            ("2000-03-01 00:00:00.000", 951_868_800_000),
        ] {
            assert_eq!(epoch_of(text), Some(millis), "{text}");
        }
        for text in ["", "x", "2026-13-01 00:00:00", "2026-01-01", "2026-01-01 1:2", "-1-1-1 0:0:0"] {
            assert_eq!(epoch_of(text), None, "{text}");
        }
    }

    #[test]
    fn crashes_and_anrs_have_their_lines_in_the_events_buffer() {
        let lines = [
            "01-05 09:00:01.500  4421  4421 E AndroidRuntime: FATAL EXCEPTION: main",
            "01-05 09:00:01.500  4421  4421 E AndroidRuntime: Process: org.ex, PID: 4421",
            "01-05 09:00:01.500  4421  4421 E AndroidRuntime: java.lang.IllegalStateException: a, b: c",
            "01-05 09:00:01.500  4421  4421 E AndroidRuntime: \tat org.ex.Main.go(Main.java:12)",
            "01-05 09:00:01.500  4421  4421 E AndroidRuntime: \tat org.ex.Main.on(Main.java:1)",
            "01-05 09:00:01.500  1500  1500 I ActivityManager: Process org.ex (pid 4421) has died: fore TOP",
            "01-05 09:00:02.000  4421  4421 I Notes   : saved",
            "01-05 09:00:03.000  1500  1500 E ActivityManager: ANR in org.ex (org.ex/.Main)",
            "01-05 09:00:03.000  1500  1500 E ActivityManager: PID: 4421",
            "01-05 09:00:03.000  1500  1500 E ActivityManager: Reason: too slow",
            "not a line",
        ];
        let mut log = Log::default();
        log.take_in(&lines.map(str::to_owned), 2026);
        assert_eq!(texts(&log, Buffer::Main), ["I/Notes: saved"]);
        assert_eq!(texts(&log, Buffer::Crash).len(), 5);
        assert_eq!(texts(&log, Buffer::System).len(), 4);
        let events = [
            "I/am_crash: [4421,0,org.ex,545832518,java.lang.IllegalStateException,a, b: c,Main.java,12]",
            "I/am_anr: [0,4421,org.ex,545832518,too slow]",
        ];
        assert_eq!(texts(&log, Buffer::Events), events);
        log.clear(&[Buffer::Main, Buffer::Crash]);
        assert_eq!(texts(&log, Buffer::Crash), Vec::<String>::new());
        assert_eq!(log.since(log.next_number() - 1).count(), 1);
    }
}
