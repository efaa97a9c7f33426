//! File patterns: unquoted `*`, `?` and `[…]`.

use regex::Regex;

use super::Shell;
use crate::files::absolute;

/// A character of a word, and whether it is quoted.
pub(super) type Char = (char, bool);

/// Limit on the matching files; a pattern with more is not expanded.
const MOST: usize = 10_000;

fn is_meta((c, quoted): &Char) -> bool {
    !quoted && matches!(c, '*' | '?' | '[')
}

/// The paths that match a word; empty if it is no pattern or nothing matches.
pub(super) fn paths_of(shell: &Shell<'_>, word: &[Char]) -> Vec<String> {
    if !word.iter().any(is_meta) {
        return Vec::new();
    }
    let from_root = word.first().is_some_and(|(c, _)| *c == '/');
    let mut found = vec![if from_root { "/".to_owned() } else { String::new() }];
    let parts: Vec<&[Char]> = word.split(|(c, _)| *c == '/').filter(|part| !part.is_empty()).collect();
    for part in parts {
        let mut next = Vec::new();
        for folder in &found {
            let text: String = part.iter().map(|(c, _)| *c).collect();
            let names = match part.iter().any(is_meta) {
                true => names_in(shell, folder).into_iter().filter(|name| fits(part, name)).collect(),
                false => vec![text],
            };
            let separator = if folder.is_empty() || folder.ends_with('/') { "" } else { "/" };
            next.extend(names.into_iter().map(|name| format!("{folder}{separator}{name}")));
            if next.len() > MOST {
                return Vec::new();
            }
        }
        found = next;
    }
    let mut state = shell.served.lock();
    found.retain(|path| state.stat_file(&absolute("/", path)).is_ok());
    found.sort();
    found
}

fn names_in(shell: &Shell<'_>, folder: &str) -> Vec<String> {
    let listed = shell.served.lock().list_folder(&absolute("/", folder));
    listed.unwrap_or_default().into_iter().map(|(name, _)| name).collect()
}

/// Whether a name matches a pattern. Hidden names only match a pattern that begins with a dot.
fn fits(pattern: &[Char], name: &str) -> bool {
    let hidden = name.starts_with('.') && pattern.first().is_some_and(|(c, _)| *c != '.');
    !hidden && Regex::new(&expression(pattern)).is_ok_and(|expression| expression.is_match(name))
}

/// The regular expression of a pattern.
fn expression(pattern: &[Char]) -> String {
    let mut text = "(?s)^".to_owned();
    let mut rest = pattern;
    while let Some((first, behind)) = rest.split_first() {
        rest = behind;
        let end = behind.iter().skip(1).position(|(c, _)| *c == ']');
        match (first, end.and_then(|end| behind.split_at_checked(end + 1))) {
            (('*', false), _) => text.push_str(".*"),
            (('?', false), _) => text.push('.'),
            (('[', false), Some((members, after))) => {
                let negated = matches!(members, [('!' | '^', false), _, ..]);
                text.push_str(if negated { "[^" } else { "[" });
                for (c, _) in members.iter().skip(usize::from(negated)) {
                    match c {
                        '-' => text.push('-'),
                        c => text.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
                    }
                }
                text.push(']');
                rest = after.get(1..).unwrap_or_default();
            }
            ((c, _), _) => text.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
        }
    }
    text + "$"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_patterns() {
        let fit = |pattern: &str, name: &str| {
            let pattern: Vec<Char> = pattern.chars().map(|c| (c, false)).collect();
            fits(&pattern, name)
        };
        for (pattern, name) in [
            ("*", "a"),
            ("a*c", "abbc"),
            ("*.xml", "w.xml"),
            ("?", "x"),
            ("[a-c]x", "bx"),
            ("[!a]", "b"),
            ("a**", "a"),
        ] {
            assert!(fit(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("*", ".a"), ("a*c", "abd"), ("?", ""), ("[a-c]", "d"), ("", "a"), ("[", "x")]
        {
            assert!(!fit(pattern, name), "{pattern} {name}");
        }
        assert!(!fits(&[('*', true)], "a"), "a quoted star is a star");
    }
}
