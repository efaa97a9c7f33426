//! What a script sees of the program: results, exit codes, and that nothing is lost.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use taproof_testing::program::{code, errors, json, run, taproof};

fn fuzz(folder: &Path, extra: &[&str]) -> Output {
    let mut words = vec!["fuzz", "--app", "diary", "--no-pictures", "--json"];
    words.extend(extra);
    if !extra.contains(&"--engine") {
        words.extend(["--engine", "pbfdroid"]);
    }
    if !extra.contains(&"--events") {
        words.extend(["--events", "600"]);
    }
    run(folder, &words)
}

#[test]
fn fuzz_prints_what_scripts_need_and_replay_brings_it_back() {
    let folder = tempfile::tempdir().unwrap();
    let output = fuzz(folder.path(), &[]);
    assert_eq!(code(&output), 1, "{}", errors(&output));
    let summary = json(&output);
    for key in [
        "app",
        "build",
        "engine",
        "mode",
        "seed",
        "events",
        "tests",
        "virtual_ms",
        "seconds",
        "events_per_second",
        "fingerprint",
        "end",
        "activities",
        "states",
        "properties",
        "findings",
    ] {
        assert!(!summary[key].is_null(), "no {key} in {summary}");
    }
    assert_eq!(summary["events"], 600);
    assert_eq!(summary["end"], "budget");
    let findings = summary["findings"].as_array().unwrap();
    for key in [
        "id",
        "oracle",
        "title",
        "dmf",
        "first_event",
        "steps",
        "minimal_steps",
        "reproduced",
        "attributed_bugs",
    ] {
        assert!(findings[0].get(key).is_some(), "no {key} in {}", findings[0]);
    }
    for finding in findings {
        let id = finding["id"].as_str().unwrap();
        let output = run(folder.path(), &["replay", id, "--json"]);
        assert_eq!(code(&output), 0, "{id}: {}", errors(&output));
        let replay = json(&output);
        assert_eq!(replay["reproduced"], true);
        assert_eq!(replay["first_difference"], Value::Null, "{replay}");
    }
}

#[test]
fn a_finding_is_kept_as_a_test_that_passes_on_the_sound_build() {
    let folder = tempfile::tempdir().unwrap();
    let summary = json(&fuzz(folder.path(), &[]));
    let findings = summary["findings"].as_array().unwrap();
    assert!(!findings.is_empty());
    for finding in findings {
        let id = finding["id"].as_str().unwrap();
        let file = format!("{id}.json");
        let output = run(folder.path(), &["replay", id, "--keep", &file]);
        assert_eq!(code(&output), 0, "{}", errors(&output));
        let again = |extra: &[&str]| {
            let words = [&["replay", "--trace", &file, "--json"], extra].concat();
            run(folder.path(), &words)
        };
        let faulty = again(&[]);
        assert_eq!(code(&faulty), 1, "{id}: {}", errors(&faulty));
        let told = json(&faulty);
        assert_eq!((&told["passed"], &told["first_difference"]), (&Value::Bool(false), &Value::Null));
        assert_eq!(told["expectations"][0]["outcome"], "broken", "{told}");
        let sound = again(&["--build", "sound"]);
        assert_eq!(code(&sound), 0, "{id}: {}", json(&sound));
        assert_eq!(json(&sound)["expectations"][0]["outcome"], "held");

        // Without an expectation it is a trace that is only compared.
        let mut plain: Value =
            serde_json::from_str(&std::fs::read_to_string(folder.path().join(&file)).unwrap()).unwrap();
        plain.as_object_mut().unwrap().remove("expect");
        std::fs::write(folder.path().join("plain.json"), plain.to_string()).unwrap();
        let output = run(folder.path(), &["replay", "--trace", "plain.json"]);
        assert_eq!(code(&output), 0, "{}", String::from_utf8_lossy(&output.stdout));
        assert!(String::from_utf8_lossy(&output.stdout).ends_with("as before\n"));
        let output = run(folder.path(), &["replay", "--trace", "plain.json", "--build", "sound"]);
        assert_eq!(code(&output), 1, "{}", String::from_utf8_lossy(&output.stdout));
        assert!(String::from_utf8_lossy(&output.stdout).contains("differs after step "));
    }
}

#[test]
fn a_replay_that_cannot_be_judged_is_neither_reproduced_nor_not() {
    let folder = tempfile::tempdir().unwrap();
    let summary = json(&fuzz(folder.path(), &[]));
    let id = summary["findings"][0]["id"].as_str().unwrap();
    assert_eq!(code(&run(folder.path(), &["replay", id, "--bugs", "no-such-bug"])), 2);
    // The functions name widgets that are not there any more, so none can be run to its end.
    let connection = rusqlite::Connection::open(folder.path().join("results/results.sqlite")).unwrap();
    let gone = "UPDATE campaigns SET plan = replace(plan, ':id/', ':id/no_')";
    assert_eq!(connection.execute(gone, []).unwrap(), 1);
    let output = run(folder.path(), &["replay", id, "--keep", "kept.json"]);
    let told = String::from_utf8_lossy(&output.stdout);
    assert_eq!(code(&output), 3, "{told}");
    assert!(told.contains("not judged: ") && told.ends_with("could not be judged\n"), "{told}");
    let output = run(folder.path(), &["replay", id, "--json"]);
    assert_eq!((code(&output), &json(&output)["reproduced"]), (3, &Value::Null));
    assert_eq!(code(&run(folder.path(), &["export", "--graph", "kept.json"])), 0);
    assert_eq!(code(&run(folder.path(), &["export", "--graph", "kept.json"])), 2, "it is there already");
    let graph = std::fs::read_to_string(folder.path().join("kept.dot")).unwrap();
    assert!(graph.starts_with("digraph ") && graph.contains(" -> s"), "{graph}");
    let output = run(folder.path(), &["replay", "--trace", "kept.json"]);
    assert_eq!(code(&output), 3);
    assert!(String::from_utf8_lossy(&output.stdout).ends_with("could not be judged\n"));
}

#[test]
fn the_same_plan_gives_the_same_fingerprint_and_another_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let fingerprint = |extra: &[&str]| json(&fuzz(folder.path(), extra))["fingerprint"].clone();
    let first = fingerprint(&[]);
    assert_eq!(first, fingerprint(&[]));
    assert_ne!(first, fingerprint(&["--seed", "2"]));
    assert_ne!(first, fingerprint(&["--events", "599"]));
}

#[test]
fn bad_input_is_named_and_ends_with_2() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let empty = path("empty.json", b"");
    let cut = path("cut.json", b"{\"dmfs\": [{\"name\": \"add no");
    let binary = path("binary.json", &[0, 159, 146, 150, 255, 1]);
    let deep = path("deep.json", "[".repeat(100_000).as_bytes());
    let other = path("other.json", b"{\"name\": \"package.json\"}");
    let nothing = folder.path().join("nothing.json").display().to_string();
    for spec in [&empty, &cut, &binary, &deep, &other, &nothing] {
        let output = run(folder.path(), &["spec", "check", spec]);
        assert_eq!(code(&output), 2, "{spec}");
        let output = run(folder.path(), &["fuzz", "--app", "diary", "--spec", spec]);
        assert_eq!(code(&output), 2, "{spec}");
        assert_eq!(errors(&output).lines().count(), 1, "one clear message: {}", errors(&output));
        let output = run(folder.path(), &["layout", spec]);
        assert_eq!(code(&output), 2, "{spec}");
    }
    for (words, named) in [
        (&["fuzz", "--app", "nope"][..], "nope"),
        (&["fuzz", "--app", "diary", "--engine", "warp"][..], "warp"),
        (&["fuzz", "--app", "diary", "--bugs", "diary-nope"][..], "diary-nope"),
        (&["fuzz", "--app", "diary", "--events", "0"][..], "events"),
        (&["dump", "--app", "nope"][..], "nope"),
        (&["replay", "nope"][..], "results"),
        (&["replay", "--trace", "nope.json"][..], "nope.json"),
        (&["replay", "--trace", &cut][..], "cut.json"),
        (&["replay", "--trace", &binary][..], "binary.json"),
        (&["replay", "--trace", &deep][..], "deep.json"),
        (&["replay", "--trace", &other][..], "other.json"),
        (&["spec", "draft", "nowhere", "--type", "add", "--data-type", "note"][..], "nowhere"),
    ] {
        let output = run(folder.path(), words);
        assert_eq!(code(&output), 2, "{words:?}: {}", errors(&output));
        assert!(errors(&output).contains(named), "{words:?}: {}", errors(&output));
    }
}

#[test]
fn fuzz_asks_for_what_is_missing_and_says_what_it_knows() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |words: &[&str]| {
        let output = run(folder.path(), words);
        assert_eq!(code(&output), 2);
        errors(&output)
    };
    // An app of the bundled phone and a package of a device exclude each other.
    let device = refused(&["fuzz", "--device", "a"]);
    assert!(device.contains("--package <PACKAGE>") && !device.contains("--app"), "{device}");
    let both = refused(&["fuzz", "--device", "a", "--app", "files"]);
    assert!(both.contains("cannot be used with '--app <APP>'"), "{both}");
    let monkey = ["fuzz", "--app", "files", "--engine", "monkey", "--events", "20", "--no-pictures"];
    let output = run(folder.path(), &monkey);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("monkey, seed 1: 20 events"), "an engine without modes has none: {said}");
    let help = String::from_utf8(run(folder.path(), &["fuzz", "--help"]).stdout).unwrap();
    assert!(help.starts_with("Run a campaign on bundled phones, or on devices"), "{help}");
}

#[test]
fn a_database_of_somebody_else_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("results");
    std::fs::create_dir(&results).unwrap();
    for bytes in [&b"not a database, but somebody's notes that must not be lost"[..], &[0xff; 4096]] {
        let database = results.join("results.sqlite");
        std::fs::write(&database, bytes).unwrap();
        let output = fuzz(folder.path(), &[]);
        assert_eq!(code(&output), 2, "{}", errors(&output));
        assert_eq!(std::fs::read(&database).unwrap(), bytes);
    }
}

#[test]
#[cfg(unix)]
fn a_full_disk_ends_with_3_and_a_message() {
    let folder = tempfile::tempdir().unwrap();
    // No file may grow beyond 200 blocks of 512 bytes: that is a disk on which findings do not fit.
    let script = "trap '' XFSZ; ulimit -f 200; exec \"$0\" \"$@\"";
    let words = ["fuzz", "--app", "diary", "--events", "4000", "--json"];
    let program = taproof(folder.path(), &words);
    let output = Command::new("sh")
        .arg("-c")
        .arg(script)
        .arg(program.get_program())
        .args(words)
        .current_dir(folder.path())
        .env("TAPROOF_WORKSPACE", folder.path().join("results"))
        .output()
        .unwrap();
    assert_eq!(code(&output), 3, "{}", errors(&output));
    assert!(errors(&output).contains("results database"), "{}", errors(&output));
    assert!(output.stdout.is_empty(), "no success is shown");
}

#[test]
#[cfg(unix)]
fn kills_at_random_moments_lose_no_finding_that_was_told() {
    use std::io::{BufRead, BufReader};
    let folder = tempfile::tempdir().unwrap();
    let mut told = 0;
    for kill in 0..10u64 {
        let seed = kill.to_string();
        let words = ["fuzz", "--app", "diary", "--events", "1000000", "--seed", &seed, "--no-pictures"];
        let mut child =
            taproof(folder.path(), &words).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        // The moment is random in the only way that matters: some way into writing the next finding.
        for line in (&mut lines).take(1 + kill as usize % 3) {
            told += usize::from(line.unwrap().contains(" at event "));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        told += lines.map_while(Result::ok).filter(|line| line.contains(" at event ")).count();
    }
    let workspace = taproof_results::store::Workspace::open(&folder.path().join("results")).unwrap();
    let kept = workspace.findings(None).unwrap();
    assert!(kept.len() >= told, "{told} told, {} kept", kept.len());
    for finding in &kept {
        workspace.load_finding(&finding.id.to_string()).unwrap();
    }
    let campaigns = workspace.campaigns().unwrap();
    assert_eq!(campaigns.len(), 10);
    assert!(campaigns.iter().all(|campaign| campaign.end.as_deref() == Some("interrupted")));
}

#[test]
fn layout_reads_what_dump_prints() {
    let folder = tempfile::tempdir().unwrap();
    let dump = run(folder.path(), &["dump", "--app", "diary"]);
    assert_eq!(code(&dump), 0);
    let file = folder.path().join("dump.xml");
    std::fs::write(&file, &dump.stdout).unwrap();
    let file = file.display().to_string();
    let all = json(&run(folder.path(), &["layout", &file, "--json"]));
    assert!(all["nodes"].as_u64().unwrap() > 10);
    let some = json(&run(folder.path(), &["layout", &file, "--xpath", "//*[@clickable='true']", "--json"]));
    assert_eq!(some["matches"], all["clickable"]);
    let found = ["layout", &file, "--query", "desc:\"Add Activity\"", "--selectors", "--json"];
    let found = json(&run(folder.path(), &found));
    assert_eq!(found["matches"], 1, "{found}");
    let text = found["widgets"][0]["selectors"]["uiautomator2"].as_str().unwrap();
    let again = json(&run(folder.path(), &["layout", &file, "--query", text, "--json"]));
    assert_eq!(again["widgets"][0]["index"], found["widgets"][0]["index"]);
    let broken = run(folder.path(), &["layout", &file, "--query", "text:\"a"]);
    assert_eq!(code(&broken), 2);
    assert!(errors(&broken).contains("a quote is not closed"), "{}", errors(&broken));
    let broken = run(folder.path(), &["layout", &file, "--xpath", "//*[@text="]);
    assert_eq!(code(&broken), 2);
    assert!(errors(&broken).contains("character"), "{}", errors(&broken));
}

#[test]
fn a_dmf_is_tried_and_a_broken_one_ends_with_1() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dmf.json");
    std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/specs/files/dmf_files.json"), &file).unwrap();
    let file = file.to_str().unwrap();
    let tried = |extra: &[&str]| {
        run(
            folder.path(),
            &[&["spec", "try", file, "--app", "files", "--dmf", "edit1 folder"], extra].concat(),
        )
    };
    let sound = tried(&["--build", "sound", "--runs", "3"]);
    assert_eq!(code(&sound), 0, "{}", errors(&sound));
    let told = String::from_utf8(sound.stdout).unwrap();
    assert!(told.starts_with("edit1 folder: Held 3 of 3.\n"), "{told}");
    let faulty = tried(&["--json"]);
    assert_eq!(code(&faulty), 1);
    let report = &json(&faulty)["dmfs"][0];
    assert_eq!(report["on_sound_build"], "held");
    assert_eq!(report["runs"].as_array().unwrap().len(), 5);
    assert_eq!(code(&tried(&["--bugs", "no-such-bug"])), 2);
    let unknown = run(folder.path(), &["spec", "try", file, "--app", "files", "--dmf", "fly folder"]);
    assert_eq!(code(&unknown), 2);
    assert!(errors(&unknown).contains("the file has no DMF \"fly folder\"; it has add folder"));
}

#[test]
fn without_a_named_engine_they_take_turns() {
    let folder = tempfile::tempdir().unwrap();
    let engines = |app: &str, words: &[&str]| {
        let words = [&["fuzz", "--app", app, "--build", "sound", "--events", "60", "--json"], words].concat();
        let summary = json(&run(folder.path(), &words));
        summary["engine"].as_str().unwrap().to_owned()
    };
    assert_eq!(engines("files", &[]), "auto");
    assert_eq!(engines("tasks", &[]), "auto");
    assert_eq!(engines("files", &["--set", "auto.shares.genie=0"]), "auto");
    assert_eq!(
        engines("files", &["--set", "keep.one_in=3", "--lmax", "50"]),
        "keep,pbfdroid",
        "who has settings runs"
    );
    let beside = run(folder.path(), &["fuzz", "--app", "files", "--engine", "auto,keep", "--events", "9"]);
    assert_eq!(code(&beside), 2);
    assert!(errors(&beside).contains("give either auto or other engines"), "{}", errors(&beside));
}
