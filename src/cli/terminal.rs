//! All that the program writes to standard output and standard error.
//!
//! Much of it was supplied by an app, a device, a file or the network, so text goes out line by line, and in a line
//! every control character shows as an escape, line breaks within it too. JSON has escapes of its own for them. Data
//! that is a file elsewhere, such as a specification, keeps its bytes unless a terminal shows it.
//!
//! Standard output belongs to the result: what cannot be written is a failure, except into a pipe that nobody reads any
//! more. Standard error tells people what happens: that nobody hears it fails nothing.

use std::io::{ErrorKind, IsTerminal, Stderr, Stdout, Write};
use std::process::ExitCode;

use clap::error::ContextValue;
use serde::Serialize;

use super::{Done, Failure, exit_code};
use taproof_core::model::{escape_controls, is_display_control};

#[expect(clippy::disallowed_methods, reason = "this is the place that writes there")]
fn output() -> Stdout {
    std::io::stdout()
}

#[expect(clippy::disallowed_methods, reason = "this is the place that writes there")]
fn errors() -> Stderr {
    std::io::stderr()
}

/// Prints a line of the result.
pub fn say(line: &str) -> Result<(), Failure> {
    print(&one_line(line))
}

/// Prints a result as JSON on one line.
pub fn say_json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string(value).map_err(|error| Failure::Broken(error.into()))?;
    print(&inert_json(&text))
}

/// Prints what is a file elsewhere, byte for byte; where a terminal shows it, with its control characters escaped.
pub fn say_data(text: &str) -> Result<(), Failure> {
    match output().is_terminal() {
        true => print(&inert_lines(text)),
        false => print(text),
    }
}

/// Tells people something on standard error, in a line.
pub fn message(line: &str) {
    draw(&one_line(line));
}

/// Writes to standard error as it is, codes of the terminal included, so nothing that was supplied from outside may be
/// in it. Says whether it was written.
pub(super) fn draw(text: &str) -> bool {
    let mut errors = errors().lock();
    errors.write_all(text.as_bytes()).and_then(|()| errors.flush()).is_ok()
}

/// Whether a terminal shows standard error.
pub(super) fn messages_are_watched() -> bool {
    errors().is_terminal()
}

fn print(text: &str) -> Result<(), Failure> {
    let mut output = output().lock();
    printed(output.write_all(text.as_bytes()).and_then(|()| output.flush()))
}

fn printed(written: std::io::Result<()>) -> Result<(), Failure> {
    match written {
        // Such as `| head`: the reader has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::Broken(anyhow::anyhow!("cannot write to standard output: {error}"))),
        Ok(()) => Ok(()),
    }
}

fn one_line(text: &str) -> String {
    format!("{}\n", escape_controls(text))
}

/// The lines of a text, each inert.
fn inert_lines(text: &str) -> String {
    let mut inert = String::with_capacity(text.len());
    for line in text.split_inclusive(['\n', '\t']) {
        let end = line.trim_end_matches(['\n', '\t']);
        inert.push_str(&escape_controls(end));
        inert.push_str(&line[end.len()..]);
    }
    inert
}

/// A line of JSON: what `serde_json` leaves of control characters stands in strings.
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

/// Says what clap says: the help that was asked for, or what is wrong with the words of the command line.
pub(super) fn usage(error: clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let written = printed(error.print().and_then(|()| output().flush()));
        return exit_code(written.map(|()| Done::Fine));
    }
    let text = with_inert_words(error).render().to_string();
    text.trim_end().lines().for_each(message);
    ExitCode::from(2)
}

/// Its own line breaks are wanted, those of the words that it quotes are not.
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

/// Lets panics be told on standard error, and the log where `TAPROOF_LOG` asks for it, as `TAPROOF_LOG=info` does.
pub fn start_log() {
    std::panic::set_hook(Box::new(|panic| {
        let thread = std::thread::current();
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        message(&format!("thread {:?} panicked at {place}:", thread.name().unwrap_or_default()));
        message(panic.payload_as_str().unwrap_or("a panic without a message"));
        let trace = std::backtrace::Backtrace::capture();
        if trace.status() == std::backtrace::BacktraceStatus::Captured {
            trace.to_string().lines().for_each(message);
        }
    }));
    if std::env::var_os("TAPROOF_LOG").is_some() {
        let filter = tracing_subscriber::EnvFilter::from_env("TAPROOF_LOG");
        // Without colours, which would be escaped too.
        tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).with_writer(|| LogLines).init();
    }
}

/// Where the log goes: each event is written at once and becomes a line.
struct LogLines;

impl Write for LogLines {
    fn write(&mut self, event: &[u8]) -> std::io::Result<usize> {
        draw(&log_line(event));
        Ok(event.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn log_line(event: &[u8]) -> String {
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
