//! `logcat`: prints the log and follows it until the client is gone.

use std::time::Duration;

use super::log_options::{From, LogOptions};
use super::{Call, Done};
use crate::latency::pause;
use crate::shell::io::Stop;
use crate::system::processes::SHELL_PID;
use crate::{Buffer, Entry, Level};
use taproof_phone::Date;

/// How often a followed log is checked for new lines.
pub(super) const GLANCE: Duration = Duration::from_millis(20);

/// `log [-p LEVEL] [-t TAG] TEXT…` writes a line.
pub fn log(call: &mut Call<'_, '_>) -> Done {
    const USAGE: &str = "USAGE: log [-p priorityChar] [-t tag] message";
    let (mut level, mut tag, mut rest) = (Level::Info, "log".to_owned(), call.args);
    while let [option, value, behind @ ..] = rest {
        match (option.as_str(), value.chars().next().and_then(Level::from_letter)) {
            ("-p", Some(given)) => level = given,
            ("-p", None) => return call.fail(USAGE, 255),
            ("-t", _) => tag.clone_from(value),
            _ => break,
        }
        rest = behind;
    }
    if rest.is_empty() {
        return call.fail(USAGE, 255);
    }
    let mut state = call.state();
    let now = state.epoch_millis();
    state.log.write(now, Buffer::Main, SHELL_PID, level, &tag, &rest.join(" "));
    Ok(0)
}

pub fn logcat(call: &mut Call<'_, '_>) -> Done {
    let old = call.old();
    let year = Date::of_epoch(call.state().epoch_millis()).year;
    let options = LogOptions::parse(call.args, old, year).or_else(|problem| call.fails(&problem, 1))?;
    if options.clear {
        let mut state = call.state();
        state.update_log();
        state.log.clear(&options.buffers);
        return Ok(0);
    }
    let mut reader = Reader { call, options: &options, next: 0, seen: Vec::new(), last: None };
    let mut entries = reader.take();
    match options.from {
        From::Start => {}
        From::Last(count) => drop(entries.drain(..entries.len().saturating_sub(count))),
        From::Time(millis) => entries.retain(|entry| entry.epoch_millis >= millis),
    }
    loop {
        reader.print(&entries)?;
        if options.dump || call.shell.background {
            return Ok(0);
        }
        call.io.out.flush()?;
        pause(GLANCE);
        entries = reader.take();
    }
}

/// The state of reading the log.
struct Reader<'a, 'c, 's> {
    call: &'a Call<'c, 's>,
    options: &'a LogOptions,
    next: u64,
    /// The buffers whose first line was printed, with its divider.
    seen: Vec<Buffer>,
    last: Option<Buffer>,
}

impl Reader<'_, '_, '_> {
    fn take(&mut self) -> Vec<Entry> {
        let mut state = self.call.state();
        state.update_log();
        let wanted = state.log.since(self.next).filter(|entry| self.options.wants(entry)).cloned().collect();
        self.next = state.log.next_number();
        wanted
    }

    fn print(&mut self, entries: &[Entry]) -> Result<(), Stop> {
        let mut text = String::new();
        for entry in entries {
            text += &self.divider(entry.buffer);
            text += &self.options.line(entry);
        }
        if text.is_empty() { Ok(()) } else { self.call.print(&text) }
    }

    /// The divider to print before an entry of this buffer; often empty.
    fn divider(&mut self, buffer: Buffer) -> String {
        let old = self.call.old();
        // Android 4.4 has no crash buffer, so these lines count as those of the main buffer.
        let buffer = if old && buffer == Buffer::Crash { Buffer::Main } else { buffer };
        let several =
            self.options.buffers.iter().filter(|buffer| !old || **buffer != Buffer::Crash).count() > 1;
        if self.last.replace(buffer) == Some(buffer) {
            return String::new();
        }
        let first = !self.seen.contains(&buffer);
        if first {
            self.seen.push(buffer);
        }
        let place = if old { format!("/dev/log/{}", buffer.name()) } else { buffer.name().to_owned() };
        if first && several { format!("--------- beginning of {place}\n") } else { String::new() }
    }
}
