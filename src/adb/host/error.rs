//! Errors of the adb server, the `adb` program and devices, with messages for users.

use std::io;
use std::time::Duration;

use taproof_engine::device::{DeviceError, LinkFault};
use taproof_screen::words;

/// A failure of the adb server, the `adb` program or a device. As a text it is a sentence for people; what was asked for and
/// what the other side said to that follows in square brackets at its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdbError {
    /// An environment variable has an unusable value.
    #[error("the environment variable {variable} is {value:?}: expected {expected}; correct it or unset it")]
    BadVariable {
        /// The name of the environment variable.
        variable: &'static str,
        /// Its current value, which cannot be used.
        value: String,
        /// The values that would be accepted.
        expected: &'static str,
    },
    /// No server is running on this machine.
    #[error(
        "no adb server runs at {address}; start it with `adb start-server`, or let this program start it"
    )]
    NotRunning {
        /// The address that was tried.
        address: String,
    },
    /// The other machine answers, but no adb server is running there.
    #[error(
        "the machine of the adb server {address} refuses the connection; start the server there with \
         `adb -a nodaemon server start`, or correct ADB_SERVER_SOCKET and ANDROID_ADB_SERVER_ADDRESS here"
    )]
    RemoteRefused {
        /// The address that was tried.
        address: String,
    },
    /// The other machine cannot be reached.
    #[error(
        "the adb server {address} cannot be reached: {problem}; check its name, its port and the network"
    )]
    Unreachable {
        /// The address that was tried.
        address: String,
        /// The operating system's message.
        problem: String,
    },
    /// The `adb` program was not found.
    #[error(
        "the program adb was not found; install Android's platform-tools, or name its place in ADB or in \
         ANDROID_HOME; looked for {looked}"
    )]
    NoProgram {
        /// The places that were searched, comma-separated.
        looked: String,
    },
    /// The `adb` program failed.
    #[error("{program} failed: {problem}{}", said(.output))]
    Program {
        /// The command line that was run.
        program: String,
        /// Its exit status, or why it could not be started.
        problem: String,
        /// The beginning of what it printed.
        output: String,
    },
    /// The server or the device refused a request.
    #[error("{}; {} [{what}: {text:?}]", .reason.words(), .reason.advice())]
    Refused {
        /// The request and its addressee.
        what: String,
        /// The reason, as far as the text is known.
        reason: Refusal,
        /// The message of the server or the device.
        text: String,
    },
    /// The server could not connect to a device in the network.
    #[error("{target:?} could not be connected; {advice} [{text:?}]")]
    NotConnected {
        /// The device's host and port.
        target: String,
        /// The text of the server's answer.
        text: String,
        /// What a person can try.
        advice: &'static str,
    },
    /// The server could not pair with a device in the network.
    #[error("{target:?} could not be paired; {advice} [{text:?}]")]
    NotPaired {
        /// The device's host and port for pairing.
        target: String,
        /// The text of the server's answer.
        text: String,
        /// What a person can try.
        advice: &'static str,
    },
    /// The device was not ready in time.
    #[error("{serial} was not ready within {limit:?}: {state}; {advice}")]
    NotReady {
        /// The serial of the device.
        serial: String,
        /// Its last known state.
        state: String,
        /// What to do about it.
        advice: &'static str,
        /// How long the call waited.
        limit: Duration,
    },
    /// The peer violates the protocol.
    #[error(
        "what came is no answer of adb; is it an adb server, and is its version a usual one? [{what}: expected {expected}, \
         but {found} came]"
    )]
    Garbage {
        /// The request that was being made.
        what: String,
        /// What the protocol requires here.
        expected: &'static str,
        /// The beginning of what was received, quoted.
        found: String,
    },
    /// The command ran to its end, but its output was changed on the way.
    #[error(
        "what came is not what the device sent; check the cable, the hub or the network between them [{what}]"
    )]
    Garbled {
        /// The request that was being made.
        what: String,
    },
    /// The connection was closed before the answer was complete.
    #[error("the connection broke off; check the cable and whether adb still runs [{what}]")]
    Closed {
        /// The operation that was under way.
        what: String,
    },
    /// The deadline passed before the operation was complete.
    #[error("no answer came within {limit:?}; if the device looks stuck, unlock or restart it [{what}]")]
    Deadline {
        /// The operation that was under way.
        what: String,
        /// The time limit of the call.
        limit: Duration,
    },
    /// The caller cancelled the operation.
    #[error("{what} was cancelled")]
    Cancelled {
        /// The operation that was under way.
        what: String,
    },
    /// The answer is longer than the limit.
    #[error("{what} gave more than {limit} bytes; ask for less, or raise the limit")]
    TooMuch {
        /// The operation that was under way.
        what: String,
        /// The limit in bytes.
        limit: usize,
    },
    /// A request is longer than the device accepts. If it were sent, it would crash the adb server.
    #[error(
        "{what} has {length} bytes, but the device takes {limit} at once; put it into a file and run that"
    )]
    TooLong {
        /// The request that was to be sent.
        what: String,
        /// The request's length in bytes.
        length: usize,
        /// The limit of the device in bytes.
        limit: usize,
    },
    /// The device could not read or write a file.
    #[error("{what} failed: {text:?}; {}", file_advice(.text))]
    File {
        /// The operation that was under way, with the file and the device.
        what: String,
        /// The error message of the device.
        text: String,
    },
    /// A text cannot be sent in this protocol.
    #[error("{text} cannot be sent: it {problem}")]
    BadText {
        /// The beginning of the text, quoted.
        text: String,
        /// Why it cannot be sent.
        problem: &'static str,
    },
    /// An operation of the operating system failed.
    #[error("{what}: {text}")]
    Io {
        /// The operation that was under way.
        what: String,
        /// The kind of the I/O error.
        kind: io::ErrorKind,
        /// The operating system's message.
        text: String,
    },
}

impl AdbError {
    /// The error for a failed system call. If the peer broke the connection off, it is [`AdbError::Closed`].
    pub(super) fn io(what: &str, error: &io::Error) -> Self {
        use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
        let what = what.to_owned();
        match error.kind() {
            BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof => AdbError::Closed { what },
            kind => AdbError::Io { what, kind, text: error.to_string() },
        }
    }

    /// The error for a refusal with the peer's message.
    pub(super) fn refused(what: &str, text: &[u8]) -> Self {
        let text = clipped(&String::from_utf8_lossy(text));
        AdbError::Refused { what: what.to_owned(), reason: Refusal::of(&text), text }
    }

    /// The error for a peer that violates the protocol.
    pub(crate) fn garbage(what: &str, expected: &'static str, found: &[u8]) -> Self {
        AdbError::Garbage { what: what.to_owned(), expected, found: excerpt(found) }
    }

    /// The kind of connection failure that this error is.
    pub fn fault(&self) -> LinkFault {
        match self {
            AdbError::Cancelled { .. } => LinkFault::Cancelled,
            AdbError::Deadline { .. } => LinkFault::TimedOut,
            AdbError::Garbled { .. } => LinkFault::OutputGarbled,
            // A length that was garbled on its way may announce more than any real answer has.
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
            _ => LinkFault::Other,
        }
    }
}

impl From<AdbError> for DeviceError {
    fn from(error: AdbError) -> Self {
        DeviceError::Link { problem: error.to_string(), fault: error.fault() }
    }
}

words! {
    /// Why the server or the device refused a request.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Refusal {
        /// No device has this serial.
        NotFound = "the device is not connected"
            / "plug the device in again, or choose one that `adb devices` lists",
        /// No device is connected.
        NoDevice = "no device is connected"
            / "plug a device in or start an emulator",
        /// The user has not allowed this computer to debug the device.
        Unauthorized = "the phone does not allow this computer to debug it"
            / "unlock the phone and allow USB debugging in the question that it shows",
        /// The device does not answer.
        Offline = "the device does not answer"
            / "plug the device in again, or restart the emulator",
        /// The operating system denies the server access to the device.
        NoPermissions = "this computer may not use the device"
            / "install the udev rules for Android phones, join the group plugdev, and plug the phone in again",
        /// Several devices are connected and none was named.
        SeveralDevices = "several devices are connected"
            / "choose a device, or name its serial in ANDROID_SERIAL",
        /// The server does not know the requested service.
        UnknownService = "the adb server does not know what it was asked for"
            / "the adb server is too old for this: update Android's platform-tools",
        /// The device does not offer the requested service.
        Closed = "the device refused a request"
            / "this device does not offer it; older ones lack much",
        /// A reason that is not known here.
        Other = "adb refused a request"
            / "look whether `adb devices` lists the device as ready, then try again",
    }
    /// What was refused, for people.
    fn words;
    /// What a person can do about it.
    pub fn advice;
}

impl Refusal {
    /// Classifies the reason given by a server of any version.
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
}

/// The beginning of what a peer sent, quoted for a message.
pub(super) fn excerpt(bytes: &[u8]) -> String {
    const SHOWN: usize = 40;
    let text = format!("\"{}\"", bytes.get(..SHOWN).unwrap_or(bytes).escape_ascii());
    if bytes.len() > SHOWN { text + "…" } else { text }
}

/// The beginning of a text, quoted for a message.
pub(super) fn text_excerpt(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}…", text.get(..end).unwrap_or_default()),
        None => format!("{text:?}"),
    }
}

/// A command shortened for a message: its first line with an effect, without the lines that only separate its answers
/// or clean up.
pub(super) fn command_excerpt(command: &str) -> String {
    let wraps = |line: &str| {
        let parts = line == "echo" || line.starts_with("echo taproof-");
        parts || line.starts_with(['{', '}', '#', ':']) || line.is_empty()
    };
    let lines: Vec<&str> = command.lines().map(str::trim).filter(|line| !wraps(line)).collect();
    let telling = lines.iter().find(|line| !line.starts_with("rm -f ")).or(lines.first());
    text_excerpt(telling.copied().unwrap_or(command))
}

/// A peer's text, trimmed and shortened for a message.
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
            "the phone does not allow this computer to debug it; unlock the phone and allow USB debugging in the question \
             that it shows [\"ls\" on emulator-5554: \"device unauthorized.\"]"
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
