//! Texts of the app under test as text of each format. Whatever the app says stays what it says: it is
//! escaped here and nowhere else.

/// Without characters that XML forbids and terminals and browsers act upon; those show as `U+FFFD`. Line feeds
/// and tabs stay.
pub fn printable(text: &str) -> String {
    let allowed = |c: char| match c {
        '\n' | '\t' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        c => !c.is_control(),
    };
    text.chars().map(|c| if allowed(c) { c } else { '\u{fffd}' }).collect()
}

/// On one line, for comments and headings: nothing ends the line early, nothing turns its direction.
pub fn comment(text: &str) -> String {
    let harmless = |c: char| match c {
        '\u{2028}' | '\u{2029}' => false,
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => false,
        c => !c.is_control(),
    };
    text.chars().map(|c| if harmless(c) { c } else { ' ' }).collect()
}

/// A word of a POSIX shell: quoted, where it has to be.
pub fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=@%+".contains(c);
    if !text.is_empty() && text.chars().all(plain) { text.to_owned() } else { shell_quoted(text) }
}

/// A text in single quotes of a POSIX shell, where nothing but the quote itself means anything.
pub fn shell_quoted(text: &str) -> String {
    // A shell cannot hold NUL in a word at all.
    format!("'{}'", text.replace('\0', "").replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stay_texts() {
        assert_eq!(printable("a\0b\u{1b}[31m\n\u{ffff}"), "a\u{fffd}b\u{fffd}[31m\n\u{fffd}");
        assert_eq!(comment("a\nb\u{2028}c\u{202e}d"), "a b c d");
        assert_eq!(shell_word("a-b/c.json"), "a-b/c.json");
        assert_eq!(shell_word("it's"), "'it'\\''s'");
        assert_eq!(shell_word(""), "''");
    }
}
