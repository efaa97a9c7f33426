//! The catalogued bugs of the bundled apps are found and put down to themselves, and the sound builds give no
//! finding. The budget is the paper's; seeds beyond the first are for `taproof fuzz`.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeSet;
use std::sync::Arc;

use taproof::campaign::{
    Budget, Build, BundledPhones, CampaignPlan, CampaignReport, CampaignSink, ConfirmPlan, DeviceChoice,
    Finding, Oracles, run,
};
use taproof::device::embedded::apps::{APPS, BundledApp, find};
use taproof::device::embedded::{Bug, Oracle};
use taproof::engine::{EngineConfig, PbfdroidConfig};
use taproof::store::{SpecSource, read_specs, shipped_specs};
use taproof::worker::CancelToken;

struct Deaf;

impl CampaignSink for Deaf {
    fn finding(&mut self, _finding: Arc<Finding>) {}
}

fn campaign(app: &BundledApp, build: Build, seed: u64, events: u64) -> CampaignReport {
    let sources: Vec<SpecSource> =
        shipped_specs(app.short_name()).map(|spec| SpecSource::file(spec.path, spec.text)).collect();
    let plan = CampaignPlan {
        app: app.manifest().package.to_owned(),
        build,
        device: DeviceChoice::Bundled,
        engines: vec![EngineConfig::Pbfdroid(PbfdroidConfig::default())],
        spec: Arc::new(read_specs(&sources).unwrap()),
        given: Vec::new(),
        initialiser: None,
        seed,
        budget: Budget { max_events: events, max_device_millis: None },
        oracles: Oracles::default(),
        confirm: ConfirmPlan { pictures: false, ..ConfirmPlan::default() },
    };
    run(&plan, &plan.engines[0], &mut BundledPhones::new(&plan), &CancelToken::new(), &mut Deaf)
}

fn attributed(report: &CampaignReport) -> BTreeSet<String> {
    report.findings.iter().flat_map(|found| found.finding.attributed_bugs.iter().cloned()).collect()
}

fn seen_by_properties_or_crashes(bug: &&Bug) -> bool {
    bug.oracles.iter().any(|oracle| matches!(oracle, Oracle::Property | Oracle::Crash))
}

fn all_bugs_are_found(name: &str) {
    let app = find(name).unwrap();
    let report = campaign(app, Build::Faulty, 1, 40_000);
    let expected: BTreeSet<String> = app
        .manifest()
        .bugs
        .iter()
        .filter(seen_by_properties_or_crashes)
        .map(|bug| bug.id.to_owned())
        .collect();
    assert_eq!(attributed(&report), expected);
    for found in &report.findings {
        let finding = &found.finding;
        assert!(!finding.attributed_bugs.is_empty(), "{} is put down to nothing", finding.title);
        assert!(finding.minimal.trace.len() <= finding.witness.trace.len(), "{}", finding.title);
    }
}

#[test]
fn files_bugs_are_found() {
    all_bugs_are_found("files");
}

/// `notes-search-root` fails every search in the root folder; `notes-rename-case-overwrite` shows in a search
/// too, and is found beside it: a loud bug does not hide a quiet one.
#[test]
fn notes_bugs_are_found_and_the_loud_one_hides_none() {
    all_bugs_are_found("notes");
}

#[test]
fn diary_bugs_are_found() {
    all_bugs_are_found("diary");
}

#[test]
fn sound_builds_give_no_finding_while_every_function_is_executed() {
    for app in APPS {
        let report = campaign(app, Build::Sound, 1, 40_000);
        let titles: Vec<&str> = report.findings.iter().map(|found| found.finding.title.as_str()).collect();
        assert!(titles.is_empty(), "{}: {titles:?}", app.short_name());
        for counts in &report.ledger.properties {
            let name = &counts.name;
            assert!(
                counts.executed >= 20,
                "{}: {name} was executed {} times",
                app.short_name(),
                counts.executed
            );
            assert_eq!(counts.violated, 0, "{}: {name}", app.short_name());
        }
    }
}

#[test]
fn a_bug_that_is_off_is_not_found() {
    let app = find("files").unwrap();
    let only = Build::Bugs(vec!["files-rename-on-results".to_owned()]);
    let report = campaign(app, only, 2, 6000);
    assert_eq!(attributed(&report), BTreeSet::from(["files-rename-on-results".to_owned()]));
}

/// The fingerprints of short campaigns. They stand here so that debug and release builds, today's machine
/// and tomorrow's, are held to the same bytes; a change of app, specification or engine changes them.
#[test]
fn fingerprints_are_the_same_everywhere() {
    let fingerprints: Vec<(&str, String)> = APPS
        .iter()
        .map(|app| {
            let report = campaign(app, Build::Faulty, 1, 2000);
            (app.short_name(), format!("{:016x}", report.ledger.fingerprint()))
        })
        .collect();
    let expected =
        [("files", "b9cc1ab65cf945f1"), ("notes", "65a41196038cc130"), ("diary", "3d6a2bafe219414b")];
    assert_eq!(fingerprints, expected.map(|(app, hash)| (app, hash.to_owned())));
}
