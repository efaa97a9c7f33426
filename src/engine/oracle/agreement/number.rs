//! Numbers in texts, in a closed list of forms: `3 notes`, `Cards (3)`, `3 of 5`, `1,250.50 €`, `40 %`, `1 h 20 min`.

/// A number is in thousandths, so that sums are exact.
pub(super) const ONE: i64 = 1000;
/// A text with more numbers is a date, a version, an address.
const MOST_NUMBERS: usize = 2;
/// A larger number is an identifier.
const LONGEST: usize = 9;

/// A number, and how exactly it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    pub thousandths: i64,
    /// Half a unit of the last digit.
    pub half_unit: i64,
    /// Whether it ends the text and follows a word, as in *Page 3*.
    pub is_name: bool,
}

/// The numbers of a text; none if it holds a time of day, a date or anything else than a few plain numbers.
pub(super) fn numbers(text: &str) -> Vec<Number> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut before = None;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()) {
        before = rest[..start].chars().next_back().or(before);
        let length = rest[start..].len() - rest[start..].trim_start_matches(is_of_number).len();
        let shown = rest[start..start + length].trim_end_matches(|letter: char| !letter.is_ascii_digit());
        let after = rest[start + shown.len()..].chars().next();
        // Part of a word, a date or a path.
        let joined =
            |letter: Option<char>| letter.is_some_and(|it| it.is_alphabetic() || "-/:_#".contains(it));
        let minus = matches!(before, Some('-' | '\u{2212}')) && is_sign(&rest[..start]);
        let Some(number) = number(shown) else { return Vec::new() };
        if (joined(before) && !minus) || after.is_some_and(|it| "-/:_".contains(it)) {
            return Vec::new();
        }
        let sign = if minus { -1 } else { 1 };
        let word = rest[..start].strip_suffix(' ').is_some_and(|text| text.ends_with(char::is_alphabetic));
        let is_name = word && found.is_empty() && rest.len() == start + shown.len();
        found.push(Number { thousandths: sign * number.thousandths, is_name, ..number });
        before = shown.chars().next_back();
        rest = &rest[start + shown.len()..];
    }
    let found = if let Some(span) = duration(text) { vec![span] } else { found };
    if found.len() > MOST_NUMBERS { Vec::new() } else { found }
}

fn is_of_number(letter: char) -> bool {
    letter.is_ascii_digit() || ".,'\u{a0}\u{202f}\u{2019}".contains(letter)
}

/// Whether what precedes a number ends with a minus that belongs to it.
fn is_sign(before: &str) -> bool {
    before.chars().rev().nth(1).is_none_or(|letter| !letter.is_alphanumeric())
}

/// `1250`, `1,250`, `1.250,5`, `1'250.50`. A separator that comes once and is not followed by three digits begins the
/// decimals.
fn number(shown: &str) -> Option<Number> {
    let separator = |letter: &char| !letter.is_ascii_digit();
    let last = shown.rfind(|letter: char| separator(&letter));
    let decimals = last.map_or("", |at| shown[at..].trim_start_matches(|letter: char| separator(&letter)));
    let is_point = last.is_some_and(|at| {
        let point = shown[at..].chars().next();
        let once = shown.chars().filter(|letter| Some(*letter) == point).count() == 1;
        let other = shown[..at].contains(|letter: char| separator(&letter));
        once && matches!(point, Some('.' | ',')) && (decimals.len() != 3 || other)
    });
    let (whole, decimals) = match last {
        Some(at) if is_point => (&shown[..at], decimals),
        _ => (shown, ""),
    };
    let mut groups = whole.split(|letter: char| separator(&letter));
    let first = groups.next()?;
    let grouped = groups.all(|group| group.len() == 3);
    let digits: String = whole.chars().filter(char::is_ascii_digit).collect();
    if digits.len() > LONGEST || decimals.len() > 3 || !grouped || (first.len() > 1 && first.starts_with('0'))
    {
        return None;
    }
    let unit = ONE / 10_i64.pow(u32::try_from(decimals.len()).ok()?);
    let part: i64 = if decimals.is_empty() { 0 } else { decimals.parse().ok()? };
    Some(Number {
        thousandths: digits.parse::<i64>().ok()? * ONE + part * unit,
        half_unit: unit / 2,
        is_name: false,
    })
}

/// `1 h 20 min`, `45 s`: in seconds.
fn duration(text: &str) -> Option<Number> {
    const UNITS: [(&str, i64); 4] = [("d", 86_400), ("h", 3600), ("min", 60), ("s", 1)];
    let mut total = 0;
    let mut last = i64::MAX;
    let mut words = text.split([' ', '\u{a0}', '\u{202f}']).filter(|word| !word.is_empty()).peekable();
    words.peek()?;
    while let Some(word) = words.next() {
        let digits = word.len() - word.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
        let unit = if digits == word.len() { words.next()? } else { &word[digits..] };
        let (_, seconds) =
            UNITS.iter().find(|(name, _)| *name == unit).filter(|(_, seconds)| *seconds < last)?;
        last = *seconds;
        total += word[..digits].parse::<i64>().ok().filter(|number| *number < 100_000)? * seconds;
    }
    Some(Number { thousandths: total * ONE, half_unit: last * ONE / 2, is_name: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[i64]) {
        let found: Vec<i64> = numbers(text).iter().map(|number| number.thousandths).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn counts_amounts_and_spans_are_numbers() {
        check("3 notes", &[3000]);
        check("Cards (12)", &[12_000]);
        check("3 of 5", &[3000, 5000]);
        check("Total: 1,250.50 \u{20ac}", &[1_250_500]);
        check("Summe: 1.250,5", &[1_250_500]);
        check("1\u{a0}250 km", &[1_250_000]);
        check("1,250 steps", &[1_250_000]);
        check("Balance -12.5", &[-12_500]);
        check("40 %", &[40_000]);
        check("1 h 20 min", &[4_800_000]);
        check("45s", &[45_000]);
    }

    #[test]
    fn times_dates_versions_and_names_are_none() {
        for text in
            ["9:05", "2026-01-05", "v1.2.3", "A4", "12/31", "1234567890123", "007", "", "notes", "1.2.3.4"]
        {
            check(text, &[]);
        }
    }

    #[test]
    fn what_ends_a_text_after_a_word_is_a_name() {
        let is_name = |text: &str| numbers(text)[0].is_name;
        assert!(is_name("Visit 3") && is_name("Page 12"));
        let counts = ["3 notes", "Cards (3)", "Total: 3", "3 of 5", "3"];
        assert!(!counts.into_iter().any(is_name));
    }

    #[test]
    fn what_is_shown_is_as_exact_as_its_last_digit() {
        assert_eq!(numbers("3.5 stars")[0].half_unit, 50);
        assert_eq!(numbers("3 stars")[0].half_unit, 500);
    }
}
