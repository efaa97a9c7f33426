//! The control messages of a scrcpy client: touches, keys, texts and the clipboard.

use std::io::{self, ErrorKind, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::keys::Stroke;
use crate::touch_screen::gesture_of;
use crate::wire::{StreamReader, StreamWriter};
use crate::{Served, State};
use taproof_core::device::{AppId, DeviceError};
use taproof_core::format::VideoSize;
use taproof_core::model::{Event, Key, PxPoint};

/// A finger without events for this long is a long press. The device's own clock does not advance meanwhile.
const LONG_PRESS: Duration = Duration::from_millis(500);
/// Limit on the length of a text in bytes; clients send no longer ones.
const LONGEST_TEXT: usize = 1 << 18;
/// A finger on the screen, in pixels of the screen.
struct Finger {
    pointer: u64,
    from: PxPoint,
    long: bool,
}

/// The stream back to the client, until it is closed.
pub(super) struct Answers(Mutex<Option<StreamWriter>>);

impl Answers {
    pub fn new(writer: StreamWriter) -> Self {
        Answers(Mutex::new(Some(writer)))
    }

    /// For a client that sends and receives nothing.
    pub fn none() -> Self {
        Answers(Mutex::new(None))
    }

    /// Closes the stream in both directions.
    pub fn close(&self) -> io::Result<()> {
        self.lock().take().map_or(Ok(()), StreamWriter::close)
    }

    fn lock(&self) -> MutexGuard<'_, Option<StreamWriter>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send(&self, parts: &[&[u8]]) -> io::Result<()> {
        let mut writer = self.lock();
        let Some(writer) = &mut *writer else { return Err(ErrorKind::BrokenPipe.into()) };
        writer.write_all(&parts.concat())?;
        writer.flush()
    }

    /// Sends the clipboard's text. An empty clipboard is not sent.
    fn send_clipboard(&self, text: &str) -> io::Result<()> {
        let length = u32::try_from(text.len()).map_err(io::Error::other)?;
        if length == 0 { Ok(()) } else { self.send(&[&[0], &length.to_be_bytes(), text.as_bytes()]) }
    }
}

/// The state that a client's control messages act on.
pub(super) struct Hand<'s> {
    pub served: &'s Served,
    pub answers: Answers,
    /// The size of the video, to which the coordinates of touches refer.
    pub film: Mutex<Option<VideoSize>>,
    /// Whether the client requested a key frame.
    pub anew: AtomicBool,
}

impl Hand<'_> {
    /// Sets a new size of the video.
    pub fn film(&self, size: VideoSize) {
        *self.film.lock().unwrap_or_else(PoisonError::into_inner) = Some(size);
    }

    /// Handles control messages until the client closes the stream or sends an invalid one.
    pub fn obey(&self, mut reader: StreamReader) {
        let mut finger: Option<Finger> = None;
        loop {
            let waits = finger.as_ref().is_some_and(|finger| !finger.long);
            reader.set_deadline(waits.then_some(LONG_PRESS));
            let mut kind = [0];
            match reader.read(&mut kind) {
                Ok(1..) => {}
                Err(error) if error.kind() == ErrorKind::TimedOut => {
                    finger.iter_mut().for_each(|finger| finger.long = true);
                    continue;
                }
                Ok(0) | Err(_) => return,
            }
            reader.set_deadline(None);
            if let Err(error) = (Message { reader: &mut reader }).obey(kind, self, &mut finger) {
                tracing::debug!(%error, "the control of a served scrcpy ended");
                return;
            }
        }
    }
}

/// Handles the control messages in `bytes`, as from a client whose video has this size. Stops at an invalid message.
pub fn obey_bytes(served: &Served, (width, height): (u32, u32), mut bytes: &[u8]) {
    let (answers, film) = (Answers::none(), Mutex::new(Some(VideoSize { width, height })));
    let hand = Hand { served, answers, film, anew: AtomicBool::new(false) };
    let mut finger = None;
    while let Some((kind, rest)) = bytes.split_first() {
        bytes = rest;
        if (Message { reader: &mut bytes }).obey([*kind], &hand, &mut finger).is_err() {
            return;
        }
    }
}

/// A message whose type was read.
struct Message<'r, R> {
    reader: &'r mut R,
}

impl<R: Read> Message<'_, R> {
    fn bytes<const COUNT: usize>(&mut self) -> io::Result<[u8; COUNT]> {
        let mut bytes = [0; COUNT];
        self.reader.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn u32(&mut self) -> io::Result<u32> {
        Ok(u32::from_be_bytes(self.bytes()?))
    }

    fn text(&mut self) -> io::Result<String> {
        let length = self.u32()? as usize;
        if length > LONGEST_TEXT {
            return Err(ErrorKind::InvalidData.into());
        }
        let mut text = vec![0; length];
        self.reader.read_exact(&mut text)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    fn obey(&mut self, kind: [u8; 1], hand: &Hand<'_>, finger: &mut Option<Finger>) -> io::Result<()> {
        let Hand { served, answers, .. } = hand;
        let done = match kind {
            [0] => {
                let [action] = self.bytes()?;
                let (code, _repeat, meta) = (self.u32()?, self.u32()?, self.u32()?);
                if action == 0 { served.lock().press(Stroke::of_code(code, meta)) } else { Ok(()) }
            }
            [1] => {
                let text = self.text()?;
                served.lock().input(&Event::Type(text))
            }
            [2] => {
                let touch = Touch::read(self)?;
                let film = *hand.film.lock().unwrap_or_else(PoisonError::into_inner);
                touch.happen(&mut served.lock(), film, finger)
            }
            // Scrolling has no effect here.
            [3] => self.bytes::<20>().map(|_| Ok(()))?,
            [4] => match self.bytes()? {
                [0] => back_or_screen_on(&mut served.lock()),
                [_] => Ok(()),
            },
            [8] => {
                let [_copy_key] = self.bytes()?;
                let text = served.lock().clipboard.clone();
                answers.send_clipboard(&text)?;
                Ok(())
            }
            [9] => self.set_clipboard(hand)?,
            [10] => self.bytes::<1>().map(|_| Ok(()))?,
            [11] => served.lock().device.perform(&Event::Rotate),
            // The device has no panels and no hardware keyboard to set up.
            [5..=7 | 15] => Ok(()),
            [16] => {
                let [length] = self.bytes()?;
                let mut name = vec![0; usize::from(length)];
                self.reader.read_exact(&mut name)?;
                start_app(&mut served.lock(), &String::from_utf8_lossy(&name))
            }
            [17] => {
                hand.anew.store(true, Ordering::Relaxed);
                Ok(())
            }
            _ => return Err(ErrorKind::InvalidData.into()),
        };
        // As on a phone: an impossible request has no effect, which the client sees.
        done.unwrap_or_else(|error| tracing::debug!(%error, "a served scrcpy cannot do what it was asked"));
        Ok(())
    }

    fn set_clipboard(&mut self, hand: &Hand<'_>) -> io::Result<Result<(), DeviceError>> {
        let (sequence, [paste]) = (self.bytes::<8>()?, self.bytes()?);
        let text = self.text()?;
        let mut state = hand.served.lock();
        state.clipboard.clone_from(&text);
        let pasted = if paste == 0 { Ok(()) } else { state.input(&Event::Type(text)) };
        drop(state);
        if sequence != [0; 8] {
            hand.answers.send(&[&[1], &sequence])?;
        }
        Ok(pasted)
    }
}

/// Starts an app. `+` before the package stops it first.
fn start_app(state: &mut State, name: &str) -> Result<(), DeviceError> {
    let app = AppId(name.trim_start_matches('+').to_owned());
    if name.starts_with('+') {
        state.device.stop(&app)?;
    }
    state.device.open(&app)
}

fn back_or_screen_on(state: &mut State) -> Result<(), DeviceError> {
    if std::mem::replace(&mut state.awake, true) {
        state.device.perform(&Event::Key(Key::Back))
    } else {
        Ok(())
    }
}

/// A touch event of a finger.
struct Touch {
    action: u8,
    pointer: u64,
    x: i64,
    y: i64,
    film: VideoSize,
}

impl Touch {
    fn read<R: Read>(message: &mut Message<'_, R>) -> io::Result<Touch> {
        let ([action], pointer) = (message.bytes()?, u64::from_be_bytes(message.bytes()?));
        let (x, y) = (i32::from_be_bytes(message.bytes()?), i32::from_be_bytes(message.bytes()?));
        let width = u16::from_be_bytes(message.bytes()?);
        let height = u16::from_be_bytes(message.bytes()?);
        let _pressure_and_buttons: [u8; 10] = message.bytes()?;
        let film = VideoSize { width: u32::from(width), height: u32::from(height) };
        Ok(Touch { action, pointer, x: i64::from(x), y: i64::from(y), film })
    }

    /// Handles the event. Only one finger is tracked at a time; events for another video size are ignored, as by the
    /// original server.
    fn happen(
        &self,
        state: &mut State,
        film: Option<VideoSize>,
        finger: &mut Option<Finger>,
    ) -> Result<(), DeviceError> {
        let same = finger.as_ref().is_none_or(|finger| finger.pointer == self.pointer);
        if film != Some(self.film) || !same {
            return Ok(());
        }
        let screen = state.layout()?.screen();
        let on_screen = |at: i64, film: u32, screen: i32| {
            i32::try_from(at * i64::from(screen) / i64::from(film.max(1))).unwrap_or(i32::MAX)
        };
        let at = PxPoint {
            x: on_screen(self.x, self.film.width, screen.width),
            y: on_screen(self.y, self.film.height, screen.height),
        };
        match (self.action, finger.take()) {
            (0, None) => *finger = Some(Finger { pointer: self.pointer, from: at, long: false }),
            (1, Some(lifted)) => {
                let millis = if lifted.long { LONG_PRESS.as_millis() } else { 0 };
                let gesture = gesture_of(lifted.from, at, u64::try_from(millis).unwrap_or(u64::MAX));
                return state.gesture(lifted.from, gesture);
            }
            (_, before) => *finger = before,
        }
        Ok(())
    }
}
