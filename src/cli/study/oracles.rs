//! What the oracles of the others add to an engine. Every test of every engine is judged by crashes, the apps'
//! specifications and ODIN's oracle; Genie's needs the mutants that only Genie makes.

use super::runner::{Ran, seeds_that_found, sweep_judged_by_all};

use super::{Scope, Study};
use crate::cli::Failure;
use taproof_bench::table::{Cell, Part, Table};
use taproof_core::campaign::Build;
use taproof_core::engine::single_engines;
use taproof_phone::Oracle;

pub(super) const STUDY: Study = Study {
    // The constants by which ODIN's oracle judges the tests of other engines were chosen with seeds 1 to 5.
    seeds: &[6..=10],
    events: 40_000,
    paper: "each judges its own tests only; that every oracle looks at every test is ours.",
    answer,
};

const ALL: [Oracle; 5] = [Oracle::Property, Oracle::Crash, Oracle::Genie, Oracle::Odin, Oracle::Preservation];

fn answer(scope: &Scope) -> Result<Vec<Part>, Failure> {
    let (faulty, sound) =
        (sweep_judged_by_all(scope, &Build::Faulty)?, sweep_judged_by_all(scope, &Build::Sound)?);
    let labels = || single_engines().map(|engine| engine.label);
    let mut bugs = Table::new(["bug"].into_iter().chain(labels()));
    for (app, by_engine) in scope.apps.iter().zip(&faulty) {
        for bug in app.manifest().bugs {
            bugs.row(bug.id, by_engine.iter().map(|runs| seeds_that_found(bug.id, &ALL, runs)));
        }
    }
    let mut noise = Table::new(["findings without a bug, a run"].into_iter().chain(labels()));
    for (label, oracle) in [("property", Oracle::Property), ("Genie", Oracle::Genie), ("ODIN", Oracle::Odin)]
    {
        for (build, ran) in [("faulty", &faulty), ("sound", &sound)] {
            let of_engine = |place: usize| {
                let runs: Vec<&Ran> = ran.iter().flat_map(|by_engine| &by_engine[place]).collect();
                let without =
                    |ran: &&Ran| ran.found_by(&[oracle]).filter(|found| found.attribution.is_none()).count();
                Cell::ratio(runs.iter().map(without).sum::<usize>() as f64, runs.len() as f64)
            };
            noise.row(format!("{label}, {build} apps"), (0..single_engines().count()).map(of_engine));
        }
    }
    let legend = "Seeds that found the bug, by whichever oracle, and the median of the events it took them.";
    let of_noise = "What the oracles said that is attributed to no bug, the mean of the runs on all apps.";
    Ok(vec![
        Part::Text(legend.to_owned()),
        Part::Table(bugs),
        Part::Text(of_noise.to_owned()),
        Part::Table(noise),
    ])
}
