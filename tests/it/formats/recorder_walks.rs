//! Walks recorded on a real Android become the specifications that a tester would expect.

use std::fs;
use std::sync::Arc;

use taproof_spec::format::DmfFile;

use taproof_screen::format::{WalkAction, parse_hierarchy, parse_walk_events};
use taproof_screen::{Event, Layout, RecordedStep, Text, TouchTarget};
use taproof_spec::{
    Bindings, CheckOutcome, CompiledDmf, DataModel, Dmf, DmfKind, Draft, DraftRequest, ImpactOp, ObjectText,
    Scene, Severity, Spec, choose_selector, draft, lint,
};

fn walk(name: &str) -> Option<Vec<RecordedStep>> {
    let folder = taproof_testing::data()?.join("android44/walks").join(name);
    let events = parse_walk_events(&fs::read_to_string(folder.join("events.json")).unwrap()).unwrap();
    let layout = |index: usize, activity: &str| {
        let bytes = fs::read(folder.join(format!("step-{index:02}.xml"))).unwrap();
        Arc::new(parse_hierarchy(&bytes).unwrap().layout.with_activity(Text::from(activity)))
    };
    let step = |(index, event): (usize, &taproof_screen::format::WalkEvent)| {
        let before = layout(index, &event.activity_before);
        let after = layout(index + 1, &event.activity_after);
        let performed = match &event.action {
            WalkAction::Widget { selector, at, gesture, .. } => Event::Widget {
                target: TouchTarget { selector: (**selector).clone(), at: *at, screen: before.screen() },
                gesture: gesture.clone(),
            },
            WalkAction::Key(key) => Event::Key(*key),
            WalkAction::Rotate => Event::Rotate,
        };
        RecordedStep { event: performed, before, after }
    };
    Some(events.iter().enumerate().map(step).collect())
}

fn request(kind: DmfKind, data_type: &str, added: Option<&str>, removed: Option<&str>) -> DraftRequest {
    let text = |text: Option<&str>| text.map(str::to_owned).into();
    DraftRequest { added: text(added), removed: text(removed), ..DraftRequest::new(kind, data_type) }
}

/// The DMF in one line a part, as a tester would tell it.
fn words(dmf: &Dmf) -> Vec<String> {
    let steps = dmf.steps.iter().map(|step| {
        let input = match &step.input {
            taproof_spec::Input::None => String::new(),
            input => format!(" {input:?}"),
        };
        format!("{} {}{input}", step.action.word(), step.widget.as_deref().unwrap_or("-"))
    });
    let widgets =
        dmf.widgets.iter().map(|widget| format!("{}@{} {}", widget.name, widget.layout, widget.selector));
    let condition = |word: &str, condition: &taproof_spec::Condition| {
        let subject = condition.widget.as_ref().or(condition.data_type.as_ref());
        format!("{word} {} {}", subject.unwrap(), condition.relation)
    };
    let pre = dmf.preconditions.iter().map(|c| condition("pre", c));
    let impacts = dmf.impacts.iter().map(|impact| format!("{} {}", impact.op, impact.object));
    let post = dmf.postconditions.iter().map(|c| condition("post", c));
    steps.chain(widgets).chain(pre).chain(impacts).chain(post).collect()
}

/// What the conditions say on the first and the last recorded layout of the function.
fn judged(
    steps: &[RecordedStep],
    draft: &Draft,
    removed: Option<&str>,
    added: Option<&str>,
) -> [Vec<bool>; 3] {
    let first: &Layout = &steps[draft.first_step].before;
    let last: &Layout = &steps[draft.end_step - 1].after;
    let mut data = DataModel::new();
    let mut bindings = Bindings::default();
    if let Some(removed) = removed {
        data.apply(&draft.dmf.data_type, &ImpactOp::Add, removed);
        bindings.set_read("delete_name", removed.to_owned());
    }
    if let Some(added) = added {
        bindings.set_read("add_name", added.to_owned());
    }
    let compiled = CompiledDmf::new(&draft.dmf);
    let app = first.package();
    let holds = |outcomes: Vec<CheckOutcome>| outcomes.iter().map(|o| *o == CheckOutcome::Holds).collect();
    let pre = compiled.check_preconditions(&Scene { layout: first, data: &data, app, bindings: &bindings });
    let mut after = data.clone();
    after.apply_impacts(&draft.dmf, &bindings);
    let on =
        |layout| compiled.check_postconditions(&Scene { layout, data: &after, app, bindings: &bindings });
    [holds(pre), holds(on(first)), holds(on(last))]
}

/// The draft is a file that loads and that nobody has an error to tell of.
fn check_file(draft: &Draft) {
    let spec = Spec { dmfs: vec![draft.dmf.clone()], ..Spec::default() };
    assert_eq!(DmfFile::parse(DmfFile::new(&spec).source()).unwrap().spec, spec);
    for finding in lint(&spec) {
        assert!(finding.code.severity() < Severity::Error, "{finding}");
    }
}

/// The step that types the name of an object.
const NAMED: &str = "edit e2_widget Fresh(FreshText { data_type: None, classes: [(Plain, 6), (Digits, 1), \
                     (OtherCase, 1), (Extending, 1), (Symbols, 1), (Long, 1)] })";

#[test]
fn an_activity_is_added() {
    let Some(steps) = walk("activitydiary-create") else { return };
    let draft = draft(&steps, &request(DmfKind::Create, "activity", Some("Reading"), None)).unwrap();
    assert_eq!((draft.first_step, draft.end_step), (0, 4));
    let id = |name: &str| format!("id \"de.rampro.activitydiary:id/{name}\"");
    let expected = [
        "click e1_widget".to_owned(),
        NAMED.to_owned(),
        "click e3_widget".to_owned(),
        format!("e1_widget@0 {}", id("action_add_activity")),
        format!("e2_widget@1 {}", id("edit_activity_name")),
        format!("e3_widget@2 {}", id("action_edit_done")),
        format!("add_name@2 {}", id("edit_activity_name")),
        format!("add_object@3 {}, text add_name.text", id("activity_name")),
        "pre e1_widget in".to_owned(),
        "pre activity smaller".to_owned(),
        "add add_name.text".to_owned(),
        "post add_object in".to_owned(),
    ];
    assert_eq!(words(&draft.dmf), expected);
    let [pre, start, end] = judged(&steps, &draft, None, Some("Reading"));
    assert_eq!((pre, start, end), (vec![true, true], vec![false], vec![true]));
    assert!(draft.notes.iter().all(|note| !note.doubtful), "{:#?}", draft.notes);
    check_file(&draft);
}

#[test]
fn a_note_is_added_by_leaving() {
    let Some(steps) = walk("notepad-create") else { return };
    let draft = draft(&steps, &request(DmfKind::Create, "note", Some("call Ann"), None)).unwrap();
    assert_eq!((draft.first_step, draft.end_step), (3, 6));
    let told = words(&draft.dmf);
    assert_eq!(&told[..3], ["click e1_widget", NAMED, "back -",]);
    assert!(told.contains(&"add_name@2 id \"com.example.android.notepad:id/note\"".to_owned()), "{told:#?}");
    assert!(
        told.contains(&"add_object@3 id \"android:id/text1\", text add_name.text".to_owned()),
        "{told:#?}"
    );
    let [pre, start, end] = judged(&steps, &draft, None, Some("call Ann"));
    assert_eq!((pre, start, end), (vec![true, true], vec![false], vec![true]));
    check_file(&draft);
}

#[test]
fn a_note_is_deleted_wherever_its_row_stands() {
    let Some(steps) = walk("notepad-edit") else { return };
    let draft = draft(&steps, &request(DmfKind::Delete, "note", None, Some("call Ann"))).unwrap();
    assert_eq!((draft.first_step, draft.end_step), (5, 7));
    let expected = [
        "longclick delete_name",
        "click e2_widget",
        "delete_name@0 id \"android:id/text1\", text note::random",
        "e2_widget@1 id \"android:id/title\", text \"Delete\"",
        "delete_object@2 id \"android:id/text1\", text delete_name.text",
        "pre delete_name in",
        "pre note is not empty",
        "delete delete_name.text",
        "post delete_object not in",
    ];
    assert_eq!(words(&draft.dmf), expected);
    let [pre, start, end] = judged(&steps, &draft, Some("call Ann"), None);
    assert_eq!((pre, start, end), (vec![true, true], vec![false], vec![true]));
    check_file(&draft);
}

#[test]
fn an_edit_that_the_app_forgets_fails_on_its_own_recording() {
    let Some(mut steps) = walk("notepad-edit") else { return };
    steps.truncate(5);
    let request = request(DmfKind::Update, "note", Some("buy bread"), Some("call Ann"));
    let draft = draft(&steps, &request).unwrap();
    assert_eq!((draft.first_step, draft.end_step), (0, 5));
    let expected = [
        "click delete_name",
        NAMED,
        "leftscreen -",
        "naturalscreen -",
        "click e5_widget",
        "delete_name@0 id \"android:id/text1\", text note::random",
        "e2_widget@1 id \"com.example.android.notepad:id/note\"",
        "e5_widget@4 id \"com.example.android.notepad:id/menu_save\"",
        "add_name@2 id \"com.example.android.notepad:id/note\"",
        "add_object@5 id \"android:id/text1\", text add_name.text",
        "delete_object@5 id \"android:id/text1\", text delete_name.text",
        "pre delete_name in",
        "pre note is not empty",
        "delete delete_name.text",
        "add add_name.text",
        "post add_object in",
        "post delete_object not in",
    ];
    assert_eq!(words(&draft.dmf), expected);
    let [pre, start, end] = judged(&steps, &draft, Some("call Ann"), Some("buy bread"));
    assert_eq!((pre, start, end), (vec![true, true], vec![false, false], vec![false, false]));
    assert!(draft.notes.iter().any(|note| note.doubtful && note.text.contains("buy bread")));
    check_file(&draft);
}

#[test]
fn every_recorded_widget_gets_a_selector_of_its_own() {
    for name in ["activitydiary-create", "notepad-create", "notepad-edit", "benchapp-list"] {
        let Some(steps) = walk(name) else { return };
        for (index, step) in steps.iter().enumerate() {
            let Event::Widget { target, .. } = &step.event else { continue };
            let named = target.selector.matches(&step.before);
            let touched =
                named.iter().copied().find(|idx| step.before.widget(*idx).bounds.contains(target.at));
            let objects = [ObjectText { text: "call Ann".to_owned(), name: "delete_name".to_owned() }];
            let chosen = choose_selector(&step.before, touched.unwrap(), &objects);
            let spec =
                taproof_spec::NamedSelector { name: "w".to_owned(), layout: 0, selector: chosen.selector };
            let data = DataModel::new();
            let scene = Scene { layout: &step.before, data: &data, app: "", bindings: &Bindings::NONE };
            let found =
                taproof_spec::CompiledSelector::new(&spec, &[]).locate(taproof_spec::Scope::Device, &scene);
            assert_eq!(found.unwrap(), [touched.unwrap()], "{name}, step {}: {}", index + 1, spec.selector);
        }
    }
}
