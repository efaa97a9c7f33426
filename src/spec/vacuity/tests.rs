//! Conditions that are broken on small layouts.

use super::*;
use crate::{Dmf, DmfStep, Input, NamedSelector, WidgetState};
use taproof_screen::layout_from;

const LIST: &str = "Toolbar#bar\nListView#list\n  LinearLayout\n    TextView#row \"a\"\n    TextView#left \"3 left\"\n  \
                    LinearLayout\n    TextView#row \"b\"\n    TextView#left \"7 left\"\nButton#new\n";
const ONLY_A: &str = "Toolbar#bar\nListView#list\n  LinearLayout\n    TextView#row \"a\"\n    TextView#left \"3 left\"\n\
                      Button#new\n";
const EMPTY: &str = "Toolbar#bar\nListView#list\nTextView#none \"Nothing here\"\nButton#new\n";
const PAGE_OF_B: &str = "Toolbar#bar\nTextView#title \"b\"\nImageView#picture\nButton#delete\nButton#edit\n";

fn by_id(id: &str, text: TextPattern) -> SpecSelector {
    let resource_id = Some(format!("org.ex:id/{id}"));
    SpecSelector { resource_id, text, ..SpecSelector::default() }
}

fn object() -> TextPattern {
    TextPattern::FromRead("x_name".to_owned())
}

/// A condition on a widget of its own.
type Asked = (Relation, Option<WidgetState>, SpecSelector);

fn shown(selector: SpecSelector) -> Asked {
    (Relation::In, None, selector)
}

fn gone(selector: SpecSelector) -> Asked {
    (Relation::NotIn, None, selector)
}

fn dmf(kind: DmfKind, steps: &[Action], asked: &[Asked]) -> Dmf {
    let mut dmf = Dmf::empty("try note", kind, "note");
    let step =
        |action: &Action| DmfStep { action: *action, widget: None, input: Input::None, required: true };
    dmf.steps = steps.iter().map(step).collect();
    for (index, (relation, state, selector)) in asked.iter().enumerate() {
        let name = format!("w{index}");
        dmf.widgets.push(NamedSelector { name: name.clone(), layout: 1, selector: selector.clone() });
        dmf.postconditions.push(Condition { state: *state, ..Condition::on_widget(name, relation.clone()) });
    }
    dmf
}

/// Breaks the conditions after a run on these screens about an object.
fn broken(dmf: &Dmf, screens: &[&str], object: &str, held: &[&str]) -> Vec<Breaking> {
    let screens: Vec<Arc<Layout>> = screens.iter().map(|screen| Arc::new(layout_from(screen))).collect();
    let (mut data, mut bindings) = (DataModel::new(), Bindings::default());
    for object in held {
        data.apply("note", &ImpactOp::Add, object);
    }
    bindings.set_read("x_name", object.to_owned());
    let run = EndedRun { screens: &screens, first: 0, data: &data, bindings: &bindings, app: "org.ex" };
    break_postconditions(&CompiledDmf::new(dmf), run)
}

fn why(breaking: &Breaking) -> &str {
    match breaking {
        Breaking::Survived(why) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn another_object_breaks_what_names_it_but_no_value_breaks_what_asks_for_none() {
    let row = shown(by_id("row", object()));
    let left = |text| shown(SpecSelector { row: Some("w0".to_owned()), ..by_id("left", text) });
    let create = |text| dmf(DmfKind::Create, &[Action::Click], &[row.clone(), left(text)]);
    let told = broken(&create(TextPattern::Any), &[ONLY_A, LIST], "b", &["a", "b"]);
    assert_eq!(told[0], Breaking::Killed);
    assert!(why(&told[1]).contains("not what (\u{201c}7 left\u{201d})"), "{told:?}");
    let asked = TextPattern::Is("7 left".to_owned());
    assert_eq!(
        broken(&create(asked), &[ONLY_A, LIST], "b", &["a", "b"]),
        [Breaking::Killed, Breaking::Killed]
    );
    // Alone it fails where the row is missing.
    let mut alone = create(TextPattern::Any);
    alone.postconditions.remove(0);
    assert_eq!(broken(&alone, &[ONLY_A, LIST], "b", &["a", "b"]), [Breaking::Killed]);
}

#[test]
fn what_must_be_gone_must_be_looked_for_on_the_page_of_the_end() {
    let delete = |id: &str| dmf(DmfKind::Delete, &[Action::Click], &[gone(by_id(id, object()))]);
    let told = broken(&delete("title"), &[PAGE_OF_B, ONLY_A], "b", &["a"]);
    assert!(why(&told[0]).starts_with("the page at the end shows no such widget"), "{told:?}");
    // Another row could have stayed, and so could the last one.
    assert_eq!(broken(&delete("row"), &[PAGE_OF_B, ONLY_A], "b", &["a"]), [Breaking::Killed]);
    assert_eq!(broken(&delete("row"), &[ONLY_A, EMPTY], "a", &[]), [Breaking::Killed]);
    let dialog = dmf(DmfKind::Delete, &[Action::Click], &[gone(by_id("delete", TextPattern::Any))]);
    assert_eq!(broken(&dialog, &[PAGE_OF_B, ONLY_A], "b", &["a"]), [Breaking::Killed], "it could stay open");
    let in_vain = dmf(DmfKind::Search, &[Action::Click], &[gone(by_id("result", object()))]);
    let told = broken(&in_vain, &[ONLY_A, EMPTY], "b", &["a"]);
    assert_eq!(told, [Breaking::NotJudged], "nothing was found, so nothing tells where it would be shown");
    let never = dmf(DmfKind::Delete, &[Action::Click], &[gone(by_id("error", TextPattern::Any))]);
    assert_eq!(
        why(&broken(&never, &[PAGE_OF_B, ONLY_A], "b", &["a"])[0]),
        "no screen of the run shows such a widget"
    );
}

#[test]
fn another_page_breaks_what_not_every_screen_shows() {
    let page = |id: &str| dmf(DmfKind::Property, &[Action::Click], &[shown(by_id(id, TextPattern::Any))]);
    assert_eq!(broken(&page("new"), &[PAGE_OF_B, LIST], "b", &[]), [Breaking::Killed]);
    let told = broken(&page("bar"), &[PAGE_OF_B, LIST], "b", &[]);
    assert!(why(&told[0]).starts_with("every screen"), "{told:?}");
}

#[test]
fn a_field_proves_nothing_until_it_is_opened_again() {
    let (form, filled) = ("EditText#title\nButton#save\n", "EditText#title \"b\"\nButton#save\n");
    let create = dmf(DmfKind::Create, &[Action::Edit, Action::Click], &[shown(by_id("title", object()))]);
    assert_eq!(why(&broken(&create, &[form, filled, filled], "b", &["b"])[0]), TYPED_FIELD);
    assert_eq!(broken(&create, &[form, filled, LIST, filled], "b", &["b"]), [Breaking::Killed]);
}

#[test]
fn our_own_record_no_order_and_no_state_prove_nothing() {
    let mut empty = dmf(DmfKind::Delete, &[], &[gone(by_id("row", object()))]);
    let data_type = Some("note".to_owned());
    let on_data = |relation| Condition {
        widget: None,
        data_type: data_type.clone(),
        relation,
        ..empty.postconditions[0].clone()
    };
    let [is_empty, smaller] = [Relation::IsEmpty, Relation::Smaller(5)].map(on_data);
    empty.postconditions = vec![is_empty, smaller];
    let told = broken(&empty, &[ONLY_A, EMPTY], "a", &[]);
    assert_eq!([why(&told[0]), why(&told[1])], [OWN_RECORD; 2]);
    let rows = |limit| {
        dmf(DmfKind::Property, &[], &[(Relation::Smaller(limit), None, by_id("row", TextPattern::Any))])
    };
    assert_eq!(broken(&rows(2), &[EMPTY, LIST], "a", &[]), [Breaking::Killed]);
    assert!(why(&broken(&rows(2), &[EMPTY], "a", &[])[0]).starts_with("too few"));
    let text = |text: &str| by_id("row", TextPattern::Is(text.to_owned()));
    let mut order = dmf(DmfKind::Property, &[], &[shown(text("a")), shown(text("b"))]);
    let names = vec!["w0".to_owned(), "w1".to_owned()];
    order.postconditions = vec![Condition {
        widget: None,
        relation: Relation::InOrder(names),
        ..order.postconditions[0].clone()
    }];
    assert_eq!(broken(&order, &[LIST], "a", &[]), [Breaking::Killed]);
    assert!(why(&broken(&order, &[ONLY_A], "a", &[])[0]).starts_with("too few"));
    let checked = (Relation::In, Some(WidgetState::NotSelected), by_id("bar", TextPattern::Any));
    let state = dmf(DmfKind::Property, &[], &[checked]);
    assert_eq!(broken(&state, &[LIST], "a", &[]), [Breaking::Killed], "it could be selected");
}

#[test]
fn what_one_run_breaks_can_fail() {
    let survived = || Breaking::Survived("why".to_owned());
    let runs = [
        vec![survived(), survived(), Breaking::NotJudged],
        vec![Breaking::Killed, Breaking::NotJudged, Breaking::NotJudged],
        vec![survived(), survived(), Breaking::NotJudged],
    ];
    let found = never_broken(runs.iter().map(Vec::as_slice));
    assert_eq!(found, [(1, "why")]);
}
