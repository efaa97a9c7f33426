//! Keyboards of several heights.

use taproof_engine::device::DeviceError;
use taproof_screen::{Event, PxRect};

use crate::perturbation::{Happened, Perturbation, Seen, is_on, relocated};
use crate::tree::below;

/// Heights in percent of the phone's own keyboard: one that floats or is a real one, one for a hand, its own, one with
/// suggestions above the keys, one with a row of digits as well.
const HEIGHTS: [i32; 5] = [0, 75, 100, 120, 145];
/// What of the screen above a keyboard stays free.
const FREE: i32 = 300;

/// Keyboards have several heights, and cover what is below them.
#[derive(Clone, Default)]
pub(crate) struct Keyboards {
    /// The area of the phone's keyboard, and of the one that is shown.
    areas: Option<(PxRect, PxRect)>,
    /// How far up a dialog was moved.
    lifted: i32,
}

impl Perturbation for Keyboards {
    fn after(&mut self, happened: &mut Happened<'_>) -> Result<(), DeviceError> {
        let own = happened.phone.keyboard()?;
        if own != self.areas.map(|(own, _)| own) {
            self.areas = own.zip(happened.chance.pick(&HEIGHTS)).map(|(own, percent)| {
                let height = own.height() * percent / 100;
                (own, PxRect { top: (own.bottom - height).max(FREE.min(own.top)), ..own })
            });
        }
        Ok(())
    }

    fn show(&mut self, seen: &mut Seen<'_>) {
        self.lifted = 0;
        let Some((_, shown)) = self.areas else { return };
        let area = seen.tree.area();
        if !seen.tree.is_page() {
            self.lifted = (area.bottom - shown.top).clamp(0, area.top.max(0));
            let up = -self.lifted;
            seen.tree.each(|widget| widget.bounds = widget.bounds.offset(0, up));
        }
        let free = PxRect::new(i32::MIN / 2, i32::MIN / 2, i32::MAX / 2, shown.top);
        if area.bottom > shown.top {
            seen.tree.clip(&free);
        }
    }

    fn meet(&mut self, event: Event) -> Option<Event> {
        let Some((own, shown)) = self.areas else { return Some(event) };
        match (is_on(&event, &shown), is_on(&event, &own)) {
            // The keys that both have are pressed.
            (true, true) => Some(event),
            (true, false) | (false, true) => None,
            (false, false) => Some(relocated(event, None, |at| below(at, self.lifted))),
        }
    }

    fn keyboard(&self, own: Option<PxRect>) -> Option<PxRect> {
        own.and(self.areas).map(|(_, shown)| shown).filter(|shown| !shown.is_empty())
    }
}
