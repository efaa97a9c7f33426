//! The command line: one file per subcommand. Everything that the window does, a command does, too.
//!
//! Standard output is for the result (with `--json`, one JSON object and nothing else). Progress and messages go to
//! standard error. `terminal` writes to both. Exit codes: 0 if done or nothing was found; 1 if there are findings that
//! count (or a finding was not reproduced); 2 for bad input; 3 if the device failed, the run ended early, a replay could
//! not be judged or the result could not be printed, which takes precedence over 1. Commands that list or compare end
//! with 0, whatever they print.

mod app_options;
mod apps;
mod campaigns;
pub mod command;
mod demo;
mod devices;
mod diff;
mod discover;
mod dump;
mod engines;
mod findings;
mod fuzz;
mod initialiser;
mod layout;
mod matrix;
#[cfg(feature = "mcp")]
mod mcp;
mod model;
mod rules;
mod shell_files;
mod spec;
mod terminal;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use taproof_phone::Apps;
use taproof_session::ENDED_EARLY;

use crate::window::{Shown, open_window, was_open};

use self::command::in_laboratory;
pub(crate) use self::command::{
    CommandEnd, Failure, Outcome, OwnCommand, app_named, bad_input, broken, read_file, read_text,
    watch_interrupt, workspace_path,
};
pub(crate) use self::terminal::{message, print_data, print_json, print_line};

/// The commands of the laboratory, which this program has not.
const IN_LABORATORY: [&str; 5] = ["bench", "judge", "phone", "study", "witnesses"];

/// Finds the bugs of Android apps that do not crash.
#[derive(Parser)]
#[command(name = "taproof", bin_name = "taproof", version, about, long_about = None, args_conflicts_with_subcommands = true)]
struct Arguments {
    /// Show this app in the studio, by name or package
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
    /// Run a campaign on bundled phones, or on devices that adb sees
    Fuzz(Box<fuzz::Options>),
    /// Look for bugs in an app that has no specification, and print a card for each
    Scan(Box<fuzz::scan::Options>),
    Diff(Box<diff::Options>),
    Discover(Box<discover::Options>),
    Initialiser(initialiser::Options),
    /// List the campaigns of a workspace
    Campaigns(campaigns::Options),
    /// List what campaigns found
    Findings(findings::Options),
    Bug(findings::bug::Options),
    /// Compare two campaigns engine by engine
    Compare(findings::compare::Options),
    /// Re-execute a finding and compare it step by step
    Replay(findings::replay::Options),
    Minimise(findings::minimise::Options),
    /// Write a finding or a campaign as a file for other people
    Export(findings::export::Options),
    Matrix(matrix::Options),
    #[cfg(feature = "mcp")]
    Mcp(Box<mcp::Options>),
    Merge(findings::merge::Options),
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
    /// Check, format, draft and try specification files
    Spec(spec::Options),
    Log(findings::log::Options),
    Completions(shell_files::CompletionsOptions),
    Man(shell_files::ManOptions),
}

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
    run_program("taproof", apps, Vec::new())
}

/// Runs the whole program as [`run_with`] does, under this name and with further commands.
pub fn run_program(name: &'static str, apps: Apps, own: Vec<OwnCommand>) -> ExitCode {
    findings::log::start_log();
    let (apps, shown, workspace) = match run(&Program { name, own }, &apps) {
        Start::Ended(code) => return code,
        Start::Studio { apps, shown, workspace } => (apps, shown, workspace),
    };
    let only_window = shown.walk.is_some() || shown.app.is_some();
    match open_window(apps.clone(), shown, workspace.clone()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if only_window || was_open(&error) => {
            message(&format!("taproof: {error}"));
            ExitCode::from(3)
        }
        Err(error) => {
            message(&format!("taproof: {error}; running the demo here instead"));
            exit_code(demo::run(&demo::Options { workspace: Some(workspace) }, &apps))
        }
    }
}

/// A program that has this command line.
struct Program {
    name: &'static str,
    /// The commands that it adds.
    own: Vec<OwnCommand>,
}

impl Program {
    /// Its command line.
    fn command(&self) -> clap::Command {
        let shared = Arguments::command().name(self.name).bin_name(self.name);
        self.own.iter().fold(shared, |line, own| line.subcommand(own.command.clone()))
    }

    /// What became of words that are no command line of it.
    fn refused(&self, error: clap::Error) -> ExitCode {
        match error.get(ContextKind::InvalidSubcommand) {
            Some(ContextValue::String(word)) if IN_LABORATORY.contains(&word.as_str()) => {
                exit_code(Err(bad_input(in_laboratory(&format!("the command {word} is")))))
            }
            _ => terminal::usage(error),
        }
    }
}

/// Runs the command of the command line, if there is one. Bundled phones have these apps.
fn run(program: &Program, apps: &Apps) -> Start {
    let words = match program.command().try_get_matches() {
        Ok(words) => words,
        Err(error) => return Start::Ended(program.refused(error)),
    };
    if let Some((name, words)) = words.subcommand()
        && let Some(own) = program.own.iter().find(|own| own.command.get_name() == name)
    {
        return Start::Ended(exit_code((own.run)(words, apps)));
    }
    let arguments = match Arguments::from_arg_matches(&words) {
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
        Some(Command::Fuzz(options)) => fuzz::run(&options, apps),
        Some(Command::Scan(options)) => fuzz::scan::run(&options, apps),
        Some(Command::Diff(options)) => diff::run(&options, apps),
        Some(Command::Discover(options)) => discover::run(&options, apps),
        Some(Command::Initialiser(options)) => initialiser::run(&options, apps),
        Some(Command::Campaigns(options)) => campaigns::run(&options),
        Some(Command::Findings(options)) => findings::run(&options),
        Some(Command::Bug(options)) => findings::bug::run(&options, apps),
        Some(Command::Compare(options)) => findings::compare::run(&options),
        Some(Command::Replay(options)) => findings::replay::run(&options, apps),
        Some(Command::Minimise(options)) => findings::minimise::run(&options, apps),
        Some(Command::Export(options)) => findings::export::run(&options, apps),
        Some(Command::Matrix(options)) => matrix::run(&options, apps),
        #[cfg(feature = "mcp")]
        Some(Command::Mcp(options)) => mcp::run(*options, apps),
        Some(Command::Merge(options)) => findings::merge::run(&options, apps),
        Some(Command::Apps(options)) => apps::run(&options, apps),
        Some(Command::Engines(options)) => engines::run(&options),
        Some(Command::Dump(options)) => dump::run(&options, apps),
        Some(Command::Layout(options)) => layout::run(&options),
        Some(Command::Model(options)) => model::run(&options),
        Some(Command::Spec(options)) => spec::run(&options, apps),
        Some(Command::Log(options)) => findings::log::run(&options),
        Some(Command::Completions(options)) => {
            shell_files::run_completions(&options, program.command(), apps)
        }
        Some(Command::Man(options)) => shell_files::run_man(&options, program.command(), apps),
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
