//! The catalogued bugs of the bundled apps are found and attributed to themselves, and the sound builds give no
//! finding. The budget is the paper's; seeds beyond the first are for `taproof fuzz`.

use std::collections::BTreeSet;
use std::sync::Arc;

use taproof_campaign::{CampaignPlan, CampaignReport, ConfirmPlan, EndReason, NullSink, run};
use taproof_engine::device::Build;
use taproof_engine::worker::CancelToken;
use taproof_engine::{EngineConfig, PRESET, PbfdroidConfig, single_engines};
use taproof_phone::apps::{APPS, BundledApp, shipped_specs, specified_apps};
use taproof_phone::{Apps, Bug, BundledPhones, Oracle};
use taproof_results::store::{SpecSource, read_specs};
use taproof_screen::OracleKind;
use taproof_testing::meaning::texts_of_minimal_trace;

fn campaign(app: &BundledApp, build: Build, seed: u64, events: u64) -> CampaignReport {
    campaign_of(EngineConfig::Pbfdroid(PbfdroidConfig::default()), app, build, seed, events)
}

fn campaign_of(
    engine: EngineConfig,
    app: &BundledApp,
    build: Build,
    seed: u64,
    events: u64,
) -> CampaignReport {
    let plan = plan_of(engine, app, build, seed, events);
    run(
        &plan,
        &plan.engines[0],
        &mut BundledPhones::new(&plan.app, &plan.build),
        &CancelToken::new(),
        &mut NullSink,
    )
}

fn plan(app: &BundledApp, build: Build, seed: u64, events: u64) -> CampaignPlan {
    plan_of(EngineConfig::Pbfdroid(PbfdroidConfig::default()), app, build, seed, events)
}

fn plan_of(engine: EngineConfig, app: &BundledApp, build: Build, seed: u64, events: u64) -> CampaignPlan {
    let sources: Vec<SpecSource> =
        shipped_specs(app.short_name()).map(|spec| SpecSource::file(spec.path, spec.text)).collect();
    CampaignPlan {
        build,
        spec: Arc::new(read_specs(&sources).unwrap()),
        seed,
        confirm: ConfirmPlan { pictures: false, ..ConfirmPlan::default() },
        ..CampaignPlan::new(app.manifest().package, engine, events)
    }
}

fn attributed(report: &CampaignReport) -> BTreeSet<String> {
    report.findings.iter().flat_map(|found| found.finding.attribution.bugs()).collect()
}

/// Whatever is left out of a trace, each text of the rest must be what it was drawn as: a search for another spelling
/// of a note is a search for something else once that note is gone.
#[test]
fn minimal_traces_mean_what_their_texts_say() {
    for (app, seed) in specified_apps().flat_map(|app| (1..=2).map(move |seed| (app, seed))) {
        let plan = plan(app, Build::Faulty, seed, 6000);
        let report = campaign(app, Build::Faulty, seed, 6000);
        let findings = report.findings.iter().map(|found| &found.finding);
        let texts: Vec<(String, bool)> =
            findings.flat_map(|finding| texts_of_minimal_trace(finding, &plan.spec)).collect();
        let wrong: Vec<&String> = texts.iter().filter(|(_, right)| !right).map(|(text, _)| text).collect();
        assert!(wrong.is_empty(), "{} with seed {seed}: {wrong:?}", app.short_name());
        assert!(texts.len() > 5, "{} with seed {seed}: {texts:?}", app.short_name());
    }
}

fn seen_by_properties_or_crashes(bug: &&Bug) -> bool {
    bug.oracles.iter().any(|oracle| matches!(oracle, Oracle::Property | Oracle::Crash))
}

fn all_bugs_are_found(name: &str) {
    let apps = Apps::default();
    let app = apps.find(name).unwrap();
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
        assert!(!finding.attribution.is_none(), "{} is attributed to nothing", finding.title);
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
    for app in specified_apps() {
        let report = campaign(app, Build::Sound, 1, 40_000);
        let titles: Vec<&str> = report.findings.iter().map(|found| found.finding.title.as_str()).collect();
        assert!(titles.is_empty(), "{}: {titles:?}", app.short_name());
        for counts in &report.stats.properties {
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

/// The rows of Diary that its snackbar covers are touched where they are free, or not at all. Genie and ODIN compare with
/// oracles of their own. With many seeds, and events enough, it is `taproof-lab study sound`.
#[test]
fn no_engine_has_a_finding_of_a_property_on_a_sound_build() {
    let compares = |kind| matches!(kind, OracleKind::IndependentView | OracleKind::MayBelief);
    for app in APPS {
        for engine in single_engines() {
            let config = (engine.config)();
            let events = if matches!(config, EngineConfig::Genie(_)) { 5_000 } else { 2_000 };
            let report = campaign_of(config, app, Build::Sound, 11, events);
            let found = report.findings.iter().map(|found| &found.finding);
            let alarms = found.filter(|finding| !compares(finding.origin.oracle));
            let titles: Vec<&str> = alarms.map(|finding| finding.title.as_str()).collect();
            assert!(titles.is_empty(), "{} on {}: {titles:?}", engine.label, app.short_name());
        }
    }
}

/// A preset leads through code that no default does. ODIN's strict merging renumbers its model while a test is on.
#[test]
fn engines_run_as_in_their_papers() {
    let apps = Apps::default();
    for engine in single_engines().filter(|engine| !engine.paper.is_empty()) {
        let mut config = (engine.config)();
        config.set(PRESET, "paper").unwrap();
        let report = campaign_of(config, apps.find("notes").unwrap(), Build::Faulty, 1, 3_000);
        assert_eq!(report.end, EndReason::BudgetSpent, "{}", engine.label);
    }
}

#[test]
fn a_bug_that_is_off_is_not_found() {
    let apps = Apps::default();
    let app = apps.find("files").unwrap();
    let only = Build::Bugs(vec!["files-rename-on-results".to_owned()]);
    let report = campaign(app, only, 2, 6000);
    assert_eq!(attributed(&report), BTreeSet::from(["files-rename-on-results".to_owned()]));
}
