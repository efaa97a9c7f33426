//! The log, and `taproof log`, which says where it is. Events go to a file in the user's folder of states, and to standard
//! error as well where a variable asks for them.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tracing::Level;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt, registry};

use crate::cli::terminal::{LogLines, log_line};
use crate::cli::{CommandEnd, Outcome, bad_input, message, print_line, read_file};
use crate::folders::log_folder;

/// Say where the log is, and print its last lines
#[derive(clap::Args)]
pub struct Options {
    /// Print this many of its last lines, too
    #[arg(long, value_name = "N")]
    last: Option<usize>,
}

/// The variables that choose what is logged; the first that is set counts.
const VARIABLES: [&str; 2] = ["TAPROOF_LOG", "RUST_LOG"];
const NAME: &str = "taproof.log";
/// Size in bytes from which a new file is begun. Only one older file is kept.
const LARGEST: u64 = 4 << 20;

pub fn run(options: &Options) -> Outcome {
    let Some(path) = log_path() else {
        let why = "there is no log: no folder for it is known; set HOME, or XDG_STATE_HOME to a full path";
        return Err(bad_input(why));
    };
    print_line(&path.display().to_string())?;
    let Some(last) = options.last else { return Ok(CommandEnd::Fine) };
    if !path.exists() {
        message("nothing has been logged yet");
        return Ok(CommandEnd::Fine);
    }
    let bytes = read_file(&path)?;
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    let first = lines.len().saturating_sub(last);
    lines.iter().skip(first).try_for_each(|line| print_line(line))?;
    Ok(CommandEnd::Fine)
}

/// Reports panics on standard error and in the log, and starts the log.
pub(crate) fn start_log() {
    let file = log_path().map(|path| Arc::new(LogFile { path, file: Mutex::default() }));
    report_panics(file.clone());
    let asked = VARIABLES.into_iter().find_map(|name| Some((name, set(name)?)));
    let chosen = asked.as_ref().and_then(|(name, text)| match text.parse::<Targets>() {
        Ok(filter) => Some(filter),
        Err(error) => {
            message(&format!("{name}={text:?} is ignored: {error}; write it as in {name}=taproof_adb=debug"));
            None
        }
    });
    // Without colours, whose codes would be escaped as well.
    let errors = chosen.is_some().then(|| fmt::layer().with_ansi(false).with_writer(|| LogLines));
    let file =
        file.map(|file| fmt::layer().with_ansi(false).with_writer(move || Appended(Arc::clone(&file))));
    let layers = errors.map(Layer::boxed).into_iter().chain(file.map(Layer::boxed)).collect::<Vec<_>>();
    let usual = || Targets::new().with_default(Level::WARN).with_target("taproof", Level::INFO);
    let started = registry().with(layers).with(chosen.unwrap_or_else(usual)).try_init();
    if started.is_err() {
        // The program that this runs in has a log of its own.
        tracing::debug!("the log of the calling program is used");
    }
}

fn set(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn log_path() -> Option<PathBuf> {
    Some(log_folder()?.join(NAME))
}

fn report_panics(file: Option<Arc<LogFile>>) {
    std::panic::set_hook(Box::new(move |panic| {
        let say = |line: &str| {
            message(line);
            if let Some(file) = &file {
                file.append(line.as_bytes());
            }
        };
        let thread = std::thread::current();
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        say(&format!("thread {:?} panicked at {place}:", thread.name().unwrap_or_default()));
        say(panic.payload_as_str().unwrap_or("a panic without a message"));
        let trace = std::backtrace::Backtrace::capture();
        if trace.status() == std::backtrace::BacktraceStatus::Captured {
            trace.to_string().lines().for_each(say);
        }
    }));
}

/// The file of the log. It is opened for the first event, so that a command without any leaves no file behind.
struct LogFile {
    path: PathBuf,
    /// `None` before the first event. That it cannot be opened must not keep the program from its work.
    file: Mutex<Option<std::io::Result<File>>>,
}

impl LogFile {
    /// Appends an event as one line.
    fn append(&self, event: &[u8]) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(file) = file.get_or_insert_with(|| open(&self.path)) {
            // There is nowhere to report that to.
            drop(file.write_all(log_line(event).as_bytes()));
        }
    }
}

fn open(path: &Path) -> std::io::Result<File> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    if std::fs::metadata(path).is_ok_and(|file| file.len() > LARGEST) {
        std::fs::rename(path, path.with_extension("old.log"))?;
    }
    OpenOptions::new().create(true).append(true).open(path)
}

struct Appended(Arc<LogFile>);

impl Write for Appended {
    fn write(&mut self, event: &[u8]) -> std::io::Result<usize> {
        self.0.append(event);
        Ok(event.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_log_is_begun_anew_and_its_events_are_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/taproof.log");
        let log = |event: &str| {
            let file = LogFile { path: path.clone(), file: Mutex::default() };
            file.append(event.as_bytes());
        };
        log("one\x1b[2J\nline\n");
        log("two\n");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\\u{1b}[2J\\nline\ntwo\n");
        std::fs::write(&path, vec![b'x'; LARGEST as usize + 1]).unwrap();
        log("three\n");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "three\n");
        assert!(path.with_extension("old.log").exists());
    }

    #[test]
    fn a_log_that_cannot_be_written_is_no_obstacle() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("file"), "").unwrap();
        let file = LogFile { path: folder.path().join("file/taproof.log"), file: Mutex::default() };
        file.append(b"one\n");
        assert!(file.file.lock().unwrap().as_ref().unwrap().is_err());
    }
}
