//! The third research question of the PBFDroid paper: does full fuzzing find more than each function alone (baseline A)
//! and than random events with one function at a time (baseline B)? A baseline has as many events for each function as
//! full fuzzing has for the whole app.

use std::collections::BTreeSet;

use taproof::cli::command::Failure;
use taproof_engine::device::Build;
use taproof_engine::{EngineConfig, Mode, PbfdroidConfig};
use taproof_phone::Oracle;
use taproof_screen::{counted, thousands};

use super::scope::Row;
use super::{Scope, Study};
use crate::tables::table::{Cell, Part};

pub(super) const STUDY: Study = Study {
    name: "rq3",
    about: "Full fuzzing against the two baselines of the PBFDroid paper",
    seeds: &[1..=1],
    events: 40_000,
    paper: "PBFDroid (Sun et al., ESEC/FSE 2023) finds bugs that neither baseline finds.",
    answer,
};

fn answer(scope: &Scope<'_>) -> Result<Vec<Part>, Failure> {
    let mode = |mode| EngineConfig::Pbfdroid(PbfdroidConfig { mode, ..PbfdroidConfig::default() });
    let modes = [Mode::Full, Mode::A, Mode::B].map(mode);
    let runs = scope.run(modes.iter().map(|engine| scope.own(&Build::Faulty, engine)).collect())?;
    let found = |row: Row<'_>, mode: usize| match row.app() {
        Some(_) => {
            let events = row.total(mode, |ran| ran.events as f64) as u64;
            Cell::Text(format!("{} in {} events", counted(bugs(row, mode).len(), "bug"), thousands(events)))
        }
        None => {
            let all: usize = runs.rows().map(|row| bugs(row, mode).len()).sum();
            Cell::Text(format!("**{all} bugs**"))
        }
    };
    let table = runs.by_app_and_all(&[
        ("full", &|row| found(row, 0)),
        ("baseline A", &|row| found(row, 1)),
        ("baseline B", &|row| found(row, 2)),
        ("only full finds", &|row| {
            let elsewhere: BTreeSet<&str> = &bugs(row, 1) | &bugs(row, 2);
            let only: Vec<&str> = bugs(row, 0).difference(&elsewhere).copied().collect();
            Cell::Text(row.app().map_or(String::new(), |_| only.join(", ")))
        }),
    ]);
    Ok(vec![Part::Table(table)])
}

fn bugs(row: Row<'_>, mode: usize) -> BTreeSet<&str> {
    row.ran(mode).flat_map(|ran| ran.bugs(&[Oracle::Property, Oracle::Crash])).collect()
}
