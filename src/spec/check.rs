//! Judges a condition on a layout and the data model (`engine/pbfdroid/paper.md`, sections 4.3 and 4.5). Pure
//! functions.

use super::failure::failure;
use super::truth::{CompiledCondition, held_copies, in_state, truth_alone};
use super::{Dmf, Relation};
use crate::compiled::compiled_selector::CompiledSelector;
use crate::compiled::scene::Scene;
use taproof_screen::{FailedCheck, Reason, TouchMap, WidgetIdx};

/// The result of a condition on a scene.
#[derive(Clone, Debug, PartialEq)]
pub enum CheckOutcome {
    /// The condition holds on the scene.
    Holds,
    /// The condition does not hold; with the evidence.
    Fails(FailedCheck),
    /// It cannot be decided, for this reason.
    NotJudged(Reason),
}

/// What the condition says, with the evidence if neither it holds nor one that may hold instead.
pub(super) fn outcome(
    compiled: &CompiledCondition,
    widgets: &[CompiledSelector],
    scene: &Scene<'_>,
    dmf: Option<&Dmf>,
) -> CheckOutcome {
    let mut told = outcome_alone(compiled, widgets, scene, dmf);
    for other in &compiled.or {
        told = match (told, outcome_alone(other, widgets, scene, dmf)) {
            (CheckOutcome::Holds, _) | (_, CheckOutcome::Holds) => return CheckOutcome::Holds,
            (CheckOutcome::Fails(one), CheckOutcome::Fails(other)) => CheckOutcome::Fails(one.or(other)),
            (CheckOutcome::NotJudged(why), _) | (_, CheckOutcome::NotJudged(why)) => {
                CheckOutcome::NotJudged(why)
            }
        };
    }
    told
}

fn outcome_alone(
    compiled: &CompiledCondition,
    widgets: &[CompiledSelector],
    scene: &Scene<'_>,
    dmf: Option<&Dmf>,
) -> CheckOutcome {
    match truth_alone(compiled, widgets, scene, dmf) {
        Ok(told) if hangs_on_covered(compiled, widgets, scene, dmf, told) => CheckOutcome::NotJudged(
            Reason::Covered("what it speaks of lies under a widget that takes the touches".to_owned()),
        ),
        Ok(true) => CheckOutcome::Holds,
        Ok(false) => CheckOutcome::Fails(failure(compiled, widgets, scene, dmf)),
        Err(reason) => CheckOutcome::NotJudged(reason),
    }
}

/// Whether a person, who does not see what is under a clickable widget, would decide otherwise: `in` only holds because
/// of covered widgets, or `not in` fails because of them (`engine/pbfdroid/paper.md`, section 4.5). Behind a window of another
/// app nothing is missing.
fn hangs_on_covered(
    compiled: &CompiledCondition,
    widgets: &[CompiledSelector],
    scene: &Scene<'_>,
    dmf: Option<&Dmf>,
    told: bool,
) -> bool {
    let condition = &compiled.condition;
    let Some(widget) = compiled.widget.and_then(|index| widgets.get(index)) else { return false };
    if !told && scene.layout.is_covered(scene.app) {
        return true;
    }
    if condition.data_type.is_some() {
        return false;
    }
    let named = || in_state(widget, condition.state, scene).unwrap_or_default();
    let uncovered = |named: &[WidgetIdx]| {
        let touches = TouchMap::new(scene.layout);
        named.iter().filter(|idx| touches.covered_by(**idx).is_none()).count()
    };
    match (&condition.relation, told) {
        (Relation::In | Relation::SameIn, true) => {
            let named = named();
            !named.is_empty() && uncovered(&named) == 0
        }
        (Relation::NotIn, false) => uncovered(&named()) <= held_copies(widget, condition.state, scene, dmf),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Action, Bindings, CompiledDmf, Condition, DataModel, DmfKind, DmfStep, ImpactOp, Input,
        NamedSelector, Scope, SpecSelector, TextPattern, WidgetState,
    };
    use taproof_screen::{Layout, PxRect, PxSize, Rotation, Text, Widget, WidgetFlags, layout_from};

    const APP: &str = "org.ex";

    fn id(name: &str, text: TextPattern) -> SpecSelector {
        let resource_id = Some(format!("org.ex:id/{name}"));
        SpecSelector { resource_id, text, ..SpecSelector::default() }
    }

    fn read(name: &str) -> TextPattern {
        TextPattern::FromRead(name.to_owned())
    }

    fn condition(widget: &str, relation: Relation) -> Condition {
        Condition::on_widget(widget, relation)
    }

    fn on_data(relation: Relation) -> Condition {
        Condition::on_data("note", relation)
    }

    fn dmf(kind: DmfKind, widgets: &[(&str, usize, SpecSelector)], post: Vec<Condition>) -> Dmf {
        let named = |(name, layout, selector): &(&str, usize, SpecSelector)| NamedSelector {
            name: (*name).to_owned(),
            layout: *layout,
            selector: selector.clone(),
        };
        let edit = DmfStep {
            action: Action::Edit,
            widget: Some("field".to_owned()),
            input: Input::Fresh(Default::default()),
            required: true,
        };
        Dmf {
            steps: vec![edit],
            widgets: widgets.iter().map(named).collect(),
            postconditions: post,
            ..Dmf::empty(format!("{} note", kind.word()), kind, "note")
        }
    }

    fn notes(objects: &[&str]) -> DataModel {
        let mut data = DataModel::new();
        for object in objects {
            data.apply("note", &ImpactOp::Add, object);
        }
        data
    }

    fn bound(pairs: &[(&str, &str)]) -> Bindings {
        let mut bindings = Bindings::default();
        for (name, text) in pairs {
            bindings.set_read(name, (*text).to_owned());
        }
        bindings
    }

    /// `rows` is a comma-separated list of row texts, `title:x` a field that shows x, `fab` a button.
    fn screen(nodes: &str) -> Layout {
        let mut notation = String::from("FrameLayout\n");
        for node in nodes.split(',').filter(|node| !node.is_empty()) {
            notation += &match node.split_once(':') {
                Some(("title", text)) => format!("  EditText#title \"{text}\"\n"),
                Some((class, text)) => format!("  {class}#other \"{text}\"\n"),
                None if node == "fab" => "  ImageButton#fab\n".to_owned(),
                None => format!("  TextView#row \"{node}\"\n"),
            };
        }
        layout_from(&notation)
    }

    fn post(dmf: &Dmf, nodes: &str, held: &[&str], reads: &[(&str, &str)]) -> Vec<CheckOutcome> {
        let (layout, data, bindings) = (screen(nodes), notes(held), bound(reads));
        let scene = Scene { layout: &layout, data: &data, app: APP, bindings: &bindings };
        CompiledDmf::new(dmf).check_postconditions(&scene)
    }

    fn failed(outcomes: &[CheckOutcome]) -> Vec<String> {
        let text = |outcome: &CheckOutcome| match outcome {
            CheckOutcome::Holds => "holds".to_owned(),
            CheckOutcome::Fails(failed) => format!("{} / {}", failed.expected, failed.seen),
            CheckOutcome::NotJudged(reason) => format!("{reason:?}"),
        };
        outcomes.iter().map(text).collect()
    }

    #[test]
    fn what_is_in_doubt_may_be_shown() {
        let deleted = ("delete_object", 4, id("row", read("delete_name")));
        let delete = dmf(DmfKind::Delete, &[deleted], vec![condition("delete_object", Relation::NotIn)]);
        let (layout, bindings) = (screen("ann,ann"), bound(&[("delete_name", "ann")]));
        let mut data = notes(&["ann"]);
        let holds = |data: &DataModel| {
            let scene = Scene { layout: &layout, data, app: APP, bindings: &bindings };
            CompiledDmf::new(&delete).check_postconditions(&scene) == [CheckOutcome::Holds]
        };
        assert!(!holds(&data), "one of the two should be gone");
        data.doubt("note", "ann");
        assert!(holds(&data));
    }

    fn add_note() -> Dmf {
        let object = ("add_object", 3, id("row", read("add_name")));
        dmf(DmfKind::Create, &[object], vec![condition("add_object", Relation::In)])
    }

    fn edit_note() -> Dmf {
        let added = ("add_object", 4, id("row", read("add_name")));
        let deleted = ("delete_object", 4, id("row", read("delete_name")));
        let post = vec![condition("add_object", Relation::In), condition("delete_object", Relation::NotIn)];
        dmf(DmfKind::Update, &[added, deleted], post)
    }

    #[test]
    fn a_created_object_is_shown_or_not() {
        assert_eq!(post(&add_note(), "fab,k7", &["k7"], &[("add_name", "k7")]), [CheckOutcome::Holds]);
        let outcomes = post(&add_note(), "fab,k", &["k7"], &[("add_name", "k7")]);
        assert_eq!(failed(&outcomes), ["\"k7\" on a widget with id \"org.ex:id/row\" / \"k\""]);
        let CheckOutcome::Fails(failure) = &outcomes[0] else { panic!("{outcomes:?}") };
        assert_eq!(failure.key, "in id \"org.ex:id/row\", text add_name.text", "no text of the run");
        assert_eq!(failure.missing.as_deref(), Some("k7"));
        assert_eq!(post(&add_note(), "fab,k", &["k"], &[("add_name", "k")]), [CheckOutcome::Holds]);
        let unread = post(&add_note(), "fab,k", &[], &[]);
        assert!(matches!(&unread[..], [CheckOutcome::NotJudged(Reason::NotJudged(_))]), "{unread:?}");
    }

    #[test]
    fn nodes_of_another_package_do_not_count() {
        let mut builder = taproof_screen::LayoutBuilder::new(
            Text::from("org.ex/.Main"),
            PxSize { width: 1080, height: 1920 },
            Rotation::PORTRAIT,
        );
        let nodes = [
            (APP, "org.ex:id/page"),
            ("com.android.systemui", "org.ex:id/row"),
            ("android", "android:id/button1"),
        ];
        for (package, name) in nodes {
            builder.open(Widget {
                parent: None,
                package: package.into(),
                class: "android.widget.TextView".into(),
                resource_id: Some(name.into()),
                text: if package == APP { "" } else { "k7" }.into(),
                content_desc: "".into(),
                hint: "".into(),
                bounds: PxRect::new(0, 0, 9, 9),
                flags: WidgetFlags::NONE,
            });
            builder.close();
        }
        let (layout, data, bindings) = (builder.finish(), notes(&["k7"]), bound(&[("add_name", "k7")]));
        let scene = Scene { layout: &layout, data: &data, app: APP, bindings: &bindings };
        let outcomes = CompiledDmf::new(&add_note()).check_postconditions(&scene);
        assert!(matches!(&outcomes[..], [CheckOutcome::Fails(_)]), "{outcomes:?}");
        let mut of_the_system = add_note();
        of_the_system.widgets[0].selector.resource_id = Some("android:id/button1".to_owned());
        assert_eq!(CompiledDmf::new(&of_the_system).check_postconditions(&scene), [CheckOutcome::Holds]);
    }

    #[test]
    fn an_edit_is_judged_by_the_count_rule() {
        let reads = &[("add_name", "c1"), ("delete_name", "b")];
        let check = |rows: &str, held: &[&str]| failed(&post(&edit_note(), rows, held, reads));
        assert_eq!(check("a,c1", &["a", "c1"]), ["holds", "holds"]);
        let row = "on a widget with id \"org.ex:id/row\"";
        let first = format!("\"c1\" {row} / \"a\", \"b\"");
        assert_eq!(check("a,b", &["a", "c1"]), [first, format!("not \"b\" {row} / once shown")]);
        assert_eq!(check("b,c1", &["b", "c1"]), ["holds", "holds"], "one b shown, one held");
        let both = format!("1 of \"b\" {row} / 2 times shown");
        assert_eq!(check("b,b,c1", &["b", "c1"]), ["holds".to_owned(), both]);
    }

    #[test]
    fn a_search_must_show_a_row_and_not_only_its_own_field() {
        let object = ("search_object", 2, id("row", read("search_name")));
        let search = dmf(DmfKind::Search, &[object], vec![condition("search_object", Relation::In)]);
        let reads = &[("search_name", "c1")];
        assert_eq!(post(&search, "title:c1,c1", &["a", "c1"], reads), [CheckOutcome::Holds]);
        assert!(matches!(&post(&search, "title:c1,zz", &["c1"], reads)[..], [CheckOutcome::Fails(_)]));
        assert!(matches!(&post(&search, "title:c1", &["c1"], reads)[..], [CheckOutcome::Fails(_)]));
        let mut vague = search.clone();
        vague.widgets[0].selector.resource_id = None;
        let outcomes = post(&vague, "title:c1", &["c1"], reads);
        assert!(matches!(&outcomes[..], [CheckOutcome::NotJudged(Reason::Vacuous(_))]), "{outcomes:?}");
        assert_eq!(post(&vague, "title:c1,c1", &["c1"], reads), [CheckOutcome::Holds]);
    }

    #[test]
    fn data_conditions_count_objects() {
        let ready = |relation: Relation, held: &[&str]| {
            let mut dmf = dmf(DmfKind::Create, &[("e1_widget", 0, id("fab", TextPattern::Any))], Vec::new());
            dmf.preconditions = vec![condition("e1_widget", Relation::In), on_data(relation)];
            CompiledDmf::new(&dmf).preconditions_hold(&screen("fab"), &notes(held), APP)
        };
        assert!(ready(Relation::Smaller(5), &["a"; 5]) && !ready(Relation::Smaller(5), &["a"; 6]));
        assert!(ready(Relation::IsNotEmpty, &["a"]) && !ready(Relation::IsNotEmpty, &[]));
        assert!(ready(Relation::IsEmpty, &[]) && !ready(Relation::IsEmpty, &["a"]));
        assert!(!ready(Relation::Unknown("near".into()), &["a"]), "what cannot be judged does not start");
    }

    #[test]
    fn instances_are_counted_before_the_list() {
        let mut second = id("row", TextPattern::Any);
        second.instance = Some(1);
        let dmf = dmf(DmfKind::Read, &[("w", 0, second)], vec![condition("w", Relation::In)]);
        let layout = screen("a,b,c");
        let bindings = Bindings::default();
        let data = notes(&["c"]);
        let scene = Scene { layout: &layout, data: &data, app: APP, bindings: &bindings };
        let compiled = CompiledDmf::new(&dmf);
        let named = compiled.widget("w").unwrap().locate(Scope::App(APP), &scene).unwrap();
        assert_eq!(&*layout.widget(named[0]).text, "b");
        let mut listed = dmf.clone();
        listed.postconditions[0].data_type = Some("note".to_owned());
        let listed = CompiledDmf::new(&listed);
        assert_eq!(listed.check_postconditions(&scene), [CheckOutcome::Holds], "c stands behind b");
        let data = notes(&["a"]);
        let outcomes = listed.check_postconditions(&Scene { data: &data, ..scene });
        assert!(matches!(&outcomes[..], [CheckOutcome::Fails(_)]), "a is skipped: {outcomes:?}");
    }

    #[test]
    fn what_lies_under_a_clickable_widget_is_neither_shown_nor_gone() {
        let plain = screen("k7,fab");
        let mut builder =
            taproof_screen::LayoutBuilder::new(Text::from(""), plain.screen(), Rotation::PORTRAIT);
        for widget in plain.widgets() {
            builder.open(Widget { bounds: PxRect::new(0, 0, 90, 90), ..widget.clone() });
            if builder.depth() > 1 {
                builder.close();
            }
        }
        let (layout, data) = (builder.finish(), notes(&["k7"]));
        let judge = |dmf: &Dmf, data: &DataModel, reads: &[(&str, &str)]| {
            let bindings = bound(reads);
            let scene = Scene { layout: &layout, data, app: APP, bindings: &bindings };
            CompiledDmf::new(dmf).check_postconditions(&scene)
        };
        let added = judge(&add_note(), &data, &[("add_name", "k7")]);
        assert!(matches!(&added[..], [CheckOutcome::NotJudged(Reason::Covered(_))]), "{added:?}");
        let gone = dmf(
            DmfKind::Delete,
            &[("delete_object", 1, id("row", read("delete_name")))],
            vec![condition("delete_object", Relation::NotIn)],
        );
        let deleted = judge(&gone, &notes(&[]), &[("delete_name", "k7")]);
        assert!(matches!(&deleted[..], [CheckOutcome::NotJudged(Reason::Covered(_))]), "{deleted:?}");
    }

    #[test]
    fn only_a_widget_in_the_state_asked_for_counts() {
        let mut asked = condition("box", Relation::In);
        asked.state = Some(WidgetState::Checked);
        let boxes = [("box", 0, id("other", TextPattern::Any))];
        let judge = |asked: &Condition, checked: bool| {
            let plain = screen("CheckBox:Descending");
            let mut builder =
                taproof_screen::LayoutBuilder::new(Text::from(""), plain.screen(), Rotation::PORTRAIT);
            for widget in plain.widgets() {
                let flags = widget.flags.with(WidgetFlags::CHECKED, checked && *widget.text == *"Descending");
                builder.open(Widget { flags, ..widget.clone() });
                if builder.depth() > 1 {
                    builder.close();
                }
            }
            let (layout, data, bindings) = (builder.finish(), notes(&[]), bound(&[]));
            let scene = Scene { layout: &layout, data: &data, app: APP, bindings: &bindings };
            let dmf = dmf(DmfKind::Property, &boxes, vec![asked.clone()]);
            failed(&CompiledDmf::new(&dmf).check_postconditions(&scene)).remove(0)
        };
        let seen = "a widget with id \"org.ex:id/other\" that is checked / \"Descending\", not checked";
        assert_eq!((judge(&asked, true), judge(&asked, false)), ("holds".to_owned(), seen.to_owned()));
        asked.state = Some(WidgetState::NotChecked);
        assert_eq!(judge(&asked, false), "holds");
        asked.relation = Relation::NotIn;
        assert_eq!(judge(&asked, true), "holds");
        let seen = "not a widget with id \"org.ex:id/other\" that is not checked / once shown";
        assert_eq!(judge(&asked, false), seen);
    }

    #[test]
    fn of_alternatives_one_is_enough() {
        let row = |text: &str| id("row", TextPattern::Is(text.to_owned()));
        let widgets = [("a", 0, row("a")), ("b", 0, row("b"))];
        let either = |relation: Relation| Condition {
            or: vec![condition("b", Relation::In)],
            ..condition("a", relation)
        };
        let mut dmf = dmf(DmfKind::Property, &widgets, vec![either(Relation::In)]);
        dmf.preconditions = dmf.postconditions.clone();
        for (nodes, expected) in [("a", true), ("b", true), ("a,b", true), ("c", false)] {
            let ready = CompiledDmf::new(&dmf).preconditions_hold(&screen(nodes), &notes(&[]), APP);
            assert_eq!(ready, expected, "{nodes}");
            assert_eq!(post(&dmf, nodes, &[], &[]) == [CheckOutcome::Holds], expected, "{nodes}");
        }
        let told = failed(&post(&dmf, "c", &[], &[]));
        let row = "a widget with id \"org.ex:id/row\"";
        assert_eq!(told, [format!("\"a\" on {row} or \"b\" on {row} / \"c\"")]);
        let CheckOutcome::Fails(failure) = &post(&dmf, "c", &[], &[])[0] else { panic!() };
        assert_eq!(failure.key, crate::condition_key(&dmf.postconditions[0], &dmf.widgets));
        let unjudged =
            Condition { or: vec![condition("no such", Relation::In)], ..condition("a", Relation::In) };
        dmf.postconditions = vec![unjudged];
        assert!(matches!(post(&dmf, "c", &[], &[])[0], CheckOutcome::NotJudged(_)));
        assert_eq!(post(&dmf, "a", &[], &[]), [CheckOutcome::Holds]);
        dmf.not_judged = Some("a loop".to_owned());
        assert!(!CompiledDmf::new(&dmf).preconditions_hold(&screen("a"), &notes(&[]), APP));
    }

    #[test]
    fn an_order_is_broken_by_the_first_pair() {
        let widgets =
            [("exact", 0, id("row", read("search_name"))), ("rest", 0, id("row", TextPattern::Any))];
        let order = Relation::InOrder(vec!["exact".to_owned(), "rest".to_owned()]);
        let mut ordered = condition("", order);
        ordered.widget = None;
        let dmf = dmf(DmfKind::Search, &widgets, vec![ordered]);
        let reads = &[("search_name", "b")];
        assert_eq!(post(&dmf, "title:b,b,ab,bc", &[], reads), [CheckOutcome::Holds]);
        assert_eq!(post(&dmf, "ab,bc", &[], reads), [CheckOutcome::Holds], "one kind is in order");
        let outcomes = post(&dmf, "ab,b,bc", &[], reads);
        assert_eq!(
            failed(&outcomes),
            ["\"b\", then any other, from top to bottom / \"ab\" stands before \"b\""]
        );
    }

    #[test]
    fn conditions_that_cannot_be_false_are_not_judged() {
        let dmf = dmf(
            DmfKind::Read,
            &[("blank", 0, SpecSelector::default())],
            vec![
                condition("blank", Relation::In),
                condition("nobody", Relation::NotIn),
                on_data(Relation::In),
            ],
        );
        let outcomes = post(&dmf, "a", &["a"], &[]);
        assert!(outcomes.iter().all(|outcome| matches!(outcome, CheckOutcome::NotJudged(_))), "{outcomes:?}");
    }

    #[test]
    fn a_row_named_by_any_object_of_the_model() {
        let row = id("row", TextPattern::Existing("note".to_owned()));
        let mut dmf = dmf(DmfKind::Delete, &[("delete_name", 0, row)], Vec::new());
        dmf.preconditions = vec![condition("delete_name", Relation::In)];
        let compiled = CompiledDmf::new(&dmf);
        assert!(compiled.preconditions_hold(&screen("a,b"), &notes(&["z", "b"]), APP));
        assert!(!compiled.preconditions_hold(&screen("a,b"), &notes(&["z"]), APP));
        let widget = compiled.widget("delete_name").unwrap();
        let data = notes(&["z", "b", "b", "a"]);
        assert_eq!(widget.shown_objects(Scope::App(APP), &screen("a,b"), &data), ["b", "a"]);
    }
}
