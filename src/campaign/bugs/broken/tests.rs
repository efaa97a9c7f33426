//! Which findings show one bug of a function, on small traces.

use super::*;
use crate::{Attribution, Confirmation, DataTimeline, Evidence, Support};
use taproof_engine::Moment;
use taproof_screen::determinism::DeviceDuration;
use taproof_screen::{DmfSpan, Gesture, Step, StepRole, Violation, event_on, frame_of, layout_from};
use taproof_spec::{Impact, ImpactOp, NamedSelector, SpecSelector};

/// Whether a tap on the row "Milk" of a list, below a screen with these rows, opens another one with this page.
fn is_another(earlier: &[&str], opened: &str) -> bool {
    let list = |rows: &[&str]| {
        let rows: String = rows.iter().map(|row| format!("    TextView#row \"{row}\"\n")).collect();
        let list = format!("FrameLayout\n  ListView#list\n{rows}");
        frame_of(layout_from(&list).with_activity("org.ex/.List".into()))
    };
    let (first, rows) = (list(earlier), list(&["Tea", "Milk"]));
    let tap = event_on(&rows.layout, WidgetIdx(3), Gesture::Tap).unwrap();
    let page = frame_of(layout_from(opened).with_activity("org.ex/.Item".into()));
    let mut trace = Trace::start(first);
    for (event, after) in [(Event::Rotate, rows), (tap, page)] {
        trace.push(Step { event, role: StepRole::Explored, after });
    }
    let object = |name: &str| [DrawnText::object(name.to_owned())];
    assert_eq!(opens_another(&trace, &object("Edit")), None, "it is about another row");
    opens_another(&trace, &object("Milk")) == Some(1)
}

#[test]
fn a_row_opens_another_one_if_its_page_shows_the_name_of_that_one_only() {
    assert!(is_another(&[], "TextView#name \"Tea\"\n"));
    assert!(!is_another(&[], "TextView#name \"Milk\"\n"));
    assert!(!is_another(&[], "TextView#name \"Milk\"\nTextView#next \"Tea\"\n"));
    assert!(!is_another(&[], "TextView#price \"2.50\"\n"), "a page without names");
    assert!(is_another(&["Bread"], "TextView#name \"Bread\"\n"), "one that was in sight before");
}

#[test]
fn a_value_that_is_missing_in_a_row_is_no_missing_row() {
    let selector = |field: &str| SpecSelector {
        resource_id: Some(format!("org.ex:id/{field}_row")),
        text: TextPattern::FromRead(field.to_owned()),
        ..SpecSelector::default()
    };
    let mut dmf = Dmf::empty("create task".to_owned(), DmfKind::Create, "task");
    for field in ["name", "place"] {
        dmf.widgets.push(NamedSelector { name: field.to_owned(), layout: 1, selector: selector(field) });
        dmf.postconditions.push(Condition::on_widget(field, Relation::In));
    }
    dmf.impacts = vec![Impact { op: ImpactOp::Add, object: TextPattern::FromRead("name".to_owned()) }];
    let says = |dmf: &Dmf| -> Vec<Wrong> {
        let key = |shown: &Condition| condition_key(shown, &dmf.widgets);
        let failed = |shown| FailedCheck { key: key(shown), ..FailedCheck::new("a", "b") };
        dmf.postconditions.iter().map(|shown| wrong(dmf, &failed(shown))).collect()
    };
    assert_eq!(says(&dmf), [Wrong::Missing, Wrong::Value]);
    assert_eq!(
        says(&dmf).into_iter().min(),
        Some(Wrong::Missing),
        "where the row is missing, so is all in it"
    );
    dmf.kind = DmfKind::Update;
    assert_eq!(says(&dmf), [Wrong::Missing, Wrong::Missing]);
}

/// A function of this kind on tasks, whose row must be gone at its end.
fn function(kind: DmfKind) -> Dmf {
    let text = TextPattern::FromRead("name".to_owned());
    let resource_id = Some("org.ex:id/row".to_owned());
    let selector = SpecSelector { resource_id, text: text.clone(), ..SpecSelector::default() };
    let mut dmf = Dmf::empty(format!("{} task", kind.word()), kind, "task");
    dmf.widgets = vec![NamedSelector { name: "row".to_owned(), layout: 1, selector }];
    dmf.postconditions = vec![Condition::on_widget("row", Relation::NotIn)];
    dmf.impacts = vec![Impact { op: ImpactOp::Add, object: text }];
    dmf
}

#[test]
fn what_follows_from_an_object_that_is_there_twice_is_one_bug() {
    let list = |rows: &[&str]| {
        let rows: String = rows.iter().map(|row| format!("    TextView#row \"{row}\"\n")).collect();
        frame_of(layout_from(&format!("FrameLayout\n  Button#go\n  ListView#list\n{rows}")))
    };
    let spec = Spec {
        dmfs: vec![function(DmfKind::Create), function(DmfKind::Delete), function(DmfKind::Update)],
        ..Spec::default()
    };
    // A function after "Tea" was made, once or twice, leaves one in the last row.
    let broken = |made: &[&str], dmf: usize| {
        let mut trace = Trace::start(list(&[]));
        for (at, (number, rows)) in [(0, made), (dmf, &["Milk", "Tea"])].into_iter().enumerate() {
            let event = event_on(&trace.last().layout, WidgetIdx(1), Gesture::Tap).unwrap();
            trace.push(Step { event, role: StepRole::Explored, after: list(rows) });
            trace.spans.push(DmfSpan {
                dmf: number,
                name: spec.dmfs[number].name.clone(),
                first_step: at,
                end_step: at + 1,
                inputs: vec![DrawnText::object("Tea".to_owned())],
                completed: true,
            });
        }
        let condition = &spec.dmfs[dmf].postconditions[0];
        let key = condition_key(condition, &spec.dmfs[dmf].widgets);
        let offending = vec![WidgetIdx(4)];
        let failed = FailedCheck { key, offending, ..FailedCheck::new("not \"Tea\"", "once shown") };
        BrokenFunction::of(&finding(trace, dmf, failed), &spec).unwrap()
    };
    let twice = ["Milk", "Tea", "Tea"];
    assert_eq!(broken(&twice, 1), broken(&twice, 2), "whatever is done to one of them");
    assert_eq!(broken(&twice, 1).wrong, Wrong::Doubled);
    let once = ["Milk", "Tea"];
    assert_eq!((broken(&once, 1).wrong, broken(&once, 1).kind), (Wrong::Shown, DmfKind::Delete));
    assert_ne!(broken(&once, 1), broken(&once, 2));
}

fn finding(trace: Trace, dmf: usize, failed: FailedCheck) -> Finding {
    let violation = Violation {
        oracle: OracleKind::Property,
        subject: "delete task".to_owned(),
        dmf: Some(dmf),
        title: String::new(),
        failures: vec![failed],
        after_drift: false,
    };
    let evidence = Evidence::without_pictures(trace);
    Finding {
        id: "a".to_owned(),
        origin: violation.origin(),
        violation,
        title: String::new(),
        engine: "pbfdroid",
        seed: 1,
        first: Moment { event: 1, device_time: DeviceDuration(1) },
        count: 1,
        witness: evidence.clone(),
        minimal: evidence,
        minimal_dmfs: Vec::new(),
        confirmation: Confirmation::of(3, 3),
        support: Support::default(),
        finished: true,
        attribution: Attribution::NONE,
        data: DataTimeline::default(),
        reference: None,
        environment: None,
    }
}

#[test]
fn rows_are_counted_in_one_list() {
    let list = |rows: &[&str]| {
        let rows: String = rows.iter().map(|row| format!("    TextView#row \"{row}\"\n")).collect();
        format!("  ListView#list\n{rows}")
    };
    let count = |lists: &[&[&str]]| {
        let lists: String = lists.iter().map(|rows| list(rows)).collect();
        rows_with(&layout_from(&format!("FrameLayout\n  TextView#title \"a\"\n{lists}")), "a")
    };
    assert_eq!([count(&[&["b", "c"]]), count(&[&["a", "b"]]), count(&[&["a", "b", "a"]])], [0, 1, 2]);
    assert_eq!(count(&[&["a", "b"], &["a", "c"]]), 1, "a section of favourites has it, too");
}

#[test]
fn what_is_peculiar_to_a_text_is_told_from_how_it_repeats_others() {
    let last = |classes: &[TextClass]| {
        let drawn = |class: &TextClass| DrawnText { text: "a".to_owned(), class: Some(*class) };
        let inputs = classes.iter().map(drawn).collect();
        let units = [Unit::Dmf { dmf: 0, name: String::new(), inputs }];
        (types_for_object(&units), peculiar_text(&units))
    };
    assert_eq!(last(&[TextClass::Plain]), (false, None));
    assert_eq!(last(&[TextClass::Existing]), (false, None));
    assert_eq!(last(&[TextClass::Existing, TextClass::OtherCase]), (true, None));
    assert_eq!(last(&[TextClass::Existing, TextClass::Long]), (true, Some(TextClass::Long)));
}
