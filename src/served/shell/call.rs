//! One command as it runs: its arguments, its streams, and what it may use.

use std::fmt::Display;
use std::sync::MutexGuard;

use super::Shell;
use super::io::{Io, Killed};
use crate::Cost;
use crate::files::absolute;
use crate::served::State;

/// The exit code of a command, or that nobody reads any more what it prints.
pub(super) type Done = Result<u8, Killed>;

/// One command as it runs.
pub(super) struct Call<'c, 's> {
    pub shell: &'c mut Shell<'s>,
    pub name: &'c str,
    /// What stands behind the name.
    pub args: &'c [String],
    pub io: Io<'c>,
}

impl<'c> Call<'c, '_> {
    /// The device. Nothing may be printed while it is held, as that may wait for a slow reader.
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.shell.served.lock()
    }

    /// Whether the device answers as the old one.
    pub fn old(&self) -> bool {
        self.shell.served.like().old()
    }

    /// An argument by its place.
    pub fn arg(&self, place: usize) -> Option<&'c str> {
        self.args.get(place).map(String::as_str)
    }

    /// The arguments from a place on.
    pub fn args_from(&self, place: usize) -> &'c [String] {
        self.args.get(place..).unwrap_or_default()
    }

    /// A path as the command means it.
    pub fn path(&self, path: &str) -> String {
        absolute(&self.shell.folder, path)
    }

    /// Prints a text as it is.
    pub fn print(&self, text: &str) -> Result<(), Killed> {
        self.io.out.put(text.as_bytes())
    }

    /// Prints a line.
    pub fn say(&self, line: &str) -> Result<(), Killed> {
        self.print(&format!("{line}\n"))
    }

    /// Prints a line to the stream for errors.
    pub fn complain(&self, line: &str) -> Result<(), Killed> {
        self.io.err.put(format!("{line}\n").as_bytes())
    }

    /// Complains and ends.
    pub fn fail(&self, line: &str, code: u8) -> Done {
        self.complain(line)?;
        Ok(code)
    }

    /// The device cannot do it: says so, or ends well.
    pub fn ended(&self, outcome: Result<(), impl Display>) -> Done {
        match outcome {
            Ok(()) => Ok(0),
            Err(error) => self.fail(&format!("Error: {error}"), 1),
        }
    }

    /// Takes as long as the device would.
    pub fn take_time(&self, cost: Cost) -> Result<(), Killed> {
        let wanted = || self.io.out.flush().is_ok();
        if self.shell.served.take_time(cost, wanted) { Ok(()) } else { Err(Killed::Pipe) }
    }

    /// As a service of the system tells of an exception in it.
    pub fn threw(&self, command: &str, exception: &str) -> Done {
        if self.old() {
            return self.fail(&format!("Error: {exception}"), 1);
        }
        self.complain(&format!(
            "\nException occurred while executing '{command}':\n{exception}\n\
             \tat android.os.ShellCommand.exec(ShellCommand.java:38)\n\
             \tat android.os.Binder.shellCommand(Binder.java:1073)\n\
             \tat android.os.Binder.execTransact(Binder.java:1274)"
        ))?;
        Ok(255)
    }

    /// Runs another command with these arguments.
    pub fn other(&mut self, name: &str, args: &[String]) -> Done {
        self.shell.run_named(name, args, self.io)
    }
}

/// Short options of one letter without values, and what stands behind them; `Err` names one that is not known.
pub(super) fn short_options<'a>(args: &'a [String], known: &str) -> Result<(String, &'a [String]), char> {
    let mut found = String::new();
    for (place, arg) in args.iter().enumerate() {
        match arg.strip_prefix('-') {
            Some("-") => return Ok((found, args.get(place + 1..).unwrap_or_default())),
            Some(letters) if !letters.is_empty() => {
                if let Some(unknown) = letters.chars().find(|c| !known.contains(*c)) {
                    return Err(unknown);
                }
                found.push_str(letters);
            }
            _ => return Ok((found, args.get(place..).unwrap_or_default())),
        }
    }
    Ok((found, &[]))
}
