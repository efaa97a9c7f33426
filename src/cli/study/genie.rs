//! Genie: how many of its findings are bugs, which bugs it finds, and what it reports in apps without bugs.

use std::collections::BTreeSet;

use super::runner::{Ran, own_bugs, sweep};

use super::{Scope, Study};
use crate::cli::Failure;
use taproof_bench::table::{Cell, Part, Table};
use taproof_core::campaign::Build;
use taproof_core::engine::{EngineConfig, GenieConfig};
use taproof_phone::Oracle;

pub(super) const STUDY: Study = Study {
    seeds: &[1..=5, 6..=10],
    // The paper's Genie plays some ten thousand mutants per app; fewer hardly ever find a bug of ten steps.
    events: 400_000,
    paper: "of 635 distinct reports of Genie (Su et al., OOPSLA 2021) on 12 apps 260 were true, 40.9 %.",
    answer,
};

fn answer(scope: &Scope) -> Result<Vec<Part>, Failure> {
    let engine = |_| vec![EngineConfig::Genie(GenieConfig::default())];
    let (faulty, sound) = (sweep(scope, &Build::Faulty, engine)?, sweep(scope, &Build::Sound, engine)?);
    let mut table = Table::new([
        "app",
        "findings",
        "attributed to a bug",
        "precision",
        "bugs a run",
        "bugs and seeds that found them",
        "findings on the sound app, a run",
        "most",
    ]);
    let (mut all, mut all_true) = (0.0, 0.0);
    for ((app, faulty), sound) in scope.apps.iter().zip(&faulty).zip(&sound) {
        let (faulty, sound) = (&faulty[0], &sound[0]);
        let found = || faulty.iter().flat_map(|ran| ran.found_by(&[Oracle::Genie]));
        let findings = found().count() as f64;
        let attributed = found().filter(|found| !found.attribution.is_none()).count() as f64;
        all += findings;
        all_true += attributed;
        let on_sound = counts(sound, |ran| ran.found_by(&[Oracle::Genie]).count());
        let cells = [
            Cell::Count(findings),
            Cell::Count(attributed),
            Cell::ratio(attributed, findings),
            Cell::median(&counts(faulty, |ran| {
                ran.bugs(&[Oracle::Genie]).keys().collect::<BTreeSet<_>>().len()
            })),
            own_bugs(app, &[Oracle::Genie], faulty),
            Cell::median(&on_sound),
            Cell::Count(on_sound.iter().copied().fold(0.0, f64::max)),
        ];
        table.row(app.manifest().label, cells);
    }
    let rest = (0..4).map(|_| Cell::Nothing);
    table.row(
        "all",
        [Cell::Count(all), Cell::Count(all_true), Cell::ratio(all_true, all)].into_iter().chain(rest),
    );
    let legend = "Firm violations that one mutant of a seed test showed: all of the seeds together, and the median of \
                  what a run finds.";
    Ok(vec![Part::Text(legend.to_owned()), Part::Table(table)])
}

fn counts(runs: &[Ran], count: impl Fn(&Ran) -> usize) -> Vec<f64> {
    runs.iter().map(|ran| count(ran) as f64).collect()
}
