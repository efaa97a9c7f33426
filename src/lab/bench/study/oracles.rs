//! What the oracles of the others add to an engine. Every test of every engine is judged by crashes, the apps'
//! specifications and ODIN's oracle; Genie's needs the mutants that only Genie makes.

use taproof::cli::command::Failure;
use taproof_campaign::Oracles;
use taproof_engine::device::Build;
use taproof_engine::single_engines;
use taproof_phone::Oracle;

use super::scope::{attributed, count};
use super::{Scope, Study};
use crate::tables::table::{Cell, Part, Table};

pub(super) const STUDY: Study = Study {
    name: "oracles",
    about: "Which bugs each engine finds where all oracles look on, and what they say that is none",
    // The constants by which ODIN's oracle judges the tests of other engines were chosen with seeds 1 to 5.
    seeds: &[6..=10],
    events: 40_000,
    paper: "each judges its own tests only; that every oracle looks at every test is ours.",
    answer,
};

fn answer(scope: &Scope<'_>) -> Result<Vec<Part>, Failure> {
    let on = |build| scope.run(scope.every(build, Oracles::All, 10));
    let (faulty, sound) = (on(&Build::Faulty)?, on(&Build::Sound)?);
    let head = |first| [first].into_iter().chain(single_engines().map(|engine| engine.label));
    let engines = 0..single_engines().count();
    let mut bugs = Table::new(head("bug"));
    for (row, app) in faulty.rows().zip(&scope.apps) {
        for bug in app.manifest().bugs {
            let found = |engine| row.seeds_that_found(bug.id, engine, &Oracle::ALL);
            bugs.row(bug.id, engines.clone().map(found));
        }
    }
    let mut noise = Table::new(head("findings without a bug, a run"));
    for (label, oracle) in [("property", Oracle::Property), ("Genie", Oracle::Genie), ("ODIN", Oracle::Odin)]
    {
        for (build, runs) in [("faulty", &faulty), ("sound", &sound)] {
            let without = |engine| {
                let all = runs.all();
                let wrong = all.total(engine, |ran| count(ran, &[oracle]) - attributed(ran, &[oracle]));
                Cell::ratio(wrong, all.ran(engine).count() as f64)
            };
            noise.row(format!("{label}, {build} apps"), engines.clone().map(without));
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
