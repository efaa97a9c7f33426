//! Runs the campaigns of a study on all cores, with the results in the order of the plans.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::Scope;

use crate::cli::campaign::checked;
use crate::cli::{Failure, message};
use taproof_bench::parallel::{all_in_parallel, cores};
use taproof_bench::statistics::median;
use taproof_bench::table::Cell;
use taproof_bench::technique;
use taproof_core::campaign::{
    Attribution, Build, CampaignPlan, CampaignReport, ConfirmPlan, EndReason, Finding, NullSink, Oracles,
    SeedTrace, run,
};
use taproof_core::engine::{EngineConfig, single_engines};
use taproof_core::model::{ReuseModel, Trace};
use taproof_core::worker::CancelToken;
use taproof_phone::{Apps, BundledApp, BundledPhones, Oracle};
use taproof_results::store::StoredPlan;
use taproof_session::shipped_with;

/// A campaign of one engine on one app.
pub(super) struct Job {
    pub(super) app: &'static BundledApp,
    pub(super) build: Build,
    pub(super) engine: EngineConfig,
    pub(super) seed: u64,
    pub(super) events: u64,
    /// Recorded traces to start from.
    pub(super) seed_traces: Vec<SeedTrace>,
    /// The oracles that judge the tests.
    pub(super) oracles: Oracles,
}

/// The result of a campaign.
pub(super) struct Ran {
    pub(super) events: u64,
    /// Number of different activities, and number of events after which the last of them was first seen.
    pub(super) activities: usize,
    pub(super) newest_activity: u64,
    /// Number of code points that were executed.
    pub(super) code: usize,
    pub(super) findings: Vec<Found>,
    pub(super) learned: Option<ReuseModel>,
}

/// The parts of a finding that studies need.
pub(super) struct Found {
    pub(super) id: String,
    pub(super) title: String,
    /// The minimal trace that shows it.
    pub(super) trace: Trace,
    /// The technique that found it.
    pub(super) oracle: Oracle,
    /// The catalogued bugs that it is attributed to.
    pub(super) attribution: Attribution,
    /// Number of events until it was first seen.
    pub(super) event: u64,
}

impl Ran {
    /// The findings by these techniques.
    pub(super) fn found_by(&self, oracles: &[Oracle]) -> impl Iterator<Item = &Found> {
        self.findings.iter().filter(|found| oracles.contains(&found.oracle))
    }

    /// The bugs that the findings by these techniques are attributed to, each with the number of events until it was
    /// found.
    pub(super) fn bugs(&self, oracles: &[Oracle]) -> BTreeMap<&str, u64> {
        let mut bugs = BTreeMap::new();
        for found in self.found_by(oracles) {
            for bug in found.attribution.cause() {
                let event = bugs.entry(bug.as_str()).or_insert(found.event);
                *event = found.event.min(*event);
            }
        }
        bugs
    }
}

/// The number of seeds with a finding by these techniques that is attributed to the bug, and the median number of
/// events until then.
pub(super) fn seeds_that_found(bug: &str, oracles: &[Oracle], runs: &[Ran]) -> Cell {
    let events = runs.iter().filter_map(|ran| ran.bugs(oracles).get(bug).map(|event| *event as f64));
    let events: Vec<f64> = events.collect();
    Cell::Seeds { found: events.len(), of: runs.len(), median: median(&events) }
}

/// The app's bugs that these techniques can see, each with the seeds that found it, in words.
pub(super) fn own_bugs(app: &BundledApp, oracles: &[Oracle], runs: &[Ran]) -> Cell {
    let bugs = app.manifest().bugs.iter();
    let seen = bugs.filter(|bug| bug.oracles.iter().any(|oracle| oracles.contains(oracle)));
    let words = seen.map(|bug| format!("{} {}", bug.id, seeds_that_found(bug.id, oracles, runs).words()));
    let words = words.collect::<Vec<_>>().join("; ");
    if words.is_empty() { Cell::Nothing } else { Cell::Text(words) }
}

/// Runs the engines that `engines` returns for each app, with every seed. Results are by app, engine and seed.
pub(super) fn sweep(
    scope: &Scope,
    build: &Build,
    engines: impl Fn(usize) -> Vec<EngineConfig>,
) -> Result<Vec<Vec<Vec<Ran>>>, Failure> {
    sweep_given(scope, build, engines, &vec![Vec::new(); scope.apps.len()])
}

/// Runs every engine on each app with every seed, judged by all oracles. Results are by app, engine and seed.
pub(super) fn sweep_judged_by_all(scope: &Scope, build: &Build) -> Result<Vec<Vec<Vec<Ran>>>, Failure> {
    let engines = |_| single_engines().map(|engine| (engine.config)()).collect();
    sweep_with(scope, build, engines, &vec![Vec::new(); scope.apps.len()], Oracles::All)
}

/// As [`sweep`], with recorded traces of each app to start from.
pub(super) fn sweep_given(
    scope: &Scope,
    build: &Build,
    engines: impl Fn(usize) -> Vec<EngineConfig>,
    seed_traces: &[Vec<SeedTrace>],
) -> Result<Vec<Vec<Vec<Ran>>>, Failure> {
    sweep_with(scope, build, engines, seed_traces, Oracles::Own)
}

fn sweep_with(
    scope: &Scope,
    build: &Build,
    engines: impl Fn(usize) -> Vec<EngineConfig>,
    seed_traces: &[Vec<SeedTrace>],
    oracles: Oracles,
) -> Result<Vec<Vec<Vec<Ran>>>, Failure> {
    let of_app: Vec<Vec<EngineConfig>> = (0..scope.apps.len()).map(engines).collect();
    let mut jobs = Vec::new();
    for ((app, engines), seed_traces) in scope.apps.iter().zip(&of_app).zip(seed_traces) {
        for engine in engines {
            let job = |seed| {
                let (build, engine, seed_traces) = (build.clone(), engine.clone(), seed_traces.clone());
                Job { app, build, engine, seed, events: scope.events, seed_traces, oracles }
            };
            jobs.extend(scope.seeds.clone().map(job));
        }
    }
    let mut ran = run_all(&jobs)?.into_iter();
    let seeds = scope.seeds.clone().count();
    let mut take = || ran.by_ref().take(seeds).collect();
    Ok(of_app.iter().map(|engines| engines.iter().map(|_| take()).collect()).collect())
}

/// Runs the campaigns in parallel, and returns their results in the order of the jobs.
pub(super) fn run_all(jobs: &[Job]) -> Result<Vec<Ran>, Failure> {
    let plans = jobs.iter().map(plan).collect::<Result<Vec<_>, _>>()?;
    let done = AtomicUsize::new(0);
    all_in_parallel(&plans, cores(), |plan| {
        let report =
            run(plan, &plan.engines[0], &mut BundledPhones::new(plan), &CancelToken::new(), &mut NullSink);
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        let (engine, app, build) = (plan.engine_names(), &plan.app, plan.build.word());
        message(&format!("{done} of {}: {engine} on {app} ({build}), seed {}", plans.len(), plan.seed));
        ran(report)
    })
    .into_iter()
    .collect()
}

/// The plan of a job. With its own oracles only, an engine gets a specification only if it is PBFDroid.
fn plan(job: &Job) -> Result<CampaignPlan, Failure> {
    let apps = Apps::default();
    let plan = CampaignPlan {
        build: job.build.clone(),
        seed_traces: job.seed_traces.clone(),
        seed: job.seed,
        oracles: job.oracles,
        confirm: ConfirmPlan { pictures: false, ..ConfirmPlan::default() },
        ..CampaignPlan::new(job.app.manifest().package, job.engine.clone(), job.events)
    };
    if job.oracles == Oracles::All || matches!(job.engine, EngineConfig::Pbfdroid(_)) {
        let specs = shipped_with(&apps, &plan.app);
        return Ok(checked(&apps, StoredPlan { plan, specs, traces: Vec::new() })?.plan);
    }
    plan.check(&apps.facts(&plan.app)).map_err(|error| Failure::BadInput(error.into()))?;
    Ok(plan)
}

fn ran(report: CampaignReport) -> Result<Ran, Failure> {
    match report.end {
        EndReason::Exhausted | EndReason::BudgetSpent => {}
        EndReason::DeviceFailed(error) => return Err(error.into()),
        end => {
            let say = format!("a campaign of the study ended early: {}", end.word());
            return Err(Failure::Broken(anyhow::anyhow!(say)));
        }
    }
    let found = |finding: &Finding| Found {
        id: finding.id.clone(),
        title: finding.title.clone(),
        trace: finding.minimal.trace.clone(),
        oracle: technique(finding.origin.oracle),
        attribution: finding.attribution.clone(),
        event: finding.first.event,
    };
    Ok(Ran {
        events: report.stats.events,
        activities: report.stats.activities.len(),
        newest_activity: report.stats.newest_activity.map_or(0, |moment| moment.event),
        code: report.stats.code.len(),
        findings: report.findings.iter().map(|count| found(&count.finding)).collect(),
        learned: report.learned,
    })
}
