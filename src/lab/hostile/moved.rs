//! Parts of the screen that are shown elsewhere than the phone has them.

use taproof_screen::{Event, PxRect};

use crate::perturbation::{relocated, touched};
use crate::tree::{Node, below};

/// Where parts are shown, and how far up the phone has them.
#[derive(Clone, Default)]
pub(crate) struct Moved(Vec<(PxRect, i32)>);

impl Moved {
    /// Shows a node lower down by `dy`.
    pub(crate) fn shift(&mut self, node: &mut Node, dy: i32) {
        node.shift(dy);
        self.0.push((node.widget.bounds, dy));
    }

    /// The event on what is shown as an event on what the phone has.
    pub(crate) fn meet(&self, event: Event) -> Event {
        let at = touched(&event);
        let part = self.0.iter().rev().find(|(shown, _)| at.is_some_and(|at| shown.contains(at)));
        match part.map(|(_, dy)| *dy) {
            Some(dy) => relocated(event, None, |at| below(at, -dy)),
            None => event,
        }
    }
}
