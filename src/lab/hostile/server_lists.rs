//! Lists that are filled from a server.

use taproof_screen::determinism::{DeviceInstant, Rng, StableHasher};
use taproof_screen::{Event, PxRect};

use crate::moved::Moved;
use crate::perturbation::{Perturbation, Seen, is_on, millis, moves};
use crate::tree::{Node, NodePath};

/// One in so many answers is late, in another order, incomplete, or none.
const LATE_ONE_IN: usize = 4;
const SHUFFLED_ONE_IN: usize = 12;
const PART_ONE_IN: usize = 12;
const FAILED_ONE_IN: usize = 30;
/// Milliseconds by which an answer is late.
const LATE: (usize, usize) = (500, 6_000);
/// Height of what is shown in place of rows, in pixels.
const LINE: i32 = 144;

/// Each time that a list is shown or holds something else, a server is asked for its rows.
#[derive(Clone, Default)]
pub(crate) struct ServerLists {
    /// What was asked for: the page, and the texts of the rows.
    asked: (u64, u64),
    answer: Answer,
    /// What the answer depends on, such as the order.
    by: u64,
    moved: Moved,
    retry: Option<PxRect>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Answer {
    #[default]
    Whole,
    /// A ring is shown until then.
    Loading(DeviceInstant),
    /// Rows without content are shown until then.
    Skeleton(DeviceInstant),
    Shuffled,
    Part,
    Failed,
}

impl Perturbation for ServerLists {
    fn show(&mut self, seen: &mut Seen<'_>) {
        (self.moved, self.retry) = (Moved::default(), None);
        let Some(path) = seen.tree.list().filter(|_| seen.page != 0) else {
            self.asked = (0, 0);
            return;
        };
        let now = (seen.page, content(seen, &path));
        if now.0 != self.asked.0 || (now != self.asked && !scrolled(seen.last)) {
            self.ask(seen);
        }
        self.asked = now;
        self.fill(seen, &path);
    }

    fn meet(&mut self, event: Event) -> Option<Event> {
        if self.retry.is_some_and(|retry| is_on(&event, &retry)) {
            self.asked = (0, 0);
            return None;
        }
        Some(self.moved.meet(event))
    }
}

impl ServerLists {
    fn ask(&mut self, seen: &mut Seen<'_>) {
        let (at, chance) = (seen.at, &mut *seen.chance);
        let until = at + millis(LATE, chance);
        self.by = chance.next_u64();
        self.answer = match () {
            () if chance.chance(1, LATE_ONE_IN) && self.by.is_multiple_of(3) => Answer::Skeleton(until),
            () if chance.chance(1, LATE_ONE_IN) => Answer::Loading(until),
            () if chance.chance(1, SHUFFLED_ONE_IN) => Answer::Shuffled,
            () if chance.chance(1, PART_ONE_IN) => Answer::Part,
            () if chance.chance(1, FAILED_ONE_IN) => Answer::Failed,
            () => Answer::Whole,
        };
    }

    fn fill(&mut self, seen: &mut Seen<'_>, path: &NodePath) {
        let (app, at) = (seen.app, seen.at);
        let Some(list) = seen.tree.get_mut(path) else { return };
        let area = list.widget.bounds;
        let line = |line: i32| PxRect {
            top: area.top + line * LINE,
            bottom: (area.top + (line + 1) * LINE).min(area.bottom),
            ..area
        };
        match self.answer {
            Answer::Loading(until) if at < until => {
                let (side, middle) = (LINE, area.center());
                let ring = PxRect::new(middle.x, middle.y, middle.x + side, middle.y + side);
                list.children = vec![Node::new(app, "ProgressBar", "loading", ring)];
            }
            Answer::Skeleton(until) if at < until => {
                list.children.iter_mut().for_each(|row| {
                    row.children.clear();
                    row.widget.text = "".into();
                    row.widget.content_desc = "".into();
                });
            }
            Answer::Shuffled => {
                let mut rows = std::mem::take(&mut list.children);
                let mut top = rows.first().map_or(area.top, |row| row.widget.bounds.top);
                Rng::from_seed(self.by).shuffle(&mut rows);
                for row in &mut rows {
                    self.moved.shift(row, top - row.widget.bounds.top);
                    top = row.widget.bounds.bottom;
                }
                list.children = rows;
            }
            Answer::Part => list.children.truncate(list.children.len().div_ceil(2)),
            Answer::Failed => {
                let retry = line(1);
                list.children = vec![
                    Node::new(app, "TextView", "load_error", line(0)).text("No connection"),
                    Node::new(app, "Button", "retry", retry).text("Try again").clickable(),
                ];
                self.retry = Some(retry);
            }
            Answer::Whole | Answer::Loading(_) | Answer::Skeleton(_) => {}
        }
    }
}

/// A number for the texts of a list.
fn content(seen: &Seen<'_>, path: &NodePath) -> u64 {
    let mut hasher = StableHasher::new();
    if let Some(list) = seen.tree.get(path) {
        list.clone().each(&mut |widget| hasher.text(&widget.text));
    }
    hasher.finish()
}

fn scrolled(last: Option<&Event>) -> bool {
    matches!(last, Some(Event::Widget { gesture, .. }) if moves(gesture))
}
