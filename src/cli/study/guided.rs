//! What PBFDroid gains, and which false alarms it has, if an explorer other than random chooses the events between its
//! DMFs.

use std::collections::BTreeMap;

use super::runner::{Ran, sweep};

use super::{Scope, Study};
use crate::cli::Failure;
use taproof_bench::statistics::median;
use taproof_bench::table::{Cell, Part, Table};
use taproof_core::campaign::Build;
use taproof_core::engine::{EngineConfig, ExploreWith, PbfdroidConfig};
use taproof_phone::Oracle;
use taproof_phone::apps::BundledApp;

pub(super) const STUDY: Study = Study {
    seeds: &[1..=10, 101..=110],
    events: 40_000,
    paper: "PBFDroid (Sun et al., ESEC/FSE 2023) explores at random between its DMFs; guiding that is ours.",
    answer,
};

const WAYS: [ExploreWith; 3] = [ExploreWith::Random, ExploreWith::Fastbot2, ExploreWith::TimeMachine];

fn answer(scope: &Scope) -> Result<Vec<Part>, Failure> {
    let engine = |explore| EngineConfig::Pbfdroid(PbfdroidConfig { explore, ..PbfdroidConfig::default() });
    let faulty = sweep(scope, &Build::Faulty, |_| WAYS.map(engine).to_vec())?;
    let sound = sweep(scope, &Build::Sound, |_| WAYS.map(engine).to_vec())?;
    let medians = |count: fn(&Ran) -> usize| {
        move |runs: &[Ran]| Cell::median(&runs.iter().map(|ran| count(ran) as f64).collect::<Vec<_>>())
    };
    let crashes = |runs: &[Ran]| Cell::Count(total(runs, &[Oracle::Crash]) / runs.len().max(1) as f64);
    let alarms = |runs: &[Ran]| Cell::Count(total(runs, &[Oracle::Property, Oracle::Crash]));
    let parts = [
        (
            "Events until all property bugs of the app were found, the median of the seeds, by what chooses the events \
             between DMFs; a run that missed one counts with all its events, and \"all\" adds the apps up for each seed.",
            events_needed(scope, &faulty),
        ),
        (
            "Different crashes and hangs that were found in all the events, the mean of the seeds.",
            by_app(scope, &faulty, crashes),
        ),
        (
            "Findings of properties and crashes on the sound build, all seeds together: false alarms.",
            by_app(scope, &sound, alarms),
        ),
        (
            "Activities seen in all the events, the median of the seeds.",
            by_app(scope, &faulty, medians(|ran| ran.activities)),
        ),
        (
            "Code points executed in all the events, the median of the seeds.",
            by_app(scope, &faulty, medians(|ran| ran.code)),
        ),
    ];
    let parts = parts.into_iter();
    Ok(parts.flat_map(|(legend, table)| [Part::Text(legend.to_owned()), Part::Table(table)]).collect())
}

fn head() -> impl Iterator<Item = &'static str> {
    ["app"].into_iter().chain(WAYS.iter().map(|way| way.word()))
}

fn by_app(scope: &Scope, ran: &[Vec<Vec<Ran>>], cell: impl Fn(&[Ran]) -> Cell) -> Table {
    let mut table = Table::new(head());
    for (app, by_way) in scope.apps.iter().zip(ran) {
        table.row(app.manifest().label, by_way.iter().map(|runs| cell(runs)));
    }
    table
}

fn events_needed(scope: &Scope, ran: &[Vec<Vec<Ran>>]) -> Table {
    let mut table = Table::new(head().chain(["fastbot2 of random", "timemachine of random"]));
    let mut sums = vec![vec![0.0; scope.seeds.clone().count()]; WAYS.len()];
    for (app, by_way) in scope.apps.iter().zip(ran) {
        let needed: Vec<Vec<f64>> =
            by_way.iter().map(|runs| runs.iter().map(|ran| needed(app, ran)).collect()).collect();
        for (sums, needed) in sums.iter_mut().zip(&needed) {
            sums.iter_mut().zip(needed).for_each(|(sum, needed)| *sum += needed);
        }
        table.row(app.manifest().label, compared(&needed));
    }
    table.row("all", compared(&sums));
    table
}

/// Number of findings by these techniques in all runs.
fn total(runs: &[Ran], oracles: &[Oracle]) -> f64 {
    runs.iter().map(|ran| ran.found_by(oracles).count()).sum::<usize>() as f64
}

/// Number of events until every bug of the app that a property shows was found; all events of the run if one was not.
fn needed(app: &BundledApp, ran: &Ran) -> f64 {
    let found: BTreeMap<&str, u64> = ran.bugs(&[Oracle::Property, Oracle::Crash]);
    let wanted = app.manifest().bugs.iter().filter(|bug| bug.oracles.contains(&Oracle::Property));
    let events = wanted.map(|bug| found.get(bug.id).copied().unwrap_or(ran.events));
    events.max().unwrap_or_default() as f64
}

fn compared(by_way: &[Vec<f64>]) -> Vec<Cell> {
    let medians: Vec<f64> = by_way.iter().map(|needed| median(needed).unwrap_or_default()).collect();
    let ratios = medians[1..].iter().map(|guided| Cell::ratio(*guided, medians[0]));
    medians.iter().map(|events| Cell::Count(*events)).chain(ratios).collect()
}
