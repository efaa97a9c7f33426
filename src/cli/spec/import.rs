//! `taproof spec import FILE`: records what a Maestro flow does with an app, or what each flow of a folder does; reads
//! properties of Kea as a specification.

use std::collections::BTreeMap;
use std::io::{IsTerminal, stdin};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cli::devices::{ControlOptions, tell_left};
use crate::cli::fuzz::BuildOptions;
use crate::cli::initialiser::DataOptions;
use crate::cli::terminal::messages_are_watched;
use crate::cli::{CommandEnd, Failure, Outcome, app_named, bad_input, message, print_line, workspace_path};
use taproof_campaign::{DeviceChoice, NullSink, TrialOutcome, TrialPlan, try_dmf};
use taproof_engine::device::{AppData, Build, DeviceSource};
use taproof_engine::worker::CancelToken;
use taproof_phone::Apps;
use taproof_results::store::{read_initialiser, replace_file, save_trace, write_initialiser};
use taproof_screen::{RecordedStep, counted};
use taproof_session::TestPhones;
use taproof_session::maestro::{
    Flow, FlowError, PlayOptions, PlayedFlow, files_below, flows_in, play, read_flow_file,
};
use taproof_spec::format::{DmfFile, parse_kea};
use taproof_spec::{Dmf, Spec};

/// Record what a Maestro flow does, as a trace for `initialiser set --from`, `fuzz --from` and `spec draft`, or read
/// properties of Kea and Kea2 as a specification
#[derive(clap::Args)]
pub struct Options {
    /// The flow, a folder of flows with their config.yaml, or a file of properties (.py)
    #[arg(value_name = "FILE")]
    file: PathBuf,
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
    match options.file.extension() {
        Some(extension) if extension == "py" => properties(options, apps),
        _ if options.file.is_dir() => whole_folder(options, apps),
        _ => one_flow(options, apps),
    }
}

/// Writes the specification that properties of Kea are.
fn properties(options: &Options, apps: &Apps) -> Outcome {
    let name = options.file.display().to_string();
    let bad = |problem: &dyn std::fmt::Display| bad_input(format!("{name}: {problem}"));
    let text = std::fs::read_to_string(&options.file).map_err(|error| bad(&error))?;
    let read = parse_kea(&text).map_err(|problem| bad(&problem))?;
    let invariants = read.spec.invariants.iter().map(|it| format!("{}: an invariant", it.name));
    for line in read.spec.dmfs.iter().map(in_short).chain(invariants) {
        print_line(&line)?;
    }
    read.notes.iter().for_each(|note| message(&format!("{name}: {note}")));
    replace_file(&options.out, DmfFile::new(&read.spec).source().as_bytes())?;
    if let Some(first) = read.initializer {
        first_steps(options, apps, first)?;
    }
    print_line(&format!("{}: {}", counted(read.spec.dmfs.len(), "function"), options.out.display()))?;
    Ok(CommandEnd::Fine)
}

/// What a function of a specification has.
fn in_short(dmf: &Dmf) -> String {
    match &dmf.not_judged {
        Some(why) => format!("{}: not judged: {why}", dmf.name),
        None => format!(
            "{}: {}, {}, {}",
            dmf.name,
            counted(dmf.preconditions.len(), "precondition"),
            counted(dmf.steps.len(), "step"),
            counted(dmf.postconditions.len(), "postcondition")
        ),
    }
}

/// Performs what is done first, and keeps it so if it is wanted.
fn first_steps(options: &Options, apps: &Apps, first: Dmf) -> Result<(), Failure> {
    let words = format!("@initializer does {} first", counted(first.steps.len(), "step"));
    if options.app.is_none() && options.package.is_none() {
        let how =
            "--app APP --initialiser true performs them, and keeps them as the first steps of every test";
        message(&format!("{words}; {how}"));
        return Ok(());
    }
    let (app, device) = app_on(options, apps, &options.file.display().to_string(), None)?;
    if !is_wanted(options, &app, &words)? {
        return Ok(());
    }
    let mut phones = phones(options, apps, &app, &device)?.0;
    let plan = TrialPlan {
        app: app.clone(),
        build: options.build.build(),
        device,
        spec: Arc::new(Spec { dmfs: vec![first], ..Spec::default() }),
        dmf: 0,
        lead_up: Vec::new(),
        held: Vec::new(),
        initialiser: None,
        runs: 1,
        seed: 0,
    };
    let report = try_dmf(&plan, &mut phones, &CancelToken::new(), &mut NullSink);
    let run = report.runs.last().filter(|run| run.outcome == TrialOutcome::Held);
    match (run.and_then(|run| run.trace.clone()), report.dmf()) {
        (Some(trace), _) => keep_first_steps(&app, trace.recorded_steps().collect()),
        (None, dmf) => {
            let outcome = report.runs.last().zip(dmf).map(|(run, dmf)| run.outcome.sentence(dmf));
            Err(bad_input(format!(
                "what is done first cannot be done: {}",
                outcome.unwrap_or(report.verdict)
            )))
        }
    }
}

fn one_flow(options: &Options, apps: &Apps) -> Outcome {
    let name = options.file.display().to_string();
    let bad = |problem: &FlowError| {
        bad_input(problem.0.iter().map(|problem| format!("{name}: {problem}")).collect::<Vec<_>>().join("\n"))
    };
    let flow = Flow::read(&options.file, &read_flow_file).map_err(|problem| bad(&problem))?;
    let recorded = record(options, apps, &flow, name.clone(), options.out.clone())?;
    recorded.played.notes.iter().for_each(|note| message(&format!("{name}: {note}")));
    if let Some(stopped) = &recorded.played.stopped {
        return Err(bad_input(format!("{name}: {stopped}")));
    }
    let lead = recorded.played.lead.clone().map(|(lead, _)| lead);
    let kept = lead.filter(|_| recorded.played.lead_steps() > 0);
    let kept = kept.map(|lead| keep_lead(options, &lead, &recorded)).transpose()?.unwrap_or(false);
    print_line(&format!("{}: {}", save(options, &recorded, kept)?, options.out.display()))?;
    Ok(CommandEnd::Fine)
}

fn whole_folder(options: &Options, apps: &Apps) -> Outcome {
    let bad = |why: &dyn std::fmt::Display| bad_input(format!("{}: {why}", options.file.display()));
    let files = files_below(&options.file).map_err(|error| bad(&error))?;
    let found = flows_in(&options.file, &files, &read_flow_file).map_err(|why| bad(&why))?;
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
        return Err(bad_input(format!("{}: no flow in it can be read", options.file.display())));
    }
    std::fs::create_dir_all(&options.out).map_err(|error| Failure::Broken(error.into()))?;
    let lead = common_lead(&all);
    let first = all.iter().find(|it| it.played.stopped.is_none() && it.leads(lead.as_deref()));
    let kept = match (&lead, first) {
        (Some(lead), Some(recorded)) => keep_lead(options, lead, recorded)?,
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
    let (app, device) = app_on(options, apps, &name, flow.app().map(str::to_owned))?;
    let (mut phones, data) = phones(options, apps, &app, &device)?;
    let given =
        PlayOptions { app: app.clone(), data, variables: variables(&options.env)?, unwanted: &|| false };
    let played = play(flow, &mut *phones.fresh()?, &given)?;
    Ok(Recorded { name, out, title: flow.title(), app, played })
}

/// The app that options name, or else a file, and where it runs.
fn app_on(
    options: &Options,
    apps: &Apps,
    name: &str,
    named: Option<String>,
) -> Result<(String, DeviceChoice), Failure> {
    match &options.device {
        Some(serial) => {
            let unnamed = || bad_input(format!("{name} names no app: give --package"));
            let app = options.package.clone().or(named).ok_or_else(unnamed)?;
            Ok((app, DeviceChoice::Adb(vec![serial.clone()])))
        }
        None => {
            let unnamed = || bad_input(format!("{name} names no app: give --app"));
            let named = options.app.clone().or(named).ok_or_else(unnamed)?;
            Ok((app_named(apps, &named)?.manifest().package.to_owned(), DeviceChoice::Bundled))
        }
    }
}

/// Fresh phones with an app, once its data may be cleared.
fn phones(
    options: &Options,
    apps: &Apps,
    app: &str,
    device: &DeviceChoice,
) -> Result<(impl DeviceSource + use<>, AppData), Failure> {
    let mut first = None;
    options.data.ask(&workspace_path(None), app, device, &mut first)?;
    let phones = TestPhones::new(apps.clone(), tell_left());
    let phones = phones.on((app, &options.build.build()), device, 0).controlled_by(options.control.method());
    Ok((phones, if first.is_some() { AppData::ResetAround } else { AppData::Clear }))
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

/// Whether first steps are to be done first in every test, which is asked unless an option says it.
fn is_wanted(options: &Options, app: &str, words: &str) -> Result<bool, Failure> {
    match options.initialiser {
        Some(wanted) => Ok(wanted),
        None if stdin().is_terminal() && messages_are_watched() => {
            message(&format!("{words}. Keep that as the first steps of every test of {app}?"));
            message("y: keep, anything else: leave it out of them");
            let mut line = String::new();
            stdin().read_line(&mut line).map_err(|error| Failure::Broken(error.into()))?;
            Ok(line.trim() == "y")
        }
        None => {
            message(&format!(
                "{words}; --initialiser true keeps that as the first steps of every test of {app}"
            ));
            Ok(false)
        }
    }
}

/// Keeps the first steps of a recording as those of every test, if it is wanted.
fn keep_lead(options: &Options, lead: &str, recorded: &Recorded) -> Result<bool, Failure> {
    let (app, steps) = (&recorded.app, recorded.played.lead_steps());
    let wanted = is_wanted(options, app, &format!("{lead} does {} first", counted(steps, "step")))?;
    if wanted {
        let saved = recorded.played.saved(String::new(), (app, &Build::default()), true);
        keep_first_steps(
            app,
            saved.initialiser.map(|first| Arc::unwrap_or_clone(first).steps).unwrap_or_default(),
        )?;
    }
    Ok(wanted)
}

fn keep_first_steps(app: &str, steps: Vec<RecordedStep>) -> Result<(), Failure> {
    let workspace = workspace_path(None);
    let mut stored = read_initialiser(&workspace, app)?.unwrap_or_default();
    stored.initialiser.steps = steps;
    write_initialiser(&workspace, app, &stored)?;
    message(&format!("before each test of {app}: {}", stored.initialiser.words()));
    Ok(())
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
