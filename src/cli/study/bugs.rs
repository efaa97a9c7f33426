//! Which engine finds which catalogued bug. Each engine is judged by its own oracles only, so that the table can be
//! compared with the catalogue: a bug that, according to it, a technique cannot see must not be found by it.

use super::runner::{Ran, seeds_that_found, sweep};

use super::{Scope, Study};
use crate::cli::Failure;
use taproof_bench::oracles;
use taproof_bench::table::{Cell, Part, Table};
use taproof_core::campaign::Build;
use taproof_core::engine::{EngineConfig, EngineInfo, EngineSettings, KeepConfig, single_engines};
use taproof_core::model::thousands;
use taproof_phone::{Bug, Oracle};

pub(super) const STUDY: Study = Study {
    seeds: &[1..=5],
    events: 40_000,
    paper: "each technique is reported to find bugs that the others miss; the column \"oracle\" is the catalogue's \
            word on who can see a bug (P property, C crash or no answer, G Genie, O ODIN, K what a detour must keep).",
    answer,
};

/// Factor for the number of events of Genie. Its bugs take some ten thousand mutants, as many as the paper's Genie
/// plays on an app.
const GENIE_TIMES: u64 = 10;

/// The engines of the papers. Keep comes from none, and what it finds are the faults of an app without a specification.
fn published() -> impl Iterator<Item = &'static EngineInfo> {
    single_engines().filter(|engine| engine.name != KeepConfig::default().name())
}

fn answer(scope: &Scope) -> Result<Vec<Part>, Failure> {
    let engines: Vec<EngineConfig> = published().map(|engine| (engine.config)()).collect();
    let ran = engines.iter().map(|engine| on_every_app(scope, engine)).collect::<Result<Vec<_>, _>>()?;
    let head = ["bug", "oracle"].into_iter().chain(published().map(|engine| engine.label));
    let mut table = Table::new(head);
    let mut odd = Vec::new();
    for (place, app) in scope.apps.iter().enumerate() {
        for bug in app.manifest().bugs {
            let cells: Vec<Cell> = engines
                .iter()
                .zip(&ran)
                .map(|(engine, by_app)| seeds_that_found(bug.id, oracles(engine), &by_app[place]))
                .collect();
            let contradicts = engines.iter().zip(&cells).filter(|(engine, cell)| {
                found(cell) && needs_none(engine) && bug.oracles == [Oracle::Property]
            });
            odd.extend(contradicts.map(|(engine, _)| {
                format!("{} found {}, which the catalogue says only a property shows.", label(engine), bug.id)
            }));
            table.row(bug.id, std::iter::once(Cell::Text(letters(bug))).chain(cells));
        }
    }
    odd.extend(idle(scope, &engines, &ran));
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
        thousands(scope.events.saturating_mul(GENIE_TIMES))
    );
    Ok(vec![Part::Text(legend), Part::Table(table), Part::Text(verdict)])
}

/// The runs of an engine, by app, then by seed.
fn on_every_app(scope: &Scope, engine: &EngineConfig) -> Result<Vec<Vec<Ran>>, Failure> {
    let times = if matches!(engine, EngineConfig::Genie(_)) { GENIE_TIMES } else { 1 };
    let (apps, seeds) = (scope.apps.clone(), scope.seeds.clone());
    let scope = Scope { apps, seeds, events: scope.events.saturating_mul(times) };
    let by_app = sweep(&scope, &Build::Faulty, |_| vec![engine.clone()])?;
    Ok(by_app.into_iter().flatten().collect())
}

/// Whether the engine works without a specification.
fn needs_none(engine: &EngineConfig) -> bool {
    !oracles(engine).contains(&Oracle::Property)
}

fn found(cell: &Cell) -> bool {
    matches!(cell, Cell::Seeds { found: 1.., .. })
}

/// The engines that found no bug by their own technique in any app.
fn idle(scope: &Scope, engines: &[EngineConfig], ran: &[Vec<Vec<Ran>>]) -> Vec<String> {
    let own = |engine: &EngineConfig| oracles(engine).last().copied();
    let finds = |place: usize, oracle: Oracle| {
        scope.apps.iter().zip(&ran[place]).any(|(app, runs)| {
            let bugs = app.manifest().bugs.iter().filter(|bug| bug.oracles.contains(&oracle));
            bugs.into_iter().any(|bug| found(&seeds_that_found(bug.id, &[oracle], runs)))
        })
    };
    let idle = engines
        .iter()
        .enumerate()
        .filter(|(place, engine)| own(engine).is_some_and(|oracle| !finds(*place, oracle)));
    idle.map(|(_, engine)| format!("{} found no bug of its own kind.", label(engine))).collect()
}

fn label(engine: &EngineConfig) -> &'static str {
    engine.info().label
}

fn letters(bug: &Bug) -> String {
    bug.oracles.iter().map(|oracle| oracle.letter()).collect::<Vec<_>>().join(", ")
}
