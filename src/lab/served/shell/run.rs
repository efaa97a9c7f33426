//! Runs the commands of a parsed command line.

use std::cell::RefCell;
use std::sync::atomic::Ordering;

use super::Shell;
use super::call::{Call, Done};
use super::io::{Bytes, Captured, In, Io, Out, Stop, ToFile};
use super::parser::Parser;
use super::syntax::{Command, Kind, Link, List, Redirect, Step, Word};
use super::table;
use crate::files::absolute;

/// The most memory that a parsed text takes per character, in bytes: a command of one letter is a tree of its own.
const SYNTAX_BYTES: usize = 200;
/// Limits on the number of commands that one line may run, and on how deeply they may call each other.
const MOST_COMMANDS: u64 = 100_000;
const DEEPEST: u32 = 24;

/// The programs that ask services of the system without a virtual machine of their own.
const SERVICES: [&str; 3] = ["cmd", "dumpsys", "screencap"];

impl Shell<'_> {
    /// Runs a text line by line.
    pub(super) fn run_text(&mut self, text: &str, io: Io<'_>) -> Result<u8, Stop> {
        let _held = self.memory.take(text.len().saturating_mul(SYNTAX_BYTES))?;
        let mut parser = Parser::new(text);
        loop {
            match parser.next_line() {
                Ok(Some(list)) => self.run_list(&list, io)?,
                Ok(None) => break,
                Err(error) => {
                    self.complain(io, &error.to_string())?;
                    self.status = 1;
                    break;
                }
            };
            if self.exit.is_some() {
                break;
            }
        }
        Ok(self.exit.unwrap_or(self.status))
    }

    pub(super) fn complain(&self, io: Io<'_>, text: &str) -> Result<(), Stop> {
        io.err.put(format!("/system/bin/sh: {text}\n").as_bytes())
    }

    /// Runs a sequence of commands.
    pub(super) fn run_list(&mut self, list: &List, io: Io<'_>) -> Result<u8, Stop> {
        self.status = if list.0.is_empty() { 0 } else { self.status };
        for step in &list.0 {
            let runs = match step.link {
                Link::Always => true,
                Link::And => self.status == 0,
                Link::Or => self.status != 0,
            };
            if runs {
                let around = self.background;
                self.background |= step.background;
                let ran = self.run_step(step, io);
                self.background = around;
                self.status = ran?;
            }
            if self.exit.is_some() || self.leave > 0 {
                break;
            }
        }
        Ok(self.status)
    }

    fn run_step(&mut self, step: &Step, io: Io<'_>) -> Done {
        let mut input = None;
        let mut status = 0;
        for (place, command) in step.commands.iter().enumerate() {
            // One after the other: each command reads what the one before it has printed.
            let captured = Captured::new(&self.memory, io.out)?;
            let last = place + 1 == step.commands.len();
            let from: &dyn In = input.as_ref().map_or(io.input, |input: &Bytes| input);
            let to: &dyn Out = if last { io.out } else { &captured };
            let streams = Io { input: from, out: to, err: io.err };
            status = match step.commands.len() {
                1 => self.run_command(command, streams)?,
                _ => {
                    let mut inner = self.subshell();
                    let ran = inner.run_command(command, streams)?;
                    inner.exit.unwrap_or(ran)
                }
            };
            input = Some(captured.into_input());
        }
        Ok(if step.negated { u8::from(status == 0) } else { status })
    }

    /// Runs one command. A closed output ends the command but not the shell.
    pub(super) fn run_command(&mut self, command: &Command, io: Io<'_>) -> Result<u8, Stop> {
        if self.depth > DEEPEST {
            self.complain(io, "out of memory: commands call each other too deeply")?;
            return Ok(1);
        }
        self.depth += 1;
        let ran = self.run_redirected(&command.kind, &command.redirects, io);
        self.depth -= 1;
        match ran {
            Ok(status) => Ok(status),
            Err(stop) => {
                match &stop {
                    Stop::Complaint(text) => self.complain(io, text)?,
                    Stop::Memory => io.err.put(b"Killed\n")?,
                    Stop::Pipe | Stop::Exit(_) => {}
                }
                Ok(stop.code())
            }
        }
    }

    fn run_kind(&mut self, kind: &Kind, io: Io<'_>) -> Result<u8, Stop> {
        match kind {
            Kind::Simple { assignments, words } => self.run_simple(assignments, words, io),
            Kind::Group(list) => self.run_list(list, io),
            Kind::Subshell(list) => {
                let mut inner = self.subshell();
                let status = inner.run_list(list, io)?;
                Ok(inner.exit.unwrap_or(status))
            }
            Kind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    if self.run_list(condition, io)? == 0 {
                        return self.run_list(body, io);
                    }
                }
                self.run_list(otherwise, io)
            }
            Kind::For { name, words, body } => {
                let mut status = 0;
                let values = self.arguments(words, io)?;
                for value in values {
                    self.assign(name, &value)?;
                    status = self.run_list(body, io)?;
                    if self.left_loop(io)? {
                        break;
                    }
                }
                Ok(status)
            }
        }
    }

    /// Whether a loop ends here; fails once the client is gone.
    fn left_loop(&mut self, io: Io<'_>) -> Result<bool, Stop> {
        io.out.flush()?;
        // Even a body without commands counts, so that no loop is endless.
        self.count(io)?;
        let left = self.leave > 0 || self.exit.is_some();
        self.leave = self.leave.saturating_sub(1);
        Ok(left)
    }

    fn run_simple(&mut self, assignments: &[(String, Word)], words: &[Word], io: Io<'_>) -> Done {
        self.status = if words.is_empty() { 0 } else { self.status };
        let arguments = self.arguments(words, io)?;
        let mut saved = Vec::new();
        for (name, word) in assignments {
            let value = self.value(word, io)?;
            saved.push((name, self.variables.get(name).map(str::to_owned)));
            self.assign(name, &value)?;
        }
        let Some((name, args)) = arguments.split_first() else { return Ok(self.status) };
        let ran = self.run_named(name, args, io);
        for (name, value) in saved {
            match value {
                Some(value) => self.assign(name, &value)?,
                None => self.variables.remove(name),
            }
        }
        ran
    }

    fn count(&mut self, io: Io<'_>) -> Result<(), Stop> {
        if self.spent.fetch_add(1, Ordering::Relaxed) >= MOST_COMMANDS {
            self.exit = Some(1);
            self.complain(io, "too many commands in one line")?;
        }
        Ok(())
    }

    /// Runs a command by its name.
    pub(super) fn run_named(&mut self, name: &str, args: &[String], io: Io<'_>) -> Done {
        self.count(io)?;
        if self.exit.is_some() {
            return Ok(1);
        }
        let like = self.served.like();
        let known = name.rsplit_once('/').filter(|(folder, _)| is_program_folder(folder));
        let program = known.map_or(name, |(_, program)| program);
        let Some(command) = table::find(program, like) else { return self.no_command(name, io) };
        let mut call = Call { shell: self, name: program, args, io };
        if command.machine || SERVICES.contains(&program) {
            call.await_services()?;
        }
        if command.machine {
            call.start_machine()?;
        }
        call.take_time(command.cost)?;
        call.run(command)
    }

    /// Says why there is no such command.
    fn no_command(&self, name: &str, io: Io<'_>) -> Done {
        let path = absolute("/", name);
        let stat = name.contains('/').then(|| self.served.lock().stat_file(&path).ok()).flatten();
        let (problem, status) = match stat {
            None if self.served.like().old() => ("not found", 127),
            None => ("inaccessible or not found", 127),
            Some(stat) if stat.is_folder() => ("can't execute: Is a directory", 126),
            Some(_) => ("can't execute: Permission denied", 126),
        };
        self.complain(io, &format!("{name}: {problem}"))?;
        Ok(status)
    }

    /// Runs a text from within a command.
    pub(super) fn run_deeper(&mut self, text: &str, io: Io<'_>) -> Done {
        if self.depth > DEEPEST {
            self.complain(io, "out of memory: commands call each other too deeply")?;
            return Ok(1);
        }
        self.depth += 1;
        let ran = self.run_text(text, io);
        self.depth -= 1;
        ran
    }

    /// Runs a command with redirected streams.
    fn run_redirected(&mut self, kind: &Kind, redirects: &[Redirect], io: Io<'_>) -> Done {
        let Some((first, rest)) = redirects.split_first() else { return self.run_kind(kind, io) };
        let written = self.value(&first.word, io)?;
        if first.sign.ends_with('&') {
            let nothing = RefCell::new(std::io::empty());
            let io = match (first.stream, written.as_str()) {
                (2, "1") => Io { err: io.out, ..io },
                (1, "2") => Io { out: io.err, ..io },
                (0, "-") => Io { input: &nothing, ..io },
                (1, "-") => Io { out: &nothing, ..io },
                (2, "-") => Io { err: &nothing, ..io },
                (_, "0" | "1" | "2" | "-") => io,
                (_, other) => return Err(Stop::Complaint(format!("{other}: bad file descriptor"))),
            };
            return self.run_redirected(kind, rest, io);
        }
        let path = absolute("/", &written);
        if first.sign == "<" {
            let read = self.served.lock().read_file(&path);
            let bytes = read.map_err(|error| Stop::Complaint(format!("can't open {written}: {error}")))?;
            return self.run_redirected(kind, rest, Io { input: &Bytes::from(bytes), ..io });
        }
        if matches!(path.as_str(), "/dev/tty" | "/dev/stdout" | "/proc/self/fd/1") {
            return self.run_redirected(kind, rest, io);
        }
        let opened = match first.sign {
            ">>" => self.served.lock().append_file(&path, b""),
            _ => self.served.lock().write_file(&path, Vec::new(), None, None),
        };
        opened.map_err(|error| Stop::Complaint(format!("can't create {written}: {error}")))?;
        let file = ToFile { served: self.served, path, behind: io.out };
        let io = match first.stream {
            1 => Io { out: &file, ..io },
            2 => Io { err: &file, ..io },
            _ => io,
        };
        self.run_redirected(kind, rest, io)
    }
}

fn is_program_folder(folder: &str) -> bool {
    matches!(folder, "/system/bin" | "/system/xbin" | "/bin" | "/sbin" | "/vendor/bin")
}
