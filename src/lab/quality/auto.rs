//! Engines that take turns on one phone.

use std::sync::Arc;

use taproof_campaign::{CampaignPlan, CampaignReport, ConfirmPlan, NullSink, SetupError, run};
use taproof_engine::device::Build;
use taproof_engine::worker::CancelToken;
use taproof_engine::{AutoConfig, Count, EngineConfig, EngineStats, MonkeyConfig, Shares, StatsRow};
use taproof_phone::{Apps, BundledPhones};
use taproof_results::store::{SpecSource, read_specs};
use taproof_screen::OracleKind;
use taproof_spec::Spec;

const EVENTS: u64 = 8000;

/// What Auto tells of its turns.
struct Told {
    numbers: Vec<Count>,
    /// The seconds of each engine.
    times: Vec<Count>,
    rows: Vec<StatsRow>,
}

fn fuzzed(config: AutoConfig, app: &str, with_functions: bool) -> (CampaignReport, Told) {
    let apps = Apps::default();
    let app = apps.find(app).unwrap();
    let package = app.manifest().package;
    let files = app.spec_files().iter();
    let sources: Vec<SpecSource> = files.map(|spec| SpecSource::file(spec.path, spec.text)).collect();
    let spec = if with_functions { read_specs(&sources).unwrap() } else { Spec::default() };
    let plan = CampaignPlan {
        build: Build::Faulty,
        spec: Arc::new(spec),
        confirm: ConfirmPlan { pictures: false, ..ConfirmPlan::default() },
        ..CampaignPlan::new(package, EngineConfig::Auto(config), EVENTS)
    };
    plan.check(&apps.facts(package)).unwrap();
    let mut phones = BundledPhones::of(&apps, package, &plan.build);
    let report = run(&plan, &plan.engines[0], &mut phones, &CancelToken::new(), &mut NullSink);
    let EngineStats { numbers, shares, tables, .. } = report.engine.clone();
    let (times, rows) = (shares[0].shares.clone(), tables[0].rows.clone());
    (report, Told { numbers, times, rows })
}

#[test]
fn device_time_is_divided_by_shares() {
    let shares = Shares { pbfdroid: 4, keep: 2, genie: 1, odin: 1, fastbot2: 0, timemachine: 1 };
    let (report, view) = fuzzed(AutoConfig { shares, ..AutoConfig::default() }, "files", true);
    let labels: Vec<&str> = view.times.iter().map(|engine| &*engine.label).collect();
    assert_eq!(labels, ["PBFDroid", "Keep", "Genie", "ODIN", "TimeMachine"]);
    let all: u64 = view.times.iter().map(|engine| engine.count).sum();
    for (engine, share) in view.times.iter().zip([4, 2, 1, 1, 1]) {
        let (got, due) = (engine.count * 100 / all, share * 100 / 9);
        // A round of TimeMachine is as long as a tenth of the campaign.
        assert!(got.abs_diff(due) <= 8, "{}: {got} % of the time instead of {due}", engine.label);
    }
    // The test that a round begins with is not an event.
    let events = view.numbers.iter().find(|it| it.label == "events").unwrap();
    assert_eq!(events.count, report.stats.events);
    assert!(report.stats.properties.iter().filter(|counts| counts.executed > 0).count() > 3);
    let oracles: Vec<OracleKind> = report.findings.iter().map(|found| found.finding.origin.oracle).collect();
    assert!(oracles.contains(&OracleKind::Property), "{oracles:?}");
    assert!(report.findings.iter().all(|found| found.finding.engine == "auto"));
}

#[test]
fn without_functions_the_others_take_turns() {
    let (report, view) = fuzzed(AutoConfig::default(), "tasks", false);
    assert!(view.rows.iter().all(|engine| engine.cells[0] != "PBFDroid" && engine.cells[1] != "0"));
    let kept = report.findings.iter().filter(|it| it.finding.origin.oracle == OracleKind::Preservation);
    assert!(kept.count() > 5, "Keep's oracle judges its turns");
}

#[test]
fn it_runs_alone_and_needs_somebody() {
    let auto = |shares| EngineConfig::Auto(AutoConfig { shares, ..AutoConfig::default() });
    let check = |engines: Vec<EngineConfig>| {
        let plan = CampaignPlan { engines, ..CampaignPlan::new("org.ex", auto(Shares::default()), 10) };
        plan.check_engines()
    };
    let others = vec![auto(Shares::default()), EngineConfig::Monkey(MonkeyConfig::default())];
    assert_eq!(check(others), Err(SetupError::AutoAmongOthers));
    let nobody = Shares { pbfdroid: 9, keep: 0, genie: 0, odin: 0, fastbot2: 0, timemachine: 0 };
    let error = check(vec![auto(nobody)]).unwrap_err().to_string();
    assert!(error.contains("shares"), "there is no function to run: {error}");
}
