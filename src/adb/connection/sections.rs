//! Combines several queries of the device's shell to one script, and splits its output into their answers.

const SECTION: &str = "taproof-section";
/// What stands between two queries.
const SEPARATOR: &str = "\necho\necho taproof-section\n";

/// One script that runs all of these queries; each may have several lines, or none.
pub(crate) fn script(questions: &[&str]) -> String {
    questions.join(SEPARATOR)
}

/// The queries of a script.
pub(crate) fn questions(script: &str) -> impl Iterator<Item = &str> {
    script.split(SEPARATOR)
}

/// Splits the output into answers, in the order of the queries. An answer, which may include what an app shows, may
/// contain the separator, but not as a line of its own.
pub(crate) fn answers(text: &str) -> impl Iterator<Item = &str> {
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

/// Lines whose standard error is printed as well.
pub(crate) fn complaining(lines: &str) -> String {
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
