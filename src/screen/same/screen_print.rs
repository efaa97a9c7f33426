//! Fingerprints of screens: enough to recognise a screen again, and to describe in words how another one differs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Layout, LayoutKey, Same, Text, last_part, one_line};

/// Number of texts that are quoted on each side of a difference; the others are only counted.
const NAMED: usize = 3;

/// A fingerprint of a screen, by which the screen is recognised again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScreenPrint {
    /// `package/class` of the activity in front; empty if unknown.
    pub activity: Text,
    /// The screen's key under [`Same::Exact`].
    #[serde(with = "hexadecimal")]
    pub exact: LayoutKey,
    /// The screen's key under [`Same::Structure`].
    #[serde(with = "hexadecimal")]
    pub structure: LayoutKey,
    /// The text of each widget or, without one, its content description, in document order. Widgets with neither are
    /// left out.
    pub texts: Vec<Text>,
}

/// Serialises a hash as 16 hexadecimal digits.
mod hexadecimal {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::LayoutKey;

    pub fn serialize<S: Serializer>(key: &LayoutKey, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{:016x}", key.0))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<LayoutKey, D::Error> {
        let text = String::deserialize(from)?;
        let number = u64::from_str_radix(&text, 16).map(LayoutKey);
        number
            .map_err(|_| D::Error::custom(format!("{text:?} is no hash of a screen: 16 hexadecimal digits")))
    }
}

words! {
    /// How alike two screens are, the most alike first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Likeness {
        /// The screens are equal under [`Same::Exact`].
        Same = "same",
        /// The screens are only equal under [`Same::Structure`]: the same widgets with other texts, positions,
        /// states or numbers of rows.
        OtherTexts = "other texts",
        /// The screens have different widgets.
        OtherScreen = "another screen",
    }
    /// The likeness in a word or two, for lists.
    pub fn word;
}

impl ScreenPrint {
    /// Returns the fingerprint of a layout.
    pub fn of(layout: &Layout) -> Self {
        let shown = |widget: &crate::Widget| {
            [&widget.text, &widget.content_desc].into_iter().find(|text| !text.is_empty()).cloned()
        };
        ScreenPrint {
            activity: Text::clone(layout.activity()),
            exact: layout.key(Same::Exact),
            structure: layout.key(Same::Structure),
            texts: layout.widgets().iter().filter_map(shown).collect(),
        }
    }

    /// How alike this screen and another one are.
    pub fn likeness(&self, other: &ScreenPrint) -> Likeness {
        if self.exact == other.exact {
            Likeness::Same
        } else if self.structure == other.structure {
            Likeness::OtherTexts
        } else {
            Likeness::OtherScreen
        }
    }

    /// Describes how the screen `seen` differs from this one, for people.
    pub fn difference(&self, seen: &ScreenPrint) -> String {
        if self.likeness(seen) == Likeness::Same {
            return "the screen is the same".to_owned();
        }
        let mut parts = Vec::new();
        if self.activity != seen.activity {
            let names = (last_part(&seen.activity), last_part(&self.activity));
            parts.push(format!("{} instead of {}", names.0, names.1));
        }
        let (missing, new) = (left_over(&self.texts, &seen.texts), left_over(&seen.texts, &self.texts));
        if !missing.is_empty() {
            parts.push(format!("{} not shown", listed(&missing)));
        }
        if !new.is_empty() {
            parts.push(format!("{} shown instead", listed(&new)));
        }
        if parts.is_empty() {
            let what = if self.texts == seen.texts { "places or states differ" } else { "the order differs" };
            parts.push(format!("the same texts, but {what}"));
        }
        parts.join("; ")
    }
}

/// The texts of `all` that occur more often there than in `known`, as often as they are missing.
fn left_over<'t>(all: &'t [Text], known: &[Text]) -> Vec<&'t str> {
    let mut counts: BTreeMap<&Text, usize> = BTreeMap::new();
    for text in known {
        *counts.entry(text).or_default() += 1;
    }
    let mut left = Vec::new();
    for text in all {
        match counts.get_mut(text) {
            Some(count) if *count > 0 => *count -= 1,
            Some(_) | None => left.push(&**text),
        }
    }
    left
}

fn listed(texts: &[&str]) -> String {
    let mut named: Vec<String> =
        texts.iter().take(NAMED).map(|text| format!("\u{201c}{}\u{201d}", one_line(text))).collect();
    if texts.len() > NAMED {
        named.push(format!("{} more", texts.len() - NAMED));
    }
    named.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout_from;

    fn check(before: &str, after: &str, likeness: Likeness, difference: &str) {
        let (before, after) = (ScreenPrint::of(&layout_from(before)), ScreenPrint::of(&layout_from(after)));
        assert_eq!(before.likeness(&after), likeness);
        assert_eq!(before.difference(&after), difference);
    }

    #[test]
    fn a_screen_is_known_again_and_another_one_is_described() {
        let one = "ListView\n  TextView#row \"a\"\n  TextView#row \"b\"\n";
        check(one, one, Likeness::Same, "the screen is the same");
        check(
            one,
            "ListView\n  TextView#row \"b\"\n  TextView#row \"c\"\n",
            Likeness::OtherTexts,
            "\u{201c}a\u{201d} not shown; \u{201c}c\u{201d} shown instead",
        );
        check(
            one,
            "ListView\n  TextView#row \"b\"\n  TextView#row \"a\"\n",
            Likeness::OtherTexts,
            "the same texts, but the order differs",
        );
        check(
            one,
            "FrameLayout\n  Button \"Crash\"\n",
            Likeness::OtherScreen,
            "\u{201c}a\u{201d}, \u{201c}b\u{201d} not shown; \u{201c}Crash\u{201d} shown instead",
        );
    }
}
