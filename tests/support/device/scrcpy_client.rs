//! A client of scrcpy, as far as tests need one.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use taproof_adb::host::AdbStream;
use taproof_adb::scrcpy::{
    Decoder, Picture, Scid, ServerOptions, VideoEvent, VideoOpening, VideoReader, arguments, jar_path,
};
use taproof_screen::format::ServerVersion;

use crate::device::adb::{ServedPhone, patience};

/// A client of the video.
pub struct Client {
    _shell: AdbStream,
    pub video: VideoReader<TcpStream>,
    pub decoder: Decoder,
}

impl Client {
    pub fn new(phone: &ServedPhone, version: ServerVersion, scid: Scid) -> Client {
        let link = phone.link();
        link.push(b"PK", &jar_path(version, scid), 0o644, 0, &patience()).unwrap();
        let options = ServerOptions { control: false, ..ServerOptions::default() };
        let line = arguments(version, scid, options);
        let shell = link.open(&format!("shell:{line}"), &patience()).unwrap();
        let service = format!("localabstract:{}", scid.socket_name());
        let first = (0..1000).find_map(|_| {
            std::thread::sleep(Duration::from_millis(10));
            link.open(&service, &patience()).ok()
        });
        let socket = first.unwrap().into_socket().unwrap();
        socket.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        let video = VideoReader::new(socket, version, VideoOpening::Forward);
        assert!(link.open(&service, &patience()).is_err(), "a second stream");
        Client { _shell: shell, video, decoder: Decoder::new() }
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
}
