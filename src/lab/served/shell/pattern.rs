//! File patterns: unquoted `*`, `?` and `[…]`.

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
    found.retain(|path| state.stat_file(&absolute(&shell.folder, path), false).is_ok());
    found.sort();
    found
}

fn names_in(shell: &Shell<'_>, folder: &str) -> Vec<String> {
    let listed = shell.served.lock().list_folder(&absolute(&shell.folder, folder));
    listed.unwrap_or_default().into_iter().map(|(name, _)| name).collect()
}

/// Whether a name matches a pattern. Hidden names only match a pattern that begins with a dot.
pub(super) fn fits(pattern: &[Char], name: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    if name.first() == Some(&'.') && pattern.first().is_some_and(|(c, _)| *c != '.') {
        return false;
    }
    let (mut at, mut place) = (0, 0);
    // The position of the last star, and the position in the name up to which it has matched.
    let mut star: Option<(usize, usize)> = None;
    loop {
        let step = match (pattern.get(at), name.get(place)) {
            (None, None) => return true,
            (Some(('*', false)), _) => {
                star = Some((at, place));
                at += 1;
                continue;
            }
            (Some(('?', false)), Some(_)) => Some(1),
            (Some(('[', false)), Some(c)) => match set(pattern.get(at..).unwrap_or_default(), *c) {
                Some((length, holds)) => holds.then_some(length),
                None => (*c == '[').then_some(1),
            },
            (Some((wanted, _)), Some(c)) => (wanted == c).then_some(1),
            (Some(_), None) | (None, Some(_)) => None,
        };
        match (step, star) {
            (Some(length), _) => {
                at += length;
                place += 1;
            }
            (None, Some((star_at, taken))) if taken < name.len() => {
                star = Some((star_at, taken + 1));
                at = star_at + 1;
                place = taken + 1;
            }
            (None, _) => return false,
        }
    }
}

/// The length of the set at the beginning of a pattern, and whether it contains the character; `None` if the set is
/// unterminated.
fn set(pattern: &[Char], c: char) -> Option<(usize, bool)> {
    let negated = matches!(pattern.get(1), Some(('!' | '^', false)));
    let first = if negated { 2 } else { 1 };
    let end = pattern.iter().skip(first + 1).position(|(c, _)| *c == ']')? + first + 1;
    let members = pattern.get(first..end)?;
    let mut holds = members.iter().any(|(member, _)| *member == c);
    for three in members.windows(3) {
        if let [(from, _), ('-', _), (to, _)] = three {
            holds |= (*from..=*to).contains(&c);
        }
    }
    Some((end + 1, holds != negated))
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
