//! The output formats of `logcat`.

use crate::Entry;
use taproof_phone::Date;

/// The format of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Brief,
    Process,
    Tag,
    Thread,
    Raw,
    Time,
    Threadtime,
    Long,
}

/// The format of a line and of its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LogFormat {
    pub shape: Shape,
    pub epoch: bool,
    pub monotonic: bool,
    pub year: bool,
    /// The number of decimals of the seconds.
    pub digits: usize,
    pub zone: bool,
}

impl LogFormat {
    pub fn new(old: bool) -> LogFormat {
        let shape = if old { Shape::Brief } else { Shape::Threadtime };
        LogFormat { shape, epoch: false, monotonic: false, year: false, digits: 3, zone: false }
    }

    /// Applies a word of the option `-v`. Returns false if it is unknown.
    pub fn take(&mut self, word: &str, old: bool) -> bool {
        let shape = match word {
            "brief" => Shape::Brief,
            "process" => Shape::Process,
            "tag" => Shape::Tag,
            "thread" => Shape::Thread,
            "raw" => Shape::Raw,
            "time" => Shape::Time,
            "threadtime" => Shape::Threadtime,
            "long" => Shape::Long,
            _ if old => return false,
            "epoch" => {
                self.epoch = true;
                return true;
            }
            "monotonic" => {
                self.monotonic = true;
                return true;
            }
            "year" => {
                self.year = true;
                return true;
            }
            "usec" => {
                self.digits = 6;
                return true;
            }
            "nsec" => {
                self.digits = 9;
                return true;
            }
            "zone" | "UTC" => {
                self.zone = true;
                return true;
            }
            "color" | "colour" | "printable" | "descriptive" | "uid" => return true,
            _ => return false,
        };
        self.shape = shape;
        true
    }

    fn time(&self, entry: &Entry, uptime_offset: u64) -> String {
        let fraction =
            |millis: u64| format!("{:03}{}", millis % 1000, "0".repeat(self.digits.saturating_sub(3)));
        let seconds = |millis: u64, width: usize| format!("{:>width$}.{}", millis / 1000, fraction(millis));
        if self.epoch {
            return seconds(entry.epoch_millis, 19);
        }
        if self.monotonic {
            return seconds(entry.epoch_millis.saturating_sub(uptime_offset), 6);
        }
        let date = Date::of_epoch(entry.epoch_millis);
        let year = if self.year { format!("{}-", date.year) } else { String::new() };
        let zone = if self.zone { " +0000" } else { "" };
        format!(
            "{year}{:02}-{:02} {:02}:{:02}:{:02}.{}{zone}",
            date.month,
            date.day,
            date.hour,
            date.minute,
            date.second,
            fraction(entry.epoch_millis)
        )
    }

    /// Formats an entry, with its line end. `boot` is when the device was switched on, in milliseconds since 1970.
    pub fn line(&self, entry: &Entry, boot: u64) -> String {
        let Entry { pid, tid, tag, .. } = entry;
        let level = entry.level.letter();
        let time = self.time(entry, boot);
        if self.shape == Shape::Long {
            return format!("[ {time} {pid:>5}:{tid:>5} {level}/{tag:<8} ]\n{}\n\n", entry.text);
        }
        let mut out = String::new();
        for text in entry.text.split('\n') {
            out += &match self.shape {
                Shape::Brief => format!("{level}/{tag:<8}({pid:>5}): {text}\n"),
                Shape::Process => format!("{level}({pid:>5}) {text}  ({tag})\n"),
                Shape::Tag => format!("{level}/{tag:<8}: {text}\n"),
                Shape::Thread => format!("{level}({pid:>5}:{tid:>5}) {text}\n"),
                Shape::Raw => format!("{text}\n"),
                Shape::Time => format!("{time} {level}/{tag:<8}({pid:>5}): {text}\n"),
                Shape::Threadtime | Shape::Long => {
                    format!("{time} {pid:>5} {tid:>5} {level} {tag:<8}: {text}\n")
                }
            };
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Buffer, Level};

    fn check(words: &[&str], expected: &str) {
        let entry = Entry {
            number: 0,
            epoch_millis: 1_767_603_601_500,
            pid: 4421,
            tid: 4421,
            level: Level::Error,
            tag: "am_anr".to_owned(),
            text: "text".to_owned(),
            buffer: Buffer::Events,
        };
        let mut format = LogFormat::new(false);
        assert!(words.iter().all(|word| format.take(word, false)));
        assert_eq!(format.line(&entry, 1_767_603_600_000), expected, "{words:?}");
    }

    #[test]
    fn lines_are_logcats() {
        check(&[], "01-05 09:00:01.500  4421  4421 E am_anr  : text\n");
        check(&["time"], "01-05 09:00:01.500 E/am_anr  ( 4421): text\n");
        check(&["brief"], "E/am_anr  ( 4421): text\n");
        check(&["raw"], "text\n");
        check(&["long"], "[ 01-05 09:00:01.500  4421: 4421 E/am_anr   ]\ntext\n\n");
        check(&["threadtime", "epoch"], "         1767603601.500  4421  4421 E am_anr  : text\n");
        check(&["year", "usec"], "2026-01-05 09:00:01.500000  4421  4421 E am_anr  : text\n");
        check(&["UTC"], "01-05 09:00:01.500 +0000  4421  4421 E am_anr  : text\n");
        check(&["monotonic"], "     1.500  4421  4421 E am_anr  : text\n");
        assert!(!LogFormat::new(true).take("epoch", true));
    }
}
