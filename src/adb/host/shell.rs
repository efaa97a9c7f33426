//! Parsing what a device's shell answers: packets on newer devices, one raw stream on older ones.

use super::{AdbError, AdbStream, Patience};
use crate::output::undo_crlf;

/// The packet that closes standard input: a command that reads its input must not wait for it.
const NO_INPUT: [u8; 5] = [4, 0, 0, 0, 0];

/// The beginning of the raw stream's last line; the exit code follows. A list of processes may contain it too, but
/// followed by `$?`.
const MARKER: &str = "taproof-exit-code:";

/// The output of a command and its exit code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShellOutput {
    /// Standard output; on devices before Android 7 merged with standard error.
    pub stdout: Vec<u8>,
    /// Standard error; empty on devices before Android 7.
    pub stderr: Vec<u8>,
    /// The exit code; `None` if the device's shell ended before it could report one.
    pub code: Option<i32>,
}

impl ShellOutput {
    /// Standard output as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Standard output and standard error as text, for messages that may appear on either.
    pub fn everything(&self) -> String {
        self.text() + &String::from_utf8_lossy(&self.stderr)
    }
}

/// Appends a line that prints the exit code, even if the command ends the shell that it runs in.
pub(super) fn with_trailer(command: &str) -> String {
    // On separate lines, since the command may end with a comment or a text that extends to the end of its line.
    format!("(\n{command}\n)\necho {MARKER}$?")
}

/// Removes the exit code's line from the raw stream; `None` if the line is missing because the device went away. The
/// line's end shows whether this device's terminal has put a CR before every LF.
pub(super) fn without_trailer(bytes: &[u8]) -> Option<ShellOutput> {
    let (at, behind, code) = find_trailer(bytes)?;
    let (before, trailer_and_rest) = bytes.split_at(at);
    let (trailer, rest) = trailer_and_rest.split_at(behind);
    // Background processes may print later.
    let output = [before, rest].concat();
    let stdout = if trailer.ends_with(b"\r\n") { undo_crlf(&output) } else { output };
    Some(ShellOutput { stdout, stderr: Vec::new(), code: Some(code) })
}

/// The offset of the last complete trailer, its length including the line end, and the exit code in it.
fn find_trailer(bytes: &[u8]) -> Option<(usize, usize, i32)> {
    let marker = MARKER.as_bytes();
    let mut end = bytes.len();
    loop {
        let at = bytes.get(..end)?.windows(marker.len()).rposition(|window| window == marker)?;
        let behind = bytes.get(at + marker.len()..)?;
        let digits = behind.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let line_end = behind.get(digits..)?;
        let breaks = line_end.iter().take_while(|byte| **byte == b'\r').count();
        let code = std::str::from_utf8(behind.get(..digits)?).ok().and_then(|digits| digits.parse().ok());
        if let (Some(code), Some(b'\n')) = (code, line_end.get(breaks)) {
            return Some((at, marker.len() + digits + breaks + 1, code));
        }
        end = at;
    }
}

/// Reads packets up to the one with the exit code. Fails with [`AdbError::Closed`] if that never comes,
/// [`AdbError::Garbage`] for packets that no device sends, [`AdbError::TooMuch`] beyond `limit` bytes of output, and
/// the errors of reading.
pub(super) fn read_packets(
    stream: &mut AdbStream,
    limit: usize,
    patience: &Patience<'_>,
) -> Result<ShellOutput, AdbError> {
    match stream.write_all(&NO_INPUT, patience) {
        // A command that has already ended does not need this, and its output still has to be read.
        Ok(()) | Err(AdbError::Closed { .. }) => {}
        Err(error) => return Err(error),
    }
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    loop {
        let mut header = [0; 5];
        stream.read_exact(&mut header, patience)?;
        let [id, length @ ..] = header;
        let length = usize::try_from(u32::from_le_bytes(length)).unwrap_or(usize::MAX);
        match id {
            1 => stream.read_behind(&mut stdout, length, limit.saturating_sub(stderr.len()), patience),
            2 => stream.read_behind(&mut stderr, length, limit.saturating_sub(stdout.len()), patience),
            3 if length == 1 => {
                let mut code = [0];
                stream.read_exact(&mut code, patience)?;
                let code = code.first().map(|code| i32::from(*code));
                return Ok(ShellOutput { stdout, stderr, code });
            }
            _ => Err(AdbError::garbage(stream.what(), "a packet of output, errors or exit code", &header)),
        }
        .map_err(|error| match error {
            AdbError::TooMuch { what, .. } => AdbError::TooMuch { what, limit },
            error => error,
        })?;
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::Duration;

    use super::super::AdbLink;
    use super::super::tests::peer::{Act, Peer, block, device_service, request};
    use super::*;

    const SECONDS: Duration = Duration::from_secs(5);

    fn check(stream: &str, output: &str, code: i32) {
        let found = without_trailer(stream.as_bytes()).unwrap();
        assert_eq!((found.text().as_str(), found.code), (output, Some(code)), "{stream:?}");
    }

    #[test]
    fn the_exit_code_is_cut_off_and_line_ends_are_undone_once() {
        check("hello\ntaproof-exit-code:0\n", "hello\n", 0);
        check("hellotaproof-exit-code:127\n", "hello", 127);
        check("a\r\nb\r\ntaproof-exit-code:1\r\n", "a\nb\n", 1);
        check("a\r\r\ntaproof-exit-code:0\r\n", "a\r\n", 0);
        check("a\r\nb\ntaproof-exit-code:0\n", "a\r\nb\n", 0);
        check("taproof-exit-code:3\nlate\n", "late\n", 3);
        let listed = "sh -c ps\\necho taproof-exit-code:$?\ntaproof-exit-code:0\n";
        check(listed, "sh -c ps\\necho taproof-exit-code:$?\n", 0);
        check("taproof-exit-code:0\ntaproof-exit-code:9\n", "taproof-exit-code:0\n", 9);
    }

    #[test]
    fn what_has_no_exit_code_is_no_answer() {
        for cut in [
            "",
            "a\nb\n",
            "cut taproof-exit-code:12",
            "taproof-exit-code:\n",
            "taproof-exit-code:9999999999\n",
        ] {
            assert_eq!(without_trailer(cut.as_bytes()), None, "{cut:?}");
        }
        check("x taproof-exit-code:5\ntaproof-exit-code:$?", "x taproof-exit-code:$?", 5);
    }

    #[test]
    fn a_picture_that_a_terminal_damaged_is_whole_again() {
        let named = std::env::var_os("TAPROOF_DATA").map(PathBuf::from);
        let data =
            named.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"));
        let Ok(damaged) = std::fs::read(data.join("android44/screencap_via_shell_crlf.bin")) else {
            println!("skipped: no data");
            return;
        };
        let picture = undo_crlf(&damaged);
        assert_eq!((damaged.len(), picture.len()), (29_528, 29_416));
        assert!(picture.starts_with(b"\x89PNG\r\n\x1a\n") && picture.ends_with(b"IEND\xaeB`\x82"));
    }

    fn packet(id: u8, text: &[u8]) -> Vec<u8> {
        [&[id], &u32::try_from(text.len()).unwrap().to_le_bytes()[..], text].concat()
    }

    /// Parses what a device sends in packets.
    fn shell(act: Act, limit: usize, patience: &Patience<'_>) -> Result<ShellOutput, AdbError> {
        let mut script = device_service("a", "shell,v2,TERM=xterm,raw:id");
        script.extend([Act::Expect(NO_INPUT.to_vec()), act]);
        let peer = Peer::serve(vec![vec![request("host-serial:a:features"), block("shell_v2")], script]);
        let mut link = AdbLink::connect(&peer.server, "a", patience).unwrap();
        link.output_limit = limit;
        let output = link.shell("id", patience);
        peer.finish();
        output
    }

    #[test]
    fn packets_come_in_any_pieces() {
        let packets = [
            packet(1, b"out\n"),
            packet(2, b"err\n"),
            packet(1, b""),
            packet(1, &[0, 255, b'\r', b'\n']),
            packet(3, &[3]),
            packet(1, b"nobody reads this"),
        ];
        let sent = packets.concat();
        for act in [Act::Send(sent.clone()), Act::Bytewise(sent)] {
            let output = shell(act, 1000, &Patience::new(SECONDS, &|| false)).unwrap();
            assert_eq!(output.stdout, b"out\n\x00\xff\r\n");
            assert_eq!((output.stderr.as_slice(), output.code), (&b"err\n"[..], Some(3)));
        }
    }

    #[test]
    fn a_device_that_stops_in_the_middle_has_not_answered() {
        let whole = [packet(1, b"out\n"), packet(3, &[0])].concat();
        for cut in 0..whole.len() {
            let patience = Patience::new(SECONDS, &|| false);
            let closed = shell(Act::Send(whole[..cut].to_vec()), 1000, &patience).unwrap_err();
            assert_eq!(closed, AdbError::Closed { what: "\"id\" on a".to_owned() }, "{cut}");
        }
        let patience = Patience::new(Duration::from_millis(150), &|| false);
        let late = shell(Act::UntilClosed, 1000, &patience).unwrap_err();
        assert!(matches!(late, AdbError::Deadline { .. }) && patience.elapsed() < Duration::from_secs(3));
    }

    #[test]
    fn garbage_and_floods_are_ended() {
        let patience = Patience::new(SECONDS, &|| false);
        let say = |bytes: &[u8]| shell(Act::Send(bytes.to_vec()), 1000, &patience).unwrap_err();
        for bytes in
            [&b"hello world"[..], &packet(0, b"x"), &packet(5, b"x"), &packet(3, b""), &packet(3, b"no")]
        {
            assert!(matches!(say(bytes), AdbError::Garbage { .. }), "{bytes:?}");
        }
        let announced = [1, 255, 255, 255, 255, b'x'];
        assert!(matches!(say(&announced), AdbError::TooMuch { limit: 1000, .. }));
        let both = [packet(1, &[b'x'; 600]), packet(2, &[b'x'; 600])].concat();
        assert!(matches!(say(&both), AdbError::TooMuch { limit: 1000, .. }));
    }
}
