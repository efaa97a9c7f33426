//! The third research question of the PBFDroid paper: does full fuzzing find more than each function alone (baseline A)
//! and than random events with one function at a time (baseline B)? A baseline has as many events for each function as
//! full fuzzing has for the whole app.

use std::collections::BTreeSet;

use super::runner::{Ran, sweep};

use super::{Scope, Study};
use crate::cli::Failure;
use taproof_bench::table::{Cell, Part, Table};
use taproof_core::campaign::Build;
use taproof_core::engine::{EngineConfig, Mode, PbfdroidConfig};
use taproof_core::model::thousands;
use taproof_phone::Oracle;

pub(super) const STUDY: Study = Study {
    seeds: &[1..=1],
    events: 40_000,
    paper: "PBFDroid (Sun et al., ESEC/FSE 2023) finds bugs that neither baseline finds.",
    answer,
};

const MODES: [Mode; 3] = [Mode::Full, Mode::A, Mode::B];

fn answer(scope: &Scope) -> Result<Vec<Part>, Failure> {
    let engine = |mode| EngineConfig::Pbfdroid(PbfdroidConfig { mode, ..PbfdroidConfig::default() });
    let ran = sweep(scope, &Build::Faulty, |_| MODES.map(engine).to_vec())?;
    let mut table = Table::new(["app", "full", "baseline A", "baseline B", "only full finds"]);
    let mut sums = [0; MODES.len()];
    for (app, by_mode) in scope.apps.iter().zip(&ran) {
        let bugs: Vec<BTreeSet<&str>> = by_mode.iter().map(|runs| bugs(runs)).collect();
        sums.iter_mut().zip(&bugs).for_each(|(sum, bugs)| *sum += bugs.len());
        let cells = bugs.iter().zip(by_mode).map(|(bugs, runs)| cell(bugs, runs));
        table.row(app.manifest().label, cells.chain([only_first(&bugs)]));
    }
    let sums = sums.iter().map(|sum| Cell::Text(format!("**{sum} bugs**")));
    table.row("all", sums.chain([Cell::Text(String::new())]));
    Ok(vec![Part::Table(table)])
}

fn bugs(runs: &[Ran]) -> BTreeSet<&str> {
    runs.iter().flat_map(|ran| ran.bugs(&[Oracle::Property, Oracle::Crash]).into_keys()).collect()
}

fn cell(bugs: &BTreeSet<&str>, runs: &[Ran]) -> Cell {
    let events: u64 = runs.iter().map(|ran| ran.events).sum();
    let word = if bugs.len() == 1 { "bug" } else { "bugs" };
    Cell::Text(format!("{} {word} in {} events", bugs.len(), thousands(events)))
}

fn only_first(bugs: &[BTreeSet<&str>]) -> Cell {
    let Some((first, others)) = bugs.split_first() else { return Cell::Nothing };
    let elsewhere = |bug: &&&str| others.iter().any(|found| found.contains(**bug));
    Cell::Text(first.iter().filter(|bug| !elsewhere(bug)).copied().collect::<Vec<_>>().join(", "))
}
