//! `taproof discover`: a specification of an app that explored itself.

use taproof_testing::program::{json, run};

#[test]
#[ignore = "takes long"]
fn what_is_discovered_is_a_specification_that_holds_on_the_app() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("found.json");
    let file = file.to_str().unwrap();
    let words = ["discover", "--app", "notes", "--build", "sound", "--events", "12000", "--out", file];
    let done = run(folder.path(), &[&words[..], &["--json"]].concat());
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    let said = json(&done);
    let functions = said["functions"].as_array().unwrap();
    assert!(functions.len() >= 3, "{said:#}");
    for function in functions {
        assert!(function["held"].as_u64().unwrap() > 0, "{function}");
        assert_eq!(function["held"], function["tries"], "{function}");
        assert!(!function["refuted_by"].as_array().unwrap().is_empty(), "{function}");
    }
    let again = run(folder.path(), &[&words[..], &["--json"]].concat());
    assert_eq!(json(&again), said, "the same phone and seed, the same proposals");
    let checked = run(folder.path(), &["spec", "check", file]);
    assert_eq!(checked.status.code(), Some(0), "{}", String::from_utf8_lossy(&checked.stdout));
}

#[test]
fn an_app_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let done = run(folder.path(), &["discover", "--app", "nothing"]);
    assert_eq!(done.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&done.stderr).contains("nothing"));
}
