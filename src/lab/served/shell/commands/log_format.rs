//! The output formats of `logcat`.

use crate::Entry;
use taproof_phone::Date;

/// The format of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Brief,
    Time,
    Threadtime,
}

/// The format of a line and of its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LogFormat {
    pub shape: Shape,
    pub epoch: bool,
    pub year: bool,
    pub zone: bool,
}

impl LogFormat {
    pub fn new(old: bool) -> LogFormat {
        let shape = if old { Shape::Brief } else { Shape::Threadtime };
        LogFormat { shape, epoch: false, year: false, zone: false }
    }

    /// Applies a word of the option `-v`. Returns false if it is unknown.
    pub fn take(&mut self, word: &str, old: bool) -> bool {
        let shape = match word {
            "brief" => Shape::Brief,
            "time" => Shape::Time,
            "threadtime" => Shape::Threadtime,
            _ if old => return false,
            "epoch" => {
                self.epoch = true;
                return true;
            }
            "year" => {
                self.year = true;
                return true;
            }
            "zone" | "UTC" => {
                self.zone = true;
                return true;
            }
            _ => return false,
        };
        self.shape = shape;
        true
    }

    fn time(&self, entry: &Entry) -> String {
        let millis = entry.epoch_millis % 1000;
        if self.epoch {
            return format!("{:>19}.{millis:03}", entry.epoch_millis / 1000);
        }
        let date = Date::of_epoch(entry.epoch_millis);
        let year = if self.year { format!("{}-", date.year) } else { String::new() };
        let zone = if self.zone { " +0000" } else { "" };
        format!(
            "{year}{:02}-{:02} {:02}:{:02}:{:02}.{millis:03}{zone}",
            date.month, date.day, date.hour, date.minute, date.second,
        )
    }

    /// Formats an entry, with its line end.
    pub fn line(&self, entry: &Entry) -> String {
        let Entry { pid, tid, tag, .. } = entry;
        let level = entry.level.letter();
        let time = self.time(entry);
        let mut out = String::new();
        for text in entry.text.split('\n') {
            out += &match self.shape {
                Shape::Brief => format!("{level}/{tag:<8}({pid:>5}): {text}\n"),
                Shape::Time => format!("{time} {level}/{tag:<8}({pid:>5}): {text}\n"),
                Shape::Threadtime => {
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
        assert_eq!(format.line(&entry), expected, "{words:?}");
    }

    #[test]
    fn lines_are_logcats() {
        check(&[], "01-05 09:00:01.500  4421  4421 E am_anr  : text\n");
        check(&["time"], "01-05 09:00:01.500 E/am_anr  ( 4421): text\n");
        check(&["brief"], "E/am_anr  ( 4421): text\n");
        check(&["threadtime", "epoch"], "         1767603601.500  4421  4421 E am_anr  : text\n");
        check(&["year"], "2026-01-05 09:00:01.500  4421  4421 E am_anr  : text\n");
        check(&["UTC"], "01-05 09:00:01.500 +0000  4421  4421 E am_anr  : text\n");
        assert!(!LogFormat::new(true).take("epoch", true));
    }
}
