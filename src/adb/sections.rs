//! Several questions to the device's shell in one script, and its answers apart again.

const SECTION: &str = "taproof-section";

/// One script that asks all of these; each may be several lines, or none.
pub(super) fn script(questions: &[&str]) -> String {
    questions.join(&format!("\necho\necho {SECTION}\n"))
}

/// The answers, in the order of the questions. An answer may hold the word that parts them, as what an app shows is among
/// them, but not as a line of its own.
pub(super) fn answers(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest.take()?;
        let mut end = 0;
        for line in text.split_inclusive('\n') {
            if line.trim_end() == SECTION {
                rest = text.get(end + line.len()..);
                return text.get(..end);
            }
            end += line.len();
        }
        Some(text)
    })
}

/// Lines whose complaints are printed, too: they must not be taken for what the app shows.
pub(super) fn complaining(lines: &str) -> String {
    if lines.is_empty() { String::new() } else { format!("{{\n{lines}\n}} 2>&1") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_apart_again() {
        assert_eq!(script(&["one", "", "two"]).matches("echo taproof-section").count(), 2);
        let said: Vec<&str> =
            answers("1\n\ntaproof-section\n\ntaproof-section\n2\n").map(str::trim).collect();
        assert_eq!(said, ["1", "", "2"]);
        let said = "a taproof-section b\n\ntaproof-section\r\nc\ntaproof-section";
        assert_eq!(answers(said).collect::<Vec<_>>(), ["a taproof-section b\n\n", "c\n", ""]);
    }
}
