//! Quoting of words so that the device's shell takes them literally.

use super::AdbError;
use super::error::text_excerpt;

/// Words with a special meaning to a shell at the start of a command.
const RESERVED: [&str; 17] = [
    "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in", "select",
    "then", "time", "until", "while",
];

/// Quotes the word with single quotes unless it is plain.
///
/// # Errors
///
/// [`AdbError::BadText`] if the word contains a NUL, which no shell can pass on.
pub fn quote(word: &str) -> Result<String, AdbError> {
    if word.contains('\0') {
        let problem = "holds a NUL character, which no shell can carry";
        return Err(AdbError::BadText { text: text_excerpt(word), problem });
    }
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_./:@%+,-".contains(letter);
    if !word.is_empty() && word.chars().all(plain) && !RESERVED.contains(&word) {
        return Ok(word.to_owned());
    }
    Ok(format!("'{}'", word.replace('\'', "'\\''")))
}

/// Quotes the words and joins them to a command line.
///
/// # Errors
///
/// The same as of [`quote`].
pub fn command(words: &[&str]) -> Result<String, AdbError> {
    let quoted: Vec<String> = words.iter().map(|word| quote(word)).collect::<Result<_, _>>()?;
    Ok(quoted.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NASTY: [&str; 34] = [
        "",
        " ",
        "a b",
        "'",
        "''",
        "'\\''",
        "\"",
        "\\",
        "\\'",
        "$(touch /tmp/x)",
        "`id`",
        "${HOME}",
        "$HOME",
        "$?",
        "~",
        "*",
        "?",
        "[a-z]",
        "{a,b}",
        "a\nb",
        "\n",
        "a\r\nb\t",
        "-n",
        "--",
        "-e \\x41",
        "'; reboot; '",
        "a && b || c; d &",
        "# no comment",
        "!x",
        "A=b",
        "%s %d %%",
        "😀 👨‍👩‍👧",
        "שלום עולם \u{202e}abc",
        "\u{1}\u{7f}\u{feff}",
    ];

    #[test]
    fn plain_words_stay_bare() {
        let check = |word: &str, expected: &str| assert_eq!(quote(word).unwrap(), expected);
        check("getprop", "getprop");
        check("/data/local/tmp/a-b_c.png", "/data/local/tmp/a-b_c.png");
        check("com.a/.Main", "com.a/.Main");
        check("-n", "-n");
        check("", "''");
        check("it's", "'it'\\''s'");
        check("A=b", "'A=b'");
        check("if", "'if'");
        check("é", "'é'");
        assert_eq!(command(&["input", "text", "a b"]).unwrap(), "input text 'a b'");
    }

    #[test]
    fn a_nul_is_refused() {
        assert!(matches!(quote("a\0b"), Err(AdbError::BadText { .. })));
        assert!(command(&["echo", "\0"]).is_err());
    }

    #[cfg(unix)]
    fn through_a_shell(words: &[&str]) -> Vec<u8> {
        let line = command(&[&["printf", "%s\\001"], words].concat()).unwrap();
        let done = std::process::Command::new("sh").arg("-c").arg(&line).output().unwrap();
        assert!(done.status.success() && done.stderr.is_empty(), "{line}: {:?}", done.stderr.escape_ascii());
        done.stdout
    }

    #[cfg(unix)]
    #[test]
    fn a_real_shell_takes_every_text_as_it_is() {
        let expected: String = NASTY.iter().map(|word| format!("{word}\u{1}")).collect();
        assert_eq!(
            through_a_shell(&NASTY).escape_ascii().to_string(),
            expected.as_bytes().escape_ascii().to_string()
        );
        for word in NASTY {
            assert_eq!(through_a_shell(&[word]), format!("{word}\u{1}").as_bytes(), "{word:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn every_character_of_a_keyboard_arrives() {
        let all: String = (1u8..=127).map(char::from).collect();
        let reversed: String = all.chars().rev().collect();
        let singles: Vec<String> = (1u8..=127).map(|byte| char::from(byte).to_string()).collect();
        let words: Vec<&str> =
            [all.as_str(), &reversed].into_iter().chain(singles.iter().map(String::as_str)).collect();
        let expected: String = words.iter().map(|word| format!("{word}\u{1}")).collect();
        assert_eq!(through_a_shell(&words), expected.as_bytes());
    }
}
