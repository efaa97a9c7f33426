//! Words of an app, which live as long as the program.

use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// A text of a blueprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Word(pub &'static str);

impl Word {
    /// Keeps a text for the rest of the program.
    pub fn keep(text: impl Into<Box<str>>) -> Word {
        Word(Box::leak(text.into()))
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Word, D::Error> {
        String::deserialize(from).map(Word::keep)
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// Several texts of a blueprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Words(pub &'static [Word]);

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Words, D::Error> {
        Vec::deserialize(from).map(|words| Words(Box::leak(words.into_boxed_slice())))
    }
}
