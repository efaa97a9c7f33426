//! Which engine finds which catalogued bug. Each engine is judged by its own oracles only, so that the table can be
//! compared with the catalogue: a bug that, according to it, a technique cannot see must not be found by it.

use taproof::cli::command::Failure;
use taproof_campaign::Oracles;
use taproof_engine::device::Build;
use taproof_engine::{EngineConfig, EngineInfo, EngineSettings, KeepConfig, single_engines};
use taproof_phone::{Bug, Oracle};
use taproof_screen::thousands;

use super::scope::Runs;
use super::{Scope, Study};
use crate::oracles::oracles;
use crate::tables::table::{Cell, Part, Table};

pub(super) const STUDY: Study = Study {
    name: "bugs",
    about: "Which engine finds which catalogued bug by its own oracles",
    seeds: &[1..=5],
    events: 40_000,
    paper: "each technique is reported to find bugs that the others miss; the column \"oracle\" is the catalogue's \
            word on who can see a bug (P property, C crash or no answer, G Genie, O ODIN, K what a detour must keep).",
    answer,
};

/// Factor for the number of events of Genie, in tenths. Its bugs take some ten thousand mutants, as many as the paper's
/// Genie plays on an app.
const GENIE_TENTHS: u64 = 100;

fn answer(scope: &Scope<'_>) -> Result<Vec<Part>, Failure> {
    // Keep comes from no paper, and what it finds are the faults of an app without a specification.
    let keep = KeepConfig::default();
    let published: Vec<(usize, &EngineInfo, EngineConfig)> = single_engines()
        .enumerate()
        .filter(|(_, engine)| engine.name != keep.name())
        .map(|(place, engine)| (place, engine, (engine.config)()))
        .collect();
    let all = scope.every(&Build::Faulty, Oracles::Own, GENIE_TENTHS);
    let runs = scope.run(published.iter().map(|(place, ..)| all[*place].clone()).collect())?;
    let mut table =
        Table::new(["bug", "oracle"].into_iter().chain(published.iter().map(|(_, info, _)| info.label)));
    let mut odd = Vec::new();
    for (row, app) in runs.rows().zip(&scope.apps) {
        for bug in app.manifest().bugs {
            let mut cells = vec![Cell::Text(letters(bug))];
            for (engine, (_, info, config)) in published.iter().enumerate() {
                let cell = row.seeds_that_found(bug.id, engine, oracles(config));
                let needs_none = !oracles(config).contains(&Oracle::Property);
                if found(&cell) && needs_none && bug.oracles == [Oracle::Property] {
                    let (engine, bug) = (info.label, bug.id);
                    odd.push(format!(
                        "{engine} found {bug}, which the catalogue says only a property shows."
                    ));
                }
                cells.push(cell);
            }
            table.row(bug.id, cells);
        }
    }
    let engines = published.iter().enumerate();
    let idle = engines.filter(|(engine, (.., config))| !finds_its_own(scope, &runs, *engine, config));
    odd.extend(idle.map(|(_, (_, info, _))| format!("{} found no bug of its own kind.", info.label)));
    let verdict = if odd.is_empty() {
        "As the catalogue says: no bug that only a property shows was found by Genie, ODIN or Monkey, and each of \
         them found bugs of its own kind."
            .to_owned()
    } else {
        format!("Against the catalogue: {}", odd.join(" "))
    };
    let legend = format!(
        "Seeds that found the bug, and the median of the events it took them. Genie has {} events: its bugs take some \
         ten thousand mutants, as many as the paper's plays on an app.",
        thousands(scope.events.saturating_mul(GENIE_TENTHS) / 10)
    );
    Ok(vec![Part::Text(legend), Part::Table(table), Part::Text(verdict)])
}

fn found(cell: &Cell) -> bool {
    matches!(cell, Cell::Seeds { found: 1.., .. })
}

/// Whether the engine found a bug by its own technique in any app.
fn finds_its_own(scope: &Scope<'_>, runs: &Runs<'_>, engine: usize, config: &EngineConfig) -> bool {
    let Some(own) = oracles(config).last() else { return true };
    runs.rows().zip(&scope.apps).any(|(row, app)| {
        let mut bugs = app.manifest().bugs.iter().filter(|bug| bug.oracles.contains(own));
        bugs.any(|bug| found(&row.seeds_that_found(bug.id, engine, &[*own])))
    })
}

fn letters(bug: &Bug) -> String {
    bug.oracles.iter().map(|oracle| oracle.letter()).collect::<Vec<_>>().join(", ")
}
