//! Messages to the phone, byte by byte, and the stream that carries them.

use std::io::Write;

use super::video::Session;
use super::{ScrcpyError, ServerVersion};

/// The server drops what is longer than this.
const MAX_TEXT_BYTES: usize = 300;
const MAX_CLIPBOARD_BYTES: usize = (1 << 18) - 14;
const MAX_APP_BYTES: usize = 254;

/// The pointer of a finger.
pub const FINGER: u64 = u64::MAX - 1;
/// The pointer of a second finger, for pinching.
pub const SECOND_FINGER: u64 = u64::MAX - 2;

/// What happens to a key or a finger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It goes down.
    Down,
    /// It goes up.
    Up,
    /// It moves while it is down: fingers only.
    Move,
}

/// Which key the server presses before it reads the clipboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyKey {
    /// None.
    None,
    /// Copy (Android 7 and later).
    Copy,
    /// Cut (Android 7 and later).
    Cut,
}

/// A place in the video, together with the size of the video it was meant for: the server drops a touch whose size is
/// not that of its pictures, as then the phone has been turned meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VideoPosition {
    /// From the left edge, in pixels of the video.
    pub x: i32,
    /// From the top edge.
    pub y: i32,
    /// The video's size.
    pub session: Session,
}

impl VideoPosition {
    /// The place in a video of a point (x, y) of the screen (width, height): the middle of that pixel. `None` where
    /// one of them lies on its side and the other does not, or has no size.
    pub fn of_screen_point(point: (i32, i32), screen: (i32, i32), session: Session) -> Option<VideoPosition> {
        let (width, height) = (i64::from(session.width), i64::from(session.height));
        let (across, down) = (i64::from(screen.0), i64::from(screen.1));
        if across <= 0 || down <= 0 || width <= 0 || height <= 0 {
            return None;
        }
        // Sides are rounded to multiples of eight: what is nearly square may seem turned and is not.
        if (across > down) != (width > height) && (width - height).abs() >= 8 && across != down {
            return None;
        }
        let scaled = |at: i32, screen: i64, video: i64| {
            let middle = (i64::from(at) * 2 + 1) * video;
            i32::try_from(middle.div_euclid(2 * screen).clamp(0, video - 1)).ok()
        };
        Some(VideoPosition { x: scaled(point.0, across, width)?, y: scaled(point.1, down, height)?, session })
    }
}

/// A message to the phone. None of them is answered but the two about the clipboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ControlMessage {
    /// A key.
    Key {
        /// Down or up.
        action: Action,
        /// Android's key code.
        code: u32,
        /// How often it has repeated.
        repeat: u32,
        /// Android's meta state: shift and its like.
        meta: u32,
    },
    /// Text typed as keys: see `pieces_of_text`.
    Text(String),
    /// A finger.
    Touch {
        /// What it does.
        action: Action,
        /// Which finger: `FINGER`, `SECOND_FINGER` or any other number.
        pointer: u64,
        /// Where.
        position: VideoPosition,
    },
    /// A turn of a mouse wheel.
    Scroll {
        /// Where.
        position: VideoPosition,
        /// Notches to the right; servers before 3.3.1 know one at most, later ones sixteen.
        right: i32,
        /// Notches up.
        up: i32,
    },
    /// The back key, or, where the screen is off, the power key.
    BackOrScreenOn(Action),
    /// Opens the notifications.
    ExpandNotifications,
    /// Opens the quick settings.
    ExpandSettings,
    /// Closes both.
    CollapsePanels,
    /// Asks for the clipboard. An empty one is not answered: wait with a deadline.
    GetClipboard(CopyKey),
    /// Sets the clipboard. The answer says that it was tried: read it back to know.
    SetClipboard {
        /// The number that the answer will name; 0 asks for none.
        sequence: u64,
        /// Whether the paste key follows (Android 7 and later).
        paste: bool,
        /// The text.
        text: String,
    },
    /// Switches the display on or off; the phone goes on working.
    DisplayPower {
        /// On.
        on: bool,
    },
    /// Turns the phone by a quarter.
    Rotate,
    /// Starts an app by its package (servers from 3.0).
    StartApp {
        /// The package.
        package: String,
        /// Whether it is stopped first.
        stop_first: bool,
    },
    /// Asks for a key frame (servers from 3.0).
    ResetVideo,
}

impl ControlMessage {
    /// Its name in messages.
    fn name(&self) -> &'static str {
        match self {
            ControlMessage::Key { .. } => "a key",
            ControlMessage::Text(_) => "a text",
            ControlMessage::Touch { .. } => "a touch",
            ControlMessage::Scroll { .. } => "a turn of the wheel",
            ControlMessage::BackOrScreenOn(_) => "\"back or screen on\"",
            ControlMessage::ExpandNotifications => "\"open notifications\"",
            ControlMessage::ExpandSettings => "\"open quick settings\"",
            ControlMessage::CollapsePanels => "\"close panels\"",
            ControlMessage::GetClipboard(_) => "\"read clipboard\"",
            ControlMessage::SetClipboard { .. } => "\"set clipboard\"",
            ControlMessage::DisplayPower { .. } => "\"display power\"",
            ControlMessage::Rotate => "\"rotate\"",
            ControlMessage::StartApp { .. } => "\"start app\"",
            ControlMessage::ResetVideo => "\"reset video\"",
        }
    }

    /// Its bytes for a server of this version. Fails on what that server does not know and on what it would cut.
    pub fn encode(&self, version: ServerVersion) -> Result<Vec<u8>, ScrcpyError> {
        let bytes = match self {
            ControlMessage::Key { action, code, repeat, meta } => {
                let action = self.key_action(*action)?;
                message(0, &[&[action], &code.to_be_bytes(), &repeat.to_be_bytes(), &meta.to_be_bytes()])
            }
            ControlMessage::Text(text) => message(1, &[&self.text(text, MAX_TEXT_BYTES)?]),
            ControlMessage::Touch { action, pointer, position } => {
                self.touch(*action, *pointer, *position)?
            }
            ControlMessage::Scroll { position, right, up } => {
                let turn =
                    |notches: i32| scroll_number(notches, version.control.scroll_notches).to_be_bytes();
                message(3, &[&self.place(*position)?, &turn(*right), &turn(*up), &[0; 4]])
            }
            ControlMessage::BackOrScreenOn(action) => message(4, &[&[self.key_action(*action)?]]),
            ControlMessage::ExpandNotifications => message(5, &[]),
            ControlMessage::ExpandSettings => message(6, &[]),
            ControlMessage::CollapsePanels => message(7, &[]),
            ControlMessage::GetClipboard(key) => {
                let key = match key {
                    CopyKey::None => 0,
                    CopyKey::Copy => 1,
                    CopyKey::Cut => 2,
                };
                message(8, &[&[key]])
            }
            ControlMessage::SetClipboard { sequence, paste, text } => {
                let text = self.text(text, MAX_CLIPBOARD_BYTES)?;
                message(9, &[&sequence.to_be_bytes(), &[u8::from(*paste)], &text])
            }
            ControlMessage::DisplayPower { on } => {
                message(10, &[&[if *on { version.control.display_on } else { 0 }]])
            }
            ControlMessage::Rotate => message(11, &[]),
            ControlMessage::StartApp { package, stop_first } => {
                self.start_app(package, *stop_first, version)?
            }
            ControlMessage::ResetVideo => {
                self.needs_3_0(version)?;
                message(17, &[])
            }
        };
        Ok(bytes)
    }

    fn refused(&self, problem: String) -> ScrcpyError {
        ScrcpyError::NotSent { what: self.name(), problem }
    }

    fn needs_3_0(&self, version: ServerVersion) -> Result<(), ScrcpyError> {
        if version.control.apps_and_reset {
            return Ok(());
        }
        Err(self.refused(format!("a server {version} does not know it; install scrcpy 3.0 or later")))
    }

    fn key_action(&self, action: Action) -> Result<u8, ScrcpyError> {
        match action {
            Action::Down => Ok(0),
            Action::Up => Ok(1),
            Action::Move => Err(self.refused("a key goes down or up".to_owned())),
        }
    }

    /// A text with its length before it.
    fn text(&self, text: &str, limit: usize) -> Result<Vec<u8>, ScrcpyError> {
        let length = text.len();
        match u32::try_from(length) {
            Ok(short) if length <= limit => Ok([short.to_be_bytes().as_slice(), text.as_bytes()].concat()),
            _ => {
                Err(self
                    .refused(format!("it has {length} bytes of text, at most {limit} go into one message")))
            }
        }
    }

    fn place(&self, position: VideoPosition) -> Result<[u8; 12], ScrcpyError> {
        let VideoPosition { x, y, session: Session { width, height } } = position;
        let (Ok(short_width), Ok(short_height)) = (u16::try_from(width), u16::try_from(height)) else {
            return Err(self.refused(format!("a video of {width}x{height} is too large for it")));
        };
        let mut bytes = [0; 12];
        let digits = x.to_be_bytes().into_iter().chain(y.to_be_bytes());
        let digits = digits.chain(short_width.to_be_bytes()).chain(short_height.to_be_bytes());
        bytes.iter_mut().zip(digits).for_each(|(byte, digit)| *byte = digit);
        Ok(bytes)
    }

    fn touch(&self, action: Action, pointer: u64, position: VideoPosition) -> Result<Vec<u8>, ScrcpyError> {
        // A finger that has left presses on nothing.
        let (action, pressure) = match action {
            Action::Down => (0, u16::MAX),
            Action::Up => (1, 0),
            Action::Move => (2, u16::MAX),
        };
        let place = self.place(position)?;
        // No mouse buttons: the server would drop them for a finger.
        Ok(message(2, &[&[action], &pointer.to_be_bytes(), &place, &pressure.to_be_bytes(), &[0; 8]]))
    }

    fn start_app(
        &self,
        package: &str,
        stop_first: bool,
        version: ServerVersion,
    ) -> Result<Vec<u8>, ScrcpyError> {
        self.needs_3_0(version)?;
        // The server reads `+` and `?` in front of a name as orders of their own.
        let plain = |char: char| char.is_ascii_alphanumeric() || char == '.' || char == '_';
        if package.is_empty() || package.len() > MAX_APP_BYTES || !package.chars().all(plain) {
            return Err(self.refused(format!("{} is not a package", super::excerpt(package))));
        }
        let name = if stop_first { format!("+{package}") } else { package.to_owned() };
        let length = u8::try_from(name.len()).unwrap_or(u8::MAX);
        Ok(message(16, &[&[length], name.as_bytes()]))
    }
}

fn message(kind: u8, parts: &[&[u8]]) -> Vec<u8> {
    let mut bytes = vec![kind];
    bytes.extend(parts.iter().flat_map(|part| part.iter()));
    bytes
}

/// Notches as the part of the largest number that they are of the most notches.
fn scroll_number(notches: i32, most: i32) -> i16 {
    let number = notches.clamp(-most, most) * 0x8000 / most.max(1);
    i16::try_from(number).unwrap_or(i16::MAX)
}

/// A text as messages that type it. The server types with the keys of a plain keyboard and passes over, in silence, what
/// has none: so anything but printable ASCII is refused here, before anything is typed. The clipboard takes the rest.
pub fn pieces_of_text(text: &str) -> Result<Vec<ControlMessage>, ScrcpyError> {
    if let Some(char) = text.chars().find(|char| !matches!(char, ' '..='~')) {
        let problem =
            format!("its character {char:?} cannot be typed with keys; send it through the clipboard");
        return Err(ScrcpyError::NotSent { what: "a text", problem });
    }
    let mut rest = text;
    let mut pieces = Vec::new();
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(cut_before(rest, MAX_TEXT_BYTES));
        pieces.push(ControlMessage::Text(piece.to_owned()));
        rest = after;
    }
    Ok(pieces)
}

/// The last place up to `limit` where the text can be cut without breaking a character; never 0 in a text.
fn cut_before(text: &str, limit: usize) -> usize {
    if text.len() <= limit {
        return text.len();
    }
    let cut = (1..=limit).rev().find(|at| text.is_char_boundary(*at));
    cut.unwrap_or(text.chars().next().map_or(0, char::len_utf8))
}

/// Writes messages to a server.
pub struct ControlWriter<W> {
    stream: W,
    version: ServerVersion,
    failed: Option<ScrcpyError>,
}

impl<W: Write> ControlWriter<W> {
    /// A writer to an opened stream, which should have a write timeout.
    pub fn new(stream: W, version: ServerVersion) -> Self {
        ControlWriter { stream, version, failed: None }
    }

    /// Sends a message, whole, in one write where the stream takes it. `NotSent` changes nothing; after another error
    /// half a message may be on its way, so each later call fails too.
    pub fn send(&mut self, message: &ControlMessage) -> Result<(), ScrcpyError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let bytes = message.encode(self.version)?;
        let sent = self.stream.write_all(&bytes).and_then(|()| self.stream.flush());
        sent.map_err(|error| {
            let error = ScrcpyError::io("sending a message", &error);
            self.failed = Some(error.clone());
            error
        })
    }
}

#[cfg(test)]
mod tests;
