//! `taproof diff`: two versions of an app without a specification.

use taproof_testing::program::{json, run};

const PAGE: &str = "page.html";
/// One of these is certain to be met in a few events.
const BUGS: &str = "tasks-landscape-important,tasks-choice-reverses,tasks-filter-order,tasks-toggle-notes";

#[test]
fn a_version_and_itself_are_alike_and_a_planted_regression_is_shown_with_both_screens() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join(PAGE);
    let words = ["diff", "--app", "tasks", "--with", "tasks", "--events", "1000", "--json", "--out"];
    let words = [&words[..], &[page.to_str().unwrap()]].concat();
    let alike = run(folder.path(), &words);
    assert_eq!(alike.status.code(), Some(0), "{}", String::from_utf8_lossy(&alike.stderr));
    assert_eq!(json(&alike)["differences"].as_array().map(Vec::len), Some(0), "{}", json(&alike));

    let planted = [&words[..], &["--bugs", BUGS]].concat();
    let found = run(folder.path(), &planted);
    assert_eq!(found.status.code(), Some(1), "{}", String::from_utf8_lossy(&found.stderr));
    let said = json(&found);
    let bug = &said["differences"][0];
    assert_eq!(bug["kind"], "looks like a bug", "{said:#}");
    assert!(!bug["steps"].as_array().unwrap().is_empty(), "{said:#}");
    let first = std::fs::read_to_string(&page).unwrap();
    assert!(first.matches("<figure>").count() >= 2 && !first.contains("<script"));

    let again = run(folder.path(), &planted);
    assert_eq!((json(&again), std::fs::read_to_string(&page).unwrap()), (said, first), "the same seed");
}

#[test]
fn bad_input_is_said_before_anything_is_performed() {
    let folder = tempfile::tempdir().unwrap();
    let apk = folder.path().join("one.apk");
    std::fs::write(&apk, "no apk").unwrap();
    let apk = apk.to_str().unwrap();
    let refused = |words: &[&str], why: &str| {
        let done = run(folder.path(), &[&["diff"], words].concat());
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains(why), "{words:?}: {said}");
    };
    refused(&["--app", "nothing", "--with", "tasks"], "nothing");
    refused(&["--app", "tasks", "--with", "tasks", "--bugs", "none-such"], "none-such");
    refused(&["--app", "tasks"], "--with");
    refused(&[apk, apk], "--device");
    refused(&[apk, "missing.apk", "--device", "none-such"], "missing.apk");
    refused(&[apk, apk, "--device", "none-such"], "are the same version");
}
