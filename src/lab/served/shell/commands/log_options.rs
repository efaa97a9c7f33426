//! The command line of `logcat`.

use super::log_format::LogFormat;
use crate::log::epoch_of;
use crate::{Buffer, Entry, Level};
use taproof_phone::Date;

/// The entry at which reading begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    Start,
    /// This many entries before the end.
    Last(usize),
    /// The first entry at or after this time, in milliseconds since 1970.
    Time(u64),
}

/// The command line of `logcat`.
pub(super) struct LogOptions {
    pub buffers: Vec<Buffer>,
    /// Whether `-b` was given.
    chosen: bool,
    pub format: LogFormat,
    pub dump: bool,
    pub clear: bool,
    pub from: From,
    pub pid: Option<u32>,
    /// Pairs of a tag and the lowest priority to show; `None` shows no lines with the tag.
    filters: Vec<(String, Option<Level>)>,
    default: Option<Level>,
}

impl LogOptions {
    /// Parses the options; the error is a message for users. `tags` is the variable `ANDROID_LOG_TAGS`, `year` the
    /// current year on the device.
    pub fn parse(args: &[String], tags: &str, old: bool, year: i32) -> Result<LogOptions, String> {
        let mut options = LogOptions {
            buffers: vec![Buffer::Main, Buffer::System, Buffer::Crash],
            chosen: false,
            format: LogFormat::new(old),
            dump: false,
            clear: false,
            from: From::Start,
            pid: None,
            filters: Vec::new(),
            default: Some(Level::Verbose),
        };
        let mut filters = Vec::new();
        let mut rest = args.iter();
        while let Some(arg) = rest.next() {
            if let Some(long) = arg.strip_prefix("--") {
                let (name, given) =
                    long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
                options.take(name, &mut || value_of(name, given, &mut rest), (old, year))?;
                continue;
            }
            let Some(mut letters) = arg.strip_prefix('-').filter(|letters| !letters.is_empty()) else {
                filters.push(arg.clone());
                continue;
            };
            // Letters without values may be combined; a value may follow its letter directly.
            while let Some(letter) = letters.chars().next() {
                let behind = letters.get(letter.len_utf8()..).unwrap_or_default();
                let name = letter.to_string();
                let given = Some(behind).filter(|behind| !behind.is_empty());
                options.take(&name, &mut || value_of(&name, given, &mut rest), (old, year))?;
                letters = if "bvtT".contains(letter) { "" } else { behind };
            }
        }
        if filters.is_empty() {
            filters.extend(tags.split_whitespace().map(str::to_owned));
        }
        for filter in filters {
            options.filter(&filter)?;
        }
        Ok(options)
    }

    fn take(
        &mut self,
        name: &str,
        value: &mut dyn FnMut() -> Result<String, String>,
        (old, year): (bool, i32),
    ) -> Result<(), String> {
        match name {
            "d" | "dump" => self.dump = true,
            "c" | "clear" => self.clear = true,
            "s" | "silent" => self.default = None,
            "b" | "buffer" => self.take_buffers(&value()?, old)?,
            "v" | "format" => {
                let words = value()?;
                for word in words.split([',', ' ']).filter(|word| !word.is_empty()) {
                    if !self.format.take(word, old) {
                        return Err(format!("logcat: Invalid parameter \"{word}\" to -v"));
                    }
                }
            }
            "t" => {
                self.from = from(&value()?, year)?;
                self.dump = true;
            }
            "T" => self.from = from(&value()?, year)?,
            "pid" => self.pid = Some(number(&value()?)?),
            other => return Err(format!("logcat: unknown option -- {other}")),
        }
        Ok(())
    }

    fn take_buffers(&mut self, words: &str, old: bool) -> Result<(), String> {
        if !std::mem::replace(&mut self.chosen, true) {
            self.buffers.clear();
        }
        for word in words.split(',') {
            match word {
                "all" => self.buffers.extend(Buffer::ALL),
                "default" => self.buffers.extend([Buffer::Main, Buffer::System, Buffer::Crash]),
                // Android 4.4 writes crashes to the main buffer.
                "main" if old => self.buffers.extend([Buffer::Main, Buffer::Crash]),
                "radio" | "kernel" | "security" | "stats" => {}
                word => match Buffer::ALL.into_iter().find(|buffer| buffer.name() == word) {
                    Some(Buffer::Crash) if old => return Err(unknown_buffer(word, old)),
                    Some(buffer) => self.buffers.push(buffer),
                    None => return Err(unknown_buffer(word, old)),
                },
            }
        }
        self.buffers.sort();
        self.buffers.dedup();
        Ok(())
    }

    /// Adds a filter: `TAG:L`, `TAG` or `*:L`.
    fn filter(&mut self, text: &str) -> Result<(), String> {
        let (tag, level) = text.rsplit_once(':').unwrap_or((text, if text == "*" { "D" } else { "V" }));
        let level = match level.chars().next() {
            Some('S' | 's') => None,
            Some(letter) if level.len() == 1 => Some(
                Level::from_letter(letter).ok_or_else(|| format!("Invalid filter expression '{text}'"))?,
            ),
            _ => return Err(format!("Invalid filter expression '{text}'")),
        };
        match tag {
            "*" => self.default = level,
            tag => self.filters.push((tag.to_owned(), level)),
        }
        Ok(())
    }

    /// Whether an entry passes the filters.
    pub fn wants(&self, entry: &Entry) -> bool {
        let of_tag = self.filters.iter().rev().find(|(tag, _)| *tag == entry.tag).map(|(_, level)| *level);
        let least = of_tag.unwrap_or(self.default);
        self.buffers.contains(&entry.buffer)
            && least.is_some_and(|least| entry.level >= least)
            && self.pid.is_none_or(|pid| pid == entry.pid)
    }
}

/// The value of an option: the text directly after it, else the next word.
fn value_of(
    name: &str,
    given: Option<&str>,
    rest: &mut std::slice::Iter<'_, String>,
) -> Result<String, String> {
    let missing = || format!("logcat: option requires an argument -- '{name}'");
    given.map(str::to_owned).or_else(|| rest.next().cloned()).ok_or_else(missing)
}

fn unknown_buffer(word: &str, old: bool) -> String {
    match old {
        true => format!("Unable to open log device '/dev/log/{word}': No such file or directory"),
        false => format!("logcat: Unknown -b buffer '{word}'"),
    }
}

fn number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("logcat: Invalid number '{text}'"))
}

/// Parses a count, `MM-DD HH:MM:SS.mmm`, `YYYY-MM-DD HH:MM:SS.mmm`, or seconds since 1970 with a fraction.
fn from(text: &str, year: i32) -> Result<From, String> {
    if let Ok(count) = text.parse::<usize>() {
        return Ok(From::Last(count));
    }
    let bad = || format!("logcat: -t \"{text}\" not in time format");
    if text.contains('-') {
        let whole = if text.matches('-').count() > 1 { text.to_owned() } else { format!("{year}-{text}") };
        return epoch_of(&whole).map(From::Time).ok_or_else(bad);
    }
    let (seconds, fraction) = text.split_once('.').ok_or_else(bad)?;
    let seconds: u64 = seconds.parse().map_err(|_| bad())?;
    let millis: u64 =
        format!("{fraction:0<3}").get(..3).and_then(|millis| millis.parse().ok()).ok_or_else(bad)?;
    Ok(From::Time(seconds.saturating_mul(1000).saturating_add(millis)))
}

/// The year of this time on the device.
pub(super) fn year_of(epoch_millis: u64) -> i32 {
    Date::of_epoch(epoch_millis).year
}
