//! Times of day and spans of time in texts. They change by themselves, also where a page shows them anew only when it
//! is opened again.

/// Beginnings of the words for units of time, in the languages of most apps.
const UNITS: [&str; 14] =
    ["ms", "sec", "sek", "min", "hour", "hr", "std", "day", "tag", "week", "woche", "month", "monat", "ago"];
/// Stands for a time.
const TIME: char = '\u{23f1}';
const SHORT_UNITS: [&str; 4] = ["s", "m", "h", "d"];

/// The text with every time of day and every span of time replaced. The other numbers of such a text are likely to
/// follow from them, as shares of the whole do.
pub fn without_times(text: &str) -> String {
    let lasting = replaced(text, time_at);
    match lasting.contains(TIME) {
        true => replaced(&lasting, |number| Some(digits(number))),
        false => lasting,
    }
}

/// The text with every number that `length` returns a length for, with what belongs to it, replaced.
fn replaced(text: &str, length: impl Fn(&str) -> Option<usize>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()) {
        out.push_str(&rest[..start]);
        let number = &rest[start..];
        match length(number) {
            Some(length) => {
                out.push(TIME);
                rest = &number[length..];
            }
            None => {
                let length = digits(number);
                out.push_str(&number[..length]);
                rest = &number[length..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// The length of the time that the text begins with: `9:05`, `1:02:03`, `2 min`, `15 seconds`, `3h`.
fn time_at(text: &str) -> Option<usize> {
    let mut length = digits(text);
    while text[length..].starts_with(':') && digits(&text[length + 1..]) == 2 {
        length += 3;
        if !text[length..].starts_with(':') {
            return Some(length);
        }
    }
    let blank = text[length..].chars().next().filter(|letter| [' ', '\u{a0}'].contains(letter));
    let word_at = length + blank.map_or(0, char::len_utf8);
    let word: String = text[word_at..].chars().take_while(|letter| letter.is_alphabetic()).collect();
    let lower = word.to_lowercase();
    let unit = SHORT_UNITS.contains(&&*lower) || UNITS.iter().any(|unit| lower.starts_with(unit));
    unit.then_some(word_at + word.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(without_times(text), expected, "{text:?}");
    }

    #[test]
    fn times_of_day_and_spans_are_replaced_and_counts_are_not() {
        check("Duration: 2 min", "Duration: \u{23f1}");
        check("Cooking \u{b7} 6 sec (100 %)", "Cooking \u{b7} \u{23f1} (\u{23f1} %)");
        check("1 h 3 min ago", "\u{23f1} \u{23f1} ago");
        check("at 9:05, 12:30:01", "at \u{23f1}, \u{23f1}");
        check("vor 3\u{a0}Tagen", "vor \u{23f1}");
        for count in ["3 tasks", "2026-01-05", "7", "4 misses", "1:3", "v1.2.3", "", "mañana 5 ñ"] {
            check(count, count);
        }
    }
}
