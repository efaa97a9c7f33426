//! Further versions of an app, as its makers might release them: ids are renamed, words are changed, buttons stand
//! elsewhere, a dialog is new. What a version changes is data, drawn from a seed, so it is known which widget of one
//! version is which of another ([`Succession`]).

mod changes;
mod draw;
mod succession;
mod words;

use std::collections::BTreeMap;

use super::schema::Blueprint;
use crate::generate::names::keep;

pub use changes::{Changes, IdStyle, Renaming};
pub use succession::{Counterpart, Succession};

/// The last version that every app has.
pub const LAST_VERSION: u32 = 9;

impl Changes {
    /// The new words by those of the first version, with the nouns of all data types.
    pub(crate) fn words(&self, blueprint: &Blueprint) -> BTreeMap<String, &'static str> {
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
    use crate::word::Word;

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
