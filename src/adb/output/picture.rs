//! Parsing pictures of the screen as raw pixels.

use taproof_screen::format::{PictureTooLarge, check_pixels};

/// The longest side of a picture in pixels; anything above is no picture.
const LONGEST_SIDE: u32 = 16_384;

/// A picture of the screen.
#[derive(Clone, PartialEq, Eq)]
pub struct RawPicture {
    /// Width of the picture in pixels.
    pub width: u32,
    /// Height of the picture in pixels.
    pub height: u32,
    /// Straight (not premultiplied) 8-bit RGBA, rows from the top: `width * height * 4` bytes.
    pub rgba: Vec<u8>,
}

impl std::fmt::Debug for RawPicture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RawPicture({}x{}, {} bytes)", self.width, self.height, self.rgba.len())
    }
}

/// Why an answer is not a usable picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// The answer is empty: the screen may be protected or switched off.
    #[error("the device gives no picture at all; the screen may be off or show a protected window")]
    Empty,
    /// The answer is shorter than the picture.
    #[error("the picture breaks off: {received} bytes came, {needed} are needed; take it again")]
    BrokenOff {
        /// The length of the answer in bytes.
        received: usize,
        /// The length that the picture has at least.
        needed: usize,
    },
    /// No screen has this size.
    #[error("the picture would be {width}x{height}, which no screen is; this is no raw picture")]
    BadSize {
        /// The width according to the header.
        width: u32,
        /// The height according to the header.
        height: u32,
    },
    /// The picture has more pixels than any screen.
    #[error(transparent)]
    TooLarge(#[from] PictureTooLarge),
    /// The pixel format is unknown.
    #[error("the pixels are in format {format}, which is not known; take a PNG instead")]
    BadFormat {
        /// The number of Android's pixel format.
        format: u32,
    },
    /// The answer contains no PNG.
    #[error("the answer holds no PNG; it reads {excerpt}")]
    NoPng {
        /// The beginning of the answer, quoted.
        excerpt: String,
    },
    /// The PNG was damaged in transit.
    #[error("the PNG is damaged: {problem}; take it again, best over `exec:` and not over `shell:`")]
    Damaged {
        /// The damage that was found.
        problem: &'static str,
    },
}

/// Parses the answer of `screencap` without `-p`: width, height, format, in newer releases a colour space, then rows
/// without padding. Anything after them is ignored.
///
/// # Errors
///
/// Any [`PictureError`] except those about PNG.
pub fn raw_picture(bytes: &[u8]) -> Result<RawPicture, PictureError> {
    if bytes.is_empty() {
        return Err(PictureError::Empty);
    }
    let broken_off = |needed| PictureError::BrokenOff { received: bytes.len(), needed };
    let number = |at: usize| {
        let field: Option<[u8; 4]> = bytes.get(at..at + 4).and_then(|field| field.try_into().ok());
        field.map(u32::from_le_bytes).ok_or(broken_off(SHORT_HEADER))
    };
    let (width, height, format) = (number(0)?, number(4)?, number(8)?);
    let fits = |side| (1..=LONGEST_SIDE).contains(&side);
    if !fits(width) || !fits(height) {
        return Err(PictureError::BadSize { width, height });
    }
    let (pixel_bytes, pixel) = pixel_format(format)?;
    check_pixels(width, height, 4)?;
    let pixels = width as usize * height as usize;
    let size = pixels * pixel_bytes;
    let header = header_bytes(bytes, size, format);
    let rows = bytes.get(header..header + size).ok_or(broken_off(header + size))?;
    if format == RGBA {
        return Ok(RawPicture { width, height, rgba: rows.to_vec() });
    }
    let mut rgba = Vec::with_capacity(pixels * 4);
    for bytes in rows.chunks_exact(pixel_bytes) {
        rgba.extend_from_slice(&pixel(bytes));
    }
    Ok(RawPicture { width, height, rgba })
}

/// The format of nearly all devices, which needs no conversion.
const RGBA: u32 = 1;
const SHORT_HEADER: usize = 12;
const LONG_HEADER: usize = 16;

/// The length of the header, which depends on whether it contains a colour space. That follows from the total length.
/// If there is more data after the rows, it follows from the value: taken as a first RGBA pixel, a colour space would
/// be transparent, which a screen never is.
fn header_bytes(bytes: &[u8], size: usize, format: u32) -> usize {
    let color_space = bytes.get(SHORT_HEADER..LONG_HEADER);
    let transparent = matches!(format, 1 | 5) && matches!(color_space, Some([0..=2, 0, 0, 0]));
    match bytes.len().checked_sub(size) {
        Some(LONG_HEADER) => LONG_HEADER,
        Some(SHORT_HEADER) => SHORT_HEADER,
        Some(more) if more > LONG_HEADER && transparent => LONG_HEADER,
        _ => SHORT_HEADER,
    }
}

/// The number of bytes per pixel, and the conversion to RGBA.
type PixelFormat = (usize, fn(&[u8]) -> [u8; 4]);

fn pixel_format(format: u32) -> Result<PixelFormat, PictureError> {
    Ok(match format {
        RGBA => (4, |pixel| match pixel {
            [r, g, b, a, ..] => [*r, *g, *b, *a],
            _ => [0; 4],
        }),
        2 => (4, |pixel| match pixel {
            [r, g, b, ..] => [*r, *g, *b, 255],
            _ => [0; 4],
        }),
        3 => (3, |pixel| match pixel {
            [r, g, b, ..] => [*r, *g, *b, 255],
            _ => [0; 4],
        }),
        4 => (2, rgb565),
        5 => (4, |pixel| match pixel {
            [b, g, r, a, ..] => [*r, *g, *b, *a],
            _ => [0; 4],
        }),
        _ => return Err(PictureError::BadFormat { format }),
    })
}

fn rgb565(pixel: &[u8]) -> [u8; 4] {
    let [low, high, ..] = pixel else { return [0; 4] };
    let packed = u16::from_le_bytes([*low, *high]);
    // Repeats the highest bits in the lowest, so that the full intensity stays full.
    let five = |part: u16| u8::try_from((part << 3 | part >> 2) & 0xff).unwrap_or(255);
    let six = |part: u16| u8::try_from((part << 2 | part >> 4) & 0xff).unwrap_or(255);
    [five(packed >> 11), six(packed >> 5 & 0x3f), five(packed & 0x1f), 255]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(width: u32, height: u32, format: u32, rest: &[u8]) -> Vec<u8> {
        let mut bytes: Vec<u8> =
            [width, height, format].iter().flat_map(|number| number.to_le_bytes()).collect();
        bytes.extend_from_slice(rest);
        bytes
    }

    fn check(bytes: &[u8], expected: &[u8]) {
        let picture = raw_picture(bytes).unwrap();
        assert_eq!((picture.width, picture.height), (2, 1));
        assert_eq!(picture.rgba, expected);
    }

    #[test]
    fn all_formats_become_rgba() {
        check(&raw(2, 1, 1, &[1, 2, 3, 255, 4, 5, 6, 255]), &[1, 2, 3, 255, 4, 5, 6, 255]);
        check(&raw(2, 1, 2, &[1, 2, 3, 0, 4, 5, 6, 9]), &[1, 2, 3, 255, 4, 5, 6, 255]);
        check(&raw(2, 1, 3, &[1, 2, 3, 4, 5, 6]), &[1, 2, 3, 255, 4, 5, 6, 255]);
        check(&raw(2, 1, 4, &[0x1f, 0xf8, 0xe0, 0x07]), &[255, 0, 255, 255, 0, 255, 0, 255]);
        check(&raw(2, 1, 5, &[3, 2, 1, 255, 6, 5, 4, 255]), &[1, 2, 3, 255, 4, 5, 6, 255]);
    }

    #[test]
    fn the_header_may_have_a_color_space_and_the_end_more() {
        let pixels = [1, 2, 3, 255, 4, 5, 6, 255];
        let with_space = [&[1, 0, 0, 0], &pixels[..]].concat();
        check(&raw(2, 1, 1, &with_space), &pixels);
        check(&raw(2, 1, 1, &[&with_space[..], b"\n"].concat()), &pixels);
        check(&raw(2, 1, 1, &[&pixels[..], b"\r\nmore"].concat()), &pixels);
    }

    #[test]
    fn what_is_no_picture_is_said() {
        assert_eq!(raw_picture(&[]), Err(PictureError::Empty));
        assert_eq!(raw_picture(&[1, 0, 0]), Err(PictureError::BrokenOff { received: 3, needed: 12 }));
        assert_eq!(
            raw_picture(&raw(2, 1, 1, &[0; 7])),
            Err(PictureError::BrokenOff { received: 19, needed: 20 })
        );
        assert_eq!(raw_picture(&raw(0, 5, 1, &[])), Err(PictureError::BadSize { width: 0, height: 5 }));
        let huge = raw(u32::MAX, u32::MAX, 1, &[]);
        assert_eq!(raw_picture(&huge), Err(PictureError::BadSize { width: u32::MAX, height: u32::MAX }));
        let claims = raw(8192, 4320, 1, &[0; 64]);
        assert!(matches!(raw_picture(&claims), Err(PictureError::BrokenOff { .. })));
        let bomb = raw_picture(&raw(LONGEST_SIDE, LONGEST_SIDE, 4, &[0; 64])).unwrap_err().to_string();
        assert!(bomb.starts_with("the picture has 16384x16384 pixels and would take 1074 MB"), "{bomb}");
        assert_eq!(raw_picture(&raw(2, 1, 22, &[0; 64])), Err(PictureError::BadFormat { format: 22 }));
    }
}
