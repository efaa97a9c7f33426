//! Pictures of the screen as images.

use std::sync::Arc;

use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, RgbaImage};

use crate::served::State;
use taproof_engine::device::{DeviceError, Screenshot};
use taproof_screen::Rotation;

/// The picture as an image; `None` if it has not as many pixels as its size says.
pub(crate) fn image_of(picture: &Screenshot) -> Option<RgbaImage> {
    let (width, height) = (u32::try_from(picture.size.width).ok()?, u32::try_from(picture.size.height).ok()?);
    RgbaImage::from_raw(width, height, picture.rgba.to_vec())
}

/// A picture as a JPEG of this quality, from 1 to 100; `None` if it cannot be one.
pub fn jpeg(picture: &Screenshot, quality: u8) -> Option<Vec<u8>> {
    jpeg_of(image_of(picture)?, quality)
}

/// The image as a JPEG of this quality, from 1 to 100.
pub(crate) fn jpeg_of(image: RgbaImage, quality: u8) -> Option<Vec<u8>> {
    let image = image::DynamicImage::from(image).into_rgb8();
    let mut bytes = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut bytes, quality);
    encoder.encode(&image, image.width(), image.height(), ExtendedColorType::Rgb8).ok()?;
    Some(bytes)
}

impl State {
    /// The picture of the screen, which is black while the screen is off; with `panel` as the upright panel shows it.
    pub fn picture(&mut self, panel: bool) -> Result<Screenshot, DeviceError> {
        let mut picture = self.device.screenshot()?;
        if !self.awake {
            let mut rgba = vec![0; picture.rgba.len()];
            rgba.iter_mut().skip(3).step_by(4).for_each(|alpha| *alpha = 255);
            picture.rgba = Arc::new(rgba);
        }
        let rotation = self.layout()?.rotation();
        Ok(if panel { unturned(picture, rotation) } else { picture })
    }
}

/// Undoes the rotation of a picture.
fn unturned(picture: Screenshot, rotation: Rotation) -> Screenshot {
    let Some(image) = image_of(&picture) else { return picture };
    match rotation.0 % 4 {
        0 => picture,
        1 => image::imageops::rotate90(&image).into(),
        2 => image::imageops::rotate180(&image).into(),
        _ => image::imageops::rotate270(&image).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::PxSize;

    /// A picture with one byte per pixel, in rows.
    fn picture(rows: &[&str]) -> Screenshot {
        let rgba = rows.iter().flat_map(|row| row.bytes()).flat_map(|byte| [byte; 4]).collect();
        let size = PxSize { width: rows[0].len() as i32, height: rows.len() as i32 };
        Screenshot { size, rgba: Arc::new(rgba) }
    }

    #[test]
    fn the_panel_is_never_turned() {
        let seen = picture(&["abc", "def"]);
        assert_eq!(unturned(seen.clone(), Rotation(0)), seen);
        assert_eq!(unturned(seen.clone(), Rotation(1)), picture(&["da", "eb", "fc"]));
        assert_eq!(unturned(seen.clone(), Rotation(2)), picture(&["fed", "cba"]));
        assert_eq!(unturned(seen.clone(), Rotation(3)), picture(&["cf", "be", "ad"]));
    }

    #[test]
    fn a_picture_that_is_none_is_no_image() {
        let bad = Screenshot { size: PxSize { width: 4, height: 4 }, rgba: vec![0; 7].into() };
        assert_eq!(image_of(&bad), None);
    }
}
