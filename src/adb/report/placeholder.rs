//! What stands for a text that is left out: as many letters, digits and marks, of the same scripts.

use std::collections::BTreeMap;

/// The placeholders of one report. The same word has the same one everywhere, and different words of two letters and more
/// have different ones as long as their length allows, so that lists and focus still name the same things.
#[derive(Debug, Default)]
pub(super) struct Placeholders {
    given: BTreeMap<String, String>,
    /// How many words of a kind have theirs, by the placeholder without its number.
    counts: BTreeMap<String, u32>,
}

impl Placeholders {
    /// A text of which nothing is kept but its shape. References of XML stay.
    pub fn text(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let reference = rest.strip_prefix('&').and_then(|rest| rest.find(';')).filter(|end| *end < 8);
            let end = match reference {
                Some(end) => end + 2,
                None if !first.is_alphanumeric() => first.len_utf8(),
                None => rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len()),
            };
            let (word, behind) = rest.split_at(end);
            match (reference, first.is_alphanumeric()) {
                (Some(_), _) => out.push_str(word),
                (None, true) => out.push_str(&self.word(word)),
                (None, false) => {
                    out.push(if first.is_ascii() || first.is_whitespace() { first } else { shape(first) })
                }
            }
            rest = behind;
        }
        out
    }

    /// The placeholder of a word; dots and other marks in it stay.
    pub fn word(&mut self, word: &str) -> String {
        if let Some(known) = self.given.get(word) {
            return known.clone();
        }
        let shaped: String = word.chars().map(shape).collect();
        let count = self.counts.entry(shaped.clone()).or_default();
        let made = numbered(&shaped, *count);
        *count += 1;
        self.given.insert(word.to_owned(), made.clone());
        made
    }
}

/// Writes a number into the last small Latin letters of a placeholder.
fn numbered(shaped: &str, number: u32) -> String {
    let mut left = number;
    let letters: Vec<char> = shaped.chars().rev().collect();
    let written = letters.into_iter().map(|letter| match letter {
        'x' if left > 0 => {
            let digit = u8::try_from(left % 26).unwrap_or_default();
            left /= 26;
            // From x on, and around.
            char::from(b'a' + (digit + 23) % 26)
        }
        letter => letter,
    });
    written.collect::<Vec<_>>().into_iter().rev().collect()
}

/// A letter of the same script and case, or a mark of the same kind.
fn shape(letter: char) -> char {
    match letter {
        '0'..='9' => '0',
        'A'..='Z' => 'X',
        'a'..='z' => 'x',
        letter if letter.is_ascii() => letter,
        '\u{c0}'..='\u{24f}' if letter.is_uppercase() => '\u{c4}',
        '\u{c0}'..='\u{24f}' => '\u{e4}',
        '\u{370}'..='\u{3ff}' => '\u{3b1}',
        '\u{400}'..='\u{52f}' => '\u{436}',
        '\u{590}'..='\u{5ff}' => '\u{5d0}',
        '\u{600}'..='\u{6ff}' => '\u{627}',
        '\u{900}'..='\u{97f}' => '\u{915}',
        '\u{e00}'..='\u{e7f}' => '\u{e01}',
        '\u{3040}'..='\u{30ff}' => '\u{304b}',
        '\u{ac00}'..='\u{d7af}' => '\u{ac00}',
        '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}' => '\u{5b57}',
        '\u{1f000}'..='\u{1ffff}' => '\u{1f642}',
        letter if letter.is_alphabetic() => '\u{e4}',
        letter if letter.is_numeric() => '0',
        _ => '\u{b7}',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_has_the_shape_of_its_text_and_no_letter_of_it() {
        let mut placeholders = Placeholders::default();
        assert_eq!(placeholders.text("Grüße, 007!"), "Xxääx, 000!");
        assert_eq!(placeholders.text("Привет 你好 😀 &#10;a&amp;b"), "жжжжжж 字字 🙂 &#10;x&amp;y");
        assert_eq!(placeholders.word("com.bank.app"), "xxx.xxxx.xxx");
        assert_eq!(placeholders.word("org.mail.pro"), "xxx.xxxx.xxy");
        assert_eq!(placeholders.word("com.bank.app"), "xxx.xxxx.xxx");
        let many: std::collections::BTreeSet<String> = (0..600)
            .map(|number| {
                placeholders.word(&format!("net.{}", "abcdefgh".repeat(1 + number % 3) + &letters(number)))
            })
            .collect();
        assert!(many.len() > 590, "{}", many.len());
    }

    fn letters(number: usize) -> String {
        [number / 26 % 26, number % 26].map(|digit| char::from(b'a' + digit as u8)).iter().collect()
    }
}
