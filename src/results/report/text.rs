//! Texts of the app under test in each format. They are escaped here and nowhere else.

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
