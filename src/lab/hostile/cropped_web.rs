//! Web views, of whose trees parts are missing.

use taproof_screen::PxRect;
use taproof_screen::determinism::DeviceInstant;

use crate::perturbation::{Perturbation, Seen, millis};
use crate::tree::{Node, NodePath, Tree};

/// The tree of one in so many web views that are opened comes late, by at most so many milliseconds.
const LATE_ONE_IN: usize = 3;
const LATE: (usize, usize) = (500, 2_500);
/// One in so many layouts has the tree only to some depth.
const CUT_ONE_IN: usize = 20;
/// How far below the screen the web page goes on, in pixels.
const BEYOND: i32 = 2_000;

/// On one page in two, a list and what is in it is in a web view.
#[derive(Clone, Default)]
pub(crate) struct CroppedWeb {
    page: u64,
    until: Option<DeviceInstant>,
}

impl Perturbation for CroppedWeb {
    fn show(&mut self, seen: &mut Seen<'_>) {
        let path = seen.tree.paths().into_iter().find(|path| is_content(&seen.tree, path));
        let Some(path) = path.filter(|_| seen.is_one_of(5, 1, 2)) else {
            self.page = 0;
            return;
        };
        if self.page != seen.page {
            self.page = seen.page;
            let until = seen.at + millis(LATE, seen.chance);
            self.until = seen.chance.chance(1, LATE_ONE_IN).then_some(until);
        }
        let end = seen.tree.screen.height;
        let Some(content) = seen.tree.get_mut(&path) else { return };
        let bounds = content.widget.bounds;
        let web = Node::new(seen.app, "WebView", "", bounds);
        let mut inside = std::mem::replace(content, web);
        if seen.chance.chance(1, CUT_ONE_IN) {
            let row = seen.chance.below(inside.children.len().max(1));
            inside.children.iter_mut().skip(row).for_each(|row| row.children.clear());
        }
        let below = PxRect { top: end, bottom: end + BEYOND, ..bounds };
        let footer = Node::new(seen.app, "View", "", below).text("About this site");
        let empty = PxRect { top: bounds.bottom, bottom: bounds.bottom - 1, ..bounds };
        let inverted = Node::new(seen.app, "View", "", empty);
        if self.until.is_none_or(|until| seen.at >= until) {
            content.children = vec![inside, inverted, footer];
        }
    }
}

/// Whether this is the outermost list or other part of the page that can be scrolled.
fn is_content(tree: &Tree, path: &NodePath) -> bool {
    let scrolls =
        |path: &[usize]| tree.get(path).is_some_and(|it| it.widget.is_list() || it.widget.scrollable());
    scrolls(path) && !(1..path.len()).any(|depth| scrolls(&path[..depth]))
}
