//! False alarms: what the specifications report in builds without bugs, with any engine. There should be none.

use super::runner::{Job, Ran, run_all};

use super::{Scope, Study};
use crate::cli::Failure;
use taproof_bench::table::{Cell, Part, Table};
use taproof_core::campaign::{Build, Oracles};
use taproof_core::engine::{EngineConfig, single_engines};
use taproof_phone::Oracle;

pub(super) const STUDY: Study = Study {
    seeds: &[11..=20],
    events: 40_000,
    paper: "none asks this; what a tool says of apps without bugs is our own question.",
    answer,
};

/// Factor for the number of events of Genie, in tenths: it needs more events than others before it plays mutants.
const GENIE_TENTHS: u64 = 25;

fn answer(scope: &Scope) -> Result<Vec<Part>, Failure> {
    let mut jobs = Vec::new();
    for app in &scope.apps {
        for engine in single_engines() {
            let config = (engine.config)();
            let events = match config {
                EngineConfig::Genie(_) => scope.events * GENIE_TENTHS / 10,
                _ => scope.events,
            };
            jobs.extend(scope.seeds.clone().map(|seed| Job {
                app,
                build: Build::Sound,
                engine: config.clone(),
                seed,
                events,
                seed_traces: Vec::new(),
                oracles: Oracles::All,
            }));
        }
    }
    let mut ran = jobs.iter().zip(run_all(&jobs)?);
    let mut table = Table::new(["app"].into_iter().chain(single_engines().map(|engine| engine.label)));
    let mut told = Vec::new();
    let seeds = scope.seeds.clone().count();
    for app in &scope.apps {
        let mut cells = Vec::new();
        for engine in single_engines() {
            let runs: Vec<(&Job, Ran)> = ran.by_ref().take(seeds).collect();
            let said = |ran: &Ran| ran.found_by(&[Oracle::Property, Oracle::Crash]).count();
            cells.push(Cell::Count(runs.iter().map(|(_, ran)| said(ran)).sum::<usize>() as f64));
            for (job, ran) in &runs {
                let found = ran.found_by(&[Oracle::Property, Oracle::Crash]);
                told.extend(found.map(|found| {
                    format!(
                        "- {} on {}, seed {}: {}",
                        engine.label,
                        app.manifest().label,
                        job.seed,
                        found.title
                    )
                }));
            }
        }
        table.row(app.manifest().label, cells);
    }
    let legend = "Findings of properties, invariants and crashes on the sound build, all seeds together.";
    let mut parts = vec![Part::Text(legend.to_owned()), Part::Table(table)];
    parts.extend((!told.is_empty()).then(|| Part::Text(told.join("\n"))));
    Ok(parts)
}
