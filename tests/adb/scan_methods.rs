//! A scan through adb ends with the same cards whichever way the device is controlled, on a device that tells by its own
//! clock how long it takes for everything.

use std::collections::BTreeSet;

use taproof_adb::{AdbPhones, ControlMethod};
use taproof_core::campaign::{
    Build, CampaignPlan, Cards, ConfirmPlan, DeviceChoice, EndReason, NullSink, SCAN_CONFIRM_SHARE, run,
    scan_engines,
};
use taproof_core::spec::Spec;
use taproof_core::worker::CancelToken;
use taproof_served::{Latency, Like};

use crate::adb::ServedPhone;

/// The titles of the cards of a scan; `None` where there is no adb.
fn cards(app: &str, events: u64, by: ControlMethod) -> Option<BTreeSet<String>> {
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
    let cards = Cards::of(findings.iter().map(|count| &*count.finding), app, &Spec::default());
    Some(cards.cards.iter().chain(&cards.more).map(|card| card.title.clone()).collect())
}

#[test]
#[ignore = "takes minutes: by the shell each event takes several commands"]
fn a_scan_ends_with_the_same_cards_by_the_agent_and_by_the_shell() {
    let [agent, shell] =
        [ControlMethod::Agent, ControlMethod::Shell].map(|by| cards("org.taproof.tasks", 1000, by));
    let Some((agent, shell)) = agent.zip(shell) else { return };
    println!("{agent:#?}");
    assert!(agent.len() >= 3, "{agent:?}");
    assert_eq!(agent, shell);
}
