//! The video stream of a scrcpy server: the screen as H.264, framed according to the server's version.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use openh264::OpenH264API;
use openh264::encoder::{Encoder, EncoderConfig, FrameType, RateControlMode, UsageType};
use openh264::formats::{RgbaSliceU8, YUVBuffer};
use openh264::nal_units;

use crate::Served;
use crate::screen::pictures::image_of;
use taproof_engine::device::{DeviceError, Screenshot};
use taproof_screen::Layout;
use taproof_screen::determinism::DeviceInstant;
use taproof_screen::format::{ServerVersion, VideoFormat, VideoSize};

const H264: [u8; 4] = *b"h264";
/// A frame without a successor is sent again once after this time, since the first one after a change may be coarse.
const REPEATED: Duration = Duration::from_millis(100);
/// The types of H.264 units that contain parameters of the stream.
const PARAMETERS: [u8; 2] = [7, 8];

/// Encodes the screen and sends it to a client.
pub(super) struct Camera<W> {
    out: W,
    format: VideoFormat,
    max_size: u32,
    /// After this many looks without a change the last frame is sent again.
    repeated: u32,
    encoder: Option<Encoder>,
    size: Option<VideoSize>,
    sent: Option<Sent>,
    time: u64,
}

/// The last frame that was sent, and the screen that it shows.
struct Sent {
    picture: Screenshot,
    /// The layout at the time of the picture.
    layout: Arc<Layout>,
    at: DeviceInstant,
    awake: bool,
    /// How many times the screen was checked since the frame was sent.
    looks: u32,
}

impl<W: Write> Camera<W> {
    /// Starts a video stream of a screen that is checked at this interval.
    pub fn begin(version: ServerVersion, max_size: u32, every: Duration, mut out: W) -> io::Result<Self> {
        out.write_all(&H264)?;
        let repeated = REPEATED.as_millis().div_ceil(every.as_millis().max(1));
        Ok(Camera {
            out,
            format: version.video(),
            max_size,
            repeated: u32::try_from(repeated).unwrap_or(u32::MAX),
            encoder: None,
            size: None,
            sent: None,
            time: 0,
        })
    }

    /// Checks the screen and sends a frame if it has changed. Fails once the client is gone.
    pub fn look(&mut self, served: &Served) -> io::Result<()> {
        let seen = self.see(served).map_err(|error| io::Error::other(error.to_string()))?;
        let repeat = self.sent.as_mut().is_some_and(|sent| {
            sent.looks = sent.looks.saturating_add(1);
            sent.looks == self.repeated
        });
        match (seen, &self.sent) {
            (Some(sent), _) => {
                self.send(&sent.picture)?;
                self.sent = Some(sent);
            }
            (None, Some(sent)) if repeat => {
                let picture = sent.picture.clone();
                self.send(&picture)?;
            }
            (None, _) => {}
        }
        self.out.flush()
    }

    /// The screen, if it differs from that of the last frame.
    fn see(&mut self, served: &Served) -> Result<Option<Sent>, DeviceError> {
        let mut state = served.lock();
        let frame = state.device.observe()?;
        let awake = state.awake;
        if let Some(sent) = &self.sent
            && (sent.at, sent.awake) == (frame.at, awake)
            && (Arc::ptr_eq(&sent.layout, &frame.layout) || sent.layout == frame.layout)
        {
            return Ok(None);
        }
        let picture = state.picture(false)?;
        drop(state);
        self.time = frame.at.0.saturating_mul(1000);
        let seen = Sent { picture, layout: frame.layout, at: frame.at, awake, looks: 0 };
        match &mut self.sent {
            // Only the time has advanced.
            Some(sent) if sent.picture == seen.picture => {
                *sent = Sent { looks: sent.looks, ..seen };
                Ok(None)
            }
            _ => Ok(Some(seen)),
        }
    }

    fn send(&mut self, picture: &Screenshot) -> io::Result<()> {
        let size = film_size(picture, self.max_size);
        if self.size != Some(size) {
            self.send_size(size)?;
            self.encoder = None;
        }
        let failed = |error: openh264::Error| io::Error::other(error.to_string());
        let encoder = match &mut self.encoder {
            Some(encoder) => encoder,
            // The first frame of an encoder is always a key frame.
            none => none.insert(encoder().map_err(failed)?),
        };
        let scaled = scaled(picture, size);
        let pixels = RgbaSliceU8::new(&scaled, (size.width as usize, size.height as usize));
        let encoded = encoder.encode(&YUVBuffer::from_rgba8_source(pixels)).map_err(failed)?;
        let key = matches!(encoded.frame_type(), FrameType::IDR);
        let bytes = encoded.to_vec();
        let (mut parameters, mut rest) = (Vec::new(), Vec::new());
        for unit in nal_units(&bytes) {
            // The unit's header follows a start code of three or four bytes.
            let header =
                unit.get(if unit.starts_with(&[0, 0, 1]) { 3 } else { 4 }).copied().unwrap_or_default();
            let part = if PARAMETERS.contains(&(header & 0x1f)) { &mut parameters } else { &mut rest };
            part.extend_from_slice(unit);
        }
        if !parameters.is_empty() {
            self.packet(Flag::Parameters, &parameters)?;
        }
        if !rest.is_empty() {
            self.packet(if key { Flag::Key } else { Flag::None }, &rest)?;
        }
        Ok(())
    }

    fn send_size(&mut self, size: VideoSize) -> io::Result<()> {
        let first = self.size.replace(size).is_none();
        match self.format {
            // Later sizes are only part of the parameters.
            VideoFormat::SizeOnce if !first => return Ok(()),
            VideoFormat::SizeOnce => {}
            VideoFormat::Sessions => self.out.write_all(&[0x80, 0, 0, 0])?,
        }
        self.out.write_all(&size.width.to_be_bytes())?;
        self.out.write_all(&size.height.to_be_bytes())
    }

    fn packet(&mut self, flag: Flag, bytes: &[u8]) -> io::Result<()> {
        let (parameters, key) = match self.format {
            VideoFormat::SizeOnce => (1 << 63, 1 << 62),
            VideoFormat::Sessions => (1 << 62, 1 << 61),
        };
        // Frames at the same time of the device still need increasing timestamps.
        self.time += 1;
        let head: u64 = match flag {
            Flag::Parameters => parameters,
            Flag::Key => key | self.time,
            Flag::None => self.time,
        };
        let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
        self.out.write_all(&head.to_be_bytes())?;
        self.out.write_all(&length.to_be_bytes())?;
        self.out.write_all(bytes)
    }
}

/// The kind of a packet.
#[derive(Clone, Copy)]
enum Flag {
    Parameters,
    Key,
    None,
}

/// An encoder that skips no frame and encodes equal pictures equally.
fn encoder() -> Result<Encoder, openh264::Error> {
    let config = EncoderConfig::new()
        .usage_type(UsageType::CameraVideoRealTime)
        .rate_control_mode(RateControlMode::Off)
        .skip_frames(false)
        .scene_change_detect(false)
        .adaptive_quantization(false)
        .background_detection(false)
        .num_threads(1);
    Encoder::with_api_config(OpenH264API::from_source(), config)
}

/// The size of the video: the longer side at most `max_size` (0 for no limit), both multiples of eight.
fn film_size(picture: &Screenshot, max_size: u32) -> VideoSize {
    let (width, height) = (picture.size.width.unsigned_abs() & !7, picture.size.height.unsigned_abs() & !7);
    let (long, short) = (width.max(height), width.min(height));
    let (long, short) = match max_size & !7 {
        limit @ 1.. if long > limit => (limit, (short * limit / long + 4) & !7),
        _ => (long, short),
    };
    // Encoders need at least one macroblock.
    let (long, short) = (long.max(16), short.max(16));
    if height >= width {
        VideoSize { width: short, height: long }
    } else {
        VideoSize { width: long, height: short }
    }
}

/// The pixels of a picture scaled to this size.
fn scaled(picture: &Screenshot, size: VideoSize) -> Vec<u8> {
    let same = |image: &image::RgbaImage| image.dimensions() == (size.width, size.height);
    match image_of(picture) {
        Some(image) if same(&image) => image.into_raw(),
        Some(image) => image::imageops::thumbnail(&image, size.width, size.height).into_raw(),
        None => vec![0; size.width as usize * size.height as usize * 4],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::PxSize;

    #[test]
    fn a_film_has_the_size_that_scrcpy_gives_it() {
        let check = |screen: (i32, i32), max_size, expected: (u32, u32)| {
            let size = PxSize { width: screen.0, height: screen.1 };
            let film = film_size(&Screenshot { size, rgba: Arc::default() }, max_size);
            assert_eq!((film.width, film.height), expected, "{screen:?}, {max_size}");
        };
        check((1080, 1920), 1280, (720, 1280));
        check((1920, 1080), 1280, (1280, 720));
        check((1080, 1920), 0, (1080, 1920));
        check((1080, 2340), 1280, (592, 1280));
        check((1440, 3088), 1280, (600, 1280));
        check((1083, 2341), 0, (1080, 2336));
        check((480, 800), 1280, (480, 800));
        check((1, 1), 1280, (16, 16));
    }
}
