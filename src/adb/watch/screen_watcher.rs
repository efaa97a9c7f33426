//! Observes a phone while another part of the program controls it: pictures as they come, and touches and keys on the
//! phone itself.

use std::time::Duration;

use crate::connection::Connection;
use crate::connection::sections::{answers, script};
use crate::host::{AdbError, AdbStream, Patience};
use crate::observe::pictures::Pictures;
use crate::output::touches::{
    ScreenView, Spot, TouchEvent, TouchGesture, TouchReader, TouchThresholds, gesture, input_devices,
};
use crate::output::{keyboard_region, keyboard_shown, wm_density, wm_size};
use taproof_engine::device::{DeviceError, Observation, PictureSource, ScreenWatcher};
use taproof_screen::{Event, Gesture, PxPoint, PxRect, PxSize, Rotation, Selector, TouchTarget};

/// How long one look waits for a touch.
const TICK: Duration = Duration::from_millis(25);
/// The period over which the rate of pictures is measured.
const MEASURED: Duration = Duration::from_secs(1);
const PATIENCE: Duration = Duration::from_secs(10);

/// Observes a phone; see [`ScreenWatcher`].
pub(crate) struct AdbScreenWatcher {
    connection: Connection,
    pictures: Pictures,
    hand: Option<Hand>,
    rate: Rate,
}

/// The touches and keys on the device itself.
struct Hand {
    events: AdbStream,
    reader: TouchReader,
    thresholds: TouchThresholds,
    view: ScreenView,
    /// Whether a finger is on the screen.
    touching: bool,
}

/// Counts the pictures since their rate was last reported.
#[derive(Default)]
struct Rate {
    name: &'static str,
    taken: u32,
    time: Duration,
}

impl AdbScreenWatcher {
    pub fn new(connection: Connection, pictures: Pictures) -> Result<Self, DeviceError> {
        Ok(AdbScreenWatcher { hand: Hand::of(&connection)?, connection, pictures, rate: Rate::default() })
    }

    /// Collects touches and keys on the device for a [`TICK`].
    fn watch_hand(&mut self, noticed: &mut Observation) -> Result<(), DeviceError> {
        match &mut self.hand {
            Some(hand) => {
                hand.view.rotation = self.pictures.rotation().0;
                let more = hand.read(noticed, &self.connection.patience(TICK))?;
                noticed.touching = more && hand.touching;
                if !more {
                    self.hand = None;
                }
            }
            None => crossbeam_channel::after(TICK).recv().map(drop).unwrap_or_default(),
        }
        Ok(())
    }
}

impl ScreenWatcher for AdbScreenWatcher {
    fn look(&mut self, pictures: bool) -> Result<Observation, DeviceError> {
        let unwanted = std::sync::Arc::clone(&self.connection.unwanted);
        let time = Patience::new(PATIENCE, &*unwanted);
        let mut noticed = Observation::default();
        self.watch_hand(&mut noticed)?;
        if !pictures {
            self.pictures.take_anew();
            self.rate = Rate::default();
            return Ok(noticed);
        }
        noticed.picture = self.pictures.take_if_changed()?;
        noticed.source = self.rate.count(self.pictures.source().word(), time.elapsed());
        Ok(noticed)
    }
}

impl Rate {
    /// Adds a picture from a source that took this time. Returns the rate once it was measured for long enough.
    fn count(&mut self, name: &'static str, took: Duration) -> Option<PictureSource> {
        if self.name != name {
            *self = Rate { name, ..Rate::default() };
        }
        self.taken = self.taken.saturating_add(1);
        self.time += took;
        if self.time < MEASURED {
            return None;
        }
        let Rate { taken, time, .. } = std::mem::take(self);
        let in_ten_seconds = u128::from(taken) * 10_000 / time.as_millis().max(1);
        Some(PictureSource { name, in_ten_seconds: u32::try_from(in_ten_seconds).unwrap_or(u32::MAX) })
    }
}

impl Hand {
    /// Follows the touch screen; `None` if the device has none or does not list it.
    fn of(connection: &Connection) -> Result<Option<Hand>, DeviceError> {
        let text = connection.shell(&script(&["getevent -lp", "wm size", "wm density"]))?;
        let mut parts = answers(&text);
        let mut next = || parts.next().unwrap_or_default();
        let devices = input_devices(next());
        let (size, density) = (wm_size(next())?, wm_density(next()));
        if devices.iter().all(|device| device.screen_axes().is_none()) {
            tracing::info!(serial = connection.info.serial, "touches on the device itself cannot be seen");
            return Ok(None);
        }
        let view = ScreenView { physical: size.physical, logical: size.current(), rotation: 0 };
        let dpi = density.unwrap_or(420);
        let events =
            connection.link.open("shell:getevent -lt", &connection.patience(connection.pace.limit_of(0)))?;
        let reader = TouchReader::new(&devices, view);
        let thresholds = TouchThresholds::at_density(dpi);
        Ok(Some(Hand { events, reader, thresholds, view, touching: false }))
    }

    /// Reads the available events. Returns false if there will be no more.
    fn read(&mut self, noticed: &mut Observation, patience: &Patience<'_>) -> Result<bool, DeviceError> {
        let mut bytes = [0; 4096];
        let count = match self.events.read_some(&mut bytes, patience) {
            Ok(0) => return Ok(false),
            Ok(count) => count,
            Err(AdbError::Deadline { .. }) => return Ok(true),
            Err(error) => return Err(error.into()),
        };
        self.reader.set_view(self.view);
        for event in self.reader.feed(bytes.get(..count).unwrap_or_default()) {
            match event {
                TouchEvent::Down(_) => self.touching = true,
                TouchEvent::Stroke(stroke) => {
                    self.touching = false;
                    match gesture(&stroke, &self.thresholds) {
                        Some(gesture) => noticed.by_hand.push(self.event(gesture)),
                        None => noticed.beyond_words = true,
                    }
                }
                TouchEvent::Key(pressed) => noticed.by_hand.push(Event::Key(pressed)),
            }
        }
        Ok(true)
    }

    fn event(&self, gesture: TouchGesture) -> Event {
        let point = |spot: Spot| PxPoint { x: spot.x, y: spot.y };
        let (at, gesture) = match gesture {
            TouchGesture::Tap { at } => (at, Gesture::Tap),
            TouchGesture::LongPress { at } => (at, Gesture::LongPress),
            TouchGesture::Drag { from, to } => (from, Gesture::Drag(point(to))),
        };
        let screen = PxSize::from(self.view.logical).rotated(Rotation(self.view.rotation));
        Event::Widget {
            target: TouchTarget { selector: Selector::default(), at: point(at), screen },
            gesture,
        }
    }
}

impl Connection {
    /// The area of the keyboard on a screen with this rotation; `None` if it is hidden.
    pub(crate) fn keyboard_area(&self, rotation: Rotation) -> Result<Option<PxRect>, DeviceError> {
        let text = self.shell(&script(&["dumpsys input_method", "dumpsys window InputMethod"]))?;
        let mut parts = answers(&text);
        let (method, window) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        if !keyboard_shown(method)? {
            return Ok(None);
        }
        let screen = self.screen(rotation);
        // A keyboard that does not report its area is assumed to cover as much as keyboards usually do.
        let usual = PxRect::new(0, screen.height * 3 / 5, screen.width, screen.height);
        Ok(Some(keyboard_region(window).unwrap_or(usual)))
    }
}
