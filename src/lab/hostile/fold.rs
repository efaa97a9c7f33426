//! A phone that is folded and unfolded.

use taproof_engine::device::{DeviceError, Screenshot};
use taproof_screen::{Event, PxPoint, PxSize, SystemEvent};

use crate::perturbation::{Happened, Perturbation, Seen, relocated};

/// The phone is folded or unfolded after one of so many events.
const ONE_IN: usize = 80;
/// How many times wider the unfolded screen is.
const TIMES: i32 = 2;

/// The screen is wide at times. What an app shows in a folded phone fills it: activities are recreated, and each is
/// measured anew.
#[derive(Clone, Default)]
pub(crate) struct Fold {
    open: bool,
    /// The size of the phone's own screen when it was last seen.
    own: PxSize,
}

impl Perturbation for Fold {
    fn after(&mut self, happened: &mut Happened<'_>) -> Result<(), DeviceError> {
        if happened.event.is_none() {
            // A test begins with a folded phone.
            self.open = false;
        } else if happened.chance.chance(1, ONE_IN) {
            self.open = !self.open;
            return happened.phone.perform(&Event::System(SystemEvent::DisplaySize));
        }
        Ok(())
    }

    fn show(&mut self, seen: &mut Seen<'_>) {
        self.own = seen.tree.screen;
        if self.open {
            seen.tree.screen.width *= TIMES;
            seen.tree.each(|widget| {
                widget.bounds.left *= TIMES;
                widget.bounds.right *= TIMES;
            });
        }
    }

    fn meet(&mut self, event: Event) -> Option<Event> {
        match &event {
            _ if !self.open => Some(event),
            // A point of the folded screen is another place.
            Event::Widget { target, .. } if target.screen.width != self.own.width * TIMES => None,
            _ => Some(relocated(event, Some(self.own), |at| PxPoint { x: at.x / TIMES, ..at })),
        }
    }

    fn draw(&self, picture: &mut Screenshot) {
        if self.open {
            let pixels = picture.rgba.chunks_exact(4).flat_map(|pixel| pixel.repeat(TIMES as usize));
            picture.rgba = std::sync::Arc::new(pixels.collect());
            picture.size.width *= TIMES;
        }
    }
}
