//! The worked examples of `pbfdroid/paper.md`, section 8, on a device that shows prepared screens in order.

use std::sync::Arc;

use super::*;
use crate::device::{AppData, AppId, Device, DeviceError, DeviceInfo, Screenshot, SnapshotId};
use taproof_screen::determinism::{DeviceDuration, DeviceInstant, Rng};
use taproof_screen::{
    AppHealth, DrawnText, Event, Frame, Layout, PxRect, PxSize, Reason, Trace, Verdict, WidgetIdx,
    layout_from,
};
use taproof_spec::{
    Action, Condition, DataModel, Dmf, DmfKind, DmfStep, FreshText, Impact, ImpactOp, Input, NamedSelector,
    Relation, Spec, SpecSelector, TextClass, TextPattern,
};

/// Shows one layout after the other, whatever is done to it; waiting changes nothing.
pub(crate) struct Script {
    info: DeviceInfo,
    layouts: Vec<Arc<Layout>>,
    at: usize,
    now: u64,
}

impl Device for Script {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }
    fn now(&self) -> DeviceInstant {
        DeviceInstant(self.now)
    }
    fn launch(&mut self, _app: &AppId, _data: AppData) -> Result<(), DeviceError> {
        self.at = 0;
        Ok(())
    }
    fn perform(&mut self, event: &Event) -> Result<(), DeviceError> {
        self.now += 1000;
        if !matches!(event, Event::Wait(_)) {
            self.at = (self.at + 1).min(self.layouts.len() - 1);
        }
        Ok(())
    }
    fn observe(&mut self) -> Result<Frame, DeviceError> {
        let layout = Arc::clone(&self.layouts[self.at]);
        Ok(Frame { layout, health: AppHealth::Running, at: self.now() })
    }
    fn screenshot(&mut self) -> Result<Screenshot, DeviceError> {
        Err(DeviceError::Unsupported { serial: "script".into(), what: "draw".into() })
    }
    fn save_snapshot(&mut self) -> Result<SnapshotId, DeviceError> {
        Ok(SnapshotId(0))
    }
    fn restore_snapshot(&mut self, _id: SnapshotId) -> Result<(), DeviceError> {
        Ok(())
    }
}

/// `fab,row(a),title(x),text(Rename),desc(Search)`: the nodes of one screen; `cover` lies over the one before it. `foreign` is a
/// row of another package, and behind a `window` of the system nothing of the app is seen.
pub(crate) fn screen(nodes: &str) -> Arc<Layout> {
    let mut notation = String::from("FrameLayout\n");
    for node in nodes.split(',') {
        notation += &match node.trim_end_matches(')').split_once('(') {
            Some(("row" | "foreign", text)) => format!("  TextView#row \"{text}\"\n"),
            Some(("title", text)) => format!("  EditText#title \"{text}\"\n"),
            Some(("text", text)) => format!("  TextView \"{text}\"\n"),
            Some(("desc", desc)) => format!("  ImageButton ({desc})\n"),
            _ => format!("  ImageButton#{node}\n"),
        };
    }
    let layout = layout_from(&notation);
    let covers: Vec<WidgetIdx> =
        layout.iter().filter(|(_, widget)| widget.short_id() == Some("cover")).map(|(idx, _)| idx).collect();
    let below = covers.first().map_or(PxRect::default(), |idx| layout.widget(WidgetIdx(idx.0 - 1)).bounds);
    let layout = layout.with_changed(&covers, |cover| cover.bounds = below);
    let covered = nodes.split(',').any(|node| node == "window");
    let row = (1..).zip(nodes.split(',')).filter(|(_, node)| node.starts_with("foreign("));
    let foreign: Vec<WidgetIdx> = match covered {
        true => layout.iter().map(|(idx, _)| idx).collect(),
        false => row.map(|(place, _)| WidgetIdx(place)).collect(),
    };
    Arc::new(layout.with_changed(&foreign, |widget| widget.package = "com.android.systemui".into()))
}

fn id(name: &str) -> SpecSelector {
    SpecSelector { resource_id: Some(format!("org.ex:id/{name}")), ..SpecSelector::default() }
}

fn field() -> SpecSelector {
    SpecSelector { class: Some("android.widget.EditText".into()), ..SpecSelector::default() }
}

fn shows(name: &str, read: &str) -> SpecSelector {
    SpecSelector { text: TextPattern::FromRead(read.into()), ..id(name) }
}

fn nth(instance: u32, selector: SpecSelector) -> SpecSelector {
    SpecSelector { instance: Some(instance), ..selector }
}

fn step(action: Action, widget: &str, input: Input) -> DmfStep {
    DmfStep { action, widget: Some(widget.into()), input, required: true }
}

fn widget_is(relation: Relation, widget: &str) -> Condition {
    Condition::on_widget(widget, relation)
}

fn data_is(relation: Relation) -> Condition {
    Condition::on_data("note", relation)
}

fn impact(op: ImpactOp, read: &str) -> Impact {
    Impact { op, object: TextPattern::FromRead(read.into()) }
}

fn dmf(kind: DmfKind, data_type: &str, widgets: Vec<(&str, usize, SpecSelector)>) -> Dmf {
    let widgets = widgets.into_iter();
    Dmf {
        widgets: widgets
            .map(|(name, layout, selector)| NamedSelector { name: name.into(), layout, selector })
            .collect(),
        ..Dmf::empty(format!("{} {data_type}", kind.word()), kind, data_type)
    }
}

fn fresh() -> Input {
    Input::Fresh(FreshText::default())
}

/// Example A: add an object by a button, a field and a Save button.
fn add(data_type: &str) -> Dmf {
    Dmf {
        steps: vec![
            step(Action::Click, "e1_widget", Input::None),
            step(Action::Edit, "e2_widget", fresh()),
            step(Action::Click, "e3_widget", Input::None),
        ],
        preconditions: vec![widget_is(Relation::In, "e1_widget"), data_is(Relation::Smaller(5))],
        impacts: vec![impact(ImpactOp::Add, "add_name")],
        postconditions: vec![widget_is(Relation::In, "add_object")],
        ..dmf(
            DmfKind::Create,
            data_type,
            vec![
                ("e1_widget", 0, id("fab")),
                ("e2_widget", 1, field()),
                ("e3_widget", 2, id("save")),
                ("add_name", 2, nth(0, id("title"))),
                ("add_object", 3, shows("row", "add_name")),
            ],
        )
    }
}

/// Example B: rename the second of two notes.
fn edit() -> Dmf {
    Dmf {
        steps: vec![
            step(Action::Click, "e1_widget", Input::None),
            step(Action::Click, "e2_widget", Input::None),
            step(Action::Edit, "e3_widget", fresh()),
            step(Action::Click, "e4_widget", Input::None),
        ],
        impacts: vec![impact(ImpactOp::Delete, "delete_name"), impact(ImpactOp::Add, "add_name")],
        postconditions: vec![
            widget_is(Relation::In, "add_object"),
            widget_is(Relation::NotIn, "delete_object"),
        ],
        ..dmf(
            DmfKind::Update,
            "note",
            vec![
                ("e1_widget", 0, nth(1, id("more"))),
                (
                    "e2_widget",
                    1,
                    SpecSelector { text: TextPattern::Is("Rename".into()), ..SpecSelector::default() },
                ),
                ("e3_widget", 2, field()),
                ("e4_widget", 3, id("ok")),
                ("delete_name", 0, nth(1, id("row"))),
                ("add_name", 3, nth(0, id("title"))),
                ("add_object", 4, shows("row", "add_name")),
                ("delete_object", 4, shows("row", "delete_name")),
            ],
        )
    }
}

/// Example C: search for a note by its name.
fn search() -> Dmf {
    let icon = SpecSelector { content_desc: Some("Search".into()), ..SpecSelector::default() };
    Dmf {
        steps: vec![
            step(Action::Click, "e1_widget", Input::None),
            step(Action::Edit, "e2_widget", Input::Existing("note".into())),
        ],
        preconditions: vec![widget_is(Relation::In, "e1_widget"), data_is(Relation::IsNotEmpty)],
        postconditions: vec![widget_is(Relation::In, "search_object")],
        ..dmf(
            DmfKind::Search,
            "note",
            vec![
                ("e1_widget", 0, icon),
                ("e2_widget", 1, field()),
                ("search_name", 2, nth(0, field())),
                ("search_object", 2, shows("row", "search_name")),
            ],
        )
    }
}

pub(crate) const UNLIMITED: Limits = Limits { events: u64::MAX, device_time: DeviceDuration(u64::MAX) };

pub(crate) fn script(screens: &[&str]) -> Script {
    let info = DeviceInfo {
        serial: "script".into(),
        model: "script".into(),
        sdk: 30,
        screen: PxSize { width: 1080, height: 1920 },
        snapshots: false,
        live: true,
    };
    Script { info, layouts: screens.iter().map(|nodes| screen(nodes)).collect(), at: 0, now: 0 }
}

pub(crate) fn context<'a>(
    target: &'a TestTarget,
    device: &'a mut Script,
    stats: &'a mut CampaignStats,
    watcher: &'a mut dyn RoundWatcher,
) -> RoundCtx<'a> {
    let door = RoundDoor { device, target, stats, watcher, cancelled: &|| false };
    RoundCtx::new(door, Rng::from_seed(1)).unwrap()
}

struct Played {
    outcome: RunOutcome,
    ready: bool,
    data: DataModel,
    trace: Trace,
    counts: PropertyCounts,
    reported: Vec<Reported>,
}

/// Plays a DMF on screens, with these notes held before. `text` replaces what would be drawn.
fn play(dmf: Dmf, screens: &[&str], held: &[&str], text: Option<&str>) -> Played {
    let target = TestTarget::new("org.ex", &Spec { dmfs: vec![dmf], ..Spec::default() }, true);
    let mut device = script(screens);
    let mut stats = CampaignStats::new(&target, UNLIMITED);
    let mut watcher = NoWatcher;
    let mut ctx = context(&target, &mut device, &mut stats, &mut watcher);
    ctx.start().unwrap();
    for object in held {
        ctx.change_data(|data| data.apply("note", &ImpactOp::Add, object));
    }
    let drawn = |text: &str| DrawnText { text: text.to_owned(), class: None };
    let (mut rng, texts) = (Rng::from_seed(1), text.map(drawn).into_iter().collect::<Vec<_>>());
    let replay = InputSource::Replay { texts: &texts, changed: &mut false };
    let inputs = if text.is_some() { replay } else { InputSource::Draw(&mut rng) };
    let ready = ctx.ready(0);
    let policy = RunPolicy::default();
    let outcome = run_dmf(&mut ctx, 0, inputs, policy).unwrap();
    let data = ctx.data().clone();
    let JudgedTest { trace, reported } = ctx.last_test();
    Played { outcome, ready, data, trace, counts: stats.properties.remove(0), reported }
}

fn violation(played: &Played) -> Vec<(String, String)> {
    let RunOutcome::Finished(Verdict::Violated(violation)) = &played.outcome else {
        panic!("{:?}", played.outcome)
    };
    assert_eq!(played.reported.len(), 1);
    violation.failures.iter().map(|failed| (failed.expected.clone(), failed.seen.clone())).collect()
}

const HOLDS: RunOutcome = RunOutcome::Finished(Verdict::Holds);

#[test]
fn a_an_added_note_is_shown() {
    let played =
        play(add("note"), &["fab", "title(),save", "title(k7),save", "fab,row(k7)"], &[], Some("k7"));
    assert_eq!(played.outcome, HOLDS);
    assert!(played.ready);
    assert_eq!(played.data.objects("note"), ["k7"]);
    let span = &played.trace.spans[0];
    assert_eq!((span.first_step, span.end_step, span.completed), (0, 3, true));
    assert_eq!(span.texts(), ["k7"]);
    assert_eq!((played.counts.executed, played.counts.held), (1, 1));
    assert_eq!(played.counts.device_time, DeviceDuration(3_000), "three steps of a second");
}

#[test]
fn a1_an_added_note_is_not_shown() {
    let played = play(add("note"), &["fab", "title(),save", "title(k7),save", "fab,row(k)"], &[], Some("k7"));
    assert_eq!(played.data.objects("note"), ["k7"]);
    let failures = violation(&played);
    assert!(failures[0].0.contains("k7") && failures[0].1.contains("\"k\""), "{failures:?}");
    assert_eq!(played.reported[0].violation.title, "add note: 'k7' is not shown");
    assert!(!played.reported[0].violation.origin().to_string().contains("k7"));
}

#[test]
fn a2_the_screen_is_the_truth_about_what_was_typed() {
    let played = play(add("note"), &["fab", "title(),save", "title(k),save", "fab,row(k)"], &[], Some("k7"));
    assert_eq!((played.outcome, played.data.objects("note")), (HOLDS, &["k".to_owned()][..]));
}

#[test]
fn a3_a_missing_field_ends_the_run() {
    let played = play(add("note"), &["fab", "title(),save", "save"], &[], Some("k7"));
    let missing = RunOutcome::NotExecuted { step: 2, reason: NotExecuted::ReadMissing };
    assert_eq!(played.outcome, missing);
    assert!(played.data.objects("note").is_empty());
    assert_eq!(played.counts.not_executed[&(2, NotExecuted::ReadMissing)], 1);
    assert_eq!(played.counts.device_time, DeviceDuration(3_000), "two steps, and the wait for the field");
    assert!(!played.trace.spans[0].completed);
    let performed = played.trace.steps().iter().filter(|step| !matches!(step.event, Event::Wait(_)));
    assert_eq!(performed.count(), 2);
}

#[test]
fn a_step_whose_widget_is_covered_is_not_executed_and_says_by_what() {
    let played = play(add("note"), &["fab", "title(),cover,save", "title(k7),save"], &[], Some("k7"));
    let RunOutcome::NotExecuted { step: 1, reason } = &played.outcome else { panic!("{:?}", played.outcome) };
    assert_eq!(reason.to_string(), "covered by ImageButton #cover");
    assert_eq!(played.counts.not_executed[&(1, reason.clone())], 1);
    let performed = played.trace.steps().iter().filter(|step| !matches!(step.event, Event::Wait(_)));
    assert_eq!(performed.count(), 1, "nothing was touched instead of the field");
    let mut optional = add("note");
    optional.steps[1].required = false;
    let screens = &["fab", "title(),cover,save", "fab,row()"];
    let reason = play(optional, screens, &[], Some("k7")).outcome;
    assert_ne!(reason, played.outcome, "a step that is not required is left out");
}

#[test]
fn a4_a_full_list_takes_no_more() {
    let screens = &["fab", "title(),save", "title(k7),save", "fab,row(k7)"];
    assert!(play(add("note"), screens, &["a"; 5], Some("k7")).ready);
    assert!(!play(add("note"), screens, &["a"; 6], Some("k7")).ready);
}

#[test]
fn a5_a_row_of_another_package_does_not_count() {
    let played =
        play(add("note"), &["fab", "title(),save", "title(k7),save", "foreign(k7)"], &[], Some("k7"));
    assert_eq!(played.data.objects("note"), ["k7"]);
    violation(&played);
    let screens = ["fab", "title(),save", "title(k7),save", "window,row(k7)"];
    let played = play(add("note"), &screens, &[], Some("k7"));
    let RunOutcome::Finished(Verdict::Inconclusive(reason)) = &played.outcome else {
        panic!("{:?}", played.outcome)
    };
    assert!(matches!(reason, Reason::Covered(_)), "{reason:?}");
}

#[test]
fn a6_types_do_not_mix() {
    let played =
        play(add("tag"), &["fab", "title(),save", "title(k7),save", "fab,row(k7)"], &["a"], Some("k7"));
    assert_eq!(played.outcome, HOLDS);
    assert_eq!(played.data.objects("note"), ["a"]);
    assert_eq!(played.data.objects("tag"), ["k7"]);
}

fn play_edit(first: &str, last: &str, held: &[&str]) -> Played {
    play(edit(), &[first, "text(Rename)", "title(b),ok", "title(c1),ok", last], held, Some("c1"))
}

#[test]
fn b_an_edit_is_judged_by_counts() {
    let first = "row(a),more,row(b),more";
    let played = play_edit(first, "row(a),row(c1)", &["a", "b"]);
    assert_eq!(
        (played.outcome, played.data.objects("note")),
        (HOLDS, &["a".to_owned(), "c1".to_owned()][..])
    );
    let b1 = play_edit(first, "row(a),row(b)", &["a", "b"]);
    assert_eq!(violation(&b1).len(), 2);
    assert_eq!(b1.reported[0].violation.title, "edit note: 'c1' is not shown, 'b' still is shown");
    assert_eq!(b1.data.objects("note"), ["a", "c1"]);
    let same = "row(b),more,row(b),more";
    assert_eq!(play_edit(same, "row(b),row(c1)", &["b", "b"]).outcome, HOLDS);
    let b3 = play_edit(same, "row(b),row(b),row(c1)", &["b", "b"]);
    assert_eq!(violation(&b3).len(), 1);
    let b4 = play_edit(first, "row(a),row(c1)", &[]);
    assert_eq!((b4.outcome, b4.data.objects("note")), (HOLDS, &["c1".to_owned()][..]));
}

#[test]
fn c_a_search_shows_a_row() {
    let play =
        |last: &str, held: &[&str], text| play(search(), &["desc(Search)", "title()", last], held, text);
    assert_eq!(play("title(c1),row(c1)", &["a", "c1"], Some("c1")).outcome, HOLDS);
    violation(&play("title(c1),row(zz)", &["c1"], None));
    violation(&play("title(c1)", &["c1"], None));
    let none = play("title(c1),row(c1)", &[], None);
    assert!(!none.ready);
    assert_eq!(none.outcome, RunOutcome::NotExecuted { step: 1, reason: NotExecuted::NoObject });
    let mut vague = search();
    vague.widgets[3].selector.resource_id = None;
    let vague =
        super::worked_examples_tests::play(vague, &["desc(Search)", "title()", "title(c1)"], &["c1"], None);
    assert!(
        matches!(vague.outcome, RunOutcome::Finished(Verdict::Inconclusive(Reason::Vacuous(_)))),
        "{:?}",
        vague.outcome
    );
}

#[test]
fn what_the_app_refuses_is_not_executed() {
    let mut refusing = add("note");
    refusing.widgets.push(NamedSelector { name: "refusal".into(), layout: 3, selector: id("error") });
    refusing.refusal = Some("refusal".into());
    let played =
        play(refusing, &["fab", "title(),save", "title(k7),save", "title(k7),error"], &[], Some("k7"));
    assert_eq!(played.outcome, RunOutcome::NotExecuted { step: 3, reason: NotExecuted::Refused });
    assert!(played.data.objects("note").is_empty());
}

#[test]
fn a_widget_named_by_an_object_is_one_object_for_the_run() {
    let row = SpecSelector { text: TextPattern::Existing("note".into()), ..id("row") };
    let delete = Dmf {
        steps: vec![step(Action::LongClick, "e1_widget", Input::None)],
        impacts: vec![impact(ImpactOp::Delete, "delete_name")],
        postconditions: vec![widget_is(Relation::NotIn, "delete_object")],
        ..dmf(
            DmfKind::Delete,
            "note",
            vec![
                ("e1_widget", 0, row.clone()),
                ("delete_name", 0, row),
                ("delete_object", 1, shows("row", "delete_name")),
            ],
        )
    };
    let played = play(delete.clone(), &["row(z),row(b)", "row(z)"], &["a", "b"], None);
    assert_eq!((played.outcome, played.trace.spans[0].texts()), (HOLDS, vec!["b".to_owned()]));
    assert_eq!(played.data.objects("note"), ["a"]);
    let none = play(delete, &["row(z)", "row(z)"], &["a"], None);
    assert_eq!(none.outcome, RunOutcome::NotExecuted { step: 0, reason: NotExecuted::NoObject });
}

#[test]
fn ready_dmfs_are_drawn_by_weight_among_the_blanks() {
    let weighted = |weight| Dmf { weight, ..add("note") };
    let dmfs = vec![weighted(10), weighted(5), weighted(0), Dmf { weight: 20, ..search() }];
    let target = TestTarget::new("org.ex", &Spec { dmfs, ..Spec::default() }, true);
    let mut engine = pbfdroid::Pbfdroid::new(PbfdroidConfig::default(), &target);
    let urn_on = |engine: &mut pbfdroid::Pbfdroid, nodes: &str| {
        let mut device = script(&[nodes]);
        let mut stats = CampaignStats::new(&target, UNLIMITED);
        let mut watcher = NoWatcher;
        let mut ctx = context(&target, &mut device, &mut stats, &mut watcher);
        ctx.start().unwrap();
        engine.fill_urn(&mut ctx, None).to_vec()
    };
    assert_eq!(urn_on(&mut engine, "fab"), [10, 5, 30]);
    assert_eq!(urn_on(&mut engine, "more"), [30], "none is ready: always random");
}

#[test]
fn a_dmf_that_has_nothing_to_repeat_is_not_executed() {
    let removed = FreshText { data_type: None, classes: vec![(TextClass::Removed, 1)] };
    let steps = vec![step(Action::Edit, "e2_widget", Input::Fresh(removed))];
    let dmf = Dmf { steps, ..dmf(DmfKind::Search, "note", vec![("e2_widget", 0, field())]) };
    let played = play(dmf.clone(), &["title()", "title()"], &["a"], None);
    assert_eq!(played.outcome, RunOutcome::NotExecuted { step: 0, reason: NotExecuted::NothingToRepeat });
    assert!(played.trace.is_empty());

    let target = TestTarget::new("org.ex", &Spec { dmfs: vec![dmf], ..Spec::default() }, true);
    let mut engine = pbfdroid::Pbfdroid::new(PbfdroidConfig::default(), &target);
    let mut device = script(&["title()"]);
    let mut stats = CampaignStats::new(&target, UNLIMITED);
    let mut watcher = NoWatcher;
    let mut ctx = context(&target, &mut device, &mut stats, &mut watcher);
    ctx.start().unwrap();
    for _ in 0..3 {
        assert_eq!(engine.fill_urn(&mut ctx, None), [30], "it is not even drawn");
    }
    ctx.change_data(|data| {
        data.apply("note", &ImpactOp::Add, "a");
        data.apply("note", &ImpactOp::Delete, "a");
    });
    assert_eq!(engine.fill_urn(&mut ctx, None).len(), 2);
    let counts = &ctx.stats().properties[0];
    assert_eq!(counts.not_executed, [((0, NotExecuted::NothingToRepeat), 1)].into(), "said once a test");
}

#[test]
fn without_an_apk_no_text_is_the_apps_and_people_are_told_why() {
    #[derive(Default)]
    struct Told(Vec<String>);
    impl RoundWatcher for Told {
        fn gave_up_rule(&mut self, why: &str) {
            self.0.push(why.to_owned());
        }
    }
    let target = TestTarget::new("org.ex", &Spec::default(), false);
    let (mut device, mut stats, mut told) =
        (script(&["fab"]), CampaignStats::new(&target, UNLIMITED), Told::default());
    assert!(context(&target, &mut device, &mut stats, &mut told).app_strings().is_empty());
    assert!(told.0.len() == 1 && told.0[0].contains("texts are not known"), "{:?}", told.0);
}
