//! Code and crashes: time travel compared with random events that restart when they are stuck, and with random events
//! that include system events.

use super::runner::{Ran, sweep};

use super::{Scope, Study};
use crate::cli::Failure;
use taproof_bench::statistics::median;
use taproof_bench::table::{Cell, Part, Table};
use taproof_core::campaign::Build;
use taproof_core::engine::{EngineConfig, MonkeyConfig, TimeMachineConfig};
use taproof_phone::Oracle;
use taproof_phone::apps::BundledApp;

pub(super) const STUDY: Study = Study {
    seeds: &[1..=10, 101..=110],
    events: 10_000,
    paper: "TimeMachine (Dong et al., ICSE 2020) covers 1.15 times the statements of Monkey with restarts and of \
            Monkey with system events (54 % to 47 % and 47 %), and has 4.4 and 1.73 times their crashes (199 to 45 \
            and 115).",
    answer,
};

fn engines() -> Vec<EngineConfig> {
    let machine = TimeMachineConfig::default();
    let system_every = machine.system_every;
    vec![
        EngineConfig::TimeMachine(machine),
        EngineConfig::Monkey(MonkeyConfig { restart: true, ..MonkeyConfig::default() }),
        EngineConfig::Monkey(MonkeyConfig { system_every, ..MonkeyConfig::default() }),
    ]
}

fn answer(scope: &Scope) -> Result<Vec<Part>, Failure> {
    let (sound, faulty) =
        (sweep(scope, &Build::Sound, |_| engines())?, sweep(scope, &Build::Faulty, |_| engines())?);
    let middle = |counts: &[f64]| median(counts).unwrap_or_default();
    let mean = |counts: &[f64]| counts.iter().sum::<f64>() / counts.len().max(1) as f64;
    let covered = table(scope, &sound, |ran| ran.code, middle);
    // A run has only a handful of crashes: their median would be too coarse.
    let crashes = table(scope, &faulty, |ran| ran.found_by(&[Oracle::Crash]).count(), mean);
    let points = |app: &&'static BundledApp| {
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

fn table(
    scope: &Scope,
    ran: &[Vec<Vec<Ran>>],
    count: impl Fn(&Ran) -> usize,
    sum_up: impl Fn(&[f64]) -> f64,
) -> Table {
    let mut table = Table::new([
        "app",
        "TimeMachine",
        "Monkey with restarts",
        "TimeMachine to restarts",
        "Monkey with system events",
        "TimeMachine to system events",
    ]);
    let counts = |runs: &Vec<Ran>| runs.iter().map(|ran| count(ran) as f64).collect::<Vec<_>>();
    let mut sums = vec![vec![0.0; scope.seeds.clone().count()]; engines().len()];
    for (app, by_engine) in scope.apps.iter().zip(ran) {
        let by_engine: Vec<Vec<f64>> = by_engine.iter().map(counts).collect();
        for (sums, counts) in sums.iter_mut().zip(&by_engine) {
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        table.row(app.manifest().label, cells(&by_engine, &sum_up));
    }
    table.row("all", cells(&sums, &sum_up));
    table
}

fn cells(by_engine: &[Vec<f64>], sum_up: impl Fn(&[f64]) -> f64) -> [Cell; 5] {
    let of = |place: usize| sum_up(&by_engine[place]);
    let (machine, restarts, system) = (of(0), of(1), of(2));
    [
        Cell::Count(machine),
        Cell::Count(restarts),
        Cell::ratio(machine, restarts),
        Cell::Count(system),
        Cell::ratio(machine, system),
    ]
}
