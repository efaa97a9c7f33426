//! False alarms: what the specifications report in builds without bugs, with any engine. There should be none.

use taproof::cli::command::Failure;
use taproof_campaign::Oracles;
use taproof_engine::device::Build;
use taproof_engine::single_engines;
use taproof_phone::Oracle;

use super::scope::count;
use super::{Scope, Study};
use crate::tables::table::{Cell, Part, Table};

pub(super) const STUDY: Study = Study {
    name: "sound",
    about: "What the specifications say of builds without bugs, whichever engine runs: nothing, if all is well",
    seeds: &[11..=20],
    events: 40_000,
    paper: "none asks this; what a tool says of apps without bugs is our own question.",
    answer,
};

/// Factor for the number of events of Genie, in tenths: it needs more events than others before it plays mutants.
const GENIE_TENTHS: u64 = 25;

const JUDGES: &[Oracle] = &[Oracle::Property, Oracle::Crash];

fn answer(scope: &Scope<'_>) -> Result<Vec<Part>, Failure> {
    let runs = scope.run(scope.every(&Build::Sound, Oracles::All, GENIE_TENTHS))?;
    let mut table = Table::new(["app"].into_iter().chain(single_engines().map(|engine| engine.label)));
    let mut told = Vec::new();
    for row in runs.rows() {
        let app = row.app().map_or("", |app| app.manifest().label);
        let said = |engine| Cell::Count(row.total(engine, |ran| count(ran, JUDGES)));
        table.row(app, (0..single_engines().count()).map(said));
        for (place, engine) in single_engines().enumerate() {
            for (seed, ran) in scope.seeds.clone().zip(row.ran(place)) {
                let line = |title: &str| format!("- {} on {app}, seed {seed}: {title}", engine.label);
                told.extend(ran.found_by(JUDGES).map(|found| line(&found.title)));
            }
        }
    }
    let legend = "Findings of properties, invariants and crashes on the sound build, all seeds together.";
    let mut parts = vec![Part::Text(legend.to_owned()), Part::Table(table)];
    parts.extend((!told.is_empty()).then(|| Part::Text(told.join("\n"))));
    Ok(parts)
}
