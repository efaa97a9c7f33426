//! Exports: whatever the app under test says stays a text in every format, and each format is what its readers
//! take.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use taproof::campaign::{
    Budget, Build, CampaignOutcome, CampaignPlan, ConfirmPlan, Confirmation, CoverageSample, DataTimeline,
    Evidence, Finding, Oracles, SpecFacts, SpecOrigin,
};
use taproof::engine::{EngineConfig, Moment, PbfdroidConfig};
use taproof::model::{
    AppHealth, CrashReport, DeviceDuration, DeviceInstant, Direction, Event, FailedCheck, FindingOrigin,
    Frame, Gesture, Key, Layout, LayoutBuilder, OracleKind, PxPoint, PxRect, PxSize, Rotation, Selector,
    Step, StepRole, SystemEvent, Target, Trace, Violation, Widget, WidgetFlags, WidgetIdx,
};
use taproof::report::{
    CampaignFacts, ExportKind, ReportFacts, campaign_again, export_campaign, export_finding, unheard,
};
use taproof::spec::{
    Condition, DataModel, Dmf, DmfKind, ImpactOp, NamedSelector, Relation, Spec, SpecSelector, TextPattern,
    condition_key,
};

/// What an app might say to harm whoever reads the report, or runs the script.
const HOSTILE: &str = "<script>alert(1)</script>\"'`]]>{{x}}${1+1}$(touch hacked);touch hacked\n\u{1b}\0\u{202e}\\ \"\"\" \u{2028} \u{1f600} %s&amp; --";
/// The same for adb's `input text`, which takes ASCII only.
const TYPABLE: &str = "$(touch hacked)`touch hacked`;touch hacked\n'\"\\ && touch hacked %s %%s |~*<>{}#!";
const APP: &str = "org.ex";
const SCREEN: PxSize = PxSize { width: 1080, height: 1920 };

fn widget(class: &str, id: &str, text: &str, row: i32) -> Widget {
    Widget {
        parent: None,
        package: APP.into(),
        class: class.into(),
        resource_id: Some(id.into()),
        text: text.into(),
        content_desc: text.into(),
        hint: "".into(),
        bounds: PxRect::new(0, row * 200, 1080, row * 200 + 200),
        flags: WidgetFlags::ENABLED.with(WidgetFlags::CLICKABLE, true),
    }
}

fn layout(text: &str, rotation: Rotation) -> Layout {
    let screen = if rotation.sideways() { PxSize { width: 1920, height: 1080 } } else { SCREEN };
    let mut builder = LayoutBuilder::new("org.ex/.Main".into(), screen, rotation);
    for row in 0..3 {
        builder.open(widget("android.widget.TextView", "org.ex:id/row", text, row));
        builder.close();
    }
    builder.open(widget("android.widget.EditText", &format!("org.ex:id/{text}"), "old", 3));
    builder.finish()
}

fn at(x: i32, y: i32) -> PxPoint {
    PxPoint { x, y }
}

/// Every kind of event, with this text wherever one goes.
fn events(text: &str) -> Vec<Event> {
    let on = |row: i32, gesture: Gesture| Event::Widget {
        target: Target {
            selector: Selector {
                resource_id: Some("org.ex:id/row".to_owned()),
                text: Some(text.to_owned()),
                ..Selector::default()
            },
            at: at(540, row * 200 + 100),
            screen: SCREEN,
        },
        gesture,
    };
    let field = Selector { class: Some("android.widget.EditText".to_owned()), ..Selector::default() };
    let target = Target { selector: field, at: at(540, 700), screen: SCREEN };
    vec![
        on(1, Gesture::Tap),
        on(2, Gesture::LongPress),
        Event::Widget { target, gesture: Gesture::SetText(text.to_owned()) },
        Event::Type(text.to_owned()),
        on(0, Gesture::Swipe(Direction::Up)),
        on(0, Gesture::Drag(at(10, 20))),
        Event::Key(Key::Back),
        Event::Key(Key::ImeAction),
        Event::Key(Key::Delete),
        Event::Key(Key::Home),
        Event::Rotate,
        Event::Rotate,
        Event::Wait(DeviceDuration(1500)),
        Event::Relaunch,
    ]
}

fn selector(text: TextPattern) -> SpecSelector {
    SpecSelector { resource_id: Some("org.ex:id/row".to_owned()), text, ..SpecSelector::default() }
}

fn spec(name: &str) -> Spec {
    let named = |name: &str| NamedSelector {
        name: name.to_owned(),
        layout: 1,
        selector: selector(TextPattern::FromRead("x_name".to_owned())),
    };
    let condition = |widget: &str, relation| Condition {
        widget: Some(widget.to_owned()),
        data_type: None,
        relation,
        layout: None,
        scroll: true,
    };
    let dmf = Dmf {
        weight: 1,
        widgets: vec![named("add_object"), named("delete_object")],
        postconditions: vec![
            condition("add_object", Relation::In),
            condition("delete_object", Relation::NotIn),
        ],
        ..Dmf::empty(name, DmfKind::Update, "note")
    };
    Spec { dmfs: vec![dmf], ..Spec::default() }
}

fn facts(text: &str) -> ReportFacts {
    ReportFacts {
        app: APP.to_owned(),
        app_label: text.to_owned(),
        build: text.to_owned(),
        engine: "pbfdroid".to_owned(),
        mode: "full".to_owned(),
        seed: 7,
        specs: vec![SpecFacts { name: text.to_owned(), origin: SpecOrigin::Saved }],
        spec_version: "0123abcd".to_owned(),
        spec: Arc::new(spec(text)),
        command: text.to_owned(),
        tool_version: "1.2.3".to_owned(),
    }
}

fn finding(text: &str) -> Finding {
    finding_of(text, events(text))
}

/// A finding that these events lead to.
fn finding_of(text: &str, events: Vec<Event>) -> Finding {
    let frame =
        |rotation, health| Frame { layout: Arc::new(layout(text, rotation)), health, at: DeviceInstant(0) };
    let mut trace = Trace::start(frame(Rotation::PORTRAIT, AppHealth::Running));
    let mut rotation = Rotation::PORTRAIT;
    let crash = CrashReport {
        package: APP.to_owned(),
        exception: "E".to_owned(),
        message: text.to_owned(),
        stack: Vec::new(),
        log: text.to_owned(),
    };
    let last = events.len() - 1;
    for (index, event) in events.into_iter().enumerate() {
        if event == Event::Rotate {
            rotation = rotation.turned();
        }
        let health =
            if index == last { AppHealth::Crashed(Arc::new(crash.clone())) } else { AppHealth::Running };
        trace.push(Step { event, role: StepRole::SpecStep, after: frame(rotation, health) });
    }
    let check = |relation: Relation, missing: Option<String>, offending: Vec<WidgetIdx>| {
        let condition =
            Condition { widget: Some("x".to_owned()), data_type: None, relation, layout: None, scroll: true };
        FailedCheck {
            key: condition_key(&condition, Some(&selector(TextPattern::FromRead("x_name".to_owned())))),
            condition: text.to_owned(),
            expected: text.to_owned(),
            seen: text.to_owned(),
            offending,
            missing,
        }
    };
    let violation = Violation {
        oracle: OracleKind::Property,
        subject: text.to_owned(),
        dmf: Some(0),
        title: text.to_owned(),
        failures: vec![
            check(Relation::In, Some(text.to_owned()), Vec::new()),
            check(Relation::NotIn, None, vec![WidgetIdx(0), WidgetIdx(1)]),
        ],
        after_drift: true,
    };
    let mut data = DataModel::new();
    data.apply("note", &ImpactOp::Add, text);
    let mut timeline = DataTimeline::default();
    timeline.push(2, data);
    Finding {
        id: "property-x-01234567".to_owned(),
        origin: FindingOrigin { oracle: OracleKind::Property, subject: text.to_owned(), checks: Vec::new() },
        violation,
        title: text.to_owned(),
        engine: "pbfdroid",
        seed: 7,
        first: Moment { event: 1234, device_time: DeviceDuration(5) },
        count: 2,
        witness: Evidence::without_pictures(trace.clone()),
        minimal: Evidence::without_pictures(trace),
        minimal_dmfs: vec![text.to_owned()],
        confirmation: Confirmation::Flaky { hits: 1, tries: 3 },
        attributed_bugs: vec![text.to_owned()],
        data: timeline,
        reference: None,
    }
}

/// The finding and its facts with another selector in the conditions that failed.
fn narrowed(text: &str, narrow: impl Fn(&mut SpecSelector)) -> (Finding, ReportFacts) {
    let (mut finding, mut facts) = (finding(text), facts(text));
    let mut spec = Spec::clone(&facts.spec);
    let dmf = &mut spec.dmfs[0];
    dmf.widgets.iter_mut().for_each(|named| narrow(&mut named.selector));
    for (failure, condition) in finding.violation.failures.iter_mut().zip(&dmf.postconditions) {
        failure.key = condition_key(condition, Some(&dmf.widgets[0].selector));
    }
    facts.spec = Arc::new(spec);
    (finding, facts)
}

fn campaign(text: &str) -> CampaignFacts {
    let sample = |events, states, findings| CoverageSample {
        events,
        tests: 1,
        states,
        activities: 1,
        findings,
        ..CoverageSample::default()
    };
    CampaignFacts {
        run: facts(text),
        outcome: CampaignOutcome {
            summary: None,
            end: Some(text.to_owned()),
            findings: vec![Arc::new(finding(text))],
            curve: vec![sample(500, 3, 0), sample(1000, 5, 1)],
        },
    }
}

fn export(text: &str, kind: ExportKind) -> String {
    String::from_utf8(export_finding(&finding(text), &facts(text), kind, &mut unheard).unwrap()).unwrap()
}

/// A file of this content in a folder of its own.
fn file(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path
}

/// Whether a program is there; says so if it is not.
fn have(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if found.is_err() {
        println!("skipped: no {program}");
    }
    found.is_ok()
}

/// Runs a program that must succeed; what it says on standard output.
fn succeed(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}\n{out}\n{err}");
    out.into_owned()
}

#[test]
fn the_same_finding_is_the_same_bytes() {
    for kind in ExportKind::ALL {
        let one = export_finding(&finding(HOSTILE), &facts(HOSTILE), kind, &mut unheard).unwrap();
        assert_eq!(
            one,
            export_finding(&finding(HOSTILE), &facts(HOSTILE), kind, &mut unheard).unwrap(),
            "{kind:?}"
        );
        assert!(!one.is_empty());
        let whole = export_campaign(&campaign(HOSTILE), kind, &mut unheard);
        assert_eq!(whole.is_ok(), kind.of_campaigns(), "{kind:?}");
        if let Ok(whole) = whole {
            assert_eq!(whole, export_campaign(&campaign(HOSTILE), kind, &mut unheard).unwrap());
        }
    }
}

#[test]
fn a_page_shows_hostile_texts_and_runs_none() {
    let pages = [
        export(HOSTILE, ExportKind::Html),
        String::from_utf8(export_campaign(&campaign(HOSTILE), ExportKind::Html, &mut unheard).unwrap())
            .unwrap(),
    ];
    for page in &pages {
        assert!(!page.contains("<script"), "a tag of the app's");
        assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
        assert!(!page.contains('\0') && !page.contains('\u{1b}'));
        assert!(page.contains("default-src 'none'; img-src data:; style-src 'unsafe-inline'"));
        assert!(!page.contains("http://") && !page.contains("https://") && !page.contains("@import"));
        assert!(
            page.contains("<svg class=\"screen\"") && page.contains("offending") && page.contains("touched")
        );
    }
    if have("chromium") {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), "page.html", &pages[0]);
        let dom = succeed(
            Command::new("chromium")
                .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"])
                .arg(format!("--user-data-dir={}", folder.path().display()))
                .args(["--dump-dom".into(), format!("file://{}", path.display())]),
        );
        assert!(!dom.contains("<script"));
        assert_eq!(dom.matches("<article").count(), events(HOSTILE).len());
        assert!(dom.contains("Step 1 of 14") && dom.contains("\u{2717} offending"));
    }
}

#[test]
fn results_are_what_jenkins_takes() {
    let one = export(HOSTILE, ExportKind::Junit);
    let whole =
        String::from_utf8(export_campaign(&campaign(HOSTILE), ExportKind::Junit, &mut unheard).unwrap())
            .unwrap();
    for text in [&one, &whole] {
        assert!(text.contains("&lt;script&gt;") && !text.contains("<script"));
        assert!(!text.contains('\0') && !text.contains('\u{1b}'));
    }
    if have("xmllint") {
        let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/junit-10.xsd");
        let folder = tempfile::tempdir().unwrap();
        for text in [one, whole] {
            let path = file(folder.path(), "results.xml", text);
            succeed(Command::new("xmllint").args(["--noout", "--nonet", "--schema"]).arg(&schema).arg(path));
        }
    }
}

/// Reads a script's calls back with python's own parser and prints them as JSON: the steps and the checks.
const CALLS: &str = "
import ast, json, sys
tree = ast.parse(open(sys.argv[1], encoding='utf-8').read())
known = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
def calls(name):
    [body] = [node.body for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    for line in body:
        call = line.value
        assert isinstance(line, ast.Expr) and isinstance(call, ast.Call) and call.func.id in known, ast.dump(line)
        yield [call.func.id] + [ast.literal_eval(one) for one in call.args[1:]]
print(json.dumps([list(calls('run')), list(calls('check'))]))
";

#[test]
fn a_python_script_does_each_step_of_the_trace() {
    let script = export(HOSTILE, ExportKind::Uiautomator2);
    if !have("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "script.py", script);
    succeed(Command::new("python3").args(["-m", "py_compile"]).arg(&path));
    let told = succeed(Command::new("python3").args(["-c", CALLS]).arg(&path));
    let calls: serde_json::Value = serde_json::from_str(&told).unwrap();
    let run = calls[0].as_array().unwrap();
    assert_eq!(run[0][0], "start");
    let names: Vec<&str> = run[1..].iter().map(|call| call[0].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "tap",
            "long_press",
            "set_text",
            "type_text",
            "swipe",
            "swipe",
            "press",
            "press",
            "press",
            "press",
            "rotate",
            "rotate",
            "wait",
            "relaunch"
        ]
    );
    for (index, call) in run[1..].iter().enumerate() {
        assert_eq!(call[1], index + 1, "steps are numbered");
    }
    // The second of three equal rows, found by its text whatever it is; else where it was.
    let row = serde_json::json!({"resourceId": "org.ex:id/row", "text": HOSTILE, "instance": 1});
    assert_eq!(run[1][3], row);
    assert_eq!(run[1][4], serde_json::json!([540, 300]));
    assert_eq!(run[3][6], HOSTILE, "what is typed");
    assert_eq!(run[4][3], HOSTILE);
    assert_eq!((&run[7][3], &run[11][3], &run[12][3]), (&"back".into(), &"left".into(), &"natural".into()));
    let shown =
        serde_json::json!(["expect_shown", calls[1][0][1], {"resourceId": "org.ex:id/row"}, [HOSTILE]]);
    assert_eq!(calls[1][0], shown);
    assert_eq!(
        (&calls[1][1][0], &calls[1][1][3]),
        (&"expect_at_most".into(), &1.into()),
        "the model holds one"
    );
}

/// Takes the place of uiautomator2: a phone that shows what `SCREEN` says, and fails where `FAILS` says.
const UIAUTOMATOR2: &str = "
import json, os, time
clock = [0.0]
def now():
    clock[0] += 1.0
    return clock[0]
time.time, time.sleep = now, lambda seconds: None
fails = os.environ['FAILS']
class Device:
    starts = 0
    def __call__(self, **parts):
        if fails == 'step' or (fails == 'check' and self.starts == 2):
            raise RuntimeError('the phone is gone \\x1b[31m')
        shown = json.loads(os.environ['SCREEN'])
        return [self for one in shown if all(one.get(name) == value for name, value in parts.items())]
    def app_list(self):
        return [] if fails == 'install' else ['org.ex']
    def app_start(self, app, wait):
        self.starts += 1
    def window_size(self):
        return 1080, 1920
    def shell(self, command):
        print('shell: ' + command)
        answer = 'android.permission.CAMERA: granted=true' if 'dumpsys package' in command else 'Night mode: no'
        return type('Answer', (), {'output': answer})
    def __getattr__(self, name):
        return lambda *words, **named: None
def connect(serial):
    if fails == 'connect':
        raise RuntimeError('no device')
    return Device()
";

#[test]
fn a_python_script_ends_with_what_it_saw_and_with_2_where_it_saw_nothing() {
    if !have("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let modules = folder.path().join("modules");
    std::fs::create_dir(&modules).unwrap();
    file(&modules, "uiautomator2.py", UIAUTOMATOR2);
    let run = |script: &Path, shown: &[&str], fails: &str| {
        let rows = shown.iter().map(|text| serde_json::json!({"resourceId": "org.ex:id/row", "text": text}));
        let output = Command::new("python3")
            .arg(script)
            .env("PYTHONPATH", if fails == "import" { folder.path() } else { &modules })
            .env("PYTHONNOUSERSITE", "1")
            .env("SCREEN", serde_json::Value::from_iter(rows).to_string())
            .env("FAILS", fails)
            .output()
            .unwrap();
        let told = [output.stdout, output.stderr].concat();
        assert!(told.is_ascii() && !told.contains(&0x1b), "a text reaches the terminal");
        (output.status.code().unwrap(), String::from_utf8(told).unwrap())
    };
    let python = |text: &str, name: &str, facts: &ReportFacts| {
        let script = export_finding(&finding(text), facts, ExportKind::Uiautomator2, &mut unheard);
        file(folder.path(), name, script.unwrap())
    };
    for text in [HOSTILE, "a"] {
        let script = python(text, "script.py", &facts(text));
        for (shown, fails, code, told) in [
            (&[text][..], "", 0, "As it should be."),
            (&[text, text], "", 1, "BUG: "),
            (&["other"], "", 1, "BUG: "),
            (&[text], "import", 2, "pip install uiautomator2"),
            (&[text], "connect", 2, "no device"),
            (&[text], "install", 2, "not installed"),
            (&[text], "step", 2, "the phone is gone"),
            (&[text, text], "check", 2, "the phone is gone"),
        ] {
            let (ended, said) = run(&script, shown, fails);
            assert!(ended == code && said.contains(told), "{fails}: {ended}\n{said}");
        }
    }
    // The specification has no such function, so only a person can say whether it is as it should be.
    let (ended, said) = run(&python("a", "eyes.py", &facts("b")), &["a"], "");
    assert!(ended == 2 && said.contains("look at the screen: "), "{ended}\n{said}");
}

/// What happens around the app, as far as a script can do it on any device.
fn events_around() -> Vec<Event> {
    let around = SystemEvent::ALL.into_iter().filter(|what| *what != SystemEvent::IncomingCall);
    let keys = [Key::Tab, Key::Menu, Key::DpadUp, Key::VolumeDown];
    around.map(Event::System).chain(keys.map(Event::Key)).collect()
}

fn export_around(kind: ExportKind) -> String {
    let finding = finding_of("a", events_around());
    String::from_utf8(export_finding(&finding, &facts("a"), kind, &mut unheard).unwrap()).unwrap()
}

#[test]
fn a_python_script_does_what_happens_around_the_app() {
    let script = export_around(ExportKind::Uiautomator2);
    if !have("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    file(folder.path(), "uiautomator2.py", UIAUTOMATOR2);
    let path = file(folder.path(), "script.py", script);
    let told = succeed(
        Command::new("python3")
            .arg(path)
            .env("PYTHONPATH", folder.path())
            .env("SCREEN", r#"[{"resourceId": "org.ex:id/row", "text": "a"}]"#)
            .env("FAILS", ""),
    );
    for command in [
        "svc wifi disable",
        "svc data enable",
        "dumpsys battery set level 5",
        "cmd uimode night yes",
        "cmd locale set-app-locales org.ex --locales de-DE",
        "am kill org.ex",
        "pm revoke org.ex android.permission.CAMERA",
    ] {
        assert!(told.contains(&format!("shell: {command}\n")), "{command}\n{told}");
    }
    assert!(told.ends_with("As it should be.\n"), "{told}");
}

#[cfg(unix)]
#[test]
fn a_shell_script_does_what_happens_around_the_app_and_puts_it_back() {
    let phone = AdbPhone::new();
    let (ended, told) = phone.run(export_around(ExportKind::AdbShell).as_bytes(), Some(&dump(&["a"])), "");
    assert!(ended == 0 && told.contains("As it should be.\n"), "{ended}\n{told}");
    let log = std::fs::read_to_string(phone.folder.path().join("log")).unwrap();
    let calls: Vec<String> = log.split('\u{1d}').map(|call| call.replace('\u{1e}', " ")).collect();
    for command in [
        "svc wifi disable",
        "svc data enable",
        "dumpsys battery set level 5",
        "cmd uimode night yes",
        "cmd locale set-app-locales org.ex --locales de-DE",
        "am kill org.ex",
        "pm revoke org.ex android.permission.CAMERA",
        "input keyevent KEYCODE_DPAD_UP",
    ] {
        assert!(calls.iter().any(|call| call == command), "{command}\n{calls:?}");
    }
    let reset = calls.iter().rposition(|call| call == "dumpsys battery reset");
    assert!(reset > calls.iter().position(|call| call == "dumpsys battery set level 5"), "{calls:?}");
    // The console of an emulator is needed for a call, and this phone has none.
    let called = finding_of("a", vec![Event::System(SystemEvent::IncomingCall)]);
    let script = export_finding(&called, &facts("a"), ExportKind::AdbShell, &mut unheard).unwrap();
    let (ended, told) = phone.run(&script, Some(&dump(&["a"])), "");
    assert!(ended == 2 && told.contains("only an emulator can be called"), "{ended}\n{told}");
}

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

#[test]
fn what_a_format_cannot_say_is_left_to_a_person() {
    let both = |narrow: &dyn Fn(&mut SpecSelector)| {
        let (finding, facts) = narrowed("a", narrow);
        let judges = |kind, eyes: &str, own: &str| {
            let script = export_finding(&finding, &facts, kind, &mut unheard).unwrap();
            let script = String::from_utf8(script).unwrap();
            match (script.matches(eyes).count(), script.matches(own).count()) {
                (0, 2) => true,
                (2, 0) => false,
                other => panic!("{kind:?} {other:?}\n{script}"),
            }
        };
        (
            judges(ExportKind::AdbShell, "\nby_eye '", "\n[ \"$(count "),
            judges(ExportKind::Maestro, "Look at the screen: ", "Visible:"),
        )
    };
    assert_eq!(both(&|_| ()), (true, true));
    assert_eq!(both(&|selector| selector.xpath = Some("//*[@text='a']".to_owned())), (false, false));
    assert_eq!(both(&|selector| selector.instance = Some(0)), (false, false));
    assert_eq!(both(&|selector| selector.content_desc = Some("b".to_owned())), (true, false));
    // All that bear the id on the way are of this class, so the id says the same.
    assert_eq!(both(&|selector| selector.class = Some("android.widget.TextView".to_owned())), (true, true));
    assert_eq!(both(&|selector| selector.class = Some("android.widget.Button".to_owned())), (true, false));
    let by_class = |selector: &mut SpecSelector| {
        (selector.class, selector.resource_id) = (Some("android.widget.TextView".to_owned()), None);
    };
    assert_eq!(both(&by_class), (true, false));
}

fn unescaped(regex: &str) -> String {
    let mut text = String::new();
    let mut chars = regex.chars();
    while let Some(c) = chars.next() {
        text.push(if c == '\\' { chars.next().unwrap() } else { c });
    }
    text
}

/// Takes the place of adb: a device's shell that has commands of ours in place of its own.
const ADB: &str = r#"#!/bin/sh
set -eu
[ "$1" = shell ]
PATH="$STUBS:$PATH" exec sh -c "$(printf '%s' "$2" | sed "s|/data/local/tmp|$PHONE|g")"
"#;

/// Takes the place of a command on the device: notes the words that reach it, each behind an `=`.
const STUB: &str = r#"#!/bin/sh
printf '%s' "${0##*/}" >>"$PHONE/log"
for word in "$@"; do printf '\036%s' "$word" >>"$PHONE/log"; done
printf '\035' >>"$PHONE/log"
[ "${0##*/}" != "$FAILS" ] || exit 1
case "${0##*/} ${1:-}" in
  'wm size') echo 'Physical size: 1080x1920' ;;
  'pm path') echo 'package:/data/app/base.apk' ;;
  'cmd uimode') echo 'Night mode: no' ;;
  'dumpsys package') echo '      android.permission.CAMERA: granted=true, flags=[ ]' ;;
  'uiautomator dump') [ ! -f "$PHONE/screen" ] || cp "$PHONE/screen" "$2" ;;
esac
"#;

/// A dump of a screen with these rows.
fn dump(rows: &[&str]) -> String {
    let row = |text: &&str| {
        let mut written = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        written = written.replace('"', "&quot;").replace('\n', "&#10;");
        format!(
            "<node index=\"0\" text=\"{written}\" resource-id=\"org.ex:id/row\" \
             class=\"android.widget.TextView\" package=\"org.ex\" content-desc=\"\" />"
        )
    };
    let rows: String = rows.iter().map(row).collect();
    format!(
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">{rows}</hierarchy>"
    )
}

/// A folder with a phone that adb reaches.
#[cfg(unix)]
struct AdbPhone {
    folder: tempfile::TempDir,
}

#[cfg(unix)]
impl AdbPhone {
    fn new() -> AdbPhone {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let stubs = folder.path().join("stubs");
        std::fs::create_dir(&stubs).unwrap();
        let runnable =
            |path: PathBuf| std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
        runnable(file(folder.path(), "adb", ADB));
        runnable(file(folder.path(), "sleep", "#!/bin/sh\n"));
        for stub in
            ["input", "am", "pm", "monkey", "settings", "wm", "uiautomator", "ime", "svc", "dumpsys", "cmd"]
        {
            runnable(file(&stubs, stub, STUB));
        }
        AdbPhone { folder }
    }

    /// Runs a script while the phone shows this and one of its commands fails; its exit code and what it says.
    fn run(&self, script: &[u8], screen: Option<&str>, fails: &str) -> (i32, String) {
        let folder = self.folder.path();
        let path = file(folder, "script.sh", script);
        succeed(Command::new("sh").arg("-n").arg(&path));
        match screen {
            Some(screen) => drop(file(folder, "screen", screen)),
            None => std::fs::remove_file(folder.join("screen")).unwrap_or(()),
        }
        let output = Command::new("sh")
            .arg(&path)
            .current_dir(folder)
            .env("PATH", format!("{}:{}", folder.display(), std::env::var("PATH").unwrap()))
            .env("STUBS", folder.join("stubs"))
            .env("PHONE", folder)
            .env("FAILS", fails)
            .output()
            .unwrap();
        assert!(!folder.join("hacked").exists(), "a text was run");
        let told = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap(), String::from_utf8_lossy(&told).into_owned())
    }
}

#[cfg(unix)]
#[test]
fn a_shell_script_hands_texts_through_two_shells() {
    let phone = AdbPhone::new();
    let shown = dump(&[TYPABLE]);
    let (ended, told) = phone.run(export(TYPABLE, ExportKind::AdbShell).as_bytes(), Some(&shown), "");
    assert!(ended == 0 && told.ends_with("As it should be.\n"), "{ended}\n{told}");
    let log = std::fs::read_to_string(phone.folder.path().join("log")).unwrap();
    let calls: Vec<Vec<&str>> = log.split('\u{1d}').map(|call| call.split('\u{1e}').collect()).collect();
    let typed: Vec<String> = calls
        .iter()
        .filter_map(|call| match call[..] {
            ["input", "text", text] => Some(text.replace("%s", " ")),
            ["input", "keyevent", "KEYCODE_ENTER"] => Some("\n".to_owned()),
            _ => None,
        })
        .collect();
    // Once into the field, once typed; then the keyboard's action key, which is the enter key, too.
    assert_eq!(typed.concat(), format!("{TYPABLE}{TYPABLE}\n"));
    assert!(calls.contains(&vec!["pm", "clear", APP]) && calls.contains(&vec!["input", "tap", "540", "300"]));
    let (ended, told) = phone.run(export(HOSTILE, ExportKind::AdbShell).as_bytes(), Some(&shown), "");
    assert!(ended == 2 && told.contains("cannot be typed"), "{ended}\n{told}");
}

#[cfg(unix)]
#[test]
fn a_shell_script_ends_with_what_it_saw_and_with_2_where_it_saw_nothing() {
    let phone = AdbPhone::new();
    let script = export(TYPABLE, ExportKind::AdbShell);
    let (one, two) = (dump(&[TYPABLE, "other"]), dump(&[TYPABLE, TYPABLE]));
    let half = two.replace("</hierarchy>", "");
    let unseen = "uiautomator does not say what is on the screen";
    for (screen, fails, code, told) in [
        (Some(one.as_str()), "", 0, "As it should be."),
        (Some(&two), "", 1, "BUG: "),
        (Some(&dump(&["other"])), "", 1, "BUG: "),
        (Some(&half), "", 2, unseen),
        (Some(""), "", 2, unseen),
        // The last run's dump, which was as it should be, must not be taken for this run's.
        (Some(&one), "", 0, "As it should be."),
        (None, "", 2, "taproof.xml"),
        (Some(&two), "uiautomator", 2, ""),
        (Some(&one), "wm", 2, "no device"),
        (Some(&one), "pm", 2, "not installed"),
        (Some(&one), "monkey", 2, ""),
        (Some(&one), "input", 2, ""),
    ] {
        let (ended, said) = phone.run(script.as_bytes(), screen, fails);
        assert!(ended == code && said.contains(told), "{fails}: {ended}\n{said}");
    }
    // The specification has no such function, so only a person can say whether it is as it should be.
    let eyes = export_finding(&finding("a"), &facts("b"), ExportKind::AdbShell, &mut unheard).unwrap();
    let (ended, said) = phone.run(&eyes, Some(&dump(&["a"])), "");
    assert!(ended == 2 && said.matches("look at the screen: ").count() == 2, "{ended}\n{said}");
}

/// What a report says of a campaign with these specification files; `FUZZ` is its command without them.
fn check_again(specs: &[(&str, SpecOrigin)], expected: &str) {
    let only = vec!["add note".to_owned(), "x".to_owned()];
    let plan = CampaignPlan {
        app: "org.ex".into(),
        build: Build::Bugs(Vec::new()),
        engines: vec![EngineConfig::Pbfdroid(PbfdroidConfig { only, ..PbfdroidConfig::default() })],
        spec: Arc::new(Spec::default()),
        given: Vec::new(),
        seed: 7,
        budget: Budget { max_events: 10, max_device_millis: Some(120_000) },
        oracles: Oracles::default(),
        confirm: ConfirmPlan::default(),
    };
    let facts = |(name, origin): &(&str, SpecOrigin)| SpecFacts { name: (*name).into(), origin: *origin };
    let again = campaign_again(&plan, &specs.iter().map(facts).collect::<Vec<_>>());
    let command = "taproof fuzz --app org.ex --bugs '' --engine pbfdroid \
                   --set 'pbfdroid.only=[\"add note\",\"x\"]' --events 10 --minutes 2 --seed 7";
    assert_eq!(again.replace(command, "FUZZ"), expected);
}

#[test]
fn the_command_of_a_campaign_runs_the_same_one() {
    let (shipped, saved) = (("specs/a.json", SpecOrigin::Shipped), ("/my specs/$x.json", SpecOrigin::Saved));
    check_again(&[shipped], "FUZZ");
    check_again(&[saved], "FUZZ --spec '/my specs/$x.json'");
    check_again(
        &[saved, shipped],
        "# specs/a.json lies in the folder of Taproof's sources.\n\
         FUZZ --spec '/my specs/$x.json' --spec specs/a.json",
    );
    check_again(
        &[("new\nrm.json", SpecOrigin::Unsaved)],
        "# new rm.json was run as it stood in the window. Save it there first, and name its file here.\n\
         FUZZ --spec 'new\nrm.json'",
    );
}

#[test]
fn a_film_has_a_picture_for_each_step_and_one_for_the_end() {
    use image::AnimationDecoder;
    let film = export_finding(&finding("a"), &facts("a"), ExportKind::Gif, &mut unheard).unwrap();
    let decoder = image::codecs::gif::GifDecoder::new(std::io::Cursor::new(&film)).unwrap();
    let frames = decoder.into_frames().collect_frames().unwrap();
    assert_eq!(frames.len(), events("a").len() + 1);
    let millis = |frame: &image::Frame| frame.delay().numer_denom_ms().0;
    assert_eq!((millis(&frames[0]), millis(frames.last().unwrap())), (900, 3000));
    assert_eq!(frames[0].buffer().width(), 360);
}
