//! Texts that a run of a DMF drew, and the class of texts that each was drawn from.

use serde::{Deserialize, Serialize};

words! {
    /// A class of generated texts. Existing and removed objects are those of the DMF's data type in the data model.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    pub enum TextClass {
        /// Letters and digits, different from every object.
        Plain = "plain",
        /// Equal to an existing object.
        Existing = "existing",
        /// Equal to an existing object except for case.
        OtherCase = "other_case",
        /// Extends an existing object, or is contained in one.
        Extending = "extending",
        /// Name of an object that was removed earlier in this test.
        Removed = "removed",
        /// Contains symbols such as `?` and `#`.
        Symbols = "symbols",
        /// Begins or ends with blanks.
        BlankEdges = "blank_edges",
        /// Much longer than usual names: 80 to 240 characters.
        Long = "long",
        /// Only digits, at least five.
        Digits = "digits",
        /// Emoji, right-to-left and CJK text.
        Unicode = "unicode",
        /// Looks like SQL, HTML or a path.
        Hostile = "hostile",
    }
    /// The class's word in a `taproof_text` key of a specification.
    pub fn word;
    /// All classes, in the order of their declaration.
    pub const ALL;
}

impl TextClass {
    /// Returns the class with this [`word`](TextClass::word); `None` if there is none.
    pub fn named(word: &str) -> Option<Self> {
        TextClass::ALL.into_iter().find(|class| class.word() == word)
    }

    /// Whether texts of this class are derived from an existing or a removed object.
    pub fn repeats(self) -> bool {
        matches!(self, TextClass::Existing | TextClass::OtherCase | TextClass::Extending | TextClass::Removed)
    }
}

/// A text that a run of a DMF drew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawnText {
    /// The text that was drawn.
    pub text: String,
    /// The class from which the text was drawn; `None` if the file does not contain one, or contains one that is
    /// unknown here.
    pub class: Option<TextClass>,
}

/// Serialises drawn texts as two lists: the texts, and the words of their classes. Files of older versions contain no
/// classes; those of newer versions may contain words that are unknown here.
pub(crate) mod drawn_texts {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::{DrawnText, TextClass};

    #[derive(Serialize, Deserialize)]
    struct InFiles {
        inputs: Vec<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        classes: Vec<Option<String>>,
    }

    pub fn serialize<S: Serializer>(drawn: &[DrawnText], to: S) -> Result<S::Ok, S::Error> {
        let inputs = drawn.iter().map(|drawn| drawn.text.clone()).collect();
        let classes = drawn.iter().map(|drawn| Some(drawn.class?.word().to_owned())).collect();
        InFiles { inputs, classes }.serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<DrawnText>, D::Error> {
        let InFiles { inputs, classes } = InFiles::deserialize(from)?;
        let mut classes = classes.into_iter();
        let class = |word: Option<String>| TextClass::named(&word?);
        let drawn = |text| DrawnText { text, class: classes.next().and_then(class) };
        Ok(inputs.into_iter().map(drawn).collect())
    }
}

impl DrawnText {
    /// An existing object of the data model, chosen as the text.
    pub fn object(text: String) -> Self {
        DrawnText { text, class: Some(TextClass::Existing) }
    }
}
