//! What engines gain from starting with recorded traces: the minimal traces of what PBFDroid found on the same app with
//! another seed, as `fuzz --from` takes them.

use std::sync::Arc;

use super::runner::{Job, Ran, run_all, sweep_given};

use super::{Scope, Study};
use crate::cli::Failure;
use taproof_bench::table::{Cell, Part, Table};
use taproof_core::campaign::{Build, Oracles, SeedTrace};
use taproof_core::engine::{EngineConfig, PbfdroidConfig, single_engines};
use taproof_phone::Oracle;
use taproof_phone::apps::BundledApp;

pub(super) const STUDY: Study = Study {
    seeds: &[1..=5],
    events: 10_000,
    paper: "no paper does this; Fastbot2 alone begins with what earlier runs have learned.",
    answer,
};

/// The seed of the run whose findings are used. It is not one of the compared runs.
const TEACHER: u64 = 1000;

/// The numbers that are compared.
const MEASURES: [fn(&BundledApp, &Ran) -> f64; 3] = [
    |app, ran| {
        let all = ran.activities >= app.manifest().activities.len();
        if all { ran.newest_activity as f64 } else { ran.events as f64 }
    },
    |_, ran| ran.code as f64,
    |_, ran| ran.bugs(&[Oracle::Crash, Oracle::Genie, Oracle::Odin]).len() as f64,
];

fn answer(scope: &Scope) -> Result<Vec<Part>, Failure> {
    let engines: Vec<EngineConfig> = single_engines().map(|engine| (engine.config)()).collect();
    let taking: Vec<EngineConfig> =
        engines.into_iter().filter(|engine| engine.settings().begins_with_traces()).collect();
    let (seeds, nothing) = (seed_traces(scope)?, vec![Vec::new(); scope.apps.len()]);
    let without = sweep_given(scope, &Build::Faulty, |_| taking.clone(), &nothing)?;
    let with = sweep_given(scope, &Build::Faulty, |_| taking.clone(), &seeds)?;
    let mut table = Table::new([
        "app",
        "engine",
        "traces",
        "events to every activity",
        "with traces",
        "code points",
        "code with traces",
        "bugs",
        "bugs with traces",
    ]);
    for (place, app) in scope.apps.iter().enumerate() {
        for (engine, config) in taking.iter().enumerate() {
            let of = |runs: &[Ran], count: fn(&BundledApp, &Ran) -> f64| {
                Cell::median(&runs.iter().map(|ran| count(app, ran)).collect::<Vec<_>>())
            };
            let (without, with) = (&without[place][engine], &with[place][engine]);
            let counts = MEASURES.iter().flat_map(|count| [of(without, *count), of(with, *count)]);
            let label = Cell::Text(config.info().label.to_owned());
            let traces = Cell::Count(seeds[place].len() as f64);
            table.row(app.manifest().label, [label, traces].into_iter().chain(counts));
        }
    }
    let legend = "Runs on the faulty apps, the median of the seeds, without and with the traces: shortened ways to what \
                  one run of PBFDroid with another seed found. A run that missed an activity counts with all its \
                  events; an engine\u{2019}s bugs are those that its own oracles saw.";
    Ok(vec![Part::Text(legend.to_owned()), Part::Table(table)])
}

/// For each app, the minimal traces of what PBFDroid found.
fn seed_traces(scope: &Scope) -> Result<Vec<Vec<SeedTrace>>, Failure> {
    let job = |app: &&'static BundledApp| Job {
        app,
        build: Build::Faulty,
        engine: EngineConfig::Pbfdroid(PbfdroidConfig::default()),
        seed: TEACHER,
        events: scope.events,
        seed_traces: Vec::new(),
        oracles: Oracles::Own,
    };
    let jobs: Vec<Job> = scope.apps.iter().map(job).collect();
    let traces = |(app, ran): (&&'static BundledApp, Ran)| {
        let seed_trace = |found: super::runner::Found| SeedTrace {
            name: found.id,
            app: app.manifest().package.to_owned(),
            trace: Arc::new(found.trace),
            content: 0,
        };
        ran.findings.into_iter().map(seed_trace).collect()
    };
    Ok(scope.apps.iter().zip(run_all(&jobs)?).map(traces).collect())
}
