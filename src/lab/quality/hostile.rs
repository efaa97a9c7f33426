//! Campaigns on phones that misbehave as real ones do: nothing is a bug that the app does not have, and its bugs are
//! found.

use taproof_campaign::{BugClass, CampaignReport, NullSink, run};
use taproof_engine::device::Build;
use taproof_engine::worker::CancelToken;
use taproof_engine::{ENGINES, EngineConfig, PbfdroidConfig};
use taproof_hostile::{HostilePhones, Hostilities, Hostility};
use taproof_phone::BundledPhones;

use crate::wrapped::plan_of;

const EVENTS: u64 = 400;

fn ran(engine: EngineConfig, build: Build, events: u64, hostilities: &Hostilities) -> CampaignReport {
    let plan = plan_of(engine, "files", build, events);
    let mut phones = BundledPhones::new(&plan.app, &plan.build);
    let mut hostile = HostilePhones::new(&mut phones, hostilities.clone(), 1);
    run(&plan, &plan.engines[0], &mut hostile, &CancelToken::new(), &mut NullSink)
}

fn bugs(report: &CampaignReport) -> Vec<&str> {
    let bugs = report.findings.iter().filter(|found| found.finding.class() == BugClass::Bug);
    bugs.map(|found| &*found.finding.title).collect()
}

#[test]
fn no_hostility_is_a_bug_of_the_app() {
    let all: Hostilities = Hostility::ALL.into_iter().collect();
    for hostilities in Hostility::ALL.map(|kind| Hostilities::from_iter([kind])).into_iter().chain([all]) {
        for engine in ENGINES {
            let report = ran((engine.config)(), Build::Sound, EVENTS, &hostilities);
            assert_eq!(bugs(&report), Vec::<&str>::new(), "{} on {hostilities}", engine.name);
            assert!(report.stats.events >= EVENTS, "{} on {hostilities}: {:?}", engine.name, report.end);
        }
    }
}

#[test]
fn bugs_are_found_on_a_phone_that_is_hostile_in_every_way() {
    let all = Hostility::ALL.into_iter().collect();
    let engine = EngineConfig::Pbfdroid(PbfdroidConfig::default());
    let report = ran(engine, Build::Faulty, 3_000, &all);
    assert!(!bugs(&report).is_empty(), "{:?}", report.end);
}
