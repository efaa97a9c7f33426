//! Whole benches, small ones.

use std::collections::BTreeMap;
use std::time::Duration;

use taproof_engine::worker::CancelToken;
use taproof_engine::{EngineConfig, MonkeyConfig, PbfdroidConfig};
use taproof_spec::{Dmf, DmfKind};

use crate::choose::choose_targets;
use crate::folder::{Folder, Line};
use crate::names::app_names;
use crate::plan::{EngineRun, Mix, Plan, Purpose, Specs};
use crate::result::CellResult;
use crate::results::Results;
use crate::run::{Bench, Progress};

/// A plan with Monkey and PBFDroid in these apps.
pub(crate) fn plan(apps: &[&str]) -> Plan {
    let words: Vec<String> = apps.iter().map(|app| (*app).to_owned()).collect();
    let run = |config: EngineConfig| EngineRun { name: config.name().to_owned(), events: 300, config };
    Plan {
        apps: app_names(&words, &taproof_blueprint::apps()).unwrap(),
        engines: vec![
            run(EngineConfig::Monkey(MonkeyConfig::default())),
            run(EngineConfig::Pbfdroid(PbfdroidConfig::default())),
        ],
        seeds: 1..=2,
        faults: vec!["all".to_owned()],
        cells: Some(3),
        sound: 0,
        mixed: 0,
        mix: Mix::default(),
        specs: Specs::default(),
        sample_seed: 1,
    }
}

fn bench(plan: &Plan) -> Bench {
    let apps = taproof_blueprint::apps();
    let targets = choose_targets(plan, &apps, 2, |_, _| {}).unwrap();
    Bench::new(plan.clone(), targets, &apps, 2).unwrap()
}

/// Runs what is left in the folder, at most so many cells.
fn run(bench: &Bench, folder: &mut Folder, most: usize, threads: usize) {
    let left: Vec<usize> = (0..bench.cells().len()).filter(|cell| !folder.done.contains_key(cell)).collect();
    let mut ended = 0;
    let keep = |cell, ran| bench.result(cell, ran);
    let stopped = bench.campaigns().run(&left, threads, &CancelToken::new(), keep, |progress| {
        if let Progress::Done(cell, result, took) = progress {
            folder.keep(cell, result, took).unwrap();
            ended += 1;
        }
        if ended < most { Ok(()) } else { Err("enough") }
    });
    assert_eq!(stopped.is_err(), ended >= most);
}

fn results(bench: &Bench, folder: &Folder) -> Results {
    let done: &BTreeMap<usize, Line> = &folder.done;
    Results::of(bench, done.values().map(|line| line.result.clone()))
}

#[test]
fn a_run_that_was_stopped_gives_the_same_results_as_one_that_was_not() {
    let at = tempfile::tempdir().unwrap();
    let plan = Plan { sound: 1, mixed: 1, cells: Some(4), ..plan(&["blueprint:1..2"]) };
    let open = |name: &str| Folder::open(&at.path().join(name), &plan, "1").unwrap();
    let whole = bench(&plan);
    let mut uninterrupted = open("whole");
    run(&whole, &mut uninterrupted, usize::MAX, 1);
    let mut stopped = open("stopped");
    stopped.keep_targets(&plan, whole.targets()).unwrap();
    run(&whole, &mut stopped, 3, 2);
    drop(stopped);
    let mut resumed = open("stopped");
    let again =
        Bench::new(plan.clone(), resumed.targets.clone().unwrap(), &taproof_blueprint::apps(), 2).unwrap();
    assert!(!resumed.done.is_empty() && resumed.done.len() < again.cells().len());
    run(&again, &mut resumed, usize::MAX, 2);
    let texts = [results(&whole, &uninterrupted), results(&again, &resumed)]
        .map(|results| serde_json::to_string(&results).unwrap());
    assert_eq!(texts[0], texts[1]);
    let read: Results = serde_json::from_str(&texts[0]).unwrap();
    assert_eq!(read.cells.len(), again.cells().len());
}

#[test]
fn what_is_cancelled_has_no_result() {
    let bench = bench(&plan(&["blueprint:1"]));
    let cancel = CancelToken::new();
    cancel.cancel();
    let mut done: Vec<CellResult> = Vec::new();
    let all: Vec<usize> = (0..bench.cells().len()).collect();
    let keep = |cell, ran| bench.result(cell, ran);
    let heard = bench.campaigns().run(&all, 2, &cancel, keep, |progress| {
        if let Progress::Done(_, result, _) = progress {
            done.push(result);
        }
        Ok::<(), Duration>(())
    });
    assert!(heard.is_ok() && done.is_empty(), "{done:?}");
}

#[test]
fn specifications_can_be_drafts_of_recordings() {
    let plan = Plan { cells: Some(0), sound: 1, ..plan(&["blueprint:1"]) };
    assert_eq!(bench(&plan).recorded(), None);
    let recorded = bench(&Plan { specs: Specs::Recorded, ..plan.clone() });
    let counts = recorded.recorded().unwrap();
    assert!(counts.recorded <= counts.of && counts.recorded * 10 > counts.of * 8, "{counts:?}");
    assert_eq!(recorded.plan().differences(&plan), ["specs"]);
    let (_, spec) = recorded.made_specs().next().unwrap();
    let ends = |verb: &str| -> Vec<String> {
        let of_verb = |dmf: &&Dmf| dmf.kind == DmfKind::Property && dmf.name.starts_with(verb);
        let conditions = spec.dmfs.iter().filter(of_verb).flat_map(|dmf| &dmf.postconditions);
        conditions.map(|condition| condition.relation.to_string()).collect()
    };
    let told = ["filter ", "undo ", "history "].map(ends);
    assert!(told[0].iter().all(|relation| relation == "not in") && !told[0].is_empty(), "{told:?}");
    assert!(
        told[1].iter().chain(&told[2]).all(|relation| relation == "in") && !told[2].is_empty(),
        "{told:?}"
    );
}

#[test]
fn specifications_can_be_what_discover_proposes() {
    let plan = Plan { cells: Some(0), sound: 1, specs: Specs::Discovered, ..plan(&["blueprint:3"]) };
    let discovered = bench(&plan);
    let counts = discovered.rightness().unwrap();
    assert!(counts.right <= counts.functions && counts.right * 10 >= counts.functions * 7, "{counts:?}");
    assert!(counts.equal > 0 && counts.equal <= counts.conditions, "{counts:?}");
    assert_eq!(discovered.recorded(), None);
    let again = bench(&plan);
    let specs = |bench: &Bench| bench.made_specs().map(|(_, spec)| spec.clone()).collect::<Vec<_>>();
    assert_eq!(specs(&discovered), specs(&again), "the same plan, the same proposals");
}

#[test]
fn judging_seeds_are_marked() {
    let purpose = |apps: &[&str]| plan(apps).purpose();
    assert_eq!(purpose(&["blueprint:1..3", "notes"]), Purpose::Making);
    assert_eq!(purpose(&["blueprint:1000..1002:medium"]), Purpose::Judging);
    assert_eq!(purpose(&["blueprint:999..1000"]), Purpose::Both);
    assert_eq!(purpose(&["notes"]), Purpose::Making);
}
