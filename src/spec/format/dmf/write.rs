//! Writes DMFs and invariants as JSON values. What has not changed keeps its value from the file, and unknown keys stay.

use serde_json::{Value, json};

use super::words;
use crate::{Condition, Dmf, DmfStep, Impact, Input, Invariant, NamedSelector, Relation, SpecSelector};

/// The beginning of Taproof's own keys, which stand in a file only where they say something.
const OURS: &str = "taproof_";

/// The value of an item that was read from `raw`: `before` is what would be written for it as it was read, and `new` for
/// it as it is now.
pub(super) fn merged(before: &Value, raw: &Value, new: Value) -> Value {
    match (before, raw, new) {
        (before, raw, new) if *before == new => raw.clone(),
        (Value::Object(before), Value::Object(raw), Value::Object(new)) => {
            let mut map = raw.clone();
            map.retain(|key, _| new.contains_key(key) || !before.contains_key(key));
            for (key, value) in new {
                match (before.get(&key), raw.get(&key)) {
                    (Some(before), Some(raw)) => drop(map.insert(key, merged(before, raw, value))),
                    (Some(before), None) if *before == value && key.starts_with(OURS) => {}
                    _ => drop(map.insert(key, value)),
                }
            }
            Value::Object(map)
        }
        (Value::Array(before), Value::Array(raw), Value::Array(new)) => {
            let from = align(before, &new, name_of);
            let item = |(item, from): (Value, Option<usize>)| match from
                .and_then(|from| before.get(from).zip(raw.get(from)))
            {
                Some((before, raw)) => merged(before, raw, item),
                None => item,
            };
            Value::Array(new.into_iter().zip(from).map(item).collect())
        }
        (_, _, new) => new,
    }
}

/// What tells a widget or a step from others of its list.
fn name_of(item: &Value) -> &str {
    let key = if item.get("action").is_some() { "widget" } else { "name" };
    item.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Returns, for each new item, the index of the old one that it came from: an equal one, or else one with the same
/// name, or else the one at the same index (which was renamed). Each old one is used at most once.
pub(super) fn align<T: PartialEq>(old: &[T], new: &[T], name: impl Fn(&T) -> &str) -> Vec<Option<usize>> {
    let mut taken = vec![false; old.len()];
    let mut from: Vec<Option<usize>> = vec![None; new.len()];
    let fits = |pass: usize, before: &T, after: &T, same_place: bool| match pass {
        0 => same_place && before == after,
        1 => before == after,
        2 => !name(after).is_empty() && name(before) == name(after),
        _ => same_place,
    };
    for pass in 0..4 {
        for (place, after) in new.iter().enumerate() {
            if from.get(place) != Some(&None) {
                continue;
            }
            let found = (0..old.len()).find(|index| {
                taken.get(*index) == Some(&false)
                    && old.get(*index).is_some_and(|before| fits(pass, before, after, *index == place))
            });
            if let Some(found) = found {
                taken[found] = true;
                from[place] = Some(found);
            }
        }
    }
    from
}

/// An object with these of our keys that have a value.
pub(super) fn with_ours<const N: usize>(mut object: Value, ours: [(&str, Option<Value>); N]) -> Value {
    let given = ours.into_iter().filter_map(|(key, value)| Some((format!("{OURS}{key}"), value?)));
    if let Value::Object(map) = &mut object {
        map.extend(given);
    }
    object
}

fn array<T>(items: &[T], write: impl Fn(&T) -> Value) -> Value {
    items.iter().map(write).collect()
}

/// The list, unless it is empty.
fn some<T>(items: &[T], write: impl Fn(&T) -> Value) -> Option<Value> {
    (!items.is_empty()).then(|| array(items, write))
}

pub(super) fn dmf(dmf: &Dmf) -> Value {
    let object = json!({
        "name": dmf.name,
        "type": dmf.kind.word(),
        "datatype": dmf.data_type,
        "proportion": dmf.weight.to_string(),
        "events": array(&dmf.steps, step),
        "widgets": array(&dmf.widgets, widget),
        "impacts": array(&dmf.impacts, impact),
        "preconditions": array(&dmf.preconditions, condition),
        "post-conditions": array(&dmf.postconditions, condition),
    });
    with_ours(
        object,
        [
            ("refusal", dmf.refusal.as_deref().map(Value::from)),
            ("lead_in", some(&dmf.lead_in, step)),
            ("max_runs", dmf.max_runs.map(Value::from)),
            ("not_judged", dmf.not_judged.as_deref().map(Value::from)),
        ],
    )
}

pub(super) fn invariant(invariant: &Invariant) -> Value {
    json!({
        "name": invariant.name,
        "widgets": array(&invariant.widgets, widget),
        "when": array(&invariant.when, condition),
        "holds": array(&invariant.holds, condition),
    })
}

fn step(step: &DmfStep) -> Value {
    let object = json!({
        "action": step.action.word(),
        "widget": step.widget.as_deref().unwrap_or(""),
        "text": words::input_text(&step.input),
        "force": step.required,
    });
    let classes = match &step.input {
        Input::Fresh(fresh) => words::fresh_words(fresh).map(Value::from),
        Input::None | Input::Literal(_) | Input::Existing(_) => None,
    };
    with_ours(object, [("text", classes)])
}

fn widget(widget: &NamedSelector) -> Value {
    let SpecSelector { resource_id, text, class, content_desc, xpath, instance, role, beside, row } =
        &widget.selector;
    let object = json!({
        "name": widget.name,
        "UI_layout_num": widget.layout.to_string(),
        "resource-id": resource_id.as_deref().unwrap_or(""),
        "text": text.to_string(),
        "class": class.as_deref().unwrap_or(""),
        "content-desc": content_desc.as_deref().unwrap_or(""),
        "xpath": xpath.as_deref().unwrap_or(""),
        "instance": instance.map(|instance| instance.to_string()).unwrap_or_default(),
    });
    with_ours(
        object,
        [
            ("role", role.map(|role| Value::from(role.word()))),
            ("beside", beside.as_ref().map(words::beside_value)),
            ("row", row.as_deref().map(Value::from)),
        ],
    )
}

fn condition(condition: &Condition) -> Value {
    // PBFDroid does not know orders; it reads an order as the presence of the order's first widget.
    let (relation, first, order) = match &condition.relation {
        Relation::InOrder(names) => ("in".to_owned(), names.first(), Some(Value::from(names.clone()))),
        relation => (relation.to_string(), None, None),
    };
    let object = json!({
        "relation": relation,
        "widget": condition.widget.as_ref().or(first).map_or("", String::as_str),
        "datatype": condition.data_type.as_deref().unwrap_or(""),
        "UI_layout_num": condition.layout.map(|layout| layout.to_string()).unwrap_or_default(),
    });
    with_ours(
        object,
        [
            ("order", order),
            ("state", condition.state.map(|state| Value::from(state.word()))),
            ("scroll", (!condition.scroll).then_some(Value::Bool(false))),
            ("or", some(&condition.or, self::condition)),
        ],
    )
}

fn impact(impact: &Impact) -> Value {
    json!({ "operator": impact.op.to_string(), "object": impact.object.to_string() })
}
