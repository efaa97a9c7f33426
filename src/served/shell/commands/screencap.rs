//! `screencap`: raw pixels or PNG, in the orientation of the panel or as the user sees it.

use std::sync::Arc;

use super::{Call, Done};
use crate::Cost;
use taproof_core::device::{DeviceError, Screenshot};
use taproof_core::model::{PxSize, Rotation};
/// `PIXEL_FORMAT_RGBA_8888`, and the colour space sRGB.
const RGBA: u32 = 1;
const SRGB: u32 = 1;

const USAGE: &str = "usage: screencap [-p] [FILENAME]
";

pub fn screencap(call: &mut Call<'_, '_>) -> Done {
    let (mut png, mut file) = (false, None);
    for arg in call.args {
        match arg.as_str() {
            "-p" => png = true,
            option if option.starts_with('-') => {
                call.io.err.put(USAGE.as_bytes())?;
                return Ok(1);
            }
            path => file = Some(path.to_owned()),
        }
    }
    png |= file.as_ref().is_some_and(|file| file.ends_with(".png"));
    let path = file.as_ref().map(|file| call.path(file));
    if let (Some(file), Some(path)) = (&file, &path) {
        let opened = call.state().write_file(path, Vec::new(), None, None);
        if let Err(error) = opened {
            return call.fail(&format!("Error opening file: {file} ({error})"), 1);
        }
    }
    call.take_time(Cost::Screenshot)?;
    let old = call.old();
    let picture = {
        let mut state = call.state();
        state.picture(old)
    };
    let (head, body) = match picture.and_then(|picture| encoded(picture, png, old)) {
        Ok(parts) => parts,
        Err(error) => return call.fail(&format!("Capture failed: {error}"), 1),
    };
    let Some(path) = path else {
        call.io.out.put(&head)?;
        call.io.out.put(&body)?;
        return Ok(0);
    };
    let written = call.state().write_file(&path, [&head[..], &body].concat(), None, None);
    match written {
        Ok(()) => Ok(0),
        Err(error) => call.fail(&format!("Error writing file: {path} ({error})"), 1),
    }
}

/// The header and the body of a picture.
type Parts = (Vec<u8>, Arc<Vec<u8>>);

fn encoded(picture: Screenshot, png: bool, old: bool) -> Result<Parts, DeviceError> {
    if png {
        return Ok((Vec::new(), Arc::new(picture.to_png()?)));
    }
    Ok((header(picture.size, old), picture.rgba))
}

/// Width, height, format, and on newer devices the colour space.
fn header(size: PxSize, old: bool) -> Vec<u8> {
    let words = [size.width.unsigned_abs(), size.height.unsigned_abs(), RGBA];
    words.into_iter().chain((!old).then_some(SRGB)).flat_map(u32::to_le_bytes).collect()
}

impl crate::State {
    /// A picture of the current screen, black while it is off. With `panel` it is in the panel's orientation,
    /// regardless of the rotation.
    pub fn picture(&mut self, panel: bool) -> Result<Screenshot, DeviceError> {
        let mut picture = self.device.screenshot()?;
        if !self.awake {
            let mut rgba = vec![0; picture.rgba.len()];
            rgba.iter_mut().skip(3).step_by(4).for_each(|alpha| *alpha = 255);
            picture.rgba = Arc::new(rgba);
        }
        let rotation = self.layout()?.rotation();
        Ok(if panel { unturned(&picture, rotation) } else { picture })
    }
}

/// Rotates the picture back to the panel's orientation. The content was rotated clockwise by `rotation`.
fn unturned(picture: &Screenshot, rotation: Rotation) -> Screenshot {
    let (width, height) = (picture.size.width.max(0) as usize, picture.size.height.max(0) as usize);
    let size = match rotation.sideways() {
        true => PxSize { width: picture.size.height, height: picture.size.width },
        false => picture.size,
    };
    let pixel = |x: usize, y: usize| {
        let start = (y * width + x) * 4;
        picture.rgba.get(start..start + 4).unwrap_or(&[0, 0, 0, 255])
    };
    let mut rgba = Vec::with_capacity(picture.rgba.len());
    match rotation.0 % 4 {
        0 => return picture.clone(),
        1 => (0..width).for_each(|x| (0..height).rev().for_each(|y| rgba.extend_from_slice(pixel(x, y)))),
        2 => {
            (0..height).rev().for_each(|y| (0..width).rev().for_each(|x| rgba.extend_from_slice(pixel(x, y))))
        }
        _ => (0..width).rev().for_each(|x| (0..height).for_each(|y| rgba.extend_from_slice(pixel(x, y)))),
    }
    Screenshot { size, rgba: Arc::new(rgba) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture with one byte per pixel, in rows.
    fn picture(rows: &[&str]) -> Screenshot {
        let rgba = rows.iter().flat_map(|row| row.bytes()).flat_map(|byte| [byte; 4]).collect();
        let size = PxSize { width: rows[0].len() as i32, height: rows.len() as i32 };
        Screenshot { size, rgba: Arc::new(rgba) }
    }

    #[test]
    fn the_panel_is_never_turned() {
        let seen = picture(&["abc", "def"]);
        assert_eq!(unturned(&seen, Rotation(0)), seen);
        assert_eq!(unturned(&seen, Rotation(1)), picture(&["da", "eb", "fc"]));
        assert_eq!(unturned(&seen, Rotation(2)), picture(&["fed", "cba"]));
        assert_eq!(unturned(&seen, Rotation(3)), picture(&["cf", "be", "ad"]));
    }

    #[test]
    fn the_header_has_a_colour_space_on_new_devices_only() {
        let size = PxSize { width: 2, height: 1 };
        assert_eq!(header(size, true), [2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
        assert_eq!(header(size, false), [2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    }
}
