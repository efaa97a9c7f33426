//! The steps of a document's undo history.

use crate::undo::{Joined, UndoHistory};

/// A replacement in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextChange {
    at: usize,
    removed: String,
    inserted: String,
}

impl TextChange {
    /// The change from one text to the other, without their common prefix and suffix.
    pub fn between(before: &str, after: &str) -> TextChange {
        let mut at = before.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count();
        while !(before.is_char_boundary(at) && after.is_char_boundary(at)) {
            at -= 1;
        }
        let (old, new) = (&before[at..], &after[at..]);
        let shared = old.bytes().rev().zip(new.bytes().rev()).take_while(|(a, b)| a == b).count();
        let (mut old_end, mut new_end) = (old.len() - shared, new.len() - shared);
        while !(old.is_char_boundary(old_end) && new.is_char_boundary(new_end)) {
            old_end += 1;
            new_end += 1;
        }
        TextChange { at, removed: old[..old_end].to_owned(), inserted: new[..new_end].to_owned() }
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.removed == self.inserted
    }

    /// Returns the text after the change, given the text before it.
    pub fn apply(&self, text: &str) -> String {
        replaced(text, self.at, self.removed.len(), &self.inserted)
    }

    /// Returns the text before the change, given the text after it.
    pub fn revert(&self, text: &str) -> String {
        replaced(text, self.at, self.inserted.len(), &self.removed)
    }
}

fn replaced(text: &str, at: usize, length: usize, with: &str) -> String {
    let before = text.get(..at).unwrap_or(text);
    let behind = text.get(at + length..).unwrap_or("");
    format!("{before}{with}{behind}")
}

/// A step that can be undone.
#[derive(Clone, Debug)]
pub struct Step {
    /// Consecutive steps with the same field are joined. Steps with an empty one never are.
    pub field: String,
    /// Index of the document's file that was changed.
    pub file: usize,
    /// The change of that file's text.
    pub change: TextChange,
    /// Indices of the DMFs shown before and after the step.
    pub chosen: (usize, usize),
}

/// The undo history of a document, compact enough to store every step of a day's work.
pub(super) type TextHistory = UndoHistory<Step>;

impl Step {
    /// Includes another step, if it changes the same field. `text` is the file's text before that one.
    pub fn join(&mut self, next: &Step, text: &str) -> Joined {
        if next.field.is_empty() || (&self.field, self.file) != (&next.field, next.file) {
            return Joined::Apart;
        }
        let (first, now) = (self.change.revert(text), next.change.apply(text));
        self.change = TextChange::between(&first, &now);
        self.chosen.1 = next.chosen.1;
        if self.change.is_empty() { Joined::Nothing } else { Joined::Together }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_goes_both_ways() {
        for (before, after) in [
            ("", ""),
            ("abc", "abc"),
            ("aéb", "aèb"),
            ("aaa", "aa"),
            ("x", ""),
            ("", "x"),
            ("one two", "one 2 two"),
        ] {
            let change = TextChange::between(before, after);
            assert_eq!(change.apply(before), after);
            assert_eq!(change.revert(after), before);
            assert_eq!(change.is_empty(), before == after);
        }
    }
}
