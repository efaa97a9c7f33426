//! What versions of an app change.

use crate::word::Word;
use serde::{Deserialize, Serialize};

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
    pub(crate) fn id(&self, noun: &str, part: &str) -> String {
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
    pub(crate) fn actions<T>(&self, mut actions: Vec<T>) -> Vec<T> {
        if self.actions_reversed {
            actions.reverse();
        }
        actions
    }

    /// The entries of a menu in their order.
    pub(crate) fn entries<T>(&self, mut entries: Vec<T>) -> Vec<T> {
        if self.menus_reversed {
            entries.reverse();
        }
        entries
    }
}
