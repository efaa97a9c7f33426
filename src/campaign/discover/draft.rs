//! Writes what was seen as a function: the recorder's draft, for texts of all classes.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::creates::FILLINGS;
use super::sample::Sample;
use taproof_screen::{Layout, RecordedStep, Text, TextClass};
use taproof_spec::{
    Condition, ConditionChoice, DataType, Dmf, DmfKind, DraftRequest, Extent, Input, NamedSelector,
    ObjectChoice, PickedWidget, Relation, Severity, Spec, SpecSelector, TextPattern, draft, lint, typed_text,
};

/// How often a name is plain, against once for each other class of texts.
const PLAIN: u32 = 4;

/// The draft of a function as the recorder saves it, without the conditions that cannot fail; `None` if it cannot be
/// drafted, or the draft has an error.
pub fn kept_draft(steps: &[RecordedStep], request: &DraftRequest) -> Option<Dmf> {
    let kept = draft(steps, request).ok()?.kept_dmf();
    let spec = Spec { dmfs: vec![kept], ..Spec::default() };
    let refused = lint(&spec).iter().any(|finding| finding.code.severity() == Severity::Error);
    spec.dmfs.into_iter().next().filter(|_| !refused)
}

/// The function that a sample shows; `None` if it cannot be written, or would prove nothing.
pub(super) fn function(
    sample: &Sample,
    (name, data_type): (&str, &DataType),
    rows: &Text,
    seen: &[Arc<Layout>],
) -> Option<Dmf> {
    let object = |text: &Option<String>, main: bool| ObjectChoice {
        text: text.clone(),
        shown: sample.shown.filter(|_| main),
        expected: sample.expected.clone().filter(|_| main),
        read: None,
    };
    let of_typed = sample.added.is_some();
    let request = DraftRequest {
        name: Some(name.to_owned()),
        extent: Extent::Whole,
        added: object(&sample.added, true),
        removed: object(&sample.removed, false),
        sought: object(&sample.sought, !of_typed),
        seen: seen.to_vec(),
        lead: Some(sample.lead.clone()),
        inputs: literal_inputs(sample),
        optional: sample.once.clone(),
        postconditions: sample.message.iter().map(shown_at_end).collect(),
        ..DraftRequest::new(sample.kind, data_type.as_str())
    };
    let mut dmf = kept_draft(&sample.steps, &request).or_else(|| {
        // What is in order shows no object.
        (!sample.order.is_empty())
            .then(|| draft(&sample.steps, &request).ok().map(|draft| draft.kept_dmf()))?
    })?;
    if !sample.order.is_empty() {
        in_order(&mut dmf, &sample.order, rows);
    }
    if dmf.steps.first().is_some_and(|step| step.widget.is_none()) {
        needs_row(&mut dmf, rows);
    }
    vary(&mut dmf, sample);
    (!dmf.postconditions.is_empty()).then_some(dmf)
}

fn shown_at_end(picked: &PickedWidget) -> ConditionChoice {
    ConditionChoice { picked: picked.clone(), shown: true, state: None }
}

/// A function whose first step touches nothing starts where a row with a known object is shown.
fn needs_row(dmf: &mut Dmf, rows: &Text) {
    let by_id = rows.contains(":id/").then(|| rows.to_string());
    let class = by_id.is_none().then(|| rows.to_string());
    let selector = SpecSelector { resource_id: by_id, class, ..SpecSelector::default() };
    dmf.widgets.push(NamedSelector { name: "row_widget".to_owned(), layout: 0, selector });
    dmf.preconditions.push(Condition {
        data_type: Some(dmf.data_type.clone()),
        ..Condition::on_widget("row_widget", Relation::In).at(0)
    });
}

/// The steps that type texts as they are.
fn literal_inputs(sample: &Sample) -> BTreeMap<usize, Input> {
    let typed = sample.steps.iter().enumerate().filter_map(|(place, step)| {
        let text = typed_text(&step.event)?.to_owned();
        let as_it_is = sample.literal.contains(&text) || FILLINGS.contains(&&*text);
        as_it_is.then_some((place, Input::Literal(text)))
    });
    typed.collect()
}

/// All classes of texts, each with its weight. Those that the app refuses or changes are taken away while confirming.
fn all_classes() -> Vec<(TextClass, u32)> {
    let weight = |class| if class == TextClass::Plain { PLAIN } else { 1 };
    TextClass::ALL.into_iter().map(|class| (class, weight(class))).collect()
}

/// Draws the texts that are typed from all classes if they name an object, and else from plain ones.
fn vary(dmf: &mut Dmf, sample: &Sample) {
    let names = matches!(sample.kind, DmfKind::Create | DmfKind::Update);
    for step in &mut dmf.steps {
        if let Input::Fresh(fresh) = &mut step.input
            && fresh.classes.is_empty()
        {
            fresh.classes = if names { all_classes() } else { vec![(TextClass::Plain, 1)] };
            // An object that gets the name that it has looks as if it had not been changed.
            fresh
                .classes
                .retain(|(class, _)| sample.kind != DmfKind::Update || *class != TextClass::Existing);
        }
    }
}

/// Requires that these rows are in this order.
fn in_order(dmf: &mut Dmf, names: &[String], rows: &Text) {
    let layout = dmf.steps.len();
    let by_id = rows.contains(":id/").then(|| rows.to_string());
    let class = by_id.is_none().then(|| rows.to_string());
    let mut order = Vec::new();
    for (place, name) in names.iter().enumerate() {
        let selector = SpecSelector {
            resource_id: by_id.clone(),
            class: class.clone(),
            text: TextPattern::Is(name.clone()),
            ..SpecSelector::default()
        };
        let name = format!("row{place}_widget");
        dmf.widgets.push(NamedSelector { name: name.clone(), layout, selector });
        order.push(name);
    }
    dmf.postconditions = vec![Condition::of(Relation::InOrder(order)).at(layout)];
}

/// The same creation, beside an object with a similar name, which must stay.
pub(super) fn beside_another(add: &Dmf, name: &str, rows: &Text) -> Dmf {
    let mut dmf = add.clone();
    dmf.name = name.to_owned();
    dmf.weight = add.weight / 2;
    let by_id = rows.contains(":id/").then(|| rows.to_string());
    let row = |text| SpecSelector {
        class: by_id.is_none().then(|| rows.to_string()),
        resource_id: by_id.clone(),
        text,
        ..SpecSelector::default()
    };
    let end = dmf.steps.len();
    let existing = row(TextPattern::Existing(dmf.data_type.clone()));
    let kept = row(TextPattern::FromRead("kept_name".to_owned()));
    dmf.widgets.push(NamedSelector { name: "kept_name".to_owned(), layout: 0, selector: existing });
    dmf.widgets.push(NamedSelector { name: "kept_object".to_owned(), layout: end, selector: kept });
    let condition = |widget: &str, layout| Condition::on_widget(widget, Relation::In).at(layout);
    dmf.preconditions.push(condition("kept_name", 0));
    dmf.postconditions.push(condition("kept_object", end));
    let alike = vec![(TextClass::OtherCase, 2), (TextClass::Extending, 1)];
    for step in &mut dmf.steps {
        if let Input::Fresh(fresh) = &mut step.input {
            fresh.classes.clone_from(&alike);
        }
    }
    dmf
}
