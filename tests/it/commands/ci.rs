//! The program in continuous integration: what makes a build fail, and what servers read.

use std::path::Path;
use std::process::{Command, Output};

use taproof_testing::program::{code, errors, json, run, taproof};

const FUZZ: [&str; 9] =
    ["fuzz", "--app", "diary", "--engine", "pbfdroid", "--events", "1200", "--no-pictures", "--json"];

fn fuzz(folder: &Path, extra: &[&str]) -> Output {
    run(folder, &[&FUZZ[..], extra].concat())
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn only_bugs_that_the_baseline_does_not_know_fail_a_build() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // The first build knows none.
    let first =
        fuzz(folder, &["--fail-on", "new", "--baseline", "none.json", "--write-baseline", "known.json"]);
    assert_eq!(code(&first), 1, "{}", errors(&first));
    assert!(errors(&first).contains("none.json"), "{}", errors(&first));
    let found = json(&first)["bugs"].as_array().unwrap().len();
    assert!(found >= 2);
    assert_eq!(json(&first)["new_bugs"].as_array().unwrap().len(), found);
    // Another seed and other engines find the same bugs in other ways.
    let known = ["--fail-on", "new", "--baseline", "known.json"];
    let again = fuzz(folder, &known);
    assert_eq!(code(&again), 0, "{}", errors(&again));
    assert_eq!(json(&again)["new_bugs"].as_array().unwrap().len(), 0);
    let other = fuzz(folder, &[&known[..], &["--seed", "2", "--bugs", "diary-undo-delete"]].concat());
    assert!(!json(&other)["findings"].as_array().unwrap().is_empty());
    assert_eq!(code(&other), 0, "{}", errors(&other));
    // Without one of them in the baseline, that one is new, and an updated baseline knows it.
    let mut baseline: serde_json::Value = serde_json::from_str(&read(folder, "known.json")).unwrap();
    let bugs = baseline["bugs"].as_array_mut().unwrap();
    bugs.retain(|bug| bug["shown_by"][0]["oracle"] != "crash");
    std::fs::write(folder.join("fewer.json"), baseline.to_string()).unwrap();
    let fewer = ["--fail-on", "new", "--baseline", "fewer.json", "--write-baseline", "fewer.json"];
    let with_new = fuzz(folder, &fewer);
    assert_eq!(code(&with_new), 1);
    let new = json(&with_new)["new_bugs"].clone();
    assert!(new[0].as_str().unwrap().starts_with("crash-") && new[1].is_null(), "{new}");
    assert_eq!(code(&fuzz(folder, &fewer)), 0);
    assert_eq!(read(folder, "fewer.json"), read(folder, "known.json"));
}

#[test]
fn what_makes_a_build_fail_can_be_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert_eq!(code(&fuzz(folder, &["--fail-on", "none"])), 0);
    assert_eq!(code(&fuzz(folder, &["--fail-on", "any", "--bugs", ""])), 0, "the sound app");
    let unsaid = fuzz(folder, &["--fail-on", "new"]);
    assert_eq!(code(&unsaid), 1, "without a baseline all are new");
    let found = json(&unsaid)["bugs"].clone();
    let known = found.as_array().unwrap().iter().map(|bug| bug["findings"][0]["id"].as_str().unwrap());
    let known: Vec<&str> = known.collect();
    let said = run(folder, &[&["bug", "--state", "known"], &known[..]].concat());
    assert_eq!(code(&said), 0, "{}", errors(&said));
    assert_eq!(code(&fuzz(folder, &["--fail-on", "new"])), 0, "but those that a person knows");
    std::fs::write(folder.join("broken.json"), "{").unwrap();
    let broken = fuzz(folder, &["--fail-on", "new", "--baseline", "broken.json"]);
    assert_eq!(code(&broken), 2);
    assert!(errors(&broken).contains("broken.json"), "{}", errors(&broken));
    assert!(!errors(&broken).contains("finding 1"), "it is said before the campaign");
}

#[test]
#[ignore = "takes long"]
fn a_scan_fails_for_new_bugs_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let scan = |extra: &[&str]| {
        let words = ["scan", "--app", "tasks", "--events", "1200", "--json"];
        run(folder.path(), &[&words[..], extra].concat())
    };
    let first = scan(&["--write-baseline", "known.json", "--summary", "summary.md"]);
    assert_eq!(code(&first), 1, "{}", errors(&first));
    assert!(read(folder.path(), "summary.md").starts_with("## Taproof: Tasks: "));
    let again = scan(&["--fail-on", "new", "--baseline", "known.json"]);
    assert_eq!(code(&again), 0, "{}", errors(&again));
}

#[test]
fn servers_are_told_in_their_own_formats() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("summary.md"), "# Before\n\n").unwrap();
    let words = [&FUZZ[..], &["--summary", "summary.md", "--junit", "junit.xml"]].concat();
    let plain = fuzz(folder, &["--fail-on", "none"]);
    assert!(!errors(&plain).contains("::"), "{}", errors(&plain));
    let output = taproof(folder, &words).env("GITHUB_ACTIONS", "true").output().unwrap();
    let bugs = json(&output)["bugs"].as_array().unwrap().clone();
    let said = errors(&output);
    let annotations: Vec<&str> = said.lines().filter(|line| line.starts_with("::")).collect();
    assert_eq!(annotations.len(), bugs.len(), "{said}");
    assert!(annotations.iter().all(|line| line.starts_with("::error title=")), "{said}");
    let summary = read(folder, "summary.md");
    assert!(summary.starts_with("# Before\n\n## Taproof: Diary: "), "it is added to");
    let junit = read(folder, "junit.xml");
    let findings = bugs.iter().flat_map(|bug| bug["findings"].as_array().unwrap());
    for finding in findings {
        let id = finding["id"].as_str().unwrap();
        assert!(summary.contains(&format!("taproof replay {id}")) && junit.contains(id), "{id}");
    }
    assert_eq!(junit.matches("<failure ").count() + junit.matches("<error ").count(), bugs.len(), "{junit}");
    let cases: Vec<&str> = junit.lines().filter(|line| line.contains("<testcase ")).collect();
    let took = |case: &str| case.split("time=\"").nth(1)?.split('"').next()?.parse::<f64>().ok();
    assert!(cases.len() > bugs.len() && cases.iter().all(|case| took(case).is_some()), "{cases:?}");
    assert!(cases.iter().filter_map(|case| took(case)).sum::<f64>() > 1.0, "{cases:?}");
    // Those that do not fail the build are warnings.
    let words = [&FUZZ[..], &["--annotations", "--fail-on", "none"]].concat();
    let said = errors(&run(folder, &words));
    assert!(said.contains("\n::warning title=") && !said.contains("::error"), "{said}");
}

/// Where `script` gives a command a terminal: a bar with the time left, and colours unless they are declined.
#[test]
#[ignore = "takes long"]
#[cfg(unix)]
fn on_a_terminal_progress_is_drawn_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let drawn = |environment: &[(&str, &str)]| -> Option<String> {
        let fuzz = taproof(folder.path(), &[]);
        let program = fuzz.get_program().to_str()?;
        let words = format!("{program} fuzz --app diary --engine pbfdroid --events 3000 --no-pictures");
        let mut script = Command::new("script");
        script.args(["-qec", &words, "/dev/null"]).current_dir(folder.path());
        script.envs(fuzz.get_envs().filter_map(|(name, value)| Some((name, value?))));
        script.env_remove("NO_COLOR").env_remove("GITHUB_ACTIONS").env("TERM", "xterm");
        script.envs(environment.iter().copied());
        Some(String::from_utf8_lossy(&script.output().ok()?.stdout).into_owned())
    };
    let Some(coloured) = drawn(&[]) else { return println!("skipped: no script") };
    assert!(coloured.contains("\r\x1b[K\x1b[?7l["), "a bar: {coloured:?}");
    assert!(coloured.contains("1 finding, "), "{coloured:?}");
    assert!(coloured.contains("\x1b[31mfinding 1\x1b[0m at event"), "{coloured:?}");
    assert!(coloured.contains("\x1b[32mfinding 1\x1b[0m came back 3 of 3"), "{coloured:?}");
    let plain = drawn(&[("NO_COLOR", "1")]).unwrap();
    assert!(plain.contains("\x1b[?7l[") && !plain.contains("\x1b[3"), "{plain:?}");
    let dumb = drawn(&[("TERM", "dumb")]).unwrap();
    assert!(dumb.contains(" at event 102 of pbfdroid: ") && !dumb.contains('\x1b'), "{dumb:?}");
}
