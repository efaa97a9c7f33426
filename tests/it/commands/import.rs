//! Flows of Maestro become recordings.

use taproof_results::store::open_trace;
use taproof_testing::program::{code, errors, json, run};

#[test]
fn a_flow_is_recorded_and_can_be_used_like_any_trace() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let words = ["fuzz", "--app", "files", "--engine", "pbfdroid", "--events", "600", "--no-pictures"];
    assert_eq!(code(&run(folder, &words)), 1);
    let exported = run(folder, &["export", "1", "--format", "maestro", "--out", "flow.yaml"]);
    assert_eq!(code(&exported), 0, "{}", errors(&exported));
    let imported = run(folder, &["spec", "import", "flow.yaml", "--app", "files", "--out", "way.json"]);
    assert_eq!(code(&imported), 0, "{}", errors(&imported));
    let trace = open_trace(&folder.join("way.json")).unwrap();
    assert!(trace.app == "org.taproof.files" && trace.title == "flow" && trace.steps.len() > 2);
    let named = |event: &taproof_screen::Event| match event {
        taproof_screen::Event::Widget { target, .. } => !target.selector.is_empty(),
        _ => true,
    };
    assert!(trace.steps.iter().all(|step| named(&step.event)), "taps name their widgets");
    let again = run(folder, &["replay", "--trace", "way.json", "--json"]);
    assert_eq!((code(&again), &json(&again)["passed"]), (0, &true.into()), "{}", errors(&again));
    let first = run(folder, &["initialiser", "set", "--package", "files", "--from", "way.json"]);
    assert_eq!(code(&first), 0, "{}", errors(&first));
}

#[test]
fn what_cannot_be_recorded_is_said_with_its_command() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (flow, problem) in [
        ("appId: org.taproof.files\n---\n- launchApp\n- runFlow: a.yaml\n", "a.yaml: command 2: `runFlow`"),
        (
            "appId: org.taproof.files\n---\n- tapOn: nothing like it\n",
            "command 1: its widget is not on the screen",
        ),
        ("---\n- back\n", "it names no app"),
        ("appId: org.no.such\n---\n- back\n", "org.no.such"),
    ] {
        std::fs::write(folder.join("a.yaml"), flow).unwrap();
        let refused = run(folder, &["spec", "import", "a.yaml", "--out", "b.json"]);
        assert_eq!(code(&refused), 2, "{flow}");
        assert!(errors(&refused).contains(problem), "{flow}: {}", errors(&refused));
        assert!(!folder.join("b.json").exists());
    }
}
