//! Pictures of the screen, from the fastest source that answers. A source that fails is replaced by the next one of the
//! fallback order for a while, then tried again.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use crate::agent_client::{AgentClient, AgentError};
use crate::connection::Connection;
use crate::observe::uiautomator2::{jpeg_by_server, server_ended};
use crate::output::{RawPicture, png_file, raw_picture};
use taproof_engine::agent::{PictureForm, Request};
use taproof_engine::device::{DeviceError, LinkFault, Screenshot};
use taproof_screen::format::read_rgba;
use taproof_screen::{PxSize, Rotation, words};

/// The quality of the agent's pictures, of 100.
const QUALITY: u8 = 90;
/// How long the agent waits for a change of the screen before it says that there is none, in ms. Touches on the device
/// are read in between.
const WATCH_MILLIS: u32 = 100;
/// After this many pictures from a slower source, the fastest one is tried again.
const TRIED_AGAIN: u32 = 100;

words! {
    /// The sources of pictures in the fallback order, the fastest first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum PictureSource {
        /// The agent on the device, as JPEG.
        Agent = "agent, JPEG",
        /// The uiautomator2 server on the device, as JPEG.
        Uiautomator2 = "uiautomator2, JPEG",
        /// `screencap`: uncompressed pixels, fast over a cable but large for a network.
        Raw = "screencap, raw",
        /// `screencap -p`: PNG, slow to compress but available on every device.
        Png = "screencap, PNG",
    }
    /// The name shown to people next to the mirror.
    pub fn word;
}

/// Chooses the source of the next picture: falls back to a slower one after a failure, and returns to the fastest after
/// some pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FallbackOrder {
    best: PictureSource,
    now: PictureSource,
    /// The number of pictures since the last fallback.
    since: u32,
    /// Whether a failure was logged already; further ones are not.
    told: bool,
}

impl FallbackOrder {
    /// Starts with the fastest source that this device can be expected to have.
    pub fn from(best: PictureSource) -> Self {
        FallbackOrder { best, now: best, since: 0, told: false }
    }

    /// The source for the next picture: the fastest one again after a while, since its problem may be over.
    fn next(&mut self) -> PictureSource {
        if self.now != self.best {
            self.since += 1;
        }
        if self.since >= TRIED_AGAIN {
            (self.now, self.since) = (self.best, 0);
        }
        self.now
    }

    /// Falls back to a slower source. Returns whether this is the first failure, which should be logged.
    fn fall_back(&mut self, to: PictureSource) -> bool {
        (self.now, self.since) = (to, 0);
        !std::mem::replace(&mut self.told, true)
    }
}

/// Takes pictures of a device.
pub(crate) struct Pictures {
    connection: Connection,
    order: FallbackOrder,
    /// The rotation of the screen in quarter turns; shared by everything that observes it.
    turned: Arc<AtomicU8>,
    /// The checksum of the last picture that was taken after a change; 0 before the first.
    shown: u32,
}

impl Pictures {
    /// Starts with the fastest source that the device can be expected to have.
    pub fn new(connection: Connection, best: PictureSource, turned: Arc<AtomicU8>) -> Self {
        Pictures { connection, order: FallbackOrder::from(best), turned, shown: 0 }
    }

    /// Another instance for the same device, which starts with the fastest source and does not wait for this one.
    pub fn another(&self) -> Pictures {
        let mut connection = self.connection.clone();
        connection.agent = connection.agent.as_ref().map(AgentClient::another);
        Pictures::new(connection, self.order.best, Arc::clone(&self.turned))
    }

    /// Sets the fastest source.
    pub fn begin_with(&mut self, best: PictureSource) {
        self.order = FallbackOrder::from(best);
    }

    /// Records the current rotation of the screen.
    pub fn turn(&self, rotation: Rotation) {
        self.turned.store(rotation.0, Ordering::Relaxed);
    }

    /// The rotation of the screen, as last recorded.
    pub fn rotation(&self) -> Rotation {
        Rotation(self.turned.load(Ordering::Relaxed))
    }

    /// The source of the last picture.
    pub fn source(&self) -> PictureSource {
        self.order.now
    }

    /// Takes a picture if the screen differs from the last one that this returned, for which the agent waits for a
    /// moment. Without the agent, it takes every picture.
    pub fn take_if_changed(&mut self) -> Result<Option<Screenshot>, DeviceError> {
        let watches = self.order.next() == PictureSource::Agent;
        let Some(agent) = self.connection.agent().filter(|_| watches) else { return self.take().map(Some) };
        let request = Request::Watch { picture_hash: self.shown, limit_millis: WATCH_MILLIS };
        let changed = agent.ask(&request, Duration::ZERO, &*self.connection.unwanted, |from| from.number());
        match changed {
            Ok(0) => Ok(None),
            Ok(hash) => {
                self.shown = hash;
                self.take().map(Some)
            }
            Err(AgentError::Failed(_) | AgentError::Device(_)) => self.take().map(Some),
        }
    }

    /// What the screen shows counts as changed at the next look.
    pub fn take_anew(&mut self) {
        self.shown = 0;
    }

    /// Takes a picture. If a source fails, the next slower one is used for this picture and some after it.
    pub fn take(&mut self) -> Result<Screenshot, DeviceError> {
        let mut source = self.order.next();
        loop {
            let taken = match source {
                PictureSource::Agent => self.jpeg_by_agent(),
                PictureSource::Uiautomator2 => self.jpeg(),
                PictureSource::Raw => self.raw(),
                PictureSource::Png => self.png(),
            };
            source = match (taken, source) {
                (Ok(picture), _) => return Ok(self.turned(picture)),
                // The agent has ended, or cannot take pictures of this screen. A device that is gone gives no other picture.
                (Err(error), PictureSource::Agent) if error.link_fault() != Some(LinkFault::Cancelled) => {
                    self.fall_back(PictureSource::Raw, &error.to_string())
                }
                (
                    Err(DeviceError::BadPicture { problem } | DeviceError::NoAnswer { problem, .. }),
                    PictureSource::Uiautomator2,
                ) => self.fall_back(PictureSource::Raw, &problem),
                (Err(error), PictureSource::Uiautomator2) if server_ended(&error) => {
                    self.fall_back(PictureSource::Raw, &error.to_string())
                }
                (Err(DeviceError::BadPicture { problem }), PictureSource::Raw) => {
                    self.fall_back(PictureSource::Png, &problem)
                }
                // Ten megabytes are too much for a weak network.
                (Err(DeviceError::Link { problem, fault: LinkFault::TimedOut }), PictureSource::Raw) => {
                    self.fall_back(PictureSource::Png, &problem)
                }
                (Err(error), _) => return Err(error),
            }
        }
    }

    fn fall_back(&mut self, to: PictureSource, problem: &str) -> PictureSource {
        let from = self.source().word();
        if self.order.fall_back(to) {
            tracing::info!(serial = self.connection.info.serial, from, to = to.word(), problem, "pictures");
        }
        to
    }

    fn jpeg_by_agent(&mut self) -> Result<Screenshot, DeviceError> {
        let agent = self.connection.agent.as_ref().ok_or_else(|| bad("there is no agent"))?;
        let request = Request::Picture { form: PictureForm::Jpeg(QUALITY), width: 0 };
        let bytes = agent
            .ask(&request, Duration::ZERO, &*self.connection.unwanted, |from| from.bytes())
            .map_err(|error| error.into_device(&self.connection.info.serial, "take a picture"))?;
        decoded(&bytes, image::ImageFormat::Jpeg)
    }

    fn jpeg(&mut self) -> Result<Screenshot, DeviceError> {
        match jpeg_by_server(&self.connection)? {
            Some(bytes) => decoded(&bytes, image::ImageFormat::Jpeg),
            None => Err(bad("the server gives none")),
        }
    }

    fn raw(&mut self) -> Result<Screenshot, DeviceError> {
        let bytes = self
            .connection
            .link
            .exec("screencap 2>/dev/null", &self.connection.patience(self.connection.pace.limit_of(1)))?;
        let RawPicture { width, height, rgba } = raw_picture(&bytes).map_err(bad)?;
        let side = |px: u32| i32::try_from(px).unwrap_or(i32::MAX);
        Ok(Screenshot { size: PxSize { width: side(width), height: side(height) }, rgba: Arc::new(rgba) })
    }

    fn png(&mut self) -> Result<Screenshot, DeviceError> {
        let bytes = self
            .connection
            .link
            .exec("screencap -p 2>/dev/null", &self.connection.patience(self.connection.pace.limit_of(1)))?;
        decoded(&png_file(&bytes).map_err(bad)?, image::ImageFormat::Png)
    }

    /// Rotates a picture from an old device, whose pictures show the panel in its natural orientation, while layouts
    /// are rotated.
    fn turned(&self, picture: Screenshot) -> Screenshot {
        let rotation = self.rotation();
        let wanted = self.connection.screen(rotation);
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
    use taproof_screen::format::grey_png;

    #[test]
    fn a_picture_larger_than_any_screen_is_refused() {
        let refused = decoded(&grey_png(16_384, 16_384), image::ImageFormat::Png).unwrap_err().to_string();
        assert!(refused.contains("the picture has 16384x16384 pixels and would take 1343 MB"), "{refused}");
    }

    #[test]
    fn a_source_that_failed_is_tried_again_after_some_pictures() {
        let mut order = FallbackOrder::from(PictureSource::Uiautomator2);
        assert!((0..1000).all(|_| order.next() == PictureSource::Uiautomator2), "it works");
        assert!(order.fall_back(PictureSource::Raw), "the first time is news");
        let others = (1..10_000).take_while(|_| order.next() == PictureSource::Raw).count();
        assert_eq!((others, order.now), (TRIED_AGAIN as usize - 1, PictureSource::Uiautomator2));
        assert!(!order.fall_back(PictureSource::Raw) && !order.fall_back(PictureSource::Png));
        let others = (1..10_000).take_while(|_| order.next() == PictureSource::Png).count();
        assert_eq!((others, order.now), (TRIED_AGAIN as usize - 1, PictureSource::Uiautomator2));
        // The source recovered: keep using it.
        assert!((0..1000).all(|_| order.next() == PictureSource::Uiautomator2));
    }
}
