//! Pictures of the screen, from the quickest source that answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use super::line::Line;
use super::output::{RawPicture, png_file, raw_picture};
use super::uiautomator2::server_ended;
use taproof_core::device::{DeviceError, LinkFault, Screenshot};
use taproof_core::format::read_rgba;
use taproof_core::model::{PxSize, Rotation};

const PATIENCE: Duration = Duration::from_secs(15);
/// After so many pictures of a slower source the quickest one is tried again.
const TRIED_AGAIN: u32 = 100;

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

/// Which source is asked for the next picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ladder {
    best: Rung,
    now: Rung,
    /// Pictures since a better source failed.
    since: u32,
    /// Why, was told: one that fails again is no news.
    told: bool,
}

impl Ladder {
    /// Begins with the quickest source that this device can be expected to have.
    pub fn from(best: Rung) -> Self {
        Ladder { best, now: best, since: 0, told: false }
    }

    /// The source for the next picture: the quickest one again after a while, as what failed there may be over.
    fn next(&mut self) -> Rung {
        if self.now != self.best {
            self.since += 1;
        }
        if self.since >= TRIED_AGAIN {
            (self.now, self.since) = (self.best, 0);
        }
        self.now
    }

    /// The source failed; whether that is news.
    fn step_down(&mut self, to: Rung) -> bool {
        (self.now, self.since) = (to, 0);
        !std::mem::replace(&mut self.told, true)
    }
}

/// Takes pictures of a device.
pub(super) struct Pictures {
    line: Line,
    ladder: Ladder,
    /// How the screen is turned, in quarters; shared by all who look at it.
    turned: Arc<AtomicU8>,
}

impl Pictures {
    /// Begins with the quickest source that the device can be expected to have.
    pub fn new(line: Line, best: Rung, turned: Arc<AtomicU8>) -> Self {
        Pictures { line, ladder: Ladder::from(best), turned }
    }

    /// The same for another taker of pictures.
    pub fn another(&self) -> Pictures {
        Pictures::new(self.line.clone(), self.ladder.best, Arc::clone(&self.turned))
    }

    /// From here on the quickest source is this one.
    pub fn begin_with(&mut self, best: Rung) {
        self.ladder = Ladder::from(best);
    }

    /// The screen is turned so now.
    pub fn turn(&self, rotation: Rotation) {
        self.turned.store(rotation.0, Ordering::Relaxed);
    }

    /// How the screen is turned.
    pub fn rotation(&self) -> Rotation {
        Rotation(self.turned.load(Ordering::Relaxed))
    }

    /// Where pictures come from now.
    pub fn rung(&self) -> Rung {
        self.ladder.now
    }

    /// Takes a picture; a source that fails gives way to the next slower one for this picture and some after it.
    pub fn take(&mut self) -> Result<Screenshot, DeviceError> {
        let mut rung = self.ladder.next();
        loop {
            let taken = match rung {
                Rung::Uiautomator2 => self.jpeg(),
                Rung::Raw => self.raw(),
                Rung::Png => self.png(),
            };
            rung = match (taken, rung) {
                (Ok(picture), _) => return Ok(self.turned(picture)),
                (
                    Err(DeviceError::BadPicture { problem } | DeviceError::NoAnswer { problem, .. }),
                    Rung::Uiautomator2,
                ) => self.step_down(Rung::Raw, &problem),
                (Err(error), Rung::Uiautomator2) if server_ended(&error) => {
                    self.step_down(Rung::Raw, &error.to_string())
                }
                (Err(DeviceError::BadPicture { problem }), Rung::Raw) => self.step_down(Rung::Png, &problem),
                // Ten megabytes are too much for a weak network.
                (Err(DeviceError::Link { problem, fault: LinkFault::TimedOut }), Rung::Raw) => {
                    self.step_down(Rung::Png, &problem)
                }
                (Err(error), _) => return Err(error),
            }
        }
    }

    fn step_down(&mut self, to: Rung, problem: &str) -> Rung {
        let from = self.rung().word();
        if self.ladder.step_down(to) {
            tracing::info!(serial = self.line.info.serial, from, to = to.word(), problem, "pictures");
        }
        to
    }

    fn jpeg(&mut self) -> Result<Screenshot, DeviceError> {
        match self.line.jpeg_by_server()? {
            Some(bytes) => decoded(&bytes, image::ImageFormat::Jpeg),
            None => Err(bad("the server gives none")),
        }
    }

    fn raw(&mut self) -> Result<Screenshot, DeviceError> {
        let bytes = self.line.link.exec("screencap 2>/dev/null", &self.line.patience(PATIENCE))?;
        let RawPicture { width, height, rgba } = raw_picture(&bytes).map_err(bad)?;
        let side = |px: u32| i32::try_from(px).unwrap_or(i32::MAX);
        Ok(Screenshot { size: PxSize { width: side(width), height: side(height) }, rgba: Arc::new(rgba) })
    }

    fn png(&mut self) -> Result<Screenshot, DeviceError> {
        let bytes = self.line.link.exec("screencap -p 2>/dev/null", &self.line.patience(PATIENCE))?;
        decoded(&png_file(&bytes).map_err(bad)?, image::ImageFormat::Png)
    }

    /// Old devices give the panel as it is built in; layouts are as it is turned.
    fn turned(&self, picture: Screenshot) -> Screenshot {
        let rotation = self.rotation();
        let wanted = self.line.screen(rotation);
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
        Screenshot::from(image)
    }
}

fn bad(problem: impl ToString) -> DeviceError {
    DeviceError::BadPicture { problem: problem.to_string() }
}

fn decoded(bytes: &[u8], format: image::ImageFormat) -> Result<Screenshot, DeviceError> {
    read_rgba(bytes, format).map(Screenshot::from).map_err(bad)
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_core::format::grey_png;

    #[test]
    fn a_picture_larger_than_any_screen_is_refused() {
        let refused = decoded(&grey_png(16_384, 16_384), image::ImageFormat::Png).unwrap_err().to_string();
        assert!(refused.contains("the picture has 16384x16384 pixels and would take 1343 MB"), "{refused}");
    }

    #[test]
    fn a_source_that_failed_is_tried_again_after_some_pictures() {
        let mut ladder = Ladder::from(Rung::Uiautomator2);
        assert!((0..1000).all(|_| ladder.next() == Rung::Uiautomator2), "it works");
        assert!(ladder.step_down(Rung::Raw), "the first time is news");
        let others = (1..10_000).take_while(|_| ladder.next() == Rung::Raw).count();
        assert_eq!((others, ladder.now), (TRIED_AGAIN as usize - 1, Rung::Uiautomator2));
        assert!(!ladder.step_down(Rung::Raw) && !ladder.step_down(Rung::Png));
        let others = (1..10_000).take_while(|_| ladder.next() == Rung::Png).count();
        assert_eq!((others, ladder.now), (TRIED_AGAIN as usize - 1, Rung::Uiautomator2));
        // It works again and stays.
        assert!((0..1000).all(|_| ladder.next() == Rung::Uiautomator2));
    }
}
