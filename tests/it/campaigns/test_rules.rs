//! What a tester says of an app beside its functions: every engine stays where it may, rules deal with what comes in
//! between, what is ignored is not judged, and fields get the tester's texts.

use std::collections::BTreeSet;
use std::sync::Arc;

use taproof_campaign::{
    CampaignPlan, CampaignWarning, ConfirmPlan, Confirmation, EndReason, RetraceOutcome, SavedTrace, retrace,
};
use taproof_engine::device::{Build, DeviceSource};
use taproof_engine::{
    CampaignStats, ENGINES, EngineConfig, KeepConfig, Limits, MonkeyConfig, NoWatcher, PbfdroidConfig, Round,
    RoundCtx, RoundDoor, Stop, TestTarget,
};
use taproof_phone::BundledPhones;
use taproof_phone::apps::shipped_specs;
use taproof_results::store::{SpecSource, StoredPlan, open_trace, read_specs, save_trace};
use taproof_screen::determinism::{DeviceDuration, Rng};
use taproof_screen::{Event, Gesture, Layout, OracleKind, StepRole, Trace};
use taproof_spec::{Spec, TestRules};
use taproof_testing::keeper::campaign;
use taproof_testing::program::{code, errors, json, run};

const FILES: &str = "org.taproof.files";

fn rules(text: &str) -> TestRules {
    TestRules::parse("rules.json", &format!("{{\"taproof_rules\": 1, {text}}}")).unwrap()
}

fn spec_of_files() -> Spec {
    let specs: Vec<SpecSource> =
        shipped_specs("files").map(|spec| SpecSource::file(spec.path, spec.text)).collect();
    read_specs(&specs).unwrap()
}

/// All tests that an engine does in so many events, whatever they show.
fn tests_of(config: &EngineConfig, rules: &TestRules, events: u64) -> (Vec<Trace>, CampaignStats) {
    let (settings, spec) = (config.settings(), spec_of_files());
    let target = TestTarget::new(FILES, &spec, settings.guards_data()).with_rules(rules.clone());
    let limits = Limits { events, device_time: DeviceDuration(u64::MAX) };
    let mut stats = CampaignStats::new(&target, limits);
    let mut device = BundledPhones::new(FILES, &Build::Faulty).fresh().unwrap();
    let (mut engine, rng, mut traces) = (settings.build(&target), Rng::from_seed(1), Vec::new());
    for round in 0.. {
        let door = RoundDoor {
            device: &mut *device,
            target: &target,
            stats: &mut stats,
            watcher: &mut NoWatcher,
            cancelled: &|| false,
        };
        let mut ctx = RoundCtx::new(door, rng.fork_indexed("round", round)).unwrap().keeping_all();
        let ended = engine.round(&mut ctx);
        traces.extend(ctx.finish().into_iter().map(|test| test.trace));
        match ended {
            Err(Stop::BudgetSpent) | Ok(Round::Exhausted) => break,
            Err(Stop::TestOver) | Ok(Round::Continue) => {}
            Err(other) => panic!("{}: {other:?}", config.name()),
        }
    }
    (traces, stats)
}

/// Whether each screen that `bad` names is left at once by a rule. Functions may pass through.
fn check_left(engine: &str, traces: &[Trace], bad: impl Fn(&Layout) -> bool) {
    for steps in traces.iter().map(Trace::steps) {
        for around in steps.windows(2) {
            let of_function = matches!(around[0].role, StepRole::SpecStep | StepRole::Appended);
            let stays = !of_function && bad(&around[0].after.layout);
            assert!(!stays || around[1].role == StepRole::Rule, "{engine} stays: {:?}", around[1].event);
        }
    }
}

#[test]
#[ignore = "takes long"]
fn every_engine_leaves_what_is_denied_and_stays_on_what_is_allowed() {
    let denied = rules(
        r#""deny": {"activities": ["PreferencesActivity", "About*"],
                                    "screens": ["//*[@resource-id='org.taproof.files:id/search_view']"]}"#,
    );
    let allowed = rules(r#""allow": {"activities": ["SearchActivity"]}"#);
    let mut left = BTreeSet::new();
    for info in ENGINES {
        let config = (info.config)();
        let (traces, stats) = tests_of(&config, &denied, 600);
        let is_denied = |layout: &Layout| {
            let activity = layout.activity();
            activity.ends_with("PreferencesActivity")
                || activity.ends_with("AboutActivity")
                || layout.widgets().iter().any(|widget| widget.short_id() == Some("search_view"))
        };
        check_left(info.name, &traces, is_denied);
        left.extend(stats.rules.left.into_keys());
        let (traces, _) = tests_of(&config, &allowed, 600);
        let outside = |layout: &Layout| {
            let activity = layout.activity();
            layout.package() == FILES
                && !activity.ends_with("MainActivity")
                && !activity.ends_with("SearchActivity")
        };
        check_left(info.name, &traces, outside);
        // Lists change nothing but that, and the same lists lead to the same events.
        let (again, _) = tests_of(&config, &allowed, 600);
        assert!(traces == again, "{}", info.name);
    }
    assert!(left.iter().any(|place| place.contains("PreferencesActivity")), "{left:?}");
}

fn plan(engine: EngineConfig, rules: TestRules, events: u64) -> CampaignPlan {
    CampaignPlan {
        spec: Arc::new(spec_of_files()),
        rules: vec![rules],
        confirm: ConfirmPlan { tries: 2, pictures: false, ..ConfirmPlan::default() },
        ..CampaignPlan::new(FILES, engine, events)
    }
}

#[test]
fn what_a_rule_does_stands_in_the_trace_and_comes_again_in_re_executions() {
    // Whenever the list of a folder is shown, it is scrolled by nobody, but time passes: a rule that always fires once.
    let rules = rules(
        r#""rules": [{"name": "question", "when": {"resource_id": "android:id/button1"}, "activity": "MainActivity",
                       "do": [{"wait": 100}], "at_most": 1}]"#,
    );
    let plan = plan(EngineConfig::Pbfdroid(PbfdroidConfig::default()), rules, 1500);
    let (report, heard) = campaign(&plan);
    assert_eq!(report.end, EndReason::BudgetSpent);
    assert!(report.stats.rules.fired[0] > 0);
    let by_rule = |trace: &Trace| trace.steps().iter().filter(|step| step.role == StepRole::Rule).count();
    let mut dealt_with = 0;
    for finding in &heard.findings {
        assert_eq!(finding.confirmation, Confirmation::Reproduced { hits: 2, tries: 2 }, "{}", finding.title);
        dealt_with += by_rule(&finding.minimal.trace);
        if finding.reference.is_some() {
            continue;
        }
        // A regression test has the rules with it, in its file as well.
        let saved = SavedTrace::of_finding(&plan, finding);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.json");
        save_trace(&path, &saved).unwrap();
        let read = open_trace(&path).unwrap();
        assert_eq!(read, saved);
        let mut phones = BundledPhones::new(FILES, &Build::Faulty);
        let retraced = retrace(&read, &mut phones, &|| false).unwrap();
        assert_eq!((retraced.outcome(), retraced.first_difference()), (RetraceOutcome::Failed, None));
    }
    assert!(dealt_with > 0, "{:?}", heard.findings.iter().map(|finding| &finding.title).collect::<Vec<_>>());
}

#[test]
fn a_rule_that_fires_endlessly_is_stopped_and_said_once() {
    let rules = rules(r#""rules": [{"when": "//*", "do": [{"wait": 10}], "at_most": 3}]"#);
    let plan =
        plan(EngineConfig::Monkey(MonkeyConfig { test_length: 50, ..MonkeyConfig::default() }), rules, 300);
    let (report, heard) = campaign(&plan);
    assert_eq!(report.end, EndReason::BudgetSpent);
    let said: Vec<String> = heard
        .warnings
        .iter()
        .filter(|warning| matches!(warning, CampaignWarning::Rule(_)))
        .map(ToString::to_string)
        .collect();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(
        said[0].contains("rule 1 (when xpath \"//*\") fired 3 times in a row on org.taproof.files/"),
        "{said:?}"
    );
    let tests = report.stats.tests;
    assert_eq!(report.stats.rules.fired, [3 * tests], "it fires again in each test");
}

#[test]
fn the_first_screen_cannot_be_left_which_is_said() {
    let denied = rules(r#""deny": {"activities": ["MainActivity"]}"#);
    let (report, heard) = campaign(&plan(EngineConfig::Monkey(MonkeyConfig::default()), denied, 300));
    assert_eq!((report.end, report.stats.events), (EndReason::BudgetSpent, 300));
    let said = heard.warnings.iter().map(ToString::to_string).find(|said| said.contains("out of bounds"));
    assert!(said.is_some_and(|said| said.contains("the activity org.taproof.files/.MainActivity")));
}

#[test]
#[ignore = "takes long"]
fn nothing_is_judged_where_it_is_ignored() {
    let losses = |rules: TestRules| -> BTreeSet<String> {
        let keep = EngineConfig::Keep(KeepConfig::default());
        let plan = CampaignPlan {
            rules: vec![rules],
            confirm: ConfirmPlan { tries: 1, pictures: false, ..ConfirmPlan::default() },
            ..CampaignPlan::new("org.taproof.tasks", keep, 1200)
        };
        let (report, _) = campaign(&plan);
        let findings = report.findings.iter().map(|count| &count.finding);
        let preserved = findings.filter(|finding| finding.origin.oracle == OracleKind::Preservation);
        preserved.flat_map(|finding| finding.origin.checks.clone()).collect()
    };
    let all = losses(TestRules::default());
    let without_fields = losses(rules(r#""ignore": [{"selector": {"class": "android.widget.EditText"}}]"#));
    let typed = |losses: &BTreeSet<String>| losses.iter().any(|loss| loss == "loses typed text");
    assert!(typed(&all) && !typed(&without_fields), "{all:?} {without_fields:?}");
    let nothing = losses(rules(r#""ignore": [{"region": "[0,0][9999,9999]"}]"#));
    assert!(nothing.is_subset(&BTreeSet::from(["leaves the page".to_owned()])), "{nothing:?}");
}

#[test]
#[ignore = "takes long"]
fn every_engine_types_the_testers_texts_among_its_own() {
    let rules = rules(r#""texts": [{"texts": ["ihre Eingabe", "zweite"]}]"#);
    let typed_by = |config: &EngineConfig| -> Vec<String> {
        let (traces, _) = tests_of(config, &rules, 1200);
        let steps = traces.iter().flat_map(Trace::steps).filter(|step| step.role != StepRole::SpecStep);
        let typed = steps.filter_map(|step| match &step.event {
            Event::Widget { gesture: Gesture::SetText(text), .. } => Some(text.clone()),
            _ => None,
        });
        typed.collect()
    };
    let mut generated = 0;
    for info in ENGINES {
        let typed = typed_by(&(info.config)());
        let own = typed.iter().filter(|text| ["ihre Eingabe", "zweite"].contains(&text.as_str())).count();
        assert!(own > 0, "{}: {typed:?}", info.name);
        generated += typed.len() - own;
    }
    assert!(generated > 0, "their own texts are typed as well");
}

#[test]
fn rules_are_kept_with_the_plan() {
    let rules = rules(r#""allow": {"packages": ["a.b"]}, "texts": [{"texts": ["x"]}]"#);
    let plan = plan(EngineConfig::Monkey(MonkeyConfig::default()), rules, 10);
    let stored = StoredPlan { plan: plan.clone(), specs: Vec::new(), traces: Vec::new() };
    let read = StoredPlan::from_json(&stored.to_json().unwrap()).unwrap();
    assert_eq!(read.plan.rules, plan.rules);
    assert!(plan.command_words().ends_with(&["--test-rules".to_owned(), "rules.json".to_owned()]));
}

#[test]
fn commands_take_rules_from_options_and_files() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write(
        "rules.json",
        r#"{"taproof_rules": 1, "rules": [{"name": "menu", "when": {"text": "Settings"}, "do": ["back"]}]}"#,
    );
    write("texts.txt", "abc\n[//*[@class='android.widget.EditText']]\ndef\n");
    write("bad.json", "{\"taproof_rules\": 1,\n \"rule\": []}");
    let fuzz = |extra: &[&str]| {
        let words =
            ["fuzz", "--app", "files", "--engine", "monkey", "--events", "400", "--no-pictures", "--json"];
        run(folder, &[&words[..], extra].concat())
    };
    let both = fuzz(&[
        "--test-rules",
        "rules.json",
        "--texts",
        "texts.txt",
        "--deny-activity",
        "SearchActivity,About*",
        "--ignore",
        "[0,0][100,10]",
        "--allow-package",
        "com.a",
    ]);
    assert!(code(&both) < 2, "{}", errors(&both));
    let result = json(&both);
    assert_eq!(result["test_rules"][0]["rule"], "rule \"menu\"");
    assert!(result["test_rules"][0]["fired"].as_u64().unwrap() > 0, "{}", result["test_rules"]);
    assert!(result["out_of_bounds"][0]["left"].as_u64().unwrap() > 0, "{}", result["out_of_bounds"]);
    assert_eq!(json(&fuzz(&[]))["test_rules"].as_array().map(Vec::len), Some(0));
    for (words, problem) in [
        (["--test-rules", "bad.json"], "bad.json: unknown field `rule`"),
        (["--test-rules", "none.json"], "none.json"),
        (["--texts", "rules.json"], ""),
        (["--ignore", "//*["], "--ignore //*["),
        (["--deny-screen", "//["], "--deny-screen //["),
    ] {
        let refused = fuzz(&words);
        let expected = if problem.is_empty() { 0..2 } else { 2..3 };
        assert!(expected.contains(&code(&refused)), "{words:?}: {}", errors(&refused));
        assert!(errors(&refused).contains(problem), "{words:?}: {}", errors(&refused));
    }
}
