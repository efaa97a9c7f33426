//! Decodes H.264 to pictures, in software. Only with the feature `scrcpy`.

use std::fmt;

use openh264::OpenH264API;
use openh264::decoder::{DecodedYUV, Decoder as H264, DecoderConfig};
use openh264::formats::YUVSource;

use super::blocks::Blocks;
use super::sequence;
use super::video::{PacketKind, VideoPacket};
use taproof_screen::format::VideoSize;

/// Limit on the macroblocks (16x16 pixels) of a picture, that of H.264's highest level.
const MAX_BLOCKS: u64 = 36_864;

/// A picture of the screen.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// Width of the picture in pixels.
    pub width: u32,
    /// Height of the picture in pixels.
    pub height: u32,
    /// Presentation timestamp in microseconds of the phone's clock.
    pub pts_micros: u64,
    /// Straight 8-bit RGBA: `width * height * 4` bytes, rows from the top.
    pub rgba: Vec<u8>,
}

impl fmt::Debug for Picture {
    /// Prints the number of bytes in place of the pixels.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Picture { width, height, pts_micros, rgba } = self;
        write!(formatter, "Picture({width}x{height} at {pts_micros} µs, {} bytes)", rgba.len())
    }
}

/// The content of one packet's picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glance {
    /// The mean colours of its blocks, for comparing pictures.
    pub blocks: Blocks,
    /// The picture itself; `None` if it was not wanted.
    pub picture: Option<Picture>,
}

/// Why a picture cannot be decoded. There are no further pictures until the next key frame: restart the server.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The decoder rejects the data.
    #[error("a picture of the scrcpy server cannot be decoded: {problem}; ask it for a new one")]
    Broken {
        /// The error message of the decoder.
        problem: String,
    },
    /// The picture is larger than H.264 allows, or has no size.
    #[error(
        "the scrcpy server announces a picture that is too large or has no size; start it with a smaller one"
    )]
    BadSize,
}

/// Decodes the packets of one video stream, in their order.
pub struct Decoder {
    /// `None` until a key frame arrives, at the start and after an error.
    h264: Option<H264>,
}

impl Decoder {
    /// Creates a decoder that waits for a key frame.
    pub fn new() -> Self {
        Decoder { h264: None }
    }

    /// Decodes a packet. `None` if there is nothing to show, because no key frame has arrived since the start or the
    /// last error.
    pub fn decode(&mut self, packet: &VideoPacket) -> Result<Option<Picture>, DecodeError> {
        self.advance(packet, |picture| to_picture(picture, packet.pts_micros))
    }

    /// Decodes a packet and returns its content. Converts it to a picture only if `wanted` returns true.
    pub fn glance(
        &mut self,
        packet: &VideoPacket,
        wanted: impl FnOnce(&Blocks) -> bool,
    ) -> Result<Option<Glance>, DecodeError> {
        self.advance(packet, |picture| {
            let blocks = Blocks::of(picture)?;
            let picture = match wanted(&blocks) {
                true => Some(to_picture(picture, packet.pts_micros)?),
                false => None,
            };
            Some(Glance { blocks, picture })
        })
    }

    /// Decodes a packet only because later ones depend on it. Saves the conversion to a picture if a newer packet is
    /// available.
    pub fn pass_over(&mut self, packet: &VideoPacket) -> Result<(), DecodeError> {
        self.advance(packet, |_| Some(())).map(|_| ())
    }

    fn advance<T>(
        &mut self,
        packet: &VideoPacket,
        show: impl FnOnce(&DecodedYUV<'_>) -> Option<T>,
    ) -> Result<Option<T>, DecodeError> {
        if packet.kind == PacketKind::Delta && self.h264.is_none() {
            return Ok(None);
        }
        let shown = self.advance_unguarded(packet, show);
        if shown.is_err() {
            // The remaining state would distort all later pictures.
            self.h264 = None;
        }
        shown
    }

    fn advance_unguarded<T>(
        &mut self,
        packet: &VideoPacket,
        show: impl FnOnce(&DecodedYUV<'_>) -> Option<T>,
    ) -> Result<Option<T>, DecodeError> {
        if !sequence::picture_sizes(&packet.data).all(|size| size.is_some_and(decodable)) {
            return Err(DecodeError::BadSize);
        }
        let h264 = match &mut self.h264 {
            Some(h264) => h264,
            none => {
                let new = H264::with_api_config(OpenH264API::from_source(), DecoderConfig::new());
                none.insert(new.map_err(|error| broken(&error))?)
            }
        };
        match h264.decode(&packet.data).map_err(|error| broken(&error))? {
            Some(picture) => show(&picture).map(Some).ok_or(DecodeError::BadSize),
            None => Ok(None),
        }
    }
}

impl Default for Decoder {
    fn default() -> Self {
        Decoder::new()
    }
}

fn broken(error: &openh264::Error) -> DecodeError {
    DecodeError::Broken { problem: error.to_string() }
}

fn decodable(size: VideoSize) -> bool {
    let blocks = |side: u32| u64::from(side.div_ceil(16));
    blocks(size.width) * blocks(size.height) <= MAX_BLOCKS
}

fn to_picture(decoded: &DecodedYUV<'_>, pts_micros: u64) -> Option<Picture> {
    let (width, height) = decoded.dimensions_i32();
    let (width, height) = (u32::try_from(width).ok()?, u32::try_from(height).ok()?);
    // Colours are stored per square of four pixels, so neither side can be odd.
    if width == 0 || height == 0 || width % 2 + height % 2 > 0 || !decodable(VideoSize { width, height }) {
        return None;
    }
    let (across, down) = decoded.dimensions();
    let (y_stride, u_stride, v_stride) = decoded.strides();
    if y_stride < across || u_stride < across / 2 || v_stride < across / 2 {
        return None;
    }
    let mut rgba = vec![0; across.checked_mul(down)?.checked_mul(4)?];
    let twice = |row| std::iter::repeat_n(row, 2);
    let lines = decoded.y().chunks(y_stride);
    let blues = decoded.u().chunks(u_stride).flat_map(twice);
    let reds = decoded.v().chunks(v_stride).flat_map(twice);
    for (((line, blue), red), target) in lines.zip(blues).zip(reds).zip(rgba.chunks_exact_mut(across * 4)) {
        to_rgba(line, blue, red, target);
    }
    Some(Picture { width, height, pts_micros, rgba })
}

/// Converts one line of limited-range BT.601, which encoders produce from a screen: brightness per pixel, colours per
/// pair. Uses integers in units of 1/256, so that the compiler can vectorise it. (The library's own conversion is
/// twenty times slower for widths that are no multiple of eight, which newer servers send.)
fn to_rgba(line: &[u8], blues: &[u8], reds: &[u8], target: &mut [u8]) {
    let channel = |number: i32| (number >> 8).clamp(0, 255) as u8;
    let pairs = target.chunks_exact_mut(8).zip(line.chunks_exact(2)).zip(blues).zip(reds);
    for (((target, line), blue), red) in pairs {
        let (blue, red) = (i32::from(*blue) - 128, i32::from(*red) - 128);
        let (r, g, b) = (409 * red + 128, 128 - 100 * blue - 208 * red, 516 * blue + 128);
        for (pixel, brightness) in target.chunks_exact_mut(4).zip(line) {
            let level = 298 * (i32::from(*brightness) - 16);
            pixel.copy_from_slice(&[channel(level + r), channel(level + g), channel(level + b), 255]);
        }
    }
}

#[cfg(test)]
mod tests;
