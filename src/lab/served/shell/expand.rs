//! Expands the words of a command line to the arguments of a command: variables, command substitutions, field
//! splitting and file patterns.

use std::cell::RefCell;

use super::Shell;
use super::io::{Captured, Io, Stop};
use super::pattern::{Char, paths_of};
use super::syntax::{List, Part, Piece, Word};
use crate::system::processes::SHELL_PID;

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

impl Shell<'_> {
    /// Expands words to arguments.
    pub(super) fn arguments(&mut self, words: &[Word], io: Io<'_>) -> Result<Vec<String>, Stop> {
        let mut arguments = Vec::new();
        let mut fields = Fields::default();
        for word in words {
            self.expand(word, false, &mut fields, io)?;
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
        let mut fields = Fields::default();
        self.expand(word, true, &mut fields, io)?;
        let text = fields.open.unwrap_or_default().into_iter().map(|(c, _)| c).collect();
        Ok(text)
    }

    /// Appends a word. If it is `whole`, it is not split.
    fn expand(&mut self, word: &Word, whole: bool, fields: &mut Fields, io: Io<'_>) -> Result<(), Stop> {
        for Part { piece, quoted } in &word.0 {
            let quoted = *quoted || whole;
            match piece {
                Piece::Text(text) => fields.literal(text, quoted)?,
                Piece::Variable(name) => {
                    fields.value(&self.variable(name).unwrap_or_default(), quoted)?;
                }
                Piece::Output(list) => fields.value(&self.output(list, io)?, quoted)?,
            }
        }
        Ok(())
    }

    /// The output of a command list, without trailing line ends.
    fn output(&mut self, list: &List, io: Io<'_>) -> Result<String, Stop> {
        let captured = Captured::new(&self.memory, io.out)?;
        let mut inner = self.subshell();
        let status = inner
            .run_list(list, Io { input: &RefCell::new(std::io::empty()), out: &captured, err: io.err })?;
        self.status = inner.exit.unwrap_or(status);
        let text = String::from_utf8_lossy(&captured.into_bytes()).replace('\0', "");
        Ok(text.trim_end_matches('\n').to_owned())
    }

    /// The value of a variable; `None` if it is not set.
    pub(super) fn variable(&self, name: &str) -> Option<String> {
        match name {
            "?" => Some(self.status.to_string()),
            "$" => Some(SHELL_PID.to_string()),
            _ => self.variables.get(name).map(str::to_owned),
        }
    }
}
