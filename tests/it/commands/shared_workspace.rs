//! Several programs share a workspace: who writes is waited for, and nothing that was told is lost. What truly cannot
//! be written ends a campaign as failed, and what it found is told in full.

use taproof_testing::first;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crossbeam_channel::bounded;
use taproof_campaign::{
    Attribution, CampaignPlan, ConfirmPlan, Confirmation, CoverageSample, DataTimeline, Evidence, Finding,
    LoggedEvent, Oracles, Support,
};
use taproof_engine::device::Build;
use taproof_engine::worker::CancelToken;
use taproof_engine::{EngineConfig, Moment, MonkeyConfig};
use taproof_phone::BundledPhones;
use taproof_results::store::{CampaignEnd, NewCampaign, RunningCampaign, StoreError, StoredPlan, Workspace};
use taproof_screen::{DeviceDuration, FindingOrigin, OracleKind, Step, StepRole, Trace, Violation};
use taproof_testing::driver::found_workspace;
use taproof_testing::keeper::Keeper;
use taproof_testing::program::{code, errors, json, run};
use taproof_testing::results::database;

fn plan() -> CampaignPlan {
    CampaignPlan {
        build: Build::Sound,
        oracles: Oracles::Own,
        confirm: ConfirmPlan { tries: 1, pictures: false, ..ConfirmPlan::default() },
        ..CampaignPlan::new(
            first::FILES,
            EngineConfig::Monkey(MonkeyConfig { test_length: 50, ..MonkeyConfig::default() }),
            120,
        )
    }
}

fn begin(workspace: &mut Workspace) -> RunningCampaign {
    let plan = StoredPlan { plan: plan(), specs: Vec::new(), traces: Vec::new() };
    let text = plan.to_json().unwrap();
    let new = NewCampaign {
        app: first::FILES,
        build: "sound",
        engine: "monkey",
        seed: 1,
        plan: &text,
        repeatable: true,
        began: 1,
    };
    workspace.begin_campaign(&new).unwrap()
}

/// A finding with four steps and their screens.
fn finding() -> Finding {
    let (events, frames) = first::making_a_folder();
    let mut trace = Trace::start(frames[0].clone());
    for (event, after) in events.into_iter().zip(&frames[1..]) {
        trace.push(Step { event, role: StepRole::Explored, after: after.clone() });
    }
    let subject = "the app died".to_owned();
    Finding {
        id: String::new(),
        origin: FindingOrigin { oracle: OracleKind::Crash, subject: subject.clone(), checks: Vec::new() },
        violation: Violation {
            oracle: OracleKind::Crash,
            subject: subject.clone(),
            dmf: None,
            title: subject.clone(),
            failures: Vec::new(),
            after_drift: false,
        },
        title: subject,
        engine: "monkey",
        seed: 1,
        first: Moment { event: 4, device_time: DeviceDuration(5) },
        count: 1,
        witness: Evidence::without_pictures(trace.clone()),
        minimal: Evidence::without_pictures(trace),
        minimal_dmfs: Vec::new(),
        confirmation: Confirmation::Untried,
        support: Support::default(),
        finished: false,
        attribution: Attribution::NONE,
        data: DataTimeline::default(),
        reference: None,
        environment: None,
    }
}

/// Something that is written of a campaign.
type Write = (&'static str, Box<dyn FnOnce(&mut Workspace, RunningCampaign) + Send>);

fn writes() -> Vec<Write> {
    let plan = plan();
    let mut keeper = Keeper::default();
    taproof_campaign::run(
        &plan,
        &plan.engines[0],
        &mut BundledPhones::new(&plan.app, &plan.build),
        &CancelToken::new(),
        &mut keeper,
    );
    let checkpoint = keeper.kept.remove(0).0;
    let sample = CoverageSample { events: 7, ..CoverageSample::default() };
    let end = CampaignEnd {
        end: "budget",
        detail: "",
        fingerprint: "f",
        events: 9,
        tests: 1,
        summary: "{}",
        at: 2,
    };
    let finding = finding();
    vec![
        ("a finding", Box::new(move |it, of| assert!(it.save_finding(&of, &finding).unwrap() > 0))),
        ("a sample", Box::new(move |it, of| it.add_sample(&of, sample, 2).unwrap())),
        ("a checkpoint", Box::new(move |it, of| it.save_checkpoint(&of, 0, &checkpoint).unwrap())),
        ("a mark", Box::new(|it, of| it.mark_seen(of.id, "x", true).unwrap())),
        ("an end", Box::new(move |it, of| it.end_campaign(of, &end).unwrap())),
        ("a beginning", Box::new(|it, _| drop(begin(it)))),
        (
            "going on",
            Box::new(|it, of| {
                let id = of.id;
                drop(of);
                drop(it.resume_campaign(id, |_| Vec::new()).unwrap());
            }),
        ),
        (
            "that one was killed",
            Box::new(|it, of| {
                drop(of);
                drop(Workspace::open(it.root()).unwrap());
            }),
        ),
    ]
}

#[test]
fn whatever_is_written_waits_for_who_writes() {
    for (what, write) in writes() {
        let folder = tempfile::tempdir().unwrap();
        let mut workspace = Workspace::open(folder.path()).unwrap();
        let running = begin(&mut workspace);
        let other = database(folder.path());
        other.execute_batch("BEGIN IMMEDIATE; UPDATE campaigns SET events = 1").unwrap();
        let (told, done) = bounded(1);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                write(&mut workspace, running);
                told.send(()).unwrap();
            });
            assert!(done.recv_timeout(Duration::from_millis(200)).is_err(), "{what} cannot be there yet");
            other.execute_batch("COMMIT").unwrap();
        });
        assert!(done.try_recv().is_ok(), "{what} was written");
    }
}

#[test]
fn what_is_known_later_of_a_finding_takes_the_place_of_what_was_known() {
    let folder = found_workspace();
    let mut workspace = Workspace::open(&folder.path().join("workspace")).unwrap();
    let row = workspace.findings(None).unwrap().into_iter().find(|row| row.minimal_steps > 1).unwrap();
    let (id, name) = (row.campaign, row.name.clone());
    let known = workspace.load_finding_of(id, &name).unwrap().finding;
    let running = begin(&mut workspace);
    let refused = workspace.update_finding(running.id, &known).unwrap_err();
    assert!(matches!(refused, StoreError::Running { .. }), "{refused}");
    workspace.keep_bugs_of(id).unwrap();
    assert!(workspace.bugs_of(id).unwrap().contains_key(&name));
    let first_step = Evidence::without_pictures(known.witness.trace.until(1));
    let (hits, tries) = (0, 3);
    let later = Finding {
        first: Moment { event: known.first.event + 1, ..known.first },
        witness: first_step.clone(),
        minimal: first_step,
        confirmation: Confirmation::of(hits, tries),
        ..known
    };
    workspace.update_finding(id, &later).unwrap();
    let stored = workspace.load_finding_of(id, &name).unwrap().finding;
    assert_eq!((stored.witness.trace.len(), stored.minimal.trace.len()), (1, 1));
    assert!(!workspace.bugs_of(id).unwrap().contains_key(&name), "what did not come back is on no card");
}

#[test]
fn what_is_done_again_is_logged_once() {
    let event = |number| LoggedEvent {
        number,
        test: 1,
        millis: 10 * number,
        event: "Wait".to_owned(),
        role: StepRole::Explored,
        activity: "org.ex/.Main".into(),
        page: "Main".to_owned(),
        led_to: None,
    };
    let folder = tempfile::tempdir().unwrap();
    let mut workspace = Workspace::open(folder.path()).unwrap();
    let running = begin(&mut workspace);
    let id = running.id;
    workspace.add_events(&running, 0, &[event(1), event(2)]).unwrap();
    workspace.add_events(&running, 0, &[event(3)]).unwrap();
    drop(running);
    // Without a checkpoint it begins anew.
    let again = workspace.resume_campaign(id, |_| Vec::new()).unwrap();
    workspace.add_events(&again.running, 0, &[event(1), event(2), event(3), event(4)]).unwrap();
    let mut numbers = Vec::new();
    let each = |event: LoggedEvent| {
        numbers.push(event.number);
        true
    };
    workspace.each_event(id, 0, each).unwrap();
    assert_eq!(numbers, [1, 2, 3, 4]);
}

const PROGRAMS: usize = 8;
const FINDINGS: usize = 200;
/// Says to a program of this test that it is one of the eight, and where to write.
const WORKSPACE: &str = "TAPROOF_TEST_SAVES_INTO";

#[test]
fn eight_programs_save_two_hundred_findings_each() {
    if let Some(folder) = std::env::var_os(WORKSPACE) {
        return save_findings(Path::new(&folder));
    }
    let folder = tempfile::tempdir().unwrap();
    let start = |_| {
        let mut program = Command::new(std::env::current_exe().unwrap());
        program.args([
            "--exact",
            "commands::shared_workspace::eight_programs_save_two_hundred_findings_each",
            "--nocapture",
        ]);
        program.env(WORKSPACE, folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let programs: Vec<_> = (0..PROGRAMS).map(start).collect();
    for program in programs {
        let output = program.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", errors(&output));
    }
    let workspace = Workspace::open(folder.path()).unwrap();
    let campaigns = workspace.campaigns().unwrap();
    assert_eq!(campaigns.len(), PROGRAMS);
    for campaign in campaigns {
        assert_eq!(campaign.findings, FINDINGS as u64, "campaign {}", campaign.id);
        let last = format!("finding-{}", FINDINGS - 1);
        assert_eq!(workspace.load_finding_of(campaign.id, &last).unwrap().finding.minimal.trace.len(), 4);
    }
}

fn save_findings(folder: &Path) {
    let mut workspace = Workspace::open(folder).unwrap();
    let (running, mut finding) = (begin(&mut workspace), finding());
    for number in 0..FINDINGS {
        finding.id = format!("finding-{number}");
        workspace.save_finding(&running, &finding).unwrap();
    }
}

/// A campaign that finds several things in a moment.
const FUZZ: [&str; 12] = [
    "fuzz",
    "--engine",
    "pbfdroid",
    "--app",
    "files",
    "--events",
    "2500",
    "--seed",
    "1",
    "--no-pictures",
    "--json",
    "--checkpoint-millis=20",
];

#[test]
#[ignore = "takes long"]
fn what_cannot_be_saved_is_told_in_full_and_the_campaign_fails() {
    let folder = tempfile::tempdir().unwrap();
    let whole = json(&run(folder.path(), &FUZZ));
    let found: Vec<&str> =
        whole["findings"].as_array().unwrap().iter().map(|found| found["title"].as_str().unwrap()).collect();
    assert!(found.len() > 1, "{found:?}");
    for (table, from) in [("findings", 1), ("checkpoints", 0), ("coverage", 0)] {
        let folder = tempfile::tempdir().unwrap();
        let results = folder.path().join("results");
        drop(Workspace::open(&results).unwrap());
        let full = format!(
            "CREATE TRIGGER full BEFORE INSERT ON {table} WHEN (SELECT count(*) FROM {table}) >= {from}
             BEGIN SELECT RAISE(ABORT, 'no room for it'); END"
        );
        database(&results).execute_batch(&full).unwrap();
        let failed = run(folder.path(), &FUZZ);
        let said = errors(&failed);
        assert_eq!((code(&failed), failed.stdout.len()), (3, 0), "{table}: {said}");
        for needed in ["campaign 1 failed", "no room for it", "`taproof fuzz --resume 1`"] {
            assert!(said.contains(needed), "{table}: {said}");
        }
        if table == "findings" {
            let (_, unsaved) = said.split_once("this finding of pbfdroid could not be saved:").expect(&said);
            let again = "taproof fuzz --app org.taproof.files --build faulty --engine pbfdroid --events 2500 --seed 1";
            // Its texts are still those of the first trace.
            let title = found[1].split('\'').next().unwrap();
            for needed in [title, " steps (the test", "   1 ", "expected: ", "seen: ", again] {
                assert!(unsaved.contains(needed), "no {needed:?} in {unsaved}");
            }
        }
        let saved = Workspace::open_to_read(&results).unwrap().findings(None).unwrap().len();
        let told = said.lines().filter(|line| line.starts_with("finding ") && line.contains(" at event "));
        // One line for each bug, however many findings show it.
        let told = told.count();
        assert!(told <= saved && (told > 0 || saved == 0), "{told} of {saved}: {said}");
        database(&results).execute_batch("DROP TRIGGER full").unwrap();
        let resumed = run(folder.path(), &["fuzz", "--resume", "1", "--json"]);
        let resumed = json(&resumed);
        assert_eq!(resumed["fingerprint"], whole["fingerprint"], "{table}");
        assert_eq!(resumed["findings"], whole["findings"], "{table}");
    }
}
