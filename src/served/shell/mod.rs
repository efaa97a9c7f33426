//! The shell of a served device: command lines in, output out.
//!
//! `lexer` and `parser` read a line, `expand` makes arguments of its words, `run` and `pipe` run it, `table` names
//! the commands, `commands/` holds them, a file for each family. It is a small mksh on purpose: a client that quotes
//! a text badly sees its text run here as it would on a phone.
//! Invariants: nesting, the number of commands and the memory that they hold are bounded; a command that waits flushes,
//! and so notices within moments when nobody listens any more; nothing is printed while the device is locked.

mod arithmetic;
mod call;
mod commands;
mod expand;
mod io;
mod lexer;
mod parser;
mod pattern;
mod pipe;
mod regex;
mod run;
mod syntax;
mod table;
#[cfg(test)]
mod tests;

use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::memory::{CountedMap, Memory};
use super::served::Served;
#[cfg(feature = "scrcpy")]
pub(super) use commands::input::press_key;
use io::{Io, Killed, Outer, read_line};

/// The longest line of a script from outside, in bytes.
const LONGEST_LINE: usize = 1 << 20;
/// A shell as it runs.
struct Shell<'a> {
    served: &'a Served,
    /// What the session may hold, with all inner shells.
    memory: Memory,
    /// Shared with inner shells until one of them changes it.
    variables: Arc<CountedMap<String>>,
    /// `$1` and so on.
    parameters: Vec<String>,
    /// Where relative paths begin.
    folder: String,
    status: u8,
    /// Set once the shell ends.
    exit: Option<u8>,
    /// How many loops `break` leaves; with `again` the last of them goes on.
    leave: u32,
    again: bool,
    /// What runs now stands before `&`: it must not wait for anything.
    background: bool,
    /// Whether output goes to a terminal.
    terminal: bool,
    depth: u32,
    /// How many commands have run, in all inner shells together.
    spent: Arc<AtomicU64>,
}

impl Served {
    /// Runs a command line and returns its exit code; an empty one reads lines from `stdin` and runs them. `tty` says
    /// that output goes to a terminal.
    ///
    /// A command that waits flushes `out` every 50 ms at most: once nobody listens, flushing or writing must fail,
    /// which ends the command.
    pub fn shell(
        &self,
        command: &str,
        stdin: &mut dyn Read,
        out: &mut dyn Write,
        err: &mut dyn Write,
        tty: bool,
    ) -> u8 {
        let (input, out, err) = (Outer::new(stdin), Outer::new(out), Outer::new(err));
        let io = Io { input: &input, out: &out, err: &err };
        let mut shell = Shell::new(self, tty);
        let ran = match command.trim().is_empty() {
            true => shell.read_lines(io),
            false => shell.run_text(command, io),
        };
        ran.unwrap_or_else(Killed::code)
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
            ("PATH", "/system/bin:/system/xbin:/vendor/bin"),
            ("SHELL", "/system/bin/sh"),
            ("TERM", "xterm-256color"),
            ("TMPDIR", "/data/local/tmp"),
            ("USER", "shell"),
        ];
        let memory = served.memory().session();
        let mut variables = CountedMap::new(&memory);
        for (name, value) in environment {
            // These few always fit into a new session; where the whole device is full, the shell begins without.
            variables.insert(name.to_owned(), value.to_owned()).unwrap_or_default();
        }
        Shell {
            served,
            memory,
            variables: Arc::new(variables),
            parameters: Vec::new(),
            folder: "/".to_owned(),
            status: 0,
            exit: None,
            leave: 0,
            again: false,
            background: false,
            terminal,
            depth: 0,
            spent: Arc::default(),
        }
    }

    /// A shell that begins as this one is and changes nothing of it.
    fn subshell(&self) -> Shell<'a> {
        Shell {
            served: self.served,
            memory: self.memory.clone(),
            variables: Arc::clone(&self.variables),
            parameters: self.parameters.clone(),
            folder: self.folder.clone(),
            status: self.status,
            exit: None,
            leave: 0,
            again: false,
            background: self.background,
            terminal: self.terminal,
            depth: self.depth,
            spent: Arc::clone(&self.spent),
        }
    }

    /// Gives a variable a value; the error is the complaint that there is no room for it.
    fn assign(&mut self, name: &str, value: String) -> Result<(), String> {
        let full = |error| format!("{name}: {error}");
        let shared = Arc::get_mut(&mut self.variables).is_none();
        // The first change makes a copy of what is shared with the shell around.
        let room = if shared { usize::try_from(self.variables.bytes()).unwrap_or(usize::MAX) } else { 0 };
        drop(self.memory.take(room).map_err(full)?);
        Arc::make_mut(&mut self.variables).insert(name.to_owned(), value).map_err(full)
    }

    fn unassign(&mut self, name: &str) {
        if self.variables.entries().contains_key(name) {
            Arc::make_mut(&mut self.variables).remove(name);
        }
    }

    fn read_lines(&mut self, io: Io<'_>) -> Result<u8, Killed> {
        while self.exit.is_none()
            && let Some(line) = read_line(io.input, LONGEST_LINE)?
        {
            self.run_text(&String::from_utf8_lossy(&line), io)?;
        }
        Ok(self.exit.unwrap_or(self.status))
    }
}
