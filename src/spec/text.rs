//! Pseudo-random texts for a DMF's `random` inputs and for exploration.
//!
//! Several published bugs depend on `?`, on symbols or on letter case, hence the classes. The classes that a field may
//! draw from are specified per step; texts that apps legitimately trim or change are never drawn by default.

use super::{DataModel, Dmf, FreshText, Input, TextClass};
use taproof_screen::determinism::Rng;
use taproof_screen::{DrawnText, is_visible};

/// The classes that `random` draws from by default: letters, digits and symbols, as in PBFDroid's paper, about as often as
/// there. Its texts have one to five characters, so that they often repeat or contain each other by chance; ours are longer,
/// so that they hardly ever do, and are drawn on purpose instead.
pub const DEFAULT_CLASSES: &[(TextClass, u32)] = &[
    (TextClass::Plain, 4),
    (TextClass::Digits, 1),
    (TextClass::Symbols, 2),
    (TextClass::OtherCase, 3),
    (TextClass::Extending, 1),
    (TextClass::Removed, 1),
];

/// Texts that no app has a reason to refuse, for what only leads to a function.
pub const PLAIN_CLASSES: &[(TextClass, u32)] = &[(TextClass::Plain, 4), (TextClass::Digits, 1)];

/// Number of draws from a class before it counts as exhausted.
const TRIES: usize = 32;

const LOWER: &[u8] = b"abcdefghijklmnopqrstuvwxyz";
const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS: &[u8] = b"0123456789";
const MIXED: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyz,.!?";
/// Symbols that several published bugs depend on.
const FAVOURED_SYMBOLS: &[u8] = b"?#";
const SYMBOLS: &[u8] = b"?#!&%+-=@$^~_*,.;:'\"()[]{}|";
const EMOJI: &[&str] = &["🙂", "🎉", "🚀", "❤️", "👩‍👧", "🇪🇺", "🍎"];
const RIGHT_TO_LEFT: &[&str] = &["שלום", "מחר", "ספר", "مرحبا", "كتاب", "غدا"];
const CJK: &[&str] = &["日本", "語", "中文", "笔记", "한국", "메모", "ノート"];
const HOSTILE: &[(&str, &str)] = &[
    ("'; DROP TABLE ", ";--"),
    ("\" OR 1=1 --", ""),
    ("<b>", "</b>"),
    ("<script>alert('", "')</script>"),
    ("../", ""),
    ("/sdcard/", "/"),
    ("..\\", ".txt"),
    ("%s%n", "%00"),
    ("&amp;", "&lt;"),
    ("${", "}"),
];
const CITIES: &[&str] = &["Berlin", "Lagos", "Lima", "Oslo", "Shanghai"];
const HOSTS: &[&str] = &["www.example.com", "www.example.org"];

/// Generates a text for a `random` input, with the class from which it was drawn. Whatever the class, it is visible and
/// differs from every object of the type, except for the class `Existing`. If the data have no material for a class,
/// the input's other classes are used; `None` if they have none for any class. `data_type` is the DMF's own; the input
/// may name another.
pub fn generate(fresh: &FreshText, data_type: &str, data: &DataModel, rng: &mut Rng) -> Option<DrawnText> {
    let data_type = fresh.data_type.as_deref().unwrap_or(data_type);
    let mut classes = classes_of(fresh).to_vec();
    loop {
        let weights: Vec<u32> = classes.iter().map(|(_, weight)| *weight).collect();
        let (class, _) = classes.remove(rng.weighted(&weights)?);
        for _ in 0..TRIES {
            let Some(text) = draw(class, data_type, data, rng) else { break };
            if fits(class, &text, data_type, data) {
                return Some(DrawnText { text, class: Some(class) });
            }
        }
    }
}

/// Index of the first step of a DMF that needs a text which cannot be generated from these data, because there is
/// nothing yet that it could repeat. `None` if there is no such step.
pub fn step_without_text(dmf: &Dmf, data: &DataModel) -> Option<usize> {
    dmf.steps.iter().position(|step| match &step.input {
        Input::Fresh(fresh) if step.required => {
            let data_type = fresh.data_type.as_deref().unwrap_or(&dmf.data_type);
            let mut classes = classes_of(fresh).iter().filter(|(_, weight)| *weight > 0);
            !classes.any(|(class, _)| has_material(*class, data_type, data))
        }
        Input::None | Input::Literal(_) | Input::Existing(_) | Input::Fresh(_) => false,
    })
}

fn has_material(class: TextClass, data_type: &str, data: &DataModel) -> bool {
    let mut objects = data.objects(data_type).iter().filter(|object| is_visible(object));
    match class {
        TextClass::Existing | TextClass::Extending => objects.next().is_some(),
        TextClass::OtherCase => objects.any(|object| object.bytes().any(|byte| byte.is_ascii_alphabetic())),
        TextClass::Removed => data.removed(data_type).any(is_visible),
        _ => true,
    }
}

/// The classes that an input may be drawn from.
fn classes_of(fresh: &FreshText) -> &[(TextClass, u32)] {
    if fresh.classes.is_empty() { DEFAULT_CLASSES } else { &fresh.classes }
}

/// A text that exploration types into a field: one of nine styles, equally likely (`engine/pbfdroid/paper.md`, section
/// 4.6).
pub fn exploration_text(rng: &mut Rng) -> String {
    let length = rng.between(1, 5);
    match rng.below(9) {
        0 => some(DIGITS, length, rng),
        1 => some(LETTERS, length, rng),
        2 => some(MIXED, length, rng),
        3 => pick(CITIES, rng).to_owned(),
        4 => some(LETTERS, 1, rng),
        5 => some(DIGITS, 1, rng),
        6 => pick(HOSTS, rng).to_owned(),
        7 => "10086".to_owned(),
        _ => format!("{} {}", one(LETTERS, rng), one(LETTERS, rng)),
    }
}

/// The class from which `generate` could have drawn a text that a person or another engine typed; `None` if there is
/// none. Of several, one that relates the text to an object is preferred, since the test may depend on that; `Plain`
/// comes last, since texts of other classes are plain as well.
pub fn class_of(fresh: &FreshText, data_type: &str, data: &DataModel, text: &str) -> Option<TextClass> {
    let data_type = fresh.data_type.as_deref().unwrap_or(data_type);
    let fits = |class: &TextClass| fits(*class, text, data_type, data);
    let classes = classes_of(fresh).iter().filter(|(_, weight)| *weight > 0).map(|(class, _)| *class);
    classes.filter(fits).min_by_key(|class| (!class.repeats(), *class == TextClass::Plain))
}

/// Whether a text still belongs to the class from which it was drawn, with these data. If its class is unknown, whether
/// `generate` could draw it.
pub fn still_means(fresh: &FreshText, data_type: &str, data: &DataModel, drawn: &DrawnText) -> bool {
    match drawn.class {
        Some(class) => {
            let data_type = fresh.data_type.as_deref().unwrap_or(data_type);
            fits(class, &drawn.text, data_type, data)
        }
        None => class_of(fresh, data_type, data, &drawn.text).is_some(),
    }
}

fn fits(class: TextClass, text: &str, data_type: &str, data: &DataModel) -> bool {
    is_visible(text)
        && is_of(class, text, data_type, data)
        && (class == TextClass::Existing || is_new(class, text, data_type, data))
}

/// Whether a text has the characteristics of the class.
fn is_of(class: TextClass, text: &str, data_type: &str, data: &DataModel) -> bool {
    let objects = data.objects(data_type);
    let trimmed = !text.is_empty() && text.trim() == text;
    match class {
        TextClass::Plain => text.len() >= 2 && text.chars().all(|c| c.is_ascii_alphanumeric()),
        TextClass::Digits => text.len() >= 5 && text.chars().all(|c| c.is_ascii_digit()),
        TextClass::Existing => data.holds(data_type, text),
        TextClass::OtherCase => objects.iter().any(|object| object.eq_ignore_ascii_case(text)),
        TextClass::Extending => {
            trimmed && objects.iter().any(|object| object.contains(text) || text.contains(object.as_str()))
        }
        TextClass::Removed => data.removed(data_type).any(|gone| gone == text),
        TextClass::Symbols => trimmed && text.bytes().any(|byte| SYMBOLS.contains(&byte)),
        TextClass::BlankEdges => !text.trim().is_empty() && text.trim() != text,
        TextClass::Long => trimmed && text.len() >= 80,
        TextClass::Unicode => trimmed && !text.is_ascii(),
        TextClass::Hostile => {
            HOSTILE.iter().any(|(before, after)| text.starts_with(before) && text.ends_with(after))
        }
    }
}

/// Whether a text is new. One that the app holds or may hold never is. A plain text must also lack the characteristics
/// of the special classes: otherwise a finding could not be distinguished from one that needs them.
fn is_new(class: TextClass, text: &str, data_type: &str, data: &DataModel) -> bool {
    if data.is_uncertain(data_type, text) {
        return false;
    }
    if class != TextClass::Plain && class != TextClass::Digits {
        return !data.holds(data_type, text);
    }
    let folded = text.to_lowercase();
    let related = |object: &str| {
        let object = object.to_lowercase();
        object.contains(&folded) || folded.contains(&object)
    };
    let held = data.objects(data_type).iter().map(String::as_str);
    !held.chain(data.uncertain(data_type)).any(related)
        && !data.removed(data_type).any(|gone| gone.eq_ignore_ascii_case(text))
}

fn draw(class: TextClass, data_type: &str, data: &DataModel, rng: &mut Rng) -> Option<String> {
    let objects = data.objects(data_type);
    match class {
        TextClass::Plain => Some(plain(rng)),
        TextClass::Existing => rng.pick(objects).cloned(),
        TextClass::OtherCase => other_case(rng.pick(objects)?, rng),
        TextClass::Extending => Some(extending(rng.pick(objects)?, rng)),
        TextClass::Removed => {
            let count = data.removed(data_type).count();
            data.removed(data_type).nth(rng.below(count)).map(str::to_owned)
        }
        TextClass::Symbols => Some(with_symbols(rng)),
        TextClass::BlankEdges => Some(match rng.below(3) {
            0 => format!(" {}", plain(rng)),
            1 => format!("{} ", plain(rng)),
            _ => format!("  {}  ", plain(rng)),
        }),
        TextClass::Long => {
            let length = rng.between(80, 240);
            Some(some(LOWER, length, rng))
        }
        // Five or more digits: shorter numbers are counters, dates and years that a screen shows anyway.
        TextClass::Digits => {
            let rest = rng.between(4, 6);
            Some(format!("{}{}", one(&DIGITS[1..], rng), some(DIGITS, rest, rng)))
        }
        TextClass::Unicode => {
            let words = *rng.pick(&[EMOJI, RIGHT_TO_LEFT, CJK])?;
            let (first, second) = (pick(words, rng), pick(words, rng));
            Some(format!("{first}{second}{}", some(DIGITS, 2, rng)))
        }
        TextClass::Hostile => {
            let (before, after) = *rng.pick(HOSTILE)?;
            Some(format!("{before}{}{after}", plain(rng)))
        }
    }
}

/// Letters followed by digits, such as `kuhr7`, since no word of an app's own screens looks like that.
fn plain(rng: &mut Rng) -> String {
    let (letters, digits) = (rng.between(3, 6), rng.between(1, 2));
    let mut text = some(LOWER, letters, rng);
    if rng.chance(1, 3)
        && let Some(first) = text.get_mut(..1)
    {
        first.make_ascii_uppercase();
    }
    text + &some(DIGITS, digits, rng)
}

fn other_case(object: &str, rng: &mut Rng) -> Option<String> {
    let flip = |letter: char| {
        if letter.is_ascii_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
    };
    let letters: Vec<usize> =
        object.char_indices().filter(|(_, letter)| letter.is_ascii_alphabetic()).map(|(at, _)| at).collect();
    let chosen = *rng.pick(&letters)?;
    let all = rng.chance(1, 2);
    Some(object.char_indices().map(|(at, c)| if all || at == chosen { flip(c) } else { c }).collect())
}

/// Extends the object at its end or its start, or takes a part of it.
fn extending(object: &str, rng: &mut Rng) -> String {
    let letters: Vec<char> = object.trim().chars().collect();
    let more = rng.between(1, 3);
    match rng.below(4) {
        0 => format!("{object}{}", some(LOWER, more, rng)),
        1 => format!("{}{object}", some(LOWER, more, rng)),
        _ if letters.len() < 2 => format!("{object}{}", some(DIGITS, more, rng)),
        _ => {
            let length = rng.between(1, letters.len() - 1);
            // The first letters are what apps compare names by, if they do not compare all.
            let start = if rng.chance(1, 2) { 0 } else { rng.between(0, letters.len() - length) };
            let part: String = letters.iter().skip(start).take(length).collect();
            if part.trim().is_empty() { letters.iter().take(1).collect() } else { part.trim().to_owned() }
        }
    }
}

fn with_symbols(rng: &mut Rng) -> String {
    let before = rng.between(1, 3);
    let mut text = some(LOWER, before, rng);
    for _ in 0..rng.between(1, 2) {
        let symbols = if rng.chance(2, 5) { FAVOURED_SYMBOLS } else { SYMBOLS };
        text.push(one(symbols, rng));
        let between = rng.between(1, 2);
        text += &some(LOWER, between, rng);
    }
    text.push(one(DIGITS, rng));
    text
}

fn one(alphabet: &[u8], rng: &mut Rng) -> char {
    rng.pick(alphabet).map_or('x', |byte| char::from(*byte))
}

fn some(alphabet: &[u8], length: usize, rng: &mut Rng) -> String {
    (0..length).map(|_| one(alphabet, rng)).collect()
}

fn pick<'a>(words: &[&'a str], rng: &mut Rng) -> &'a str {
    rng.pick(words).copied().unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, DmfKind, DmfStep, ImpactOp};

    fn notes(objects: &[&str]) -> DataModel {
        let mut data = DataModel::new();
        for object in objects {
            data.apply("note", &ImpactOp::Add, object);
        }
        data
    }

    /// Draws 300 texts of one class and looks at each.
    fn each(class: TextClass, data: &DataModel, mut look: impl FnMut(&str)) {
        let mut rng = Rng::from_seed(11);
        let fresh = FreshText { data_type: None, classes: vec![(class, 1)] };
        for _ in 0..300 {
            look(&generate(&fresh, "note", data, &mut rng).unwrap().text);
        }
    }

    #[test]
    fn classes_are_what_they_say() {
        let mut data = notes(&["Ann", "b1 milk"]);
        let held = |text: &str| ["Ann", "b1 milk"].contains(&text);
        each(TextClass::Existing, &data, |text| assert!(held(text)));
        each(TextClass::OtherCase, &data, |text| {
            assert!(!held(text) && ["ann", "b1 milk"].contains(&text.to_lowercase().as_str()), "{text:?}");
        });
        each(TextClass::Extending, &data, |text| {
            let related = ["Ann", "b1 milk"].iter().any(|held| held.contains(text) || text.contains(held));
            assert!(related && !held(text) && text.trim() == text, "{text:?}");
        });
        each(TextClass::BlankEdges, &data, |text| assert_ne!(text.trim(), text));
        each(TextClass::Long, &data, |text| assert!(text.len() >= 80));
        each(TextClass::Unicode, &data, |text| assert!(!text.is_ascii()));
        let mut question_marks = 0;
        each(TextClass::Symbols, &data, |text| question_marks += usize::from(text.contains('?')));
        assert!(question_marks > 30);
        data.apply("note", &ImpactOp::Delete, "Ann");
        each(TextClass::Removed, &data, |text| assert_eq!(text, "Ann"));
    }

    #[test]
    fn what_may_be_there_is_not_new() {
        let mut data = notes(&["Ann"]);
        data.doubt("note", "ANN");
        each(TextClass::OtherCase, &data, |text| assert_ne!(text, "ANN"));
        let plain = DrawnText { text: "xANN1".to_owned(), class: Some(TextClass::Plain) };
        assert!(
            !still_means(&FreshText::default(), "note", &data, &plain),
            "it is related to what may be there"
        );
    }

    #[test]
    fn what_is_drawn_is_known_by_its_class() {
        let mut data = notes(&["Ann", "b1 milk", "gone"]);
        data.apply("note", &ImpactOp::Delete, "gone");
        for class in TextClass::ALL {
            let fresh = FreshText { data_type: None, classes: vec![(class, 1)] };
            let known = |text: &str| class_of(&fresh, "note", &data, text);
            each(class, &data, |text| assert_eq!(known(text), Some(class), "{text:?}"));
            assert!(known("").is_none() && known(" ").is_none() && known("\u{200b}").is_none(), "{class:?}");
        }
        assert_eq!(class_of(&FreshText::default(), "note", &data, "Ann"), None);
    }

    #[test]
    fn what_a_text_means_depends_on_what_is_there() {
        let fresh =
            FreshText { data_type: None, classes: vec![(TextClass::Plain, 3), (TextClass::OtherCase, 1)] };
        let means = |text: &str, class, objects: &[&str]| {
            let drawn = DrawnText { text: text.to_owned(), class };
            still_means(&fresh, "note", &notes(objects), &drawn)
        };
        assert!(means("ANN1", Some(TextClass::OtherCase), &["ann1"]));
        assert!(!means("ANN1", Some(TextClass::OtherCase), &["bob2"]), "plain, but it was not drawn as that");
        assert!(means("bob2", Some(TextClass::Plain), &["ann1"]));
        assert!(!means("ann12", Some(TextClass::Plain), &["ann1"]), "it is related now");
        assert!(means("ANN1", None, &["bob2"]), "nobody noted what it was drawn as");
        assert!(!means("ann1", None, &["ann1"]));
        assert_eq!(class_of(&fresh, "note", &notes(&["ann1"]), "ANN1"), Some(TextClass::OtherCase));
        assert_eq!(class_of(&fresh, "note", &notes(&["ann1"]), "bob2"), Some(TextClass::Plain));
    }

    #[test]
    fn defaults_have_symbols_and_names_much_alike_but_no_blank_edges() {
        let mut data = notes(&["1", "a", "Ann", "gone"]);
        data.apply("note", &ImpactOp::Delete, "gone");
        let mut rng = Rng::from_seed(5);
        let mut drawn = Vec::new();
        for _ in 0..2000 {
            let text = generate(&FreshText::default(), "note", &data, &mut rng).unwrap();
            assert!(
                text.text.is_ascii() && text.text.trim() == text.text && text.text.len() < 20,
                "{text:?}"
            );
            assert!(!data.holds("note", &text.text));
            drawn.push(text);
        }
        let share = |is_so: fn(&DrawnText) -> bool| drawn.iter().filter(|text| is_so(text)).count();
        assert!((250..420).contains(&share(|drawn| drawn.text.contains(|c: char| c.is_ascii_punctuation()))));
        assert!(share(|drawn| drawn.text.contains('?')) > 80);
        assert!(share(|drawn| drawn.class == Some(TextClass::OtherCase)) > 100);
        assert!(share(|drawn| drawn.text == "gone") > 100);
        let first = generate(&FreshText::default(), "note", &DataModel::new(), &mut rng);
        assert!(first.is_some(), "there is nothing to repeat yet");
    }

    #[test]
    fn plain_texts_are_letters_and_digits() {
        let data = notes(&["1", "a", "Ann"]);
        let mut rng = Rng::from_seed(5);
        for _ in 0..500 {
            let text = generate(&FreshText::plain(), "note", &data, &mut rng).unwrap().text;
            assert!(text.chars().all(|c| c.is_ascii_alphanumeric()) && text.len() >= 4, "{text:?}");
        }
    }

    #[test]
    fn a_class_without_material_is_not_drawn() {
        let drawn = |classes: &[(TextClass, u32)], data: &DataModel| {
            let fresh = FreshText { data_type: None, classes: classes.to_vec() };
            generate(&fresh, "note", data, &mut Rng::from_seed(3))
        };
        for class in TextClass::ALL.into_iter().filter(|class| class.repeats()) {
            assert_eq!(drawn(&[(class, 1)], &DataModel::new()), None);
            let other = drawn(&[(class, 9), (TextClass::Digits, 1)], &DataModel::new());
            assert_eq!(other.unwrap().class, Some(TextClass::Digits), "another of its own classes");
        }
        assert_eq!(drawn(&[(TextClass::OtherCase, 1)], &notes(&["77"])), None);
        assert_eq!(drawn(&[(TextClass::OtherCase, 1)], &notes(&["a", "A"])), None);
        assert_eq!(drawn(&[(TextClass::Plain, 0)], &notes(&["a"])), None);
    }

    #[test]
    fn a_step_without_a_text_is_known_before_it_is_done() {
        let step = |classes: &[TextClass]| DmfStep {
            action: Action::Edit,
            widget: None,
            input: Input::Fresh(FreshText {
                data_type: None,
                classes: classes.iter().map(|class| (*class, 1)).collect(),
            }),
            required: true,
        };
        let steps = vec![step(&[]), step(&[TextClass::Removed])];
        let dmf = Dmf { steps, ..Dmf::empty("search note", DmfKind::Search, "note") };
        let mut data = notes(&["Ann"]);
        assert_eq!(step_without_text(&dmf, &data), Some(1));
        data.apply("note", &ImpactOp::Delete, "Ann");
        assert_eq!(step_without_text(&dmf, &data), None);
        let either = Dmf { steps: vec![step(&[TextClass::Existing, TextClass::Plain])], ..dmf };
        assert_eq!(step_without_text(&either, &DataModel::new()), None);
    }

    #[test]
    fn nobody_draws_what_cannot_be_seen() {
        let data = notes(&["👩\u{200d}👧", " ", "\u{200d}", "a\u{301}"]);
        for class in [TextClass::Existing, TextClass::Extending] {
            each(class, &data, |text| assert!(is_visible(text), "{class:?} {text:?}"));
        }
        let unseen = FreshText { data_type: None, classes: vec![(TextClass::Existing, 1)] };
        assert_eq!(generate(&unseen, "note", &notes(&["\u{200b}"]), &mut Rng::from_seed(1)), None);
        let mut rng = Rng::from_seed(4);
        assert!((0..500).all(|_| is_visible(&exploration_text(&mut rng))));
    }

    #[test]
    fn the_same_seed_gives_the_same_texts() {
        let texts = |seed| {
            let mut rng = Rng::from_seed(seed);
            (0..50).map(|_| exploration_text(&mut rng)).collect::<Vec<_>>()
        };
        assert_eq!(texts(1), texts(1));
        assert_ne!(texts(1), texts(2));
    }
}
