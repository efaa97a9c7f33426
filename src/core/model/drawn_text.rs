//! A text that a run of a DMF drew, and what kind of text it was meant to be.

use serde::{Deserialize, Serialize};

/// A class of generated texts, relative to the objects of the DMF's data type in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum TextClass {
    /// Letters and digits, different from every object.
    Plain,
    /// Equal to an existing object.
    Existing,
    /// Equal to an existing object but for case.
    OtherCase,
    /// Extends an existing object, or is contained in one.
    Extending,
    /// The name of an object removed earlier in this test.
    Removed,
    /// Symbols inside, `?` and `#` among them.
    Symbols,
    /// Blanks at the edges.
    BlankEdges,
    /// Long.
    Long,
    /// Digits.
    Digits,
    /// Emoji, right-to-left and CJK text.
    Unicode,
    /// Looks like SQL, HTML or a path.
    Hostile,
}

impl TextClass {
    /// All classes.
    pub const ALL: [TextClass; 11] = [
        TextClass::Plain,
        TextClass::Existing,
        TextClass::OtherCase,
        TextClass::Extending,
        TextClass::Removed,
        TextClass::Symbols,
        TextClass::BlankEdges,
        TextClass::Long,
        TextClass::Digits,
        TextClass::Unicode,
        TextClass::Hostile,
    ];

    /// The word that `taproof_text` uses.
    pub fn word(self) -> &'static str {
        match self {
            TextClass::Plain => "plain",
            TextClass::Existing => "existing",
            TextClass::OtherCase => "other_case",
            TextClass::Extending => "extending",
            TextClass::Removed => "removed",
            TextClass::Symbols => "symbols",
            TextClass::BlankEdges => "blank_edges",
            TextClass::Long => "long",
            TextClass::Digits => "digits",
            TextClass::Unicode => "unicode",
            TextClass::Hostile => "hostile",
        }
    }

    /// The class of a word.
    pub fn named(word: &str) -> Option<Self> {
        TextClass::ALL.into_iter().find(|class| class.word() == word)
    }

    /// Whether its texts are made of an object that is there, or was.
    pub fn repeats(self) -> bool {
        matches!(self, TextClass::Existing | TextClass::OtherCase | TextClass::Extending | TextClass::Removed)
    }
}

/// A text that a run of a DMF drew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawnText {
    /// The text.
    pub text: String,
    /// The class that it was drawn as; `None` where an older file does not say.
    pub class: Option<TextClass>,
}

impl DrawnText {
    /// An object that was chosen.
    pub fn object(text: String) -> Self {
        DrawnText { text, class: Some(TextClass::Existing) }
    }
}
