//! Parsers for the output of Android's shell commands, from Android 4.4 to 15.
//!
//! There is one file per command or family of commands:
//!
//! | Command | File |
//! | --- | --- |
//! | `uiautomator dump` | `dump` |
//! | `dumpsys window`, `dumpsys input_method` | `focus` |
//! | `dumpsys power`, `dumpsys window policy` | `power` |
//! | `pm list`, `pm path`, `cmd package resolve-activity` | `packages` |
//! | `dumpsys package` | `package_details` |
//! | `pm install`, `pm clear`, `pm grant` | `installing` |
//! | `am start` | `starting` |
//! | `getprop` | `properties` |
//! | `settings get` | `settings` |
//! | `wm size`, `wm density` | `screen` |
//! | `screencap` | `picture`, with `-p` `png` |
//! | `ps`, `cat /proc/net/unix` | `processes` |
//! | `cat /proc/uptime` | `uptime` |
//! | `logcat` | `log`; the crashes in it: `crash` |
//! | `getevent` | `touches` |
//! | `df` | `disk` |
//!
//! Instead, any of them may report that the vendor forbids it (`forbidden`) or that there is no such command (`lines`).
//!
//! Each parser is a pure function from an answer to a value. It treats CRLF as LF, skips unknown lines, looks fields up
//! by name (vendors add their own), and never panics: an answer may be truncated, mixed with warnings, or belong to
//! another command. Nothing here knows how an answer was fetched, sends anything, or keeps state beyond what a stream
//! of lines needs.
//!
//! An expected outcome of a command (an app that is not installed, a dump that failed) is a value. An answer that
//! cannot be parsed is an [`OutputError`]. To support another release or vendor, add its answer to the tests of the
//! file.

mod component;
pub mod crash;
mod disk;
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
mod tests;

use taproof_engine::device::{DeviceError, LinkFault};

pub use component::Component;
pub(crate) use component::package_of_process;
pub use disk::free_bytes;
pub use dump::{DumpAnswer, DumpProblem, dump_answer};
pub use focus::{Focus, keyboard_region, keyboard_shown, window_focus};
pub use forbidden::{Forbidden, forbidden};
pub use installing::{
    ClearOutcome, GrantOutcome, InstallOutcome, clear_outcome, grant_outcome, install_outcome, install_words,
};
pub use lines::undo_crlf;
pub use log::{LogLine, log_lines};
pub use package_details::{PackageDetails, package_details};
pub use packages::{DeviceUser, InstalledPackage, package_list, package_paths, resolved_activity, user_list};
pub use picture::{PictureError, RawPicture, raw_picture};
pub use png::png_file;
pub use power::{Keyguard, is_awake, keyguard};
pub use processes::{Process, debuggable_web_views, process_list};
pub use properties::{Properties, property_list};
pub use screen::{Extent, ScreenSize, wm_density, wm_size};
pub use settings::{setting_list, setting_value};
pub use starting::{StartOutcome, start_outcome};
pub use uptime::uptime;

/// An answer of a device that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OutputError {
    /// The device does not have the command or the service.
    #[error("this device has no `{command}`: it answers {excerpt}")]
    NoCommand {
        /// The command that was run.
        command: &'static str,
        /// The beginning of the answer, quoted.
        excerpt: String,
    },
    /// The services of Android are not there.
    #[error(
        "Android's services have ended, as while it restarts: it says {said:?}; wait for the home screen"
    )]
    NoServices {
        /// What the device said.
        said: String,
    },
    /// The answer lacks an expected part.
    #[error("no {expected} in the answer of `{command}`, which reads {excerpt}")]
    Missing {
        /// The command that was run.
        command: &'static str,
        /// What was expected and, if known, where else to look for it.
        expected: &'static str,
        /// The beginning of the answer, quoted.
        excerpt: String,
    },
    /// A value is outside the range of any device.
    #[error(
        "`{command}` gives {value:?} as {what}, which cannot be; ask again, the answer may have been cut"
    )]
    BadValue {
        /// The command that was run.
        command: &'static str,
        /// The meaning of the value.
        what: &'static str,
        /// The value as the answer contains it.
        value: String,
    },
}

impl From<OutputError> for DeviceError {
    fn from(error: OutputError) -> Self {
        let fault = match &error {
            // A repeated query may be answered correctly.
            OutputError::Missing { .. } | OutputError::BadValue { .. } => LinkFault::Garbled,
            OutputError::NoCommand { .. } => LinkFault::Other,
            OutputError::NoServices { .. } => LinkFault::Lost,
        };
        DeviceError::Link { problem: error.to_string(), fault }
    }
}

impl OutputError {
    /// Fails if an answer of the shell says that Android's services are not there.
    pub(crate) fn unless_served(answer: &str) -> Result<(), OutputError> {
        let said = lines::no_services(answer).map(str::to_owned);
        said.map_or(Ok(()), |said| Err(OutputError::NoServices { said }))
    }

    /// The error for an answer without `expected`.
    fn missing(command: &'static str, expected: &'static str, answer: &str) -> Self {
        if let Err(error) = OutputError::unless_served(answer) {
            return error;
        }
        let excerpt = lines::excerpt(answer);
        if lines::says_no_command(answer) {
            OutputError::NoCommand { command, excerpt }
        } else {
            OutputError::Missing { command, expected, excerpt }
        }
    }
}
