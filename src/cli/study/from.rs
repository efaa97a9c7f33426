//! What engines gain that begin with recorded traces: the ways to what PBFDroid found on the same app with another
//! seed, as `fuzz --from` takes them.

use std::sync::Arc;

use super::runner::{Job, Ran, run_all, sweep_given};
use super::table::{Cell, Part, Table, median};
use super::{Scope, Study};
use crate::campaign::{Build, GivenTrace};
use crate::cli::Failure;
use crate::device::embedded::Oracle;
use crate::device::embedded::apps::BundledApp;
use crate::engine::{ENGINES, EngineConfig, PbfdroidConfig};

pub(super) const STUDY: Study = Study {
    seeds: &[1..=5],
    events: 10_000,
    paper: "no paper does this; Fastbot2 alone begins with what earlier runs have learned.",
    answer,
};

/// The run whose findings are taken; not one of those that are compared.
const TEACHER: u64 = 1000;

/// What is counted of a run.
type Measure = (&'static str, fn(&BundledApp, &Ran) -> f64);

const MEASURES: [Measure; 3] = [
    ("code points executed", |_, ran| ran.code as f64),
    ("events to every activity", |app, ran| {
        let all = ran.activities >= app.manifest().activities.len();
        if all { ran.newest_activity as f64 } else { ran.events as f64 }
    }),
    ("bugs found by its own oracles", |_, ran| {
        ran.bugs(&[Oracle::Crash, Oracle::Genie, Oracle::Odin]).len() as f64
    }),
];

fn answer(scope: &Scope) -> Result<Vec<Part>, Failure> {
    let engines: Vec<EngineConfig> = ENGINES.iter().map(|engine| (engine.config)()).collect();
    let taking: Vec<EngineConfig> =
        engines.into_iter().filter(|engine| engine.settings().begins_with_traces().is_some()).collect();
    let (given, nothing) = (given(scope)?, vec![Vec::new(); scope.apps.len()]);
    let without = sweep_given(scope, &Build::Faulty, |_| taking.clone(), &nothing)?;
    let with = sweep_given(scope, &Build::Faulty, |_| taking.clone(), &given)?;
    let mut table = Table::new(["app", "engine", "what", "without", "with", "ratio"]);
    for (place, app) in scope.apps.iter().enumerate() {
        for (engine, config) in taking.iter().enumerate() {
            for (what, count) in MEASURES {
                let of = |runs: &[Ran]| {
                    median(&runs.iter().map(|ran| count(app, ran)).collect::<Vec<_>>()).unwrap_or_default()
                };
                let (before, after) = (of(&without[place][engine]), of(&with[place][engine]));
                let label = config.settings().info().label;
                let words = [Cell::Text(label.to_owned()), Cell::Text(what.to_owned())];
                let counts = [Cell::Count(before), Cell::Count(after), Cell::ratio(after, before)];
                table.row(app.manifest().label, words.into_iter().chain(counts));
            }
        }
    }
    let legend = "Faulty apps, the median of the seeds; an engine that saw fewer activities counts with all its events.";
    Ok(vec![Part::Text(legend.to_owned()), Part::Table(table)])
}

/// For each app the shortest ways to what PBFDroid found.
fn given(scope: &Scope) -> Result<Vec<Vec<GivenTrace>>, Failure> {
    let job = |app: &&'static BundledApp| Job {
        app,
        build: Build::Faulty,
        engine: EngineConfig::Pbfdroid(PbfdroidConfig::default()),
        seed: TEACHER,
        events: scope.events,
        given: Vec::new(),
    };
    let jobs: Vec<Job> = scope.apps.iter().map(job).collect();
    let traces = |(app, ran): (&&'static BundledApp, Ran)| {
        let given = |found: super::runner::Found| GivenTrace {
            name: found.id,
            app: app.manifest().package.to_owned(),
            trace: Arc::new(found.trace),
            content: 0,
        };
        ran.findings.into_iter().map(given).collect()
    };
    Ok(scope.apps.iter().zip(run_all(&jobs)?).map(traces).collect())
}
