//! A scan through adb ends with the same cards whichever way the device is controlled, on a device that tells by its own
//! clock how long it takes for everything.

use std::collections::BTreeSet;
use std::sync::Arc;

use taproof_adb::{AdbPhones, ControlMethod};
use taproof_campaign::{
    BugClass, CampaignPlan, ConfirmPlan, Corrections, DeviceChoice, EndReason, NullSink, SCAN_CONFIRM_SHARE,
    group, of_class, run, scan_engines,
};
use taproof_engine::device::Build;
use taproof_engine::worker::CancelToken;
use taproof_served::{Latency, Like};
use taproof_spec::Spec;

use taproof_testing::device::adb::ServedPhone;

/// What a scan ends with.
#[derive(Debug, PartialEq, Eq)]
struct Scan {
    /// The titles of the cards.
    cards: BTreeSet<String>,
    /// The title of each finding, and the event at which it was found first.
    findings: Vec<(String, u64)>,
}

/// Scans Tasks with all its faults; `None` where there is no adb.
fn scan(events: u64, by: ControlMethod) -> Option<Scan> {
    let app = "org.taproof.tasks";
    let phone = ServedPhone::with(app, &Build::Faulty, Like::Android14, Latency::Told)?;
    let engines = scan_engines();
    let plan = CampaignPlan {
        device: DeviceChoice::Adb(vec![phone.serial.clone()]),
        confirm: ConfirmPlan { pictures: false, share: Some(SCAN_CONFIRM_SHARE), ..ConfirmPlan::default() },
        ..CampaignPlan::new(app, engines[0].clone(), events)
    };
    let mut findings = Vec::new();
    for engine in &engines {
        let mut phones = AdbPhones::at(&phone.own.server, &phone.serial).controlled_by(by);
        let report = run(&plan, engine, &mut phones, &CancelToken::new(), &mut NullSink);
        let ended = matches!(report.end, EndReason::BudgetSpent | EndReason::Exhausted);
        assert!(ended, "{} by {}: {:?}", engine.name(), by.word(), report.end);
        findings.extend(report.findings);
    }
    let found: Vec<_> = findings.iter().map(|count| Arc::clone(&count.finding)).collect();
    let bugs = group(&found, app, &Spec::default(), &Corrections::default());
    Some(Scan {
        cards: of_class(&bugs, BugClass::Bug).iter().map(|bug| bug.title.clone()).collect(),
        findings: findings
            .iter()
            .map(|count| (count.finding.title.clone(), count.finding.first.event))
            .collect(),
    })
}

/// Scans by the agent and by the shell, compares, and returns the number of cards.
fn the_same_by_both(events: u64) -> Option<usize> {
    let agent = scan(events, ControlMethod::Agent)?;
    println!("{agent:#?}");
    assert_eq!(agent, scan(events, ControlMethod::Shell)?);
    Some(agent.cards.len())
}

#[test]
fn a_scan_finds_the_same_by_the_agent_and_by_the_shell() {
    let Some(cards) = the_same_by_both(60) else { return };
    assert!(cards >= 1);
}

#[test]
#[ignore = "takes minutes: by the shell each event takes several commands"]
fn a_longer_scan_ends_with_the_same_cards_by_the_agent_and_by_the_shell() {
    let Some(cards) = the_same_by_both(1500) else { return };
    assert!(cards >= 10, "{cards}");
}
