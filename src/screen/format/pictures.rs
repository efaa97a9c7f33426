//! Pictures from outside: screenshots of devices, of recorded walks and of stored findings. A small file can claim a
//! picture that fills the memory, so its size is read before its pixels are.

use std::io::Cursor;

use image::{ColorType, DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits, RgbaImage};

use crate::PxSize;

/// Largest number of pixels that is read: a screen of 8192 by 4320, larger than that of any device.
pub const MOST_PIXELS: u64 = 8192 * 4320;
/// Largest number of pixels on one side.
const LONGEST_SIDE: u32 = 8192;
/// Largest size in bytes while a picture is read, including a copy with another pixel format.
const MOST_BYTES: u64 = 8 * MOST_PIXELS;
/// Largest size in bytes of what a file contains besides pixels, such as a colour profile.
const MOST_BESIDE: u64 = 32 * 1024 * 1024;

/// A picture is larger than any screen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the picture has {width}x{height} pixels and would take {} MB of memory; no screen has more than \
     {MOST_PIXELS} pixels, or {LONGEST_SIDE} a side. Take it again, or leave this file out",
    .bytes.div_ceil(1_000_000)
)]
pub struct PictureTooLarge {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
    /// Bytes of memory that reading it would take.
    pub bytes: u64,
}

/// Why a picture cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The picture would take too much memory.
    #[error(transparent)]
    TooLarge(#[from] PictureTooLarge),
    /// The file is damaged or of another format.
    #[error("the file is no picture that can be read: {0}")]
    Broken(#[from] ImageError),
}

/// Checks that a picture is not larger than any screen. `pixel_bytes` is the memory per pixel while it is read.
///
/// # Errors
///
/// [`PictureTooLarge`] if a side, the number of pixels or the memory exceeds its limit.
pub fn check_pixels(width: u32, height: u32, pixel_bytes: u64) -> Result<(), PictureTooLarge> {
    let pixels = u64::from(width).saturating_mul(u64::from(height));
    let bytes = pixels.saturating_mul(pixel_bytes);
    if width.max(height) > LONGEST_SIDE || pixels > MOST_PIXELS || bytes > MOST_BYTES {
        return Err(PictureTooLarge { width, height, bytes });
    }
    Ok(())
}

/// Returns the size of a picture, reading only the header.
///
/// # Errors
///
/// [`PictureError`] if the header is damaged or of another format, or the picture is too large for [`read_picture`].
pub fn picture_size(bytes: &[u8], format: ImageFormat) -> Result<PxSize, PictureError> {
    let (width, height) = checked(bytes, format)?.dimensions();
    Ok(PxSize { width: width as i32, height: height as i32 })
}

/// Reads a picture.
///
/// # Errors
///
/// [`PictureError`] if the file is damaged or of another format, or the picture is larger than any screen.
pub fn read_picture(bytes: &[u8], format: ImageFormat) -> Result<DynamicImage, PictureError> {
    Ok(DynamicImage::from_decoder(checked(bytes, format)?)?)
}

/// Reads a picture like [`read_picture`] and converts it to 8-bit RGBA.
///
/// # Errors
///
/// As [`read_picture`].
pub fn read_rgba(bytes: &[u8], format: ImageFormat) -> Result<RgbaImage, PictureError> {
    Ok(read_picture(bytes, format)?.into_rgba8())
}

/// Returns a decoder that has read the header but no pixel.
fn checked(bytes: &[u8], format: ImageFormat) -> Result<impl ImageDecoder, PictureError> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_BESIDE);
    reader.limits(limits);
    let decoder = reader.into_decoder()?;
    let color = decoder.color_type();
    // Converting pixels to another format makes a copy, of at most 4 bytes per pixel.
    let copy = if matches!(color, ColorType::Rgba8) { 0 } else { 4 };
    let (width, height) = decoder.dimensions();
    check_pixels(width, height, u64::from(color.bytes_per_pixel()) + copy)?;
    Ok(decoder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::grey_png;

    fn refusal(bytes: &[u8], format: ImageFormat) -> String {
        let error = read_rgba(bytes, format).unwrap_err();
        assert_eq!(picture_size(bytes, format).unwrap_err().to_string(), error.to_string());
        error.to_string()
    }

    #[test]
    fn a_picture_of_more_pixels_than_a_screen_is_refused_before_it_is_read() {
        let bomb = grey_png(16_384, 16_384);
        assert!(bomb.len() < 2_000_000, "{}", bomb.len());
        assert_eq!(
            refusal(&bomb, ImageFormat::Png),
            "the picture has 16384x16384 pixels and would take 1343 MB of memory; no screen has more than \
             35389440 pixels, or 8192 a side. Take it again, or leave this file out"
        );
        assert!(refusal(&grey_png(1, 8193), ImageFormat::Png).contains("1x8193"));
        let mut jpeg = Cursor::new(Vec::new());
        image::GrayImage::new(8, 8).write_to(&mut jpeg, ImageFormat::Jpeg).unwrap();
        let mut jpeg = jpeg.into_inner();
        let size = jpeg.windows(2).position(|marker| marker == [0xff, 0xc0]).unwrap() + 5;
        jpeg[size..size + 4].copy_from_slice(&[0x40, 0, 0x40, 0]);
        assert!(refusal(&jpeg, ImageFormat::Jpeg).starts_with("the picture has 16384x16384 pixels"));
    }

    #[test]
    fn a_picture_of_a_large_screen_is_read() {
        let size = picture_size(&grey_png(7680, 4320), ImageFormat::Png).unwrap();
        assert_eq!(size, PxSize { width: 7680, height: 4320 });
        let read = read_rgba(&grey_png(300, 70), ImageFormat::Png).unwrap();
        assert_eq!((read.dimensions(), read.get_pixel(299, 69).0), ((300, 70), [0, 0, 0, 255]));
    }

    #[test]
    fn deep_pixels_count_with_their_copy() {
        assert!(check_pixels(8192, 4320, 8).is_ok() && check_pixels(8192, 4321, 1).is_err());
        assert!(check_pixels(8192, 4320, 12).is_err() && check_pixels(3840, 2160, 12).is_ok());
        assert!(check_pixels(u32::MAX, u32::MAX, u64::MAX).is_err());
    }
}
