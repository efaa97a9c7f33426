//! What Android's shell commands print, Android 4.4 to 15, as plain values.
//!
//! Each parser is a pure function from an answer to a struct. It takes CRLF for LF, passes over lines that it does not
//! know, reads fields by their names (vendors add their own), and never panics: an answer may be cut, mixed with
//! warnings, or of another command. Nothing here knows how an answer was fetched, sends anything, or keeps state
//! beyond what a stream of lines needs.
//!
//! An outcome that a command may well have (an app that is not there, a dump that failed) is a value. An answer that
//! cannot be read is an [`OutputError`].

mod component;
pub mod crash;
mod dump;
mod focus;
mod forbidden;
mod installing;
mod lines;
mod log;
mod package_details;
mod packages;
mod picture;
mod png;
mod power;
mod processes;
mod properties;
mod screen;
mod settings;
mod starting;
pub mod touches;
mod uptime;

#[cfg(test)]
mod mangling;
#[cfg(test)]
mod test_data;

use taproof_core::device::{DeviceError, LinkFault};

pub use component::Component;
pub use dump::{DumpAnswer, DumpProblem, dump_answer};
pub use focus::{Focus, FocusedWindow, keyboard_region, keyboard_shown, window_focus};
pub use forbidden::{Forbidden, forbidden};
pub use installing::{
    ClearOutcome, GrantOutcome, InstallOutcome, clear_outcome, grant_outcome, install_outcome, install_words,
};
pub use lines::undo_crlf;
pub use log::{Level, LogLine, log_lines};
pub use package_details::{PackageDetails, package_details};
pub use packages::{InstalledPackage, Resolved, package_list, package_paths, resolved_activity};
pub use picture::{PictureError, RawPicture, raw_picture};
pub use png::png_file;
pub use power::{Keyguard, Wakefulness, keyguard, wakefulness};
pub use processes::{Process, process_list};
pub use properties::{Properties, property_list};
pub use screen::{Density, Extent, ScreenSize, wm_density, wm_size};
pub use settings::setting_value;
pub use starting::{StartOutcome, start_outcome};
pub use uptime::uptime;

/// An answer of a device cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OutputError {
    /// The device does not have the command or the service.
    #[error("this device has no `{command}`: it answers {excerpt}")]
    NoCommand {
        /// The command that was run.
        command: &'static str,
        /// How its answer begins, in quotes.
        excerpt: String,
    },
    /// What the answer should hold is not in it.
    #[error("no {expected} in the answer of `{command}`, which reads {excerpt}")]
    Missing {
        /// The command that was run.
        command: &'static str,
        /// What was looked for, and where another place to look at is known, that place.
        expected: &'static str,
        /// How its answer begins, in quotes.
        excerpt: String,
    },
    /// A value is not one that a device can have.
    #[error(
        "`{command}` gives {value:?} as {what}, which cannot be; ask again, the answer may have been cut"
    )]
    BadValue {
        /// The command that was run.
        command: &'static str,
        /// What the value is of.
        what: &'static str,
        /// The value as it stands in the answer.
        value: String,
    },
}

impl From<OutputError> for DeviceError {
    fn from(error: OutputError) -> Self {
        let fault = match &error {
            // The answer may be another one when the device is asked again.
            OutputError::Missing { .. } | OutputError::BadValue { .. } => LinkFault::Garbled,
            OutputError::NoCommand { .. } => LinkFault::Other,
        };
        DeviceError::Link { problem: error.to_string(), fault }
    }
}

impl OutputError {
    /// What to say of an answer without `expected`.
    fn missing(command: &'static str, expected: &'static str, answer: &str) -> Self {
        let excerpt = lines::excerpt(answer);
        if lines::says_no_command(answer) {
            OutputError::NoCommand { command, excerpt }
        } else {
            OutputError::Missing { command, expected, excerpt }
        }
    }
}
