//! What can go wrong between us, the adb server and a device, in words for the person who sits before it.

use std::io;
use std::time::Duration;

use taproof_core::device::{DeviceError, LinkFault};

/// The adb server, the `adb` program or a device failed us.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdbError {
    /// An environment variable cannot be used.
    #[error("the environment variable {variable} is {value:?}: expected {expected}; correct it or unset it")]
    BadVariable {
        /// Its name.
        variable: &'static str,
        /// What it says.
        value: String,
        /// What it could say.
        expected: &'static str,
    },
    /// No server runs on this machine.
    #[error(
        "no adb server runs at {address}; start it with `adb start-server`, or let this program start it"
    )]
    NotRunning {
        /// Where it was looked for.
        address: String,
    },
    /// The other machine answers, but no adb server does.
    #[error(
        "the machine of the adb server {address} refuses the connection; start the server there with \
         `adb -a nodaemon server start`, or correct ADB_SERVER_SOCKET and ANDROID_ADB_SERVER_ADDRESS here"
    )]
    RemoteRefused {
        /// Where it was looked for.
        address: String,
    },
    /// The other machine cannot be reached.
    #[error(
        "the adb server {address} cannot be reached: {problem}; check its name, its port and the network"
    )]
    Unreachable {
        /// Where it was looked for.
        address: String,
        /// What the system says.
        problem: String,
    },
    /// The `adb` program is nowhere.
    #[error(
        "the program adb was not found; install Android's platform-tools, or name its place in ADB or in \
         ANDROID_HOME; looked for {looked}"
    )]
    NoProgram {
        /// The places, comma-separated.
        looked: String,
    },
    /// The `adb` program did not do what it was started for.
    #[error("{program} failed: {problem}{}", said(.output))]
    Program {
        /// Its command line.
        program: String,
        /// How it ended.
        problem: String,
        /// The end of what it printed.
        output: String,
    },
    /// The server or the device said no.
    #[error("{what} was refused: {text:?}; {}", .reason.advice())]
    Refused {
        /// What was asked, and of whom.
        what: String,
        /// Why, as far as we know the text.
        reason: Refusal,
        /// What it said.
        text: String,
    },
    /// The server could not connect to a device in the network.
    #[error("{target:?} could not be connected: {text:?}; {advice}")]
    NotConnected {
        /// The device's host and port.
        target: String,
        /// What the server said.
        text: String,
        /// What to try.
        advice: &'static str,
    },
    /// The device was not ready in time.
    #[error("{serial} was not ready within {limit:?}: {state}; {advice}")]
    NotReady {
        /// The device.
        serial: String,
        /// Its last known state.
        state: String,
        /// What to do about it.
        advice: &'static str,
        /// How long it was waited for.
        limit: Duration,
    },
    /// The peer does not speak as it should.
    #[error(
        "{what}: expected {expected}, but {found} came; is it an adb server, and is its version a usual one?"
    )]
    Garbage {
        /// What was being asked.
        what: String,
        /// What should have come.
        expected: &'static str,
        /// The beginning of what came.
        found: String,
    },
    /// The command ran to its end, but what came of its output is not what it printed.
    #[error(
        "{what}: what came is not what the device sent; check the cable, the hub or the network between them"
    )]
    Garbled {
        /// What was being asked.
        what: String,
    },
    /// The connection ended before the answer did.
    #[error("{what}: the connection was closed in the middle; check the cable and whether adb still runs")]
    Closed {
        /// What was being done.
        what: String,
    },
    /// It took too long.
    #[error(
        "{what} took longer than {limit:?} and was given up; if the device looks stuck, unlock or restart it"
    )]
    Deadline {
        /// What was being done.
        what: String,
        /// How long it could take.
        limit: Duration,
    },
    /// Somebody asked us to stop.
    #[error("{what} was cancelled")]
    Cancelled {
        /// What was being done.
        what: String,
    },
    /// More came than we are ready to take.
    #[error("{what} gave more than {limit} bytes; ask for less, or raise the limit")]
    TooMuch {
        /// What was being done.
        what: String,
        /// How many bytes are taken.
        limit: usize,
    },
    /// A request is longer than the other side takes. Sent on, it would end the adb server.
    #[error(
        "{what} has {length} bytes, but the device takes {limit} at once; put it into a file and run that"
    )]
    TooLong {
        /// What was to be asked.
        what: String,
        /// How many bytes it has.
        length: usize,
        /// How many the device takes.
        limit: usize,
    },
    /// The device could not read or write a file.
    #[error("{what} failed: {text:?}; {}", file_advice(.text))]
    File {
        /// What was being done, with the file and the device.
        what: String,
        /// What the device said.
        text: String,
    },
    /// A text cannot be said in this protocol.
    #[error("{text} cannot be sent: it {problem}")]
    BadText {
        /// Its beginning, quoted.
        text: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The system failed us.
    #[error("{what}: {text}")]
    Io {
        /// What was being done.
        what: String,
        /// The kind that the system names.
        kind: io::ErrorKind,
        /// What it says.
        text: String,
    },
}

impl AdbError {
    /// A failure of the system; a connection that the peer broke off counts as closed.
    pub(super) fn io(what: &str, error: &io::Error) -> Self {
        use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
        let what = what.to_owned();
        match error.kind() {
            BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof => AdbError::Closed { what },
            kind => AdbError::Io { what, kind, text: error.to_string() },
        }
    }

    /// A refusal with the peer's text.
    pub(super) fn refused(what: &str, text: &[u8]) -> Self {
        let text = clipped(&String::from_utf8_lossy(text));
        AdbError::Refused { what: what.to_owned(), reason: Refusal::of(&text), text }
    }

    /// Something else came than should have.
    pub(crate) fn garbage(what: &str, expected: &'static str, found: &[u8]) -> Self {
        AdbError::Garbage { what: what.to_owned(), expected, found: excerpt(found) }
    }

    /// What kind of failure of the connection this is.
    pub fn fault(&self) -> LinkFault {
        match self {
            AdbError::Cancelled { .. } => LinkFault::Cancelled,
            AdbError::Deadline { .. } => LinkFault::TimedOut,
            AdbError::Garbled { .. } => LinkFault::OutputGarbled,
            // A length that was changed on its way announces more than anybody has.
            AdbError::Garbage { .. } | AdbError::TooMuch { .. } => LinkFault::Garbled,
            AdbError::NotRunning { .. }
            | AdbError::RemoteRefused { .. }
            | AdbError::Unreachable { .. }
            | AdbError::NotReady { .. }
            | AdbError::Closed { .. } => LinkFault::Lost,
            AdbError::Refused { reason, .. } => match reason {
                Refusal::UnknownService | Refusal::Other => LinkFault::Garbled,
                Refusal::NotFound
                | Refusal::NoDevice
                | Refusal::Unauthorized
                | Refusal::Offline
                | Refusal::NoPermissions => LinkFault::Lost,
                Refusal::Closed => LinkFault::Closed,
                Refusal::SeveralDevices => LinkFault::Other,
            },
            AdbError::NoProgram { .. } | AdbError::Program { .. } => LinkFault::NoProgram,
            AdbError::Io { .. } => LinkFault::Io,
            AdbError::BadVariable { .. }
            | AdbError::NotConnected { .. }
            | AdbError::TooLong { .. }
            | AdbError::File { .. }
            | AdbError::BadText { .. } => LinkFault::Other,
        }
    }
}

impl From<AdbError> for DeviceError {
    fn from(error: AdbError) -> Self {
        DeviceError::Link { problem: error.to_string(), fault: error.fault() }
    }
}

/// Why the server or the device said no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No device has this serial.
    NotFound,
    /// There is no device at all.
    NoDevice,
    /// The device has not allowed this computer.
    Unauthorized,
    /// The device does not answer.
    Offline,
    /// The system does not let the server use the device.
    NoPermissions,
    /// It is not clear which device is meant.
    SeveralDevices,
    /// The server does not know what was asked.
    UnknownService,
    /// The device does not serve this.
    Closed,
    /// A text that we do not know.
    Other,
}

impl Refusal {
    /// What a reason given by a server, of any version, means.
    pub(super) fn of(text: &str) -> Self {
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        if text.trim() == "closed" {
            Refusal::Closed
        } else if has(&["more than one device", "more than one emulator"]) {
            Refusal::SeveralDevices
        } else if has(&["unauthorized", "still authorizing"]) {
            Refusal::Unauthorized
        } else if has(&["insufficient permissions", "no permissions"]) {
            Refusal::NoPermissions
        } else if has(&["offline", "still connecting"]) {
            Refusal::Offline
        } else if has(&["no devices", "no emulators"]) {
            Refusal::NoDevice
        } else if has(&["unknown host service"]) {
            Refusal::UnknownService
        } else if text.starts_with("device ") && text.contains("not found") {
            Refusal::NotFound
        } else {
            Refusal::Other
        }
    }

    /// What a person can do about it.
    pub fn advice(self) -> &'static str {
        match self {
            Refusal::NotFound => "plug the device in again, or choose one that `adb devices` lists",
            Refusal::NoDevice => "plug a device in or start an emulator",
            Refusal::Unauthorized => "unlock the phone and allow USB debugging in the question that it shows",
            Refusal::Offline => "plug the device in again, or restart the emulator",
            Refusal::NoPermissions => {
                "install the udev rules for Android phones, join the group plugdev, and plug the phone in again"
            }
            Refusal::SeveralDevices => "choose a device, or name its serial in ANDROID_SERIAL",
            Refusal::UnknownService => "the adb server is too old for this: update Android's platform-tools",
            Refusal::Closed => "this device does not offer it; older ones lack much",
            Refusal::Other => "look whether `adb devices` lists the device as ready, then try again",
        }
    }
}

/// The beginning of what a peer sent, in quotes, for a message.
pub(super) fn excerpt(bytes: &[u8]) -> String {
    const SHOWN: usize = 40;
    let text = format!("\"{}\"", bytes.get(..SHOWN).unwrap_or(bytes).escape_ascii());
    if bytes.len() > SHOWN { text + "…" } else { text }
}

/// The beginning of a text, in quotes, for a message.
pub(super) fn text_excerpt(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}…", text.get(..end).unwrap_or_default()),
        None => format!("{text:?}"),
    }
}

/// A command in words for a message: its first line that does something, without what only parts its answers or
/// clears up for it.
pub(super) fn command_excerpt(command: &str) -> String {
    let wraps = |line: &str| {
        let parts = line == "echo" || line.starts_with("echo taproof-");
        parts || line.starts_with(['{', '}', '#', ':']) || line.is_empty()
    };
    let lines: Vec<&str> = command.lines().map(str::trim).filter(|line| !wraps(line)).collect();
    let telling = lines.iter().find(|line| !line.starts_with("rm -f ")).or(lines.first());
    text_excerpt(telling.copied().unwrap_or(command))
}

/// A text of a peer, shortened to what a message can hold.
pub(super) fn clipped(text: &str) -> String {
    const KEPT: usize = 300;
    let text = text.trim();
    match text.char_indices().nth(KEPT) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

fn said(output: &str) -> String {
    match output.trim() {
        "" => "; it printed nothing".to_owned(),
        output => format!("; it printed {output:?}"),
    }
}

fn file_advice(text: &str) -> &'static str {
    let lower = text.to_ascii_lowercase();
    if lower.contains("no space") {
        "make room on the device"
    } else if lower.contains("permission") || lower.contains("read-only") {
        "choose a place that adb may use, such as /data/local/tmp or /sdcard"
    } else if lower.contains("no such file") || lower.contains("does not exist") {
        "check the path"
    } else {
        "check the path and the room on the device"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reasons_of_all_servers_are_known() {
        let check = |text: &str, expected: Refusal| assert_eq!(Refusal::of(text), expected, "{text}");
        check("device 'emulator-5554' not found", Refusal::NotFound);
        check("device not found", Refusal::NotFound);
        check("no devices/emulators found", Refusal::NoDevice);
        check("no devices found", Refusal::NoDevice);
        check("device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set", Refusal::Unauthorized);
        check("device still authorizing", Refusal::Unauthorized);
        check("device offline", Refusal::Offline);
        check("device still connecting", Refusal::Offline);
        check("more than one device/emulator", Refusal::SeveralDevices);
        check("more than one device and emulator", Refusal::SeveralDevices);
        check("insufficient permissions for device: user in plugdev group", Refusal::NoPermissions);
        check("unknown host service", Refusal::UnknownService);
        check("unknown host service 'track-devices-l'", Refusal::UnknownService);
        check("closed", Refusal::Closed);
        check("listener 'tcp:1' not found", Refusal::Other);
        check("", Refusal::Other);
    }

    #[test]
    fn messages_say_what_failed_on_what_and_what_to_try() {
        let refused = AdbError::refused("\"ls\" on emulator-5554", b"device unauthorized.\n");
        assert_eq!(
            refused.to_string(),
            "\"ls\" on emulator-5554 was refused: \"device unauthorized.\"; unlock the phone and allow USB \
             debugging in the question that it shows"
        );
        let garbage = AdbError::garbage("\"host:version\"", "OKAY or FAIL", b"HTTP/1.1 400\r\n\xff");
        assert!(garbage.to_string().contains(r#"expected OKAY or FAIL, but "HTTP/1.1 400\r\n\xff" came"#));
        let full = AdbError::File { what: "push".to_owned(), text: "No space left on device".to_owned() };
        assert!(full.to_string().ends_with("make room on the device"));
        let late = AdbError::Deadline { what: "x".to_owned(), limit: Duration::from_millis(1500) };
        assert!(late.to_string().contains("1.5s"));
    }

    #[test]
    fn what_a_peer_says_is_shortened() {
        assert_eq!(excerpt(&[0u8; 1000]).chars().count(), 40 * 4 + 3);
        assert_eq!(clipped(&"é".repeat(1000)).chars().count(), 301);
        assert_eq!(text_excerpt("a\nb"), "\"a\\nb\"");
        assert!(text_excerpt(&"é".repeat(100)).ends_with("\"…"));
    }

    #[test]
    fn a_command_is_told_by_what_it_does() {
        let check = |command: &str, said: &str| assert_eq!(command_excerpt(command), said);
        check("id", "\"id\"");
        check("{\ninput tap 1 2\n} 2>&1\necho\necho taproof-section\nrm -f /x", "\"input tap 1 2\"");
        check("\necho\necho taproof-section\nrm -f /x\nuiautomator dump /x", "\"uiautomator dump /x\"");
        check("rm -f /x", "\"rm -f /x\"");
        check("", "\"\"");
    }

    #[test]
    fn who_is_gone_can_be_waited_for() {
        assert_eq!(AdbError::refused("x", b"device 'a' not found").fault(), LinkFault::Lost);
        assert_eq!(
            AdbError::io("x", &io::Error::from(io::ErrorKind::ConnectionReset)).fault(),
            LinkFault::Lost
        );
        assert_eq!(AdbError::refused("x", b"closed").fault(), LinkFault::Closed);
        assert_eq!(AdbError::Cancelled { what: "x".to_owned() }.fault(), LinkFault::Cancelled);
    }
}
