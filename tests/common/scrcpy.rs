//! A client of scrcpy, as far as tests need one.
#![allow(dead_code)]

use std::net::TcpStream;
use std::time::{Duration, Instant};

use taproof::device::adb::host::AdbStream;
use taproof::device::adb::scrcpy::{
    Action, ControlMessage, Decoder, FINGER, Picture, Scid, ServerOptions, ServerVersion, VideoEvent,
    VideoOpening, VideoPosition, VideoReader, arguments, jar_path,
};
use taproof::model::PxPoint;

use crate::adb::{ServedPhone, patience};

/// A client, with control.
pub struct Client {
    _shell: AdbStream,
    pub video: VideoReader<TcpStream>,
    pub control: AdbStream,
    pub decoder: Decoder,
    pub version: ServerVersion,
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
        Client { _shell: shell, video, control, decoder: Decoder::new(), version }
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

    pub fn send(&mut self, message: &ControlMessage) {
        self.control.write_all(&message.encode(self.version).unwrap(), &patience()).unwrap();
    }

    pub fn touch(&mut self, action: Action, at: PxPoint, screen: (i32, i32)) {
        let session = self.video.session().unwrap();
        let position = VideoPosition::of_screen_point((at.x, at.y), screen, session).unwrap();
        self.send(&ControlMessage::Touch { action, pointer: FINGER, position });
    }
}
