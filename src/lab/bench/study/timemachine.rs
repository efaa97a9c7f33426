//! Code and crashes: time travel compared with random events that restart when they are stuck, and with random events
//! that include system events.

use taproof::cli::command::Failure;
use taproof_engine::device::Build;
use taproof_engine::{EngineConfig, MonkeyConfig, TimeMachineConfig};
use taproof_phone::{BundledApp, Oracle};

use super::scope::{Row, Runs, count};
use super::{Scope, Study};
use crate::tables::table::{Cell, Part, Table};

pub(super) const STUDY: Study = Study {
    name: "timemachine",
    about: "Code and crashes: TimeMachine beside Monkey with restarts and with system events",
    seeds: &[1..=10, 101..=110],
    events: 10_000,
    paper: "TimeMachine (Dong et al., ICSE 2020) covers 1.15 times the statements of Monkey with restarts and of \
            Monkey with system events (54 % to 47 % and 47 %), and has 4.4 and 1.73 times their crashes (199 to 45 \
            and 115).",
    answer,
};

fn engines() -> [EngineConfig; 3] {
    let machine = TimeMachineConfig::default();
    let system_every = machine.system_every;
    [
        EngineConfig::TimeMachine(machine),
        EngineConfig::Monkey(MonkeyConfig { restart: true, ..MonkeyConfig::default() }),
        EngineConfig::Monkey(MonkeyConfig { system_every, ..MonkeyConfig::default() }),
    ]
}

fn answer(scope: &Scope<'_>) -> Result<Vec<Part>, Failure> {
    let on = |build| scope.run(engines().iter().map(|engine| scope.own(build, engine)).collect());
    let (sound, faulty) = (on(&Build::Sound)?, on(&Build::Faulty)?);
    let covered = table(&sound, |row, engine| row.median(engine, |_, ran| ran.code as f64));
    // A run has only a handful of crashes: their median would be too coarse.
    let crashes = table(&faulty, |row, engine| row.mean(engine, |ran| count(ran, &[Oracle::Crash])));
    let points = |app: &BundledApp| {
        let manifest = app.manifest();
        format!("{} of {}", manifest.points.len(), manifest.label)
    };
    let legend = format!(
        "Code points of the sound app that were executed, of those that it declares ({}), the median of the seeds; \
         \"all\" adds the apps up for each seed.",
        scope.apps.iter().map(points).collect::<Vec<_>>().join(", ")
    );
    Ok(vec![
        Part::Text(legend),
        Part::Table(covered),
        Part::Text("Different crashes and hangs of the faulty app, the mean of the seeds.".to_owned()),
        Part::Table(crashes),
    ])
}

fn table(runs: &Runs<'_>, of: impl Fn(Row<'_>, usize) -> f64) -> Table {
    runs.by_app_and_all(&[
        ("TimeMachine", &|row| Cell::Count(of(row, 0))),
        ("Monkey with restarts", &|row| Cell::Count(of(row, 1))),
        ("TimeMachine to restarts", &|row| Cell::ratio(of(row, 0), of(row, 1))),
        ("Monkey with system events", &|row| Cell::Count(of(row, 2))),
        ("TimeMachine to system events", &|row| Cell::ratio(of(row, 0), of(row, 2))),
    ])
}
