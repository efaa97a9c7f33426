//! The script that the recipes for continuous integration run, on the served phone through the real adb.

use std::process::{Command, Output};

use taproof_engine::device::Build;
use taproof_served::{Latency, Like};

use taproof_testing::device::adb::ServedPhone;
use taproof_testing::first::FILES;

#[test]
fn the_recipe_fails_for_new_bugs_only() {
    let Some(phone) = ServedPhone::with(FILES, &Build::Faulty, Like::default(), Latency::Off) else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let programs = folder.join("bin");
    std::fs::create_dir(&programs).unwrap();
    std::os::unix::fs::symlink(taproof_testing::program::path(), programs.join("taproof")).unwrap();
    let path = std::env::var("PATH").unwrap();
    let recipe = |summary: Option<&str>| -> (Output, String) {
        let mut script = Command::new("sh");
        script.arg(taproof_testing::root().join("assets/ci/fuzz.sh")).current_dir(folder).env_clear();
        script.env("PATH", format!("{}:{path}", programs.display())).env("HOME", folder);
        script.env("ANDROID_ADB_SERVER_PORT", phone.own.port());
        script.envs([("PACKAGE", FILES), ("EVENTS", "150"), ("SEED", "3"), ("OUT", "results")]);
        if let Some(summary) = summary {
            script.envs([("GITHUB_ACTIONS", "true"), ("GITHUB_STEP_SUMMARY", summary)]);
        }
        let output = script.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output, said)
    };
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let (first, said) = recipe(None);
    assert_eq!(first.status.code(), Some(1), "{said}");
    assert!(read("results/summary.md").contains("| new | "), "{}", read("results/summary.md"));
    assert!(read("results/junit.xml").contains("<failure ") && !said.contains("::error"));
    assert!(read("results/report.html").starts_with("<!DOCTYPE html>"));
    // What was found is accepted, and the next build on GitHub passes.
    std::fs::copy(folder.join("results/baseline.json"), folder.join("taproof-baseline.json")).unwrap();
    let (second, said) = recipe(Some("step.md"));
    assert_eq!(second.status.code(), Some(0), "{said}");
    assert!(said.contains("::warning title=") && !said.contains("::error"), "{said}");
    assert!(read("step.md").contains("| known | ") && !read("step.md").contains("| new | "));
    // Without a device that can be tested, a build does not pass.
    let mut nowhere = Command::new("sh");
    nowhere.arg(taproof_testing::root().join("assets/ci/fuzz.sh")).current_dir(folder).env_remove("PACKAGE");
    assert!(!nowhere.output().unwrap().status.success());
}

#[test]
fn the_book_shows_the_script_that_is_tried() {
    let page = std::fs::read_to_string(taproof_testing::root().join("src/book/ci.md")).unwrap();
    let script = std::fs::read_to_string(taproof_testing::root().join("assets/ci/fuzz.sh")).unwrap();
    assert!(
        page.contains(&format!("```sh\n{script}```\n")),
        "src/book/ci.md must show assets/ci/fuzz.sh as it is"
    );
    assert_eq!(page.matches("sh fuzz.sh").count(), 3, "the recipes for three servers run it");
}
