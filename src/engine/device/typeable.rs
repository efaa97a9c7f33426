//! The texts that a device can type.

/// The texts that a device can type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Typeable {
    /// Any text can be typed.
    #[default]
    Anything,
    /// Only texts without line feeds.
    OneLine,
    /// Only what the keys of an English keyboard have: ASCII without control characters.
    Keys,
}

impl Typeable {
    /// Whether the device can type the character.
    pub fn has(self, char: char) -> bool {
        match self {
            Typeable::Anything => true,
            Typeable::OneLine => char != '\n',
            Typeable::Keys => matches!(char, ' '..='~'),
        }
    }

    /// The first character of the text that the device cannot type.
    pub fn missing_from(self, text: &str) -> Option<char> {
        text.chars().find(|char| !self.has(*char))
    }

    /// Returns the text with each character that the device cannot type replaced: white space by a blank, any other by
    /// a letter, which is always the same for the same character.
    pub fn fit(self, text: &str) -> String {
        let letter = |char: char| char::from(b'a' + (u32::from(char) % 26) as u8);
        let fitting = |char: char| match char {
            char if self.has(char) => char,
            char if char.is_whitespace() => ' ',
            char => letter(char),
        };
        text.chars().map(fitting).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_key_becomes_a_letter_or_a_blank() {
        for (typeable, text, expected) in [
            (Typeable::Anything, "Grüße\n\u{1f600}", "Grüße\n\u{1f600}"),
            (Typeable::OneLine, "Grüße\n\u{1f600}", "Grüße \u{1f600}"),
            (Typeable::Keys, "Read me, 100%! ~", "Read me, 100%! ~"),
            (Typeable::Keys, "a\tb\u{a0}c\r\n", "a b c  "),
            (Typeable::Keys, "Grüße", "Grspe"),
        ] {
            let fitted = typeable.fit(text);
            assert_eq!(fitted, expected);
            assert_eq!(typeable.missing_from(&fitted), None, "{fitted:?}");
            assert_eq!(typeable.fit(&fitted), fitted, "what fits stays");
        }
    }

    #[test]
    fn the_first_missing_character_is_named() {
        assert_eq!(Typeable::Keys.missing_from("Grüße"), Some('ü'));
        assert_eq!(Typeable::OneLine.missing_from("Grüße\nx"), Some('\n'));
        assert_eq!(Typeable::Anything.missing_from("Grüße\nx"), None);
    }
}
