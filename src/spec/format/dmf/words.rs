//! The vocabulary of DMF files: the spelling of texts, relations and operators.

use serde_json::{Value, json};

use crate::{Action, DmfKind, FreshText, ImpactOp, Input, Relation, TextClass, TextPattern};
use taproof_screen::{Beside, Role, Side};

/// Largest number of objects that `smaller` allows.
const SMALLER: usize = 5;

pub(super) fn action(word: &str) -> Option<Action> {
    Action::WORDS.into_iter().find(|(_, known)| *known == word).map(|(action, _)| action)
}

/// The types of functions.
pub(super) const KINDS: &str = "add, view, read, edit, delete, search, property";

pub(super) fn kind(word: &str) -> Option<DmfKind> {
    let word = if word == "read" { DmfKind::Read.word() } else { word };
    DmfKind::ALL.into_iter().find(|kind| kind.word() == word)
}

pub(super) fn relation(word: &str) -> Relation {
    match word {
        "in" => Relation::In,
        "not in" => Relation::NotIn,
        "is empty" => Relation::IsEmpty,
        "is not empty" => Relation::IsNotEmpty,
        "smaller" => Relation::Smaller(SMALLER),
        "samein" => Relation::SameIn,
        _ => match word.strip_prefix("smaller::").and_then(|limit| limit.parse().ok()) {
            Some(limit) => Relation::Smaller(limit),
            None => Relation::Unknown(word.to_owned()),
        },
    }
}

pub(super) fn operator(word: &str) -> ImpactOp {
    match word {
        "add" => ImpactOp::Add,
        "add noduplicate" => ImpactOp::AddNoDuplicate,
        "add conflict" => ImpactOp::AddConflict,
        "delete" => ImpactOp::Delete,
        "clear" => ImpactOp::Clear,
        _ => ImpactOp::Unknown(word.to_owned()),
    }
}

/// Parses the text of a widget or the object of an impact. `X.text` is a reference if X is a widget of the DMF or its
/// name looks like one; `readme.text` is a text.
pub(super) fn text_pattern(text: &str, widgets: &[String]) -> TextPattern {
    if text.is_empty() {
        return TextPattern::Any;
    }
    if let Some(name) = text.strip_suffix(".text")
        && (widgets.iter().any(|widget| widget == name) || reads_like_a_widget(name))
    {
        return TextPattern::FromRead(name.to_owned());
    }
    match existing(text) {
        Some(data_type) => TextPattern::Existing(data_type),
        None => TextPattern::Is(text.to_owned()),
    }
}

fn reads_like_a_widget(name: &str) -> bool {
    let word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    name.chars().all(word) && ["_name", "_object", "_widget"].iter().any(|part| name.contains(part))
}

fn existing(text: &str) -> Option<String> {
    let data_type = text.strip_suffix("::random")?;
    (!data_type.is_empty() && !data_type.contains(char::is_whitespace)).then(|| data_type.to_owned())
}

/// Parses the text of an event.
pub(super) fn input(text: &str) -> Input {
    match text {
        "" => Input::None,
        "random" => Input::Fresh(FreshText::default()),
        _ => match existing(text) {
            Some(data_type) => Input::Existing(data_type),
            None => Input::Literal(text.to_owned()),
        },
    }
}

/// Returns the text of an event as written in files.
pub(super) fn input_text(input: &Input) -> String {
    match input {
        Input::None => String::new(),
        Input::Literal(text) => text.clone(),
        Input::Fresh(_) => "random".to_owned(),
        Input::Existing(data_type) => format!("{data_type}::random"),
    }
}

/// Parses `taproof_text`: classes with their weights, optionally followed by the data type that they refer to, such as
/// `plain:3, other_case:1` or `existing of folder`. A class without a weight has weight 1. `None` if a class is unknown
/// or a weight is not a number.
pub(super) fn fresh_text(text: &str) -> Option<FreshText> {
    let (classes, data_type) = match text.split_once(" of ") {
        Some((classes, data_type)) => (classes, Some(data_type.trim().to_owned())),
        None => (text, None),
    };
    let mut fresh = FreshText { data_type: data_type.filter(|name| !name.is_empty()), classes: Vec::new() };
    for part in classes.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (word, weight) = part.split_once(':').unwrap_or((part, "1"));
        let class = TextClass::named(word.trim())?;
        fresh.classes.push((class, weight.trim().parse().ok()?));
    }
    Some(fresh)
}

/// Returns the value of `taproof_text`; `None` for the default classes, which need no such key.
pub(super) fn fresh_words(fresh: &FreshText) -> Option<String> {
    if *fresh == FreshText::default() {
        return None;
    }
    let classes: Vec<String> =
        fresh.classes.iter().map(|(class, weight)| format!("{}:{weight}", class.word())).collect();
    let mut words = classes.join(", ");
    if let Some(data_type) = &fresh.data_type {
        words = format!("{words} of {data_type}");
    }
    Some(words)
}

/// The names by which `taproof_role` and `taproof_beside` know roles and sides, for messages.
pub(super) fn known_roles() -> String {
    Role::ALL.map(Role::word).join(", ")
}

pub(super) fn known_sides() -> String {
    Side::ALL.map(Side::key).join(", ")
}

/// Parses `taproof_role`, such as `check box`; `None` if there is no such role.
pub(super) fn role(word: &str) -> Option<Role> {
    Role::ALL.into_iter().find(|role| role.word() == word)
}

/// Parses `taproof_beside`, such as `{"right-of": "Title"}`; `None` if it is not one known side with a label.
pub(super) fn beside(value: &Value) -> Option<Beside> {
    let map = value.as_object().filter(|map| map.len() == 1)?;
    let (key, label) = map.iter().next()?;
    let side = Side::ALL.into_iter().find(|side| side.key() == key)?;
    let label = label.as_str().filter(|label| !label.is_empty())?.to_owned();
    Some(Beside { side, label })
}

/// Returns the value of `taproof_beside`.
pub(super) fn beside_value(beside: &Beside) -> Value {
    json!({ beside.side.key(): beside.label })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_told_from_references() {
        let widgets = vec!["title".to_owned()];
        assert_eq!(text_pattern("title.text", &widgets), TextPattern::FromRead("title".to_owned()));
        assert_eq!(text_pattern("add_name.text", &[]), TextPattern::FromRead("add_name".to_owned()));
        assert_eq!(text_pattern("readme.text", &widgets), TextPattern::Is("readme.text".to_owned()));
        assert_eq!(text_pattern("None", &[]), TextPattern::Is("None".to_owned()));
        assert_eq!(text_pattern("note::random", &[]), TextPattern::Existing("note".to_owned()));
    }

    #[test]
    fn the_words_that_are_proposed_are_known() {
        assert!(KINDS.split(", ").all(|word| kind(word).is_some()));
        assert!(Relation::KNOWN.split(", ").all(|word| !matches!(relation(word), Relation::Unknown(_))));
        assert!(ImpactOp::KNOWN.split(", ").all(|word| !matches!(operator(word), ImpactOp::Unknown(_))));
    }

    #[test]
    fn text_classes_read_back() {
        for words in ["plain:3, other_case:1", "existing:1 of folder"] {
            assert_eq!(fresh_words(&fresh_text(words).unwrap()).unwrap(), words);
        }
        assert_eq!(fresh_text("removed").unwrap().classes, [(TextClass::Removed, 1)]);
        assert_eq!(fresh_text("loud:2"), None);
        assert_eq!(fresh_words(&FreshText::default()), None);
    }
}
