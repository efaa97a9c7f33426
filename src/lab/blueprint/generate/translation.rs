//! Apps with translations: what is not made by the user is shown in the language of the phone.
//!
//! The views of an app are made in English. Its own words are static texts in them, which are looked up here; what the
//! user made is not static, so it stays as it is even if it says the same.

use std::collections::{BTreeMap, BTreeSet};

use taproof_screen::upper_first;

use super::dictionary::{Entry, FIXED, LABELS, NOUNS, Noun, PATTERNS};
use super::names::{keep, limited};
use crate::schema::{Blueprint, DataType, Shape, Word};
use taproof_phone::Language;

/// The words of an app in the other languages of the phone.
#[derive(Debug, Default)]
pub(crate) struct Translations {
    /// The words that a later version says instead of those of the first one.
    english: BTreeMap<String, &'static str>,
    german: BTreeMap<String, &'static str>,
    french: BTreeMap<String, &'static str>,
}

impl Translations {
    /// The languages other than that in which apps are written.
    pub const LANGUAGES: [Language; 2] = [Language::German, Language::French];

    /// What follows from a blueprint: no other languages if the app is there in English only.
    pub fn of(blueprint: &Blueprint) -> Translations {
        let english = blueprint.changes.words(blueprint);
        if !blueprint.translated {
            return Translations { english, ..Translations::default() };
        }
        Translations {
            english,
            german: dictionary_of(blueprint, |entry| entry.1, |noun| noun.german),
            french: dictionary_of(blueprint, |entry| entry.2, |noun| noun.french),
        }
    }

    /// The words of an app in all languages that it has: its string resources.
    pub fn strings(&self, blueprint: &Blueprint) -> BTreeSet<String> {
        let english = dictionary_of(blueprint, |entry| entry.0, |noun| [noun.noun; 2]).into_keys();
        let others = [&self.english, &self.german, &self.french].into_iter().flat_map(BTreeMap::values);
        english.chain(others.map(|words| (*words).to_owned())).collect()
    }

    /// Whether anything is said otherwise in a language than the views say it.
    pub fn changes(&self, language: Language) -> bool {
        match language {
            Language::English => !self.english.is_empty(),
            Language::German | Language::French => !self.german.is_empty(),
        }
    }

    /// The words of the first version that this one says otherwise.
    pub fn new_words(&self) -> impl Iterator<Item = &str> {
        self.english.keys().map(String::as_str)
    }

    /// These words as this version says them.
    pub fn said<'w>(&self, words: &'w str) -> &'w str
    where
        'static: 'w,
    {
        self.find(Language::English, words).unwrap_or(words)
    }

    /// These words in a language. `None` if they are the same there, or not known.
    pub fn find(&self, language: Language, words: &str) -> Option<&'static str> {
        match language {
            Language::English => self.english.get(words).copied(),
            Language::German => self.german.get(words).copied(),
            Language::French => self.french.get(words).copied(),
        }
    }
}

/// The English words of an app, each in another language.
fn dictionary_of(
    blueprint: &Blueprint,
    pick: fn(&Entry) -> &'static str,
    nouns: fn(&Noun) -> [&'static str; 2],
) -> BTreeMap<String, &'static str> {
    let mut words: BTreeMap<String, &'static str> = BTreeMap::new();
    words.extend(FIXED.iter().chain(&LABELS).map(|entry| (entry.0.to_owned(), pick(entry))));
    for kind in &blueprint.types {
        let own = OwnWords { blueprint, kind, pick, nouns };
        words.extend(own.all(&words));
    }
    words
}

/// The words in which the nouns and the fields of a data type stand.
struct OwnWords<'b> {
    blueprint: &'b Blueprint,
    kind: &'b DataType,
    pick: fn(&Entry) -> &'static str,
    nouns: fn(&Noun) -> [&'static str; 2],
}

impl OwnWords<'_> {
    /// Singular and plural of a noun in the other language; as they are if it is not known.
    fn nouns_of(&self, noun: Word) -> [&'static str; 2] {
        let known = NOUNS.iter().find(|it| it.noun == noun.0).map(self.nouns);
        let plural =
            || self.blueprint.types.iter().find(|it| it.noun == noun).map_or(noun.0, |it| it.plural.0);
        known.unwrap_or_else(|| [noun.0, plural()])
    }

    fn all(&self, known: &BTreeMap<String, &'static str>) -> Vec<(String, &'static str)> {
        let (kind, owner) = (self.kind, self.kind.owner.map_or(Word(""), |owner| owner.noun));
        let ([noun, plural], [owner_noun, _]) = (self.nouns_of(kind.noun), self.nouns_of(owner));
        let filled = |pattern: &str, noun: &str, plural: &str, owner: &str| {
            pattern.replace("{noun}", noun).replace("{plural}", plural).replace("{owner}", owner)
        };
        let mut words: Vec<(String, &'static str)> = Vec::new();
        for entry in &PATTERNS {
            let english = filled(entry.0, kind.noun.0, kind.plural.0, owner.0);
            words.push((english, keep(filled((self.pick)(entry), noun, plural, owner_noun))));
        }
        let bare = without_article(noun);
        words.push((kind.noun.0.to_owned(), bare));
        words.push((kind.plural.0.to_owned(), plural));
        words.push((upper_first(kind.noun.0), keep(upper_first(bare))));
        words.push((upper_first(kind.plural.0), keep(upper_first(plural))));
        for field in &kind.fields {
            if matches!(field.shape, Shape::Number { .. }) {
                let label = known.get(field.label.0).copied().unwrap_or(field.label.0);
                words.extend([LIMITS, HINT].map(|pattern| {
                    let other = known.get(pattern).copied().unwrap_or(pattern);
                    (limited(pattern, field.label.0, field.shape), keep(limited(other, label, field.shape)))
                }));
            }
        }
        words
    }
}

/// What a form says of limits, and in an empty field for a number.
pub(crate) const LIMITS: &str = "Enter a number from {least} to {most}";
pub(crate) const HINT: &str = "{label} ({least} to {most})";

fn without_article(noun: &'static str) -> &'static str {
    ["le ", "la ", "l'"].iter().find_map(|article| noun.strip_prefix(article)).unwrap_or(noun)
}
