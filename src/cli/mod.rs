//! The command line: one file per subcommand. Everything that the window does, a command does, too.
//!
//! Standard output is for the result (with `--json`, one JSON object and nothing else). Progress and messages go to
//! standard error. `terminal` writes to both. Exit codes: 0 if done or nothing was found; 1 if there are findings that
//! count (or a finding was not reproduced); 2 for bad input; 3 if the device failed, the run ended early, a replay could not be
//! judged or the result could not be printed, which takes precedence over 1. `judge` ends with 3 if nothing could be
//! judged. Commands that list or compare end with 0, whatever they print.

mod app_options;
mod apps;
mod bench;
mod book;
mod bug;
mod bugs;
mod campaign;
mod campaigns;
mod ci;
mod compare;
mod demo;
mod devices;
mod discover;
mod dump;
mod engines;
mod export;
mod findings;
mod fuzz;
mod initialiser;
mod judge;
mod layout;
mod log;
mod matrix;
mod merge;
mod minimise;
mod model;
#[cfg(feature = "serve")]
mod phone;
mod progress;
mod replay;
mod rules;
mod scan;
mod shell_files;
mod spec;
mod stuck;
mod study;
mod terminal;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use taproof_core::device::DeviceError;
use taproof_phone::{Apps, BundledApp};
use taproof_results::store::StoreError;
use taproof_session::{ContentsError, ENDED_EARLY, Interrupt, TraceError};

use crate::window::{Shown, open_window};
pub(crate) use crate::workspace_path::workspace_path;

pub(crate) use self::terminal::{message, print_data, print_json, print_line};

/// Finds the bugs of Android apps that do not crash.
#[derive(Parser)]
#[command(name = "taproof", bin_name = "taproof", version, about, long_about = None, args_conflicts_with_subcommands = true)]
struct Arguments {
    /// Show this app in the studio, by name or package; also one that is generated from a seed, such as
    /// blueprint:7:medium
    #[arg(long, value_name = "APP")]
    app: Option<String>,
    /// Show a recorded walk in the studio
    #[arg(long, value_name = "DIR", conflicts_with = "app")]
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
    /// Look for bugs in an app that has no specification, and print a card for each
    Scan(Box<scan::Options>),
    Discover(Box<discover::Options>),
    Initialiser(initialiser::Options),
    /// List the campaigns of a workspace
    Campaigns(campaigns::Options),
    /// List what campaigns found
    Findings(findings::Options),
    Bug(bug::Options),
    /// Compare two campaigns engine by engine
    Compare(compare::Options),
    /// Re-execute a finding and compare it step by step
    Replay(replay::Options),
    Minimise(minimise::Options),
    /// Judge recorded traces without a device
    Judge(judge::Options),
    /// Write a finding or a campaign as a file for other people
    Export(export::Options),
    Matrix(matrix::Options),
    Merge(merge::Options),
    /// List the bundled apps and their catalogued bugs
    Apps(apps::Options),
    /// List the engines, or the settings of one with their defaults and what they mean
    Engines(engines::Options),
    /// Print the first screen of a bundled app as a uiautomator dump
    Dump(dump::Options),
    /// Read a uiautomator dump: counts, warnings, and what an XPath names
    Layout(layout::Options),
    /// Show and merge what Fastbot2 has learned
    Model(model::Options),
    /// Ask the papers' questions of the bundled apps: bugs, fastbot2, timemachine, guided, odin, genie, oracles, sound, from,
    /// rq3
    Study(study::Options),
    /// Measure engines on apps with known faults
    Bench(Box<bench::Options>),
    /// Check, format, draft and try specification files
    Spec(spec::Options),
    Log(log::Options),
    Completions(shell_files::CompletionsOptions),
    Man(shell_files::ManOptions),
}

/// From now on, the first request to end the program is noted, and the command that called this ends early. `noted` is
/// called then.
pub(crate) fn watch_interrupt(noted: impl Fn() + Send + 'static) -> Interrupt {
    Interrupt::watch(move || {
        message("ending the current test and restoring the device; Ctrl-C again ends at once");
        noted();
    })
}

/// How a command ended, if nothing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommandEnd {
    /// The command did what it should.
    Fine,
    /// There are findings, or a replay did not reproduce one.
    Found,
    /// The run ended early, or a replay ended before it could be judged.
    EndedEarly,
}

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
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
            DeviceError::Unsupported { .. }
            | DeviceError::NoSnapshot { .. }
            | DeviceError::NotRestored { .. }
            | DeviceError::BadPicture { .. }
            | DeviceError::Link { .. }
            | DeviceError::NotStarted { .. }
            | DeviceError::NotInitialised { .. }
            | DeviceError::NotReady { .. }
            | DeviceError::BeforeTest { .. }
            | DeviceError::NotCleared { .. }
            | DeviceError::NoLayout { .. }
            | DeviceError::CannotType { .. }
            | DeviceError::NotKept { .. }
            | DeviceError::Starting { .. }
            | DeviceError::InUse { .. }
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
    pub(crate) fn context(self, what: String) -> Self {
        match self {
            Failure::BadInput(error) => Failure::BadInput(error.context(what)),
            Failure::Broken(error) => Failure::Broken(error.context(what)),
        }
    }

    /// The error of either variant.
    pub(crate) fn into_error(self) -> anyhow::Error {
        match self {
            Failure::BadInput(error) | Failure::Broken(error) => error,
        }
    }
}

/// The result of a command.
pub(crate) type Outcome = Result<CommandEnd, Failure>;

/// The result of parsing and running the command line.
enum Start {
    /// A command was run, with this exit code.
    Ended(ExitCode),
    /// No command was given, so the studio is to be opened.
    Studio {
        /// The apps of its phones.
        apps: Apps,
        /// What it shows at first.
        shown: Shown,
        /// The folder for results.
        workspace: PathBuf,
    },
}

/// Runs the whole program, with these apps on its bundled phone: the command of the command line or, if there is none,
/// the studio. Without a display it runs a demo instead of the studio. Returns the exit code.
///
/// # Examples
///
/// ```no_run
/// use std::process::ExitCode;
/// use taproof::phone::Apps;
///
/// fn main() -> ExitCode {
///     // The apps that ship; `Apps::with` adds your own.
///     taproof::cli::run_with(Apps::default())
/// }
/// ```
pub fn run_with(apps: Apps) -> ExitCode {
    log::start_log();
    let (apps, shown, workspace) = match run(&apps) {
        Start::Ended(code) => return code,
        Start::Studio { apps, shown, workspace } => (apps, shown, workspace),
    };
    let only_window = shown.walk.is_some() || shown.app.is_some();
    match open_window(apps.clone(), shown, workspace.clone()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if only_window => {
            message(&format!("taproof: {error}"));
            ExitCode::from(3)
        }
        Err(error) => {
            message(&format!("taproof: {error}; running the demo here instead"));
            exit_code(demo::run(&demo::Options { workspace: Some(workspace) }, &apps))
        }
    }
}

/// Runs the command of the command line, if there is one. Bundled phones have these apps.
fn run(apps: &Apps) -> Start {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return Start::Ended(terminal::usage(error)),
    };
    let outcome = match arguments.command {
        None => {
            let (app, walk) = (arguments.app, arguments.walk);
            let apps = match &app {
                Some(name) => match app_named(apps, name) {
                    Ok(app) => apps.also(*app),
                    Err(error) => return Start::Ended(exit_code(Err(error))),
                },
                None => apps.clone(),
            };
            let workspace = workspace_path(arguments.workspace.as_ref());
            return Start::Studio { apps, shown: Shown { app, walk }, workspace };
        }
        Some(Command::Demo(options)) => demo::run(&options, apps),
        Some(Command::Devices(options)) => devices::run(&options),
        #[cfg(feature = "serve")]
        Some(Command::Phone(options)) => phone::run(&options, apps),
        Some(Command::Fuzz(options)) => fuzz::run(&options, apps),
        Some(Command::Scan(options)) => scan::run(&options, apps),
        Some(Command::Discover(options)) => discover::run(&options, apps),
        Some(Command::Initialiser(options)) => initialiser::run(&options, apps),
        Some(Command::Campaigns(options)) => campaigns::run(&options),
        Some(Command::Findings(options)) => findings::run(&options),
        Some(Command::Bug(options)) => bug::run(&options, apps),
        Some(Command::Compare(options)) => compare::run(&options),
        Some(Command::Replay(options)) => replay::run(&options, apps),
        Some(Command::Minimise(options)) => minimise::run(&options, apps),
        Some(Command::Judge(options)) => judge::run(&options, apps),
        Some(Command::Export(options)) => export::run(&options, apps),
        Some(Command::Matrix(options)) => matrix::run(&options, apps),
        Some(Command::Merge(options)) => merge::run(&options, apps),
        Some(Command::Apps(options)) => apps::run(&options, apps),
        Some(Command::Engines(options)) => engines::run(&options),
        Some(Command::Dump(options)) => dump::run(&options, apps),
        Some(Command::Layout(options)) => layout::run(&options),
        Some(Command::Model(options)) => model::run(&options),
        Some(Command::Study(options)) => study::run(&options),
        Some(Command::Bench(options)) => bench::run(&options, apps),
        Some(Command::Spec(options)) => spec::run(&options, apps),
        Some(Command::Log(options)) => log::run(&options),
        Some(Command::Completions(options)) => shell_files::run_completions(&options, apps),
        Some(Command::Man(options)) => shell_files::run_man(&options, apps),
    };
    Start::Ended(exit_code(outcome))
}

fn exit_code(outcome: Outcome) -> ExitCode {
    match outcome {
        Ok(CommandEnd::Fine) => ExitCode::SUCCESS,
        Ok(CommandEnd::Found) => ExitCode::from(1),
        Ok(CommandEnd::EndedEarly) => ExitCode::from(ENDED_EARLY),
        Err(Failure::BadInput(error)) => report_error(&error, 2),
        Err(Failure::Broken(error)) => report_error(&error, ENDED_EARLY),
    }
}

fn report_error(error: &anyhow::Error, code: u8) -> ExitCode {
    message(&format!("taproof: {error:#}"));
    ExitCode::from(code)
}

/// The app with this short name or package name.
///
/// # Errors
///
/// [`Failure::BadInput`] if there is none.
pub(crate) fn app_named<'a>(apps: &'a Apps, name: &str) -> Result<&'a BundledApp, Failure> {
    apps.find(name).ok_or_else(|| {
        let made = apps.made().map(|app| format!(", {}", app.short_name()));
        let others = apps.names_of_others().map(|names| format!(", and {names}"));
        no_such_app(apps.all(), name, &made.chain(others).collect::<String>())
    })
}

/// The error for a name that none of these apps has, nor any of `others`.
pub(crate) fn no_such_app(known: &[BundledApp], name: &str, others: &str) -> Failure {
    let known: Vec<&str> = known.iter().map(BundledApp::short_name).collect();
    Failure::BadInput(anyhow::anyhow!(
        "no bundled app is called {name:?}; there are {}{others}",
        known.join(", ")
    ))
}

/// Reads a file that the user gave.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|error| {
        Failure::BadInput(anyhow::anyhow!("cannot read the file: {error}: {}", path.display()))
    })
}

/// Reads a text file that the user gave. It must be UTF-8.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(read_file(path)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::BadInput(anyhow::anyhow!("byte {at} is not UTF-8: is this a text file? {}", path.display()))
    })
}
