//! `taproof-lab judge`, and the device that plays a trace back.

use std::path::Path;
use std::process::Output;
use std::sync::Arc;

use serde_json::{Value, json};
use taproof_campaign::SavedTrace;
use taproof_engine::device::{AppData, AppId, Build, DeviceSource};
use taproof_judge::TraceDevice;
use taproof_phone::BundledPhones;
use taproof_results::store::save_trace;
use taproof_screen::{Event, Frame, Gesture, Key, Selector, Step, StepRole, Trace};
use taproof_testing::device::device_contract::{Extent, check};
use taproof_testing::program::{code, errors, json, refused, run};

const APP: &str = "org.taproof.diary";

fn printed(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn text(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join(file)).unwrap()
}

#[test]
fn findings_are_judged_as_they_were_found() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let words =
        ["fuzz", "--app", "diary", "--no-pictures", "--engine", "pbfdroid", "--events", "900", "--seed", "2"];
    let output = run(folder, &[&words[..], &["--json"]].concat());
    assert_eq!(code(&output), 1, "{}", errors(&output));
    let found = json(&output);
    let findings = found["findings"].as_array().unwrap();
    assert!(findings.iter().any(|finding| finding["oracle"] == "property"));
    for finding in findings {
        let (id, oracle) = (finding["id"].as_str().unwrap(), finding["oracle"].as_str().unwrap());
        let file = format!("{id}.json");
        assert_eq!(code(&run(folder, &["replay", id, "--keep", &file])), 0);
        // By its id, and by the file that it was kept in.
        for word in [id, file.as_str()] {
            for judge in ["property", "crash"] {
                let database = folder.join("results/results.sqlite");
                let before = std::fs::read(&database).unwrap();
                let output = run(folder, &["judge", "--oracle", judge, word, "--json"]);
                assert_eq!(std::fs::read(&database).unwrap(), before, "judging changes nothing");
                let judged = json(&output);
                let titles: Vec<&Value> = judged["judged"][0]["violations"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|violation| &violation["title"])
                    .collect();
                let expected = judge == oracle;
                assert_eq!(titles.contains(&&finding["title"]), expected, "{judge} of {word}: {judged}");
                assert_eq!(code(&output), i32::from(!titles.is_empty()), "{judged}");
            }
        }
        // Where no runs are marked they are recognised.
        if oracle == "property" {
            let mut unmarked: Value = serde_json::from_str(&text(folder, &file)).unwrap();
            unmarked.as_object_mut().unwrap().remove("dmf_runs");
            std::fs::write(folder.join("unmarked.json"), unmarked.to_string()).unwrap();
            let output = run(folder, &["judge", "--oracle", "property", "unmarked.json", "--json"]);
            assert_eq!(code(&output), 1, "{}", printed(&output));
            let judged = json(&output);
            assert_eq!(judged["judged"][0]["violations"][0]["title"], finding["title"], "{judged}");
        }
        // A trace without screens cannot be judged, and is not taken for one that holds.
        let mut kept: Value = serde_json::from_str(&text(folder, &file)).unwrap();
        kept["start"].as_object_mut().unwrap().remove("frame");
        std::fs::write(folder.join("prints.json"), kept.to_string()).unwrap();
        let output = run(folder, &["judge", "--oracle", "crash", "prints.json"]);
        assert_eq!(code(&output), 3);
        assert!(printed(&output).starts_with("not judged: prints.json: it holds no screens"));
    }
    let walk = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    refused(folder, &[(&["judge", "--oracle", "crash", walk], "events.json")]);
    std::fs::write(folder.join("cut.json"), "{\"taproof_trace\": 1, \"title\":").unwrap();
    refused(
        folder,
        &[
            (&["judge", "--oracle", "crash", "nope.json"], "nope.json"),
            (&["judge", "--oracle", "crash", "cut.json"], "cut.json"),
            (&["judge", "--oracle", "crash", "no-such-finding"], "no-such-finding"),
        ],
    );
}

#[test]
fn a_recorded_walk_is_a_trace_too() {
    let Some(walk) = taproof_testing::data().map(|data| data.join("android44/walks/notepad-create")) else {
        return;
    };
    let (folder, walk) = (tempfile::tempdir().unwrap(), walk.to_str().unwrap());
    let folder = folder.path();
    for (oracle, why) in
        [("crash", "holds no log"), ("odin", "fewer than 10"), ("property", "no run of a DMF")]
    {
        let output = run(folder, &["judge", "--oracle", oracle, walk]);
        assert_eq!(code(&output), 3, "{oracle}: {}", errors(&output));
        assert!(printed(&output).contains(why), "{oracle}: {}", printed(&output));
    }
    refused(folder, &[(&["fuzz", "--app", "notes", "--from", walk], "is of com.example.android.notepad")]);
}

/// Does events on Diary's sound build and keeps the trace.
fn keep_way(path: &Path, events: &[Event]) -> Vec<Frame> {
    let build = Build::Sound;
    let mut phone = BundledPhones::new(APP, &build).fresh().unwrap();
    phone.launch(&AppId(APP.to_owned()), AppData::Clear).unwrap();
    let mut frames = vec![phone.observe().unwrap()];
    let mut done = Vec::new();
    for event in events {
        let event = event.aimed(&frames.last().unwrap().layout);
        phone.perform(&event).unwrap();
        frames.push(phone.observe().unwrap());
        done.push(event);
    }
    let steps = done
        .iter()
        .enumerate()
        .map(|(step, event)| (event, StepRole::Explored, &frames[step], &frames[step + 1]));
    save_trace(path, &SavedTrace::of_steps("way".to_owned(), (APP, &build), &frames[0], steps)).unwrap();
    frames
}

/// Starts an activity of Diary's: its first page then says so.
fn start_an_activity() -> Event {
    let mut phone = BundledPhones::new(APP, &Build::Sound).fresh().unwrap();
    phone.launch(&AppId(APP.to_owned()), AppData::Clear).unwrap();
    let tile = Selector { text: Some("Cinema".to_owned()), ..Selector::default() };
    Event::on(&phone.observe().unwrap().layout, tile, Gesture::Tap).unwrap()
}

#[test]
fn a_mutant_is_found_among_traces_and_compared() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let tap = start_an_activity();
    keep_way(&folder.join("seed.json"), std::slice::from_ref(&tap));
    // Turned twice, the phone shows the same page again.
    let frames = keep_way(&folder.join("mutant.json"), &[Event::Rotate, Event::Rotate, tap]);
    assert_ne!(frames[0].layout, frames[3].layout, "the tap does something");
    let judge = |extra: &[&str]| run(folder, &[&["judge", "--oracle", "genie", "--json"], extra].concat());
    let holds = judge(&["seed.json", "mutant.json"]);
    let verdicts = json(&holds);
    assert_eq!(code(&holds), 0, "{verdicts}");
    assert_eq!(verdicts["judged"][0]["what"], "mutant.json as a mutant of seed.json");
    assert_eq!(json(&judge(&["mutant.json", "--seed-test", "seed.json"])), verdicts);

    // The tap does nothing after the detour.
    let mut broken: Value = serde_json::from_str(&text(folder, "mutant.json")).unwrap();
    broken["steps"][2]["then"]["frame"] = broken["steps"][1]["then"]["frame"].clone();
    std::fs::write(folder.join("broken.json"), broken.to_string()).unwrap();
    let violated = judge(&["broken.json", "seed.json"]);
    let verdicts = json(&violated);
    assert_eq!(code(&violated), 1, "{verdicts}");
    let violation = &verdicts["judged"][0]["violations"][0];
    assert_eq!((&violation["trace"], &violation["step"]), (&json!("broken.json"), &json!(3)), "{verdicts}");
    assert!(violation["title"].as_str().unwrap().contains("if the phone was turned before"), "{verdicts}");

    let alone = judge(&["seed.json"]);
    assert_eq!((code(&alone), json(&alone)["judged"].as_array().unwrap().len()), (3, 0));
}

#[test]
fn odin_needs_many_traces_and_finds_the_one_that_differs() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let tap = start_an_activity();
    keep_way(&folder.join("way.json"), &[tap]);
    let mut broken: Value = serde_json::from_str(&text(folder, "way.json")).unwrap();
    broken["steps"][0]["then"]["frame"] = broken["start"]["frame"].clone();
    std::fs::write(folder.join("broken.json"), broken.to_string()).unwrap();
    let few = run(folder, &["judge", "--oracle", "odin", "way.json", "broken.json"]);
    assert_eq!(code(&few), 3);
    assert!(printed(&few).contains("fewer than 10 times done"), "{}", printed(&few));
    let mut words = vec!["judge", "--oracle", "odin", "--json", "broken.json"];
    words.extend(["way.json"; 40]);
    let many = run(folder, &words);
    let verdicts = json(&many);
    assert_eq!(code(&many), 1, "{verdicts}");
    assert_eq!(verdicts["judged"][0]["violations"][0]["trace"], "broken.json", "{verdicts}");
}

#[test]
fn a_trace() {
    let mut phone = BundledPhones::new(APP, &Build::Sound).fresh().unwrap();
    phone.launch(&AppId(APP.to_owned()), AppData::Clear).unwrap();
    let mut trace = Trace::start(phone.observe().unwrap());
    for event in [Event::Rotate, Event::Rotate, Event::Key(Key::Home)] {
        phone.perform(&event).unwrap();
        trace.push(Step { event, role: StepRole::Explored, after: phone.observe().unwrap() });
    }
    let mut device = TraceDevice::new(APP, Arc::new(trace));
    check(&mut device, &AppId(APP.to_owned()), Extent::Device);
}
