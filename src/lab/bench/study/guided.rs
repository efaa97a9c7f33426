//! What PBFDroid gains, and which false alarms it has, if an explorer other than random chooses the events between its
//! DMFs.

use taproof::cli::command::Failure;
use taproof_engine::device::Build;
use taproof_engine::{EngineConfig, ExploreWith, PbfdroidConfig};
use taproof_phone::{BundledApp, Oracle};

use super::scope::{Row, Runs, count};
use super::{Scope, Study};
use crate::result::CellResult;
use crate::tables::table::{Cell, Part, Table};

pub(super) const STUDY: Study = Study {
    name: "guided",
    about: "Events to all property bugs, crashes and false alarms: PBFDroid with random and with guided exploration",
    seeds: &[1..=10, 101..=110],
    events: 40_000,
    paper: "PBFDroid (Sun et al., ESEC/FSE 2023) explores at random between its DMFs; guiding that is ours.",
    answer,
};

const WAYS: [ExploreWith; 3] = [ExploreWith::Random, ExploreWith::Fastbot2, ExploreWith::TimeMachine];

fn answer(scope: &Scope<'_>) -> Result<Vec<Part>, Failure> {
    let engine = |explore| EngineConfig::Pbfdroid(PbfdroidConfig { explore, ..PbfdroidConfig::default() });
    let on = |build| scope.run(WAYS.map(|way| scope.own(build, &engine(way))).to_vec());
    let (faulty, sound) = (on(&Build::Faulty)?, on(&Build::Sound)?);
    let needed = |row: Row<'_>, way| row.median(way, needed);
    let events = faulty.by_app_and_all(&[
        (WAYS[0].word(), &|row| Cell::Count(needed(row, 0))),
        (WAYS[1].word(), &|row| Cell::Count(needed(row, 1))),
        (WAYS[2].word(), &|row| Cell::Count(needed(row, 2))),
        ("fastbot2 of random", &|row| Cell::ratio(needed(row, 1), needed(row, 0))),
        ("timemachine of random", &|row| Cell::ratio(needed(row, 2), needed(row, 0))),
    ]);
    let parts = [
        (
            "Events until all property bugs of the app were found, the median of the seeds, by what chooses the events \
             between DMFs; a run that missed one counts with all its events, and \"all\" adds the apps up for each seed.",
            events,
        ),
        (
            "Different crashes and hangs that were found in all the events, the mean of the seeds.",
            by_way(&faulty, |row, way| row.mean(way, |ran| count(ran, &[Oracle::Crash]))),
        ),
        (
            "Findings of properties and crashes on the sound build, all seeds together: false alarms.",
            by_way(&sound, |row, way| row.total(way, |ran| count(ran, &[Oracle::Property, Oracle::Crash]))),
        ),
        (
            "Activities seen in all the events, the median of the seeds.",
            by_way(&faulty, |row, way| row.median(way, |_, ran| ran.activities as f64)),
        ),
        (
            "Code points executed in all the events, the median of the seeds.",
            by_way(&faulty, |row, way| row.median(way, |_, ran| ran.code as f64)),
        ),
    ];
    let parts = parts.into_iter();
    Ok(parts.flat_map(|(legend, table)| [Part::Text(legend.to_owned()), Part::Table(table)]).collect())
}

fn by_way(runs: &Runs<'_>, of: impl Fn(Row<'_>, usize) -> f64) -> Table {
    runs.by_app(&[
        (WAYS[0].word(), &|row| Cell::Count(of(row, 0))),
        (WAYS[1].word(), &|row| Cell::Count(of(row, 1))),
        (WAYS[2].word(), &|row| Cell::Count(of(row, 2))),
    ])
}

/// Number of events until every bug of the app that a property shows was found; all events of the run if one was not.
fn needed(app: &BundledApp, ran: &CellResult) -> f64 {
    let wanted = app.manifest().bugs.iter().filter(|bug| bug.oracles.contains(&Oracle::Property));
    let first = |bug: &str| ran.first_of(bug, &[Oracle::Property, Oracle::Crash]);
    wanted.map(|bug| first(bug.id).unwrap_or(ran.events)).max().unwrap_or_default() as f64
}
