//! The syntax tree of a command line.

/// A sequence of commands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct List(pub Vec<Step>);

/// A pipeline: commands of which each reads what the one before it prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub link: Link,
    pub negated: bool,
    pub commands: Vec<Command>,
    /// Whether it is followed by `&`.
    pub background: bool,
}

/// How a pipeline depends on the exit code of the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    Always,
    And,
    Or,
}

/// A command with its redirections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Command {
    pub kind: Kind,
    pub redirects: Vec<Redirect>,
}

/// The kind of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Simple {
        assignments: Vec<(String, Word)>,
        words: Vec<Word>,
    },
    Group(List),
    /// `( list )`.
    Subshell(List),
    If {
        arms: Vec<(List, List)>,
        otherwise: List,
    },
    For {
        name: String,
        words: Vec<Word>,
        body: List,
    },
}

/// A redirection of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Redirect {
    /// 0, 1 or 2; other streams do not exist.
    pub stream: u8,
    /// `<`, `>`, `>>`, or `>&` and `<&`, which make it another name of a stream.
    pub sign: &'static str,
    pub word: Word,
}

/// A word before its expansion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Word(pub Vec<Part>);

/// A part of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub piece: Piece,
    pub quoted: bool,
}

/// What a part of a word stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    /// The value of a variable.
    Variable(String),
    /// The output of commands.
    Output(List),
}

impl Word {
    /// Appends a text.
    pub fn push(&mut self, more: &str, quoted: bool) {
        match self.0.last_mut() {
            Some(Part { piece: Piece::Text(text), quoted: before }) if *before == quoted => {
                text.push_str(more)
            }
            _ => self.0.push(Part { piece: Piece::Text(more.to_owned()), quoted }),
        }
    }

    /// The word's text if nothing in it is quoted or expanded, else `None`.
    pub fn plain(&self) -> Option<&str> {
        match self.0.as_slice() {
            [Part { piece: Piece::Text(text), quoted: false }] => Some(text),
            _ => None,
        }
    }

    /// The name and the value of `NAME=value`; `None` if it is something else.
    pub fn assignment(&self) -> Option<(String, Word)> {
        let (first, rest) = self.0.split_first()?;
        let Part { piece: Piece::Text(text), quoted: false } = first else { return None };
        let (name, value) = text.split_once('=')?;
        let valid = !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let value = Part { piece: Piece::Text(value.to_owned()), quoted: false };
        valid.then(|| (name.to_owned(), Word([&[value], rest].concat())))
    }
}
