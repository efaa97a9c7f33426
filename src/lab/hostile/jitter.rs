//! Places that differ by a few pixels, and pauses.

use taproof_engine::device::DeviceError;
use taproof_screen::Event;

use crate::perturbation::{Happened, Perturbation, Seen, millis};

/// The phone pauses after one of so many events, for so many milliseconds.
const PAUSE_ONE_IN: usize = 20;
const PAUSE: (usize, usize) = (1_000, 8_000);
/// By how many pixels all of a layout, and one node of it, is elsewhere at most.
const ALL: usize = 2;
const ONE: usize = 5;

/// Places differ from layout to layout, and the phone pauses.
#[derive(Clone)]
pub(crate) struct Jitter;

impl Perturbation for Jitter {
    fn after(&mut self, happened: &mut Happened<'_>) -> Result<(), DeviceError> {
        let pauses = happened.chance.chance(1, PAUSE_ONE_IN) && happened.event.is_some();
        let pause = Event::Wait(millis(PAUSE, happened.chance));
        if pauses { happened.phone.perform(&pause) } else { Ok(()) }
    }

    fn show(&mut self, seen: &mut Seen<'_>) {
        let mut by = |most: usize| seen.chance.between(0, 2 * most) as i32 - most as i32;
        let (dx, dy, one) = (by(ALL), by(ALL), by(ONE));
        seen.tree.each(|widget| widget.bounds = widget.bounds.offset(dx, dy));
        let paths = seen.tree.paths();
        if let Some(node) = seen.chance.pick(&paths).and_then(|path| seen.tree.get_mut(path)) {
            node.shift(one);
        }
    }
}
