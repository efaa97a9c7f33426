//! ODIN on the bundled apps: its bug is found and attributed to the right cause, sound apps have no findings,
//! and what is saved between rounds goes on as if nothing had happened.

use std::sync::Arc;

use taproof_campaign::{CampaignPlan, CampaignReport, ConfirmPlan, Finding, NullSink, Oracles, run};
use taproof_engine::device::Build;
use taproof_engine::oracle::may_belief::{MayBeliefConfig, VolatileViews, judge_traces};
use taproof_engine::worker::CancelToken;
use taproof_engine::{
    CampaignStats, Engine, EngineConfig, EngineStats, Limits, NoWatcher, OdinConfig, RoundCtx, RoundDoor,
    TestTarget, odin,
};
use taproof_phone::apps::{Apps, phone_with};
use taproof_phone::{BugSet, BundledPhones, Fonts};
use taproof_screen::OracleKind;
use taproof_screen::determinism::{DeviceDuration, Rng};
use taproof_spec::Spec;

fn campaign(app: &str, build: Build, seed: u64, events: u64) -> CampaignReport {
    let engine = EngineConfig::Odin(OdinConfig::default());
    campaign_of(engine, Oracles::default(), app, build, seed, events)
}

fn campaign_of(
    engine: EngineConfig,
    oracles: Oracles,
    app: &str,
    build: Build,
    seed: u64,
    events: u64,
) -> CampaignReport {
    let plan = CampaignPlan {
        build,
        seed,
        oracles,
        confirm: ConfirmPlan { pictures: false, ..ConfirmPlan::default() },
        ..CampaignPlan::new(app, engine, events)
    };
    run(
        &plan,
        &plan.engines[0],
        &mut BundledPhones::new(&plan.app, &plan.build),
        &CancelToken::new(),
        &mut NullSink,
    )
}

fn minorities(report: &CampaignReport) -> Vec<Arc<Finding>> {
    let own = report.findings.iter().filter(|found| found.finding.origin.oracle == OracleKind::MayBelief);
    own.map(|found| Arc::clone(&found.finding)).collect()
}

#[test]
fn the_page_of_another_activity_is_found_in_three_of_five_seeds() {
    let bug = "diary-long-press-minority";
    let finds = |seed: &u64| {
        let report = campaign("org.taproof.diary", Build::Faulty, *seed, 10_000);
        let findings = minorities(&report);
        let of_bug = findings
            .iter()
            .find(|finding| finding.attribution.cause() == [bug] && finding.reference.is_some());
        // Both pages are an activity's: only beside what was touched does one see which is wrong.
        if let Some(finding) = of_bug {
            let (title, failure) = (&finding.title, &finding.violation.failures[0]);
            let touched = title.strip_prefix("When \u{201c}").and_then(|rest| rest.split_once('\u{201d}'));
            let touched = touched.unwrap_or_else(|| panic!("{title}")).0;
            assert!(
                failure.expected.contains(touched) && !failure.seen.contains(touched),
                "{title}: {failure:?}"
            );
            assert!(!failure.offending.is_empty(), "{failure:?}");
        }
        of_bug.is_some()
    };
    let found: Vec<u64> = (1..=5).filter(finds).collect();
    assert!(found.len() >= 3, "only with the seeds {found:?}");
}

#[test]
fn the_same_shows_in_the_tests_of_an_engine_that_looks_for_crashes() {
    let fastbot2 = |oracles, seed| {
        let engine = EngineConfig::Fastbot2(Box::default());
        minorities(&campaign_of(engine, oracles, "org.taproof.diary", Build::Faulty, seed, 10_000))
    };
    let found: Vec<_> = (1..=3).flat_map(|seed| fastbot2(Oracles::All, seed)).collect();
    let of_bug = found.iter().find(|finding| finding.attribution.cause() == ["diary-long-press-minority"]);
    let of_bug = of_bug.unwrap_or_else(|| panic!("{found:?}"));
    assert_eq!(of_bug.engine, "fastbot2");
    assert!(of_bug.reference.is_some() && of_bug.minimal.trace.len() < 20, "{of_bug:?}");
    assert!(fastbot2(Oracles::Own, of_bug.seed).is_empty());
}

#[test]
fn sound_apps_have_no_findings() {
    // With these seeds, a bookmarked row and a note in the diary were minorities.
    for (app, seed) in [("org.taproof.files", 2), ("org.taproof.diary", 3)] {
        let report = campaign(app, Build::Sound, seed, 10_000);
        let told: Vec<String> = minorities(&report).iter().map(|finding| finding.title.clone()).collect();
        assert!(told.is_empty(), "{app}: {told:?}");
        let EngineStats { numbers, tables, .. } = &report.engine;
        let number = |label: &str| numbers.iter().find(|it| it.label == label).unwrap().count;
        assert!(number("states") > 10 && number("events appended") > 1_000, "{app}: {numbers:?}");
        assert!(!tables[0].rows.is_empty(), "{app}: no clusters");
    }
}

/// Rounds of the engine on a faulty Diary; after each, it is saved and another one goes on if `saves`.
fn rounds(count: u64, saves: bool) -> u64 {
    let package = Apps::default().find("diary").unwrap().manifest().package;
    let bugs = BugSet::all(Apps::default().find("diary").unwrap().manifest());
    let mut phone = phone_with(&Arc::new(Fonts::new()), package, &bugs);
    let target = TestTarget::new(package, &Spec::default(), false);
    let mut stats =
        CampaignStats::new(&target, Limits { events: 4_000, device_time: DeviceDuration(u64::MAX) });
    let mut engine = odin::Odin::new(OdinConfig::default());
    let rng = Rng::from_seed(5);
    for round in 0..count {
        let door = RoundDoor {
            device: &mut phone,
            target: &target,
            stats: &mut stats,
            watcher: &mut NoWatcher,
            cancelled: &|| false,
        };
        let mut ctx = RoundCtx::new(door, rng.fork_indexed("round", round)).unwrap();
        // A test may end; the next round begins another one.
        let ended = engine.round(&mut ctx);
        assert!(ended.is_ok() || ended == Err(taproof_engine::Stop::TestOver), "{ended:?}");
        if saves {
            let saved = engine.save().unwrap();
            engine = odin::Odin::new(OdinConfig::default());
            engine.load(&saved).unwrap();
        }
    }
    stats.fingerprint()
}

#[test]
fn saving_between_rounds_changes_nothing() {
    assert_eq!(rounds(60, true), rounds(60, false));
}

#[test]
fn recorded_traces_are_judged_without_a_device() {
    let report = campaign("org.taproof.diary", Build::Faulty, 1, 10_000);
    let findings = minorities(&report);
    let finding = findings.first().expect("a finding to take traces of");
    let reference = finding.reference.as_ref().unwrap();
    let mut traces = vec![&finding.minimal.trace];
    traces.extend(std::iter::repeat_n(&reference.evidence.trace, 20));
    let config = MayBeliefConfig { drop_explained: false, ..MayBeliefConfig::default() };
    let found = judge_traces(&traces, "org.taproof.diary", &VolatileViews::default(), &config);
    assert!(found.iter().any(|anomaly| anomaly.witness.0 == 0), "{found:?}");
}
