//! Characters that a terminal or an editor interprets instead of showing, and their escapes.

use std::borrow::Cow;

/// Whether a character controls how text is shown: the control characters (C0, DEL, C1), the line and paragraph
/// separators, and the marks and overrides of the writing direction.
pub fn is_display_control(letter: char) -> bool {
    let directs = matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    letter.is_control() || directs || matches!(letter, '\u{2028}' | '\u{2029}')
}

/// Returns the text on one line and safe to print: each display control is escaped as in a Rust literal, such as `\n`
/// or `\u{1b}`. All other characters, including the backslash, stay as they are.
pub fn escape_controls(text: &str) -> Cow<'_, str> {
    if !text.contains(is_display_control) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match is_display_control(letter) {
            true => escaped.extend(letter.escape_default()),
            false => escaped.push(letter),
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_acted_upon_is_written_as_an_escape() {
        let hostile = "\x1b[2J\u{7}\u{9b}31m\u{7f}a\r\n\tb\u{2028}\u{2029}\u{202e}\u{2066}\u{200e}\u{61c}";
        let inert = r"\u{1b}[2J\u{7}\u{9b}31m\u{7f}a\r\n\tb\u{2028}\u{2029}\u{202e}\u{2066}\u{200e}\u{61c}";
        assert_eq!(escape_controls(hostile), inert);
    }

    #[test]
    fn what_is_shown_stays() {
        let harmless = "C:\\a \"q\" é שלום 👩\u{200d}👧 \u{a0}";
        assert!(matches!(escape_controls(harmless), Cow::Borrowed(text) if text == harmless));
    }
}
