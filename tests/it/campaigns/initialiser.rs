//! What is done first in every test of an app: tests begin behind it, what they find is confirmed, replayed and
//! exported with it, and commands keep it in the workspace.

use std::path::Path;
use std::process::Output;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use taproof_campaign::{
    CampaignPlan, Checkpoint, ConfirmPlan, Confirmation, EndReason, NullSink, Resumption, RetraceOutcome,
    SavedTrace, TrialPlan, retrace, try_dmf,
};
use taproof_engine::device::{Build, DeviceError};
use taproof_engine::worker::CancelToken;
use taproof_engine::{EngineConfig, PbfdroidConfig};
use taproof_phone::BundledPhones;
use taproof_phone::apps::shipped_specs;
use taproof_results::report::{ExportKind, ReportFacts, export_finding, no_progress};
use taproof_results::store::{
    SpecSource, StoredInitialiser, StoredPlan, Workspace, open_trace, read_initialiser, read_specs,
    save_trace, write_initialiser,
};
use taproof_screen::{Initialiser, XPath};
use taproof_testing::first::{FILES, FOLDER, READY, folder_first, kept_trace, shows_folder};
use taproof_testing::keeper::{Keeper, campaign};
use taproof_testing::program::{code, errors, json, run};

fn specs() -> Vec<SpecSource> {
    shipped_specs("files").map(|spec| SpecSource::file(spec.path, spec.text)).collect()
}

fn plan(initialiser: Option<Arc<Initialiser>>) -> CampaignPlan {
    CampaignPlan {
        spec: Arc::new(read_specs(&specs()).unwrap()),
        initialiser,
        confirm: ConfirmPlan { tries: 2, pictures: false, ..ConfirmPlan::default() },
        ..CampaignPlan::new(FILES, EngineConfig::Pbfdroid(PbfdroidConfig::default()), 1500)
    }
}

#[test]
fn a_campaign_begins_every_test_behind_the_steps_and_what_it_finds_comes_back() {
    let plan = plan(Some(folder_first()));
    let (report, heard) = campaign(&plan);
    assert_eq!(report.end, EndReason::BudgetSpent);
    assert!(!heard.findings.is_empty());
    for finding in &heard.findings {
        let title = &finding.title;
        for trace in [&finding.minimal.trace, &finding.witness.trace] {
            assert!(shows_folder(&trace.first().layout), "{title}");
        }
        assert_eq!(finding.confirmation, Confirmation::Reproduced { hits: 2, tries: 2 }, "{title}");
        if finding.reference.is_some() {
            continue;
        }
        let saved = SavedTrace::of_finding(&plan, finding);
        let again = |saved: &SavedTrace| {
            retrace(saved, &mut BundledPhones::new(FILES, &Build::Faulty), &|| false).unwrap()
        };
        let retraced = again(&saved);
        assert_eq!(
            (retraced.outcome(), retraced.first_difference()),
            (RetraceOutcome::Failed, None),
            "{title}"
        );
        // The steps are no part of the trace: without them it begins elsewhere.
        let bare = SavedTrace { initialiser: None, ..saved };
        assert_eq!(again(&bare).first_difference(), Some(0), "{title}");
    }
    let (same, _) = campaign(&plan);
    assert_eq!(same.stats.fingerprint(), report.stats.fingerprint());
    let (other, _) = campaign(&self::plan(None));
    assert_ne!(other.stats.fingerprint(), report.stats.fingerprint());
}

#[test]
fn a_campaign_that_was_killed_goes_on_behind_the_steps() {
    let plan = plan(Some(folder_first()));
    let (report, heard) = campaign(&plan);
    let engine = &plan.engines[0];
    let (kept, told) = &heard.kept[heard.kept.len() / 2];
    let bytes = kept.bytes();
    let checkpoint = Checkpoint::read(bytes, &plan, engine).unwrap();
    let from = Resumption { checkpoint, findings: heard.findings[..*told].to_vec(), spent: Duration::ZERO };
    let (mut sink, mut phones) = (Keeper::default(), BundledPhones::new(&plan.app, &plan.build));
    let on =
        taproof_campaign::run_from(&plan, engine, Some(from), &mut phones, &CancelToken::new(), &mut sink);
    assert_eq!(on.stats.fingerprint(), report.stats.fingerprint());
    assert!(Checkpoint::read(bytes, &self::plan(None), engine).is_err(), "another plan");
}

#[test]
fn a_campaign_whose_app_does_not_get_ready_says_so() {
    let ready = XPath::parse("//*[@text='Log in']").ok();
    let (report, _) = campaign(&plan(Some(Arc::new(Initialiser { ready, ..Initialiser::default() }))));
    assert!(matches!(&report.end, EndReason::DeviceFailed(DeviceError::NotReady { .. })), "{:?}", report.end);
    assert_eq!(report.stats.events, 0);
}

#[test]
fn a_trial_begins_behind_the_steps() {
    let mut plan = TrialPlan {
        device: taproof_campaign::DeviceChoice::Bundled,
        app: FILES.to_owned(),
        build: Build::Sound,
        spec: Arc::new(read_specs(&specs()).unwrap()),
        dmf: 0,
        lead_up: Vec::new(),
        held: Vec::new(),
        initialiser: Some(folder_first()),
        runs: 1,
        seed: 1,
    };
    for expected in [true, false] {
        let mut phones = BundledPhones::new(FILES, &plan.build);
        let report = try_dmf(&plan, &mut phones, &CancelToken::new(), &mut NullSink);
        let trace = report.kept().unwrap().trace.as_ref().unwrap();
        assert_eq!(shows_folder(&trace.first().layout), expected);
        plan.initialiser = None;
    }
}

#[test]
fn a_plan_keeps_the_steps_and_one_without_says_nothing_of_them() {
    let stored = |first| StoredPlan { plan: plan(first), specs: specs(), traces: Vec::new() };
    let with = stored(Some(folder_first()));
    let back = StoredPlan::from_json(&with.to_json().unwrap()).unwrap();
    assert_eq!(back.plan, with.plan);
    assert_eq!(back.plan.initialiser, Some(folder_first()));
    let text = stored(None).to_json().unwrap();
    assert!(!text.contains("initialiser"), "an old plan is as it was");
    assert_eq!(StoredPlan::from_json(&text).unwrap().plan, plan(None));
}

#[test]
fn a_kept_trace_keeps_the_steps() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("way.json");
    let saved = SavedTrace { initialiser: Some(folder_first()), ..kept_trace() };
    save_trace(&path, &saved).unwrap();
    assert_eq!(open_trace(&path).unwrap(), saved);
}

#[test]
fn exports_do_the_steps_first() {
    let plan = plan(Some(folder_first()));
    let (_, heard) = campaign(&plan);
    let finding = heard.findings.iter().find(|finding| !finding.minimal.trace.is_empty()).unwrap();
    let facts = ReportFacts::of(&plan, "Files", Vec::new(), String::new());
    let text =
        |kind| String::from_utf8(export_finding(finding, &facts, kind, &mut no_progress).unwrap()).unwrap();
    let sentences = plan.initialiser.as_ref().unwrap().sentences();
    assert!(sentences[2].contains(FOLDER) && sentences[4].contains(READY));
    let own = taproof_results::report::step_sentences(finding).remove(0).0;
    let in_order = |text: &str, parts: &[&str]| {
        let mut from = 0;
        for part in parts {
            let at =
                text[from..].find(part).unwrap_or_else(|| panic!("no {part:?} behind {from} in\n{text}"));
            from += at + part.len();
        }
    };
    let html = text(ExportKind::Html);
    in_order(&html, &["Before each test", "4 steps, then wait until"]);
    in_order(&html, &["How to reproduce", FOLDER, "first in every test", "Wait until"]);
    in_order(&text(ExportKind::Junit), &["first in every test", FOLDER, "Wait until", "steps, then:"]);
    in_order(
        &text(ExportKind::AdbShell),
        &[
            "start_app\nsettle",
            "say 1 ",
            "say 3 ",
            "say 4 ",
            "wait_until_ready ' text=\"made first\"'",
            "say 5 ",
        ],
    );
    in_order(
        &text(ExportKind::Uiautomator2),
        &[
            "start(d)\n",
            "    tap(d, 1,",
            "set_text(d, 3,",
            &format!("wait_until_ready(d, \"{READY}\")"),
            "d, 5, ",
        ],
    );
    in_order(
        &text(ExportKind::Maestro),
        &["launchApp", "# 1. ", "# 4. ", "extendedWaitUntil", "text: \"made first\"", "# 5. "],
    );
    assert!(html.contains(
        &own.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
    ));
    assert!(facts.command.starts_with("# Before each test: 4 steps"), "{}", facts.command);
}

fn initialiser(folder: &Path, words: &[&str]) -> Output {
    run(folder, &[&["initialiser"], words].concat())
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn commands_keep_show_and_forget_the_steps() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    save_trace(&folder.join("way.json"), &kept_trace()).unwrap();
    let show = || json(&initialiser(folder, &["show", "--package", "files", "--json"]));
    assert_eq!(show(), json!({ "version": 1, "app": FILES, "initialiser": null }));
    assert!(!folder.join("results").exists(), "looking leaves nothing behind");
    let set = |words: &[&str]| initialiser(folder, &[&["set", "--package", FILES], words].concat());
    let output = set(&["--from", "way.json"]);
    assert_eq!(code(&output), 0, "{}", errors(&output));
    assert!(said(&output).contains("before each test of org.taproof.files: 4 steps; kept in "));
    assert_eq!(show()["initialiser"]["steps"].as_array().unwrap().len(), 4);
    assert_eq!(show()["initialiser"]["ready"], Value::Null);
    let kept = read_initialiser(&folder.join("results"), FILES).unwrap().unwrap();
    assert_eq!(kept.initialiser.steps, folder_first().steps);
    assert_eq!(code(&set(&["--ready", READY])), 0);
    assert_eq!(show()["initialiser"]["ready"], READY);
    assert_eq!(show()["initialiser"]["steps"].as_array().unwrap().len(), 4, "the steps stay");
    let shown = said(&initialiser(folder, &["show", "--package", FILES]));
    assert!(shown.contains("4 steps, then wait until") && shown.contains("  5 Wait until "), "{shown}");
    assert_eq!(code(&set(&["--ready", ""])), 0);
    assert_eq!(show()["initialiser"]["ready"], Value::Null);

    for (words, problem) in
        [(&["--from", "none.json"][..], "none.json"), (&["--ready", "//*[@text="], "XPath"), (&[], "--from")]
    {
        let output = set(words);
        assert!(code(&output) == 2 && errors(&output).contains(problem), "{words:?}: {}", errors(&output));
    }
    let output = initialiser(folder, &["set", "--package", "notes", "--from", "way.json"]);
    assert!(
        code(&output) == 2 && errors(&output).contains("is of org.taproof.files, not of org.taproof.notes")
    );
    let output = initialiser(folder, &["show", "--package", "../x"]);
    assert!(code(&output) == 2 && errors(&output).contains("is no package"));

    let file = folder.join("results/initialisers/org.taproof.files.json");
    let good = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, "{").unwrap();
    for words in
        [&["initialiser", "show", "--package", FILES][..], &["fuzz", "--app", "files", "--events", "9"]]
    {
        let output = run(folder, words);
        assert!(
            code(&output) == 2 && errors(&output).contains("org.taproof.files.json"),
            "{}",
            errors(&output)
        );
    }
    assert_eq!(code(&set(&["--from", "way.json", "--ready", ""])), 0, "it is made anew");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), good);

    assert!(said(&initialiser(folder, &["remove", "--package", "files"])).contains("any more"));
    assert_eq!(show()["initialiser"], Value::Null);
    assert_eq!(code(&initialiser(folder, &["remove", "--package", "files"])), 0);
}

#[test]
#[ignore = "takes long"]
fn fuzz_takes_the_steps_of_its_app_and_replay_those_of_the_campaign() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let fuzz = |extra: &[&str]| {
        let words = ["fuzz", "--app", "files", "--events", "1500", "--no-pictures", "--json"];
        run(folder, &[&words, extra].concat())
    };
    let bare = json(&fuzz(&[]))["fingerprint"].clone();
    let stored = StoredInitialiser { initialiser: (*folder_first()).clone(), ..StoredInitialiser::default() };
    let path = write_initialiser(&folder.join("results"), FILES, &stored).unwrap();
    let with = fuzz(&[]);
    assert!(errors(&with).contains("before each test: 4 steps, then wait until"), "{}", errors(&with));
    let summary = json(&with);
    assert_ne!(summary["fingerprint"], bare);
    let without = fuzz(&["--no-initialiser"]);
    assert!(!errors(&without).contains("before each test"));
    assert_eq!(json(&without)["fingerprint"], bare);

    // What the workspace says now is of no interest to what was found before.
    std::fs::remove_file(path).unwrap();
    let id = summary["findings"][0]["id"].as_str().unwrap();
    let number = "2";
    let listed = json(&run(folder, &["findings", number, "--json"])).to_string();
    assert!(listed.contains(id), "{listed}");
    let connection = rusqlite::Connection::open(folder.join("results/results.sqlite")).unwrap();
    let sql = "SELECT id FROM findings WHERE campaign = 2 ORDER BY id LIMIT 1";
    let row: i64 = connection.query_row(sql, [], |row| row.get(0)).unwrap();
    let output = run(folder, &["replay", &row.to_string(), "--json", "--keep", "kept.json"]);
    assert_eq!(code(&output), 0, "{}", errors(&output));
    assert_eq!(json(&output)["first_difference"], Value::Null);
    let output = run(folder, &["replay", "--trace", "kept.json", "--json"]);
    assert_eq!((code(&output), &json(&output)["first_difference"]), (1, &Value::Null), "{}", errors(&output));
    let sound = run(folder, &["replay", "--trace", "kept.json", "--build", "sound"]);
    assert_eq!(code(&sound), 0, "{}", said(&sound));
}

#[test]
fn a_command_runs_before_each_test_and_its_failure_ends_the_campaign() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let ran = folder.join("ran");
    let command = format!("echo $TAPROOF_PACKAGE >> {}", ran.display());
    let set = ["initialiser", "set", "--package", "files", "--before-test", &command, "--keep-data", "true"];
    let set = run(folder, &set);
    assert_eq!(code(&set), 0, "{}", errors(&set));
    let shown = json(&run(folder, &["initialiser", "show", "--package", "files", "--json"]));
    assert_eq!(shown["initialiser"]["before_test"], command.as_str());
    assert_eq!(shown["initialiser"]["keep_data"], true);

    let fuzz = |extra: &[&str]| {
        let words = ["fuzz", "--app", "files", "--engine", "pbfdroid", "--build", "sound", "--json"];
        run(
            folder,
            &[&words[..], &["--events", "600", "--no-pictures", "--confirm-share", "0"], extra].concat(),
        )
    };
    let done = fuzz(&[]);
    assert!(errors(&done).contains("before each test: run \"echo"), "{}", errors(&done));
    assert!(errors(&done).contains("keep the app\u{2019}s data"), "{}", errors(&done));
    let tests = json(&done)["tests"].as_u64().unwrap();
    let lines = std::fs::read_to_string(&ran).unwrap();
    assert!(tests > 1 && lines.lines().count() as u64 == tests, "{tests} tests: {lines}");
    assert!(lines.lines().all(|line| line == FILES));
    // What is exchanged between people must not run commands.
    let workspace = Workspace::open_to_read(&folder.join("results")).unwrap();
    let plan = workspace.load_campaign(1).unwrap().plan.to_json().unwrap();
    assert!(plan.contains("keep_data") && !plan.contains("TAPROOF_PACKAGE"), "{plan}");
    drop(workspace);

    let failed = fuzz(&["--before-test", "echo no server >&2; exit 7"]);
    assert_eq!(code(&failed), 3, "{}", errors(&failed));
    assert!(errors(&failed).contains("exit status: 7") && errors(&failed).contains("no server"));
    assert_eq!(code(&fuzz(&["--no-initialiser"])), 0);
    assert_eq!(std::fs::read_to_string(&ran).unwrap(), lines);
}
