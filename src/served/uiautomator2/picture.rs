//! The picture of the screen as JPEG.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::imageops::{FilterType, resize};
use image::{DynamicImage, ExtendedColorType, RgbaImage};
use serde_json::{Value, json};

use super::error::RpcError;
use super::params::Params;
use crate::Served;
use taproof_core::device::Screenshot;

const QUALITY: i64 = 80;

/// `takeScreenshot(scale, quality)`: the picture in Base64. Null if there is none: clients then try `screencap`.
pub(super) fn take_screenshot(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let scale = if params.len() > 0 { params.number(0)? } else { 1.0 };
    let quality = if params.len() > 1 { params.whole(1)? } else { QUALITY };
    // Others can use the device while the picture is encoded.
    let picture = served.lock().device.screenshot().ok();
    let jpeg = picture.and_then(|picture| jpeg_of(&picture, scale, quality));
    Ok(json!(jpeg.map(|bytes| STANDARD.encode(bytes))))
}

/// Encodes the picture. It is only scaled if `scale` is between 0 and 1; `None` if it cannot be encoded.
fn jpeg_of(picture: &Screenshot, scale: f64, quality: i64) -> Option<Vec<u8>> {
    let (width, height) = (u32::try_from(picture.size.width).ok()?, u32::try_from(picture.size.height).ok()?);
    let image = RgbaImage::from_raw(width, height, picture.rgba.to_vec())?;
    let mut image = DynamicImage::from(image).into_rgb8();
    if scale > 0.0 && scale < 1.0 {
        let scaled = |length: u32| (f64::from(length) * scale).round().max(1.0) as u32;
        image = resize(&image, scaled(width), scaled(height), FilterType::Triangle);
    }
    let mut bytes = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut bytes, quality.clamp(1, 100) as u8);
    encoder.encode(&image, image.width(), image.height(), ExtendedColorType::Rgb8).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{call, served};
    use super::*;

    fn check(params: &Value, size: (u32, u32)) {
        let served = served("FrameLayout\n");
        let answered = call(&served, "takeScreenshot", params).unwrap();
        let jpeg = STANDARD.decode(answered.as_str().unwrap()).unwrap();
        let picture = image::load_from_memory_with_format(&jpeg, image::ImageFormat::Jpeg).unwrap().to_rgb8();
        assert_eq!(picture.dimensions(), size, "{params}");
        let pixel = picture.get_pixel(size.0 / 2, size.1 / 2).0;
        let near = pixel.iter().zip([200u8, 100, 50]).all(|(is, was)| is.abs_diff(was) < 16);
        assert!(near, "{params}: {pixel:?}");
    }

    #[test]
    fn the_picture_comes_as_jpeg_in_the_size_asked_for() {
        check(&json!([1, 80]), (40, 20));
        check(&json!({}), (40, 20));
        check(&json!([0.5, 100]), (20, 10));
        check(&json!([0.001, 90]), (1, 1));
        check(&json!([-3, 500]), (40, 20));
    }

    #[test]
    fn a_picture_that_is_none_is_null() {
        let bad =
            Screenshot { size: taproof_core::model::PxSize { width: 4, height: 4 }, rgba: vec![0; 7].into() };
        assert_eq!(jpeg_of(&bad, 1.0, 80), None);
    }
}
