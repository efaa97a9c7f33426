//! Flows read from texts and played on the bundled phone.

use std::collections::BTreeMap;
use std::path::Path;

use super::*;
use crate::TestPhones;
use std::sync::Arc;
use taproof_campaign::DeviceChoice;
use taproof_engine::device::{AppData, Build, DeviceSource};
use taproof_phone::Apps;
use taproof_screen::{Event, Frame, Gesture};

const FILES: &str = "org.taproof.files";

fn read(files: &[(&str, &str)]) -> Result<Flow, FlowError> {
    let text = |path: &Path| {
        let name = path.to_string_lossy().into_owned();
        let known = files.iter().find(|(known, _)| *known == name);
        known.map(|(_, text)| (*text).to_owned()).ok_or_else(|| format!("{name} is not there"))
    };
    Flow::read(Path::new(files[0].0), &text)
}

/// Reads commands below a head.
fn flow(commands: &str) -> Result<Flow, FlowError> {
    read(&[("a.yaml", &format!("appId: {FILES}\n---\n{commands}"))])
}

fn played(files: &[(&str, &str)], variables: &[(&str, &str)]) -> PlayedFlow {
    let flow = read(files).unwrap();
    let phones = TestPhones::new(Apps::default(), Arc::new(|_| {}));
    let mut phones = phones.on((FILES, &Build::Sound), &DeviceChoice::Bundled, 0);
    let pairs = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let options = PlayOptions {
        app: FILES.to_owned(),
        data: AppData::Clear,
        variables: pairs.collect::<BTreeMap<_, _>>(),
        unwanted: &|| false,
    };
    play(&flow, &mut *phones.fresh().unwrap(), &options).unwrap()
}

fn play_commands(commands: &str) -> PlayedFlow {
    let played = played(&[("a.yaml", &format!("appId: {FILES}\n---\n{commands}"))], &[]);
    assert_eq!(played.stopped, None, "{commands}");
    played
}

/// The steps in words.
fn steps(played: &PlayedFlow) -> Vec<String> {
    let saved = played.saved(String::new(), (FILES, &Build::Sound), false);
    saved.steps.iter().map(|step| step.sentence.clone()).collect()
}

/// The keys of each command in Maestro's documentation, with a value for each.
const KEYS: &[(&str, &[&str])] = &[
    ("back", &[]),
    ("addMedia", &["files: [a.png]"]),
    ("assertNoDefectsWithAI", &[]),
    ("assertScreenshot", &["path: a", "thresholdPercentage: 95", "cropOn: {id: a}"]),
    ("assertTrue", &["condition: '${A == 1}'"]),
    ("assertWithAI", &["assertion: a"]),
    ("clearKeychain", &[]),
    ("clearState", &["appId: a"]),
    ("eraseText", &["charactersToErase: 5"]),
    ("evalScript", &["script: '${output.a = 1}'"]),
    ("extendedWaitUntil", &["visible: a", "notVisible: {id: a}", "timeout: 5_000"]),
    ("extractTextWithAI", &["query: a", "outputVariable: b"]),
    ("hideKeyboard", &[]),
    ("inputText", &["text: a"]),
    ("inputRandomEmail", &[]),
    ("inputRandomPersonName", &[]),
    ("inputRandomNumber", &["length: 9"]),
    ("inputRandomText", &["length: 11"]),
    ("inputRandomCityName", &[]),
    ("inputRandomCountryName", &[]),
    ("inputRandomColorName", &[]),
    ("killApp", &["appId: a"]),
    (
        "launchApp",
        &[
            "appId: a",
            "clearState: true",
            "clearKeychain: true",
            "stopApp: false",
            "permissions: {all: deny}",
            "arguments: {a: 1}",
        ],
    ),
    ("openLink", &["link: 'a://b'", "autoVerify: true", "browser: false"]),
    ("pasteText", &[]),
    ("pressKey", &["key: Remote Dpad Up"]),
    ("repeat", &["times: 3", "while: {notVisible: a}", "commands: [back]"]),
    ("retry", &["maxRetries: 3", "commands: [back]", "env: {A: b}"]),
    (
        "runFlow",
        &[
            "when: {visible: a, notVisible: b, platform: Android, true: '${A}', label: c}",
            "env: {A: b}",
            "commands: [back]",
        ],
    ),
    ("runScript", &["file: a.js", "env: {A: b}", "when: {platform: iOS}"]),
    ("scroll", &[]),
    (
        "scrollUntilVisible",
        &[
            "element: a",
            "direction: LEFT",
            "timeout: 50",
            "speed: 40",
            "visibilityPercentage: 90",
            "centerElement: true",
            "waitToSettleTimeoutMs: 5",
        ],
    ),
    ("setAirplaneMode", &["value: enabled"]),
    ("setClipboard", &["text: a"]),
    ("setDarkMode", &["value: disabled"]),
    ("setLocation", &["latitude: 1.5", "longitude: 2"]),
    ("setOrientation", &["orientation: landscapeLeft"]),
    ("setPermissions", &["appId: a", "permissions: {camera: allow}"]),
    ("startRecording", &["path: a"]),
    ("stopApp", &["appId: a"]),
    ("stopRecording", &[]),
    ("takeScreenshot", &["path: a", "cropOn: a"]),
    ("toggleAirplaneMode", &[]),
    ("toggleDarkMode", &[]),
    ("travel", &["points: ['1,2']", "speed: 7900"]),
    ("waitForAnimationToEnd", &["timeout: 5000"]),
    ("assertDarkMode", &[]),
    ("assertLightMode", &[]),
];

/// The keys of selectors, which many commands take.
const SELECTOR: &[&str] = &[
    "text: a.*",
    "id: a",
    "index: 0",
    "point: '50%, 100%'",
    "width: 200",
    "height: 350",
    "tolerance: 2",
    "traits: square long-text text",
    "above: a",
    "below: {id: a, above: {text: b}}",
    "leftOf: a",
    "rightOf: a",
    "containsChild: {text: a}",
    "childOf: {id: a}",
    "containsDescendants: [{text: a}, {id: b}]",
    "enabled: true",
    "checked: false",
    "focused: true",
    "selected: false",
    "repeat: 3",
    "delay: 500",
    "retryTapIfNoChange: true",
    "waitUntilVisible: true",
    "waitToSettleTimeoutMs: 500",
];

#[test]
fn every_key_of_maestro_is_read_and_any_other_is_said_with_its_line() {
    let by_selector =
        ["tapOn", "doubleTapOn", "longPressOn", "assertVisible", "assertNotVisible", "copyTextFrom"];
    let selectors = by_selector.map(|name| (name, SELECTOR));
    for (name, keys) in KEYS.iter().chain(&selectors) {
        let all = keys.iter().chain(&["label: why", "optional: true"]).map(|key| format!("    {key}\n"));
        let all: String = all.collect();
        let read = flow(&format!("- {name}:\n{all}"));
        assert!(read.is_ok(), "{name}: {read:?}");
        let line = 5 + all.lines().count();
        let odd = flow(&format!("- {name}:\n{all}    colour: red\n- back\n"));
        let said = format!("line {}: `{name}` has no key `colour`", line - 1);
        match odd {
            Ok(flow) => assert_eq!(flow.notes, [said + ", which Maestro passes over, too"], "{name}"),
            Err(problem) => assert_eq!(problem.0, [said], "{name}"),
        }
    }
    for key in SELECTOR
        .iter()
        .filter(|key| !["tolerance", "repeat", "delay", "retry", "wait"].iter().any(|it| key.starts_with(it)))
    {
        assert!(flow(&format!("- tapOn: {{{key}}}\n")).is_ok(), "{key} is enough");
    }
    for swipe in [
        "direction: UP, duration: 500",
        "start: '10%, 20%', end: '1%,2%'",
        "start: 100,200, end: '1, 2'",
        "from: {id: a}, direction: LEFT",
    ] {
        let swipe = swipe.replace("100,200", "'100,200'");
        assert!(flow(&format!("- swipe: {{{swipe}}}\n")).is_ok(), "{swipe}");
    }
}

#[test]
fn short_forms_and_heads_are_read() {
    let short = "- launchApp\n- launchApp: a\n- tapOn: 12\n- inputText: 0123\n- eraseText\n- eraseText: 3\n- pressKey: enter\n\
                 - setOrientation: PORTRAIT\n- setAirplaneMode: disabled\n- runFlow: {commands: [back]}\n- action: back\n\
                 - 'hide keyboard'\n- openBrowser: 'http://a'\n- assertTrue: true\n- evalScript: '${1}'\n- takeScreenshot: a\n\
                 - addMedia: [a]\n- stopApp: a\n- clearState\n- setClipboard: a\n- extendedWaitUntil: {visible: a}\n";
    assert!(flow(short).is_ok(), "{:?}", flow(short));
    let head = "appId: a\nname: Its name\ntags: [b]\nenv: {A: 1}\nonFlowStart: [back]\nonFlowComplete: [back]\n\
                properties: {a: b}\njsEngine: graaljs\n---\n";
    let flow = read(&[("f/a.yaml", head)]).unwrap();
    assert_eq!(
        (flow.app(), flow.title().as_str(), flow.tags()),
        (Some("a"), "Its name", &["b".to_owned()][..])
    );
    assert_eq!(read(&[("f/a.yaml", "---\n- back\n")]).unwrap().title(), "a");
    let notes = read(&[("a.yaml", "appId: a\ncolour: red\n---\n- back\n")]).unwrap().notes;
    assert!(notes[0].starts_with("line 2: `colour` is no key of a flow"), "{notes:?}");
}

#[test]
fn what_is_not_understood_is_said_with_its_line() {
    for (commands, problem) in [
        ("- tapOnn: a\n", "line 3: `tapOnn` is no command of Maestro"),
        ("- back\n- tapOn: {below: {idd: a}}\n", "line 4: `below` has no key `idd`"),
        ("- tapOn:\n    text: a\n  optional: true\n", "line 5: `optional` stands beside `tapOn`"),
        ("- tapOn: {}\n", "line 3: `tapOn` names no widget and no point"),
        ("- back\n- tapOn\n", "line 4: `tapOn` names no widget and no point"),
        ("- tapOn: {point: '1'}\n", "is no point such as"),
        ("- tapOn: {point: '101%,1%'}\n", "is no point such as"),
        ("- tapOn: {css: a}\n", "`css` is for web pages"),
        ("- tapOn: {text: '(?!a)b'}\n", "line 3: `tapOn` cannot be used: the pattern \"(?!a)b\""),
        ("- tapOn: {traits: round}\n", "has the trait \"round\""),
        ("- tapOn: {enabled: perhaps}\n", "needs true or false for `enabled`"),
        ("- swipe: {direction: UP, start: '1,2'}\n", "has either `start` and `end`"),
        ("- swipe: {direction: IN}\n", "goes UP, DOWN, LEFT or RIGHT"),
        ("- runFlow: b.yaml\n", "line 3: b.yaml is not there"),
        ("- runFlow: {file: a.yaml, commands: [back]}\n", "needs either `file` or `commands`"),
        ("- runFlow: {when: {platform: Symbian}, commands: [back]}\n", "is no platform"),
        ("- runFlow:\n    commands:\n      - back\n      - nonsense\n", "line 6: `nonsense`"),
        ("- repeat: {times: many, commands: []}\n", "needs a number for `times`"),
        ("- setOrientation: SIDEWAYS\n", "is PORTRAIT"),
        ("- [back]\n", "line 3: this is no command"),
    ] {
        let problems = flow(commands).unwrap_err().0;
        assert!(problems.iter().any(|it| it.contains(problem)), "{commands}: {problems:?}");
    }
    for (text, problem) in [
        ("", "line 1: it has no list of commands"),
        ("url: http://a\n---\n- back\n", "line 1: `url` is a web page"),
        ("appId: a\n---\n- tapOn: [\n", "it is no YAML"),
    ] {
        let problems = read(&[("a.yaml", text)]).unwrap_err().0;
        assert!(problems[0].contains(problem), "{text}: {problems:?}");
    }
    let two = flow("- nonsense\n- runFlow: b.yaml\n- other\n").unwrap_err().0;
    assert_eq!(two.len(), 3, "all that is wrong is said at once: {two:?}");
    let below =
        read(&[("a.yaml", "---\n- runFlow: sub/b.yaml\n"), ("sub/b.yaml", "---\n- nonsense\n")]).unwrap_err();
    assert_eq!(below.0, ["sub/b.yaml line 2: `nonsense` is no command of Maestro"]);
}

#[test]
fn scripts_are_said_with_what_depends_on_them() {
    let files = [
        (
            "a.yaml",
            "---\n- runScript: s.js\n- evalScript: ${output.b = 1}\n- inputText: ${output.a}\n- tapOn: ${output.b + 'x'}\n- inputText: ${new Date()}\n",
        ),
        ("s.js", "output.a = http.get('x'); if (output.c == 1) {}"),
    ];
    assert_eq!(
        read(&files).unwrap().notes,
        [
            "line 2: `runScript` s.js is JavaScript and is not run; line 4 (`${output.a}`) depends on it",
            "line 3: `evalScript` is JavaScript and is not run; line 5 (`${output.b + 'x'}`) depends on it",
            "line 6: `${new Date()}` is JavaScript and is not run",
        ]
    );
    let stopped = played(&files, &[("output.a", "x")]).stopped.unwrap();
    assert!(stopped.starts_with("line 5: output.b is computed by JavaScript"), "{stopped}");
}

#[test]
fn control_flow_is_resolved_while_the_flow_is_played() {
    let played = play_commands(
        "- runFlow: {when: {visible: Nothing like it}, commands: [back]}\n\
         - runFlow: {when: {platform: iOS}, commands: [back]}\n\
         - runFlow: {when: {true: '${A}'}, commands: [back]}\n\
         - runFlow: {when: {notVisible: Nothing like it, true: \"${maestro.platform == 'android'}\"}, commands: [{tapOn: {id: sd_main_fab}}]}\n\
         - tapOn: {text: Rate this app, optional: true}\n\
         - tapOn: Folder\n\
         - repeat: {times: 2, commands: [{inputText: a}]}\n\
         - retry: {maxRetries: 2, commands: [{assertVisible: aa}, back]}\n\
         - repeat: {while: {notVisible: {id: sd_main_fab}}, commands: [back]}\n",
    );
    let said = steps(&played);
    let shown: Vec<&str> = said.iter().map(String::as_str).collect();
    let begin = [
        "Tap ImageButton \u{201c}Create\u{201d}  #sd_main_fab",
        "Tap TextView \u{201c}Folder\u{201d}  #sd_label",
    ];
    assert_eq!(shown[..2], begin);
    assert_eq!(shown[2..], ["Type \u{201c}a\u{201d}", "Type \u{201c}a\u{201d}", "Press Back", "Press Back"]);
    assert!(played.notes.iter().any(|note| note.contains("optional")), "{:?}", played.notes);
}

#[test]
fn variables_are_of_their_part_and_given_from_outside() {
    let files = [
        (
            "a.yaml",
            "appId: org.taproof.files\nenv: {NAME: \"${GIVEN || 'none'}\"}\n---\n- tapOn: {id: sd_main_fab}\n- tapOn: Folder\n- runFlow: {file: b.yaml, env: {NAME: \"${NAME + '1'}\"}}\n- inputText: ${NAME}\n",
        ),
        ("b.yaml", "---\n- inputText: ${NAME}\n"),
    ];
    let typed = |played: PlayedFlow| -> String {
        let texts = played.steps.iter().filter_map(|(event, _)| match event {
            Event::Type(text) => Some(text.clone()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(typed(played(&files, &[])), "none1 none");
    assert_eq!(typed(played(&files, &[("GIVEN", "x")])), "x1 x");
    let missing = played(&[("a.yaml", "appId: org.taproof.files\n---\n- inputText: ${WHO}\n")], &[]);
    assert_eq!(missing.stopped.as_deref(), Some("line 3: WHO has no value: give it with --env WHO=VALUE"));
}

#[test]
fn fields_are_filled_in_one_step_and_texts_are_copied() {
    let played = play_commands(
        "- copyTextFrom: {id: firstline, index: 0}\n- tapOn: {id: sd_main_fab}\n- tapOn: Folder\n\
         - tapOn: {focused: true}\n- pasteText\n- tapOn: {focused: true}\n- eraseText\n- inputText: ${maestro.copiedText + '2'}\n\
         - assertVisible: ${maestro.copiedText + '2'}\n",
    );
    let set: Vec<&str> = played
        .steps
        .iter()
        .filter_map(|(event, _)| match event {
            Event::Widget { gesture: Gesture::SetText(text), .. } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!((played.steps.len(), set.len()), (4, 2), "{:?}", steps(&played));
    assert_eq!(format!("{}2", set[0]), set[1]);
    assert_eq!(played.failed, 0);
}

#[test]
fn apps_are_stopped_cleared_and_brought_back() {
    let count = |commands: &str, wanted: &Event| {
        let played = play_commands(commands);
        let many = played.steps.iter().filter(|(event, _)| event == wanted).count();
        (played.steps.len(), many)
    };
    use taproof_screen::{Key, SystemEvent};
    assert_eq!(count("- launchApp\n- back\n", &Event::Key(Key::Back)), (1, 1));
    let relaunch = Event::Relaunch;
    assert_eq!(count("- tapOn: {id: sd_main_fab}\n- stopApp\n- launchApp\n", &relaunch), (2, 1));
    assert_eq!(count("- tapOn: {id: sd_main_fab}\n- clearState\n- launchApp\n", &relaunch), (0, 0));
    assert_eq!(count("- tapOn: {id: sd_main_fab}\n- launchApp: {stopApp: false}\n", &relaunch), (1, 0));
    let back = Event::System(SystemEvent::Background);
    assert_eq!(count("- pressKey: Home\n- launchApp: {stopApp: false}\n", &back), (1, 1));
    let killed = Event::System(SystemEvent::ProcessDeath);
    assert_eq!(count("- pressKey: Home\n- killApp\n- launchApp: {stopApp: false}\n", &killed), (1, 1));
    let revoked = Event::System(SystemEvent::RevokePermission);
    assert_eq!(count("- launchApp: {permissions: {all: deny}}\n", &revoked), (2, 1));
    for (commands, why) in [
        ("- launchApp: org.taproof.notes\n", "line 3: it is about org.taproof.notes"),
        ("- stopApp\n- back\n", "line 4: the app was stopped in line 3"),
        ("- openLink: 'http://a'\n", "cannot open links"),
        ("- setLocation: {latitude: 1, longitude: 2}\n", "the place of the phone cannot be set"),
        ("- pressKey: Power\n", "the key \"Power\" cannot be recorded"),
        (
            "- extendedWaitUntil: {visible: Never, timeout: 600}\n",
            "line 3: nothing on the screen is text \"Never\"",
        ),
        ("- scrollUntilVisible: {element: Never}\n", "nothing that is text \"Never\" was scrolled to"),
        (
            "- repeat: {commands: [{runFlow: {when: {platform: iOS}, commands: []}}]}\n",
            "more than 5000 commands",
        ),
    ] {
        let played = played(&[("a.yaml", &format!("appId: {FILES}\n---\n{commands}"))], &[]);
        let stopped = played.stopped.unwrap_or_default();
        assert!(stopped.contains(why), "{commands}: {stopped}");
    }
}

#[test]
fn fingers_and_the_phone_move_as_they_are_told() {
    let played = play_commands(
        "- scrollUntilVisible: {element: Ringtones}\n- scroll\n- swipe: {direction: DOWN}\n- swipe: {start: '50%, 60%', end: '540, 400'}\n\
         - swipe: {from: {id: firstline, index: 0}, direction: LEFT}\n- longPressOn: {point: '30%,40%'}\n- back\n\
         - setOrientation: LANDSCAPE_LEFT\n- setOrientation: landscapeRight\n- setOrientation: PORTRAIT\n\
         - setAirplaneMode: enabled\n- setAirplaneMode: disabled\n- toggleAirplaneMode\n- setDarkMode: disabled\n- toggleDarkMode\n\
         - doubleTapOn: {id: firstline, index: 0}\n- waitForAnimationToEnd\n- waitForAnimationToEnd: {timeout: 700}\n",
    );
    let said = steps(&played);
    let rotations = played.steps.iter().filter(|(event, _)| *event == Event::Rotate).count();
    assert_eq!(rotations, 2, "{said:?}");
    let drags = played
        .steps
        .iter()
        .filter(|(event, _)| matches!(event, Event::Widget { gesture: Gesture::Drag(_), .. }));
    assert_eq!(drags.count(), 4, "{said:?}");
    assert_eq!(said.last().map(String::as_str), Some("Wait 0.7 s"));
}

#[test]
fn what_is_asserted_becomes_expectations_and_conditions() {
    let played = play_commands(
        "- assertVisible: Ringtones\n- tapOn: {id: sd_main_fab}\n- assertVisible: Folder\n- tapOn: Folder\n\
         - assertNotVisible: {id: sd_main_fab}\n- assertVisible: {text: Cr.*te, enabled: true}\n- assertVisible: Missing\n- assertTrue: ${false}\n",
    );
    assert_eq!(played.failed, 2, "{:?}", played.notes);
    let saved = played.saved(String::new(), (FILES, &Build::Sound), false);
    let after: Vec<(Option<usize>, bool)> =
        saved.expectations.iter().map(|it| (it.after, it.sentence.ends_with("not shown"))).collect();
    assert_eq!(after[..3], [(Some(0), false), (Some(1), false), (None, true)], "{:?}", saved.expectations);
    let conditions = played.conditions();
    let posts = conditions.iter().filter(|it| it.post).count();
    assert_eq!((conditions.len() - posts, posts >= 1), (1, true));
}

#[test]
fn first_steps_are_set_apart() {
    let files = [
        (
            "a.yaml",
            "appId: org.taproof.files\nonFlowStart: [{tapOn: {id: sd_main_fab}}]\n---\n- tapOn: Folder\n- assertVisible: Create\n",
        ),
        (
            "b.yaml",
            "appId: org.taproof.files\n---\n- launchApp: {clearState: true}\n- runFlow: c.yaml\n- tapOn: Folder\n",
        ),
        ("c.yaml", "---\n- tapOn: {id: sd_main_fab}\n"),
    ];
    for (own, name) in [(&files[..1], "onFlowStart"), (&files[1..], "c.yaml")] {
        let played = played(own, &[]);
        assert_eq!(played.lead, Some((name.to_owned(), 1)));
        let frames = |frames: &[Frame]| frames.len();
        let saved = played.saved("t".to_owned(), (FILES, &Build::Sound), true);
        assert_eq!(
            (saved.initialiser.unwrap().steps.len(), saved.steps.len(), frames(&saved.frames)),
            (1, 1, 2)
        );
    }
}
