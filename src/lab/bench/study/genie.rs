//! Genie: how many of its findings are bugs, which bugs it finds, and what it reports in apps without bugs.

use taproof::cli::command::Failure;
use taproof_engine::device::Build;
use taproof_engine::{EngineConfig, GenieConfig};
use taproof_phone::Oracle;

use super::scope::{Row, attributed, count};
use super::{Scope, Study};
use crate::tables::table::{Cell, Part};

pub(super) const STUDY: Study = Study {
    name: "genie",
    about: "Genie's precision, its bugs, and its findings on sound builds",
    seeds: &[1..=5, 6..=10],
    // The paper's Genie plays some ten thousand mutants per app; fewer hardly ever find a bug of ten steps.
    events: 400_000,
    paper: "of 635 distinct reports of Genie (Su et al., OOPSLA 2021) on 12 apps 260 were true, 40.9 %.",
    answer,
};

const OWN: &[Oracle] = &[Oracle::Genie];

fn answer(scope: &Scope<'_>) -> Result<Vec<Part>, Failure> {
    let engine = EngineConfig::Genie(GenieConfig::default());
    let runs = scope.run(vec![scope.own(&Build::Faulty, &engine), scope.own(&Build::Sound, &engine)])?;
    let findings = |row: Row<'_>| row.total(0, |ran| count(ran, OWN));
    let right = |row: Row<'_>| row.total(0, |ran| attributed(ran, OWN));
    let table = runs.by_app_and_all(&[
        ("findings", &|row| Cell::Count(findings(row))),
        ("attributed to a bug", &|row| Cell::Count(right(row))),
        ("precision", &|row| Cell::ratio(right(row), findings(row))),
        ("bugs a run", &|row| {
            row.of_app(|_| Cell::Count(row.median(0, |_, ran| ran.bugs(OWN).len() as f64)))
        }),
        ("bugs and seeds that found them", &|row| row.own_bugs(0, OWN)),
        ("findings on the sound app, a run", &|row| {
            row.of_app(|_| Cell::Count(row.median(1, |_, ran| count(ran, OWN))))
        }),
        ("most", &|row| row.of_app(|_| Cell::Count(row.most(1, |ran| count(ran, OWN))))),
    ]);
    let legend = "Firm violations that one mutant of a seed test showed: all of the seeds together, and the median of \
                  what a run finds.";
    Ok(vec![Part::Text(legend.to_owned()), Part::Table(table)])
}
