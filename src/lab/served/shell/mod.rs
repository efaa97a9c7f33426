//! The shell of a served device, which runs command lines.
//!
//! `lexer` and `parser` parse a line, `expand` expands its words to arguments, `run` runs it, `table` lists
//! the commands, and `commands/` implements them, one file per family. It knows what clients
//! send and refuses all else. It deliberately imitates a small mksh: if a client quotes a text wrongly, the text is run
//! here as on a phone.
//! Invariants: nesting, the number of commands and the memory that they use are limited; a waiting command flushes its
//! output, and so notices within moments when its client is gone; nothing is printed while the device is locked.

mod call;
mod commands;
mod expand;
mod io;
mod lexer;
mod parser;
mod pattern;
mod run;
mod syntax;
mod table;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::memory::{LimitedMap, Memory};
use super::served::Served;
use io::{Io, Stop, read_line};

/// Limit on the length of a script's line in bytes.
const LONGEST_LINE: usize = 1 << 20;
/// The room for the variables of a shell in bytes.
const VARIABLE_BYTES: usize = 8 << 20;

/// The state of a running shell.
#[derive(Clone)]
struct Shell<'a> {
    served: &'a Served,
    /// The memory budget of the session, including inner shells.
    memory: Memory,
    /// Shared with inner shells until one of them changes it.
    variables: LimitedMap,
    status: u8,
    /// The exit code, set once the shell ends.
    exit: Option<u8>,
    /// The number of loops that `break` leaves.
    leave: u32,
    /// Whether the running command is followed by `&`: then it must not wait for anything.
    background: bool,
    /// Whether the output is a terminal.
    terminal: bool,
    depth: u32,
    /// The number of commands that were run, including inner shells.
    spent: Arc<AtomicU64>,
}

impl Served {
    /// Runs a command line and returns its exit code. If it is empty, lines are read from `stdin` and run. With `tty`
    /// the output is a terminal.
    ///
    /// A waiting command flushes `out` at least every 50 ms. Once the client is gone, flushing or writing must fail,
    /// which ends the command.
    pub fn shell(
        &self,
        command: &str,
        stdin: &mut dyn Read,
        out: &mut dyn Write,
        err: &mut dyn Write,
        tty: bool,
    ) -> u8 {
        let (input, out, err) = (RefCell::new(stdin), RefCell::new(out), RefCell::new(err));
        let io = Io { input: &input, out: &out, err: &err };
        if !self.be_late(|| io.out.flush().is_ok()) {
            return Stop::Pipe.code();
        }
        let mut shell = Shell::new(self, tty);
        let ran = match command.trim().is_empty() {
            true => shell.read_lines(io),
            false => shell.run_text(command, io),
        };
        ran.unwrap_or_else(Stop::code)
    }
}

impl<'a> Shell<'a> {
    fn new(served: &'a Served, terminal: bool) -> Self {
        let environment = [
            ("ANDROID_DATA", "/data"),
            ("ANDROID_ROOT", "/system"),
            ("EXTERNAL_STORAGE", "/sdcard"),
            ("HOME", "/"),
            ("HOSTNAME", "taproof"),
            ("IFS", " \t\n"),
            ("PWD", "/"),
            ("PATH", "/system/bin:/system/xbin:/vendor/bin"),
            ("SHELL", "/system/bin/sh"),
            ("TERM", "xterm-256color"),
            ("TMPDIR", "/data/local/tmp"),
            ("USER", "shell"),
        ];
        let mut variables = LimitedMap::new(VARIABLE_BYTES);
        for (name, value) in environment {
            // These always fit.
            variables.insert(name, value).unwrap_or_default();
        }
        Shell {
            served,
            memory: Memory::session(),
            variables,
            status: 0,
            exit: None,
            leave: 0,
            background: false,
            terminal,
            depth: 0,
            spent: Arc::default(),
        }
    }

    /// A shell that starts in the state of this one and does not affect it.
    fn subshell(&self) -> Shell<'a> {
        Shell { exit: None, leave: 0, ..self.clone() }
    }

    /// Sets a variable, if there is room for it.
    fn assign(&mut self, name: &str, value: &str) -> Result<(), Stop> {
        self.variables.insert(name, value).map_err(|error| Stop::Complaint(format!("{name}: {error}")))
    }

    fn read_lines(&mut self, io: Io<'_>) -> Result<u8, Stop> {
        while self.exit.is_none() {
            if self.terminal {
                io.out.put(b"taproof:/ $ ")?;
            }
            let Some(line) = read_line(io.input, LONGEST_LINE)? else { break };
            self.run_text(&String::from_utf8_lossy(&line), io)?;
        }
        Ok(self.exit.unwrap_or(self.status))
    }
}
