//! Files that others own: uiautomator dumps, recorded walks, pictures, PBFDroid's JSON and Fastbot's rule files. Foreign
//! shapes and spellings stop here.
//!
//! Text in, values out, and back. No disk. What cannot be read is a `FormatError` that says where; what was
//! read although it is not as it should be is a `FormatWarning`.

mod dmf_json;
mod dmf_read;
mod dmf_text;
mod dmf_words;
mod dmf_write;
mod fastbot_rule_objects;
mod fastbot_rules;
mod file_names;
mod grey_png;
mod hierarchy_windows;
mod hierarchy_writer;
mod hierarchy_xml;
mod json_text;
mod keyviews;
mod pictures;
mod scrcpy;
mod source_text;
mod walk_json;

use std::fmt;

pub use dmf_json::DmfFile;
pub use dmf_text::{block_list, spec_version};
pub use fastbot_rules::{BadRules, RULE_FILES, RuleProblem, parse_user_rules};
pub use file_names::{blocks_name, main_names};
pub use grey_png::grey_png;
pub use hierarchy_writer::write_hierarchy;
pub use hierarchy_xml::{ParsedHierarchy, parse_hierarchy};
pub use pictures::{
    MOST_PIXELS, PictureError, PictureTooLarge, check_pixels, picture_size, read_picture, read_rgba,
};
pub use scrcpy::{ScrcpyVersionError, ServerVersion, VideoFormat, VideoSize, supported_versions};
pub use walk_json::{WalkAction, WalkEvent, WalkInfo, parse_walk_events, parse_walk_info};

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a text.
    Text {
        /// The line, from 1.
        line: usize,
        /// The character in the line, from 1.
        column: usize,
        /// The byte in the file, from 0.
        offset: usize,
    },
    /// In a JSON document: the path to the value, such as `[3].point`; empty for the document itself.
    Json(String),
}

/// A file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// Something else stands there than should.
    #[error("{what}, {place}: expected {expected}, found {found}")]
    Unexpected {
        /// What was being read.
        what: &'static str,
        /// Where.
        place: Place,
        /// What could have stood there.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// There is more of something than we are ready to take.
    #[error("{what}, {place}: more than {limit} {of}")]
    TooMuch {
        /// What was being read.
        what: &'static str,
        /// Where the limit was reached.
        place: Place,
        /// How many are taken.
        limit: usize,
        /// Of what there are too many.
        of: &'static str,
    },
}

/// A file was read although something in it is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatWarning {
    /// Where.
    pub place: Place,
    /// What is wrong and what was made of it.
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

/// The beginning of a text, in quotes, for a message.
fn excerpt(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}
