//! A text that is hostile to terminals.

use std::process::Output;

/// Sets the window's title, clears the screen, changes the colour by a code of one byte, turns the writing round,
/// and begins a line of its own.
#[macro_export]
macro_rules! hostile {
    () => {
        "\x1b]0;pwned\x07\x1b[2J\u{9b}31m\u{202e}abc\u{7f}\u{2028}\r\nfake line"
    };
}
pub const HOSTILE: &str = hostile!();
/// The same without blanks, for what is read by words.
pub const HOSTILE_WORD: &str = "\x1b]0;pwned\x07\x1b[2J\u{9b}31m\u{202e}abc\u{7f}";

/// What a terminal would act upon in what a program wrote to it: what, and in which line.
fn acted_upon(written: &[u8]) -> Vec<String> {
    let Ok(text) = std::str::from_utf8(written) else { return vec!["bytes that are not UTF-8".to_owned()] };
    let acts = |letter: char| {
        let invisible = ['\u{61c}', '\u{200e}', '\u{200f}', '\u{2028}', '\u{2029}'];
        letter.is_control()
            || invisible.contains(&letter)
            || ('\u{202a}'..='\u{202e}').contains(&letter)
            || ('\u{2066}'..='\u{2069}').contains(&letter)
    };
    let bad = |line: &&str| line.contains(acts) || line.starts_with("fake line");
    text.split('\n').filter(bad).map(|line| format!("{line:?}")).collect()
}

/// What is wrong with what a command wrote: it must show the text and let a terminal do nothing.
pub fn problems(words: &[&str], output: &Output) -> Vec<String> {
    let streams = [("standard output", &output.stdout), ("standard error", &output.stderr)];
    let mut found = Vec::new();
    for (stream, written) in streams {
        found.extend(
            acted_upon(written).into_iter().take(2).map(|line| format!("{words:?}: {stream}: {line}")),
        );
    }
    let shows = |(_, written): (_, &Vec<u8>)| String::from_utf8_lossy(written).contains("pwned");
    if !streams.into_iter().any(shows) {
        let text = streams.map(|(_, written)| String::from_utf8_lossy(written).into_owned()).concat();
        found.push(format!("{words:?}: does not show the text: {text:?}"));
    }
    found
}
