//! The texts that one run of a DMF has read and drawn.

use serde::{Deserialize, Serialize};

/// The texts that `X.text` and `T::random` stand for in one run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bindings {
    reads: Vec<(String, String)>,
    drawn: Vec<(String, String)>,
}

impl Bindings {
    /// Bindings without any text.
    pub const NONE: Bindings = Bindings { reads: Vec::new(), drawn: Vec::new() };

    /// Binds the text that a widget showed. A later reading replaces an earlier one.
    pub fn set_read(&mut self, widget: &str, text: String) {
        set(&mut self.reads, widget, text);
    }

    /// The text that the widget showed; `None` if it was not read.
    pub fn read(&self, widget: &str) -> Option<&str> {
        get(&self.reads, widget)
    }

    /// Binds the object that was drawn for a widget whose text is `T::random`.
    pub fn set_drawn(&mut self, widget: &str, object: String) {
        set(&mut self.drawn, widget, object);
    }

    /// The object that was drawn for the widget; `None` if none was.
    pub fn drawn(&self, widget: &str) -> Option<&str> {
        get(&self.drawn, widget)
    }

    /// All read texts with their widgets, in the order in which they were first read.
    pub fn reads(&self) -> impl Iterator<Item = (&str, &str)> {
        self.reads.iter().map(|(widget, text)| (widget.as_str(), text.as_str()))
    }

    /// The same names with other texts, each made from the name and the text that is bound to it.
    #[must_use]
    pub fn with_texts(&self, other: impl Fn(&str, &str) -> String) -> Bindings {
        let all = |pairs: &[(String, String)]| {
            pairs.iter().map(|(widget, text)| (widget.clone(), other(widget, text))).collect()
        };
        Bindings { reads: all(&self.reads), drawn: all(&self.drawn) }
    }
}

fn set(pairs: &mut Vec<(String, String)>, widget: &str, text: String) {
    match pairs.iter_mut().find(|(name, _)| name == widget) {
        Some(pair) => pair.1 = text,
        None => pairs.push((widget.to_owned(), text)),
    }
}

fn get<'a>(pairs: &'a [(String, String)], widget: &str) -> Option<&'a str> {
    pairs.iter().find(|(name, _)| name == widget).map(|(_, text)| text.as_str())
}
