//! `screencap`: raw pixels or PNG, in the orientation of the panel or as the user sees it.

use std::sync::Arc;

use crate::Cost;
use crate::shell::commands::{Call, Done};
use taproof_engine::device::{DeviceError, Screenshot};
use taproof_screen::PxSize;
/// `PIXEL_FORMAT_RGBA_8888`, and the colour space sRGB.
const RGBA: u32 = 1;
const SRGB: u32 = 1;

const USAGE: &str = "usage: screencap [-p] [FILENAME]";

pub fn screencap(call: &mut Call<'_, '_>) -> Done {
    let (mut png, mut file) = (false, None);
    for arg in call.args {
        match arg.as_str() {
            "-p" => png = true,
            option if option.starts_with('-') => return call.fail(USAGE, 1),
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
    let picture = call.state().picture(old).and_then(|picture| encoded(picture, png, old));
    let (head, body) = picture.or_else(|error| call.fails(&format!("Capture failed: {error}"), 1))?;
    let Some(path) = path else {
        call.io.out.put(&head)?;
        call.io.out.put(&body)?;
        return Ok(0);
    };
    let written = call.state().write_file(&path, [&head[..], &body].concat(), None, None);
    written.map(|()| 0).or_else(|error| call.fail(&format!("Error writing file: {path} ({error})"), 1))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_has_a_colour_space_on_new_devices_only() {
        let size = PxSize { width: 2, height: 1 };
        assert_eq!(header(size, true), [2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
        assert_eq!(header(size, false), [2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    }
}
