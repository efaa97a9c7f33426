//! The syntax tree of a command line.

/// A sequence of commands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct List(pub Vec<Item>);

/// Pipelines connected by `&&` and `||`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub first: Pipeline,
    pub rest: Vec<(Link, Pipeline)>,
    /// Whether it is followed by `&`.
    pub background: bool,
}

/// How a pipeline depends on the exit code of the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    And,
    Or,
}

/// Commands whose output is connected to the next one's input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pipeline {
    pub negated: bool,
    pub commands: Vec<Command>,
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
        otherwise: Option<List>,
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
    /// 0, 1 or 2; 3 stands for both 1 and 2.
    pub stream: u8,
    pub to: Target,
}

/// The source or target of a redirection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Read(Word),
    Write(Word),
    Append(Word),
    /// Another stream, or `-` to close it.
    Stream(Word),
}

/// A word before its expansion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Word(pub Vec<Part>);

/// A part of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Text {
        text: String,
        quoted: bool,
    },
    /// The value of a variable.
    Variable {
        name: String,
        quoted: bool,
    },
    Output {
        list: List,
        quoted: bool,
    },
}

impl Word {
    /// The word's text if nothing in it is quoted or expanded, else `None`.
    pub fn plain(&self) -> Option<&str> {
        match self.0.as_slice() {
            [Part::Text { text, quoted: false }] => Some(text),
            _ => None,
        }
    }
}
