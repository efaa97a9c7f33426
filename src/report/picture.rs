//! Stored pictures made small enough for files that people send each other.

use std::io::Cursor;

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, ImageFormat, ImageReader, Limits, RgbImage};

/// A stored picture of a screen would not be larger than this, in bytes of memory.
const LARGEST: u64 = 256 * 1024 * 1024;

/// The picture at most so many pixels wide; `None` if it cannot be read, as its layout can still be drawn.
pub(super) fn small_picture(png: &[u8], max_width: u32) -> Option<RgbImage> {
    let mut reader = ImageReader::with_format(Cursor::new(png), ImageFormat::Png);
    let mut limits = Limits::default();
    limits.max_alloc = Some(LARGEST);
    reader.limits(limits);
    let picture = reader.decode().ok()?.into_rgb8();
    let (width, height) = picture.dimensions();
    if width <= max_width {
        return Some(picture);
    }
    let height = (u64::from(height) * u64::from(max_width) / u64::from(width)).max(1) as u32;
    Some(image::imageops::thumbnail(&picture, max_width, height))
}

/// As a PNG file.
pub(super) fn png_file(picture: RgbImage) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Best, FilterType::Adaptive);
    DynamicImage::from(picture).write_with_encoder(encoder).ok()?;
    Some(bytes)
}
