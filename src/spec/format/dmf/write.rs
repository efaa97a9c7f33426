//! Writes DMFs and invariants as JSON values. Unchanged parts keep their value from the file, and unknown keys are
//! preserved. For this, `old` is the item as it was read, with the JSON value that it was read from.

use serde_json::{Map, Value};

use super::words;
use crate::{Condition, Dmf, DmfStep, Impact, Input, Invariant, NamedSelector, Relation, SpecSelector};

/// An item as it was read, with the value that it was read from; `None` for a new item.
pub(super) type Old<'a, T> = Option<(&'a T, &'a Value)>;

/// An object being modified: known keys are set, all others are preserved.
struct Draft {
    map: Map<String, Value>,
    /// Whether there is no old object, so that every key is set.
    fresh: bool,
}

impl Draft {
    fn new<T>(old: Old<'_, T>) -> Self {
        let map = old.and_then(|(_, value)| value.as_object().cloned());
        Draft { fresh: map.is_none(), map: map.unwrap_or_default() }
    }

    /// Sets a key that PBFDroid reads. Does nothing if the item has not changed in it (`same`) and the key exists
    /// already.
    fn set(&mut self, key: &str, same: bool, value: Value) {
        if self.fresh || !same || !self.map.contains_key(key) {
            self.map.insert(key.to_owned(), value);
        }
    }

    fn text(&mut self, key: &str, same: bool, text: &str) {
        self.set(key, same, Value::from(text));
    }

    /// Sets one of Taproof's keys, or removes it if `value` is `None`. Does nothing if the item has not changed in it
    /// (`same`).
    fn ours(&mut self, key: &str, same: bool, value: Option<Value>) {
        match value {
            _ if same && !self.fresh => {}
            Some(value) => {
                self.map.insert(key.to_owned(), value);
            }
            None => {
                self.map.shift_remove(key);
            }
        }
    }

    fn done(self) -> Value {
        Value::Object(self.map)
    }
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

/// Returns the array of the new items, each based on the old one that it came from.
fn array<T: PartialEq>(
    old: Option<(&[T], &Value)>,
    new: &[T],
    name: impl Fn(&T) -> &str,
    write: impl Fn(Old<'_, T>, &T) -> Value,
) -> Value {
    let raw = old.and_then(|(_, value)| value.as_array());
    let before = old.map_or(&[][..], |(items, _)| items);
    let from = align(before, new, name);
    let write_one = |(item, from): (&T, Option<usize>)| {
        let old = from.and_then(|index| Some((before.get(index)?, raw?.get(index)?)));
        match old {
            Some((before, value)) if before == item => value.clone(),
            _ => write(old, item),
        }
    };
    Value::Array(new.iter().zip(from).map(write_one).collect())
}

fn part<'a, T, P: ?Sized>(
    old: Old<'a, T>,
    key: &str,
    get: impl Fn(&'a T) -> &'a P,
) -> Option<(&'a P, &'a Value)> {
    old.and_then(|(before, value)| Some((get(before), value.get(key)?)))
}

pub(super) fn dmf(old: Old<'_, Dmf>, new: &Dmf) -> Value {
    let mut draft = Draft::new(old);
    let before = old.map(|(before, _)| before);
    let same = |equal: fn(&Dmf, &Dmf) -> bool| before.is_some_and(|before| equal(before, new));
    draft.text("name", same(|a, b| a.name == b.name), &new.name);
    draft.text("type", same(|a, b| a.kind == b.kind), new.kind.word());
    draft.text("datatype", same(|a, b| a.data_type == b.data_type), &new.data_type);
    draft.text("proportion", same(|a, b| a.weight == b.weight), &new.weight.to_string());
    let events = array(part(old, "events", |dmf| dmf.steps.as_slice()), &new.steps, step_name, step);
    draft.set("events", same(|a, b| a.steps == b.steps), events);
    let all = array(part(old, "widgets", |dmf| dmf.widgets.as_slice()), &new.widgets, widget_name, widget);
    draft.set("widgets", same(|a, b| a.widgets == b.widgets), all);
    let all = array(part(old, "impacts", |dmf| dmf.impacts.as_slice()), &new.impacts, |_| "", impact);
    draft.set("impacts", same(|a, b| a.impacts == b.impacts), all);
    let pre = part(old, "preconditions", |dmf| dmf.preconditions.as_slice());
    let pre = array(pre, &new.preconditions, |_| "", condition);
    draft.set("preconditions", same(|a, b| a.preconditions == b.preconditions), pre);
    let post = part(old, "post-conditions", |dmf| dmf.postconditions.as_slice());
    let post = array(post, &new.postconditions, |_| "", condition);
    draft.set("post-conditions", same(|a, b| a.postconditions == b.postconditions), post);
    let refusal = new.refusal.as_deref().map(Value::from);
    draft.ours("taproof_refusal", same(|a, b| a.refusal == b.refusal), refusal);
    let lead_in = part(old, "taproof_lead_in", |dmf| dmf.lead_in.as_slice());
    let lead_in = (!new.lead_in.is_empty()).then(|| array(lead_in, &new.lead_in, step_name, step));
    draft.ours("taproof_lead_in", same(|a, b| a.lead_in == b.lead_in), lead_in);
    draft.ours("taproof_max_runs", same(|a, b| a.max_runs == b.max_runs), new.max_runs.map(Value::from));
    let not_judged = new.not_judged.as_deref().map(Value::from);
    draft.ours("taproof_not_judged", same(|a, b| a.not_judged == b.not_judged), not_judged);
    draft.done()
}

pub(super) fn invariant(old: Old<'_, Invariant>, new: &Invariant) -> Value {
    let mut draft = Draft::new(old);
    let before = old.map(|(before, _)| before);
    let same = |equal: fn(&Invariant, &Invariant) -> bool| before.is_some_and(|before| equal(before, new));
    draft.text("name", same(|a, b| a.name == b.name), &new.name);
    let widgets = part(old, "widgets", |invariant| invariant.widgets.as_slice());
    let widgets = array(widgets, &new.widgets, widget_name, widget);
    draft.set("widgets", same(|a, b| a.widgets == b.widgets), widgets);
    let when = array(part(old, "when", |invariant| invariant.when.as_slice()), &new.when, |_| "", condition);
    draft.set("when", same(|a, b| a.when == b.when), when);
    let holds = part(old, "holds", |invariant| invariant.holds.as_slice());
    let holds = array(holds, &new.holds, |_| "", condition);
    draft.set("holds", same(|a, b| a.holds == b.holds), holds);
    draft.done()
}

fn step_name(step: &DmfStep) -> &str {
    step.widget.as_deref().unwrap_or("")
}

fn widget_name(widget: &NamedSelector) -> &str {
    &widget.name
}

fn step(old: Old<'_, DmfStep>, new: &DmfStep) -> Value {
    let mut draft = Draft::new(old);
    let before = old.map(|(before, _)| before);
    let same = |equal: fn(&DmfStep, &DmfStep) -> bool| before.is_some_and(|before| equal(before, new));
    draft.text("action", same(|a, b| a.action == b.action), new.action.word());
    draft.text("widget", same(|a, b| a.widget == b.widget), new.widget.as_deref().unwrap_or(""));
    draft.text("text", same(|a, b| a.input == b.input), &words::input_text(&new.input));
    draft.set("force", same(|a, b| a.required == b.required), Value::Bool(new.required));
    let classes = match &new.input {
        Input::Fresh(fresh) => words::fresh_words(fresh).map(Value::from),
        Input::None | Input::Literal(_) | Input::Existing(_) => None,
    };
    draft.ours("taproof_text", same(|a, b| a.input == b.input), classes);
    draft.done()
}

fn widget(old: Old<'_, NamedSelector>, new: &NamedSelector) -> Value {
    let mut draft = Draft::new(old);
    let before = old.map(|(before, _)| before);
    let parts = |widget: &NamedSelector| selector_parts(&widget.selector);
    draft.text("name", before.is_some_and(|before| before.name == new.name), &new.name);
    let same_layout = before.is_some_and(|before| before.layout == new.layout);
    draft.text("UI_layout_num", same_layout, &new.layout.to_string());
    let old_parts = before.map(parts);
    for (index, (key, value)) in parts(new).into_iter().enumerate() {
        let same = old_parts.as_ref().and_then(|parts| parts.get(index)).is_some_and(|part| part.1 == value);
        draft.text(key, same, &value);
    }
    let same_role = before.is_some_and(|before| before.selector.role == new.selector.role);
    draft.ours("taproof_role", same_role, new.selector.role.map(|role| Value::from(role.word())));
    let same_beside = before.is_some_and(|before| before.selector.beside == new.selector.beside);
    draft.ours("taproof_beside", same_beside, new.selector.beside.as_ref().map(words::beside_value));
    let same_row = before.is_some_and(|before| before.selector.row == new.selector.row);
    draft.ours("taproof_row", same_row, new.selector.row.as_deref().map(Value::from));
    draft.done()
}

fn selector_parts(selector: &SpecSelector) -> [(&'static str, String); 6] {
    let text = |part: &Option<String>| part.clone().unwrap_or_default();
    [
        ("resource-id", text(&selector.resource_id)),
        ("text", selector.text.to_string()),
        ("class", text(&selector.class)),
        ("content-desc", text(&selector.content_desc)),
        ("xpath", text(&selector.xpath)),
        ("instance", selector.instance.map(|instance| instance.to_string()).unwrap_or_default()),
    ]
}

fn condition(old: Old<'_, Condition>, new: &Condition) -> Value {
    let mut draft = Draft::new(old);
    let before = old.map(|(before, _)| before);
    let same = |equal: fn(&Condition, &Condition) -> bool| before.is_some_and(|before| equal(before, new));
    let same_relation = same(|a, b| a.relation == b.relation);
    // PBFDroid does not know orders; it reads an order as the presence of the order's first widget.
    let (relation, widget, order) = match &new.relation {
        Relation::InOrder(names) => {
            let widget = new.widget.clone().or_else(|| names.first().cloned());
            ("in".to_owned(), widget, Some(Value::from(names.clone())))
        }
        relation => (relation.to_string(), new.widget.clone(), None),
    };
    draft.text("relation", same_relation, &relation);
    let same_widget = same_relation && same(|a, b| a.widget == b.widget);
    draft.text("widget", same_widget, widget.as_deref().unwrap_or(""));
    draft.text("datatype", same(|a, b| a.data_type == b.data_type), new.data_type.as_deref().unwrap_or(""));
    let layout = new.layout.map(|layout| layout.to_string()).unwrap_or_default();
    draft.text("UI_layout_num", same(|a, b| a.layout == b.layout), &layout);
    draft.ours("taproof_order", same_relation, order);
    let state = new.state.map(|state| Value::from(state.word()));
    draft.ours("taproof_state", same(|a, b| a.state == b.state), state);
    let scroll = (!new.scroll).then(|| Value::Bool(false));
    draft.ours("taproof_scroll", same(|a, b| a.scroll == b.scroll), scroll);
    let or = array(part(old, "taproof_or", |it| it.or.as_slice()), &new.or, |_| "", condition);
    draft.ours("taproof_or", same(|a, b| a.or == b.or), (!new.or.is_empty()).then_some(or));
    draft.done()
}

fn impact(old: Old<'_, Impact>, new: &Impact) -> Value {
    let mut draft = Draft::new(old);
    let before = old.map(|(before, _)| before);
    let same_op = before.is_some_and(|before| before.op == new.op);
    draft.text("operator", same_op, &new.op.to_string());
    let same_object = before.is_some_and(|before| before.object == new.object);
    draft.text("object", same_object, &new.object.to_string());
    draft.done()
}
