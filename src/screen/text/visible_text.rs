//! Whether a text has a visible character; a name without one is no name.

/// Ranges of characters that show nothing by themselves, besides those that `char` classifies as white space or
/// control: those that the Unicode character database (DerivedCoreProperties.txt) calls Default_Ignorable_Code_Point,
/// other format characters, the blocks of combining marks, the points of Hebrew and Arabic, and two blanks that belong
/// to none of these.
const UNSEEN: &[(char, char)] = &[
    ('\u{ad}', '\u{ad}'),
    ('\u{300}', '\u{36f}'),
    ('\u{483}', '\u{489}'),
    ('\u{591}', '\u{5bd}'),
    ('\u{5bf}', '\u{5bf}'),
    ('\u{5c1}', '\u{5c2}'),
    ('\u{5c4}', '\u{5c5}'),
    ('\u{5c7}', '\u{5c7}'),
    ('\u{600}', '\u{605}'),
    ('\u{610}', '\u{61a}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{64b}', '\u{65f}'),
    ('\u{670}', '\u{670}'),
    ('\u{6d6}', '\u{6dd}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{1ab0}', '\u{1aff}'),
    ('\u{1dc0}', '\u{1dff}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{202a}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{20d0}', '\u{20ff}'),
    ('\u{2800}', '\u{2800}'),
    ('\u{3099}', '\u{309a}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{fe20}', '\u{fe2f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
];

/// Whether a text contains a character that is visible by itself.
pub fn is_visible(text: &str) -> bool {
    let unseen = |c: char| {
        c.is_whitespace()
            || c.is_control()
            || UNSEEN.iter().any(|(first, last)| (*first..=*last).contains(&c))
    };
    !text.chars().all(unseen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_can_see_is_invisible() {
        for text in [
            "",
            " ",
            "\t\n",
            "\u{a0}\u{3000}",
            "\u{200d}",
            "\u{fe0f}",
            "\u{301}",
            "\u{200b}\u{7}",
            "\u{e0067}",
        ] {
            assert!(!is_visible(text), "{text:?}");
        }
        for text in
            ["a", " a ", "e\u{301}", "❤\u{fe0f}", "👩\u{200d}👧", "?", "日本", "שלום", "مرحبا", "..", "ノ"]
        {
            assert!(is_visible(text), "{text:?}");
        }
    }

    #[test]
    fn the_ranges_are_in_order() {
        assert!(UNSEEN.iter().all(|(first, last)| first <= last));
        assert!(UNSEEN.windows(2).all(|pair| pair[0].1 < pair[1].0));
    }
}
