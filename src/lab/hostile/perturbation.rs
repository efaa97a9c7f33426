//! What every kind of hostility can do.

use taproof_engine::device::{Device, DeviceError, Screenshot};
use taproof_screen::determinism::{DeviceDuration, DeviceInstant, Rng};
use taproof_screen::{AppHealth, Event, Gesture, PxPoint, PxRect, PxSize, TouchTarget};

use crate::tree::{Node, Tree};

/// One kind of hostility on one phone. What it holds is part of a snapshot.
pub(crate) trait Perturbation: Copied + Send {
    /// An event was performed, or an app was started.
    ///
    /// # Errors
    ///
    /// Fails if the phone does.
    fn after(&mut self, _happened: &mut Happened<'_>) -> Result<(), DeviceError> {
        Ok(())
    }

    /// Changes what is seen.
    fn show(&mut self, _seen: &mut Seen<'_>) {}

    /// What an event does on what was shown last; `None` for nothing.
    fn meet(&mut self, event: Event) -> Option<Event> {
        Some(event)
    }

    /// Changes the picture of what was shown last.
    fn draw(&self, _picture: &mut Screenshot) {}

    /// The area of the keyboard, of which this is the phone's own.
    fn keyboard(&self, own: Option<PxRect>) -> Option<PxRect> {
        own
    }
}

/// What snapshots need of each kind.
pub(crate) trait Copied {
    fn copied(&self) -> Box<dyn Perturbation>;
}

impl<T: Perturbation + Clone + 'static> Copied for T {
    fn copied(&self) -> Box<dyn Perturbation> {
        Box::new(self.clone())
    }
}

/// What has happened.
pub(crate) struct Happened<'h> {
    /// `None` if an app was started.
    pub(crate) event: Option<&'h Event>,
    pub(crate) phone: &'h mut dyn Device,
    /// What the kind draws by.
    pub(crate) chance: &'h mut Rng,
}

/// What is seen, and what is known of it.
pub(crate) struct Seen<'s> {
    pub(crate) tree: Tree,
    pub(crate) health: AppHealth,
    /// The package of the app that was launched last.
    pub(crate) app: &'s str,
    pub(crate) at: DeviceInstant,
    /// A number for the page of the app; 0 if another app is in front.
    pub(crate) page: u64,
    /// The last event that was performed; `None` after a launch.
    pub(crate) last: Option<&'s Event>,
    /// What the kind draws by.
    pub(crate) chance: &'s mut Rng,
}

/// A span of time between these numbers of milliseconds.
pub(crate) fn millis((least, most): (usize, usize), chance: &mut Rng) -> DeviceDuration {
    DeviceDuration(chance.between(least, most) as u64)
}

impl Seen<'_> {
    /// Puts a widget of the app in front of all others.
    pub(crate) fn put(&mut self, class: &str, id: &str, place: PxRect, text: &str) {
        self.tree.put(Node::new(self.app, class, id, place).text(text));
    }

    /// Whether the app shows a page, and not a dialog.
    pub(crate) fn is_page(&self) -> bool {
        self.page != 0 && self.tree.is_page()
    }

    /// Whether the page is one of those, `part` of `whole`, that behave in some way. `what` is mixed in, so that it is not
    /// always the same pages that do.
    pub(crate) fn is_one_of(&self, what: u64, part: u64, whole: u64) -> bool {
        self.is_page()
            && (self.page ^ what).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32 < part * (1 << 32) / whole
    }
}

/// What an event that does nothing costs.
pub(crate) const NOTHING: Event = Event::Wait(DeviceDuration(100));

/// Where an event touches the screen.
pub(crate) fn touched(event: &Event) -> Option<PxPoint> {
    match event {
        Event::Widget { target, .. } => Some(target.at),
        _ => None,
    }
}

/// Whether an event touches this area.
pub(crate) fn is_on(event: &Event, area: &PxRect) -> bool {
    touched(event).is_some_and(|at| area.contains(at))
}

/// Whether a finger moves.
pub(crate) fn moves(gesture: &Gesture) -> bool {
    matches!(gesture, Gesture::Swipe(_) | Gesture::Drag(_))
}

/// The event at other places on a screen of this size.
pub(crate) fn relocated(event: Event, screen: Option<PxSize>, place: impl Fn(PxPoint) -> PxPoint) -> Event {
    let Event::Widget { target, gesture } = event else { return event };
    let gesture = match gesture {
        Gesture::Drag(to) => Gesture::Drag(place(to)),
        gesture => gesture,
    };
    let (at, screen) = (place(target.at), screen.unwrap_or(target.screen));
    Event::Widget { target: TouchTarget { at, screen, ..target }, gesture }
}
