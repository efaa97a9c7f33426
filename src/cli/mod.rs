//! The command line: one file per subcommand. Everything the window does, a command does too.
//!
//! Standard output belongs to the result (with `--json`, one JSON object and nothing else); progress and
//! messages go to standard error; `terminal` writes to both. Exit codes: 0 done or nothing found, 1 findings (or not
//! reproduced), 2 bad input, 3 the device failed, the run ended early, a replay could not be judged or the result could
//! not be printed, which wins over 1. `judge` ends with 3 where nothing could be judged; what lists or compares ends
//! with 0 whatever it tells.

mod apps;
mod campaign;
mod campaigns;
mod compare;
mod demo;
mod devices;
mod dump;
mod export;
mod findings;
mod fuzz;
mod initialiser;
mod judge;
mod layout;
mod model;
#[cfg(feature = "serve")]
mod phone;
mod replay;
mod spec;
mod study;
mod terminal;
mod traces;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use taproof_core::device::DeviceError;
use taproof_phone::apps::{APPS, BundledApp, find};
use taproof_results::store::StoreError;
use taproof_session::ContentsError;

pub use self::terminal::{message, start_log};
pub(crate) use self::terminal::{say, say_data, say_json};

/// Finds the bugs of Android apps that do not crash.
#[derive(Parser)]
#[command(name = "taproof", bin_name = "taproof", version, about, long_about = None, args_conflicts_with_subcommands = true)]
struct Arguments {
    /// Show a recorded walk in the studio
    #[arg(long, value_name = "DIR")]
    walk: Option<PathBuf>,
    /// The folder for the studio's results
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Run the demo campaign in the terminal
    Demo(demo::Options),
    Devices(devices::Options),
    #[cfg(feature = "serve")]
    Phone(phone::Options),
    /// Run a campaign on bundled phones, or on devices that adb sees
    Fuzz(Box<fuzz::Options>),
    Initialiser(initialiser::Options),
    /// List the campaigns of a workspace
    Campaigns(campaigns::Options),
    /// List what campaigns found
    Findings(findings::Options),
    /// Compare two campaigns engine by engine
    Compare(compare::Options),
    /// Re-execute a finding and compare it step by step
    Replay(replay::Options),
    /// Judge recorded traces without a device
    Judge(judge::Options),
    /// Write a finding or a campaign as a file for other people
    Export(export::Options),
    /// List the bundled apps and their catalogued bugs
    Apps(apps::Options),
    /// Print the first screen of a bundled app as a uiautomator dump
    Dump(dump::Options),
    /// Read a uiautomator dump: counts, warnings, and what an XPath names
    Layout(layout::Options),
    /// Show and merge what Fastbot2 has learned
    Model(model::Options),
    /// Ask the papers' questions of the bundled apps: bugs, fastbot2, timemachine, guided, odin, genie, from, rq3
    Study(study::Options),
    /// Check, format, draft and try specification files
    Spec(spec::Options),
}

/// How a command ended, when nothing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    /// It did its job.
    Fine,
    /// There are findings, or a replay did not reproduce.
    Found,
    /// The run ended early, or a replay too early to be judged.
    EndedEarly,
}

/// Why a command could not do its job.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What the user gave is not usable.
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
            DeviceError::Unsupported { .. }
            | DeviceError::NoSnapshot { .. }
            | DeviceError::NotRestored { .. }
            | DeviceError::BadPicture { .. }
            | DeviceError::Link { .. }
            | DeviceError::NotStarted { .. }
            | DeviceError::NotInitialised { .. }
            | DeviceError::NotReady { .. }
            | DeviceError::NotCleared { .. }
            | DeviceError::NoLayout { .. }
            | DeviceError::CannotType { .. }
            | DeviceError::NotKept { .. }
            | DeviceError::Starting { .. }
            | DeviceError::Locked { .. }
            | DeviceError::Forbidden { .. }
            | DeviceError::NoAnswer { .. } => Failure::Broken(error.into()),
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

impl From<ContentsError> for Failure {
    fn from(error: ContentsError) -> Self {
        match error {
            ContentsError::Model(error) => error.into(),
            error => Failure::BadInput(error.into()),
        }
    }
}

impl Failure {
    /// The same, with what it was about before it.
    pub(crate) fn context(self, what: String) -> Self {
        match self {
            Failure::BadInput(error) => Failure::BadInput(error.context(what)),
            Failure::Broken(error) => Failure::Broken(error.context(what)),
        }
    }

    /// The error, whoever is to blame.
    pub(crate) fn into_error(self) -> anyhow::Error {
        match self {
            Failure::BadInput(error) | Failure::Broken(error) => error,
        }
    }
}

/// A command's result.
pub(crate) type Outcome = Result<Done, Failure>;

/// What the words of the command line came to.
pub enum Start {
    /// A command ran and ended so.
    Ended(ExitCode),
    /// No command was given: the studio is to be opened.
    Studio {
        /// A recorded walk to show.
        walk: Option<PathBuf>,
        /// The folder for results.
        workspace: PathBuf,
    },
}

/// Runs the words of the command line, unless they ask for the window.
pub fn run() -> Start {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return Start::Ended(terminal::usage(error)),
    };
    let outcome = match arguments.command {
        None => {
            return Start::Studio {
                walk: arguments.walk,
                workspace: workspace_path(arguments.workspace.as_ref()),
            };
        }
        Some(Command::Demo(options)) => demo::run(&options),
        Some(Command::Devices(options)) => devices::run(&options),
        #[cfg(feature = "serve")]
        Some(Command::Phone(options)) => phone::run(&options),
        Some(Command::Fuzz(options)) => fuzz::run(&options),
        Some(Command::Initialiser(options)) => initialiser::run(&options),
        Some(Command::Campaigns(options)) => campaigns::run(&options),
        Some(Command::Findings(options)) => findings::run(&options),
        Some(Command::Compare(options)) => compare::run(&options),
        Some(Command::Replay(options)) => replay::run(&options),
        Some(Command::Judge(options)) => judge::run(&options),
        Some(Command::Export(options)) => export::run(&options),
        Some(Command::Apps(options)) => apps::run(&options),
        Some(Command::Dump(options)) => dump::run(&options),
        Some(Command::Layout(options)) => layout::run(&options),
        Some(Command::Model(options)) => model::run(&options),
        Some(Command::Study(options)) => study::run(&options),
        Some(Command::Spec(options)) => spec::run(&options),
    };
    Start::Ended(exit_code(outcome))
}

/// Runs the demo in the terminal, where no window can be opened.
pub fn run_demo(workspace: PathBuf) -> ExitCode {
    exit_code(demo::run(&demo::Options { workspace: Some(workspace) }))
}

fn exit_code(outcome: Outcome) -> ExitCode {
    match outcome {
        Ok(Done::Fine) => ExitCode::SUCCESS,
        Ok(Done::Found) => ExitCode::from(1),
        Ok(Done::EndedEarly) => ExitCode::from(3),
        Err(Failure::BadInput(error)) => tell(&error, 2),
        Err(Failure::Broken(error)) => tell(&error, 3),
    }
}

fn tell(error: &anyhow::Error, code: u8) -> ExitCode {
    message(&format!("taproof: {error:#}"));
    ExitCode::from(code)
}

/// A bundled app by short name or package.
pub(crate) fn app_named(name: &str) -> Result<&'static BundledApp, Failure> {
    find(name).ok_or_else(|| {
        let known: Vec<&str> = APPS.iter().map(BundledApp::short_name).collect();
        Failure::BadInput(anyhow::anyhow!(
            "no bundled app is called {name:?}; there are {}",
            known.join(", ")
        ))
    })
}

/// Reads a file that the user named.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|error| {
        Failure::BadInput(anyhow::anyhow!("cannot read the file: {error}: {}", path.display()))
    })
}

/// Reads a text file that the user named.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(read_file(path)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::BadInput(anyhow::anyhow!("byte {at} is not UTF-8: is this a text file? {}", path.display()))
    })
}

/// The folder that results go to: as given, else `TAPROOF_WORKSPACE`, else `.taproof` in the current folder.
pub(crate) fn workspace_path(given: Option<&PathBuf>) -> PathBuf {
    given
        .cloned()
        .or_else(|| std::env::var_os("TAPROOF_WORKSPACE").map(PathBuf::from))
        .unwrap_or_else(|| PathBuf::from(".taproof"))
}
