//! A campaign that was killed goes on from its last checkpoint and does the same, event by event, as one that was
//! never interrupted.

use std::sync::Arc;
use std::time::Duration;

use taproof_campaign::{CampaignPlan, Checkpoint, ConfirmPlan, Resumption, run, run_from};
use taproof_engine::worker::CancelToken;
use taproof_engine::{ENGINES, EngineConfig, EngineInfo, ExploreWith, PbfdroidConfig};
use taproof_phone::BundledPhones;
use taproof_phone::apps::shipped_specs;
use taproof_results::store::{SpecSource, read_specs};
use taproof_screen::determinism::Rng;
use taproof_testing::keeper::Keeper;

const EVENTS: u64 = 1500;
const KILLS: usize = 10;

fn plan(engine: EngineConfig) -> CampaignPlan {
    let files: Vec<SpecSource> =
        shipped_specs("notes").map(|spec| SpecSource::file(spec.path, spec.text)).collect();
    CampaignPlan {
        spec: Arc::new(read_specs(&files).unwrap()),
        seed: 3,
        confirm: ConfirmPlan { tries: 1, pictures: false, ..ConfirmPlan::default() },
        ..CampaignPlan::new("org.taproof.notes", engine, EVENTS)
    }
}

/// What a campaign came to: fingerprint, events, and each finding with how often it was seen.
type Outcome = (u64, u64, Vec<(String, u64)>);

fn outcome(report: &taproof_campaign::CampaignReport) -> Outcome {
    let findings = report.findings.iter().map(|found| (found.finding.id.clone(), found.count));
    (report.stats.fingerprint(), report.stats.events, findings.collect())
}

fn kill_and_go_on(config: &EngineConfig, name: &str) {
    let plan = plan(config.clone());
    let engine = &plan.engines[0];
    let (cancel, mut keeper) = (CancelToken::new(), Keeper::default());
    let whole =
        outcome(&run(&plan, engine, &mut BundledPhones::new(&plan.app, &plan.build), &cancel, &mut keeper));
    assert!(!keeper.kept.is_empty(), "{name} has no round before its end");
    let mut chance = Rng::from_seed(11).fork(name);
    for _ in 0..KILLS {
        let (kept, told) = &keeper.kept[chance.below(keeper.kept.len())];
        let checkpoint = Checkpoint::read(kept.bytes(), &plan, engine).unwrap();
        let events = checkpoint.events();
        let from =
            Resumption { checkpoint, findings: keeper.findings[..*told].to_vec(), spent: Duration::ZERO };
        let mut phones = BundledPhones::new(&plan.app, &plan.build);
        let report = run_from(&plan, engine, Some(from), &mut phones, &cancel, &mut Keeper::default());
        assert_eq!(outcome(&report), whole, "{name}, killed after event {events}");
    }
}

fn check(name: &str) {
    let info: &EngineInfo = ENGINES.iter().find(|engine| engine.name == name).unwrap();
    kill_and_go_on(&(info.config)(), name);
}

#[test]
#[ignore = "takes long"]
fn pbfdroid_goes_on() {
    check("pbfdroid");
}

#[test]
#[ignore = "takes long"]
fn genie_goes_on() {
    check("genie");
}

#[test]
#[ignore = "takes long"]
fn odin_goes_on() {
    check("odin");
}

#[test]
fn fastbot2_goes_on() {
    check("fastbot2");
}

#[test]
#[ignore = "takes long"]
fn timemachine_goes_on() {
    check("timemachine");
}

#[test]
#[ignore = "takes long"]
fn monkey_goes_on() {
    let info = ENGINES.iter().find(|engine| engine.name == "monkey").unwrap();
    let mut config = (info.config)();
    for (key, value) in [("test_length", "100"), ("restart", "true"), ("system_every", "20")] {
        config.set(key, value).unwrap();
    }
    kill_and_go_on(&config, "monkey");
}

#[test]
#[ignore = "takes long"]
fn guided_property_based_fuzzing_goes_on() {
    for explore in [ExploreWith::Fastbot2, ExploreWith::TimeMachine] {
        let config = PbfdroidConfig { explore, ..PbfdroidConfig::default() };
        kill_and_go_on(&EngineConfig::Pbfdroid(config), explore.word());
    }
}

#[test]
fn a_checkpoint_of_another_plan_or_of_nothing_is_refused() {
    let info = ENGINES.iter().find(|engine| engine.name == "monkey").unwrap();
    let plan_of = |seed| CampaignPlan { seed, ..plan((info.config)()) };
    let mut config = (info.config)();
    config.set("test_length", "100").unwrap();
    let one = CampaignPlan { engines: vec![config], ..plan_of(1) };
    let mut keeper = Keeper::default();
    run(
        &one,
        &one.engines[0],
        &mut BundledPhones::new(&one.app, &one.build),
        &CancelToken::new(),
        &mut keeper,
    );
    let bytes = keeper.kept[0].0.bytes();
    assert!(Checkpoint::read(bytes, &one, &one.engines[0]).is_ok());
    let other = plan_of(2);
    let error = Checkpoint::read(bytes, &other, &other.engines[0]).err().unwrap().to_string();
    assert!(error.contains("another plan"), "{error}");
    for broken in [&bytes[..bytes.len() / 2], &[], b"not a checkpoint at all, but long enough to be one"] {
        assert!(Checkpoint::read(broken, &one, &one.engines[0]).is_err());
    }
}
