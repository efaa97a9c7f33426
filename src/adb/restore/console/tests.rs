//! Tests of the console client against scripted consoles.

use std::collections::VecDeque;
use std::io::{Error, Result as IoResult};

use super::*;

const GREETING: &str = "Android Console: Authentication required\r\nAndroid Console: type 'auth <auth_token>' to \
                        authenticate\r\nAndroid Console: you can find your <auth_token> in \
                        \r\n'/home/me/.emulator_console_auth_token'\r\nOK\r\n";
const OPEN_GREETING: &str = "Android Console: type 'help' for a list of commands\r\nOK\r\n";

/// One turn of a scripted console: what it sends in reply to a line, and how.
enum Turn {
    Says(&'static [u8]),
    Fails(ErrorKind),
    Repeats(&'static [u8]),
}

/// A scripted console that takes one turn per received line, and one before the first; in between it sends nothing.
struct Peer {
    turns: VecDeque<Turn>,
    ready: VecDeque<u8>,
    repeats: Option<&'static [u8]>,
    fails: Option<ErrorKind>,
    piece: usize,
    written: Vec<u8>,
    closes: bool,
}

impl Peer {
    fn new(turns: impl IntoIterator<Item = Turn>) -> Self {
        let mut peer = Peer {
            turns: turns.into_iter().collect(),
            ready: VecDeque::new(),
            repeats: None,
            fails: None,
            piece: usize::MAX,
            written: Vec::new(),
            closes: false,
        };
        peer.take_turn();
        peer
    }

    fn take_turn(&mut self) {
        match self.turns.pop_front() {
            Some(Turn::Says(bytes)) => self.ready.extend(bytes),
            Some(Turn::Fails(kind)) => self.fails = Some(kind),
            Some(Turn::Repeats(bytes)) => self.repeats = Some(bytes),
            None => self.closes = true,
        }
    }
}

impl Read for Peer {
    fn read(&mut self, buffer: &mut [u8]) -> IoResult<usize> {
        if let Some(kind) = self.fails.take() {
            return Err(Error::from(kind));
        }
        if let Some(bytes) = self.repeats {
            self.ready.extend(bytes);
        }
        if self.ready.is_empty() && !self.closes {
            return Err(Error::from(ErrorKind::WouldBlock));
        }
        let count = self.ready.len().min(buffer.len()).min(self.piece);
        for (place, byte) in buffer.iter_mut().zip(self.ready.drain(..count)) {
            *place = byte;
        }
        Ok(count)
    }
}

impl Write for Peer {
    fn write(&mut self, bytes: &[u8]) -> IoResult<usize> {
        self.written.extend_from_slice(bytes);
        for _ in bytes.iter().filter(|byte| **byte == b'\n') {
            self.take_turn();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> IoResult<()> {
        Ok(())
    }
}

fn says(text: &'static str) -> Turn {
    Turn::Says(text.as_bytes())
}

/// Returns a console past its greeting that answers the next command with this turn.
fn console(turn: Turn) -> Console<Peer> {
    Console::open(Peer::new([says(OPEN_GREETING), turn])).unwrap()
}

fn name(text: &str) -> SnapshotName {
    SnapshotName::new(text).unwrap()
}

#[test]
fn authenticates_saves_loads_and_deletes() {
    for piece in [1, 3, 1000] {
        let help = "Android Console: type 'help' for a list of commands\r\nOK\r\n";
        let turns = [says(GREETING), says(help), says("OK\r\n"), says("OK\r\n"), says("OK\r\n")];
        let mut peer = Peer::new(turns);
        peer.piece = piece;
        let mut console = Console::open(peer).unwrap();
        assert!(console.wants_token());
        console.authenticate("abcDEF+/123=\n").unwrap();
        assert!(!console.wants_token());
        console.save(&name("clean-boot_1.0")).unwrap();
        console.load(&name("clean-boot_1.0")).unwrap();
        console.delete(&name("clean-boot_1.0")).unwrap();
        let written = String::from_utf8(console.stream.written).unwrap();
        assert_eq!(
            written,
            "auth abcDEF+/123=\r\navd snapshot save clean-boot_1.0\r\navd snapshot load clean-boot_1.0\r\n\
             avd snapshot delete clean-boot_1.0\r\n"
        );
    }
}

#[test]
fn a_console_without_a_token_is_told_none() {
    let mut console = Console::open(Peer::new([says(OPEN_GREETING)])).unwrap();
    assert!(!console.wants_token());
    console.authenticate("secret").unwrap();
    console.authenticate("").unwrap();
    assert!(console.stream.written.is_empty());
}

#[test]
fn a_token_is_checked_and_never_shown() {
    let open = || {
        let refusal = "KO: authentication token does not match ~/.emulator_console_auth_token\r\n";
        Console::open(Peer::new([says(GREETING), says(refusal)])).unwrap()
    };
    for token in ["", " \n", "a b", "a\nkill", "a\u{0}", "té", &"x".repeat(257)] {
        let mut console = open();
        assert!(matches!(console.authenticate(token), Err(ConsoleError::BadToken { .. })), "{token:?}");
        assert!(console.stream.written.is_empty());
    }
    let mut console = open();
    let error = console.authenticate("topsecret").unwrap_err();
    assert!(!format!("{error} {error:?}").contains("topsecret"));
    assert!(error.to_string().contains("does not match"), "{error}");
    assert!(console.wants_token());
}

#[test]
fn names_cannot_carry_anything_else() {
    for text in ["a", "default_boot", "taproof-3f.2", "0", &"n".repeat(100)] {
        assert_eq!(SnapshotName::new(text).unwrap().as_str(), text);
    }
    let hostile = [
        "", ".", "..", ".a", "-rf", "_a", "a b", "a\nkill", "a\rb", "../x", "a/b", "a\\b", "a;b", "$(x)",
        "é", "a\u{0}",
    ];
    for text in hostile.into_iter().chain([" a", "a ", &*"n".repeat(101)]) {
        assert!(matches!(SnapshotName::new(text), Err(ConsoleError::BadName { .. })), "{text:?}");
    }
}

#[test]
fn a_refusal_of_two_lines_ends_the_connection() {
    let refusal = "KO: Device 'encrypt' does not have the requested snapshot 'x'\r\nKO: Snapshot load failure: snapshot \
                   doesn't exist\r\n";
    let mut console = console(says(refusal));
    let error = console.load(&name("x")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the emulator refused \"avd snapshot load x\": Device 'encrypt' does not have the requested snapshot 'x'; \
         Snapshot load failure: snapshot doesn't exist"
    );
    let next = console.save(&name("y")).unwrap_err();
    assert_eq!(next, ConsoleError::OutOfStep { command: "avd snapshot save y".to_owned() });
    assert!(!String::from_utf8_lossy(&console.stream.written).contains("save"));
}

#[test]
fn reads_refusals_of_every_shape() {
    for (answer, reason) in [
        ("KO: No block device supports snapshots\r\n", "No block device supports snapshots"),
        ("KO:  bad sub-command\r\n", "bad sub-command"),
        ("some help\r\nKO: missing sub-command\n", "missing sub-command"),
        ("KO: without a line end", "without a line end"),
        ("KO\r\n", "it gives no reason"),
        ("KO: \r\n", "it gives no reason"),
        ("KO: a\u{7}b\tc\r\n", "a b c"),
    ] {
        for piece in [1, 1000] {
            let mut console = console(says(answer));
            console.stream.piece = piece;
            let error = console.save(&name("x")).unwrap_err();
            let expected = ConsoleError::Refused {
                command: "avd snapshot save x".to_owned(),
                reason: reason.to_owned(),
            };
            assert_eq!(error, expected);
        }
    }
}

#[test]
fn silence_ends_and_failures_have_words() {
    let silent = ConsoleError::Silent { command: "avd snapshot save x".to_owned() };
    for answer in ["", "saving", "O", "OK", "saving\r\nOK"] {
        let mut silenced = console(says(answer));
        assert_eq!(silenced.save(&name("x")).unwrap_err(), silent, "{answer:?}");
        assert!(matches!(silenced.list(), Err(ConsoleError::OutOfStep { .. })));
    }
    let mut closed = Console::open(Peer::new([says(OPEN_GREETING)])).unwrap();
    assert!(matches!(closed.save(&name("x")), Err(ConsoleError::Closed { .. })));
    let mut interrupted = console(Turn::Fails(ErrorKind::Interrupted));
    assert_eq!(interrupted.save(&name("x")).unwrap_err(), silent);
    let mut reset = console(Turn::Fails(ErrorKind::ConnectionReset));
    let error = reset.save(&name("x")).unwrap_err();
    assert!(matches!(error, ConsoleError::Io { kind: ErrorKind::ConnectionReset, .. }), "{error}");
}

#[test]
fn garbage_ends() {
    for bytes in [b"x".as_slice(), b"\n", b"\xff\xfe\0", b"a line\r\n", b"OKOK\n", b" OK\n"] {
        let mut console = console(Turn::Repeats(bytes));
        assert!(matches!(console.list(), Err(ConsoleError::Endless { .. })), "{bytes:?}");
        assert!(console.received.len() <= MAX_ANSWER_BYTES + 4096);
        let mut peer = Peer::new([Turn::Repeats(bytes)]);
        peer.piece = 1;
        assert!(matches!(Console::open(peer), Err(ConsoleError::Endless { .. })));
    }
}

#[test]
fn other_servers_are_no_console() {
    for greeting in ["OK\r\n", "SSH-2.0-x\r\nOK\r\n"] {
        let error = Console::open(Peer::new([says(greeting)])).err().unwrap();
        assert!(matches!(error, ConsoleError::NotAConsole { .. }), "{error}");
    }
    // One that sends nothing before it receives something, as adbd does, and one that hangs up.
    assert!(matches!(Console::open(Peer::new([says("")])), Err(ConsoleError::Silent { .. })));
    assert!(matches!(Console::open(Peer::new([])), Err(ConsoleError::Closed { .. })));
}

fn listed(answer: &'static str) -> Vec<(String, String, String)> {
    let list = console(says(answer)).list().unwrap();
    list.into_iter().map(|row| (row.name, row.size, row.saved)).collect()
}

fn row(name: &str, size: &str, saved: &str) -> (String, String, String) {
    (name.to_owned(), size.to_owned(), saved.to_owned())
}

#[test]
fn lists_what_can_be_loaded() {
    let answer = "List of snapshots present on all disks:\r\nID        TAG                 VM SIZE                DATE       \
                  VM CLOCK\r\n--        default_boot            75M 2026-09-09 11:41:45   00:10:07.753\r\n--        \
                  fixture_test           1.2G 2026-09-09 16:55:38   00:10:45.114\r\n\r\nList of partial (non-loadable) \
                  snapshots on 'cache.img':\r\nID        TAG                 VM SIZE                DATE       VM \
                  CLOCK\r\n--        broken              1M 2026-10-02 20:21:34   00:00:01.000\r\nOK\r\n";
    assert_eq!(
        listed(answer),
        [
            row("default_boot", "75M", "2026-09-09 11:41:45"),
            row("fixture_test", "1.2G", "2026-09-09 16:55:38")
        ]
    );
}

#[test]
fn lists_of_other_ages_and_empty_ones() {
    assert_eq!(
        listed(
            "List of snapshots present on all disks:\nID        TAG               VM SIZE                DATE     VM CLOCK  \
             ICOUNT\n1         my own name 2  892 MiB 2026-09-21 15:33:50 00:14:32.785       17\nOK\n"
        ),
        [row("my own name 2", "892 MiB", "2026-09-21 15:33:50")]
    );
    for answer in [
        "List of snapshots present on all disks:\r\nNone\r\nOK\r\n",
        "There is no snapshot available.\r\nOK\r\n",
        "OK\r\n",
        "--        x     ...   00:02:37\r\n-- 2026-09-21 15:33:50\r\n-- 1M 2026-09-21 15:33:50\r\nOK\r\n",
        "-- a 1M 2026-09-21\r\n2026-09-21\r\n-- a b 2026-09-21 15:33:50 x\r\nOK\r\n",
    ] {
        assert_eq!(listed(answer), [], "{answer:?}");
    }
}
