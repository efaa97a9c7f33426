//! Pictures that others have made: screenshots of devices, of recorded walks and of stored findings. A small file can
//! claim a picture that fills the memory, so its size is read before its pixels are.

use std::io::Cursor;

use image::{ColorType, DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits, RgbaImage};

use crate::model::PxSize;

/// Pixels of the largest picture that is read: those of a screen of 8192 by 4320, beyond any device's.
pub const MOST_PIXELS: u64 = 8192 * 4320;
/// Pixels of its longer side.
const LONGEST_SIDE: u32 = 8192;
/// Bytes that a picture takes while it is read, with its copy of another kind of pixels.
const MOST_BYTES: u64 = 8 * MOST_PIXELS;
/// What the file tells beside the pixels, such as a colour profile, in bytes.
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
    /// What it would take in memory while it is read.
    pub bytes: u64,
}

/// A picture cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// It would take too much memory.
    #[error(transparent)]
    TooLarge(#[from] PictureTooLarge),
    /// It is broken, or none of this kind.
    #[error("the file is no picture that can be read: {0}")]
    Broken(#[from] ImageError),
}

/// Refuses a picture of more pixels than any screen has. `pixel_bytes`: what one takes while it is read.
pub fn check_pixels(width: u32, height: u32, pixel_bytes: u64) -> Result<(), PictureTooLarge> {
    let pixels = u64::from(width).saturating_mul(u64::from(height));
    let bytes = pixels.saturating_mul(pixel_bytes);
    if width.max(height) > LONGEST_SIDE || pixels > MOST_PIXELS || bytes > MOST_BYTES {
        return Err(PictureTooLarge { width, height, bytes });
    }
    Ok(())
}

/// The size of a picture, from its head alone. One that `read_picture` would refuse is refused here, too.
pub fn picture_size(bytes: &[u8], format: ImageFormat) -> Result<PxSize, PictureError> {
    let (width, height) = checked(bytes, format)?.dimensions();
    Ok(PxSize { width: width as i32, height: height as i32 })
}

/// Reads a picture, if it is of this format and not larger than any screen.
pub fn read_picture(bytes: &[u8], format: ImageFormat) -> Result<DynamicImage, PictureError> {
    Ok(DynamicImage::from_decoder(checked(bytes, format)?)?)
}

/// The same as RGBA of 8 bits.
pub fn read_rgba(bytes: &[u8], format: ImageFormat) -> Result<RgbaImage, PictureError> {
    Ok(read_picture(bytes, format)?.into_rgba8())
}

/// A decoder that has read the head and no pixel.
fn checked(bytes: &[u8], format: ImageFormat) -> Result<impl ImageDecoder, PictureError> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_BESIDE);
    reader.limits(limits);
    let decoder = reader.into_decoder()?;
    let color = decoder.color_type();
    // Whoever asks for other pixels than the file has them is given a copy, of 4 bytes a pixel at most.
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
