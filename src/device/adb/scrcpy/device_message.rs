//! Messages from the phone: they come on the control stream, when something of the clipboard was asked for.

use std::io::Read;

use super::ScrcpyError;
use super::received::{Received, u32_at, u64_at};

/// The server cuts what is longer.
const MAX_CLIPBOARD_BYTES: usize = (1 << 18) - 5;

/// A message from the phone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceMessage {
    /// The text in the clipboard.
    Clipboard(String),
    /// The clipboard was to be set by the message of this number, and that was tried.
    Acknowledged {
        /// The number.
        sequence: u64,
    },
}

enum State {
    Kind,
    ClipboardLength,
    Clipboard(usize),
    Acknowledgement,
    InputDevice,
    InputDeviceData(usize),
}

/// Reads the messages of a server.
pub struct DeviceMessageReader<R> {
    stream: R,
    state: State,
    received: Received,
    failed: Option<ScrcpyError>,
}

impl<R: Read> DeviceMessageReader<R> {
    /// A reader of a control stream of which nothing was read. The stream's read timeout is how long a call of
    /// `next_message` waits.
    pub fn new(stream: R) -> Self {
        DeviceMessageReader { stream, state: State::Kind, received: Received::default(), failed: None }
    }

    /// The next message. `None`: not yet; call again, nothing is lost. After an error each call says it again.
    pub fn next_message(&mut self) -> Result<Option<DeviceMessage>, ScrcpyError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let message = self.read_message();
        if let Err(error) = &message {
            self.failed = Some(error.clone());
        }
        message
    }

    fn read_message(&mut self) -> Result<Option<DeviceMessage>, ScrcpyError> {
        loop {
            let wanted = match self.state {
                State::Kind => 1,
                State::ClipboardLength | State::InputDevice => 4,
                State::Acknowledgement => 8,
                State::Clipboard(bytes) | State::InputDeviceData(bytes) => bytes,
            };
            let Some(bytes) =
                self.received.take(&mut self.stream, wanted, "reading a message of the phone")?
            else {
                return Ok(None);
            };
            let message;
            (self.state, message) = understand(&self.state, &bytes)?;
            if message.is_some() {
                return Ok(message);
            }
        }
    }
}

/// What follows these bytes, and the message that they end.
fn understand(state: &State, bytes: &[u8]) -> Result<(State, Option<DeviceMessage>), ScrcpyError> {
    Ok(match state {
        State::Kind => match bytes.first() {
            Some(0) => (State::ClipboardLength, None),
            Some(1) => (State::Acknowledgement, None),
            Some(2) => (State::InputDevice, None),
            other => {
                let found = format!("{other:02x?}");
                return Err(ScrcpyError::Unexpected { expected: "the kind of a message (0, 1 or 2)", found });
            }
        },
        State::ClipboardLength => match usize::try_from(u32_at(bytes, 0)) {
            Ok(length) if length <= MAX_CLIPBOARD_BYTES => (State::Clipboard(length), None),
            _ => {
                let found = format!("one of {} bytes", u32_at(bytes, 0));
                return Err(ScrcpyError::Unexpected { expected: "a clipboard of a sensible length", found });
            }
        },
        State::Clipboard(_) => {
            (State::Kind, Some(DeviceMessage::Clipboard(String::from_utf8_lossy(bytes).into_owned())))
        }
        State::Acknowledgement => {
            (State::Kind, Some(DeviceMessage::Acknowledged { sequence: u64_at(bytes, 0) }))
        }
        // What is said to simulated keyboards, which nobody here makes: number u16, length u16, data.
        State::InputDevice => (State::InputDeviceData((u32_at(bytes, 0) & 0xffff) as usize), None),
        State::InputDeviceData(_) => (State::Kind, None),
    })
}

#[cfg(test)]
mod tests {
    use super::super::scripted::Scripted;
    use super::*;

    fn stream() -> (Vec<u8>, Vec<DeviceMessage>) {
        let text = "aéûoç 😀";
        let mut bytes = vec![0, 0, 0, 0, text.len() as u8];
        bytes.extend(text.as_bytes());
        bytes.extend([1, 1, 2, 3, 4, 5, 6, 7, 8]);
        bytes.extend([2, 0, 42, 0, 5, 1, 2, 3, 4, 5, 2, 0, 42, 0, 0]);
        bytes.extend([0, 0, 0, 0, 0]);
        let messages = vec![
            DeviceMessage::Clipboard(text.to_owned()),
            DeviceMessage::Acknowledged { sequence: 0x0102_0304_0506_0708 },
            DeviceMessage::Clipboard(String::new()),
        ];
        (bytes, messages)
    }

    fn read_all(stream: Scripted) -> (Vec<DeviceMessage>, ScrcpyError) {
        let mut reader = DeviceMessageReader::new(stream);
        let mut messages = Vec::new();
        loop {
            match reader.next_message() {
                Ok(message) => messages.extend(message),
                Err(error) => {
                    assert_eq!(reader.next_message(), Err(error.clone()));
                    return (messages, error);
                }
            }
        }
    }

    #[test]
    fn reads_messages_in_pieces_and_over_timeouts() {
        let (bytes, expected) = stream();
        for piece in [1, 2, 5, 100] {
            let (messages, error) = read_all(Scripted::new().bytes(&bytes).pieces_of(piece));
            assert_eq!(messages, expected);
            assert_eq!(error, ScrcpyError::Ended { doing: "reading a message of the phone" });
        }
        for cut in 0..bytes.len() {
            let (before, after) = bytes.split_at(cut);
            let whole = read_all(Scripted::new().bytes(before).timeout().bytes(after)).0;
            assert_eq!(whole, expected, "cut at {cut}");
            let broken = read_all(Scripted::new().bytes(before)).0;
            assert!(expected.starts_with(&broken));
        }
    }

    #[test]
    fn refuses_what_is_no_message() {
        for (bytes, words) in [
            (vec![3, 0, 0, 0, 0], "Some(03)"),
            (vec![0, 0xff, 0xff, 0xff, 0xff], "4294967295"),
            (vec![0, 0, 4, 0, 0], "262144"),
        ] {
            let (messages, error) = read_all(Scripted::new().bytes(&bytes));
            assert!(messages.is_empty() && error.to_string().contains(words), "{error}");
        }
        let (messages, _) = read_all(Scripted::new().bytes(&[0, 0, 0, 0, 2, 0xff, b'a']));
        assert_eq!(messages, [DeviceMessage::Clipboard("\u{fffd}a".to_owned())]);
    }
}
