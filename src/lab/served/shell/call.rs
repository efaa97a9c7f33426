//! A running command: its arguments, its streams, and the state that it uses.

use std::fmt::Display;
use std::sync::MutexGuard;

use super::io::{Io, Stop};
use super::{Shell, table};
use crate::files::absolute;
use crate::outputs::{Values, filled};
use crate::served::State;
use crate::{Cost, DeadServices, Like};

/// The exit code of a command, or what killed it.
pub(super) type Done = Result<u8, Stop>;

/// The function that implements a command.
pub(super) type Run = fn(&mut Call<'_, '_>) -> Done;

/// A command of the shell.
pub(super) struct Entry {
    pub name: &'static str,
    /// The kind of request, which decides its latency.
    pub cost: Cost,
    /// Whether the command is a Java program, so that each call starts a virtual machine.
    pub machine: bool,
    pub run: Run,
    /// The version of Android that has the command; `None` for all.
    pub only: Option<Like>,
    /// Whether the command is one of toybox's.
    pub toybox: bool,
}

/// A command while it runs.
pub(super) struct Call<'c, 's> {
    pub shell: &'c mut Shell<'s>,
    pub name: &'c str,
    /// The arguments after the name.
    pub args: &'c [String],
    pub io: Io<'c>,
}

impl<'c> Call<'c, '_> {
    /// Locks the device's state. Nothing may be printed while it is held, since that may wait for a slow reader.
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.shell.served.lock()
    }

    /// Whether the device imitates Android 4.4.
    pub fn old(&self) -> bool {
        self.shell.served.like().old()
    }

    /// The argument at this index, from 0.
    pub fn arg(&self, place: usize) -> Option<&'c str> {
        self.args.get(place).map(String::as_str)
    }

    /// The arguments from this index on.
    pub fn args_from(&self, place: usize) -> &'c [String] {
        self.args.get(place..).unwrap_or_default()
    }

    /// The absolute path of a path that is relative to the current folder.
    pub fn path(&self, path: &str) -> String {
        absolute("/", path)
    }

    /// Prints a text without a line end.
    pub fn print(&self, text: &str) -> Result<(), Stop> {
        self.io.out.put(text.as_bytes())
    }

    /// Prints a line to standard output.
    pub fn say(&self, line: &str) -> Result<(), Stop> {
        self.print(&format!("{line}\n"))
    }

    /// Prints a line to standard error.
    pub fn complain(&self, line: &str) -> Result<(), Stop> {
        self.io.err.put(format!("{line}\n").as_bytes())
    }

    /// Prints a line to standard error and ends with this exit code.
    pub fn fail(&self, line: &str, code: u8) -> Done {
        self.complain(line)?;
        Ok(code)
    }

    /// Ends with exit code 0, or prints the error and ends with 1.
    pub fn ended(&self, outcome: Result<(), impl Display>) -> Done {
        match outcome {
            Ok(()) => Ok(0),
            Err(error) => self.fail(&format!("Error: {error}"), 1),
        }
    }

    /// Waits as long as the device would take.
    pub fn take_time(&self, cost: Cost) -> Result<(), Stop> {
        let wanted = || self.io.out.flush().is_ok();
        if self.shell.served.take_time(cost, wanted) { Ok(()) } else { Err(Stop::Pipe) }
    }

    /// Waits for the start of the virtual machine in which the command runs.
    pub fn start_machine(&self) -> Result<(), Stop> {
        let wanted = || self.io.out.flush().is_ok();
        if self.shell.served.start_machine(wanted) { Ok(()) } else { Err(Stop::Pipe) }
    }

    /// Waits while the process of the system's services is dead, or fails for want of it.
    pub fn await_services(&self) -> Result<(), Stop> {
        let served = self.shell.served;
        if served.lock().faults.services == Some(DeadServices::Missing) {
            let service = match self.name {
                "dumpsys" => self.arg(0).unwrap_or_default(),
                "pm" => "package",
                "wm" => "window",
                "settings" | "content" => "settings",
                _ => "activity",
            };
            return self.fails(&format!("cmd: Can't find service: {service}"), 20);
        }
        let wanted = || self.io.out.flush().is_ok();
        if served.await_services(wanted) { Ok(()) } else { Err(Stop::Pipe) }
    }

    /// Prints a line to standard error and ends the command with this exit code.
    pub fn fails<T>(&self, line: &str, code: u8) -> Result<T, Stop> {
        self.complain(line)?;
        Err(Stop::Exit(code))
    }

    /// The text of a section of the outputs.
    pub fn filled(&self, name: &str, values: Values<'_>) -> String {
        filled(self.shell.served.like(), name, values)
    }

    /// Prints how the command of that section is used.
    pub fn usage(&self, name: &str) -> Done {
        self.io.err.put(self.filled(name, &[]).as_bytes())?;
        Ok(if self.old() { 0 } else { 255 })
    }

    /// Says that a subcommand is unknown, or missing.
    pub fn unknown(&self, name: &str, subcommand: Option<&str>) -> Done {
        match subcommand {
            None => self.usage(name),
            Some(unknown) if self.old() => {
                self.usage(name)?;
                self.fail(&format!("Error: unknown command '{unknown}'"), 1)
            }
            Some(unknown) => self.fail(&format!("Unknown command: {unknown}"), 255),
        }
    }

    /// Ends the command with an exception in a system service, as Android prints it.
    pub fn threw<T>(&self, command: &str, exception: &str) -> Result<T, Stop> {
        let text = self.filled("exception", &[("command", &command), ("exception", &exception)]);
        let before = if self.old() { "" } else { "\n" };
        self.io.err.put(format!("{before}{text}").as_bytes())?;
        Err(Stop::Exit(if self.old() { 1 } else { 255 }))
    }

    /// Runs another command with these arguments.
    pub fn other(&mut self, name: &str, args: &[String]) -> Done {
        self.shell.run_named(name, args, self.io)
    }

    /// Runs the code of another command with these arguments in the process of the system's services.
    pub fn in_service(&mut self, name: &str, args: &[String]) -> Done {
        let Some(command) = table::find(name, self.shell.served.like()) else { return Ok(127) };
        Call { shell: self.shell, name: command.name, args, io: self.io }.run(command)
    }

    /// Runs the code of a command.
    pub fn run(&mut self, command: &Entry) -> Done {
        match (command.run)(self) {
            Err(Stop::Exit(code)) => Ok(code),
            ran => ran,
        }
    }

    /// Parses short options without values, and returns their letters and the remaining arguments. Says of an unknown
    /// one what toybox says.
    pub fn options(&self, known: &str) -> Result<(String, &'c [String]), Stop> {
        let mut found = String::new();
        for (place, arg) in self.args.iter().enumerate() {
            match arg.strip_prefix('-') {
                Some("-") => return Ok((found, self.args_from(place + 1))),
                Some("") | None => return Ok((found, self.args_from(place))),
                Some(letters) => {
                    if let Some(unknown) = letters.chars().find(|c| !known.contains(*c)) {
                        let name = self.name;
                        self.complain(&format!(
                            "{name}: Unknown option '{unknown}' (see \"{name} --help\")"
                        ))?;
                        return Err(Stop::Exit(1));
                    }
                    found.push_str(letters);
                }
            }
        }
        Ok((found, &[]))
    }
}
