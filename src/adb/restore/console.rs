//! The Android emulator's console: a client that saves, loads, lists and deletes snapshots.
//!
//! Works on a stream that the caller has connected (127.0.0.1 at the port in `emulator-PORT`) and given timeouts; the
//! read timeout limits how long a command may take, and saving takes many seconds. The client itself never sleeps and
//! does not use adb. Answers are limited in bytes and in number of reads. The `OK` to a load only means that loading
//! began: the serial then goes offline and comes back, and all streams to the phone are dead.

use std::io::{ErrorKind, Read, Write};

/// Limit on the bytes of one answer. A list of a thousand snapshots stays below it.
const MAX_ANSWER_BYTES: usize = 128 * 1024;
/// Limit on the reads for one answer. A console never sends an answer in more pieces.
const MAX_READS: usize = 4096;
/// Limit on the length of a snapshot's name, which becomes a folder's name on the computer that runs the emulator.
const MAX_NAME_BYTES: usize = 100;
const MAX_TOKEN_BYTES: usize = 256;

/// A failure of the emulator's console. After any of these except [`ConsoleError::BadName`] and
/// [`ConsoleError::BadToken`] the connection is unusable and a new one must be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConsoleError {
    /// The stream to the console failed.
    #[error(
        "the connection to the emulator's console failed at {command:?}: {problem}; is the emulator running?"
    )]
    Io {
        /// The command that was being sent or answered.
        command: String,
        /// The kind of the I/O error.
        kind: ErrorKind,
        /// The operating system's message.
        problem: String,
    },
    /// No answer arrived within the stream's timeout. The command may still be carried out.
    #[error("the emulator's console did not answer {command:?} in time; list its snapshots before going on")]
    Silent {
        /// The command that was sent.
        command: String,
    },
    /// The emulator closed the connection.
    #[error(
        "the emulator closed its console at {command:?}; it does so when it ends, or when it cannot read its token \
         file (~/.emulator_console_auth_token)"
    )]
    Closed {
        /// The command that was sent.
        command: String,
    },
    /// The emulator answered with `KO`.
    #[error("the emulator refused {command:?}: {reason}")]
    Refused {
        /// The command that was sent.
        command: String,
        /// The console's reason, the text after `KO:`.
        reason: String,
    },
    /// The answer exceeds the limits of any real answer.
    #[error("the answer of the emulator's console to {command:?} does not end; is this port its console?")]
    Endless {
        /// The command that was sent.
        command: String,
    },
    /// The peer is not an emulator's console.
    #[error(
        "this is not an emulator's console, it greets with {found}; check the port (5554 for emulator-5554)"
    )]
    NotAConsole {
        /// The beginning of the peer's greeting, quoted.
        found: String,
    },
    /// The name is not allowed for a snapshot.
    #[error("{name} cannot name a snapshot: {problem}")]
    BadName {
        /// The beginning of the name, quoted.
        name: String,
        /// The rule that the name breaks.
        problem: &'static str,
    },
    /// The token file contains no usable token.
    #[error("~/.emulator_console_auth_token holds no token that can be sent: {problem}")]
    BadToken {
        /// Why the token cannot be used.
        problem: &'static str,
    },
    /// An earlier command failed on this connection, so answers can no longer be matched with commands.
    #[error("{command:?} was not sent, as an earlier command failed on this connection; open a new one")]
    OutOfStep {
        /// The command that was not sent.
        command: String,
    },
}

/// The name of a snapshot: letters, digits, `-`, `_` and `.`, with a letter or digit first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SnapshotName(String);

impl SnapshotName {
    /// Checks a name, which becomes a folder's name and a word of a command.
    ///
    /// # Errors
    ///
    /// [`ConsoleError::BadName`] if the name is empty, longer than 100 bytes, or contains a character that is not
    /// allowed.
    pub fn new(name: &str) -> Result<SnapshotName, ConsoleError> {
        let allowed = |char: char| char.is_ascii_alphanumeric() || matches!(char, '-' | '_' | '.');
        let problem = if name.is_empty() {
            "it is empty"
        } else if name.len() > MAX_NAME_BYTES {
            "it is longer than 100 characters"
        } else if !name.starts_with(|char: char| char.is_ascii_alphanumeric()) {
            "it must begin with a letter or a digit"
        } else if !name.chars().all(allowed) {
            "only letters, digits, \"-\", \"_\" and \".\" are allowed"
        } else {
            return Ok(SnapshotName(name.to_owned()));
        };
        Err(ConsoleError::BadName { name: excerpt(name), problem })
    }

    /// The name as commands contain it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An entry in the emulator's list of snapshots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedSnapshot {
    /// The snapshot's name. Snapshots that a person has named may contain characters that [`SnapshotName`] refuses.
    pub name: String,
    /// The size of the saved memory as the emulator prints it, such as `75M`.
    pub size: String,
    /// When it was saved, in the local time of the emulator's computer, such as `2026-09-09 11:41:45`.
    pub saved: String,
}

/// A connection to the console of one emulator.
pub struct Console<S> {
    stream: S,
    /// Bytes that were received but not yet parsed.
    received: Vec<u8>,
    in_step: bool,
    wants_token: bool,
}

impl<S: Read + Write> Console<S> {
    /// Reads the greeting on a stream that was just connected.
    ///
    /// # Errors
    ///
    /// [`ConsoleError::NotAConsole`] if something else is listening there, and the errors of any command.
    pub fn open(stream: S) -> Result<Self, ConsoleError> {
        let mut console = Console { stream, received: Vec::new(), in_step: true, wants_token: false };
        let greeting = console.answer("the greeting")?;
        if !greeting.iter().any(|line| line.starts_with("Android Console:")) {
            return Err(ConsoleError::NotAConsole { found: excerpt(&greeting.join("\n")) });
        }
        console.wants_token = greeting.iter().any(|line| line.contains("Authentication required"));
        Ok(console)
    }

    /// Whether [`Console::authenticate`] must be called before any command.
    pub fn wants_token(&self) -> bool {
        self.wants_token
    }

    /// Authenticates with the content of `~/.emulator_console_auth_token`. Sends nothing if the emulator requires no
    /// token.
    ///
    /// # Errors
    ///
    /// [`ConsoleError::BadToken`] if the content cannot be a token, and the errors of any command.
    pub fn authenticate(&mut self, token_file: &str) -> Result<(), ConsoleError> {
        if !self.wants_token {
            return Ok(());
        }
        let token = token_file.trim();
        let problem = if token.is_empty() {
            "it is empty, yet the emulator asks for one"
        } else if token.len() > MAX_TOKEN_BYTES {
            "it is too long"
        } else if !token.chars().all(|char| char.is_ascii_graphic()) {
            "it has characters that no token has"
        } else {
            // The token itself must not show up in an error or a log.
            self.say(&format!("auth {token}"), "auth")?;
            self.wants_token = false;
            return Ok(());
        };
        Err(ConsoleError::BadToken { problem })
    }

    /// Saves the state of the phone, replacing an older snapshot of this name. The phone is paused meanwhile.
    pub fn save(&mut self, name: &SnapshotName) -> Result<(), ConsoleError> {
        self.snapshot("save", name)
    }

    /// Starts to restore a snapshot; see the [module documentation](self) for what follows.
    pub fn load(&mut self, name: &SnapshotName) -> Result<(), ConsoleError> {
        self.snapshot("load", name)
    }

    /// Deletes a snapshot and the folder that holds it.
    pub fn delete(&mut self, name: &SnapshotName) -> Result<(), ConsoleError> {
        self.snapshot("delete", name)
    }

    /// Lists the snapshots that can be loaded, in the emulator's order.
    pub fn list(&mut self) -> Result<Vec<ListedSnapshot>, ConsoleError> {
        let command = "avd snapshot list";
        let lines = self.say(command, command)?;
        Ok(parse_list(&lines))
    }

    fn snapshot(&mut self, verb: &str, name: &SnapshotName) -> Result<(), ConsoleError> {
        let command = format!("avd snapshot {verb} {}", name.as_str());
        self.say(&command, &command).map(|_| ())
    }

    /// Sends a line and returns the lines before its `OK`. `shown` is how errors name the command.
    fn say(&mut self, line: &str, shown: &str) -> Result<Vec<String>, ConsoleError> {
        if !self.in_step {
            return Err(ConsoleError::OutOfStep { command: shown.to_owned() });
        }
        self.received.clear();
        let bytes = format!("{line}\r\n");
        let sent = self.stream.write_all(bytes.as_bytes()).and_then(|()| self.stream.flush());
        if let Err(error) = sent {
            self.in_step = false;
            return Err(io(shown, &error));
        }
        self.answer(shown)
    }

    fn answer(&mut self, shown: &str) -> Result<Vec<String>, ConsoleError> {
        // A refusal often has several lines, and nothing marks its end: the rest of it would be read as the answer to
        // the next command. So the connection is given up at the first failure.
        let answer = self.read_answer(shown);
        self.in_step = answer.is_ok();
        answer
    }

    fn read_answer(&mut self, shown: &str) -> Result<Vec<String>, ConsoleError> {
        let mut lines = Vec::new();
        let mut bytes = 0;
        for _ in 0..MAX_READS {
            while let Some(line) = self.take_line() {
                if line == "OK" || line.starts_with("OK:") {
                    return Ok(lines);
                }
                if line.starts_with("KO") {
                    return Err(self.refusal(shown, line));
                }
                lines.push(line);
            }
            let received = match self.receive(shown) {
                // Interrupted by a signal, which is no failure; it counts as a read.
                Err(ConsoleError::Io { kind: ErrorKind::Interrupted, .. }) => continue,
                other => other?,
            };
            match received {
                Some(0) => {
                    return Err(self.broken_off(shown, ConsoleError::Closed { command: shown.to_owned() }));
                }
                None => {
                    return Err(self.broken_off(shown, ConsoleError::Silent { command: shown.to_owned() }));
                }
                Some(count) => bytes += count,
            }
            if bytes > MAX_ANSWER_BYTES {
                break;
            }
        }
        Err(ConsoleError::Endless { command: shown.to_owned() })
    }

    /// Returns how many bytes arrived: 0 at the end of the stream, `None` at its timeout.
    fn receive(&mut self, shown: &str) -> Result<Option<usize>, ConsoleError> {
        let mut piece = [0; 4096];
        match self.stream.read(&mut piece) {
            Ok(count) => {
                self.received.extend(piece.iter().take(count));
                Ok(Some(count))
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => Ok(None),
            Err(error) => Err(io(shown, &error)),
        }
    }

    /// Takes the next complete line from the received bytes, without its line end.
    fn take_line(&mut self) -> Option<String> {
        let end = self.received.iter().position(|byte| *byte == b'\n')?;
        let line: Vec<u8> = self.received.drain(..=end).collect();
        Some(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned())
    }

    /// Builds the refusal from the reason of a `KO` line and the lines that were received with it.
    fn refusal(&mut self, shown: &str, first: String) -> ConsoleError {
        let mut reasons = vec![reason(&first)];
        while let Some(line) = self.take_line() {
            reasons.push(reason(&line));
        }
        reasons.retain(|reason| !reason.is_empty());
        if reasons.is_empty() {
            reasons.push("it gives no reason".to_owned());
        }
        let reason = shortened(&reasons.join("; "), 400);
        ConsoleError::Refused { command: shown.to_owned(), reason }
    }

    /// Handles an answer that ended without a line end. Some refusals have none; in all other cases `otherwise` is
    /// returned.
    fn broken_off(&mut self, shown: &str, otherwise: ConsoleError) -> ConsoleError {
        let rest = String::from_utf8_lossy(&self.received).into_owned();
        if rest.starts_with("KO") { self.refusal(shown, rest) } else { otherwise }
    }
}

fn io(command: &str, error: &std::io::Error) -> ConsoleError {
    ConsoleError::Io { command: command.to_owned(), kind: error.kind(), problem: error.to_string() }
}

fn reason(line: &str) -> String {
    let words = line.strip_prefix("KO").map_or(line, |rest| rest.trim_start_matches(':'));
    words.chars().map(|char| if char.is_control() { ' ' } else { char }).collect::<String>().trim().to_owned()
}

fn shortened(text: &str, longest: usize) -> String {
    let short: String = text.chars().take(longest).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}

fn excerpt(text: &str) -> String {
    format!("{:?}", shortened(text, 120))
}

/// Parses the rows of the first table: `ID TAG VM-SIZE DATE TIME VM-CLOCK`. Later tables list snapshots that only some
/// disks have and that cannot be loaded. Rows are parsed outwards from the date, since the format of sizes and clocks
/// depends on the emulator's version.
fn parse_list(lines: &[String]) -> Vec<ListedSnapshot> {
    let loadable = lines.iter().take_while(|line| !line.starts_with("List of partial"));
    loadable.filter_map(|line| parse_row(line)).collect()
}

fn parse_row(line: &str) -> Option<ListedSnapshot> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let date_at = words.iter().rposition(|word| is_digits(word, "0000-00-00"))?;
    let time = words.get(date_at + 1).filter(|word| is_digits(word, "00:00:00"))?;
    let before = words.get(1..date_at)?;
    // `75M`, or `1.2 GiB` as two words.
    let size_words = match before {
        [.., number, unit] if starts_with_digit(number) && !starts_with_digit(unit) => 2,
        [.., size] if starts_with_digit(size) => 1,
        _ => return None,
    };
    let (name, size) = before.split_at_checked(before.len().checked_sub(size_words)?)?;
    if name.is_empty() {
        return None;
    }
    let saved = format!("{} {time}", words.get(date_at)?);
    Some(ListedSnapshot { name: name.join(" "), size: size.join(" "), saved })
}

fn starts_with_digit(word: &str) -> bool {
    word.starts_with(|char: char| char.is_ascii_digit())
}

/// Whether the word has a digit wherever the pattern has a zero, and is equal to the pattern elsewhere.
fn is_digits(word: &str, pattern: &str) -> bool {
    let fits = |(char, expected): (u8, u8)| char == expected || (expected == b'0' && char.is_ascii_digit());
    word.len() == pattern.len() && word.bytes().zip(pattern.bytes()).all(fits)
}

#[cfg(test)]
mod tests;
