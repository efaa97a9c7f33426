//! File formats of others: uiautomator dumps, recorded walks, pictures, packages of apps, mapping files. Their structures
//! and spellings are not visible outside this module.
//!
//! Text in, values out, and back. No disk access. A file that cannot be read gives a [`FormatError`] with the place of
//! the problem; a problem that does not prevent reading gives a [`FormatWarning`].

mod apk;
mod grey_png;
mod hierarchy;
mod mapping;
mod pictures;
mod source_text;
mod walk_json;

use std::fmt;

pub use apk::{ApkError, ApkManifest, ApkService, file_of_apk, manifest_of_apk, strings_of_apk};
pub use grey_png::grey_png;
pub use hierarchy::{ParsedHierarchy, parse_hierarchy, write_hierarchy};
pub use mapping::{is_mapping, retrace};
pub use pictures::{
    MOST_PIXELS, PictureError, PictureTooLarge, check_pixels, picture_size, read_picture, read_rgba,
};
pub use walk_json::{WalkAction, WalkEvent, WalkInfo, parse_walk_events, parse_walk_info};

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a text file.
    Text {
        /// Line number, from 1.
        line: usize,
        /// Number of the character in the line, from 1.
        column: usize,
        /// Index of the byte in the file, from 0.
        offset: usize,
    },
    /// In a JSON document: the path to the value, such as `[3].point`. Empty for the document itself.
    Json(String),
}

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// The file contains something else than expected.
    #[error("{what}, {place}: expected {expected}, found {found}")]
    Unexpected {
        /// Kind of file that was being read, such as `uiautomator dump`.
        what: &'static str,
        /// Where the file differs from what was expected.
        place: Place,
        /// What would have been accepted there.
        expected: String,
        /// What the file contains there.
        found: String,
    },
    /// The file contains more of something than is accepted.
    #[error("{what}, {place}: more than {limit} {of}")]
    TooMuch {
        /// Kind of file that was being read, such as `uiautomator dump`.
        what: &'static str,
        /// Where the limit was reached.
        place: Place,
        /// The largest number that is accepted.
        limit: usize,
        /// What there is too much of, such as `nodes`.
        of: &'static str,
    },
}

/// A problem that did not prevent a file from being read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatWarning {
    /// Where in the file the problem is.
    pub place: Place,
    /// What is wrong, and how it was read.
    pub problem: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Text { line, column, offset } => write!(f, "line {line}, column {column} (byte {offset})"),
            Place::Json(path) if path.is_empty() => f.write_str("the document"),
            Place::Json(path) => f.write_str(path),
        }
    }
}

impl fmt::Display for FormatWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.problem)
    }
}

/// Returns the first 40 characters of a text in quotes, for a message.
pub fn excerpt(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// Returns where an error of serde_json is in a text of which it was given what follows the first `start` bytes.
pub fn error_place(json: &str, start: usize, error: &serde_json::Error) -> Place {
    let line_start: usize =
        json.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    // serde_json counts the bytes of the line.
    let before = error.column().saturating_sub(1);
    let offset = json.floor_char_boundary(line_start + before);
    let column = json.get(line_start..offset).map_or(0, |before| before.chars().count()) + 1;
    Place::Text { line: error.line(), column, offset: start + offset }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn an_error_is_placed_by_characters() {
        let check = |json: &str, line, column, offset| {
            let error = serde_json::from_str::<Value>(json).unwrap_err();
            assert_eq!(error_place(json, 3, &error), Place::Text { line, column, offset }, "{json}");
        };
        check("[\n \"\u{e4}\u{1f600}\" x]", 2, 7, 3 + 2 + 10);
        check("{", 1, 1, 3);
        check("[1,\n\n", 3, 1, 3 + 5);
    }
}
