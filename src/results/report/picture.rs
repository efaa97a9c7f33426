//! Makes stored screenshots small enough for files that people send to each other.

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, ImageFormat, RgbImage};

use taproof_screen::format::read_picture;

/// The screenshot with at most `max_width` pixels per row. `None` if it cannot be read or is larger than any screen;
/// its layout can still be drawn then.
pub(super) fn small_picture(png: &[u8], max_width: u32) -> Option<RgbImage> {
    let picture = read_picture(png, ImageFormat::Png).ok()?.into_rgb8();
    let (width, height) = picture.dimensions();
    if width <= max_width {
        return Some(picture);
    }
    if width.is_multiple_of(max_width) {
        return scaled_down(&picture, (width / max_width) as usize);
    }
    let height = (u64::from(height) * u64::from(max_width) / u64::from(width)).max(1) as u32;
    Some(image::imageops::thumbnail(&picture, max_width, height))
}

/// The mean of each square of `factor` by `factor` pixels: the same as `thumbnail`, in a third of its time.
fn scaled_down(picture: &RgbImage, factor: usize) -> Option<RgbImage> {
    let row = picture.width() as usize * 3;
    let mut sums = vec![0_u32; row / factor];
    let area = (factor * factor) as u32;
    let mut small = Vec::with_capacity(picture.as_raw().len() / (factor * factor));
    for rows in picture.as_raw().chunks_exact(row * factor) {
        sums.fill(0);
        for row in rows.chunks_exact(row) {
            for (sums, block) in sums.chunks_exact_mut(3).zip(row.chunks_exact(3 * factor)) {
                for pixel in block.chunks_exact(3) {
                    sums.iter_mut().zip(pixel).for_each(|(sum, part)| *sum += u32::from(*part));
                }
            }
        }
        small.extend(sums.iter().map(|sum| ((sum + area / 2) / area) as u8));
    }
    RgbImage::from_raw((row / 3 / factor) as u32, picture.height() / factor as u32, small)
}

/// Encodes a PNG file. Screens have flat colours: filters would enlarge the file, and a longer search hardly makes it
/// smaller.
pub(super) fn png_file(picture: RgbImage) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Default, FilterType::NoFilter);
    DynamicImage::from(picture).write_with_encoder(encoder).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::format::grey_png;

    #[test]
    fn a_picture_larger_than_any_screen_is_left_out() {
        assert_eq!(small_picture(&grey_png(16_384, 16_384), 360), None);
        let small = small_picture(&grey_png(720, 1440), 360).map(|picture| picture.dimensions());
        assert_eq!(small, Some((360, 720)));
    }

    #[test]
    fn a_square_of_pixels_becomes_its_mean() {
        let picture = RgbImage::from_fn(4, 5, |x, y| image::Rgb([(x * 10) as u8, (y * 10) as u8, 7]));
        let small = scaled_down(&picture, 2).unwrap();
        assert_eq!(small.dimensions(), (2, 2));
        assert_eq!([small.get_pixel(0, 0).0, small.get_pixel(1, 1).0], [[5, 5, 7], [25, 25, 7]]);
    }
}
