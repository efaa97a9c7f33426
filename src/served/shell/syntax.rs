//! What a command line means, as a tree.

/// Commands one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct List(pub Vec<Item>);

/// Pipelines that depend on each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub first: Pipeline,
    pub rest: Vec<(Link, Pipeline)>,
    /// Behind it stands `&`.
    pub background: bool,
}

/// How a pipeline depends on the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    And,
    Or,
}

/// Commands whose output is the next one's input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pipeline {
    pub negated: bool,
    pub commands: Vec<Command>,
}

/// A command with what is redirected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Command {
    pub kind: Kind,
    pub redirects: Vec<Redirect>,
}

/// What kind of command it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Simple { assignments: Vec<(String, Word)>, words: Vec<Word> },
    Group(List),
    Subshell(List),
    If { arms: Vec<(List, List)>, otherwise: Option<List> },
    Loop { until: bool, condition: List, body: List },
    For { name: String, words: Vec<Word>, body: List },
}

/// Another place for a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Redirect {
    /// 0, 1, 2; 3 stands for both of the latter.
    pub stream: u8,
    pub to: Place,
}

/// The place of a redirect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Read(Word),
    Write(Word),
    Append(Word),
    /// Another stream, or `-` for none.
    Stream(Word),
    /// Text that stands in the command itself.
    Text(Word),
}

/// A word before it is expanded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Word(pub Vec<Part>);

/// A part of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Text { text: String, quoted: bool },
    Variable { name: String, default: Option<Fallback>, length: bool, quoted: bool },
    Output { list: List, quoted: bool },
    Sum { inner: Word, quoted: bool },
}

/// What stands for a variable that is not set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fallback {
    /// `-`, `=`, `+` or `?`.
    pub how: char,
    /// An empty one counts as not set.
    pub empty_too: bool,
    pub word: Word,
}

impl Word {
    /// The word as it is written, where nothing in it is quoted or expanded.
    pub fn plain(&self) -> Option<&str> {
        match self.0.as_slice() {
            [Part::Text { text, quoted: false }] => Some(text),
            _ => None,
        }
    }
}
