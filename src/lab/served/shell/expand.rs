//! Expands the words of a command line to the arguments of a command: variables, command substitutions, field
//! splitting and file patterns.

use super::Shell;
use super::io::{Captured, Io, Killed, Nothing};
use super::pattern::{Char, paths_of};
use super::syntax::{Fallback, List, Part, Word};
use crate::memory::{Held, Memory};
use crate::processes::SHELL_PID;

/// Limit on the length of arguments in characters.
const LONGEST_ARGUMENTS: usize = 4 << 20;

/// The memory for a field besides its characters, in bytes, while it is built and as an argument; a generous estimate.
const FIELD_BYTES: usize = 128;
/// The memory for a character of a field, in bytes, while it is built and in an argument.
const CHAR_BYTES: usize = 12;

/// Arguments that are being built.
struct Fields {
    done: Vec<Vec<Char>>,
    open: Option<Vec<Char>>,
    /// The total length of all fields.
    length: usize,
    held: Held,
}

impl Fields {
    fn new(memory: &Memory) -> Result<Self, Stop> {
        let held = memory.take(0).map_err(Killed::from)?;
        Ok(Fields { done: Vec::new(), open: None, length: 0, held })
    }

    fn literal(&mut self, text: &str, quoted: bool) -> Result<(), Stop> {
        self.length += text.len();
        if self.length > LONGEST_ARGUMENTS {
            return Err(Stop::Complaint("argument list too long".to_owned()));
        }
        let field = if self.open.is_none() { FIELD_BYTES } else { 0 };
        self.held.grow(field + text.len() * CHAR_BYTES).map_err(Killed::from)?;
        self.open.get_or_insert_default().extend(text.chars().map(|c| (c, quoted)));
        Ok(())
    }

    /// Appends an expanded value. Outside of quotes, blanks separate fields.
    fn value(&mut self, text: &str, quoted: bool) -> Result<(), Stop> {
        if quoted {
            return self.literal(text, true);
        }
        for part in text.split_inclusive([' ', '\t', '\n']) {
            let word = part.trim_end_matches([' ', '\t', '\n']);
            if !word.is_empty() {
                self.literal(word, false)?;
            }
            if word.len() < part.len() {
                self.done.extend(self.open.take());
            }
        }
        Ok(())
    }
}

/// Why a word cannot be expanded.
pub(super) enum Stop {
    Killed(Killed),
    /// The shell prints this message and ends the command.
    Complaint(String),
}

impl From<Killed> for Stop {
    fn from(killed: Killed) -> Self {
        Stop::Killed(killed)
    }
}

/// The arguments of a command, and the memory that they take.
pub(super) struct Arguments {
    pub words: Vec<String>,
    pub held: Held,
}

impl Shell<'_> {
    /// Expands words to arguments.
    pub(super) fn arguments(&mut self, words: &[Word], io: Io<'_>) -> Result<Arguments, Stop> {
        let mut arguments = Vec::new();
        let mut fields = Fields::new(&self.memory)?;
        for word in words {
            self.expand(word, &mut fields, io)?;
            fields.done.extend(fields.open.take());
            for field in fields.done.drain(..) {
                let paths = paths_of(self, &field);
                if paths.is_empty() {
                    arguments.push(field.into_iter().map(|(c, _)| c).collect());
                } else {
                    let bytes: usize = paths.iter().map(|path| path.len() + FIELD_BYTES).sum();
                    fields.held.grow(bytes).map_err(Killed::from)?;
                    arguments.extend(paths);
                }
            }
        }
        Ok(Arguments { words: arguments, held: fields.held })
    }

    /// Expands a word without splitting it, as for the value of a variable.
    pub(super) fn value(&mut self, word: &Word, io: Io<'_>) -> Result<String, Stop> {
        let quoted = Word(word.0.iter().cloned().map(quoted).collect());
        let mut fields = Fields::new(&self.memory)?;
        self.expand(&quoted, &mut fields, io)?;
        fields.done.extend(fields.open.take());
        let text = fields.done.into_iter().flatten().map(|(c, _)| c).collect();
        Ok(text)
    }

    fn expand(&mut self, word: &Word, fields: &mut Fields, io: Io<'_>) -> Result<(), Stop> {
        for (place, part) in word.0.iter().enumerate() {
            match part {
                Part::Text { text, quoted: false } if place == 0 && is_home(text) => {
                    let home = self.variable("HOME").unwrap_or_default();
                    fields.literal(&home, true)?;
                    fields.literal(text.get(1..).unwrap_or_default(), false)?;
                }
                Part::Text { text, quoted } => fields.literal(text, *quoted)?,
                Part::Variable { name, default, quoted } => {
                    let value = self.variable(name);
                    match default {
                        Some(fallback) => self.fall_back(name, value, fallback, *quoted, fields, io)?,
                        None => fields.value(&value.unwrap_or_default(), *quoted)?,
                    }
                }
                Part::Output { list, quoted } => {
                    let output = self.output(list, io)?;
                    fields.value(&output, *quoted)?;
                }
            }
        }
        Ok(())
    }

    fn fall_back(
        &mut self,
        name: &str,
        value: Option<String>,
        fallback: &Fallback,
        quoted: bool,
        fields: &mut Fields,
        io: Io<'_>,
    ) -> Result<(), Stop> {
        let value = value.filter(|value| !(fallback.empty_too && value.is_empty()));
        match (fallback.how, value) {
            ('+', Some(_)) | ('-', None) => return self.expand(&fallback.word, fields, io),
            ('+', None) => {}
            ('=', None) => {
                let value = self.value(&fallback.word, io)?;
                fields.value(&value, quoted)?;
                self.assign(name, value).map_err(Stop::Complaint)?;
            }
            ('?', None) => {
                let text = self.value(&fallback.word, io)?;
                let text = if text.is_empty() { "parameter null or not set".to_owned() } else { text };
                return Err(Stop::Complaint(format!("{name}: {text}")));
            }
            (_, Some(value)) => fields.value(&value, quoted)?,
            (_, None) => {}
        }
        Ok(())
    }

    /// The output of a command list, without trailing line ends.
    fn output(&mut self, list: &List, io: Io<'_>) -> Result<String, Stop> {
        let captured = Captured::new(&self.memory, io.out)?;
        let mut inner = self.subshell();
        let status = inner.run_list(list, Io { input: &Nothing, out: &captured, err: io.err })?;
        self.status = inner.exit.unwrap_or(status);
        let mut printed = captured.into_input();
        printed.hold(printed.len() * 2)?;
        let text = printed.text()?.replace('\0', "");
        Ok(text.trim_end_matches('\n').to_owned())
    }

    /// The value of a variable; `None` if it is not set.
    pub(super) fn variable(&self, name: &str) -> Option<String> {
        match name {
            "?" => Some(self.status.to_string()),
            "$" => Some(SHELL_PID.to_string()),
            "PWD" => Some(self.folder.clone()),
            _ => self.variables.entries().get(name).cloned(),
        }
    }
}

fn is_home(text: &str) -> bool {
    text == "~" || text.starts_with("~/")
}

fn quoted(part: Part) -> Part {
    match part {
        Part::Variable { name, default, .. } => Part::Variable { name, default, quoted: true },
        Part::Output { list, .. } => Part::Output { list, quoted: true },
        Part::Text { text, quoted } => Part::Text { text, quoted },
    }
}
