//! A flow of Maestro becomes the recording, as if it had been clicked.

use taproof_studio::command::Command;
use taproof_testing::driver::{ask, shown, wait, window};

const FLOW: &str = "appId: org.taproof.files
---
- launchApp
- tapOn:
    id: .*sd_main_fab
- tapOn: Folder
- tapOn:
    id: .*singleedittext_input
- inputText: Receipts
- tapOn: Create
- assertVisible: Receipts
";

#[test]
fn a_flow_becomes_a_recording_with_its_draft() {
    let (mut harness, folder) = window(None);
    wait(&mut harness, "the phone", 30, shown);
    let path = folder.path().join("receipts.yaml");
    std::fs::write(&path, FLOW).unwrap();
    ask(&mut harness, Command::ImportFlow(path));
    wait(&mut harness, "the recording", 60, |state| {
        state.message.as_ref().is_some_and(|message| message.text.contains("is the recording now"))
    });
    let record = &harness.state().state.record;
    let draft = record.draft.as_ref().unwrap().as_ref().unwrap();
    assert_eq!(draft.objects.iter().map(|object| object.text.as_str()).collect::<Vec<_>>(), ["Receipts"]);
    assert!(draft.dmf.steps.len() >= 4 && !draft.dmf.postconditions.is_empty());
    let damaged = folder.path().join("damaged.yaml");
    std::fs::write(&damaged, "- tapOn: [").unwrap();
    ask(&mut harness, Command::ImportFlow(damaged));
    wait(&mut harness, "why", 30, |state| {
        state.message.as_ref().is_some_and(|message| message.text.contains("was not recorded"))
    });
}
