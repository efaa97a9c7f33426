//! What is typed into a field (paper.md, section 7): a text that fits its type, else a user-defined text, one seen on
//! earlier pages, or nothing.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use taproof_screen::determinism::Rng;
use taproof_screen::{Layout, Text, Widget, WidgetFlags, WidgetIdx, is_visible};
use taproof_spec::{UserRules, exploration_text};

use super::choose::unit;
use super::config::RuleSettings;

/// The type of text that a field expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldType {
    Password,
    Mail,
    Phone,
    Number,
    Any,
}

/// Words in ids, hints and descriptions, and the type that they indicate; the first that matches counts.
const WORDS: [(FieldType, &[&str]); 4] = [
    (FieldType::Password, &["password", "passwd", "passcode", "pin"]),
    (FieldType::Mail, &["mail"]),
    (FieldType::Phone, &["phone", "mobile", "telephone", "tel", "fax"]),
    (
        FieldType::Number,
        &["number", "amount", "count", "quantity", "qty", "age", "price", "zip", "year", "port", "digits"],
    ),
];

const DIGITS: &[u8] = b"0123456789";
const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz";

impl FieldType {
    /// Infers the type from class and flags, id, hint and description.
    pub fn of(widget: &Widget) -> FieldType {
        if widget.flags.has(WidgetFlags::PASSWORD) {
            return FieldType::Password;
        }
        let said =
            [widget.short_id().unwrap_or(""), &widget.hint, &widget.content_desc, widget.short_class()];
        let words: Vec<String> = said.into_iter().flat_map(words_of).collect();
        // "Mail" also occurs within longer words.
        let names = |known: &&str| {
            words.iter().any(|word| word == known || (known.len() > 3 && word.contains(*known)))
        };
        let fits = WORDS.iter().find(|(_, known)| known.iter().any(&names));
        fits.map_or(FieldType::Any, |(kind, _)| *kind)
    }

    /// A text of this type; `None` if any text will do.
    fn text(self, rng: &mut Rng) -> Option<String> {
        let some = |letters: &[u8], low: usize, high: usize, rng: &mut Rng| {
            let length = rng.between(low, high);
            (0..length).map(|_| char::from(letters[rng.below(letters.len())])).collect::<String>()
        };
        Some(match self {
            FieldType::Any => return None,
            FieldType::Number => format!("{}{}", rng.between(1, 9), some(DIGITS, 0, 4, rng)),
            FieldType::Phone => format!("+49{}", some(&DIGITS[1..], 7, 10, rng)),
            FieldType::Mail => format!("{}@example.com", some(LETTERS, 3, 8, rng)),
            // Many password rules require a capital letter, a digit and a special character.
            FieldType::Password => format!("K{}7!", some(LETTERS, 6, 9, rng)),
        })
    }
}

/// The words of a name or a sentence, in lower case: `userEmail_2` has three.
fn words_of(said: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut small = false;
    for letter in said.chars() {
        let begins = !letter.is_alphabetic() || (letter.is_uppercase() && small);
        small = letter.is_lowercase();
        if begins && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphabetic()) {
            word.extend(letter.to_lowercase());
        }
    }
    words
}

/// Below this draw one of the rules' fuzzing texts is typed, if there are any (the published program's, as are the other
/// numbers; paper.md, section 7).
const FUZZ_CHANCE: f64 = 0.5;
/// Below this draw a text of an earlier page is typed, else nothing.
const PAGE_CHANCE: f64 = 0.85;
/// Number of texts of earlier pages that are remembered.
const REMEMBERED: usize = 300;
/// Maximum length of a text in characters.
const MAX_CHARS: usize = 999;

/// What is remembered for typing.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct TypingMemory {
    /// Texts of earlier pages, including repeats.
    page_texts: VecDeque<Text>,
    /// The field that was typed into, while it has the focus: the key of its kind, and its index among the fields of
    /// that kind.
    typed: Option<(u64, usize)>,
}

impl TypingMemory {
    /// Adds the texts of a page.
    pub fn see(&mut self, layout: &Layout) {
        let texts = layout.widgets().iter().map(|widget| &widget.text);
        self.page_texts.extend(texts.filter(|text| is_visible(text)).cloned());
        let excess = self.page_texts.len().saturating_sub(REMEMBERED);
        self.page_texts.drain(..excess);
    }

    /// The text to type with a tap on a field, if any. `field` identifies the field.
    pub fn text(
        &mut self,
        layout: &Layout,
        idx: WidgetIdx,
        field: (u64, usize),
        config: &RuleSettings,
        rules: &UserRules,
        rng: &mut Rng,
    ) -> Option<String> {
        let widget = layout.widget(idx);
        let again = self.typed == Some(field) && widget.is_focused_field();
        if again || !config.types || !(widget.text.is_empty() || widget.text == widget.hint) {
            return None;
        }
        let text = self.draw(FieldType::of(widget), config, rules, rng)?;
        self.typed = Some(field);
        Some(text.chars().take(MAX_CHARS).collect())
    }

    fn draw(
        &self,
        field: FieldType,
        config: &RuleSettings,
        rules: &UserRules,
        rng: &mut Rng,
    ) -> Option<String> {
        if config.listed_only && !rules.texts.is_empty() {
            return rng.pick(&rules.texts).cloned();
        }
        if let Some(text) = field.text(rng) {
            return Some(text);
        }
        let draw = unit(rng);
        if draw < FUZZ_CHANCE && !rules.fuzz_texts.is_empty() {
            return rng.pick(&rules.fuzz_texts).cloned();
        }
        if draw >= PAGE_CHANCE {
            return None;
        }
        let seen = self.page_texts.get(rng.below(self.page_texts.len()));
        // Without any candidate, a random text is better than none.
        Some(seen.map_or_else(|| exploration_text(rng), |text| text.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    fn field_type(notation: &str) -> FieldType {
        FieldType::of(layout_from(notation).widget(WidgetIdx(0)))
    }

    #[test]
    fn fields_are_known_by_what_is_said_of_them() {
        for (notation, expected) in [
            ("EditText#userEmail", FieldType::Mail),
            ("EditText#e_mail_address", FieldType::Mail),
            ("EditText (Phone number)", FieldType::Phone),
            ("EditText#tel", FieldType::Phone),
            ("EditText#hotel", FieldType::Any),
            ("EditText#zip_code", FieldType::Number),
            ("EditText#pageName", FieldType::Any),
            ("EditText#new_password", FieldType::Password),
            ("EditText#shipping", FieldType::Any),
            ("EditText#title", FieldType::Any),
        ] {
            assert_eq!(field_type(notation), expected, "{notation}");
        }
    }

    #[test]
    fn a_field_is_typed_into_once_per_focus() {
        let layout = layout_from("EditText#title\n");
        let focused = layout.with_changed(&[WidgetIdx(0)], |widget| {
            widget.flags = widget.flags.with(WidgetFlags::FOCUSED, true);
        });
        let written = layout.with_changed(&[WidgetIdx(0)], |widget| widget.text = Text::from("k7"));
        let rules = UserRules { texts: vec!["\u{1f600}".repeat(MAX_CHARS + 1)], ..UserRules::default() };
        let config = RuleSettings { listed_only: true, ..RuleSettings::of(&rules) };
        let mut rng = Rng::from_seed(1);
        let mut memory = TypingMemory::default();
        let mut typed = |layout: &Layout, memory: &mut TypingMemory| {
            memory.text(layout, WidgetIdx(0), (1, 0), &config, &rules, &mut rng)
        };
        let first = typed(&layout, &mut memory).unwrap();
        assert!(first.chars().count() == MAX_CHARS, "cut by characters, not bytes: {first:?}");
        assert_eq!(typed(&focused, &mut memory), None);
        assert!(typed(&layout, &mut memory).is_some(), "the focus was elsewhere");
        assert_eq!(typed(&written, &mut memory), None, "there is a text");
    }

    #[test]
    fn without_earlier_texts_something_is_typed() {
        let (memory, mut rng) = (TypingMemory::default(), Rng::from_seed(1));
        let rules = UserRules::default();
        let config = RuleSettings::of(&rules);
        let drawn: Vec<Option<String>> =
            (0..1000).map(|_| memory.draw(FieldType::Any, &config, &rules, &mut rng)).collect();
        let nothing = drawn.iter().filter(|text| text.is_none()).count();
        assert!((110..190).contains(&nothing), "{nothing} of 1000");
        let own = UserRules { texts: vec!["mine".into()], ..UserRules::default() };
        let listed = RuleSettings { listed_only: true, ..config.clone() };
        assert_eq!(memory.draw(FieldType::Mail, &listed, &own, &mut rng).as_deref(), Some("mine"));
        let mail = memory.draw(FieldType::Mail, &config, &rules, &mut rng).unwrap();
        assert!(mail.ends_with("@example.com"), "{mail}");
    }

    #[test]
    fn texts_of_pages_are_remembered_up_to_a_number() {
        let mut memory = TypingMemory::default();
        for number in 0..REMEMBERED + 10 {
            memory.see(&layout_from(&format!("TextView \"t{number}\"\n")));
        }
        assert_eq!((memory.page_texts.len(), &*memory.page_texts[0]), (REMEMBERED, "t10"));
    }
}
