//! Pictures of the screen, from the quickest source that answers.

use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::host::Patience;
use super::output::{RawPicture, png_file, raw_picture};
use super::phone::AdbPhone;
use crate::device::{DeviceError, Screenshot};
use crate::model::{PxSize, Rotation};

const PATIENCE: Duration = Duration::from_secs(15);
/// Larger than any screen by a factor of four.
const LONGEST_SIDE: u32 = 16_384;

/// A source of pictures, the quickest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rung {
    /// The uiautomator2 server, as JPEG.
    Uiautomator2,
    /// `screencap`, as it is in memory.
    Raw,
    /// `screencap -p`.
    Png,
}

impl Rung {
    /// What people call it.
    pub fn word(self) -> &'static str {
        match self {
            Rung::Uiautomator2 => "uiautomator2, JPEG",
            Rung::Raw => "screencap, raw",
            Rung::Png => "screencap, PNG",
        }
    }
}

impl AdbPhone {
    /// Where pictures come from now.
    pub fn rung(&self) -> Rung {
        self.rung
    }

    /// Takes a picture; a source that fails gives way to the next slower one for this picture and those after it.
    pub(super) fn take_picture(&mut self) -> Result<Screenshot, DeviceError> {
        loop {
            let taken = match self.rung {
                Rung::Uiautomator2 => self.jpeg(),
                Rung::Raw => self.raw(),
                Rung::Png => self.png(),
            };
            match (taken, self.rung) {
                (Ok(picture), _) => return Ok(self.turned(picture)),
                (
                    Err(DeviceError::BadPicture { problem } | DeviceError::NoAnswer { problem, .. }),
                    Rung::Uiautomator2,
                ) => self.step_down(Rung::Raw, &problem),
                (Err(DeviceError::BadPicture { problem }), Rung::Raw) => self.step_down(Rung::Png, &problem),
                (Err(error), _) => return Err(error),
            }
        }
    }

    fn step_down(&mut self, to: Rung, problem: &str) {
        tracing::info!(
            serial = self.info.serial,
            from = self.rung.word(),
            to = to.word(),
            problem,
            "pictures"
        );
        self.rung = to;
    }

    fn jpeg(&mut self) -> Result<Screenshot, DeviceError> {
        match self.jpeg_by_server()? {
            Some(bytes) => decoded(&bytes, image::ImageFormat::Jpeg),
            None => Err(bad("the server gives none")),
        }
    }

    fn raw(&mut self) -> Result<Screenshot, DeviceError> {
        let bytes = self.link.exec("screencap", &Patience::new(PATIENCE, &*self.unwanted))?;
        let RawPicture { width, height, rgba } = raw_picture(&bytes).map_err(bad)?;
        let side = |px: u32| i32::try_from(px).unwrap_or(i32::MAX);
        Ok(Screenshot { size: PxSize { width: side(width), height: side(height) }, rgba: Arc::new(rgba) })
    }

    fn png(&mut self) -> Result<Screenshot, DeviceError> {
        let bytes = self.link.exec("screencap -p", &Patience::new(PATIENCE, &*self.unwanted))?;
        decoded(&png_file(&bytes).map_err(bad)?, image::ImageFormat::Png)
    }

    /// Old devices give the panel as it is built in; layouts are as it is turned.
    fn turned(&self, picture: Screenshot) -> Screenshot {
        let rotation = Rotation(self.turned.load(Ordering::Relaxed));
        let wanted = self.screen(rotation);
        let lies = (picture.size.width > picture.size.height) != (wanted.width > wanted.height);
        if !rotation.sideways() || !lies {
            return picture;
        }
        let (width, height) = (picture.size.width.unsigned_abs(), picture.size.height.unsigned_abs());
        let Some(image) = image::RgbaImage::from_raw(width, height, picture.rgba.to_vec()) else {
            return picture;
        };
        let image = if rotation.0 == 1 {
            image::imageops::rotate270(&image)
        } else {
            image::imageops::rotate90(&image)
        };
        let size = PxSize { width: picture.size.height, height: picture.size.width };
        Screenshot { size, rgba: Arc::new(image.into_raw()) }
    }
}

fn bad(problem: impl ToString) -> DeviceError {
    DeviceError::BadPicture { problem: problem.to_string() }
}

fn decoded(bytes: &[u8], format: image::ImageFormat) -> Result<Screenshot, DeviceError> {
    let mut reader = image::ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(LONGEST_SIDE);
    limits.max_image_height = Some(LONGEST_SIDE);
    reader.limits(limits);
    let picture = reader.decode().map_err(bad)?.into_rgba8();
    let size = PxSize { width: picture.width() as i32, height: picture.height() as i32 };
    Ok(Screenshot { size, rgba: Arc::new(picture.into_raw()) })
}
