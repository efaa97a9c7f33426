//! Banners with adverts.

use taproof_engine::device::{DeviceError, Screenshot};
use taproof_screen::{Event, PxRect};

use crate::moved::Moved;
use crate::perturbation::{Happened, Perturbation, Seen, is_on};
use crate::tree::Node;
use crate::window::{Form, Front, Sort, fill};

/// Height of a banner in pixels, and milliseconds for which an advert is shown.
const HEIGHT: i32 = 150;
const SHOWN: u64 = 8_000;
/// Height of a row that is an advert.
const ROW: i32 = 160;

const ADVERTS: [&str; 6] = [
    "Learn Dutch in 3 weeks",
    "Up to 70% off shoes",
    "Play Gem Castle 4 now",
    "Flights from 19.99",
    "Your new electric bike",
    "Cash back on every order",
];

/// Where an advert leads.
const BROWSER: Sort = Sort("com.android.chrome/.Main", Form::Page, "Special offers", ["Close tab", "More"]);

/// Pages have a banner at the lower edge, or a row that is an advert.
#[derive(Clone, Default)]
pub(crate) struct Adverts {
    browser: Front,
    /// Where the advert is.
    advert: Option<PxRect>,
    moved: Moved,
}

impl Perturbation for Adverts {
    fn after(&mut self, happened: &mut Happened<'_>) -> Result<(), DeviceError> {
        if happened.event.is_none() {
            self.browser.app_started();
        }
        Ok(())
    }

    fn show(&mut self, seen: &mut Seen<'_>) {
        (self.advert, self.moved) = (None, Moved::default());
        if !self.browser.is_free() {
            return self.browser.show(seen);
        }
        let advert = ADVERTS[(seen.page ^ (seen.at.millis() / SHOWN)) as usize % ADVERTS.len()];
        if seen.is_one_of(2, 1, 2) {
            self.banner(seen, advert);
        } else if seen.is_one_of(2, 3, 4) {
            self.row(seen, advert);
        }
    }

    fn meet(&mut self, event: Event) -> Option<Event> {
        if self.advert.is_some_and(|advert| is_on(&event, &advert)) {
            self.advert = None;
            self.browser.open(&BROWSER);
            return None;
        }
        self.browser.meet(event).map(|event| self.moved.meet(event))
    }

    fn draw(&self, picture: &mut Screenshot) {
        self.browser.draw(picture);
        if let Some(advert) = &self.advert {
            fill(picture, advert, [255, 236, 179, 255]);
        }
    }
}

impl Adverts {
    /// Shows a banner below the page, whose buttons in its place move up.
    fn banner(&mut self, seen: &mut Seen<'_>, advert: &str) {
        let area = seen.tree.area();
        let banner = PxRect { top: area.bottom - HEIGHT, ..area };
        for path in seen.tree.paths() {
            let floats = |node: &&mut Node| {
                let bounds = node.widget.bounds;
                node.widget.clickable() && bounds.bottom > banner.top && bounds.width() < area.width() / 2
            };
            let in_list = (1..path.len())
                .any(|depth| seen.tree.get(&path[..depth]).is_some_and(|node| node.widget.scrollable()));
            if !in_list && let Some(node) = seen.tree.get_mut(&path).filter(floats) {
                self.moved.shift(node, -HEIGHT);
            }
        }
        seen.tree.clip(&PxRect { bottom: banner.top, ..area });
        if let Some(root) = seen.tree.roots.first_mut() {
            root.widget.bounds = area;
        }
        self.advert = Some(banner);
        seen.tree.put(node(seen.app, banner, advert));
    }

    /// Shows a row that is an advert in the first list, above its second row.
    fn row(&mut self, seen: &mut Seen<'_>, advert: &str) {
        let Some(path) = seen.tree.list() else { return };
        let Some(list) = seen.tree.get_mut(&path).filter(|list| list.children.len() > 1) else { return };
        let area = list.widget.bounds;
        let top = list.children[1].widget.bounds.top;
        let below = list.children.split_off(1);
        for mut row in below {
            self.moved.shift(&mut row, ROW);
            list.children.extend(row.clipped(&area));
        }
        let place = PxRect { top, bottom: (top + ROW).min(area.bottom), ..area };
        if !place.is_empty() {
            list.children.insert(1, node(seen.app, place, advert));
            self.advert = Some(place);
        }
    }
}

fn node(app: &str, place: PxRect, advert: &str) -> Node {
    let text = PxRect { right: place.right - place.width() / 4, ..place };
    let button = PxRect { left: text.right, ..place };
    Node::new(app, "FrameLayout", "ad_view", place).clickable().with(vec![
        Node::new(app, "TextView", "ad_headline", text).text(advert),
        Node::new(app, "Button", "ad_call_to_action", button).text("Open").clickable(),
    ])
}
