//! `taproof-lab bench`: engines measured on apps with known faults.

use std::path::Path;
use std::process::Output;

use taproof_testing::program::{code, errors, json, run};

/// A bench of a moment.
const SMALL: &[&str] = &[
    "bench",
    "--apps",
    "blueprint:1..2",
    "--engines",
    "monkey,pbfdroid",
    "--seeds",
    "1..2",
    "--events",
    "200,pbfdroid=300",
    "--faults",
    "P,C",
    "--cells",
    "2",
    "--sound",
    "1",
    "--mixed",
    "0",
];

fn bench(folder: &Path, words: &[&str]) -> Output {
    run(folder, &[SMALL, words].concat())
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn a_bench_writes_its_results_and_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let first = bench(folder.path(), &["--out", "a"]);
    assert_eq!(code(&first), 0, "{}", errors(&first));
    let told = String::from_utf8(first.stdout).unwrap();
    assert!(told.contains("| engine | events | own faults |"), "{told}");
    let ran = "12 campaigns: 2 faults, 1 sound build in 2 apps, seeds 1 to 2. Faults are drawn evenly";
    assert!(told.contains(ran), "{told}");
    assert!(told.contains("| pbfdroid | 300 |"), "{told}");
    let (results, page) = (read(folder.path(), "a/bench.json"), read(folder.path(), "a/bench.html"));
    assert!(results.contains("\"purpose\":\"making\"") && page.contains("<svg"));

    // As if it had been killed while it wrote its sixth result, and goes on with one campaign at a time.
    let mut cells: Vec<String> = read(folder.path(), "a/cells.jsonl").lines().map(str::to_owned).collect();
    assert_eq!(cells.len(), 12);
    // Two campaigns at a time end in any order, and what is left to do depends on which of them count.
    cells.sort();
    std::fs::create_dir(folder.path().join("b")).unwrap();
    std::fs::copy(folder.path().join("a/plan.json"), folder.path().join("b/plan.json")).unwrap();
    let torn = format!("{}\n{}", cells[..5].join("\n"), &cells[5][..40]);
    std::fs::write(folder.path().join("b/cells.jsonl"), torn).unwrap();
    let second = bench(folder.path(), &["--out", "b", "--jobs", "1", "--against", "a/bench.json", "--json"]);
    assert_eq!(code(&second), 0, "{}", errors(&second));
    assert!(errors(&second).contains("7 campaigns with at most 1,800 events"), "{}", errors(&second));
    assert_eq!(read(folder.path(), "b/bench.json"), results);
    let said = json(&second);
    assert_eq!(said["bench"]["plan"]["sample_seed"], 1);
    assert_eq!(said["changes"].as_array().unwrap().len(), 2, "{said:#}");

    let other = bench(folder.path(), &["--out", "a", "--mix", "published", "--sample-seed", "9"]);
    assert_eq!(code(&other), 2);
    assert!(errors(&other).contains("another plan, which differs in mix, sample-seed"), "{}", errors(&other));
}

#[test]
fn what_a_bench_cannot_run_is_said_before_it_starts() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("not.json"), "{}").unwrap();
    for (words, says) in [
        (&["--apps", "blueprint:5..2"][..], "no app is called \"blueprint:5..2\""),
        (&["--engines", "gene"], "no engine is called \"gene\""),
        (&["--engines", "monkey:restart=maybe"], "restart cannot be \"maybe\""),
        (&["--events", "many"], "write a number, or ENGINE=N"),
        (&["--faults", "Z"], "no fault is called \"Z\""),
        (
            &["--faults", "by-hand", "--apps", "blueprint:1", "--sound", "0"],
            "no app of the plan has a fault of this kind",
        ),
        (&["--apps", "notes", "--sound", "3"], "--sound 3: the plan has only 1 app"),
        (&["--against", "not.json"], "not the bench.json of a bench"),
        (&["--quick", "--cells", "3"], "cannot be used with"),
        (&["--cells", "some"], "write a number, or all"),
    ] {
        let refused = run(folder.path(), &[&["bench"], words].concat());
        assert_eq!(code(&refused), 2, "{words:?}: {}", errors(&refused));
        assert!(errors(&refused).contains(says), "{words:?}: {}", errors(&refused));
    }
}
