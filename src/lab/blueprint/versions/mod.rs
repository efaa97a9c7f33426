//! Further versions of an app, as its makers might release them: ids are renamed, words are changed, buttons stand
//! elsewhere, a dialog is new. What a version changes is data, drawn from a seed, so it is known which widget of one
//! version is which of another ([`Succession`]).

mod draw;
mod succession;
mod words;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::schema::{Blueprint, Word};
use crate::generate::names::keep;

pub use succession::{Counterpart, Succession};

/// The last version that every app has.
pub const LAST_VERSION: u32 = 9;

/// What a version of an app changes in comparison with the first one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Changes {
    /// The name of the first version; `None` for the first version itself.
    pub of: Option<Word>,
    /// Names of parts in resource ids that are new, such as `heading` for `title`.
    pub ids: Vec<Renaming>,
    /// How ids are put together.
    pub id_style: IdStyle,
    /// Words of the app that are new. Those with `{noun}` are for all data types.
    pub words: Vec<Renaming>,
    /// Whether the button that makes an object stands in the toolbar.
    pub new_in_bar: bool,
    /// Whether the search is an entry of the overflow menu.
    pub search_in_menu: bool,
    /// Whether the buttons of toolbars stand in the opposite order.
    pub actions_reversed: bool,
    /// Whether the entries of menus stand in the opposite order.
    pub menus_reversed: bool,
    /// Whether the fields of forms stand in the opposite order.
    pub fields_reversed: bool,
    /// Whether a question comes before the form of a new object.
    pub asks_how: bool,
    /// Whether a dialog says that something was saved.
    pub says_saved: bool,
}

/// A text and what takes its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Renaming {
    /// The text of the first version.
    pub from: Word,
    /// The text of this version.
    pub to: Word,
}

/// How the noun and the part of an id are put together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IdStyle {
    /// `recipe_title`.
    #[default]
    NounFirst,
    /// `title_recipe`.
    PartFirst,
    /// `recipeTitle`.
    Camel,
}

impl Changes {
    /// The id of a part of a widget of a data type, or of all types.
    pub(super) fn id(&self, noun: &str, part: &str) -> String {
        let (name, place) = match part.rsplit_once('_') {
            Some((name, place)) if place.chars().all(|c| c.is_ascii_digit()) => (name, Some(place)),
            _ => (part, None),
        };
        let renamed = self.ids.iter().find(|renaming| renaming.from.0 == name).map_or(name, |it| it.to.0);
        let part = place.map_or_else(|| renamed.to_owned(), |place| format!("{renamed}_{place}"));
        match self.id_style {
            IdStyle::NounFirst => format!("{noun}_{part}"),
            IdStyle::PartFirst => format!("{part}_{noun}"),
            IdStyle::Camel => {
                let words = part.split('_').map(taproof_screen::upper_first);
                format!("{noun}{}", words.collect::<String>())
            }
        }
    }

    /// The buttons of a toolbar in their order.
    pub(super) fn actions<T>(&self, mut actions: Vec<T>) -> Vec<T> {
        if self.actions_reversed {
            actions.reverse();
        }
        actions
    }

    /// The entries of a menu in their order.
    pub(super) fn entries<T>(&self, mut entries: Vec<T>) -> Vec<T> {
        if self.menus_reversed {
            entries.reverse();
        }
        entries
    }

    /// The new words by those of the first version, with the nouns of all data types.
    pub(super) fn words(&self, blueprint: &Blueprint) -> BTreeMap<String, &'static str> {
        let mut words = BTreeMap::new();
        for Renaming { from, to } in &self.words {
            if !from.0.contains('{') {
                words.insert(from.0.to_owned(), to.0);
                continue;
            }
            for kind in &blueprint.types {
                let owner = kind.owner.map_or("", |owner| owner.noun.0);
                let filled = |pattern: &str| {
                    let pattern = pattern.replace("{noun}", kind.noun.0).replace("{plural}", kind.plural.0);
                    pattern.replace("{owner}", owner)
                };
                words.insert(filled(from.0), keep(filled(to.0)));
            }
        }
        words
    }
}

impl Blueprint {
    /// The package that resource ids name: that of the first version.
    pub fn resources(&self) -> String {
        format!("org.taproof.{}", self.changes.of.unwrap_or(self.name))
    }
}

/// The name of a version in a package, such as `cardsv2`; the name itself for the first one.
pub(super) fn versioned(name: &str, version: u32) -> String {
    if version > 1 { format!("{name}v{version}") } else { name.to_owned() }
}

/// Splits the name of a version in commands, such as `cards@2`, or in a package, such as `cardsv2`, into the name of the
/// first version and the number. `None` if the number is none that a version has.
pub(super) fn split_version(name: &str) -> Option<(&str, u32)> {
    let number = |digits: &str| digits.parse().ok().filter(|number| (2..=LAST_VERSION).contains(number));
    if let Some((name, digits)) = name.split_once('@') {
        return Some((name, if digits == "1" { 1 } else { number(digits)? }));
    }
    let in_package = name.rsplit_once('v').filter(|(name, _)| !name.is_empty());
    Some(match in_package.and_then(|(name, digits)| Some((name, number(digits)?))) {
        Some(versioned) => versioned,
        None => (name, 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_put_together_as_the_version_says() {
        let to = |to| Renaming { from: Word("title"), to: Word(to) };
        let mut changes = Changes { ids: vec![to("heading")], ..Changes::default() };
        assert_eq!(changes.id("recipe", "title"), "recipe_heading");
        assert_eq!(changes.id("recipe", "title_2"), "recipe_heading_2");
        changes.id_style = IdStyle::PartFirst;
        assert_eq!(changes.id("recipe", "row_menu"), "row_menu_recipe");
        changes.id_style = IdStyle::Camel;
        assert_eq!(changes.id("recipe", "row_menu"), "recipeRowMenu");
    }

    #[test]
    fn the_number_of_a_version_is_read_from_both_kinds_of_names() {
        assert_eq!(split_version("cards@2"), Some(("cards", 2)));
        assert_eq!(split_version("cards@1"), Some(("cards", 1)));
        assert_eq!(split_version("org.taproof.blueprint7mv3"), Some(("org.taproof.blueprint7m", 3)));
        assert_eq!(split_version("cards"), Some(("cards", 1)));
        assert_eq!(split_version("cards@99"), None);
        assert_eq!(split_version("cards@x"), None);
    }
}
