//! Conditions in words: for people, and as the key by which failures are identified.

use super::{Condition, NamedSelector, Relation, SpecSelector};
use crate::compiled::compiled_selector::TextFilter;
use taproof_screen::FailedCheck;

/// Number of texts that are listed before the rest is only counted.
const LISTED: usize = 6;

/// The condition as a sentence, such as `add_object is shown (id "org.ex:id/row", text add_name.text)`, with the selectors
/// of these widgets.
pub fn condition_sentence(condition: &Condition, widgets: &[NamedSelector]) -> String {
    each(condition, widgets, sentence_alone).join(FailedCheck::OR)
}

/// The key that identifies the failures of a condition: the condition as written, without the run's texts.
pub fn condition_key(condition: &Condition, widgets: &[NamedSelector]) -> String {
    each(condition, widgets, key_alone).join(FailedCheck::OR)
}

/// What is said of the condition itself and of those that may hold instead.
fn each(
    condition: &Condition,
    widgets: &[NamedSelector],
    say: fn(&Condition, Option<&SpecSelector>) -> String,
) -> Vec<String> {
    let selector = |condition: &Condition| {
        let named = widgets.iter().find(|widget| Some(&widget.name) == condition.widget.as_ref());
        named.map(|named| &named.selector)
    };
    condition.alternatives().map(|condition| say(condition, selector(condition))).collect()
}

pub(super) fn sentence_alone(condition: &Condition, selector: Option<&SpecSelector>) -> String {
    let data_type = condition.data_type.as_deref().unwrap_or("object");
    let widget = match (&condition.widget, selector) {
        (Some(name), Some(selector)) => format!("{name} ({selector})"),
        (Some(name), None) => name.clone(),
        (None, _) => "nothing".to_owned(),
    };
    let on_data = condition.data_type.is_some();
    if let Some(state) = condition.state {
        let word = state.word();
        match &condition.relation {
            Relation::In | Relation::SameIn if on_data => {
                return format!("{widget} shows a known {data_type} and is {word}");
            }
            Relation::NotIn if on_data => {
                return format!("{widget} shows no known {data_type} that is {word}");
            }
            Relation::In | Relation::SameIn => return format!("{widget} is {word}"),
            Relation::NotIn => return format!("no {widget} is {word}"),
            Relation::Smaller(limit) => return format!("at most {limit} times {word}: {widget}"),
            Relation::IsEmpty | Relation::IsNotEmpty | Relation::InOrder(_) | Relation::Unknown(_) => {}
        }
    }
    match &condition.relation {
        Relation::In | Relation::SameIn if on_data => format!("{widget} shows a known {data_type}"),
        Relation::NotIn if on_data => format!("{widget} shows no known {data_type}"),
        Relation::In | Relation::SameIn => format!("{widget} is shown"),
        Relation::NotIn => format!("{widget} is not shown"),
        Relation::IsEmpty => format!("the app holds no {data_type}"),
        Relation::IsNotEmpty => format!("the app holds at least one {data_type}"),
        Relation::Smaller(limit) if on_data => format!("the app holds at most {limit} of type {data_type}"),
        Relation::Smaller(limit) => format!("at most {limit} times: {widget}"),
        Relation::InOrder(names) => format!("{} stand in this order", names.join(", ")),
        Relation::Unknown(word) => format!("{word:?} (not known) of {widget}"),
    }
}

pub(super) fn key_alone(condition: &Condition, selector: Option<&SpecSelector>) -> String {
    let mut key = condition.relation.to_string();
    if let Relation::InOrder(names) = &condition.relation {
        key = format!("{key} {}", names.join(","));
    }
    if let Some(data_type) = &condition.data_type {
        key = format!("{key} {data_type}");
    }
    if let Some(state) = condition.state {
        key = format!("{key} {}", state.word());
    }
    match selector {
        Some(selector) => format!("{key} {selector}"),
        None => key,
    }
}

pub(super) fn wanted(filter: TextFilter<'_>, subject: &str) -> String {
    match filter {
        TextFilter::Any => subject.to_owned(),
        TextFilter::Is(text) => format!("{text:?} on {subject}"),
        TextFilter::AnyOf(texts) => format!("one of {} on {subject}", list(texts)),
    }
}

pub(super) fn texts_seen(texts: &[String]) -> String {
    if texts.is_empty() { "no such widget".to_owned() } else { list(texts) }
}

pub(super) fn list(texts: &[String]) -> String {
    if texts.is_empty() {
        return "nothing".to_owned();
    }
    let mut listed: Vec<String> = texts.iter().take(LISTED).map(|text| format!("{text:?}")).collect();
    if texts.len() > LISTED {
        listed.push(format!("{} more", texts.len() - LISTED));
    }
    listed.join(", ")
}

pub(super) fn times(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}
