//! What a command is made of: how it ends, what it prints, and the options that several have. Programs that add commands of
//! their own to this command line ([`run_program`](super::run_program)) use it as well.

use std::path::Path;

use clap::{ArgMatches, Args};
use taproof_engine::device::DeviceError;
use taproof_phone::{Apps, BundledApp};
use taproof_results::store::StoreError;
use taproof_session::{ContentsError, Interrupt, TraceError};

pub use super::terminal::{message, print_json, print_line};
pub use crate::cli::fuzz::campaign::{given_specs, read_spec_files};
pub use crate::cli::fuzz::progress::{PROGRESS_EVERY, StatusLine, bar, span_words};
pub use crate::cli::fuzz::seeds::parse_seeds;
pub use crate::cli::fuzz::{BuildOptions, engine_named};
pub use crate::workspace_path::workspace_path;

/// A command that a program adds to this command line.
pub struct OwnCommand {
    pub(super) command: clap::Command,
    pub(super) run: Box<Run>,
}

type Run = dyn Fn(&ArgMatches, &Apps) -> Outcome;

impl OwnCommand {
    /// The command with this name and these options, and what it does with the apps of bundled phones.
    pub fn new<O: Args + 'static>(name: &'static str, run: fn(&O, &Apps) -> Outcome) -> OwnCommand {
        let parsed = move |words: &ArgMatches, apps: &Apps| {
            let options = O::from_arg_matches(words).map_err(|error| Failure::BadInput(error.into()))?;
            run(&options, apps)
        };
        OwnCommand { command: O::augment_args(clap::Command::new(name)), run: Box::new(parsed) }
    }
}

/// From now on, the first request to end the program is noted, and the command that called this ends early. `noted` is
/// called then.
pub fn watch_interrupt(noted: impl Fn() + Send + 'static) -> Interrupt {
    Interrupt::watch(move || {
        message("ending the current test and restoring the device; Ctrl-C again ends at once");
        noted();
    })
}

/// How a command ended, if nothing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandEnd {
    /// The command did what it should.
    Fine,
    /// There are findings, or a replay did not reproduce one.
    Found,
    /// The run ended early, or a replay ended before it could be judged.
    EndedEarly,
}

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// The user's input cannot be used.
    BadInput(anyhow::Error),
    /// The device or the disk failed.
    Broken(anyhow::Error),
}

impl From<DeviceError> for Failure {
    fn from(error: DeviceError) -> Self {
        match error {
            DeviceError::NotInstalled { .. }
            | DeviceError::BadRecording { .. }
            | DeviceError::UnknownPermission { .. }
            | DeviceError::NotInstallable { .. } => Failure::BadInput(error.into()),
            _ => Failure::Broken(error.into()),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error.is_about_what_was_given() {
            true => Failure::BadInput(error.into()),
            false => Failure::Broken(error.into()),
        }
    }
}

impl From<TraceError> for Failure {
    fn from(error: TraceError) -> Self {
        match error {
            TraceError::Store(error) => error.into(),
            TraceError::Walk(error) => error.into(),
            TraceError::EmptyWalk { .. } => Failure::BadInput(error.into()),
        }
    }
}

impl From<ContentsError> for Failure {
    fn from(error: ContentsError) -> Self {
        match error {
            ContentsError::Model(error) => error.into(),
            error => Failure::BadInput(error.into()),
        }
    }
}

impl Failure {
    /// Adds what the error is about, in front of its message.
    pub fn context(self, what: String) -> Self {
        match self {
            Failure::BadInput(error) => Failure::BadInput(error.context(what)),
            Failure::Broken(error) => Failure::Broken(error.context(what)),
        }
    }

    /// The error of either variant.
    pub fn into_error(self) -> anyhow::Error {
        match self {
            Failure::BadInput(error) | Failure::Broken(error) => error,
        }
    }
}

/// A failure because the user's input cannot be used, for this reason.
pub fn bad_input(why: impl Into<String>) -> Failure {
    Failure::BadInput(anyhow::Error::msg(why.into()))
}

/// A failure of something else, for this reason.
pub fn broken(why: impl Into<String>) -> Failure {
    Failure::Broken(anyhow::Error::msg(why.into()))
}

/// The result of a command.
pub type Outcome = Result<CommandEnd, Failure>;

/// The app with this short name or package name.
///
/// # Errors
///
/// [`Failure::BadInput`] if there is none.
pub fn app_named<'a>(apps: &'a Apps, name: &str) -> Result<&'a BundledApp, Failure> {
    apps.find(name).ok_or_else(|| {
        let known: Vec<&str> = apps.all().iter().chain(apps.made()).map(BundledApp::short_name).collect();
        let others = match apps.names_of_others() {
            Some(names) => format!(", and {names}"),
            None if is_generated(name) => format!("; {}", in_laboratory("apps that are generated are")),
            None => ", and others in taproof-lab".to_owned(),
        };
        let known = known.join(", ");
        bad_input(format!("no bundled app is called {name:?}; there are {known}{others}"))
    })
}

/// Whether an app of this name or package is one that the laboratory makes.
fn is_generated(name: &str) -> bool {
    name.strip_prefix("org.taproof.").unwrap_or(name).starts_with("blueprint")
}

/// Where something is that this program has not, with the same command there.
pub(super) fn in_laboratory(what: &str) -> String {
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    format!("{what} in taproof-lab: cargo run -p taproof-lab --release -- {}", words.join(" "))
}

/// Reads a file that the user gave.
pub fn read_file(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path)
        .map_err(|error| bad_input(format!("cannot read the file: {error}: {}", path.display())))
}

/// Reads a text file that the user gave. It must be UTF-8.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(read_file(path)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        bad_input(format!("byte {at} is not UTF-8: is this a text file? {}", path.display()))
    })
}
