//! How alike two names or labels are: words that apps use for the same thing count as one.

use std::collections::BTreeMap;

use crate::ratio;

/// Words that Android apps use for one another. The first of each line stands for all.
const SAME: [&[&str]; 25] = [
    &["new", "add", "create", "make", "compose", "fab", "plus", "another"],
    &["save", "store", "done", "apply", "confirm", "keep", "submit", "finish", "ok"],
    &["delete", "remove", "erase", "trash", "bin", "discard", "clear", "throw"],
    &["edit", "change", "modify", "rename", "update"],
    &["search", "find", "query", "lookup", "look", "filter"],
    &["undo", "restore", "recover", "revert"],
    &["settings", "preferences", "options", "setup", "config"],
    &["sort", "order", "arrange"],
    &["menu", "more", "overflow", "actions"],
    &["next", "forward", "continue", "proceed", "go"],
    &["cancel", "close", "dismiss"],
    &["star", "favourite", "favorite", "bookmark", "favourites", "favorites", "starred"],
    &["title", "name", "heading", "headline", "label", "caption", "header"],
    &["list", "items", "entries", "recycler"],
    &["play", "listen", "start"],
    &["block", "ban", "mute"],
    &["history", "recent", "recently"],
    &["up", "navigate", "back"],
    &["choose", "select", "pick"],
    &["refresh", "reload"],
    &["reset", "default", "defaults"],
    &["value", "content", "detail", "details"],
    &["field", "input", "text", "edittext"],
    &["result", "match", "found"],
    &["count", "total", "number"],
];

/// Words that say nothing about a widget.
const EMPTY: [&str; 8] = ["a", "an", "the", "of", "it", "to", "btn", "button"];

/// How often each word stands in the names of a screen: one that all share tells little.
#[derive(Clone, Debug, Default)]
pub struct CommonWords(BTreeMap<String, usize>);

impl CommonWords {
    /// The words of these names.
    pub fn of<'n>(names: impl Iterator<Item = &'n str>) -> CommonWords {
        let mut counts = BTreeMap::new();
        for name in names {
            let mut words = meanings(name);
            words.sort_unstable();
            words.dedup();
            words.into_iter().for_each(|word| *counts.entry(word).or_default() += 1);
        }
        CommonWords(counts)
    }

    fn weight(&self, word: &str) -> f64 {
        1.0 / self.0.get(word).copied().unwrap_or(1).max(1) as f64
    }
}

/// The words of an id or a label, in small letters, each by the one that stands for all of its meaning.
pub fn meanings(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut small_before = false;
    for c in text.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && small_before) {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        small_before = c.is_lowercase() || c.is_numeric();
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    let telling = words.iter().any(|word| !EMPTY.contains(&word.as_str()));
    words.retain(|word| !telling || !EMPTY.contains(&word.as_str()));
    words.into_iter().map(|word| meaning(&word)).collect()
}

fn meaning(word: &str) -> String {
    let group = SAME.iter().find(|group| group.contains(&word));
    group.and_then(|group| group.first()).map_or(word, |first| first).to_owned()
}

/// How alike two names are, from 0 to 1: the weight of the words that they have in common, or else how alike their
/// letters are.
pub fn names_alike(one: &str, other: &str, commons: &CommonWords) -> f64 {
    /// Letters in common say less than words do.
    const LETTERS: f64 = 0.5;
    if one == other {
        return 1.0;
    }
    let (ours, mut theirs) = (meanings(one), meanings(other));
    let sum = |words: &[String]| words.iter().map(|word| commons.weight(word)).sum::<f64>();
    let all = sum(&ours) + sum(&theirs);
    let mut common = 0.0;
    for word in &ours {
        if let Some(place) = theirs.iter().position(|it| it == word) {
            common += 2.0 * commons.weight(&theirs.swap_remove(place));
        }
    }
    let by_words = if all > 0.0 { common / all } else { 0.0 };
    by_words.max(LETTERS * ratio(&one.to_lowercase(), &other.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_one_meaning_count_as_one() {
        assert_eq!(meanings("recipeRowMenu"), ["recipe", "row", "menu"]);
        assert_eq!(meanings("btn_add_recipe"), ["new", "recipe"]);
        let none = CommonWords::default();
        assert_eq!(names_alike("recipe_new", "recipe_create", &none), 1.0);
        assert_eq!(names_alike("recipe_title", "titleRecipe", &none), 1.0);
        assert!(
            names_alike("New recipe", "Add a recipe", &none)
                > names_alike("New recipe", "Sort recipes", &none)
        );
    }

    #[test]
    fn a_word_that_all_names_share_tells_little() {
        let names = ["recipe_new", "recipe_sort", "recipe_search", "recipe_menu"];
        let commons = CommonWords::of(names.into_iter());
        assert!(names_alike("recipe_new", "recipe_zeta", &commons) < 0.5);
        assert!(names_alike("recipe_new", "add", &commons) > 0.8);
    }
}
