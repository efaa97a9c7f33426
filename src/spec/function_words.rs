//! What a person calls a function of a specification.

use super::{Action, Dmf, DmfStep, SpecSelector, TextPattern, widget_words};
use taproof_screen::{upper_first, with_article};

/// What a person calls the function of this name: `Edit a folder` for `edit1 folder`.
pub fn function_words(name: &str) -> String {
    let Some((verb, noun)) = name.split_once(' ') else {
        return upper_first(unnumbered(name).replace('_', " ").trim_end());
    };
    let (verb, noun) = (unnumbered(verb), noun.replace('_', " "));
    if verb.contains('_') {
        return upper_first(&format!("{} {noun}", verb.replace('_', " ")));
    }
    let preposition = if verb == "search" && !noun.starts_with("for ") { " for" } else { "" };
    let has_article = ["a ", "an ", "the ", "all ", "for "].iter().any(|word| noun.starts_with(word));
    let plural = noun.ends_with('s') && !noun.ends_with("ss");
    let object = if has_article || plural { noun } else { with_article(&noun) };
    upper_first(&format!("{verb}{preposition} {object}"))
}

/// The same; of several that would be called alike, with the step that tells it from them: `Restore a note by “Archive”`.
pub fn distinct_function_words<'d>(dmf: &Dmf, all: impl IntoIterator<Item = &'d Dmf>) -> String {
    let words = function_words(&dmf.name);
    let others = all.into_iter().filter(|it| it.name != dmf.name && is_alike(&it.name, &dmf.name));
    let others: Vec<&Dmf> = others.collect();
    let way = |of: &Dmf| {
        let all = others.iter().copied().chain([dmf]).filter(|it| it.name != of.name);
        let at = all.map(|it| steps_in_common(of, it)).min()?;
        Some(step_words(of, of.steps.get(at)?))
    };
    let by = way(dmf);
    let alone = others.is_empty() || (by.is_some() && others.iter().all(|it| way(it) != by));
    let number = if alone { String::new() } else { number(&dmf.name) };
    format!("{words}{}{number}", by.map_or(String::new(), |by| format!(" by {by}")))
}

/// Whether two names differ in their numbers only.
fn is_alike(one: &str, other: &str) -> bool {
    let parts = |name: &'_ str| -> (usize, usize) {
        let verb = name.find(' ').unwrap_or(name.len());
        (unnumbered(&name[..verb]).len(), verb)
    };
    let ((one_verb, one_rest), (other_verb, other_rest)) = (parts(one), parts(other));
    one[..one_verb] == other[..other_verb] && one[one_rest..] == other[other_rest..]
}

/// The verb without the number by which PBFDroid tells functions apart.
fn unnumbered(verb: &str) -> &str {
    let letters = verb.trim_end_matches(|letter: char| letter.is_ascii_digit());
    if letters.is_empty() { verb } else { letters }
}

/// The number in the name of a function, behind a comma; empty if it has none.
fn number(name: &str) -> String {
    let verb = name.split(' ').next().unwrap_or_default();
    let digits = &verb[unnumbered(verb).len()..];
    if digits.is_empty() { String::new() } else { format!(", {digits}") }
}

/// Number of steps at the beginning that two functions share.
fn steps_in_common(one: &Dmf, other: &Dmf) -> usize {
    let same = |(a, b): &(&DmfStep, &DmfStep)| a.action == b.action && touched(one, a) == touched(other, b);
    one.steps.iter().zip(&other.steps).take_while(same).count()
}

fn touched<'d>(dmf: &'d Dmf, step: &DmfStep) -> Option<&'d SpecSelector> {
    Some(&dmf.widget(step.widget.as_deref()?)?.selector)
}

/// What a step is done with.
fn step_words(dmf: &Dmf, step: &DmfStep) -> String {
    let named = step.widget.as_deref().and_then(|name| dmf.widget(name));
    let named = named.filter(|it| matches!(it.selector.text, TextPattern::Any | TextPattern::Is(_)));
    match (step.action, named) {
        (Action::Click | Action::Edit, Some(widget)) => widget_words(widget, dmf),
        (Action::LongClick, _) => "a long press".to_owned(),
        (Action::Click, None) => "a tap".to_owned(),
        (Action::Back, _) => "Back".to_owned(),
        (Action::ImeAction, _) => "the keyboard".to_owned(),
        _ => "another step".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DmfKind, Input, NamedSelector};

    #[test]
    fn functions_are_called_as_people_do() {
        for (name, words) in [
            ("edit1 folder", "Edit a folder"),
            ("search note", "Search for a note"),
            ("add activity", "Add an activity"),
            ("add shopping_list item", "Add a shopping list item"),
            ("edit_mood playlist", "Edit mood playlist"),
            ("delete all notes", "Delete all notes"),
            ("sort images", "Sort images"),
            ("test_search_bug", "Test search bug"),
            ("undo2", "Undo"),
            ("42", "42"),
        ] {
            assert_eq!(function_words(name), words, "{name}");
        }
    }

    #[test]
    fn what_tells_functions_apart_is_the_first_step_that_others_do_not_have() {
        let tap = |text: &str| (Action::Click, TextPattern::Is(text.to_owned()));
        let of = |name: &str, steps: Vec<(Action, TextPattern)>| {
            let mut dmf = Dmf::empty(name, DmfKind::Update, "note");
            for (at, (action, text)) in steps.into_iter().enumerate() {
                let name = format!("e{at}_widget");
                let selector = SpecSelector { text, ..SpecSelector::default() };
                dmf.widgets.push(NamedSelector { name: name.clone(), layout: at, selector });
                dmf.steps.push(DmfStep { action, widget: Some(name), input: Input::None, required: true });
            }
            dmf
        };
        let row = TextPattern::Existing("note".to_owned());
        let all = [
            of("restore note", vec![tap("Menu"), tap("Archive")]),
            of("restore1 note", vec![tap("Menu"), tap("Trash")]),
            of("restore2 note", vec![tap("Menu"), tap("Trash")]),
            of("edit note", vec![(Action::LongClick, row.clone())]),
            of("edit1 note", vec![(Action::Click, row)]),
            of("view note", vec![tap("Menu")]),
        ];
        let words: Vec<String> = all.iter().map(|dmf| distinct_function_words(dmf, &all)).collect();
        assert_eq!(
            words,
            [
                "Restore a note by “Archive”",
                "Restore a note by “Trash”, 1",
                "Restore a note by “Trash”, 2",
                "Edit a note by a long press",
                "Edit a note by a tap",
                "View a note",
            ]
        );
    }
}
