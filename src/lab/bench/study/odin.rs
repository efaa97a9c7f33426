//! ODIN: with how many seeds it finds the bug that only the majority shows, and what it reports in apps without bugs.

use taproof::cli::command::Failure;
use taproof_engine::device::Build;
use taproof_engine::{EngineConfig, OdinConfig};
use taproof_phone::Oracle;

use super::scope::count;
use super::{Scope, Study};
use crate::tables::table::{Cell, Part};

pub(super) const STUDY: Study = Study {
    name: "odin",
    about: "ODIN's bug, and its findings on sound builds",
    // The defaults were chosen with the first five.
    seeds: &[1..=5, 6..=15],
    events: 10_000,
    paper: "ODIN (Wang et al., ESEC/FSE 2022) found 28 bugs in 17 apps, 11 of them not found by others.",
    answer,
};

const OWN: &[Oracle] = &[Oracle::Odin];

fn answer(scope: &Scope<'_>) -> Result<Vec<Part>, Failure> {
    let engine = EngineConfig::Odin(OdinConfig::default());
    let runs = scope.run(vec![scope.own(&Build::Faulty, &engine), scope.own(&Build::Sound, &engine)])?;
    let table = runs.by_app(&[
        ("bugs and seeds that found them", &|row| row.own_bugs(0, OWN)),
        ("findings on the faulty app", &|row| Cell::Count(row.median(0, |_, ran| count(ran, OWN)))),
        ("on the sound app", &|row| Cell::Count(row.median(1, |_, ran| count(ran, OWN)))),
        ("most on the sound app", &|row| Cell::Count(row.most(1, |ran| count(ran, OWN)))),
    ]);
    let legend = "Findings of ODIN\u{2019}s own oracle in a run, the median of the seeds; of each bug the seeds that \
                  found it and the median of the events they took.";
    Ok(vec![Part::Text(legend.to_owned()), Part::Table(table)])
}
