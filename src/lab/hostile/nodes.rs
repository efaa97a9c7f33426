//! Nodes that come late, are missing, or are there twice.

use taproof_screen::determinism::{DeviceDuration, DeviceInstant};

use crate::perturbation::{Perturbation, Seen, millis};
use crate::tree::NodePath;

/// One of so many layouts lacks nodes, or has some twice.
const ONE_IN: usize = 50;
/// Number of nodes that are missing or doubled at most.
const MOST: usize = 3;
/// One of so many changes of the screen has a part that comes late, by so many milliseconds.
const LATE_ONE_IN: usize = 6;
const LATE: (usize, usize) = (300, 3_000);

/// Some layouts lack nodes, or have some twice.
#[derive(Clone)]
pub(crate) struct Miscounted {
    pub(crate) twice: bool,
}

impl Perturbation for Miscounted {
    fn show(&mut self, seen: &mut Seen<'_>) {
        if !seen.chance.chance(1, ONE_IN) {
            return;
        }
        for _ in 0..seen.chance.between(1, MOST) {
            let paths = seen.tree.paths();
            let path = seen.chance.pick(&paths);
            if let Some((siblings, place)) = path.and_then(|path| seen.tree.siblings_of(path)) {
                let node = siblings.remove(place);
                siblings.splice(place..place, std::iter::repeat_n(node, if self.twice { 2 } else { 0 }));
            }
        }
    }
}

/// Parts of a page come later than the rest.
#[derive(Clone, Default)]
pub(crate) struct LateNodes {
    /// The page, and the number of its nodes.
    shown: (u64, usize),
    late: Option<(NodePath, DeviceInstant)>,
}

impl Perturbation for LateNodes {
    fn show(&mut self, seen: &mut Seen<'_>) {
        let mut paths = seen.tree.paths();
        let now = (seen.page, paths.len());
        if now != self.shown {
            self.shown = now;
            // A part is not most of the page.
            let most = seen.tree.area().area() / 2;
            paths.retain(|path| seen.tree.get(path).is_some_and(|node| node.widget.bounds.area() < most));
            let late = seen.page != 0 && seen.chance.chance(1, LATE_ONE_IN);
            let after: DeviceDuration = millis(LATE, seen.chance);
            let part = seen.chance.pick(&paths).filter(|_| late).cloned();
            self.late = part.map(|part| (part, seen.at + after));
        }
        let late = self.late.as_ref().filter(|(_, until)| seen.at < *until);
        if let Some((siblings, place)) = late.and_then(|(part, _)| seen.tree.siblings_of(part)) {
            siblings.remove(place);
        }
    }
}
