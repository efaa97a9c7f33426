//! What engines gain from starting with recorded traces: the minimal traces of what PBFDroid found on the same app with
//! another seed, as `fuzz --from` takes them.

use std::sync::Arc;

use taproof::cli::command::Failure;
use taproof_campaign::{CampaignPlan, CampaignReport, Finding, SeedTrace};
use taproof_engine::device::Build;
use taproof_engine::{EngineConfig, PbfdroidConfig, single_engines};
use taproof_phone::{BundledApp, Oracle};

use super::scope::Row;
use super::{Scope, Study, TEACHER};
use crate::result::CellResult;
use crate::tables::table::{Cell, Part, Table};

pub(super) const STUDY: Study = Study {
    name: "from",
    about: "What engines gain that begin with recorded traces: the ways to what PBFDroid found",
    seeds: &[1..=5],
    events: 10_000,
    paper: "no paper does this; Fastbot2 alone begins with what earlier runs have learned.",
    answer,
};

/// The numbers that are compared.
const MEASURES: [fn(&BundledApp, &CellResult) -> f64; 3] = [
    |app, ran| ran.events_to_every_activity(app),
    |_, ran| ran.code as f64,
    |_, ran| ran.bugs(&[Oracle::Crash, Oracle::Genie, Oracle::Odin]).len() as f64,
];

fn answer(scope: &Scope<'_>) -> Result<Vec<Part>, Failure> {
    let engines = single_engines().map(|engine| (engine.label, (engine.config)()));
    let taking: Vec<(&str, EngineConfig)> =
        engines.filter(|(_, engine)| engine.settings().begins_with_traces()).collect();
    let traces = seed_traces(scope)?;
    let given =
        |plan: CampaignPlan, traces: &Vec<SeedTrace>| CampaignPlan { seed_traces: traces.clone(), ..plan };
    let mut series = Vec::new();
    for (_, engine) in &taking {
        let without = scope.own(&Build::Faulty, engine);
        let with = without.iter().cloned().zip(&traces).map(|(plan, traces)| given(plan, traces)).collect();
        series.extend([without, with]);
    }
    let runs = scope.run(series)?;
    let mut table = Table::new([
        "app",
        "engine",
        "traces",
        "events to every activity",
        "with traces",
        "code points",
        "code with traces",
        "bugs",
        "bugs with traces",
    ]);
    for ((row, app), traces) in runs.rows().zip(&scope.apps).zip(&traces) {
        for (engine, (label, _)) in taking.iter().enumerate() {
            let of = |row: Row<'_>, count, with: usize| Cell::Count(row.median(2 * engine + with, count));
            let counts = MEASURES.into_iter().flat_map(|count| [of(row, count, 0), of(row, count, 1)]);
            let first = [Cell::Text((*label).to_owned()), Cell::Count(traces.len() as f64)];
            table.row(app.manifest().label, first.into_iter().chain(counts));
        }
    }
    let legend = "Runs on the faulty apps, the median of the seeds, without and with the traces: shortened ways to what \
                  one run of PBFDroid with another seed found. A run that missed an activity counts with all its \
                  events; an engine\u{2019}s bugs are those that its own oracles saw.";
    Ok(vec![Part::Text(legend.to_owned()), Part::Table(table)])
}

/// For each app, the minimal traces of what PBFDroid found.
fn seed_traces(scope: &Scope<'_>) -> Result<Vec<Vec<SeedTrace>>, Failure> {
    let plans = scope.own(&Build::Faulty, &EngineConfig::Pbfdroid(PbfdroidConfig::default()));
    let plans = plans.into_iter().map(|plan| CampaignPlan { seed: TEACHER, ..plan }).collect();
    let traces = |app: usize, report: CampaignReport| {
        let seed_trace = |finding: &Finding| SeedTrace {
            name: finding.id.clone(),
            app: scope.apps[app].manifest().package.to_owned(),
            trace: Arc::new(finding.minimal.trace.clone()),
            content: 0,
        };
        report.findings.iter().map(|count| seed_trace(&count.finding)).collect()
    };
    scope.run_plans(plans, traces)
}
