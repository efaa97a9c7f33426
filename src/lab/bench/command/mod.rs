//! `taproof-lab bench`: measures engines on apps with known faults.

mod presets;
mod told;
mod watch;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use taproof::cli::command::{
    CommandEnd, Failure, Outcome, PROGRESS_EVERY, StatusLine, engine_named, message, parse_seeds, read_file,
};
use taproof_engine::{ENGINES, EngineConfig};
use taproof_phone::Apps;
use taproof_screen::determinism::hash_bytes;
use taproof_screen::{counted, thousands};
use taproof_spec::format::DmfFile;

use self::presets::{WHOLE, preset_named, preset_parser};
use self::told::Told;
use self::watch::Watch;
use crate::choose::choose_targets;
use crate::folder::{Folder, FolderError, Line};
use crate::names::{app_names, check_faults};
use crate::parallel::cores;
use crate::plan::{EngineRun, Mix, Plan, PlanError, Specs, Target};
use crate::result::CellResult;
use crate::results::Results;
use crate::run::Bench;

pub(crate) use self::watch::run_watched;

/// Measure engines on apps with known faults
///
/// A cell is one campaign: an app with one fault (or none), an engine, a seed. Only faults count that a script can show.
/// Apps blueprint:1 to blueprint:999 are for making engines; those from blueprint:1000 on are for judging them: choose no
/// constant with them. Results say which apps they were made with.
#[derive(clap::Args)]
pub struct Options {
    /// The apps: names, ranges of generated ones such as blueprint:1..40 or blueprint:1..9:medium:traps, and judges for
    /// those by which the book judges (if left out, blueprint:1..40)
    #[arg(long, value_name = "APP,APP", value_delimiter = ',')]
    apps: Vec<String>,
    /// The engines, each with settings or without, such as monkey:restart=true; `all` for every one (if left out)
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    engines: Vec<String>,
    /// The seeds of the campaigns (if left out, 1..3)
    #[arg(long, value_name = "A..B", value_parser = parse_seeds)]
    seeds: Option<RangeInclusive<u64>>,
    /// Events of a campaign, and of those of some engines (if left out, 40000,genie=100000)
    #[arg(long, value_name = "N,ENGINE=N", value_delimiter = ',')]
    events: Vec<String>,
    /// Which faults: all (if left out), letters of those who are meant to see them (P property, C crash or hang, G Genie,
    /// O ODIN, K Keep, A agreement), or names of fault operators
    #[arg(long, value_name = "P,C,...", value_delimiter = ',')]
    faults: Vec<String>,
    /// How many faults are drawn; `all` for every one (if left out, 100)
    #[arg(long, value_name = "N", value_parser = parse_cells)]
    cells: Option<Cells>,
    /// How many of the apps also run without a fault (if left out, 10)
    #[arg(long, value_name = "N")]
    sound: Option<usize>,
    /// How many of the apps also run with up to four of the drawn faults at once, by which the grouping of findings is
    /// judged (if left out, 10)
    #[arg(long, value_name = "N")]
    mixed: Option<usize>,
    /// How often each operator is drawn: the same number of each (if left out), or as often as the papers report bugs of
    /// its kind
    #[arg(long, value_enum)]
    mix: Option<Mix>,
    /// The specifications of engines that use one: those that follow from the apps (if left out), drafts of the recorder
    /// from one recording of each function, or what Discover proposes for the sound build
    #[arg(long, value_enum)]
    specs: Option<Specs>,
    /// The seed by which faults and apps are drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    sample_seed: u64,
    /// A bench of the book's tables, or quick; other options change parts of it
    #[arg(long, value_name = "NAME", value_parser = preset_parser())]
    preset: Option<String>,
    /// A small bench that takes less than a minute on two cores: --preset quick
    #[arg(long, conflicts_with_all = ["preset", "seeds", "events", "cells", "sound", "mixed"])]
    quick: bool,
    /// How many campaigns run at the same time; one for each core if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// The folder for results: bench.json, bench.html, and what a run that was stopped goes on from
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Say what got better or worse since the results in this file, the bench.json of another run
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// How many faults are drawn; all if `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cells(Option<usize>);

impl From<PlanError> for Failure {
    fn from(error: PlanError) -> Self {
        Failure::BadInput(error.into())
    }
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Self {
        match error {
            FolderError::OtherPlan { .. }
            | FolderError::OtherProgram { .. }
            | FolderError::BadFile { .. } => Failure::BadInput(error.into()),
            FolderError::Disk { .. } | FolderError::Store(_) => Failure::Broken(error.into()),
        }
    }
}

/// Runs `taproof-lab bench`.
///
/// # Errors
///
/// [`Failure`] if what was asked for cannot be run, or the results cannot be written.
pub fn run(options: &Options, apps: &Apps) -> Outcome {
    let plan = plan(options, apps)?;
    let against = options.against.as_deref().map(read_results).transpose()?;
    let mut folder = match &options.out {
        Some(path) => Some(Folder::open(path, &plan, &program()?)?),
        None => None,
    };
    let threads = options.jobs.map_or_else(cores, usize::from);
    let targets = match folder.as_ref().and_then(|folder| folder.targets.clone()) {
        Some(targets) => targets,
        None => choose(&plan, apps, threads)?,
    };
    let bench = Bench::new(plan, targets, apps, threads)?;
    if let Some(folder) = folder.as_mut().filter(|folder| folder.targets.is_none()) {
        for (app, spec) in bench.made_specs() {
            let file = format!("dmf_{}.json", app.replace(':', "_"));
            folder.write(&file, DmfFile::new(spec).source().as_bytes())?;
        }
        folder.keep_targets(bench.plan(), bench.targets())?;
    }
    let Some(done) = run_cells(&bench, folder.as_mut(), threads)? else {
        return Ok(CommandEnd::EndedEarly);
    };
    let results = Results::of(&bench, done);
    Told::new(results, against.as_ref()).write(options, folder.as_ref())?;
    Ok(CommandEnd::Fine)
}

/// What tells this build of the program from others: whoever changes an engine must not be shown what it found before.
pub(crate) fn program() -> Result<String, Failure> {
    let bytes = std::env::current_exe().and_then(std::fs::read);
    let bytes = bytes.map_err(|error| {
        Failure::Broken(anyhow::anyhow!("cannot read the program, to tell which build it is: {error}"))
    })?;
    Ok(format!("{:016x}", hash_bytes(&bytes)))
}

/// What was asked for, with what was left out: by the preset, and where that leaves it open by [`WHOLE`].
fn plan(options: &Options, apps: &Apps) -> Result<Plan, Failure> {
    let name = if options.quick { Some("quick") } else { options.preset.as_deref() };
    let (preset, whole) = (name.map(preset_named).transpose()?, preset_named(WHOLE)?);
    let layers: Vec<&Options> = std::iter::once(options).chain(&preset).chain([&whole]).collect();
    let words = |of: fn(&Options) -> &[String]| {
        layers.iter().map(|layer| of(layer)).find(|words| !words.is_empty()).unwrap_or_default()
    };
    let faults = words(|layer| &layer.faults).to_vec();
    check_faults(&faults)?;
    let names = app_names(words(|layer| &layer.apps), apps)?;
    let at_most = |option: &str, of: fn(&Options) -> Option<usize>| match of(options) {
        Some(count) if count > names.len() => Err(Failure::BadInput(anyhow::anyhow!(
            "--{option} {count}: the plan has only {}",
            counted(names.len(), "app")
        ))),
        _ => Ok(first(&layers, of).unwrap_or_default().min(names.len())),
    };
    Ok(Plan {
        engines: engines(words(|layer| &layer.engines), &layers)?,
        seeds: first(&layers, |layer| layer.seeds.clone()).unwrap_or(1..=1),
        cells: first(&layers, |layer| layer.cells).and_then(|cells| cells.0),
        sound: at_most("sound", |layer| layer.sound)?,
        mixed: at_most("mixed", |layer| layer.mixed)?,
        mix: first(&layers, |layer| layer.mix).unwrap_or_default(),
        specs: first(&layers, |layer| layer.specs).unwrap_or_default(),
        sample_seed: options.sample_seed,
        apps: names,
        faults,
    })
}

/// What the first of these options says that says anything.
fn first<T>(layers: &[&Options], of: impl Fn(&Options) -> Option<T>) -> Option<T> {
    layers.iter().find_map(|layer| of(layer))
}

/// The engines with their settings and budgets. Budgets of single engines count as far as no option before says any.
fn engines(words: &[String], layers: &[&Options]) -> Result<Vec<EngineRun>, Failure> {
    let bad = |text: String| Failure::BadInput(anyhow::anyhow!(text));
    let (mut every, mut own) = (1, BTreeMap::new());
    for layer in layers.iter().rev().filter(|layer| !layer.events.is_empty()) {
        own.clear();
        for word in &layer.events {
            let (engine, number) = word.split_once('=').map_or((None, word.as_str()), |(a, b)| (Some(a), b));
            let events = number.parse().ok().filter(|events| *events > 0);
            let events =
                events.ok_or_else(|| bad(format!("--events {word:?}: write a number, or ENGINE=N")))?;
            match engine {
                Some(name) => {
                    own.insert(engine_named(name)?.name(), events);
                }
                None => every = events,
            }
        }
    }
    let run = |word: &str| {
        let mut parts = word.split(':');
        let mut config: EngineConfig = engine_named(parts.next().unwrap_or_default())?;
        for setting in parts {
            let (key, value) = setting
                .split_once('=')
                .ok_or_else(|| bad(format!("--engines {word:?}: write ENGINE:SETTING=VALUE")))?;
            config.set(key, value).map_err(|error| Failure::BadInput(error.into()))?;
        }
        let events = own.get(config.name()).copied().unwrap_or(every);
        Ok(EngineRun { name: word.to_owned(), events, config })
    };
    engine_words(words).into_iter().map(run).collect()
}

/// The words for engines, each once, with those that `all` stands for.
fn engine_words(given: &[String]) -> Vec<&str> {
    let given = given.iter().map(String::as_str);
    let named = |word| match word {
        "all" => ENGINES.iter().map(|engine| engine.name).collect(),
        word => vec![word],
    };
    let mut words: Vec<&str> = given.flat_map(named).collect();
    let mut seen = BTreeSet::new();
    words.retain(|word| seen.insert(*word));
    words
}

fn choose(plan: &Plan, apps: &Apps, threads: usize) -> Result<Vec<Target>, Failure> {
    let mut line = StatusLine::new(PROGRESS_EVERY);
    let targets = choose_targets(plan, apps, threads, |looked_at, chosen| {
        let words = format!(
            "looking for scripts that show faults: {} of {} have one",
            thousands(chosen as u64),
            counted(looked_at, "fault")
        );
        line.draw(&words);
        if line.is_due() {
            message(&words);
        }
    });
    line.clear();
    Ok(targets?)
}

/// Runs the cells that are left. Returns the results of all in order; `None` if the run was interrupted.
fn run_cells(
    bench: &Bench,
    mut folder: Option<&mut Folder>,
    threads: usize,
) -> Result<Option<Vec<CellResult>>, Failure> {
    let advice = match folder {
        Some(_) => "; the same command goes on from here",
        None => "; with --out FOLDER, it could be resumed",
    };
    let line =
        |(cell, line): (&usize, &Line)| (*cell, (line.result.clone(), Duration::from_millis(line.millis)));
    let before = folder.iter().flat_map(|folder| &folder.done).map(line).collect();
    let watch = Watch::new(bench.campaigns(), threads, advice);
    watch.run(
        before,
        |cell, ran| bench.result(cell, ran),
        |cell, result, took| match &mut folder {
            Some(folder) => Ok(folder.keep(cell, result.clone(), took)?),
            None => Ok(()),
        },
    )
}

fn read_results(path: &Path) -> Result<Results, Failure> {
    let results: Result<Results, _> = serde_json::from_slice(&read_file(path)?);
    let bad = |error| anyhow::anyhow!("not the bench.json of a bench: {error}: {}", path.display());
    let results = results.map_err(|error| Failure::BadInput(bad(error)))?;
    match results.cells.iter().all(|row| row.target < results.targets.len()) {
        true => Ok(results),
        false => Err(Failure::BadInput(anyhow::anyhow!(
            "not the bench.json of a bench: a cell has a target that is not there: {}",
            path.display()
        ))),
    }
}

fn parse_cells(text: &str) -> Result<Cells, String> {
    match (text, text.parse()) {
        ("all", _) => Ok(Cells(None)),
        (_, Ok(cells)) => Ok(Cells(Some(cells))),
        (_, Err(_)) => Err("write a number, or all".to_owned()),
    }
}

#[cfg(test)]
pub(crate) use tests::is_plan;

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        options: Options,
    }

    /// Whether these are words of a bench that can be run.
    pub(crate) fn is_plan<'w>(words: impl Iterator<Item = &'w str>, apps: &Apps) -> bool {
        let command = Command::try_parse_from(std::iter::once("bench").chain(words));
        command.is_ok_and(|command| plan(&command.options, apps).is_ok())
    }

    #[test]
    fn every_preset_is_a_plan_that_options_can_change() {
        let apps = taproof_blueprint::apps();
        let plan_of = |words: &[&str]| {
            let command = Command::try_parse_from([&["bench"], words].concat()).unwrap();
            plan(&command.options, &apps).unwrap()
        };
        for (name, ..) in presets::PRESETS {
            let planned = plan_of(&["--preset", name]);
            assert!(planned.cells.is_some() && planned.engines.iter().all(|run| run.events > 1), "{name}");
        }
        let quick = plan_of(&["--quick"]);
        let events = |name: &str| quick.engines.iter().find(|run| run.name == name).unwrap().events;
        assert_eq!((&quick.seeds, quick.cells, quick.sound), (&(1..=1), Some(35), 2));
        assert_eq!((events("monkey"), events("genie"), quick.engines.len()), (2_000, 4_000, ENGINES.len()));
        let genie = plan_of(&["--preset", "genie", "--seeds", "7..7", "--events", "500"]);
        assert_eq!((genie.faults, genie.seeds, genie.engines[0].events), (vec!["G".to_owned()], 7..=7, 500));
        assert_eq!(plan_of(&["--quick"]), plan_of(&["--preset", "quick"]));
    }
}
