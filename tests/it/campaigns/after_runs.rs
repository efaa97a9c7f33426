//! What surrounds a run of a DMF: a detour after it, and the data that the app held before it.

use std::sync::Arc;

use taproof_campaign::{CampaignPlan, CampaignReport, ConfirmPlan, Confirmation, NullSink, run};
use taproof_engine::device::{Build, DeviceSource, Initialised};
use taproof_engine::worker::CancelToken;
use taproof_engine::{
    CampaignStats, EngineConfig, Limits, NoWatcher, PbfdroidConfig, RoundCtx, RoundDoor, TestTarget,
};
use taproof_phone::BundledPhones;
use taproof_phone::apps::shipped_specs;
use taproof_results::store::{SpecSource, read_specs};
use taproof_screen::determinism::{DeviceDuration, Rng};
use taproof_screen::{Event, Initialiser, OracleKind, Rotation, Step, StepRole};

const TASKS: &str = "org.taproof.tasks";

/// A search in Tasks: the field shows what was typed.
const SEARCH: &str = r#"{"dmfs": [{
    "name": "type search", "datatype": "task", "type": "search", "proportion": "10",
    "preconditions": [{"UI_layout_num": "0", "datatype": "", "relation": "in", "widget": "e1_widget"}],
    "events": [
        {"action": "click", "force": true, "text": "", "widget": "e1_widget"},
        {"action": "edit", "force": true, "text": "random", "widget": "e2_widget"}
    ],
    "post-conditions": [{"UI_layout_num": "2", "datatype": "", "relation": "in", "widget": "search_object"}],
    "impacts": [],
    "widgets": [
        {"UI_layout_num": "0", "name": "e1_widget", "class": "", "content-desc": "", "instance": "", "text": "", "xpath": "",
            "resource-id": "org.taproof.tasks:id/action_search"},
        {"UI_layout_num": "1", "name": "e2_widget", "class": "", "content-desc": "", "instance": "", "text": "", "xpath": "",
            "resource-id": "org.taproof.tasks:id/search_query"},
        {"UI_layout_num": "2", "name": "search_name", "class": "", "content-desc": "", "instance": "", "text": "", "xpath": "",
            "resource-id": "org.taproof.tasks:id/search_query"},
        {"UI_layout_num": "2", "name": "search_object", "class": "", "content-desc": "", "instance": "", "xpath": "",
            "text": "search_name.text", "resource-id": "org.taproof.tasks:id/search_query"}
    ]
}]}"#;

fn campaign(build: Build, detour_every: usize) -> CampaignReport {
    let spec = read_specs(&[SpecSource::file("search.json".to_owned(), SEARCH.to_owned())]).unwrap();
    let engine = EngineConfig::Pbfdroid(PbfdroidConfig { detour_every, ..PbfdroidConfig::default() });
    let plan = CampaignPlan {
        build,
        spec: Arc::new(spec),
        confirm: ConfirmPlan { pictures: false, ..ConfirmPlan::default() },
        ..CampaignPlan::new(TASKS, engine, 3000)
    };
    run(
        &plan,
        &plan.engines[0],
        &mut BundledPhones::new(&plan.app, &plan.build),
        &CancelToken::new(),
        &mut NullSink,
    )
}

/// The violations of DMFs.
fn broken(report: &CampaignReport) -> Vec<String> {
    let findings = report.findings.iter().map(|found| &found.finding);
    let of_dmfs = findings.filter(|finding| finding.origin.oracle == OracleKind::Property);
    of_dmfs.map(|finding| finding.title.to_string()).collect()
}

#[test]
fn a_property_must_hold_after_a_detour_as_well() {
    let bug = || Build::Bugs(vec!["tasks-background-search".to_owned()]);
    assert_eq!(broken(&campaign(bug(), 0)), Vec::<String>::new(), "nothing in plain use shows it");
    let report = campaign(bug(), 2);
    let titles = broken(&report);
    // The activity is recreated by the one, and stays in the background by the other: both show the bug.
    let by_background =
        |title: &String| title.ends_with("the background)") || title.ends_with("coming back)");
    assert!(!titles.is_empty() && titles.iter().all(by_background), "{titles:?}");
    for found in report.findings.iter().map(|found| &found.finding) {
        assert_eq!(found.confirmation, Confirmation::Reproduced { hits: 3, tries: 3 }, "{}", found.title);
        if found.origin.oracle == OracleKind::Property {
            let minimal = &found.minimal.trace;
            assert!(minimal.spans.iter().any(|span| span.name == "type search"), "{}", found.title);
            let shows = |step: &&Step| step.role != StepRole::Appended;
            let last = minimal.steps().iter().rev().find(shows).unwrap();
            assert_eq!(last.role, StepRole::Detour, "{}", found.title);
        }
    }
    assert_eq!(broken(&campaign(Build::Sound, 2)), Vec::<String>::new());
}

/// How many objects the data model holds at the beginning of tests of PBFDroid, each of which begins sideways.
fn known_at_the_start(first: Option<Arc<Initialiser>>) -> [usize; 4] {
    let app = "org.taproof.files";
    let sources = shipped_specs("files").map(|spec| SpecSource::file(spec.path, spec.text));
    let plan = CampaignPlan {
        build: Build::Sound,
        spec: Arc::new(read_specs(&sources.collect::<Vec<_>>()).unwrap()),
        initialiser: first,
        ..CampaignPlan::new(app, EngineConfig::Pbfdroid(PbfdroidConfig::default()), 10)
    };
    let target = TestTarget::new(app, &plan.spec, true).beginning_with(plan.initialiser.as_ref());
    let phone = BundledPhones::new(&plan.app, &plan.build).fresh().unwrap();
    let mut device = Initialised::device(phone, app, plan.initialiser.as_ref(), None);
    let limits = Limits { events: u64::MAX, device_time: DeviceDuration(u64::MAX) };
    let mut stats = CampaignStats::new(&target, limits);
    let mut engine = plan.engines[0].settings().build(&target);
    [0, 1, 2, 3].map(|test| {
        let door = RoundDoor {
            device: &mut *device,
            target: &target,
            stats: &mut stats,
            watcher: &mut NoWatcher,
            cancelled: &|| false,
        };
        let mut ctx = RoundCtx::new(door, Rng::from_seed(1).fork_indexed("round", test)).unwrap();
        ctx.start().unwrap();
        assert_eq!(ctx.frame().layout.rotation(), Rotation::PORTRAIT);
        let known = ctx.data().types().map(|(_, objects)| objects.len()).sum();
        engine.round(&mut ctx).unwrap();
        ctx.perform(Event::Rotate, StepRole::Explored).unwrap();
        known
    })
}

#[test]
fn a_test_that_keeps_the_data_begins_with_what_the_app_shows() {
    assert_eq!(known_at_the_start(None), [0; 4]);
    let kept = Arc::new(Initialiser { keep_data: true, ..Initialiser::default() });
    let known = known_at_the_start(Some(kept));
    assert!(known[0] > 0 && known.iter().any(|later| *later != known[0]), "{known:?}");
}
