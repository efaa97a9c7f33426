//! Runs of DMFs are recognised in traces that do not say where they are, and judged as they were.

use std::collections::BTreeSet;
use std::sync::Arc;

use taproof_campaign::{CampaignPlan, CampaignSink, ConfirmPlan, Finding, run};
use taproof_engine::device::{Build, DeviceSource};
use taproof_engine::worker::CancelToken;
use taproof_engine::{
    CampaignStats, Engine, EngineConfig, Limits, MonkeyConfig, NoWatcher, PbfdroidConfig, RoundCtx,
    RoundDoor, TestTarget, judge_recorded,
};
use taproof_phone::BundledPhones;
use taproof_phone::apps::{Apps, shipped_specs};
use taproof_results::store::{SpecSource, read_specs};
use taproof_screen::determinism::{DeviceDuration, Rng};
use taproof_screen::{DrawnText, OracleKind, TextClass, Trace};

fn plan(app: &str, build: Build, engine: EngineConfig, events: u64) -> CampaignPlan {
    let sources: Vec<SpecSource> =
        shipped_specs(app).map(|spec| SpecSource::file(spec.path, spec.text)).collect();
    CampaignPlan {
        build,
        spec: Arc::new(read_specs(&sources).unwrap()),
        confirm: ConfirmPlan { pictures: false, ..ConfirmPlan::default() },
        ..CampaignPlan::new(Apps::default().find(app).unwrap().manifest().package, engine, events)
    }
}

fn pbfdroid() -> EngineConfig {
    EngineConfig::Pbfdroid(PbfdroidConfig::default())
}

/// The tests that PBFDroid makes.
fn tests_of(plan: &CampaignPlan, target: &TestTarget, rounds: u64) -> Vec<Trace> {
    let mut device = BundledPhones::new(&plan.app, &plan.build).fresh().unwrap();
    let mut engine: Box<dyn Engine> = plan.engines[0].settings().build(target);
    let limits = Limits { events: u64::MAX, device_time: DeviceDuration(u64::MAX) };
    let mut stats = CampaignStats::new(target, limits);
    let test = |round| {
        let door = RoundDoor {
            device: &mut *device,
            target,
            stats: &mut stats,
            watcher: &mut NoWatcher,
            cancelled: &|| false,
        };
        let mut ctx = RoundCtx::new(door, Rng::from_seed(1).fork_indexed("round", round)).unwrap();
        engine.round(&mut ctx).unwrap();
        ctx.last_test().trace
    };
    (0..rounds).map(test).collect()
}

fn texts_of(inputs: &[DrawnText]) -> Vec<&str> {
    inputs.iter().map(|drawn| drawn.text.as_str()).collect()
}

#[test]
fn runs_are_recognised_without_being_told() {
    for app in ["files", "notes", "diary"] {
        let plan = plan(app, Build::Sound, pbfdroid(), 1);
        let target = TestTarget::new(&plan.app, &plan.spec, true);
        let (mut known, mut all, mut repeated) = (0, 0, 0);
        for mut trace in tests_of(&plan, &target, 15) {
            let spans = std::mem::take(&mut trace.spans);
            let judged = judge_recorded(&trace, &target);
            let told: Vec<&str> = judged.violations.iter().map(|(_, told)| &*told.title).collect();
            assert!(told.is_empty(), "{app}: {told:?}");
            let until = judged.drifted_after.unwrap_or(usize::MAX);
            for span in spans.iter().filter(|span| span.completed && span.end_step < until) {
                all += 1;
                let found = judged.occurrences.iter().find(|occurrence| {
                    (occurrence.dmf, occurrence.first_step) == (span.dmf, span.first_step)
                        && texts_of(&occurrence.inputs) == texts_of(&span.inputs)
                });
                known += usize::from(found.is_some());
                // A re-execution depends on it: what was drawn to repeat an object is known to repeat one.
                let repeats = |drawn: &DrawnText| drawn.class.is_some_and(TextClass::repeats);
                for (drawn, seen) in span.inputs.iter().zip(found.iter().flat_map(|found| &found.inputs)) {
                    assert!(!repeats(drawn) || repeats(seen), "{app}: {}: {drawn:?}, {seen:?}", span.name);
                    repeated += usize::from(repeats(drawn));
                }
            }
        }
        assert!(repeated > 50, "{app}: {repeated}");
        println!("{app}: {known} of {all} runs recognised");
        assert!(all > 100 && known * 100 >= all * 98, "{app}: {known} of {all}");
    }
}

/// Keeps what was found.
#[derive(Default)]
struct Kept(Vec<Arc<Finding>>);

impl CampaignSink for Kept {
    fn finding(&mut self, finding: Arc<Finding>) {
        taproof_campaign::keep_latest(&mut self.0, finding);
    }
}

fn findings(plan: &CampaignPlan) -> Vec<Arc<Finding>> {
    let mut kept = Kept::default();
    run(
        plan,
        &plan.engines[0],
        &mut BundledPhones::new(&plan.app, &plan.build),
        &CancelToken::new(),
        &mut kept,
    );
    kept.0
}

/// Conditions on what may be further down in a list cannot be judged where nobody scrolled.
#[test]
fn violations_are_seen_in_the_trace_alone() {
    let plan = plan("diary", Build::Faulty, pbfdroid(), 10_000);
    let target = TestTarget::new(&plan.app, &plan.spec, true);
    let (mut seen, mut all) = (BTreeSet::new(), BTreeSet::new());
    for finding in findings(&plan).iter().filter(|finding| finding.origin.oracle == OracleKind::Property) {
        let mut trace = finding.minimal.trace.clone();
        trace.spans.clear();
        all.insert(finding.origin.clone());
        let judged = judge_recorded(&trace, &target);
        seen.extend(judged.violations.iter().map(|(_, violation)| violation.origin()));
    }
    println!("{} of {} origins", seen.len(), all.len());
    assert!(!all.is_empty() && seen.is_subset(&all) && seen.len() * 2 >= all.len());
}

/// Random events do what DMFs do only now and then, and what they do to the data is not known: nothing is made up.
#[test]
fn monkey_raises_no_false_alarm() {
    for app in ["files", "notes", "diary"] {
        let found = findings(&plan(app, Build::Sound, EngineConfig::Monkey(MonkeyConfig::default()), 5_000));
        let titles: Vec<&str> = found.iter().map(|finding| &*finding.title).collect();
        assert!(titles.is_empty(), "{app}: {titles:?}");
    }
}
