//! Steps that could not be run: the screen that was there instead is kept, and the command says where.

use std::path::{Path, PathBuf};

use taproof_campaign::SavedTrace;
use taproof_results::store::save_trace;
use taproof_screen::format::parse_hierarchy;
use taproof_screen::{Event, Selector};
use taproof_testing::first::kept_trace;
use taproof_testing::program::{code, errors, json, run};

/// Whether a dump, a picture and a reason are kept there.
fn check_kept(folder: &Path, dump: &str, shown: &str, said: &str) {
    let dump: PathBuf = folder.join("results/stuck").join(dump);
    assert!(said.contains(&dump.display().to_string()), "{said}");
    let text = std::fs::read(&dump).unwrap();
    let layout = parse_hierarchy(&text).unwrap().layout;
    assert!(layout.widgets().iter().any(|widget| &*widget.text == shown), "{}", dump.display());
    let picture = std::fs::read(dump.with_extension("png")).unwrap();
    assert!(picture.starts_with(b"\x89PNG"));
    assert!(!std::fs::read_to_string(dump.with_extension("txt")).unwrap().is_empty());
}

/// The kept trace with the widget of its second step, an entry of a menu, named as none is.
fn broken_trace() -> SavedTrace {
    let mut trace = kept_trace();
    let Event::Widget { target, .. } = &mut trace.steps[1].event else { panic!() };
    target.selector =
        Selector { resource_id: Some("org.taproof.files:id/none".to_owned()), ..Selector::default() };
    trace
}

#[test]
fn the_screen_of_a_step_that_cannot_be_run_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // Of a function's run.
    let spec = concat!(env!("CARGO_MANIFEST_DIR"), "/specs/files/dmf_files.json");
    let mut spec: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(spec).unwrap()).unwrap();
    let function = &mut spec["dmfs"][0];
    let widgets = function["widgets"].as_array_mut().unwrap();
    let entry = widgets.iter_mut().find(|widget| widget["name"] == "e2_widget").unwrap();
    entry["text"] = "no such entry".into();
    std::fs::write(folder.join("spec.json"), spec.to_string()).unwrap();
    let words = ["spec", "try", "spec.json", "--dmf", "add folder", "--app", "files", "--runs", "1"];
    let tried = run(folder, &words);
    assert_eq!(code(&tried), 1, "{}", errors(&tried));
    assert!(errors(&tried).contains("add folder, step 2: "), "{}", errors(&tried));
    check_kept(folder, "trial-of-add-folder/add-folder-step-2.xml", "Folder", &errors(&tried));
    // The same in a campaign.
    let words = ["fuzz", "--app", "files", "--engine", "pbfdroid", "--spec", "spec.json", "--events", "600"];
    let fuzzed = run(folder, &[&words[..], &["--no-pictures"]].concat());
    let said = String::from_utf8(fuzzed.stdout).unwrap();
    assert!(said.contains("steps of functions could not be run: "), "{said}");
    let dump = folder.join("results/stuck/campaign-1-pbfdroid/add-folder-step-2.xml");
    check_kept(folder, "campaign-1-pbfdroid/add-folder-step-2.xml", "Folder", &dump.display().to_string());
}

#[test]
fn the_screens_of_replays_and_first_steps_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    save_trace(&folder.join("broken.json"), &broken_trace()).unwrap();
    let replayed = run(folder, &["replay", "--trace", "broken.json"]);
    assert_eq!(code(&replayed), 0, "it is done at its place: {}", errors(&replayed));
    let name = kept_trace().steps[1].sentence.clone();
    let stuck = std::fs::read_dir(folder.join("results/stuck/replay-of-way")).unwrap();
    let dump =
        stuck.map(|entry| entry.unwrap().path()).find(|path| path.extension().unwrap() == "xml").unwrap();
    let dump = dump.strip_prefix(folder.join("results/stuck")).unwrap().display().to_string();
    check_kept(folder, &dump, "Folder", &errors(&replayed));
    assert!(errors(&replayed).contains(&name), "{}", errors(&replayed));
    // First steps that cannot be done end a campaign.
    let set = run(folder, &["initialiser", "set", "--package", "files", "--from", "broken.json"]);
    assert_eq!(code(&set), 0, "{}", errors(&set));
    let fuzz = ["fuzz", "--app", "files", "--engine", "monkey", "--events", "20", "--no-pictures", "--json"];
    let fuzzed = run(folder, &fuzz);
    assert_eq!(code(&fuzzed), 3, "{}", errors(&fuzzed));
    assert_eq!(json(&fuzzed)["end"], "device");
    let of_campaign = std::fs::read_dir(folder.join("results/stuck/campaign-1")).unwrap().count();
    assert_eq!(of_campaign, 3, "a dump, a picture and a reason");
    assert!(errors(&fuzzed).contains("The screen that was there instead: "), "{}", errors(&fuzzed));
}
