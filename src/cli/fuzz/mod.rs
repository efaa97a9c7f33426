//! `taproof fuzz`: runs one campaign.

pub(crate) mod campaign;
mod ci;
pub(crate) mod progress;
pub(crate) mod scan;
pub(crate) mod seeds;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::ValueEnum;
use serde::Serialize;

use super::devices::{ControlOptions, look_for_devices, start_servers};
use super::initialiser::BeginOptions;
use super::rules::RuleOptions;
use super::{Failure, Outcome, app_named, bad_input, message, print_json, print_line, workspace_path};
use crate::cli::findings::bugs::bugs_as_json;
use campaign::{OnInterrupt, RunOptions, checked, given_specs, open_workspace, run_resumed, run_stored};
use ci::CiOptions;
use progress::PROGRESS_EVERY;
use taproof_campaign::{
    Budget, BugClass, CampaignPlan, CampaignSummary, ConfirmPlan, DeviceChoice, EndReason, FiredRule,
    LeftPlace, Oracles, counted_bugs, default_engines,
};
use taproof_engine::device::Build;
use taproof_engine::{ENGINES, EngineConfig, EngineSettings, Mode, PbfdroidConfig, single_engines};
use taproof_phone::Apps;
use taproof_results::store::{StoredPlan, model_path};
use taproof_screen::{counted, pace};
use taproof_session::{CHECKPOINT_EVERY, read_contents, shipped_with, trace_sources};
use taproof_spec::Spec;

/// Run a campaign on bundled phones, or on devices that adb sees
#[derive(clap::Args)]
pub struct Options {
    /// The app, by name or package
    #[arg(long, required_unless_present_any = ["resume", "package", "devices"])]
    app: Option<String>,
    /// Serials of devices, as `taproof devices` lists them; engines that have none of their own take turns. Bundled phones
    /// if omitted
    #[arg(long = "device", value_name = "SERIAL,SERIAL", value_delimiter = ',', requires = "package", conflicts_with_all = ["app", "build", "bugs", "resume"])]
    devices: Vec<String>,
    /// Start the uiautomator2 server of this computer's Python on the devices: faster layouts, text in any language
    #[arg(long, requires = "devices")]
    uiautomator2: bool,
    #[command(flatten)]
    control: ControlOptions,
    /// The package of the app on these devices
    #[arg(long, value_name = "PACKAGE", requires = "devices", conflicts_with_all = ["app", "resume"])]
    package: Option<String>,
    /// Resume a campaign whose program was killed, with the plan that it was started with
    #[arg(long, value_name = "CAMPAIGN", conflicts_with_all = ["app", "engines", "specs", "from", "model", "reuse", "fastbot_rules", "set", "seed", "events", "RuleOptions", "DataOptions"])]
    resume: Option<i64>,
    #[command(flatten)]
    build: BuildOptions,
    /// Engines to run side by side, each on a phone of its own, or `all`. By default auto: they take turns on one phone
    #[arg(long = "engine", value_name = "NAME,NAME", value_delimiter = ',')]
    engines: Vec<String>,
    /// A setting of an engine, such as pbfdroid.blanks=50, or all as in its paper, as genie.preset=paper; may be repeated
    #[arg(long, value_name = "ENGINE.SETTING=VALUE")]
    set: Vec<String>,
    /// All DMFs among random events (full), or a baseline of the paper: each DMF alone from a fresh start (a), or
    /// random events with one DMF at a time (b)
    #[arg(long, value_enum, default_value_t = ModeName::Full)]
    mode: ModeName,
    /// What chooses PBFDroid's events between DMFs: random, fastbot2 or timemachine
    #[arg(long, value_name = "NAME")]
    explore: Option<String>,
    /// Specification files: DMFs and block lists; those shipped with the app if omitted
    #[arg(long = "spec", value_name = "FILE")]
    specs: Vec<PathBuf>,
    /// Recorded traces to start from: saved traces, folders of recorded walks, findings of the workspace
    #[arg(long, value_name = "TRACE", num_args = 1..)]
    from: Vec<String>,
    /// A model that Fastbot2 learned in an earlier run and starts from; what this run learns is added to the file
    #[arg(long, value_name = "FILE", conflicts_with = "reuse")]
    model: Option<String>,
    /// Start Fastbot2 from what all campaigns of this workspace have learned about the app
    #[arg(long)]
    reuse: bool,
    /// A folder with Fastbot's own rule files for Fastbot2, such as max.widget.black. Of awl.strings and abl.strings, the first
    /// counts
    #[arg(long = "rules", value_name = "FOLDER")]
    fastbot_rules: Option<String>,
    #[command(flatten)]
    begin: BeginOptions,
    #[command(flatten)]
    rules: RuleOptions,
    /// Run only these DMFs; all if omitted
    #[arg(long = "dmf", value_name = "NAME,NAME", value_delimiter = ',')]
    dmfs: Vec<String>,
    /// Events of the whole campaign, which its engines share; a baseline spends its share on each DMF
    #[arg(long, default_value_t = 40_000)]
    events: u64,
    /// Limit for each engine in minutes of the phone's own clock; none if omitted
    #[arg(long, value_name = "N")]
    minutes: Option<u64>,
    /// Maximum number of events of one test
    #[arg(long, default_value_t = 200)]
    lmax: usize,
    /// The seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder for results; by default TAPROOF_WORKSPACE, else .taproof
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Oracles beside crashes and invariants: all that apply, or only those of the engine itself
    #[arg(long, value_enum, default_value_t = OraclesName::All, value_name = "WHICH")]
    oracles: OraclesName,
    /// Milliseconds between two checkpoints, from which --resume continues
    #[arg(long, value_name = "N", default_value_t = CHECKPOINT_EVERY.as_millis() as u64)]
    checkpoint_millis: u64,
    /// Seconds between two lines of progress on standard error, if that is no terminal
    #[arg(long, value_name = "N", default_value_t = PROGRESS_EVERY.as_secs())]
    progress_seconds: u64,
    /// Maximum number of events for confirming and minimising findings, in percent of the campaign's events: by default
    /// 25 on a device and without limit on the bundled phone; `taproof minimise` goes on with what is left
    #[arg(long, value_name = "PERCENT", conflicts_with = "resume")]
    confirm_share: Option<u32>,
    /// Take no screenshots of findings
    #[arg(long)]
    no_pictures: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    ci: CiOptions,
}

/// Which bugs of the app are on.
#[derive(clap::Args)]
pub struct BuildOptions {
    /// Which catalogued bugs are on: all (faulty, the default) or none (sound)
    #[arg(long, value_enum, conflicts_with = "bugs")]
    build: Option<BuildName>,
    /// Switch on only these bugs
    #[arg(long, value_name = "ID,ID", value_delimiter = ',')]
    bugs: Option<Vec<String>>,
}

impl BuildOptions {
    /// The build that the options choose; the faulty one by default.
    pub fn build(&self) -> Build {
        self.chosen().unwrap_or_default()
    }

    /// The build that the options choose, if they do.
    pub fn chosen(&self) -> Option<Build> {
        match (&self.bugs, self.build) {
            (Some(bugs), _) => {
                Some(Build::Bugs(bugs.iter().filter(|bug| !bug.is_empty()).cloned().collect()))
            }
            (None, Some(BuildName::Faulty)) => Some(Build::Faulty),
            (None, Some(BuildName::Sound)) => Some(Build::Sound),
            (None, None) => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BuildName {
    Faulty,
    Sound,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ModeName {
    Full,
    A,
    B,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OraclesName {
    All,
    Own,
}

pub fn run(options: &Options, apps: &Apps) -> Outcome {
    run_until(options, apps, OnInterrupt::Cancel)
}

/// As [`run`], with what becomes of the campaign when somebody asks the program to end.
pub(super) fn run_until(options: &Options, apps: &Apps, on_interrupt: OnInterrupt) -> Outcome {
    let root = workspace_path(options.workspace.as_ref());
    let run = RunOptions {
        control: options.control.method(),
        checkpoint_every: Duration::from_millis(options.checkpoint_millis),
        progress_every: Duration::from_secs(options.progress_seconds),
        begin: options.begin.clone(),
        on_interrupt,
    };
    let gate = options.ci.gate()?;
    let (finished, workspace) = match options.resume {
        Some(id) => {
            let mut workspace = open_workspace(&root)?;
            (run_resumed(apps, &mut workspace, id, run)?, workspace)
        }
        None => {
            let mut stored = plan(options, apps)?;
            let plan = &mut stored.plan;
            // Nothing is stored of a campaign that cannot begin.
            look_for_devices(&options.devices, &plan.app)?;
            options.begin.data.ask(&root, &plan.app, &plan.device, &mut plan.initialiser)?;
            let mut workspace = open_workspace(&root)?;
            // They run until the campaign has ended.
            let _servers = if options.uiautomator2 { start_servers(&options.devices)? } else { Vec::new() };
            (run_stored(apps, &mut workspace, &stored, run)?, workspace)
        }
    };
    drop(workspace);
    let finished = gate.with_said(finished);
    let bugs = finished.bugs();
    let new = gate.new_bugs(&finished, &bugs);
    if options.json {
        print_json(&Printed {
            summary: &finished.summary,
            found: bugs_as_json(&bugs),
            new_bugs: new.as_deref(),
        })?;
    } else {
        print(&finished.summary, &finished.idle)?;
        if finished.stuck > 0 {
            print_line(&format!(
                "the screens on which {} steps of functions could not be run: {}",
                finished.stuck,
                root.join("stuck").display()
            ))?;
        }
        if bugs.iter().any(|bug| bug.class != BugClass::Dismissed) {
            print_line(&counted_bugs(&bugs))?;
        }
        finished.print_bugs(&bugs, options.workspace.as_ref(), ": `taproof findings` lists them")?;
        if let Some(new) = new {
            let names = if new.is_empty() { String::new() } else { format!(": {}", new.join(", ")) };
            print_line(&format!("{} of {} bugs are new{names}", new.len(), gate.bugs(&bugs).count()))?;
        }
        let left = finished.findings.iter().filter(|count| !count.finding.finished).count();
        if finished.end == EndReason::Cancelled && left > 0 {
            let findings = counted(left, "finding");
            print_line(&format!(
                "stopped before {findings} had been looked into; `taproof minimise` goes on"
            ))?;
        }
        print_line(&format!("campaign {} in {}", finished.campaign, root.display()))?;
    }
    let ended = gate.end(apps, &root, &finished, (&bugs, true));
    // Everything was said: now it is waited for the devices.
    drop(finished.restoring);
    ended
}

/// What `--json` prints.
#[derive(Serialize)]
struct Printed<'r> {
    #[serde(flatten)]
    summary: &'r CampaignSummary,
    /// One for each bug, as far as that can be told without a catalogue, and what is none or may be none.
    #[serde(flatten)]
    found: serde_json::Map<String, serde_json::Value>,
    /// The bugs that the baseline does not know, each by the id of its first finding; null without a baseline.
    new_bugs: Option<&'r [String]>,
}

/// The checked plan of a new campaign.
pub(super) fn plan(options: &Options, apps: &Apps) -> Result<StoredPlan, Failure> {
    let (app, device) = match &options.package {
        Some(package) => (package.clone(), DeviceChoice::Adb(options.devices.clone())),
        None => {
            let app = app_named(apps, options.app.as_deref().unwrap_or_default())?;
            (app.manifest().package.to_owned(), DeviceChoice::Bundled)
        }
    };
    let specs = match options.specs.is_empty() {
        true => shipped_with(apps, &app),
        false => given_specs(&options.specs)?,
    };
    let engines = engines(options, &app)?;
    let build = options.build.build();
    let chosen = !options.engines.is_empty() && !options.from.is_empty();
    for engine in engines.iter().filter(|_| chosen) {
        if !engine.settings().begins_with_traces() {
            message(&format!(
                "{} does not begin with recorded traces: --from means nothing to it",
                engine.info().label
            ));
        }
    }
    let workspace = workspace_path(options.workspace.as_ref());
    let stored = StoredPlan {
        plan: CampaignPlan {
            initialiser: options.begin.first_steps(&workspace, &app)?,
            app,
            build,
            device,
            engines,
            spec: Arc::new(Spec::default()),
            seed_traces: Vec::new(),
            rules: options.rules.rules()?,
            seed: options.seed,
            budget: Budget {
                max_events: options.events,
                max_device_millis: options.minutes.map(|minutes| minutes.saturating_mul(60_000)),
            },
            oracles: match options.oracles {
                OraclesName::All => Oracles::All,
                OraclesName::Own => Oracles::Own,
            },
            confirm: ConfirmPlan {
                pictures: !options.no_pictures,
                share: options.confirm_share,
                ..ConfirmPlan::default()
            },
        },
        specs,
        traces: trace_sources(&options.from, &workspace)?,
    };
    checked(apps, stored)
}

/// The engines that are named, or those of a campaign for which none are.
fn chosen_engines(options: &Options) -> Result<Vec<EngineConfig>, Failure> {
    if options.engines.is_empty() {
        let set = implied_engines(options);
        let named = set.iter().map(|name| engine_named(name)).collect::<Result<Vec<_>, _>>()?;
        return Ok(if named.is_empty() { default_engines() } else { named });
    }
    if options.engines.iter().any(|name| name == "all") {
        return Ok(single_engines().map(|engine| (engine.config)()).collect());
    }
    options.engines.iter().map(|name| engine_named(name)).collect()
}

/// The names of the engines that have settings although no engine is named.
fn implied_engines(options: &Options) -> BTreeSet<&str> {
    let settings = options.set.iter().filter_map(|change| change.split_once('.'));
    let mut names: BTreeSet<&str> = settings.map(|(name, _)| name).collect();
    let usual = PbfdroidConfig::default();
    if options.mode != ModeName::Full
        || options.lmax != usual.lmax
        || !options.dmfs.is_empty()
        || options.explore.is_some()
    {
        names.insert(usual.name());
    }
    names
}

/// The engine with this name, with its default settings.
pub fn engine_named(name: &str) -> Result<EngineConfig, Failure> {
    let engine = ENGINES.iter().find(|engine| engine.name == name);
    let known = ENGINES.iter().map(|engine| engine.name).collect::<Vec<_>>().join(", ");
    let missing = || bad_input(format!("no engine is called {name:?}; there are {known}, all"));
    Ok((engine.ok_or_else(missing)?.config)())
}

/// The engines with their settings: the options for PBFDroid are applied first, then `--set`.
fn engines(options: &Options, app: &str) -> Result<Vec<EngineConfig>, Failure> {
    let mut engines = chosen_engines(options)?;
    for engine in &mut engines {
        if let EngineConfig::Pbfdroid(settings) = engine {
            settings.lmax = options.lmax;
            settings.only.clone_from(&options.dmfs);
            settings.mode = match options.mode {
                ModeName::Full => Mode::Full,
                ModeName::A => Mode::A,
                ModeName::B => Mode::B,
            };
        }
    }
    let workspace = workspace_path(options.workspace.as_ref());
    let kept = options.reuse.then(|| model_path(&workspace, app).display().to_string());
    for (option, name, key, value) in [
        ("explore", "pbfdroid", "explore", &options.explore),
        ("model", "fastbot2", "model", &options.model),
        ("reuse", "fastbot2", "model", &kept),
        ("rules", "fastbot2", "rules_folder", &options.fastbot_rules),
    ] {
        let Some(value) = value else { continue };
        let Some(engine) = engines.iter_mut().find(|engine| engine.name() == name) else {
            return Err(bad_input(format!(
                "--{option} is for the engine {name}, which the campaign does not run"
            )));
        };
        engine.set(key, value).map_err(|error| Failure::BadInput(error.into()))?;
    }
    for change in &options.set {
        let parts = change.split_once('=').and_then(|(key, value)| Some((key.split_once('.')?, value)));
        let Some(((name, key), value)) = parts else {
            return Err(bad_input(format!(
                "--set {change:?}: write ENGINE.SETTING=VALUE, as in pbfdroid.lmax=100"
            )));
        };
        let Some(engine) = engines.iter_mut().find(|engine| engine.name() == name) else {
            return Err(bad_input(format!(
                "--set {change:?}: the campaign does not run the engine {name:?}"
            )));
        };
        engine.set(key, value).map_err(|error| Failure::BadInput(error.into()))?;
    }
    for engine in &mut engines {
        for note in read_contents(engine, app)? {
            message(&note);
        }
    }
    Ok(engines)
}

fn print(summary: &CampaignSummary, idle: &[String]) -> Result<(), Failure> {
    let mode = match summary.mode.as_str() {
        "" => String::new(),
        mode => format!(" in mode {mode}"),
    };
    print_line(&format!(
        "{} ({}), {}{mode}, seed {}: {} events in {} tests, {:.1} s, {}, end: {}",
        summary.app,
        summary.build,
        summary.engine,
        summary.seed,
        summary.events,
        summary.tests,
        summary.seconds,
        pace(summary.events_per_second),
        summary.end
    ))?;
    let code = match summary.code_points {
        0 => String::new(),
        points => format!("{} of {points} code points, ", summary.code_covered),
    };
    if summary.events == 0 && summary.findings.is_empty() {
        // A table of zeros would be less informative than why the campaign ended.
        return Ok(());
    }
    print_line(&format!(
        "{} activities, {} states, {code}fingerprint {}",
        summary.activities, summary.states, summary.fingerprint
    ))?;
    print_unreached(summary)?;
    print_untouched(summary)?;
    if summary.garbled_answers > 0 {
        print_line(&format!(
            "{} garbled answers: asked for again, or their tests ended unjudged",
            summary.garbled_answers
        ))?;
    }
    print_line(&format!(
        "{:<24} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9}",
        "property", "ready", "run", "held", "broken", "unsure", "not run"
    ))?;
    for property in &summary.properties {
        if let Some(why) = &property.not_judged {
            print_line(&format!("{:<24} not judged: {why}", property.name))?;
            continue;
        }
        let not_run: u64 = property.not_executed.iter().map(|entry| entry.count).sum();
        print_line(&format!(
            "{:<24} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9}",
            property.name,
            property.precondition_held,
            property.executed,
            property.held,
            property.violated,
            property.inconclusive,
            not_run
        ))?;
    }
    idle.iter().try_for_each(|why| print_line(why))?;
    print_rules(summary)?;
    for engine in &summary.engines {
        let told = engine.stats.lines();
        told.iter().try_for_each(|line| print_line(&format!("{}: {line}", engine.engine)))?;
    }
    Ok(())
}

/// The activities of the manifest that were not seen.
fn print_unreached(summary: &CampaignSummary) -> Result<(), Failure> {
    let Some(declared) = summary.declared_activities.filter(|_| !summary.unreached.is_empty()) else {
        return Ok(());
    };
    let (missing, names) = (summary.unreached.len(), summary.unreached.join(", "));
    print_line(&format!("{missing} of the {declared} activities in the manifest were never reached: {names}"))
}

/// The number of usable widgets that were never touched.
fn print_untouched(summary: &CampaignSummary) -> Result<(), Failure> {
    if summary.untouched.is_empty() {
        return Ok(());
    }
    let widgets = counted(summary.untouched.len(), "usable widget");
    print_line(&format!("{widgets} never touched: see `taproof campaigns untouched`"))
}

/// What the tester's rules did.
fn print_rules(summary: &CampaignSummary) -> Result<(), Failure> {
    for FiredRule { rule, fired } in &summary.test_rules {
        print_line(&format!("{rule} fired {fired} times"))?;
    }
    for LeftPlace { place, left } in &summary.out_of_bounds {
        print_line(&format!("{place} is out of bounds and was left {left} times"))?;
    }
    Ok(())
}
