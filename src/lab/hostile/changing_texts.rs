//! Texts that change by themselves.

use taproof_screen::{Event, PxRect};

use crate::perturbation::{Perturbation, Seen, is_on};
use crate::tree::Node;

const TIPS: [&str; 5] = [
    "Tip: hold an item to select it",
    "Tip: swipe down to refresh",
    "Did you know? You can change the theme",
    "Tip: search by a part of a name",
    "New: faster than ever",
];

/// Height of a tip, and size of a badge, in pixels.
const TIP: i32 = 72;
const BADGE: i32 = 48;

/// Each page has a clock, times that count from something, a tip, or a badge.
#[derive(Clone, Default)]
pub(crate) struct ChangingTexts {
    page: u64,
    /// How often a page was shown.
    visits: u64,
    tip: Option<PxRect>,
}

impl Perturbation for ChangingTexts {
    fn show(&mut self, seen: &mut Seen<'_>) {
        if seen.page != self.page {
            (self.page, self.visits) = (seen.page, self.visits + 1);
        }
        self.tip = None;
        let seconds = seen.at.millis() / 1000;
        match () {
            () if !seen.is_page() => {}
            () if seen.is_one_of(3, 1, 4) => clock(seen, seconds),
            () if seen.is_one_of(3, 2, 4) => relative_times(seen, seconds),
            () if seen.is_one_of(3, 3, 4) => self.tip(seen),
            () => badge(seen, seconds),
        }
    }

    fn meet(&mut self, event: Event) -> Option<Event> {
        (!self.tip.is_some_and(|tip| is_on(&event, &tip))).then_some(event)
    }
}

/// A clock in a corner.
fn clock(seen: &mut Seen<'_>, seconds: u64) {
    let area = seen.tree.area();
    let place = PxRect::new(area.left, area.top, area.left + 200, area.top + BADGE);
    let time = format!("{:02}:{:02}:{:02}", seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    seen.put("TextView", "live_clock", place, &time);
}

/// A time in each row, as the row was changed so long ago.
fn relative_times(seen: &mut Seen<'_>, seconds: u64) {
    let Some(list) = seen.tree.list().and_then(|path| seen.tree.get_mut(&path)) else { return };
    for (row, node) in (1..).zip(&mut list.children) {
        let ago = match seconds / row {
            seconds @ ..60 => format!("{seconds} s ago"),
            seconds => format!("{} min ago", seconds / 60),
        };
        let bounds = node.widget.bounds;
        let place = PxRect { top: bounds.bottom - BADGE, left: bounds.right - 240, ..bounds };
        let place = place.intersect(&bounds);
        if !place.is_empty() {
            node.children.push(Node::new(seen.app, "TextView", "seen_ago", place).text(&ago));
        }
    }
}

/// A number on the last icon at the top.
fn badge(seen: &mut Seen<'_>, seconds: u64) {
    let top = seen.tree.area().top;
    let is_icon = |node: &Node| {
        node.widget.clickable() && node.children.is_empty() && node.widget.bounds.bottom < top + 250
    };
    let Some(icon) = seen.tree.last_with(is_icon) else { return };
    let bounds = icon.widget.bounds;
    let place = PxRect::new(bounds.right - BADGE, bounds.top, bounds.right, bounds.top + BADGE);
    let new = (seconds / 20 % 100).to_string();
    icon.children.push(Node::new(seen.app, "TextView", "badge", place).text(&new));
}

impl ChangingTexts {
    /// A tip at the lower edge, another one each time.
    fn tip(&mut self, seen: &mut Seen<'_>) {
        let area = seen.tree.area();
        let place = PxRect { top: area.bottom - TIP, ..area };
        self.tip = Some(place);
        let text = TIPS[self.visits as usize % TIPS.len()];
        seen.put("TextView", "tip", place, text);
    }
}
