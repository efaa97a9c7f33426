//! After how many events every activity of an app is covered: by random events, by Fastbot2, by each half of its
//! algorithm, and with the model of an earlier run.

use std::sync::Arc;

use super::runner::{Job, Ran, run_all, sweep};

use super::{Scope, Study};
use crate::cli::Failure;
use taproof_bench::statistics::median;
use taproof_bench::table::{Cell, Part, Table};
use taproof_core::campaign::{Build, Oracles};
use taproof_core::engine::fastbot2::Ablation;
use taproof_core::engine::{EngineConfig, Fastbot2Config, MonkeyConfig};
use taproof_core::model::{ReuseModel, thousands};
use taproof_phone::apps::BundledApp;

pub(super) const STUDY: Study = Study {
    // The defaults were chosen with the first ten.
    seeds: &[1..=10, 101..=130],
    events: 6000,
    paper: "Fastbot2 (Lv et al., ASE 2022) covers more activities than Monkey and its other rivals in the same time, \
            and most with the model of earlier runs; without the model or without learning it covers fewer.",
    answer,
};

/// The seed of the run whose model is reused. It is not one of the compared runs.
const TEACHER: u64 = 1000;
const LESSON: u64 = 3000;

fn answer(scope: &Scope) -> Result<Vec<Part>, Failure> {
    let models = models(scope)?;
    let ran = sweep(scope, &Build::Sound, |app| {
        let fastbot2 = |ablation, prior| {
            EngineConfig::Fastbot2(Box::new(Fastbot2Config { ablation, prior, ..Fastbot2Config::default() }))
        };
        vec![
            EngineConfig::Monkey(MonkeyConfig::default()),
            fastbot2(Ablation::Both, None),
            fastbot2(Ablation::Both, models[app].clone()),
            fastbot2(Ablation::Model, None),
            fastbot2(Ablation::Learning, None),
        ]
    })?;
    let mut table = Table::new([
        "app",
        "activities",
        "Monkey",
        "Fastbot2",
        "of Monkey\u{2019}s",
        "model reused",
        "of Fastbot2\u{2019}s",
        "probability model alone",
        "learning alone",
    ]);
    for (app, by_engine) in scope.apps.iter().zip(&ran) {
        let wanted = app.manifest().activities.len();
        let needed: Vec<Option<f64>> =
            by_engine.iter().map(|runs| needed(runs, wanted, scope.events)).collect();
        let cell = |place: usize| needed[place].map_or(Cell::Nothing, Cell::Count);
        let share = |of: usize, to: usize| match (needed[of], needed[to]) {
            (Some(of), Some(to)) => Cell::ratio(of, to),
            (None, _) | (_, None) => Cell::Nothing,
        };
        let all = Cell::Count(wanted as f64);
        let cells = [all, cell(0), cell(1), share(1, 0), cell(2), share(2, 1), cell(3), cell(4)];
        table.row(app.manifest().label, cells);
    }
    let legend = format!(
        "Events until every activity of the sound app was seen, the median of the seeds; a run that missed one counts \
         with all {}. The reused model is what one run of {} events with another seed has learned; the other columns \
         begin without any.",
        thousands(scope.events),
        thousands(LESSON)
    );
    Ok(vec![Part::Text(legend), Part::Table(table)])
}

fn needed(runs: &[Ran], wanted: usize, most: u64) -> Option<f64> {
    let needed = |ran: &Ran| if ran.activities >= wanted { ran.newest_activity } else { most };
    median(&runs.iter().map(|ran| needed(ran) as f64).collect::<Vec<_>>())
}

/// The model that one run has learned for each app.
fn models(scope: &Scope) -> Result<Vec<Option<Arc<ReuseModel>>>, Failure> {
    let lesson = |app: &&'static BundledApp| {
        let engine = EngineConfig::Fastbot2(Box::default());
        Job {
            app,
            build: Build::Sound,
            engine,
            seed: TEACHER,
            events: LESSON,
            seed_traces: Vec::new(),
            oracles: Oracles::Own,
        }
    };
    let jobs: Vec<Job> = scope.apps.iter().map(lesson).collect();
    Ok(run_all(&jobs)?.into_iter().map(|ran| ran.learned.map(Arc::new)).collect())
}
