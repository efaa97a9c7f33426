//! What of a message is the same each time.

use super::code::is_of_platform;

/// Number of characters of a message that count.
const LONGEST: usize = 200;
/// The shortest text that is taken out of a message. A shorter one may be a word of the message itself.
const SHORTEST_TYPED: usize = 4;
/// Pairs of quotation marks.
const QUOTES: [[char; 2]; 7] = [
    ['\''; 2],
    ['"'; 2],
    ['`'; 2],
    ['\u{201c}', '\u{201d}'],
    ['\u{2018}', '\u{2019}'],
    ['\u{ab}', '\u{bb}'],
    ['\u{201e}', '\u{201c}'],
];
/// What is left where several values stand side by side, or one has a sign.
const JOINED: [&str; 7] = ["? ?", "?.?", "?,?", "?:?", "?-?", "-?", "??"];

/// The first line of a message without what changes from time to time: numbers, addresses, paths, objects in braces, and
/// quoted texts other than names of the platform's code.
pub(super) fn shape(message: &str) -> String {
    let line: String = first_line(message).chars().take(LONGEST).collect();
    let mut shape = String::new();
    let mut rest = line.as_str();
    while let Some(first) = rest.chars().next() {
        let within_word = shape.ends_with(char::is_alphanumeric);
        let (length, kept) = match (enclosed(rest), first) {
            (Some((length, kept)), _) if first == '{' || !within_word => (length, kept),
            (_, '/') if !within_word => (end_of(rest, |c| c.is_whitespace() || ")'\"".contains(c)), false),
            _ if rest.starts_with("://") => (end_of(rest, char::is_whitespace), false),
            _ if first.is_alphanumeric() => {
                let length = end_of(rest, |c| !(c.is_alphanumeric() || c == '_'));
                let word = rest.get(..length).unwrap_or_default();
                (length, !word.contains(|c: char| c.is_ascii_digit()) && !shape.ends_with('@'))
            }
            _ => (first.len_utf8(), true),
        };
        let (part, after) = rest.split_at(length);
        shape.push_str(if kept { part } else { "?" });
        rest = after;
    }
    while let Some(joined) = JOINED.iter().find(|joined| shape.contains(**joined)) {
        shape = shape.replace(joined, "?");
    }
    shape
}

/// The first line of a message that says something.
pub(super) fn first_line(message: &str) -> &str {
    message.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default()
}

/// The length of the quoted text, or the object in braces, at the beginning, and whether it is a name that is the same each
/// time: of code of the platform, or of a component.
fn enclosed(text: &str) -> Option<(usize, bool)> {
    if text.starts_with('{') {
        let length = text.find('}')? + 1;
        return Some((length, text.get(..length)?.contains('/')));
    }
    let [open, close] = QUOTES.into_iter().find(|[open, _]| text.starts_with(*open))?;
    let inside = text.get(open.len_utf8()..)?;
    let ends = |at: &usize| {
        let after = inside.get(at + close.len_utf8()..).and_then(|after| after.chars().next());
        after.is_none_or(|c| !c.is_alphanumeric())
    };
    let end = inside.match_indices(close).map(|(at, _)| at).find(ends)?;
    let code = inside.get(..end)?.split([' ', '(', ',']).any(is_of_platform);
    Some((open.len_utf8() + end + close.len_utf8(), code))
}

fn end_of(text: &str, ends: impl Fn(char) -> bool) -> usize {
    text.find(ends).unwrap_or(text.len())
}

/// The message with a question mark for each of these texts that stands in it as whole words.
pub(super) fn without(message: &str, typed: &[&str]) -> String {
    let mut message = message.to_owned();
    for text in typed.iter().filter(|text| text.trim().chars().count() >= SHORTEST_TYPED) {
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let mut from = 0;
        while let Some(at) = message.get(from..).and_then(|rest| rest.find(text)).map(|at| from + at) {
            let end = at + text.len();
            let before = message.get(..at).and_then(|before| before.chars().next_back());
            let after = message.get(end..).and_then(|after| after.chars().next());
            from = end;
            if !is_word(before) && !is_word(after) {
                message.replace_range(at..end, "?");
                from = at + 1;
            }
        }
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_taken_out_and_words_stay() {
        for (message, expected) in [
            ("Resource ID #0x7f0a0012", "Resource ID #?"),
            ("length=3; index=-1", "length=?; index=?"),
            ("can't read 'Milk' or \u{201c}Bread\u{201d}", "can't read ? or ?"),
            (
                "token android.os.BinderProxy@abcdef is not valid",
                "token android.os.BinderProxy@? is not valid",
            ),
            ("no /data/user/0/org.ex/a.txt (ENOENT)", "no ? (ENOENT)"),
            (
                "Unable to start ComponentInfo{org.ex/org.ex.Main}",
                "Unable to start ComponentInfo{org.ex/org.ex.Main}",
            ),
            ("row ViewHolder{1a2b position=3 id=-1}", "row ViewHolder?"),
            ("GET https://ex.org/a?b=1 failed", "GET https? failed"),
            ("at 10:20:30, 1.5 2", "at ?, ?"),
            (
                "invoke 'int java.lang.String.length()' on 'a.b.C'",
                "invoke 'int java.lang.String.length()' on ?",
            ),
            ("\n  first\nsecond 2", "first"),
            ("'", "'"),
            ("", ""),
        ] {
            assert_eq!(shape(message), expected, "{message}");
        }
    }

    #[test]
    fn typed_texts_are_taken_out_as_whole_words() {
        let typed = ["Milk", "a", "Gr\u{f6}\u{df}e"];
        assert_eq!(without("not a date: Milk", &typed), "not a date: ?");
        assert_eq!(without("Milky Milk, Gr\u{f6}\u{df}e", &typed), "Milky ?, ?");
    }
}
