//! What one run of a DMF has read and drawn.

use serde::{Deserialize, Serialize};

/// Texts that stand for `X.text` and `T::random` in one run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bindings {
    reads: Vec<(String, String)>,
    drawn: Vec<(String, String)>,
}

impl Bindings {
    /// Nothing read or drawn yet.
    pub const NONE: Bindings = Bindings { reads: Vec::new(), drawn: Vec::new() };

    /// Remembers what the widget named showed. A later reading replaces an earlier one.
    pub fn set_read(&mut self, widget: &str, text: String) {
        set(&mut self.reads, widget, text);
    }

    /// What the widget named showed, if it was read.
    pub fn read(&self, widget: &str) -> Option<&str> {
        get(&self.reads, widget)
    }

    /// Remembers the object drawn for a widget whose text is `T::random`.
    pub fn set_drawn(&mut self, widget: &str, object: String) {
        set(&mut self.drawn, widget, object);
    }

    /// The object drawn for the widget named.
    pub fn drawn(&self, widget: &str) -> Option<&str> {
        get(&self.drawn, widget)
    }

    /// All readings in the order in which they were first made.
    pub fn reads(&self) -> impl Iterator<Item = (&str, &str)> {
        self.reads.iter().map(|(widget, text)| (widget.as_str(), text.as_str()))
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
