//! A window that lies in front of an app.

use taproof_engine::device::Screenshot;
use taproof_screen::{AppHealth, Event, Gesture, Key, PxRect, PxSize, Text, is_of_app};

use crate::perturbation::{Seen, is_on};
use crate::tree::Node;

/// Heights in pixels: of a line of text or a button, and of what is around them.
const LINE: i32 = 144;
const MARGIN: i32 = 48;
/// Colours of the ground and of the buttons.
const GROUND: [u8; 4] = [250, 250, 250, 255];
const BUTTON: [u8; 4] = [96, 125, 200, 255];

/// How a window lies on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// In the middle.
    Dialog,
    /// At the lower edge.
    Sheet,
    /// All of it.
    Page,
}

/// What a window of the system or of another app says: its package, with its activity unless it lies over that of the app;
/// its form; its title; and the texts of the buttons, each of which closes it.
#[derive(Debug)]
pub(crate) struct Sort(
    pub(crate) &'static str,
    pub(crate) Form,
    pub(crate) &'static str,
    pub(crate) [&'static str; 2],
);

/// What may lie in front of the app: a window, with its area and those of its buttons when it was last shown.
#[derive(Clone, Default)]
pub(crate) struct Front(Option<(&'static Sort, PxRect, Vec<PxRect>)>);

impl Front {
    pub(crate) fn open(&mut self, sort: &'static Sort) {
        self.0 = Some((sort, PxRect::default(), Vec::new()));
    }

    pub(crate) fn is_free(&self) -> bool {
        self.0.is_none()
    }

    /// The app was started, in front of other apps, but not of windows over all of them.
    pub(crate) fn app_started(&mut self) {
        self.0.take_if(|(Sort(owner, ..), ..)| owner.contains('/'));
    }

    /// Shows the window instead of what is behind it.
    pub(crate) fn show(&mut self, seen: &mut Seen<'_>) {
        let Some((Sort(owner, form, title, buttons), area, places)) = &mut self.0 else { return };
        *area = form.area(seen.tree.screen);
        let inside = |line: i32| {
            let top = area.top + MARGIN + line * LINE;
            PxRect::new(area.left + MARGIN, top, area.right - MARGIN, top + LINE)
        };
        *places = (1..).take(buttons.len()).map(inside).collect();
        let (package, activity) = owner.split_once('/').unwrap_or((owner, ""));
        let node = |class, id, place| Node::new(package, class, id, place);
        let mut content = vec![node("TextView", "title", inside(0)).text(title)];
        let buttons = ["button1", "button2"].into_iter().zip(buttons).zip(&*places);
        content.extend(buttons.map(|((id, text), place)| node("Button", id, *place).text(text).clickable()));
        seen.tree.roots = vec![node("FrameLayout", "", *area).with(content)];
        if !activity.is_empty() {
            seen.tree.activity = Text::from(*owner);
            if seen.health == AppHealth::Running && !is_of_app(package, seen.app) {
                seen.health = AppHealth::LeftApp(seen.tree.activity.clone());
            }
        }
    }

    /// What an event does behind the window that may be there.
    pub(crate) fn meet(&mut self, event: Event) -> Option<Event> {
        let Some((Sort(owner, ..), _, buttons)) = &self.0 else { return Some(event) };
        // Whether the window closes, and whether the event reaches the phone.
        let (closes, passes) = match &event {
            Event::Widget { gesture: Gesture::Tap, .. } => {
                (buttons.iter().any(|button| is_on(&event, button)), false)
            }
            Event::Key(Key::Back) => (true, false),
            Event::Key(Key::Home | Key::Recents) => (true, true),
            Event::Relaunch | Event::OpenLink(_) | Event::System(_) => (owner.contains('/'), true),
            Event::Rotate | Event::Wait(_) => (false, true),
            Event::Widget { .. } | Event::Type(_) | Event::Key(_) => (false, false),
        };
        if closes {
            self.0 = None;
        }
        passes.then_some(event)
    }

    /// Draws the window as plain areas.
    pub(crate) fn draw(&self, picture: &mut Screenshot) {
        if let Some((_, area, buttons)) = &self.0 {
            fill(picture, area, GROUND);
            buttons.iter().for_each(|button| fill(picture, button, BUTTON));
        }
    }
}

impl Form {
    fn area(self, PxSize { width, height }: PxSize) -> PxRect {
        let (high, aside) = (2 * MARGIN + 3 * LINE, width / 12);
        match self {
            Form::Dialog => PxRect::new(aside, (height - high) / 2, width - aside, (height + high) / 2),
            Form::Sheet => PxRect::new(0, height - high, width, height),
            Form::Page => PxRect::new(0, 0, width, height),
        }
    }
}

/// Fills an area of a picture.
pub(crate) fn fill(picture: &mut Screenshot, area: &PxRect, color: [u8; 4]) {
    let PxSize { width, height } = picture.size;
    let area = area.intersect(&PxRect::new(0, 0, width, height));
    let pixels = std::sync::Arc::make_mut(&mut picture.rgba);
    for row in area.top..area.bottom {
        let at = |column: i32| 4 * (row * width + column) as usize;
        if let Some(line) = pixels.get_mut(at(area.left)..at(area.right)) {
            line.chunks_exact_mut(4).for_each(|pixel| pixel.copy_from_slice(&color));
        }
    }
}
