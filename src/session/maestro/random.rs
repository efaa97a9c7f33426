//! Texts that flows ask to be made up.

use taproof_screen::determinism::Rng;

const PERSONS: [&str; 8] = [
    "Ada Byron",
    "Alan Moore",
    "Grace Hill",
    "Edgar Lang",
    "Mary Stone",
    "Karl Weber",
    "Nora Lind",
    "Omar Reed",
];
const CITIES: [&str; 8] = ["Oslo", "Lima", "Kyoto", "Porto", "Dakar", "Bergen", "Quito", "Graz"];
const COUNTRIES: [&str; 8] =
    ["Norway", "Peru", "Japan", "Portugal", "Senegal", "Chile", "Ecuador", "Austria"];
const COLOURS: [&str; 8] = ["red", "green", "blue", "yellow", "orange", "violet", "black", "white"];

/// What kind of text is made up.
#[derive(Clone, Copy, Debug)]
pub(super) enum Random {
    Text,
    Number,
    Email,
    Person,
    City,
    Country,
    Colour,
}

/// Makes up a text.
pub(super) fn made_up(kind: Random, length: usize, rng: &mut Rng) -> String {
    let mut some = |letters: &[u8], count: usize| -> String {
        let one = |_| rng.pick(letters).map_or('a', |letter| char::from(*letter));
        (0..count).map(one).collect()
    };
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz";
    let names: &[&str] = match kind {
        Random::Text => return some(LETTERS, length),
        // A number that begins with 0 loses it in many a field.
        Random::Number => return some(b"123456789", 1) + &some(b"0123456789", length.saturating_sub(1)),
        Random::Email => return some(LETTERS, 8) + "@example.com",
        Random::Person => &PERSONS,
        Random::City => &CITIES,
        Random::Country => &COUNTRIES,
        Random::Colour => &COLOURS,
    };
    rng.pick(names).map_or(String::new(), |name| (*name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_as_long_as_asked_for_and_the_same_for_the_same_seed() {
        let text = |kind, length| made_up(kind, length, &mut Rng::from_seed(3));
        assert_eq!((text(Random::Text, 5).len(), text(Random::Number, 4).len()), (5, 4));
        assert!(text(Random::Number, 9).parse::<u32>().is_ok());
        assert!(text(Random::Email, 0).ends_with("@example.com"));
        for kind in [Random::Person, Random::City, Random::Country, Random::Colour] {
            assert_eq!((text(kind, 0), text(kind, 0).is_empty()), (text(kind, 0), false));
        }
    }
}
