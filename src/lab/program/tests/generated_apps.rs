//! Apps that are generated from a seed, by the commands that take an app.

use taproof_testing::program::{code, errors, json, run};

#[test]
fn a_generated_app_is_an_app_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let listed = json(&run(folder.path(), &["apps", "--app", "blueprint:7", "--json"]));
    let app = &listed["apps"][0];
    assert_eq!(
        (listed["apps"].as_array().unwrap().len(), &app["package"]),
        (1, &"org.taproof.blueprint7".into())
    );
    let words = ["fuzz", "--app", "blueprint:7", "--events", "600", "--seed", "3", "--json"];
    let [first, second] = [(); 2].map(|()| json(&run(folder.path(), &words)));
    assert_eq!(first["fingerprint"], second["fingerprint"], "{first:#}");
    // What is stored knows the package only.
    let again = run(folder.path(), &["fuzz", "--app", "org.taproof.blueprint7", "--events", "100"]);
    assert!(code(&again) < 2, "{}", errors(&again));
}

#[test]
fn witnesses_are_told_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let told = run(folder.path(), &["witnesses", "blueprint:7"]);
    let told = String::from_utf8(told.stdout).unwrap();
    let line = told.lines().find(|line| line.contains("stale-list-plant")).unwrap();
    assert!(line.ends_with("rename row 1 to \"zebra\""), "{line}");
    let refused = run(folder.path(), &["witnesses", "notes"]);
    assert_eq!(code(&refused), 2);
    assert!(
        errors(&refused).contains("\"notes\" is not made from a blueprint; those that are: cards"),
        "{}",
        errors(&refused)
    );
}

#[test]
fn names_that_no_app_has_say_which_there_are() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["blueprint:x", "blueprint:7:huge"] {
        let refused = run(folder.path(), &["dump", "--app", name]);
        assert_eq!(code(&refused), 2);
        let message = errors(&refused);
        assert!(
            message.contains(name) && message.contains("blueprint:SEED[:small|medium|large][:traps]"),
            "{message}"
        );
    }
}

#[test]
fn apps_that_ship_as_blueprints_have_the_bugs_of_the_papers() {
    let folder = tempfile::tempdir().unwrap();
    let listed = json(&run(folder.path(), &["apps", "--json"]));
    let names: Vec<&str> =
        listed["apps"].as_array().unwrap().iter().filter_map(|app| app["package"].as_str()).collect();
    assert!(names.contains(&"org.taproof.cards"), "{names:?}");
    let words = ["fuzz", "--app", "cards", "--bugs", "cards-list-stale", "--events", "2000", "--json"];
    let found = json(&run(folder.path(), &words));
    let bugs = found["findings"].as_array().unwrap().iter().flat_map(|it| it["attributed_bugs"].as_array());
    assert!(bugs.flatten().any(|bug| bug == "cards-list-stale"), "{found:#}");
}
