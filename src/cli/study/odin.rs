//! ODIN: with how many seeds it finds the bug that only the majority shows, and what it reports in apps without bugs.

use super::runner::{Ran, own_bugs, sweep};

use super::{Scope, Study};
use crate::cli::Failure;
use taproof_bench::table::{Cell, Part, Table};
use taproof_core::campaign::Build;
use taproof_core::engine::{EngineConfig, OdinConfig};
use taproof_phone::Oracle;

pub(super) const STUDY: Study = Study {
    // The defaults were chosen with the first five.
    seeds: &[1..=5, 6..=15],
    events: 10_000,
    paper: "ODIN (Wang et al., ESEC/FSE 2022) found 28 bugs in 17 apps, 11 of them not found by others.",
    answer,
};

fn answer(scope: &Scope) -> Result<Vec<Part>, Failure> {
    let engine = |_| vec![EngineConfig::Odin(OdinConfig::default())];
    let (faulty, sound) = (sweep(scope, &Build::Faulty, engine)?, sweep(scope, &Build::Sound, engine)?);
    let mut table = Table::new([
        "app",
        "bugs and seeds that found them",
        "findings on the faulty app",
        "on the sound app",
        "most on the sound app",
    ]);
    for ((app, faulty), sound) in scope.apps.iter().zip(&faulty).zip(&sound) {
        let (faulty, sound) = (&faulty[0], &sound[0]);
        let (said, on_sound) = (counts(faulty), counts(sound));
        let most = on_sound.iter().copied().fold(0.0, f64::max);
        let bugs = own_bugs(app, &[Oracle::Odin], faulty);
        let cells = [bugs, Cell::median(&said), Cell::median(&on_sound), Cell::Count(most)];
        table.row(app.manifest().label, cells);
    }
    let legend = "Findings of ODIN\u{2019}s own oracle in a run, the median of the seeds; of each bug the seeds that \
                  found it and the median of the events they took.";
    Ok(vec![Part::Text(legend.to_owned()), Part::Table(table)])
}

fn counts(runs: &[Ran]) -> Vec<f64> {
    runs.iter().map(|ran| ran.found_by(&[Oracle::Odin]).count() as f64).collect()
}
