//! A checksum of what a device's shell prints, computed on the device. Neither the protocol of the adb server nor that
//! of current devices has one, so a byte changed by a cable or a network would change the content of a screen
//! unnoticed.

use super::ShellOutput;

/// What `md5sum` prints after the digest of its standard input.
const OF_INPUT: &[u8] = b"  -";
const DIGITS: usize = 32;

/// Wraps the command so that a line with the checksum of its exit code and output follows its output. The output is
/// what the command printed with exactly one line end after it. With `errors_among`, standard error is merged into the
/// output: where there is only one stream, errors must not come before the output. Where they have a stream of their
/// own they stay out of it. `print` is a builtin of every Android's shell, so the length of the output is not limited.
pub(super) fn with_checksum(command: &str, errors_among: bool) -> String {
    let output = if errors_among { format!("{{\n{command}\n}} 2>&1") } else { command.to_owned() };
    format!(
        "OUTPUT=$(\n{output}\n)\nCODE=$?\nprint -r -- \"$OUTPUT\"\nprint -r -- \"$CODE $OUTPUT\" | md5sum\nexit $CODE"
    )
}

/// Checks the checksum and returns the output without its line; `None` if it does not match.
pub(super) fn without_checksum(output: ShellOutput) -> Option<ShellOutput> {
    let ShellOutput { mut stdout, stderr, code } = output;
    let lines = stdout.strip_suffix(b"\n")?;
    let start = lines.iter().rposition(|byte| *byte == b'\n')? + 1;
    let told = lines.get(start..)?.strip_suffix(OF_INPUT)?;
    let summed = [format!("{} ", code?).as_bytes(), stdout.get(..start)?].concat();
    if told.len() != DIGITS || told != md5(&summed).as_bytes() {
        return None;
    }
    stdout.truncate(start);
    Some(ShellOutput { stdout, stderr, code })
}

/// The digest as `md5sum` prints it.
fn md5(bytes: &[u8]) -> String {
    format!("{:x}", md5::compute(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(text: &str, code: Option<i32>) -> ShellOutput {
        ShellOutput { stdout: text.as_bytes().to_vec(), stderr: b"noise".to_vec(), code }
    }

    /// Output with a checksum as a device sends it.
    fn summed(text: &str, code: i32) -> String {
        format!("{text}{}  -\n", md5(format!("{code} {text}").as_bytes()))
    }

    #[test]
    fn what_fits_its_checksum_is_believed() {
        for text in ["\n", "a\n", "a\n\nb\u{e9}\n", &"x".repeat(100_000)] {
            let text = text.trim_end_matches('\n').to_owned() + "\n";
            assert_eq!(without_checksum(output(&summed(&text, 3), Some(3))), Some(output(&text, Some(3))));
        }
        assert_eq!(md5(b"0 taproof\n"), "7ed589da41b44874e78114c21e080ac0");
    }

    #[test]
    fn no_changed_byte_is_believed() {
        let sent = summed("a line\nanother\n", 0).into_bytes();
        for place in 0..sent.len() {
            for changed in [1, 0x20, 0x80] {
                let mut stdout = sent.clone();
                stdout[place] ^= changed;
                let came = ShellOutput { stdout, stderr: Vec::new(), code: Some(0) };
                assert_eq!(without_checksum(came), None, "byte {place}");
            }
            let came = ShellOutput { stdout: sent[..place].to_vec(), stderr: Vec::new(), code: Some(0) };
            assert_eq!(without_checksum(came), None, "cut at {place}");
        }
        let text = String::from_utf8(sent).unwrap();
        assert_eq!(without_checksum(output(&text, Some(1))), None, "another exit code");
        assert_eq!(without_checksum(output(&text, None)), None);
        assert_eq!(without_checksum(output("md5sum: not found\n", Some(127))), None);
    }
}
