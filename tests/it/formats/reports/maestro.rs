//! Flows for Maestro.

use super::evidence::{APP, HOSTILE, export, export_around};
use taproof_results::report::ExportKind;

#[test]
fn a_flow_asks_a_person_for_what_maestro_cannot_do() {
    let flow = export_around(ExportKind::Maestro);
    for line in
        ["- setAirplaneMode: enabled", "- killApp", "- pressKey: Remote Dpad Up", "    stopApp: false"]
    {
        assert!(flow.lines().any(|it| it == line), "{line}\n{flow}");
    }
    assert!(flow.contains("Maestro cannot let the battery run low"), "{flow}");
}

/// The commands of Maestro's documentation that a flow may use.
const KNOWN: [&str; 13] = [
    "launchApp",
    "stopApp",
    "setOrientation",
    "tapOn",
    "longPressOn",
    "eraseText",
    "inputText",
    "pressKey",
    "back",
    "swipe",
    "waitForAnimationToEnd",
    "assertVisible",
    "assertNotVisible",
];

#[test]
fn a_flow_is_yaml_with_known_commands() {
    use yaml_rust2::{Yaml, YamlLoader};
    let flow = export(HOSTILE, ExportKind::Maestro);
    let documents = YamlLoader::load_from_str(&flow).unwrap();
    assert_eq!(documents.len(), 2);
    assert_eq!(documents[0]["appId"].as_str(), Some(APP));
    let commands = documents[1].as_vec().unwrap();
    let name = |command: &Yaml| match command {
        Yaml::String(name) => name.clone(),
        Yaml::Hash(map) => map.front().unwrap().0.as_str().unwrap().to_owned(),
        other => panic!("{other:?}"),
    };
    for command in commands {
        assert!(KNOWN.contains(&name(command).as_str()), "{command:?}");
    }
    let tap = commands.iter().find(|command| name(command) == "tapOn").unwrap();
    let text = tap["tapOn"]["text"].as_str().unwrap();
    // Without the backslashes of the regular expression it is the text again, and no dollar stands before a brace.
    assert!(text.contains("\\$\\{1\\+1\\}") && !text.contains("${"));
    assert_eq!(unescaped(text), HOSTILE);
    assert_eq!(tap["tapOn"]["index"].as_i64(), Some(1));
    let typed = commands.iter().find(|command| name(command) == "inputText").unwrap();
    assert_eq!(typed["inputText"].as_str().unwrap().replace("\\${", "${"), HOSTILE);
    assert!(typed["inputText"].as_str().unwrap().contains("\\${1+1}"), "Maestro would run it");
}

fn unescaped(regex: &str) -> String {
    let mut text = String::new();
    let mut chars = regex.chars();
    while let Some(c) = chars.next() {
        text.push(if c == '\\' { chars.next().unwrap() } else { c });
    }
    text
}
