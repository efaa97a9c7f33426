//! Everything that the program writes to standard output and standard error.
//!
//! Much of the text is supplied by an app, a device, a file or the network. So it is written line by line, with every
//! control character in a line escaped, including line breaks. JSON has its own escapes for them. Data that is the
//! content of a file, such as a specification, keeps its bytes unless standard output is a terminal.
//!
//! Standard output is for the result: a failure to write to it is an error, except into a pipe that is no longer read.
//! Standard error is for messages: a failure to write to it is ignored.

use std::io::{ErrorKind, IsTerminal, Stderr, Stdout, Write};
use std::process::ExitCode;

use clap::error::ContextValue;
use serde::Serialize;

use super::{CommandEnd, Failure, broken, exit_code};
use taproof_screen::{escape_controls, is_display_control};

#[expect(clippy::disallowed_methods, reason = "this is the place that writes there")]
fn output() -> Stdout {
    std::io::stdout()
}

#[expect(clippy::disallowed_methods, reason = "this is the place that writes there")]
fn errors() -> Stderr {
    std::io::stderr()
}

/// Prints a line of the result.
pub fn print_line(line: &str) -> Result<(), Failure> {
    print(&one_line(line))
}

/// The version of what `--json` prints (`src/book/json.md`). It is increased where a key goes, or changes its meaning or its
/// type; new keys may come without.
const JSON_VERSION: u32 = 1;

/// A result with the version of its keys.
#[derive(Serialize)]
struct Versioned<'v, T> {
    version: u32,
    #[serde(flatten)]
    value: &'v T,
}

/// Prints a result as JSON on one line, with the version of its keys. The result is an object.
pub fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let value = Versioned { version: JSON_VERSION, value };
    let text = serde_json::to_string(&value).map_err(|error| Failure::Broken(error.into()))?;
    print(&inert_json(&text))
}

/// Prints the content of a file byte by byte or, if standard output is a terminal, with its control characters escaped.
pub fn print_data(text: &str) -> Result<(), Failure> {
    match output().is_terminal() {
        true => print(&inert_lines(text)),
        false => print(text),
    }
}

/// Prints a message on standard error, on one line.
pub fn message(line: &str) {
    draw(&one_line(line));
}

/// Writes to standard error without escaping, so that `text` may contain terminal codes, but no text from outside.
/// Returns whether it was written.
pub(super) fn draw(text: &str) -> bool {
    let mut errors = errors().lock();
    errors.write_all(text.as_bytes()).and_then(|()| errors.flush()).is_ok()
}

/// The colour of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Something is wrong with the app.
    Red,
    /// Something was confirmed.
    Green,
    /// Something is not certain.
    Yellow,
}

impl Colour {
    fn code(self) -> u8 {
        match self {
            Colour::Red => 31,
            Colour::Green => 32,
            Colour::Yellow => 33,
        }
    }
}

/// Prints a message on standard error, on one line, whose first words are coloured where that is wanted.
pub fn coloured_message(colour: Colour, first: &str, rest: &str) {
    draw(&coloured(colour, first, rest, colours_are_wanted()));
}

fn coloured(colour: Colour, first: &str, rest: &str, wanted: bool) -> String {
    match wanted {
        true => format!("\x1b[{}m{}\x1b[0m{}", colour.code(), escape_controls(first), one_line(rest)),
        false => one_line(&format!("{first}{rest}")),
    }
}

/// Whether standard error is a terminal that understands codes.
pub(super) fn messages_are_watched() -> bool {
    errors().is_terminal() && std::env::var_os("TERM").is_none_or(|terminal| terminal != "dumb")
}

/// Whether standard error is a terminal whose user has not declined colours: https://no-color.org
fn colours_are_wanted() -> bool {
    messages_are_watched() && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty())
}

fn print(text: &str) -> Result<(), Failure> {
    let mut output = output().lock();
    printed(output.write_all(text.as_bytes()).and_then(|()| output.flush()))
}

fn printed(written: std::io::Result<()>) -> Result<(), Failure> {
    match written {
        // For example `
        // head`: the reader has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(broken(format!("cannot write to standard output: {error}"))),
        Ok(()) => Ok(()),
    }
}

fn one_line(text: &str) -> String {
    format!("{}\n", escape_controls(text))
}

/// The lines of a text, with control characters escaped in each.
fn inert_lines(text: &str) -> String {
    let mut inert = String::with_capacity(text.len());
    for line in text.split_inclusive(['\n', '\t']) {
        let end = line.trim_end_matches(['\n', '\t']);
        inert.push_str(&escape_controls(end));
        inert.push_str(&line[end.len()..]);
    }
    inert
}

/// A line of JSON. Control characters that `serde_json` does not escape only occur in strings, so they can be escaped.
fn inert_json(text: &str) -> String {
    let mut inert = String::with_capacity(text.len() + 1);
    for letter in text.chars() {
        match is_display_control(letter) {
            true => inert.push_str(&format!("\\u{:04x}", u32::from(letter))),
            false => inert.push(letter),
        }
    }
    inert.push('\n');
    inert
}

/// Prints the message of clap: the requested help, or what is wrong with the command line. Returns the exit code.
pub(super) fn usage(error: clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let written = printed(error.print().and_then(|()| output().flush()));
        return exit_code(written.map(|()| CommandEnd::Fine));
    }
    let text = with_inert_words(error).render().to_string();
    text.trim_end().lines().for_each(message);
    ExitCode::from(2)
}

/// Escapes control characters in the words that clap's message quotes, but not clap's own line breaks.
fn with_inert_words(mut error: clap::Error) -> clap::Error {
    let inert = |text: &String| escape_controls(text).into_owned();
    let quoted = error.context().filter_map(|(kind, value)| {
        let value = match value {
            ContextValue::String(word) => ContextValue::String(inert(word)),
            ContextValue::Strings(words) => ContextValue::Strings(words.iter().map(inert).collect()),
            ContextValue::StyledStrs(tips) => {
                let tips = tips.iter().map(|tip| escape_controls(&tip.to_string()).into_owned().into());
                ContextValue::StyledStrs(tips.collect())
            }
            _ => return None,
        };
        Some((kind, value))
    });
    for (kind, value) in quoted.collect::<Vec<_>>() {
        error.insert(kind, value);
    }
    error
}

/// The log on standard error. Each event is written at once, on a line of its own.
pub(super) struct LogLines;

impl Write for LogLines {
    fn write(&mut self, event: &[u8]) -> std::io::Result<usize> {
        draw(&log_line(event));
        Ok(event.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// An event of the log as one line.
pub(super) fn log_line(event: &[u8]) -> String {
    let text = String::from_utf8_lossy(event);
    one_line(text.strip_suffix('\n').unwrap_or(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "\x1b[2J\u{7f}\u{9b}31m\u{202e}a\r\nfake line";

    #[test]
    fn a_line_stays_one_line() {
        assert_eq!(one_line(HOSTILE), "\\u{1b}[2J\\u{7f}\\u{9b}31m\\u{202e}a\\r\\nfake line\n");
    }

    #[test]
    fn only_the_codes_of_the_colour_reach_the_terminal() {
        let line = coloured(Colour::Red, HOSTILE, HOSTILE, true);
        let inert = one_line(HOSTILE);
        assert_eq!(line, format!("\x1b[31m{}\x1b[0m{inert}", inert.trim_end()));
        assert_eq!(coloured(Colour::Red, "a", "b", false), "ab\n");
    }

    #[test]
    fn json_means_the_same() {
        let text = inert_json(&serde_json::to_string(&[HOSTILE]).unwrap());
        let line = text.strip_suffix('\n').unwrap();
        assert!(!line.contains(is_display_control), "{line}");
        assert_eq!(serde_json::from_str::<[String; 1]>(line).unwrap(), [HOSTILE]);
    }

    #[test]
    fn data_keeps_its_own_lines_on_a_terminal() {
        assert_eq!(inert_lines("a\n\tb\x1b[2J\r\n\nc"), "a\n\tb\\u{1b}[2J\\r\n\nc");
    }

    #[test]
    fn an_event_of_the_log_is_a_line() {
        use std::sync::{Arc, Mutex};

        /// What the log writes, as the terminal is given it.
        #[derive(Clone, Default)]
        struct Writes(Arc<Mutex<Vec<String>>>);

        impl Write for Writes {
            fn write(&mut self, event: &[u8]) -> std::io::Result<usize> {
                self.0.lock().unwrap().push(log_line(event));
                Ok(event.len())
            }

            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }

        let writes = Writes::default();
        let log = writes.clone();
        let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(move || log.clone()).finish();
        tracing::subscriber::with_default(subscriber, || {
            tracing::warn!(serial = HOSTILE, "{HOSTILE}");
            tracing::warn!("another");
        });
        let writes = writes.0.lock().unwrap();
        assert_eq!(writes.len(), 2, "{writes:?}");
        for line in writes.iter().map(|event| event.strip_suffix('\n').unwrap()) {
            assert!(!line.contains(is_display_control), "{line:?}");
        }
        assert!(writes[0].contains("31m") && writes[1].ends_with(" another\n"), "{writes:?}");
    }

    #[test]
    fn only_a_pipe_that_nobody_reads_is_forgiven() {
        let failed = |kind: ErrorKind| printed(Err(std::io::Error::from(kind))).is_err();
        assert!(!failed(ErrorKind::BrokenPipe));
        assert!(failed(ErrorKind::StorageFull) && failed(ErrorKind::PermissionDenied));
    }

    #[test]
    fn clap_quotes_words_on_its_own_lines() {
        let command = clap::Command::new("taproof").arg(clap::Arg::new("n").long("n").value_parser(["one"]));
        let said = |word: &str| {
            let error = command.clone().try_get_matches_from(["taproof", word]).unwrap_err();
            with_inert_words(error).render().to_string()
        };
        for word in [format!("--{HOSTILE}"), format!("--n={HOSTILE}"), HOSTILE.to_owned()] {
            let text = said(&word);
            assert!(text.lines().all(|line| !line.contains(is_display_control)), "{text:?}");
            assert!(text.contains("\\u{1b}[2J") && !text.contains("\nfake"), "{text:?}");
        }
    }
}
