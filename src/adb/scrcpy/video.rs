//! Parses the video stream of a server: its greeting, then sizes and packets of H.264.

use std::io::Read;

use super::received::{Received, u32_at, u64_at};
use super::{ScrcpyError, sequence};
use taproof_screen::format::{ServerVersion, VideoFormat, VideoSize, check_pixels};

const NAME_BYTES: usize = 64;
const H264: u32 = u32::from_be_bytes(*b"h264");
/// Limit on the length of a packet. A key frame of a large noisy screen is below 2 MB.
const MAX_PACKET_BYTES: usize = 16 * 1024 * 1024;
/// Limit on the length of a stream's parameters, which have about thirty bytes.
const MAX_CONFIG_BYTES: usize = 64 * 1024;

/// Whether a packet can be decoded by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PacketKind {
    /// A key frame, decodable by itself.
    Key,
    /// A frame that depends on the previous ones.
    Delta,
}

/// One encoded frame of the video stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VideoPacket {
    /// Whether the packet can be decoded by itself.
    pub kind: PacketKind,
    /// Presentation timestamp in microseconds of the phone's clock.
    pub pts_micros: u64,
    /// Units of H.264 with start codes. The first packet after a change of the stream's parameters begins with them.
    pub data: Vec<u8>,
}

/// The content of a video stream, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VideoEvent {
    /// The server accepted the connection (reported only if the computer connects to the phone). If control was
    /// requested, its stream must be opened now: nothing else is sent before.
    Reached,
    /// The server sent the phone's name.
    Device {
        /// The model, as the phone reports it.
        name: String,
    },
    /// The size of the frames that follow, at the start and after a rotation of the phone.
    Session(VideoSize),
    /// The next encoded frame.
    Packet(VideoPacket),
}

/// How the stream begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VideoOpening {
    /// The computer connected to the phone: a zero byte comes first.
    Forward,
    /// The phone connected to the computer: the stream begins with the phone's name.
    Reverse,
}

enum State {
    Greeting,
    Name,
    Codec,
    Size,
    Header,
    Payload(Header),
}

#[derive(Clone, Copy)]
struct Header {
    config: bool,
    key: bool,
    pts_micros: u64,
    bytes: usize,
}

/// Parses the video stream of a server. Yields each event once; which frames to show is up to the caller.
pub struct VideoReader<R> {
    stream: R,
    format: VideoFormat,
    state: State,
    received: Received,
    /// Parameters that belong to the next frame.
    config: Vec<u8>,
    session: Option<VideoSize>,
    failed: Option<ScrcpyError>,
}

impl<R: Read> VideoReader<R> {
    /// Creates a reader for a stream from which nothing was read. The stream's read timeout limits how long a call of
    /// [`VideoReader::next_event`] waits; with a tenth of a second its caller can do other things meanwhile.
    pub fn new(stream: R, version: ServerVersion, opening: VideoOpening) -> Self {
        VideoReader {
            stream,
            format: version.video(),
            state: match opening {
                VideoOpening::Forward => State::Greeting,
                VideoOpening::Reverse => State::Name,
            },
            received: Received::default(),
            config: Vec::new(),
            session: None,
            failed: None,
        }
    }

    /// The last reported size; `None` before the first.
    pub fn session(&self) -> Option<VideoSize> {
        self.session
    }

    /// Returns the next event; `None` if it has not arrived yet (a still screen sends nothing for minutes). Call again:
    /// nothing is lost.
    ///
    /// # Errors
    ///
    /// Any [`ScrcpyError`]. The stream is unusable then, and each further call returns the same error.
    pub fn next_event(&mut self) -> Result<Option<VideoEvent>, ScrcpyError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let event = self.read_event();
        if let Err(error) = &event {
            self.failed = Some(error.clone());
        }
        event
    }

    fn read_event(&mut self) -> Result<Option<VideoEvent>, ScrcpyError> {
        loop {
            let (wanted, doing) = self.awaited();
            let Some(bytes) = self.received.take(&mut self.stream, wanted, doing)? else {
                return Ok(None);
            };
            if let Some(event) = self.understand(bytes)? {
                return Ok(Some(event));
            }
        }
    }

    /// The length of the next part in bytes, and its name for errors.
    fn awaited(&self) -> (usize, &'static str) {
        match &self.state {
            State::Greeting => (1, "waiting for its first byte"),
            State::Name => (NAME_BYTES, "reading the phone's name"),
            State::Codec => (4, "reading the kind of video"),
            State::Size => (8, "reading the size of the video"),
            State::Header => (12, "reading the head of a picture"),
            State::Payload(header) => (header.bytes, "reading a picture"),
        }
    }

    fn understand(&mut self, bytes: Vec<u8>) -> Result<Option<VideoEvent>, ScrcpyError> {
        match self.state {
            State::Greeting => match bytes.first() {
                Some(0) => {
                    self.state = State::Name;
                    Ok(Some(VideoEvent::Reached))
                }
                other => Err(unexpected("a zero byte", format!("{other:02x?}"))),
            },
            State::Name => {
                self.state = State::Codec;
                let name = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
                let name = String::from_utf8_lossy(name).chars().filter(|char| !char.is_control()).collect();
                Ok(Some(VideoEvent::Device { name }))
            }
            State::Codec => self.check_codec(u32_at(&bytes, 0)),
            State::Size => {
                self.state = State::Header;
                self.begin_session(u32_at(&bytes, 0), u32_at(&bytes, 4)).map(Some)
            }
            State::Header => self.understand_header(&bytes),
            State::Payload(header) => {
                self.state = State::Header;
                self.understand_payload(header, bytes)
            }
        }
    }

    fn check_codec(&mut self, codec: u32) -> Result<Option<VideoEvent>, ScrcpyError> {
        match codec {
            H264 => {
                self.state = match self.format {
                    VideoFormat::SizeOnce => State::Size,
                    VideoFormat::Sessions => State::Header,
                };
                Ok(None)
            }
            0 => Err(ScrcpyError::NoVideo { problem: "the phone has switched it off" }),
            1 => Err(ScrcpyError::NoVideo { problem: "the phone's encoder cannot be set up like this" }),
            other => {
                let letters = other.to_be_bytes();
                let name = letters.escape_ascii();
                Err(unexpected("the kind of video \"h264\"", format!("\"{name}\"")))
            }
        }
    }

    fn begin_session(&mut self, width: u32, height: u32) -> Result<VideoEvent, ScrcpyError> {
        if width == 0 || height == 0 || check_pixels(width, height, 4).is_err() {
            return Err(unexpected("the size of a picture", format!("{width}x{height}")));
        }
        let session = VideoSize { width, height };
        self.session = Some(session);
        Ok(VideoEvent::Session(session))
    }

    fn understand_header(&mut self, bytes: &[u8]) -> Result<Option<VideoEvent>, ScrcpyError> {
        let word = u64_at(bytes, 0);
        let (first_flag, second_flag) = (1 << 63, 1 << 62);
        let (config_flag, key_flag) = match self.format {
            VideoFormat::SizeOnce => (first_flag, second_flag),
            VideoFormat::Sessions if word & first_flag != 0 => {
                return self.begin_session(u32_at(bytes, 4), u32_at(bytes, 8)).map(Some);
            }
            VideoFormat::Sessions => (second_flag, 1 << 61),
        };
        if self.session.is_none() {
            return Err(unexpected("the size of the video", format!("a packet ({bytes:02x?})")));
        }
        let config = word & config_flag != 0;
        let limit = if config { MAX_CONFIG_BYTES } else { MAX_PACKET_BYTES };
        let length = u32_at(bytes, 8);
        match usize::try_from(length) {
            Ok(bytes) if (1..=limit).contains(&bytes) => {
                let key = word & key_flag != 0;
                // The bits below the lower flag are the timestamp.
                let header = Header { config, key, pts_micros: word & (key_flag - 1), bytes };
                self.state = State::Payload(header);
                Ok(None)
            }
            _ => Err(unexpected("a packet of a sensible length", format!("one of {length} bytes"))),
        }
    }

    fn understand_payload(
        &mut self,
        header: Header,
        bytes: Vec<u8>,
    ) -> Result<Option<VideoEvent>, ScrcpyError> {
        if header.config {
            let size = sequence::picture_sizes(&bytes).flatten().last();
            self.config = bytes;
            // Newer servers have reported the size already, and that counts.
            return match size {
                Some(size) if self.format == VideoFormat::SizeOnce && self.session != Some(size) => {
                    self.begin_session(size.width, size.height).map(Some)
                }
                _ => Ok(None),
            };
        }
        let mut data = std::mem::take(&mut self.config);
        if data.is_empty() {
            data = bytes;
        } else {
            data.extend_from_slice(&bytes);
        }
        let kind = if header.key { PacketKind::Key } else { PacketKind::Delta };
        Ok(Some(VideoEvent::Packet(VideoPacket { kind, pts_micros: header.pts_micros, data })))
    }
}

fn unexpected(expected: &'static str, found: String) -> ScrcpyError {
    ScrcpyError::Unexpected { expected, found }
}

#[cfg(test)]
mod tests;
