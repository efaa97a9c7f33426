//! Texts of the app under test as text of each format. Whatever the app says stays what it says: it is
//! escaped here and nowhere else.

use taproof_core::model::is_display_control;

/// Without characters that XML forbids and terminals and browsers act upon; those show as `U+FFFD`. Line feeds
/// and tabs stay.
pub fn printable(text: &str) -> String {
    let allowed = |c: char| match c {
        '\n' | '\t' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        c => !c.is_control(),
    };
    text.replace("\r\n", "\n").chars().map(|c| if allowed(c) { c } else { '\u{fffd}' }).collect()
}

/// On one line, for comments and headings: nothing ends the line early, nothing turns its direction, and no character
/// stands there that YAML forbids even in a comment.
pub fn comment(text: &str) -> String {
    let harmless = |c: char| !is_display_control(c) && !matches!(c, '\u{feff}' | '\u{fffe}' | '\u{ffff}');
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

/// A string literal of python, in ASCII and on one line.
pub fn python_literal(text: &str) -> String {
    let mut literal = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            ' '..='~' => literal.push(c),
            c if u32::from(c) <= 0xff => literal.push_str(&format!("\\x{:02x}", u32::from(c))),
            c if u32::from(c) <= 0xffff => literal.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => literal.push_str(&format!("\\U{:08x}", u32::from(c))),
        }
    }
    literal.push('"');
    literal
}

/// A double-quoted scalar of YAML, in ASCII and on one line.
pub fn yaml_quoted(text: &str) -> String {
    // YAML's escapes of code points are python's, and so are those of the quote and the backslash.
    python_literal(text)
}

/// A regular expression that matches this text and no other, as Maestro's selectors take it.
pub fn regex_of(text: &str) -> String {
    let mut regex = String::new();
    for c in text.chars() {
        if "\\.^$|?*+()[]{}".contains(c) {
            regex.push('\\');
        }
        regex.push(c);
    }
    regex
}

/// A text for Maestro's commands, whose `${...}` would be run as JavaScript: a backslash before it keeps it as
/// it is. Maestro takes the backslash away only where the brace is closed before the next dollar.
pub fn without_scripts(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        let (before, from) = rest.split_at(at);
        let inside = from.get(2..).unwrap_or("");
        let until_dollar = inside.split('$').next().unwrap_or("");
        kept.push_str(before);
        if until_dollar.contains('}') {
            kept.push('\\');
        }
        kept.push_str("${");
        rest = inside;
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stay_texts() {
        assert_eq!(printable("a\0b\u{1b}[31m\n\u{ffff}"), "a\u{fffd}b\u{fffd}[31m\n\u{fffd}");
        assert_eq!(comment("a\nb\u{2028}c\u{202e}d"), "a b c d");
        assert_eq!(comment("a\u{fffe}b\u{ffff}c\u{feff}d\u{85}e"), "a b c d e");
        assert_eq!(shell_word("a-b/c.json"), "a-b/c.json");
        assert_eq!(shell_word("it's"), "'it'\\''s'");
        assert_eq!(shell_word(""), "''");
        assert_eq!(
            python_literal("a\"\\\n\u{2028}\u{1f600}\u{7f}"),
            "\"a\\\"\\\\\\n\\u2028\\U0001f600\\x7f\""
        );
        assert_eq!(regex_of("a.b(c)${d}"), "a\\.b\\(c\\)\\$\\{d\\}");
    }

    #[test]
    fn a_dollar_brace_is_kept_from_maestro_where_it_would_look() {
        assert_eq!(without_scripts("a${b}c"), "a\\${b}c");
        assert_eq!(without_scripts("a${b"), "a${b");
        assert_eq!(without_scripts("${a$b}"), "${a$b}");
        assert_eq!(without_scripts("${a${b}"), "${a\\${b}");
        assert_eq!(without_scripts("{{x}} $5"), "{{x}} $5");
    }
}
