//! Flows of Maestro and the folders of them.

use std::path::{Path, PathBuf};

use super::{FuzzTarget, joined, parts};
use std::sync::Arc;
use taproof_campaign::DeviceChoice;
use taproof_engine::device::{AppData, Build, DeviceSource};
use taproof_phone::Apps;
use taproof_session::TestPhones;
use taproof_session::maestro::{Flow, PlayOptions, flows_in, play};

const APP: &str = "org.taproof.files";
/// Flows with more text than this are read and not played: each command may wait for seconds of the phone's time.
const MAX_PLAYED: usize = 600;

/// How many commands of a flow are played.
const MAX_COMMANDS: u32 = 60;

pub(super) const FLOW: FuzzTarget = FuzzTarget {
    name: "flow",
    about: "Maestro flows: one that runs another, with a config.yaml: read, found in their folder, and played",
    inputs: 40,
    prepare: || Box::new(use_flows),
    seeds: || vec![joined(&SEEDS.map(str::as_bytes))],
    files: &[".yaml", ".yml"],
    words: &[
        "- tapOn: ",
        "- runFlow: b.yaml\n",
        "text: ",
        "id: sd_main_fab\n",
        "below: ",
        "childOf: ",
        "containsDescendants: ",
        "index: -1",
        "point: '50%,50%'",
        "- repeat:\n",
        "times: 3",
        "while:",
        "commands:\n",
        "- retry:\n",
        "optional: true",
        "${NAME}",
        "${'a' + NAME || 'b'}",
        "\\${",
        "&a ",
        "*a",
        "---\n",
        "- swipe: {direction: UP}\n",
        "- back\n",
        "traits: square",
        "(?i)a{3}",
        ".*",
        "- scrollUntilVisible: {element: ",
        "~",
        "null",
        "[",
        "{",
        "\u{feff}",
        "\t",
        "\"\\u0000\"",
    ],
};

const SEEDS: [&str; 3] = [
    "appId: org.taproof.files\nenv: {NAME: a}\nonFlowStart: [back]\n---\n- launchApp: {clearState: true}\n- tapOn: {id: sd_main_fab}\n\
     - runFlow: {when: {visible: Folder}, file: b.yaml, env: {NAME: \"${NAME + 'b'}\"}}\n- assertVisible: {text: C.*, below: {index: 0}}\n",
    "---\n- tapOn: Folder\n- inputText: ${NAME}\n- repeat: {times: 2, commands: [back]}\n",
    "flows: ['*', '!c*']\nincludeTags: []\nexecutionOrder: {flowsOrder: [b, a]}\n",
];

fn use_flows(bytes: &[u8]) {
    let parts = parts(bytes);
    let names = ["a.yaml", "b.yaml", "config.yaml"];
    let read = |path: &Path| {
        let place = names.iter().position(|name| Path::new(name) == path);
        let text = place.and_then(|place| parts.get(place)).ok_or("it is not there")?;
        Ok(String::from_utf8_lossy(text).into_owned())
    };
    let files: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
    if let Ok(found) = flows_in(Path::new(""), &files, &read) {
        assert!(found.flows.len() < names.len(), "no file is there twice");
    }
    let Ok(flow) = Flow::read(Path::new("a.yaml"), &read) else { return };
    if bytes.len() > MAX_PLAYED {
        return;
    }
    let commands = std::cell::Cell::new(0);
    let unwanted = || commands.replace(commands.get() + 1) > MAX_COMMANDS;
    let phones = TestPhones::new(Apps::default(), Arc::new(|_| {}));
    let mut phones = phones.on((APP, &Build::Sound), &DeviceChoice::Bundled, 0);
    let options = PlayOptions {
        app: APP.to_owned(),
        data: AppData::Clear,
        variables: [("NAME".to_owned(), "x".to_owned())].into(),
        unwanted: &unwanted,
    };
    let Ok(mut device) = phones.fresh() else { return };
    if let Ok(played) = play(&flow, &mut *device, &options) {
        let saved = played.saved(flow.title(), (APP, &Build::Sound), true);
        assert_eq!(saved.frames.len(), saved.steps.len() + 1);
        drop(played.conditions());
    }
}
