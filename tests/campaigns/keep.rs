//! The engine keep: it finds what an app loses in a detour, without a specification.

use std::collections::BTreeSet;

use taproof_core::campaign::{Build, CampaignPlan, CampaignReport, Confirmation, NullSink, run};
use taproof_core::engine::{EngineConfig, KeepConfig};
use taproof_core::model::{OracleKind, StepRole};
use taproof_core::oracle::preservation::RELATIONS;
use taproof_core::worker::CancelToken;
use taproof_phone::BundledPhones;

fn campaign(app: &str, build: Build, config: KeepConfig, seed: u64) -> CampaignReport {
    let package = format!("org.taproof.{app}");
    let engine = EngineConfig::Keep(config);
    let mut plan = CampaignPlan { build, seed, ..CampaignPlan::new(&package, engine, 3600) };
    plan.confirm.pictures = false;
    let mut source = BundledPhones::with(&package, &plan.build);
    run(&plan, &plan.engines[0], &mut source, &CancelToken::new(), &mut NullSink)
}

/// The bugs that findings of detours are attributed to.
fn found(report: &CampaignReport) -> BTreeSet<String> {
    let kept = report.findings.iter().filter(|found| found.finding.origin.oracle == OracleKind::Preservation);
    kept.flat_map(|found| found.finding.attribution.bugs()).collect()
}

#[test]
fn what_tasks_loses_is_found_by_detours_and_reproduced() {
    let mut all = BTreeSet::new();
    for seed in 1..=3 {
        let report = campaign("tasks", Build::Faulty, KeepConfig::default(), seed);
        let bugs = found(&report);
        println!("seed {seed}: {bugs:?}");
        all.extend(bugs);
        for found in report.findings.iter().map(|found| &found.finding) {
            assert_eq!(found.confirmation, Confirmation::Reproduced { hits: 3, tries: 3 }, "{}", found.title);
            if found.origin.oracle == OracleKind::Preservation {
                let last = found.minimal.trace.steps().last().unwrap();
                assert_eq!(last.role, StepRole::Detour, "{}", found.title);
            }
        }
    }
    assert!(all.len() >= 6, "{all:?}");
}

#[test]
fn a_relation_that_is_left_out_is_not_tried() {
    let without = RELATIONS.iter().map(|relation| relation.name.to_owned()).collect();
    let report = campaign("tasks", Build::Faulty, KeepConfig { without, ..KeepConfig::default() }, 1);
    assert_eq!(found(&report), BTreeSet::new());
}

/// The settings that leave out all relations but this one.
fn only(relation: &str) -> KeepConfig {
    let others = RELATIONS.iter().map(|other| other.name).filter(|name| *name != relation);
    KeepConfig { without: others.map(str::to_owned).collect(), ..KeepConfig::default() }
}

#[test]
fn permissions_are_taken_only_from_an_app_that_has_some() {
    let detours = |app| campaign(app, Build::Sound, only("permission"), 1).engine.phase;
    assert_eq!(detours("notes"), "0 detours in 0 cases");
    assert_ne!(detours("tasks"), "0 detours in 0 cases");
}

#[test]
fn what_only_a_permission_that_was_taken_away_loses_is_found_in_each_of_five_seeds() {
    let bug = "tasks-permission-draft";
    for seed in 1..=5 {
        let build = Build::Bugs(vec![bug.to_owned()]);
        let report = campaign("tasks", build, KeepConfig::default(), seed);
        assert_eq!(found(&report), BTreeSet::from([bug.to_owned()]), "seed {seed}");
        let subjects = report.findings.iter().map(|found| found.finding.origin.subject.as_str());
        let relations: BTreeSet<&str> = subjects.filter_map(|subject| subject.split(' ').next()).collect();
        assert_eq!(relations, BTreeSet::from(["permission"]), "seed {seed}");
    }
}

#[test]
fn what_the_other_apps_lose_is_found_in_each_of_five_seeds() {
    let faults = [
        ("notes", &["notes-rotate-after-search", "notes-rotate-while-editing"][..]),
        ("diary", &["diary-rotate-bad-date"]),
    ];
    for (app, wanted) in faults {
        for seed in 1..=5 {
            let report = campaign(app, Build::Faulty, KeepConfig::default(), seed);
            let bugs: BTreeSet<String> =
                report.findings.iter().flat_map(|found| found.finding.attribution.bugs()).collect();
            assert!(wanted.iter().all(|bug| bugs.contains(*bug)), "{app}, seed {seed}: {bugs:?}");
        }
    }
}
