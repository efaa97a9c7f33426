//! A finding and a campaign that say what may harm whoever reads the report, or runs the script; and how what is
//! made of them is run.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use taproof_campaign::{
    Attribution, CampaignOutcome, Confirmation, Corrections, CoverageSample, DataTimeline, Evidence, Finding,
    SpecFacts, SpecOrigin, Support,
};
use taproof_engine::Moment;
use taproof_results::report::{CampaignFacts, ExportKind, ReportFacts, export_finding, no_progress};
use taproof_screen::{
    AppHealth, CrashReport, DeviceDuration, DeviceInstant, Direction, Event, FailedCheck, FindingOrigin,
    Frame, Gesture, Key, Layout, LayoutBuilder, OracleKind, PxPoint, PxRect, PxSize, Rotation, Selector,
    Step, StepRole, SystemEvent, TouchTarget, Trace, Violation, Widget, WidgetFlags, WidgetIdx,
};
use taproof_spec::{
    Condition, DataModel, Dmf, DmfKind, ImpactOp, NamedSelector, Relation, Spec, SpecSelector, TextPattern,
    WidgetState, condition_key,
};

/// What an app might say to harm whoever reads the report, or runs the script.
pub(super) const HOSTILE: &str = "<script>alert(1)</script>\"'`]]>{{x}}${1+1}$(touch hacked);touch hacked\n\u{1b}\0\u{202e}\\ \"\"\" \u{2028} \u{1f600} %s&amp; --";
/// The same for adb's `input text`, which takes ASCII only.
pub(super) const TYPABLE: &str =
    "$(touch hacked)`touch hacked`;touch hacked\n'\"\\ && touch hacked %s %%s |~*<>{}#!";
pub(super) const APP: &str = "org.ex";
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
pub(super) fn events(text: &str) -> Vec<Event> {
    let on = |row: i32, gesture: Gesture| Event::Widget {
        target: TouchTarget {
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
    let target = TouchTarget { selector: field, at: at(540, 700), screen: SCREEN };
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
    let condition = |widget: &str, relation| Condition::on_widget(widget, relation);
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

pub(super) fn facts(text: &str) -> ReportFacts {
    ReportFacts {
        app: APP.to_owned(),
        app_label: text.to_owned(),
        build: text.to_owned(),
        serials: [("pbfdroid".to_owned(), text.to_owned())].into(),
        engine: "pbfdroid".to_owned(),
        mode: "full".to_owned(),
        seed: 7,
        specs: vec![SpecFacts { name: text.to_owned(), origin: SpecOrigin::Saved }],
        spec_version: "0123abcd".to_owned(),
        spec: Arc::new(spec(text)),
        initialiser: None,
        command: text.to_owned(),
        replay: "taproof replay".to_owned(),
        tool_version: "1.2.3".to_owned(),
        screens_before: None,
        date: String::new(),
    }
}

pub(super) fn finding(text: &str) -> Finding {
    finding_of(text, events(text))
}

/// A finding that these events lead to.
pub(super) fn finding_of(text: &str, events: Vec<Event>) -> Finding {
    let frame =
        |rotation, health| Frame { layout: Arc::new(layout(text, rotation)), health, at: DeviceInstant(0) };
    let mut trace = Trace::start(frame(Rotation::PORTRAIT, AppHealth::Running));
    let mut rotation = Rotation::PORTRAIT;
    let crash = CrashReport {
        causes: Vec::new(),
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
        let condition = Condition::on_widget("x", relation);
        let x = NamedSelector {
            name: "x".to_owned(),
            layout: 0,
            selector: selector(TextPattern::FromRead("x_name".to_owned())),
        };
        FailedCheck {
            key: condition_key(&condition, &[x]),
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
        finished: true,
        support: Support::default(),
        attribution: Attribution::certain(vec![text.to_owned()]),
        data: timeline,
        reference: None,
        environment: None,
    }
}

/// The finding and its facts with another selector in the conditions that failed.
pub(super) fn narrowed(text: &str, narrow: impl Fn(&mut SpecSelector)) -> (Finding, ReportFacts) {
    let (mut finding, mut facts) = (finding(text), facts(text));
    let mut spec = Spec::clone(&facts.spec);
    let dmf = &mut spec.dmfs[0];
    dmf.widgets.iter_mut().for_each(|named| narrow(&mut named.selector));
    for (failure, condition) in finding.violation.failures.iter_mut().zip(&dmf.postconditions) {
        failure.key = condition_key(condition, &dmf.widgets);
    }
    facts.spec = Arc::new(spec);
    (finding, facts)
}

/// The finding and its facts where the conditions that failed ask for a state.
pub(super) fn in_state(text: &str, state: WidgetState) -> (Finding, ReportFacts) {
    let (mut finding, mut facts) = (finding(text), facts(text));
    let mut spec = Spec::clone(&facts.spec);
    let dmf = &mut spec.dmfs[0];
    for (failure, condition) in finding.violation.failures.iter_mut().zip(&mut dmf.postconditions) {
        condition.state = Some(state);
        failure.key = condition_key(condition, &dmf.widgets);
    }
    facts.spec = Arc::new(spec);
    (finding, facts)
}

pub(super) fn campaign(text: &str) -> CampaignFacts {
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
        corrections: Corrections::default(),
        suspicions: false,
        crashes_as_failures: false,
    }
}

pub(super) fn export(text: &str, kind: ExportKind) -> String {
    String::from_utf8(export_finding(&finding(text), &facts(text), kind, &mut no_progress).unwrap()).unwrap()
}

/// A file of this content in a folder of its own.
pub(super) fn file(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path
}

/// Whether a program is there; says so if it is not.
pub(super) fn have(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if found.is_err() {
        taproof_testing::skipped(&format!("no {program}"));
    }
    found.is_ok()
}

/// Runs a program that must succeed; what it says on standard output.
pub(super) fn succeed(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}\n{out}\n{err}");
    out.into_owned()
}

/// Commands on the device that make some of what happens around the app.
pub(super) const AROUND: [&str; 25] = [
    "svc wifi disable",
    "svc data enable",
    "dumpsys battery set level 5",
    "cmd uimode night yes",
    "cmd locale set-app-locales org.ex --locales de-DE",
    "am kill org.ex",
    "pm revoke org.ex android.permission.CAMERA",
    "pm grant org.ex android.permission.CAMERA",
    "settings put system font_scale 1.3",
    "settings put system font_scale 1.0",
    "input keyevent 82",
    "settings put system time_12_24 12",
    "settings put system time_12_24 24",
    "wm density 540",
    "wm density 480",
    "cmd alarm set-timezone Asia/Tokyo",
    "cmd alarm set-timezone GMT",
    "settings put secure location_mode 0",
    "settings put secure location_mode 3",
    "cmd connectivity airplane-mode enable",
    "cmd connectivity airplane-mode disable",
    "cmd notification set_dnd priority",
    "cmd notification set_dnd off",
    "cmd devicestoragemonitor force-low -f",
    "cmd devicestoragemonitor reset -f",
];

/// What happens around the app, as far as a script can do it on any device.
fn events_around() -> Vec<Event> {
    let by_hand = [SystemEvent::IncomingCall, SystemEvent::SplitScreen, SystemEvent::ActivityDeath];
    let around = SystemEvent::ALL.into_iter().filter(|what| !by_hand.contains(what));
    let keys = [Key::Tab, Key::Menu, Key::DpadUp, Key::VolumeDown];
    around.map(Event::System).chain(keys.map(Event::Key)).collect()
}

pub(super) fn export_around(kind: ExportKind) -> String {
    let finding = finding_of("a", events_around());
    String::from_utf8(export_finding(&finding, &facts("a"), kind, &mut no_progress).unwrap()).unwrap()
}
