//! After how many events every activity of an app is covered: by random events, by Fastbot2, by each half of its
//! algorithm, and with the model of an earlier run.

use std::sync::Arc;

use taproof::cli::command::Failure;
use taproof_campaign::{CampaignPlan, Oracles};
use taproof_engine::device::Build;
use taproof_engine::fastbot2::{Ablation, ReuseModel};
use taproof_engine::{EngineConfig, Fastbot2Config, MonkeyConfig};
use taproof_screen::thousands;

use super::scope::Row;
use super::{Scope, Study, TEACHER};
use crate::tables::table::{Cell, Part};

pub(super) const STUDY: Study = Study {
    name: "fastbot2",
    about: "Events to every activity: Monkey, Fastbot2, its halves, and with what it learned before",
    // The defaults were chosen with the first ten.
    seeds: &[1..=10, 101..=130],
    events: 6000,
    paper: "Fastbot2 (Lv et al., ASE 2022) covers more activities than Monkey and its other rivals in the same time, \
            and most with the model of earlier runs; without the model or without learning it covers fewer.",
    answer,
};

/// Events of the run whose model is reused.
const LESSON: u64 = 3000;

fn answer(scope: &Scope<'_>) -> Result<Vec<Part>, Failure> {
    let fastbot2 = |ablation| Fastbot2Config { ablation, ..Fastbot2Config::default() };
    let own = |config| scope.own(&Build::Sound, &EngineConfig::Fastbot2(Box::new(config)));
    let learned = learned(scope)?.into_iter().zip(own(fastbot2(Ablation::Both)));
    let reused = learned.map(|(prior, plan)| CampaignPlan {
        engines: vec![EngineConfig::Fastbot2(Box::new(Fastbot2Config { prior, ..fastbot2(Ablation::Both) }))],
        ..plan
    });
    let runs = scope.run(vec![
        scope.own(&Build::Sound, &EngineConfig::Monkey(MonkeyConfig::default())),
        own(fastbot2(Ablation::Both)),
        reused.collect(),
        own(fastbot2(Ablation::Model)),
        own(fastbot2(Ablation::Learning)),
    ])?;
    let needed = |row: Row<'_>, engine| row.median(engine, |app, ran| ran.events_to_every_activity(app));
    let table = runs.by_app(&[
        ("activities", &|row| row.of_app(|app| Cell::Count(app.manifest().activities.len() as f64))),
        ("Monkey", &|row| Cell::Count(needed(row, 0))),
        ("Fastbot2", &|row| Cell::Count(needed(row, 1))),
        ("of Monkey\u{2019}s", &|row| Cell::ratio(needed(row, 1), needed(row, 0))),
        ("model reused", &|row| Cell::Count(needed(row, 2))),
        ("of Fastbot2\u{2019}s", &|row| Cell::ratio(needed(row, 2), needed(row, 1))),
        ("probability model alone", &|row| Cell::Count(needed(row, 3))),
        ("learning alone", &|row| Cell::Count(needed(row, 4))),
    ]);
    let legend = format!(
        "Events until every activity of the sound app was seen, the median of the seeds; a run that missed one counts \
         with all {}. The reused model is what one run of {} events with another seed has learned; the other columns \
         begin without any.",
        thousands(scope.events),
        thousands(LESSON)
    );
    Ok(vec![Part::Text(legend), Part::Table(table)])
}

/// The model that one run has learned for each app.
fn learned(scope: &Scope<'_>) -> Result<Vec<Option<Arc<ReuseModel>>>, Failure> {
    let engine = EngineConfig::Fastbot2(Box::default());
    let plans = scope.campaigns(&Build::Sound, &engine, LESSON, Oracles::Own).into_iter();
    let plans = plans.map(|plan| CampaignPlan { seed: TEACHER, ..plan }).collect();
    scope.run_plans(plans, |_, report| report.learned.map(Arc::new))
}
