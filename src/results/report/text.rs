//! Texts of the app under test in each format. They are escaped here and nowhere else.

use crate::shell::comment;

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

/// A text in Markdown, on one line: no character of it has a meaning there, nor as HTML, nor in a table.
pub fn markdown(text: &str) -> String {
    let mut inert = String::new();
    let text = comment(text);
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            '&' => inert.push_str("&amp;"),
            '<' => inert.push_str("&lt;"),
            '>' => inert.push_str("&gt;"),
            // GitHub makes links of `www.` and `http://`, pictures of `:bug:`, and a formula of what is between dollars.
            ':' if letters.peek().is_none_or(|next| *next == ' ') => inert.push(':'),
            '.' if !inert.ends_with(['w', 'W']) => inert.push('.'),
            c if "|\\`*_[]#~@$:.".contains(c) => inert.push_str(&format!("&#{};", u32::from(c))),
            c => inert.push(c),
        }
    }
    inert
}

/// The text of a workflow command of GitHub Actions. Line feeds stay; other control characters are spaces.
pub fn annotation_data(text: &str) -> String {
    let lines: Vec<String> = text.replace('%', "%25").lines().map(comment).collect();
    lines.join("%0A")
}

/// The value of a property of a workflow command, on one line.
pub fn annotation_property(text: &str) -> String {
    annotation_data(&comment(text)).replace(':', "%3A").replace(',', "%2C")
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

/// A double-quoted YAML scalar, in ASCII and on one line.
pub fn yaml_quoted(text: &str) -> String {
    // YAML has the same escapes as Python for code points, quotes and backslashes.
    python_literal(text)
}

/// A regular expression that matches exactly this text, for Maestro's selectors.
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

/// A text for Maestro's commands, which would run `${...}` as JavaScript: a backslash before it prevents this. Maestro
/// only removes the backslash if the brace is closed before the next dollar.
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
    fn a_text_stays_in_its_cell_and_its_annotation() {
        let hostile = "a|b\n# c <img src=x> [l](http://x) @me `x` &amp; \\|\u{1b}[2J";
        let cell = markdown(hostile);
        let risky = |c: char| c.is_control() || "|<>[]`@#*_\\:".contains(c);
        let without_codes = cell.replace("&#", "&");
        assert!(!without_codes.contains(risky), "{cell}");
        assert_eq!(markdown("www.a.b: c:"), "www&#46;a.b: c:");
        assert_eq!(markdown("note 1, \u{fc}"), "note 1, \u{fc}");
        assert_eq!(annotation_data("50 %\na\r\n::error::b\u{1b}[2J"), "50 %25%0Aa%0A::error::b [2J");
        assert_eq!(annotation_property("a: b, c\n::x"), "a%3A b%2C c %3A%3Ax");
    }

    #[test]
    fn texts_stay_texts() {
        assert_eq!(printable("a\0b\u{1b}[31m\n\u{ffff}"), "a\u{fffd}b\u{fffd}[31m\n\u{fffd}");
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
