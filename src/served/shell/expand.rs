//! Expands the words of a command line to the arguments of a command: variables, command substitutions, field
//! splitting and file patterns.

use super::Shell;
use super::io::{Captured, Io, Killed, Nothing};
use super::pattern::{Char, paths_of};
use super::syntax::{List, Part, Word};
use crate::processes::SHELL_PID;

/// Limit on the length of arguments in characters.
const LONGEST_ARGUMENTS: usize = 4 << 20;
/// Arguments that are being built.
#[derive(Default)]
struct Fields {
    done: Vec<Vec<Char>>,
    open: Option<Vec<Char>>,
    /// The total length of all fields.
    length: usize,
}

impl Fields {
    fn literal(&mut self, text: &str, quoted: bool) -> Result<(), Stop> {
        self.length += text.len();
        if self.length > LONGEST_ARGUMENTS {
            return Err(Stop::Complaint("argument list too long".to_owned()));
        }
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

impl Shell<'_> {
    /// Expands words to arguments.
    pub(super) fn arguments(&mut self, words: &[Word], io: Io<'_>) -> Result<Vec<String>, Stop> {
        let mut arguments = Vec::new();
        let mut fields = Fields::default();
        for word in words {
            self.expand(word, &mut fields, io)?;
            fields.done.extend(fields.open.take());
            for field in fields.done.drain(..) {
                let paths = paths_of(self, &field);
                if paths.is_empty() {
                    arguments.push(field.into_iter().map(|(c, _)| c).collect());
                } else {
                    arguments.extend(paths);
                }
            }
        }
        Ok(arguments)
    }

    /// Expands a word without splitting it, as for the value of a variable.
    pub(super) fn value(&mut self, word: &Word, io: Io<'_>) -> Result<String, Stop> {
        let quoted = Word(word.0.iter().cloned().map(quoted).collect());
        let mut fields = Fields::default();
        self.expand(&quoted, &mut fields, io)?;
        fields.done.extend(fields.open.take());
        let text = fields.done.into_iter().flatten().map(|(c, _)| c).collect();
        Ok(text)
    }

    fn expand(&mut self, word: &Word, fields: &mut Fields, io: Io<'_>) -> Result<(), Stop> {
        for part in &word.0 {
            match part {
                Part::Text { text, quoted } => fields.literal(text, *quoted)?,
                Part::Variable { name, quoted } => {
                    fields.value(&self.variable(name).unwrap_or_default(), *quoted)?;
                }
                Part::Output { list, quoted } => {
                    let output = self.output(list, io)?;
                    fields.value(&output, *quoted)?;
                }
            }
        }
        Ok(())
    }

    /// The output of a command list, without trailing line ends.
    fn output(&mut self, list: &List, io: Io<'_>) -> Result<String, Stop> {
        let captured = Captured::new(&self.memory, io.out)?;
        let mut inner = self.subshell();
        let status = inner.run_list(list, Io { input: &Nothing, out: &captured, err: io.err })?;
        self.status = inner.exit.unwrap_or(status);
        let text = String::from_utf8_lossy(&captured.into_bytes()).replace('\0', "");
        Ok(text.trim_end_matches('\n').to_owned())
    }

    /// The value of a variable; `None` if it is not set.
    pub(super) fn variable(&self, name: &str) -> Option<String> {
        match name {
            "?" => Some(self.status.to_string()),
            "$" => Some(SHELL_PID.to_string()),
            "PWD" => Some(self.folder.clone()),
            _ => self.variables.get(name).map(str::to_owned),
        }
    }
}

fn quoted(part: Part) -> Part {
    match part {
        Part::Variable { name, .. } => Part::Variable { name, quoted: true },
        Part::Output { list, .. } => Part::Output { list, quoted: true },
        Part::Text { text, quoted } => Part::Text { text, quoted },
    }
}
