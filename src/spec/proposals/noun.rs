//! Guesses the noun that a function works on from ids and labels: `folder` from “New folder”.

use std::collections::BTreeMap;

use super::find::Found;
use super::walk::{Kind, Walk};
use crate::DataType;

/// Words for actions and for widgets, which are no nouns of an app's data.
const NO_NOUNS: &str = "\
    about action add alert all allow android app apply archive ask back bar body button cancel card change \
    check choose clear click close com confirm container content continue create current custom date delete deny \
    description design dialog discard done edit editor empty enter fab field find \
    floating for frame from header heading hint icon image input insert label layout list long \
    main make menu message more move name new next now open option org page panel permission property query \
    recycler remove rename result save screen search select set setting \
    share show sort src start sub submit summary text the this time title toolbar type update value view \
    widget with write yes you your";

/// Words for a place in a row or a list. Ids combine them, as in `second_line` or `toprow`.
const PLACES: &str = "bottom first fourth item last left line middle primary right row \
                      second secondary third top";

/// The nouns of the functions found, `item` if there is no hint. Functions on the same rows may have the same noun, so
/// the words of one count for the others as well, but less than their own.
pub(super) fn nouns_of(walk: &Walk<'_>, all: &[Found], known: &[DataType]) -> Vec<DataType> {
    let own: Vec<Spoken> = all.iter().map(|found| spoken_of(walk, found)).collect();
    let mut shared: BTreeMap<&Kind, Spoken> = BTreeMap::new();
    for (found, own) in all.iter().zip(&own) {
        let shared = shared.entry(&found.rows).or_default();
        for (word, weight) in own {
            let most = shared.entry(word.clone()).or_default();
            *most = (*most).max(*weight);
        }
    }
    let noun = |(found, own): (&Found, &Spoken)| {
        let weight = |(word, weight): &(&String, &usize)| {
            **weight + 2 * own.get(*word).unwrap_or(&0) + 4 * usize::from(known.contains(word))
        };
        // Of equal ones the longer, and of these the first.
        let words = shared.get(&found.rows)?.iter().rev();
        words.max_by_key(|entry| (weight(entry), entry.0.len())).map(|(word, _)| word.clone())
    };
    let found = all.iter().zip(&own);
    found.map(|pair| noun(pair).unwrap_or_else(|| "item".to_owned())).collect()
}

/// How strongly each word is connected with a function.
type Spoken = BTreeMap<String, usize>;

fn spoken_of(walk: &Walk<'_>, found: &Found) -> Spoken {
    let mut spoken = Spoken::new();
    let objects: Vec<&String> = [&found.added, &found.removed, &found.sought].into_iter().flatten().collect();
    let mut speak = |text: &str, weight: usize| {
        for word in words(text) {
            *spoken.entry(word).or_default() += weight;
        }
    };
    // The id of the rows is the best hint, then the labels of the touched widgets, then the page.
    speak(found.rows.0.rsplit_once(":id/").map_or("", |(_, name)| name), 3);
    for step in found.steps.clone() {
        let Some(widget) = walk.touched(step) else { continue };
        let is_object = |text: &str| objects.iter().any(|object| text.contains(object.as_str()));
        for text in [&widget.text, &widget.content_desc, &widget.hint] {
            let content = widget.is_text_field() && !std::ptr::eq(text, &widget.hint);
            if !content && !is_object(text) {
                speak(text, 4);
            }
        }
        speak(widget.short_id().unwrap_or(""), 2);
    }
    for layout in found.steps.start..=found.steps.end {
        let Some(layout) = walk.layouts.get(layout) else { continue };
        let class = layout.activity().rsplit('.').next().unwrap_or("");
        let class = class.trim_end_matches("Activity");
        speak(&camel(class), 1);
    }
    spoken
}

/// Splits camel case: `NotesList` to `Notes List`.
fn camel(class: &str) -> String {
    let mut spaced = String::with_capacity(class.len() + 4);
    for letter in class.chars() {
        if letter.is_uppercase() {
            spaced.push(' ');
        }
        spaced.push(letter);
    }
    spaced
}

/// The nouns of a text: in lower case and singular, without words for gestures and widgets.
fn words(text: &str) -> Vec<String> {
    // Longer texts are messages or content.
    const LONGEST: usize = 32;
    if text.chars().count() > LONGEST {
        return Vec::new();
    }
    let split = text.split(|c: char| !c.is_alphanumeric());
    // `text1` is the first of several texts.
    let lower = split.map(|word| word.trim_end_matches(|c: char| c.is_ascii_digit()).to_lowercase());
    let long = lower.filter(|word| word.chars().count() > 2 && !names_no_data(word));
    long.map(singular).filter(|word| !names_no_data(word)).collect()
}

fn names_no_data(word: &str) -> bool {
    // Ids are often the widget's class in lower case.
    let class = ["text", "layout", "button"].iter().any(|class| word.ends_with(class));
    class || NO_NOUNS.split(' ').any(|other| other == word) || names_a_place(word)
}

/// Whether the word is composed of words for places only.
fn names_a_place(word: &str) -> bool {
    PLACES
        .split(' ')
        .any(|place| word.strip_prefix(place).is_some_and(|rest| rest.is_empty() || names_a_place(rest)))
}

fn singular(word: String) -> String {
    match word.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => match word.strip_suffix('s') {
            Some(stem) if !stem.ends_with('s') && stem.len() > 2 => stem.to_owned(),
            Some(_) | None => word,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_are_what_is_left() {
        assert_eq!(words("New folder"), ["folder"]);
        assert_eq!(words("edit_activity_name"), ["activity"]);
        assert_eq!(words(&camel("NotesList")), ["note"]);
        assert_eq!(words("Delete"), Vec::<String>::new());
        assert_eq!(words("toprow second_line thirdrow lineitem"), Vec::<String>::new());
        assert_eq!(words("topic timeline"), ["topic", "timeline"]);
    }
}
