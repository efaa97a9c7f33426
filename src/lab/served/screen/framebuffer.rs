//! `framebuffer:`: the picture of the screen without an encoding, as the daemon sends it.

use std::io::Write;

use crate::wire::DeviceStream;
use crate::{Cost, Served};
use taproof_engine::device::Screenshot;

/// The version of the header that has no colour space.
const VERSION: u32 = 1;
const PIXEL_BYTES: u32 = 4;

/// Sends one picture; a device without pictures sends nothing.
pub(crate) fn send(served: &Served, mut stream: DeviceStream) {
    served.take_time(Cost::Screenshot, || true);
    let taken = served.lock().device.screenshot();
    let Ok(picture) = taken else { return };
    // A host that is gone does not want the rest.
    stream.write_all(&head(&picture)).and_then(|()| stream.write_all(&picture.rgba)).unwrap_or_default();
}

/// The header: version, bits for each pixel, bytes, width, height, then offset and length of red, blue, green, alpha.
fn head(picture: &Screenshot) -> Vec<u8> {
    let [width, height] =
        [picture.size.width, picture.size.height].map(|side| u32::try_from(side).unwrap_or(0));
    let words =
        [VERSION, 8 * PIXEL_BYTES, width * height * PIXEL_BYTES, width, height, 0, 8, 16, 8, 8, 8, 24, 8];
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
