//! Sums of results that were made up.

use crate::plan::{EngineRun, Fault, Subject, Target, Witness};
use crate::result::{CellResult, Found};
use crate::results::{CellRow, Results};
use crate::samples::{found_at, results};
use crate::tables::summary::{Findings, Summary};
use crate::tables::tables;
use crate::tests::plan;
use taproof_engine::{AutoConfig, EngineConfig, MonkeyConfig};

/// Adds Monkey, which finds what these campaigns say.
fn with_monkey(mut results: Results, found: &[[Option<u64>; 2]]) -> Results {
    let monkey = EngineRun { events: 500, ..plan(&["notes"]).engines.remove(0) };
    results.plan.engines.insert(0, monkey);
    for (target, found) in found.iter().enumerate() {
        for (seed, found) in (1..).zip(found) {
            let row = CellRow { target, engine: "monkey".to_owned(), seed, result: found_at(*found) };
            results.cells.push(row);
        }
    }
    results
}

fn finding(faults: &[&str], confirmed: bool) -> Found {
    let faults = faults.iter().map(|fault| (*fault).to_owned()).collect();
    let (letter, title) = ("P".to_owned(), String::new());
    Found { event: 5, letter, faults, steps: 8, confirmed, ambiguous: false, suspicion: false, title }
}

#[test]
fn recall_counts_campaigns_and_faults_that_half_of_the_seeds_find() {
    let faults = [("a", [Some(100), Some(300)]), ("b", [Some(900), None]), ("c", [None, None])];
    let summary = Summary::of(&results(&faults));
    let engine = &summary.engines[0];
    assert_eq!((engine.own.found, engine.own.runs, engine.own.in_half, engine.own.faults), (3, 6, 2, 3));
    assert_eq!(engine.own.share(), Some(0.5));
    assert_eq!(engine.beyond_baseline, None);
    let at = |events: u64| engine.curve.iter().rfind(|point| point.events <= events).unwrap().recall;
    assert_eq!((at(99), at(150), at(999), at(1_000)), (0.0, 1.0 / 6.0, 2.0 / 6.0, 0.5));
    assert_eq!(engine.first_events.unwrap().median, 300.0);
    // Traces of 8 events where 4 suffice.
    assert_eq!(engine.lengths.unwrap().median, 2.0);
    let operators: Vec<(&str, usize)> =
        summary.operators.iter().map(|group| (group.name.as_str(), group.recall[0].found)).collect();
    assert_eq!(operators, [("a", 2), ("b", 1), ("c", 0)]);
    assert_eq!((summary.depths.len(), summary.depths[0].name.as_str()), (1, "4\u{2013}6 events"));
}

#[test]
fn faults_that_the_baseline_finds_are_told_apart() {
    let faults = [("a", [Some(100), Some(300)]), ("b", [Some(400), None])];
    let summary = Summary::of(&with_monkey(results(&faults), &[[None, Some(700)], [None, None]]));
    let beyond = summary.engines[1].beyond_baseline.unwrap();
    assert_eq!((beyond.faults, beyond.found, beyond.runs), (1, 1, 2));
    let too: Vec<_> = summary.operators.iter().map(|group| group.baseline_finds).collect();
    assert_eq!(too, [Some(1), Some(0)]);
    // The faults are seen by properties, which Monkey has not.
    assert_eq!((summary.engines[0].own.faults, summary.engines[0].all.found), (0, 1));
    let [comparison] = summary.comparisons.as_slice() else { panic!() };
    // At the 500 events of Monkey, which has found nothing by then.
    assert_eq!((comparison.events, comparison.recall, comparison.with_recall), (500, 0.75, 0.0));
    assert!(comparison.a12 > 0.8, "{comparison:?}");
}

#[test]
fn variants_of_an_engine_are_compared_with_the_first_one() {
    let mut results = results(&[("a", [Some(100), Some(300)])]);
    let first = results.plan.engines[0].clone();
    results.plan.engines.push(EngineRun { name: "pbfdroid:mode=b".to_owned(), ..first });
    for seed in 1..=2 {
        let (engine, result) = ("pbfdroid:mode=b".to_owned(), found_at(Some(500)));
        results.cells.push(CellRow { target: 0, engine, seed, result });
    }
    let summary = Summary::of(&results);
    let [comparison] = summary.comparisons.as_slice() else { panic!("{:?}", summary.comparisons) };
    assert_eq!((comparison.engine.as_str(), comparison.with.as_str()), ("pbfdroid:mode=b", "pbfdroid"));
    assert_eq!((comparison.recall, comparison.a12), (1.0, 0.0));
    // 500 to 100, and 500 to 300.
    assert_eq!(comparison.events_to_events.map(|ratio| (ratio * 100.0).round()), Some(333.0));
}

#[test]
fn code_points_are_compared_on_sound_builds_at_equal_budgets() {
    let mut results = results(&[("a", [None, None])]);
    let pbfdroid = results.plan.engines[0].clone();
    let monkey = EngineConfig::Monkey(MonkeyConfig { restart: true, ..MonkeyConfig::default() });
    let monkey = EngineRun { name: "monkey:restart=true".to_owned(), config: monkey, ..pbfdroid.clone() };
    results.plan.engines.push(monkey.clone());
    results.targets.push(Target { app: "notes".to_owned(), subject: Subject::Sound });
    for (engine, points) in [(&pbfdroid, [60, 90]), (&monkey, [40, 60])] {
        for (seed, code) in (1..).zip(points) {
            let result = CellResult { code, ..CellResult::default() };
            results.cells.push(CellRow { target: 1, engine: engine.name.clone(), seed, result });
        }
    }
    let compared = |results: &Results| {
        let coverage = Summary::of(results).coverage;
        coverage.iter().map(|it| (it.engine.clone(), it.campaigns, it.ratio())).collect::<Vec<_>>()
    };
    assert_eq!(compared(&results), [("pbfdroid".to_owned(), 2, 1.5)]);
    results.plan.engines[1].events += 1;
    assert_eq!(compared(&results), [], "the budgets differ");
}

#[test]
fn engines_that_take_turns_are_compared_with_all_others() {
    let mut results = results(&[("a", [Some(100), Some(300)])]);
    let first = results.plan.engines[0].clone();
    let auto = EngineConfig::Auto(AutoConfig::default());
    results.plan.engines.push(EngineRun { name: "auto".to_owned(), config: auto, ..first });
    for seed in 1..=2 {
        let (engine, result) = ("auto".to_owned(), found_at(Some(50)));
        results.cells.push(CellRow { target: 0, engine, seed, result });
    }
    let summary = Summary::of(&results);
    let [comparison] = summary.comparisons.as_slice() else { panic!("{:?}", summary.comparisons) };
    assert_eq!((comparison.engine.as_str(), comparison.with.as_str()), ("auto", "pbfdroid"));
}

#[test]
fn findings_are_true_false_or_unsure_and_cards_show_one_fault_or_two() {
    let mut results = results(&[("a", [None, None])]);
    let fault = |id: &str| Fault {
        id: id.to_owned(),
        operator: "a".to_owned(),
        letters: "P".to_owned(),
        witness: Some(Witness { events: 4, script: String::new() }),
    };
    let subject = Subject::Mixed(vec![fault("f"), fault("g")]);
    results.targets.push(Target { app: "notes".to_owned(), subject });
    results.targets.push(Target { app: "notes".to_owned(), subject: Subject::Sound });
    let findings = vec![
        finding(&["f"], true),
        Found { suspicion: true, ..finding(&["g"], true) },
        finding(&["g"], true),
        finding(&["f", "g"], true),
        finding(&[], true),
        finding(&[], false),
    ];
    let engine = results.plan.engines[0].name.clone();
    let row = |target, findings, cards| CellRow {
        target,
        engine: engine.clone(),
        seed: 1,
        result: CellResult { events: 50_000, findings, cards, ..CellResult::default() },
    };
    let cards = vec![vec![0, 1], vec![2], vec![3], vec![4], vec![5]];
    results.cells.push(row(1, findings, cards));
    let suspicion = Found { suspicion: true, ..finding(&[], true) };
    results.cells.push(row(2, vec![suspicion, finding(&[], false)], vec![vec![0], vec![1]]));
    let summary = Summary::of(&results);
    let engine = &summary.engines[0];
    assert_eq!(engine.findings, Findings { shown: 4, wrong: 1, unsure: 1 });
    assert_eq!(engine.findings.precision(), Some(0.8));
    assert_eq!(engine.bugs, Findings { shown: 3, wrong: 1, unsure: 0 });
    assert_eq!((engine.bugs.precision(), engine.sound_bugs), (Some(0.75), 0));
    assert_eq!(engine.false_alarms(), Some(2.0));
    let cards = engine.cards;
    assert_eq!((cards.faults, cards.cards, cards.mixed_cards, cards.of_two), (2, 3, 2, 1));
    let told = crate::tables::table::markdown(&tables(&results, &summary));
    assert!(
        told.contains("| pbfdroid | 4 | 1 | 0.80 | 1 | 50,000 | 1 | 2.00 | 1.50 | 1/2 | – | 0 |"),
        "{told}"
    );
    assert!(told.contains("| 3 | 1 | 0.75 | 0 |") && told.contains("| 1 | 0 | 0.80 | 1 |"), "{told}");
}
