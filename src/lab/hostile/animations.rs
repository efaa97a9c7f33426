//! Animations that never end.

use taproof_engine::device::DeviceError;
use taproof_screen::determinism::DeviceDuration;
use taproof_screen::{Event, PxRect};

use crate::perturbation::{Happened, Perturbation, Seen};

/// How much longer the phone waits for a page that moves.
const WAIT: Event = Event::Wait(DeviceDuration(2_000));
/// Size of the picture that moves, in pixels.
const SIZE: i32 = 96;
/// By how many pixels a button grows at most.
const GROWS: usize = 8;

/// On two of three pages a picture moves, and a button pulses.
#[derive(Clone, Default)]
pub(crate) struct Animations {
    moves: bool,
}

impl Perturbation for Animations {
    fn after(&mut self, happened: &mut Happened<'_>) -> Result<(), DeviceError> {
        let waits = self.moves && happened.event.is_some_and(|event| !matches!(event, Event::Wait(_)));
        if waits { happened.phone.perform(&WAIT) } else { Ok(()) }
    }

    fn show(&mut self, seen: &mut Seen<'_>) {
        self.moves = seen.is_one_of(4, 2, 3);
        if !self.moves {
            return;
        }
        let grown = seen.chance.between(0, GROWS) as i32;
        if let Some(button) = seen.tree.last_with(|node| node.widget.clickable() && node.children.is_empty())
        {
            let PxRect { left, top, right, bottom } = button.widget.bounds;
            button.widget.bounds = PxRect::new(left - grown, top - grown, right + grown, bottom + grown);
        }
        let area = seen.tree.area();
        let left = area.left + seen.chance.below((area.width() - SIZE).max(1) as usize) as i32;
        let place = PxRect::new(left, area.top, left + SIZE, area.top + SIZE / 4);
        seen.put("ImageView", "animation_view", place, "");
    }
}
