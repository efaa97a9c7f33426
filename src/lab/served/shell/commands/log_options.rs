//! The command line of `logcat`, and the formats of its lines.

use crate::log::epoch_of;
use crate::{Buffer, Entry, Level};
use taproof_phone::Date;

/// The first line to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    Start,
    Last(usize),
    Time(u64),
}

/// The format of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Brief,
    Time,
    Threadtime,
}

/// The options of `logcat`.
pub(super) struct LogOptions {
    pub buffers: Vec<Buffer>,
    shape: Shape,
    /// Whether to end after the existing lines.
    pub dump: bool,
    pub clear: bool,
    pub from: From,
    /// The lowest level of some tags, and of the others; `None` for none.
    filters: Vec<(String, Option<Level>)>,
    default: Option<Level>,
}

const USUAL: [Buffer; 3] = [Buffer::Main, Buffer::System, Buffer::Crash];

impl LogOptions {
    /// Parses the options; a time without a year is in `year`. The error is the message of `logcat`.
    pub fn parse(args: &[String], old: bool, year: i32) -> Result<LogOptions, String> {
        let mut options = LogOptions {
            buffers: Vec::new(),
            shape: if old { Shape::Brief } else { Shape::Threadtime },
            dump: false,
            clear: false,
            from: From::Start,
            filters: Vec::new(),
            default: Some(Level::Verbose),
        };
        let mut rest = args.iter();
        while let Some(arg) = rest.next() {
            let missing = || format!("logcat: option requires an argument -- '{arg}'");
            let mut value = || rest.next().ok_or_else(missing);
            match arg.as_str() {
                "-d" => options.dump = true,
                "-c" | "--clear" => options.clear = true,
                "-s" => options.default = None,
                "-b" => options.take_buffer(value()?, old)?,
                "-v" => options.shape = shape_of(value()?)?,
                "-t" => (options.from, options.dump) = (from(value()?, year)?, true),
                "-T" => options.from = from(value()?, year)?,
                unknown if unknown.starts_with('-') => {
                    return Err(format!("logcat: unknown option {unknown}"));
                }
                filter => options.take_filter(filter)?,
            }
        }
        if options.buffers.is_empty() {
            options.buffers.extend(USUAL);
        }
        Ok(options)
    }

    fn take_buffer(&mut self, word: &str, old: bool) -> Result<(), String> {
        match Buffer::ALL.into_iter().find(|buffer| buffer.name() == word) {
            // Android 4.4 writes crashes to the main buffer.
            Some(Buffer::Main) if old => self.buffers.extend([Buffer::Main, Buffer::Crash]),
            Some(Buffer::Crash) if old => {
                let problem = "Unable to open log device '/dev/log/crash': No such file or directory";
                return Err(problem.to_owned());
            }
            Some(buffer) => self.buffers.push(buffer),
            None => return Err(format!("logcat: Unknown -b buffer '{word}'")),
        }
        Ok(())
    }

    /// `TAG[:LEVEL]`, or `*:LEVEL` for all other tags.
    fn take_filter(&mut self, text: &str) -> Result<(), String> {
        let (tag, level) = text.rsplit_once(':').unwrap_or((text, "V"));
        let level = match level {
            "S" => None,
            level => {
                let level = level.chars().next().and_then(Level::from_letter);
                Some(level.ok_or_else(|| format!("Invalid filter expression '{text}'"))?)
            }
        };
        match tag {
            "*" => self.default = level,
            tag => self.filters.push((tag.to_owned(), level)),
        }
        Ok(())
    }

    /// Whether the line is to be printed.
    pub fn wants(&self, entry: &Entry) -> bool {
        let of_tag = self.filters.iter().rev().find(|(tag, _)| *tag == entry.tag).map(|(_, level)| *level);
        let least = of_tag.unwrap_or(self.default);
        self.buffers.contains(&entry.buffer) && least.is_some_and(|least| entry.level >= least)
    }

    /// The lines of an entry.
    pub fn line(&self, entry: &Entry) -> String {
        let Entry { pid, tag, .. } = entry;
        let level = entry.level.letter();
        let date = Date::of_epoch(entry.epoch_millis);
        let time = format!(
            "{:02}-{:02} {:02}:{:02}:{:02}.{:03}",
            date.month, date.day, date.hour, date.minute, date.second, date.millis
        );
        let line = |text: &str| match self.shape {
            Shape::Brief => format!("{level}/{tag:<8}({pid:>5}): {text}\n"),
            Shape::Time => format!("{time} {level}/{tag:<8}({pid:>5}): {text}\n"),
            Shape::Threadtime => format!("{time} {pid:>5} {pid:>5} {level} {tag:<8}: {text}\n"),
        };
        entry.text.split('\n').map(line).collect()
    }
}

fn shape_of(word: &str) -> Result<Shape, String> {
    match word {
        "brief" => Ok(Shape::Brief),
        "time" => Ok(Shape::Time),
        "threadtime" => Ok(Shape::Threadtime),
        _ => Err(format!("logcat: Invalid parameter \"{word}\" to -v")),
    }
}

/// A number of lines, or a time such as `01-05 08:00:00.000`.
fn from(text: &str, year: i32) -> Result<From, String> {
    if let Ok(count) = text.parse::<usize>() {
        return Ok(From::Last(count));
    }
    let bad = || format!("logcat: -t \"{text}\" not in time format");
    epoch_of(&format!("{year}-{text}")).map(From::Time).ok_or_else(bad)
}
