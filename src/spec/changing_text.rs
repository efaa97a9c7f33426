//! Texts that change with the data or the date, such as "Items (2)" or "March 2026". Conditions on a screen must not
//! depend on them.

/// Names of months and weekdays, in full and abbreviated, and words for days near today, in English, German, French,
/// Spanish and Italian. Other languages show most dates with digits.
const DATE_WORDS: &str = "january february march april may june july august september october november december \
     jan feb mar apr jun jul aug sep sept oct nov dec \
     monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun \
     today yesterday tomorrow \
     januar jänner februar märz mai juni juli oktober dezember mär okt dez \
     montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag heute gestern morgen \
     janvier février mars avril juin juillet août septembre octobre novembre décembre \
     lundi mardi mercredi jeudi vendredi samedi dimanche aujourd'hui hier demain \
     enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre \
     lunes martes miércoles jueves viernes sábado domingo hoy ayer mañana \
     gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre \
     lunedì martedì mercoledì giovedì venerdì sabato domenica oggi ieri domani";

/// Minimum length of the beginning of a text that identifies it.
const MIN_PREFIX: usize = 3;

/// Why a text is likely to change; `None` for one that looks fixed.
pub(super) fn changing(text: &str) -> Option<&'static str> {
    if text.chars().any(char::is_numeric) {
        return Some("it holds a number");
    }
    words(text).any(|(_, word)| is_date_word(word)).then_some("it names a day or a month")
}

/// The beginning of a text up to the first word that changes: whole words, without what joins them to the rest. `None`
/// if it is too short.
pub(super) fn fixed_start(text: &str) -> Option<&str> {
    let end = words(text).find(|(_, word)| word.chars().any(char::is_numeric) || is_date_word(word));
    start(&text[..end.map_or(text.len(), |(at, _)| at)])
}

/// The common beginning of two texts, in whole words. `None` if it is too short.
pub(super) fn common_start<'a>(one: &'a str, other: &str) -> Option<&'a str> {
    let pairs = words(one).zip(words(other));
    let same = pairs.take_while(|(one, other)| one == other).map(|((at, word), _)| at + word.len()).last();
    start(&one[..same?])
}

/// Whether a text contains another one as whole words.
pub(super) fn holds_in_words(text: &str, part: &str) -> bool {
    let outside = |letter: Option<char>| !letter.is_some_and(char::is_alphanumeric);
    !part.is_empty()
        && text.match_indices(part).any(|(at, _)| {
            outside(text[..at].chars().next_back()) && outside(text[at + part.len()..].chars().next())
        })
}

fn start(text: &str) -> Option<&str> {
    let start = text.trim_end_matches(|letter: char| !letter.is_alphabetic());
    (start.chars().count() >= MIN_PREFIX).then_some(start)
}

/// The words of a text with their positions.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let inside = |letter: char| letter.is_alphanumeric() || letter == '\'' || letter == '\u{2019}';
    let mut rest = 0;
    std::iter::from_fn(move || {
        let from = rest + text[rest..].find(inside)?;
        let end = text[from..].find(|letter| !inside(letter)).map_or(text.len(), |length| from + length);
        rest = end;
        Some((from, &text[from..end]))
    })
}

fn is_date_word(word: &str) -> bool {
    let word = word.to_lowercase().replace('\u{2019}', "'");
    DATE_WORDS.split_ascii_whitespace().any(|known| known == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_dates_and_days_change() {
        let changes =
            ["Items (2)", "March 2026", "MÄRZ", "Heute", "5 min", "٣ عناصر", "第３章", "Tue, noon", "⅔"];
        for text in changes {
            assert!(changing(text).is_some(), "{text}");
        }
        for text in ["Items", "Notes", "", "Marching", "Decimal", "/storage", "Settings"] {
            assert_eq!(changing(text), None, "{text}");
        }
    }

    #[test]
    fn what_stays_is_in_whole_words() {
        let check = |text, start| assert_eq!(fixed_start(text), start, "{text}");
        check("Items (2)", Some("Items"));
        check("Week of March 2", Some("Week of"));
        check("March 2026", None);
        check("2 items", None);
        check("Inbox: 3 new", Some("Inbox"));
        check("Notes", Some("Notes"));
        check("No 5", None);
        assert_eq!(common_start("Items: few", "Items: many"), Some("Items"));
        assert_eq!(common_start("Cats", "Cattle"), None);
        assert!(holds_in_words("Edit \u{201c}ab\u{201d}", "ab") && holds_in_words("ab", "ab"));
        assert!(!holds_in_words("Cabs", "ab") && !holds_in_words("Cabs", ""));
    }
}
