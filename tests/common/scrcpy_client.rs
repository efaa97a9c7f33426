//! A client of scrcpy, as far as tests need one.
#![allow(dead_code)]
#![allow(clippy::disallowed_methods, reason = "what other threads do is waited for")]

use std::net::TcpStream;
use std::time::{Duration, Instant};

use taproof_adb::host::AdbStream;
use taproof_adb::scrcpy::{
    Decoder, Picture, Scid, ServerOptions, VideoEvent, VideoOpening, VideoReader, arguments, jar_path,
};
use taproof_core::format::{ServerVersion, VideoSize};
use taproof_core::model::PxPoint;

use crate::adb::{ServedPhone, patience};

/// What happens to a key or a finger.
#[derive(Clone, Copy)]
pub enum Action {
    Down = 0,
    Up = 1,
}

/// A message to the phone; all versions write these alike.
pub enum Message<'a> {
    Key {
        action: Action,
        code: u32,
        repeat: u32,
        meta: u32,
    },
    Text(&'a str),
    /// A finger, at this place of a film of this size.
    Touch {
        action: Action,
        at: (i32, i32),
        session: VideoSize,
    },
    BackOrScreenOn(Action),
    /// Sets the clipboard and pastes it; answered with this number.
    Paste {
        sequence: u64,
        text: &'a str,
    },
    Rotate,
}

impl Message<'_> {
    fn encode(&self) -> Vec<u8> {
        let sized = |text: &str| [&(text.len() as u32).to_be_bytes(), text.as_bytes()].concat();
        match *self {
            Message::Key { action, code, repeat, meta } => {
                let numbers = [code, repeat, meta].map(u32::to_be_bytes).concat();
                [&[0, action as u8], numbers.as_slice()].concat()
            }
            Message::Text(text) => [&[1], sized(text).as_slice()].concat(),
            Message::Touch { action, at: (x, y), session } => {
                let finger = u64::MAX - 1;
                let sides = [session.width as u16, session.height as u16].map(u16::to_be_bytes).concat();
                // A finger that has left presses on nothing.
                let pressure: u16 = if matches!(action, Action::Down) { u16::MAX } else { 0 };
                let mut bytes = vec![2, action as u8];
                bytes.extend(finger.to_be_bytes());
                bytes.extend([x, y].map(i32::to_be_bytes).concat());
                bytes.extend(sides);
                bytes.extend(pressure.to_be_bytes());
                // No buttons of a mouse.
                bytes.extend([0; 8]);
                bytes
            }
            Message::BackOrScreenOn(action) => vec![4, action as u8],
            Message::Paste { sequence, text } => {
                [&[9], sequence.to_be_bytes().as_slice(), &[1], &sized(text)].concat()
            }
            Message::Rotate => vec![11],
        }
    }
}

/// A client, with control.
pub struct Client {
    _shell: AdbStream,
    pub video: VideoReader<TcpStream>,
    pub control: AdbStream,
    pub decoder: Decoder,
}

impl Client {
    pub fn new(phone: &ServedPhone, version: ServerVersion, scid: Scid) -> Client {
        let link = phone.link();
        link.push(b"PK", &jar_path(version, scid), 0o644, 0, &patience()).unwrap();
        let line = arguments(version, scid, ServerOptions::default());
        let shell = link.open(&format!("shell:{line}"), &patience()).unwrap();
        let service = format!("localabstract:{}", scid.socket_name());
        let first = (0..1000).find_map(|_| {
            std::thread::sleep(Duration::from_millis(10));
            link.open(&service, &patience()).ok()
        });
        let socket = first.unwrap().into_socket().unwrap();
        socket.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        let video = VideoReader::new(socket, version, VideoOpening::Forward);
        let control = link.open(&service, &patience()).unwrap();
        assert!(link.open(&service, &patience()).is_err(), "a third stream");
        Client { _shell: shell, video, control, decoder: Decoder::new() }
    }

    /// The next picture that is as it should be.
    pub fn picture(&mut self, wanted: impl Fn(&Picture) -> bool) -> Picture {
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            assert!(Instant::now() < end, "no such picture comes");
            if let Some(VideoEvent::Packet(packet)) = self.video.next_event().unwrap()
                && let Some(picture) = self.decoder.decode(&packet).unwrap()
                && wanted(&picture)
            {
                return picture;
            }
        }
    }

    pub fn send(&mut self, message: &Message<'_>) {
        self.control.write_all(&message.encode(), &patience()).unwrap();
    }

    /// Touches the film where it shows this point of a screen of this size.
    pub fn touch(&mut self, action: Action, at: PxPoint, screen: (i32, i32)) {
        let session = self.video.session().unwrap();
        let scaled = |at: i32, screen: i32, film: u32| (at * 2 + 1) * film as i32 / (2 * screen);
        let at = (scaled(at.x, screen.0, session.width), scaled(at.y, screen.1, session.height));
        self.send(&Message::Touch { action, at, session });
    }
}
