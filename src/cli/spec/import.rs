//! `taproof spec import FLOW`: records what a Maestro flow does with an app, or what each flow of a folder does.

use std::collections::BTreeMap;
use std::io::{IsTerminal, stdin};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cli::devices::{ControlOptions, tell_cleared};
use crate::cli::fuzz::BuildOptions;
use crate::cli::initialiser::DataOptions;
use crate::cli::terminal::messages_are_watched;
use crate::cli::{CommandEnd, Failure, Outcome, app_named, bad_input, message, print_line, workspace_path};
use taproof_campaign::DeviceChoice;
use taproof_engine::device::{AppData, Build, DeviceSource};
use taproof_phone::Apps;
use taproof_results::store::{read_initialiser, save_trace, write_initialiser};
use taproof_screen::counted;
use taproof_session::TestPhones;
use taproof_session::maestro::{
    Flow, FlowError, PlayOptions, PlayedFlow, files_below, flows_in, play, read_flow_file,
};

/// Record what a Maestro flow does, as a trace for `initialiser set --from`, `fuzz --from` and `spec draft`
#[derive(clap::Args)]
pub struct Options {
    /// The flow, or a folder of flows with their config.yaml
    #[arg(value_name = "FLOW.yaml")]
    flow: PathBuf,
    /// The value of a variable of the flow
    #[arg(short, long = "env", value_name = "NAME=VALUE")]
    env: Vec<String>,
    /// Keep what is done first, by onFlowStart or by a flow that others run first, as the first steps of every test of the
    /// app, or as part of each recording; without this it is asked for
    #[arg(long, value_name = "true|false")]
    initialiser: Option<bool>,
    /// A bundled app, by name or package; by default the one that the flow names
    #[arg(long, conflicts_with = "device")]
    app: Option<String>,
    #[command(flatten)]
    build: BuildOptions,
    /// The device to perform it on, by its serial
    #[arg(long, value_name = "SERIAL", conflicts_with_all = ["build", "bugs"])]
    device: Option<String>,
    /// The package of the app on the device; by default the one that the flow names
    #[arg(long, value_name = "PACKAGE", requires = "device")]
    package: Option<String>,
    #[command(flatten)]
    control: ControlOptions,
    #[command(flatten)]
    data: DataOptions,
    /// The file to write, or the folder for the recordings of a folder
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// A flow that was played.
struct Recorded {
    /// What messages call it.
    name: String,
    /// The file to write.
    out: PathBuf,
    title: String,
    app: String,
    played: PlayedFlow,
}

/// Runs `taproof spec import`.
pub fn run(options: &Options, apps: &Apps) -> Outcome {
    match options.flow.is_dir() {
        true => whole_folder(options, apps),
        false => one_flow(options, apps),
    }
}

fn one_flow(options: &Options, apps: &Apps) -> Outcome {
    let name = options.flow.display().to_string();
    let bad = |problem: &FlowError| {
        bad_input(problem.0.iter().map(|problem| format!("{name}: {problem}")).collect::<Vec<_>>().join("\n"))
    };
    let flow = Flow::read(&options.flow, &read_flow_file).map_err(|problem| bad(&problem))?;
    let recorded = record(options, apps, &flow, name.clone(), options.out.clone())?;
    recorded.played.notes.iter().for_each(|note| message(&format!("{name}: {note}")));
    if let Some(stopped) = &recorded.played.stopped {
        return Err(bad_input(format!("{name}: {stopped}")));
    }
    let lead = recorded.played.lead.clone().map(|(lead, _)| lead);
    let kept = lead.filter(|_| recorded.played.lead_steps() > 0);
    let kept = kept.map(|lead| keep_first(options, &lead, &recorded)).transpose()?.unwrap_or(false);
    print_line(&format!("{}: {}", save(options, &recorded, kept)?, options.out.display()))?;
    Ok(CommandEnd::Fine)
}

fn whole_folder(options: &Options, apps: &Apps) -> Outcome {
    let unreadable = |error: std::io::Error| bad_input(format!("{}: {error}", options.flow.display()));
    let files = files_below(&options.flow).map_err(unreadable)?;
    let found = flows_in(&options.flow, &files, &read_flow_file).map_err(bad_input)?;
    found.notes.iter().for_each(|note| message(note));
    let total = found.flows.len();
    let (mut all, mut unread) = (Vec::new(), 0);
    for (path, flow) in found.flows {
        let name = path.display().to_string();
        match flow {
            Ok(flow) => {
                let file = name.replace(['/', '\\'], "_");
                let out = options.out.join(Path::new(&file).with_extension("json"));
                all.push(record(options, apps, &flow, name, out)?);
            }
            Err(problem) => {
                unread += 1;
                print_line(&format!("{name}: not read"))?;
                problem.0.iter().try_for_each(|problem| print_line(&format!("    {problem}")))?;
            }
        }
    }
    if all.is_empty() {
        return Err(bad_input(format!("{}: no flow in it can be read", options.flow.display())));
    }
    std::fs::create_dir_all(&options.out).map_err(|error| Failure::Broken(error.into()))?;
    let lead = common_lead(&all);
    let first = all.iter().find(|it| it.played.stopped.is_none() && it.leads(lead.as_deref()));
    let kept = match (&lead, first) {
        (Some(lead), Some(recorded)) => keep_first(options, lead, recorded)?,
        _ => false,
    };
    let mut ended = 0;
    for recorded in &all {
        let steps = recorded.played.steps.len();
        let said = match &recorded.played.stopped {
            Some(why) => format!("stopped after {}: {why}", counted(steps, "step")),
            None => {
                ended += 1;
                save(options, recorded, kept && recorded.leads(lead.as_deref()))?
            }
        };
        print_line(&format!("{}: {said}", recorded.name))?;
        recorded.played.notes.iter().try_for_each(|note| print_line(&format!("    {note}")))?;
    }
    let read = total - unread;
    print_line(&format!(
        "{total} flows, {read} read, {ended} played to the end; kept in {}",
        options.out.display()
    ))?;
    Ok(CommandEnd::Fine)
}

impl Recorded {
    /// Whether its first steps are done by this.
    fn leads(&self, lead: Option<&str>) -> bool {
        self.played.lead.as_ref().is_some_and(|(name, steps)| *steps > 0 && lead == Some(name))
    }
}

/// What does the first steps of most flows, if it does so for several, or is done by `onFlowStart`.
fn common_lead(all: &[Recorded]) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, _) in all.iter().filter_map(|it| it.played.lead.as_ref()).filter(|(_, steps)| *steps > 0) {
        *counts.entry(name).or_default() += 1;
    }
    let often = counts.into_iter().filter(|(name, count)| *count > 1 || *name == "onFlowStart");
    often.max_by_key(|(_, count)| *count).map(|(name, _)| name.to_owned())
}

/// Plays a flow on a fresh phone.
fn record(
    options: &Options,
    apps: &Apps,
    flow: &Flow,
    name: String,
    out: PathBuf,
) -> Result<Recorded, Failure> {
    let named = flow.app().map(str::to_owned);
    let (app, device) = match &options.device {
        Some(serial) => {
            let unnamed = || bad_input(format!("{name} names no app: give --package"));
            let app = options.package.clone().or(named).ok_or_else(unnamed)?;
            (app, DeviceChoice::Adb(vec![serial.clone()]))
        }
        None => {
            let unnamed = || bad_input(format!("{name} names no app: give --app"));
            let named = options.app.clone().or(named).ok_or_else(unnamed)?;
            (app_named(apps, &named)?.manifest().package.to_owned(), DeviceChoice::Bundled)
        }
    };
    let mut first = None;
    options.data.ask(&workspace_path(None), &app, &device, &mut first)?;
    let build = options.build.build();
    let phones = TestPhones::new(apps.clone(), tell_cleared());
    let mut phones = phones.on((&app, &build), &device, 0).controlled_by(options.control.method());
    let data = if first.is_some() { AppData::ResetAround } else { AppData::Clear };
    let given =
        PlayOptions { app: app.clone(), data, variables: variables(&options.env)?, unwanted: &|| false };
    let played = play(flow, &mut *phones.fresh()?, &given)?;
    Ok(Recorded { name, out, title: flow.title(), app, played })
}

/// The variables that are given by options, and those of the environment that Maestro passes on.
fn variables(given: &[String]) -> Result<BTreeMap<String, String>, Failure> {
    let passed = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let mut variables: BTreeMap<String, String> =
        passed.filter(|(name, _)| name.starts_with("MAESTRO_")).collect();
    for pair in given {
        let unnamed = || bad_input(format!("--env {pair}: a variable is given as NAME=VALUE"));
        let (name, value) = pair.split_once('=').ok_or_else(unnamed)?;
        variables.insert(name.to_owned(), value.to_owned());
    }
    Ok(variables)
}

/// Asks whether first steps are to be done first in every test, and keeps them if so.
fn keep_first(options: &Options, lead: &str, recorded: &Recorded) -> Result<bool, Failure> {
    let (app, steps) = (&recorded.app, recorded.played.lead_steps());
    let words = format!("{lead} does {} first", counted(steps, "step"));
    let wanted = match options.initialiser {
        Some(wanted) => wanted,
        None if stdin().is_terminal() && messages_are_watched() => {
            message(&format!("{words}. Keep that as the first steps of every test of {app}?"));
            message("y: keep, anything else: leave it in the recording");
            let mut line = String::new();
            stdin().read_line(&mut line).map_err(|error| Failure::Broken(error.into()))?;
            line.trim() == "y"
        }
        None => {
            message(&format!(
                "{words}; --initialiser true keeps that as the first steps of every test of {app}"
            ));
            false
        }
    };
    if wanted {
        let workspace = workspace_path(None);
        let saved = recorded.played.saved(String::new(), (app, &Build::default()), true);
        let mut stored = read_initialiser(&workspace, app)?.unwrap_or_default();
        stored.initialiser.steps =
            saved.initialiser.map(|first| Arc::unwrap_or_clone(first).steps).unwrap_or_default();
        write_initialiser(&workspace, app, &stored)?;
        message(&format!("before each test of {app}: {}", stored.initialiser.words()));
    }
    Ok(wanted)
}

/// Writes a recording. Returns what it holds, in words.
fn save(options: &Options, recorded: &Recorded, lead: bool) -> Result<String, Failure> {
    let build = options.build.build();
    let saved = recorded.played.saved(recorded.title.clone(), (&recorded.app, &build), lead);
    save_trace(&recorded.out, &saved)?;
    let failed = match recorded.played.failed {
        0 => String::new(),
        1 => ", 1 assertion does not hold".to_owned(),
        many => format!(", {many} assertions do not hold"),
    };
    Ok(format!("{}{failed}", counted(saved.steps.len(), "step")))
}
