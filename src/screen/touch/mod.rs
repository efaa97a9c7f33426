//! Which widget takes a touch, and where a touch reaches a widget.
//!
//! What can be concluded from a dump:
//!
//! - Widgets of a window are drawn in document order, so a later one lies over an earlier one.
//! - Clickable and long-clickable widgets take touches, even if disabled. Android passes a touch that a view does not
//!   consume to the view below, so labels, images and plain containers cover nothing. Neither do toasts, which are not
//!   in a dump.
//! - Three containers take touches although their attributes do not show it. They are recognised by their structure: a
//!   Material snackbar by the id of its text, a bottom sheet by its own id, an open drawer by the `DrawerLayout` around
//!   it. A snackbar of Jetpack Compose has no id: only its button is known to cover something.
//! - If a dump has several windows of a display, the system bars and the keyboard lie over the app's windows, and the
//!   active window over the others; a window takes all touches inside its bounds. A dump does not contain the order of
//!   other windows: those do not cover each other.

pub(crate) mod candidates;
mod in_front;
mod touch_map;
mod widget_event;

pub use candidates::{Candidate, CandidateAction, EventKey, candidates, drawer_open, event_key};
pub use in_front::InFront;
pub use touch_map::TouchMap;
pub use widget_event::{event_at, event_on, naming_selector, swipe_line};

use super::{Layout, PxPoint, PxRect, PxSize, Role, Widget, WidgetIdx};
use candidates::drawer_page;

/// Why no touch reaches a widget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreachable {
    /// No pixel of the widget is on the screen.
    OffScreen,
    /// Other widgets take every touch on it. The value is the one that does so in the middle of the part that is on the
    /// screen.
    Covered(WidgetIdx),
}

impl Layout {
    /// Returns all widgets at the point, the smallest first; of equally large ones, the last in document order first.
    pub fn stack_at(&self, point: PxPoint) -> Vec<WidgetIdx> {
        let mut hits: Vec<WidgetIdx> =
            self.iter().filter(|(_, widget)| widget.bounds.contains(point)).map(|(idx, _)| idx).collect();
        hits.sort_by_key(|idx| (self.widget(*idx).bounds.area(), std::cmp::Reverse(*idx)));
        hits
    }

    /// Returns the widget that a touch at the point is meant for: the smallest one there. If widgets that take touches
    /// overlap, only the topmost of them and its descendants are considered, such as a floating button over a list.
    /// `None` if there is no widget.
    pub fn hit_test(&self, point: PxPoint) -> Option<WidgetIdx> {
        TouchMap::once(self).hit_test(point)
    }

    /// Returns the topmost widget at the point that takes touches; `None` if there is none.
    pub fn taker_at(&self, point: PxPoint) -> Option<WidgetIdx> {
        TouchMap::once(self).taker_at(point)
    }

    /// Returns the widget that shows what a touch at the point means: the one that is hit or, if that is a row without
    /// a name of its own, the first label in it. Such a row is a menu entry that is hit next to its text.
    pub fn touch_target(&self, point: PxPoint) -> Option<WidgetIdx> {
        self.hit_test(point).map(|hit| self.meant_by(hit))
    }

    /// Returns the widget that shows what a touch means that hits `hit`; see [`Layout::touch_target`].
    pub fn meant_by(&self, hit: WidgetIdx) -> WidgetIdx {
        // A widget with more labels is not a row but a part of the screen.
        const MOST_LABELS: usize = 3;
        let row = self.widget(hit);
        let label = |widget: &Widget| !widget.text.is_empty() || !widget.content_desc.is_empty();
        if !row.clickable() || row.resource_id.as_ref().is_some_and(|id| !id.is_empty()) || label(row) {
            return hit;
        }
        let labels: Vec<WidgetIdx> = self.subtree(hit).filter(|idx| label(self.widget(*idx))).collect();
        let own = |idx: &&WidgetIdx| !self.widget(**idx).clickable();
        let first = labels.iter().find(own).filter(|_| labels.len() <= MOST_LABELS);
        first.copied().unwrap_or(hit)
    }

    /// Returns a point at which a touch reaches the widget or one of its descendants: its centre if that is free, else
    /// the centre of its largest uncovered piece.
    ///
    /// # Errors
    ///
    /// [`Unreachable`] if no part of the widget is on the screen, or all of it is covered.
    pub fn touch_point(&self, idx: WidgetIdx) -> Result<PxPoint, Unreachable> {
        TouchMap::once(self).touch_point(idx)
    }

    /// Whether the point is on the widget and a touch there reaches the widget or one of its descendants.
    pub fn touch_reaches(&self, idx: WidgetIdx, point: PxPoint) -> bool {
        TouchMap::once(self).touch_reaches(idx, point)
    }

    /// Returns the widget that covers this one completely and takes its touches, if any. It hides this one from people,
    /// although a dump still lists it.
    pub fn covered_by(&self, idx: WidgetIdx) -> Option<WidgetIdx> {
        TouchMap::once(self).covered_by(idx)
    }

    /// Whether a touch inside the widget's bounds ends here, whether or not the widget reacts to it.
    pub(super) fn takes_touches(&self, idx: WidgetIdx) -> bool {
        let widget = self.widget(idx);
        widget.clickable()
            || widget.long_clickable()
            || widget.short_id() == Some(BOTTOM_SHEET)
            || self.is_snackbar(idx)
            || self.is_drawer(idx)
            || self.is_whole_window(idx)
    }

    /// Whether the widget is the root of a window that takes all touches on it. A system window of more than half the
    /// screen does not: it only draws rounded corners.
    fn is_whole_window(&self, idx: WidgetIdx) -> bool {
        let widget = self.widget(idx);
        if self.windows().len() < 2 || widget.parent.is_some() {
            return false;
        }
        let PxSize { width, height } = self.screen();
        match self.layer(idx) {
            Layer::Below => false,
            Layer::Active => true,
            Layer::System => 2 * widget.bounds.area() <= i64::from(width) * i64::from(height),
        }
    }

    /// Whether the widget is the container of a snackbar's text and button, or contains only that and is at most twice
    /// as large.
    pub fn is_snackbar(&self, idx: WidgetIdx) -> bool {
        let holds_text = |idx: WidgetIdx| {
            self.children(idx).any(|child| self.widget(child).short_id() == Some(SNACKBAR_TEXT))
        };
        let mut children = self.children(idx);
        let only = children.next().filter(|_| children.next().is_none());
        let area = |idx: WidgetIdx| self.widget(idx).bounds.area();
        holds_text(idx)
            || only.is_some_and(|only| holds_text(only) && area(idx) <= 2 * area(only))
            || self.is_message(idx)
    }

    /// Whether a snackbar tells what was done.
    pub fn tells(&self) -> bool {
        self.iter().any(|(idx, _)| self.is_snackbar(idx))
    }

    /// Whether the widget looks like a snackbar of a toolkit without ids: a low container in the lower half of the screen
    /// that holds one text and at most one button, and that is drawn over something before it.
    fn is_message(&self, idx: WidgetIdx) -> bool {
        const LOWEST: i32 = 6;
        let (widget, height) = (self.widget(idx), self.screen().height);
        let is_low = widget.bounds.top > height / 2 && LOWEST * widget.bounds.height() < height;
        if !is_low || self.is_leaf(idx) || widget.resource_id.is_some() || widget.is_actionable() {
            return false;
        }
        let (mut texts, mut buttons) = (0, 0);
        for child in self.children(idx) {
            match self.role(child) {
                Some(Role::Text) => texts += 1,
                Some(Role::Button) => buttons += 1,
                _ => return false,
            }
        }
        let before = || self.iter().take(idx.index());
        let apart = |other: WidgetIdx| self.end(other) <= idx;
        texts == 1
            && buttons <= 1
            && before().any(|(other, below)| apart(other) && meet(&below.bounds, &widget.bounds))
            && !self.has_ids()
    }

    /// Whether the widget is drawn over the page of a drawer layout with an open drawer.
    fn is_drawer(&self, idx: WidgetIdx) -> bool {
        let around = self.widget(idx).parent;
        around.and_then(|around| drawer_page(self, around)).is_some_and(|page| page < idx)
    }

    pub(super) fn window_of(&self, idx: WidgetIdx) -> usize {
        let roots =
            self.windows().iter().enumerate().filter_map(|(place, window)| Some((place, window.root?)));
        roots.take_while(|(_, root)| *root <= idx).last().map_or(0, |(place, _)| place)
    }

    pub(super) fn layer(&self, idx: WidgetIdx) -> Layer {
        if self.windows().len() < 2 {
            return Layer::Below;
        }
        let Some(window) = self.windows().get(self.window_of(idx)) else { return Layer::Below };
        let package = window.root.map_or("", |root| &self.widget(root).package);
        match window_kind(package) {
            WindowKind::System | WindowKind::Keyboard => Layer::System,
            WindowKind::App | WindowKind::Launcher if window.active => Layer::Active,
            WindowKind::App | WindowKind::Launcher => Layer::Below,
        }
    }
}

/// How Android describes the arrow in the bar of an app.
pub const NAVIGATE_UP: &str = "Navigate up";
/// Id of the text in a Material snackbar.
const SNACKBAR_TEXT: &str = "snackbar_text";
/// Id of a Material bottom sheet.
const BOTTOM_SHEET: &str = "design_bottom_sheet";

/// How windows lie over each other, the lowest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Layer {
    Below,
    Active,
    System,
}

/// The kind of program that a window belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WindowKind {
    /// A window of an app.
    App,
    /// A window of the home screen.
    Launcher,
    /// The window of the on-screen keyboard.
    Keyboard,
    /// A window of the system, such as its bars, or of an unknown program.
    System,
}

/// Returns the kind of program that a window belongs to, by the package of its root widget.
pub fn window_kind(package: &str) -> WindowKind {
    let keyboard = ["inputmethod", "keyboard", ".ime", "swiftkey", "honeyboard"];
    if package.is_empty() || package == "com.android.systemui" {
        WindowKind::System
    } else if keyboard.iter().any(|part| package.contains(part)) {
        WindowKind::Keyboard
    } else if package.contains("launcher") {
        WindowKind::Launcher
    } else {
        WindowKind::App
    }
}

pub(super) fn meet(one: &PxRect, other: &PxRect) -> bool {
    !one.intersect(other).is_empty()
}

/// Returns the up to four parts of `piece` outside `over`: above, below, left and right of it.
pub(super) fn without(piece: &PxRect, over: &PxRect) -> Vec<PxRect> {
    let shared = piece.intersect(over);
    if shared.is_empty() {
        return vec![*piece];
    }
    let parts = [
        PxRect { bottom: shared.top, ..*piece },
        PxRect { top: shared.bottom, ..*piece },
        PxRect { right: shared.left, top: shared.top, bottom: shared.bottom, ..*piece },
        PxRect { left: shared.right, top: shared.top, bottom: shared.bottom, ..*piece },
    ];
    parts.into_iter().filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LayoutBuilder, Rotation, Text, WidgetFlags, layout_from};

    #[test]
    fn what_lies_under_something_else_takes_no_touch() {
        let layout = layout_from("FrameLayout\n  Button#scrim\n  Button#row\n  Button#free\n");
        let all: Vec<WidgetIdx> = layout.iter().map(|(idx, _)| idx).collect();
        let scrim = layout.widget(all[1]).bounds;
        // The row is drawn over the scrim's middle.
        let layout = layout.with_changed(&all[2..3], |row| row.bounds = scrim);
        let takes: Vec<bool> = all[1..].iter().map(|idx| layout.touch_point(*idx).is_ok()).collect();
        assert_eq!(takes, [false, true, true]);
    }

    #[test]
    fn a_later_clickable_widget_covers_what_lies_under_all_of_it() {
        let layout = layout_from("FrameLayout\n  TextView#row \"a\"\n  Button#over\n");
        let mut builder = LayoutBuilder::new(Text::from(""), layout.screen(), Rotation::PORTRAIT);
        for widget in layout.widgets() {
            let mut widget = widget.clone();
            widget.bounds = PxRect::new(0, 0, 100, 100);
            builder.open(widget);
            if builder.depth() > 1 {
                builder.close();
            }
        }
        let stacked = builder.finish();
        assert_eq!(stacked.covered_by(WidgetIdx(1)), Some(WidgetIdx(2)));
        assert_eq!(stacked.covered_by(WidgetIdx(2)), None);
        assert_eq!(stacked.covered_by(WidgetIdx(0)), None, "its own children do not cover it");
        assert_eq!(layout.covered_by(WidgetIdx(1)), None, "side by side");
    }

    #[test]
    fn a_touch_goes_to_what_is_drawn_last_and_there_to_the_smallest() {
        let placed = [
            ("RelativeLayout", PxRect::new(0, 0, 400, 100), true),
            ("TextView#name \"a\"", PxRect::new(0, 0, 100, 100), false),
            ("ImageView#more", PxRect::new(340, 30, 380, 60), true),
            ("ImageView#fab", PxRect::new(300, 0, 400, 100), true),
        ];
        let mut builder =
            LayoutBuilder::new(Text::from(""), PxSize { width: 400, height: 400 }, Rotation::PORTRAIT);
        for (number, (notation, bounds, clickable)) in placed.into_iter().enumerate() {
            if number == 3 {
                builder.close();
            }
            let mut widget = layout_from(notation).widget(WidgetIdx(0)).clone();
            widget.bounds = bounds;
            widget.flags = WidgetFlags::ENABLED.with(WidgetFlags::CLICKABLE, clickable);
            builder.open(widget);
            if number > 0 {
                builder.close();
            }
        }
        let layout = builder.finish();
        let hit = |x, y| layout.hit_test(PxPoint { x, y }).map(|idx| idx.0);
        let meant = |x, y| layout.touch_target(PxPoint { x, y }).map(|idx| idx.0);
        assert_eq!(hit(350, 40), Some(3), "the floating button, though the row has a smaller one there");
        assert_eq!(hit(50, 50), Some(1), "the text in the row that takes the touch");
        assert_eq!((hit(200, 50), meant(200, 50)), (Some(0), Some(1)), "the row goes by its text");
        assert_eq!(meant(350, 40), Some(3));
        assert_eq!(hit(200, 200), None);
    }

    /// A layout of `depth Class#id left top right bottom` lines, clickable where the class is a button.
    fn placed(lines: &str) -> Layout {
        let screen = PxSize { width: 1000, height: 2000 };
        let mut builder = LayoutBuilder::new(Text::from("org.ex/.Main"), screen, Rotation::PORTRAIT);
        for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some(active) = line.strip_prefix("window ") {
                while builder.depth() > 0 {
                    builder.close();
                }
                builder.window(0, Text::from(""), active == "active");
                continue;
            }
            let parts: Vec<&str> = line.split(' ').collect();
            let number = |place: usize| parts[place].parse::<i32>().unwrap();
            while builder.depth() > number(0) as usize {
                builder.close();
            }
            let mut widget = layout_from(&format!("{}\n", parts[1])).widget(WidgetIdx(0)).clone();
            widget.bounds = PxRect::new(number(2), number(3), number(4), number(5));
            if let Some(package) = parts.get(6) {
                widget.package = Text::from(*package);
            }
            builder.open(widget);
        }
        builder.finish()
    }

    fn point(layout: &Layout, idx: u32) -> Result<(i32, i32), Unreachable> {
        layout.touch_point(WidgetIdx(idx)).map(|at| (at.x, at.y))
    }

    #[test]
    fn a_touch_goes_to_the_largest_free_piece_where_the_middle_is_covered() {
        let layout = placed(
            "0 FrameLayout 0 0 1000 2000
             1 Button#row 0 1700 1000 1900
             2 TextView#label 0 1750 400 1850
             1 Button#low 0 1900 1000 2000
             1 LinearLayout#bar 20 1760 980 1960
             2 TextView#snackbar_text 20 1760 700 1960
             2 Button#snackbar_action 700 1760 980 1960",
        );
        assert_eq!(point(&layout, 0), Ok((500, 1000)), "its own content does not cover it");
        assert_eq!(point(&layout, 1), Ok((500, 1730)), "above the snackbar");
        assert_eq!(point(&layout, 2), Ok((200, 1755)), "above it, where more is free than left of it");
        assert_eq!(point(&layout, 3), Ok((500, 1980)));
        assert_eq!(point(&layout, 6), Ok((840, 1860)));
        let at = |x, y| PxPoint { x, y };
        assert_eq!(
            layout.hit_test(at(500, 1800)),
            Some(WidgetIdx(5)),
            "the snackbar takes what is not its button's"
        );
        assert!(!layout.touch_reaches(WidgetIdx(1), at(500, 1800)));
        assert!(layout.touch_reaches(WidgetIdx(1), at(500, 1750)));
        assert!(!layout.touch_reaches(WidgetIdx(1), at(500, 100)), "beside it");
    }

    #[test]
    fn what_is_covered_as_a_whole_has_no_point_and_says_by_whom() {
        let layout = placed(
            "0 FrameLayout 0 0 1000 2000
             1 Button#row 100 1800 900 1860
             1 Button#half 0 100 400 200
             1 FrameLayout 0 1760 1000 1960
             2 LinearLayout 0 1760 1000 1960
             3 TextView#snackbar_text 0 1760 700 1960
             1 Button#a 0 90 250 210
             1 Button#b 200 90 400 210
             1 Button#away 1000 90 1100 210",
        );
        assert_eq!(point(&layout, 1), Err(Unreachable::Covered(WidgetIdx(5))));
        assert_eq!(point(&layout, 2), Err(Unreachable::Covered(WidgetIdx(7))), "by two together");
        assert_eq!(layout.covered_by(WidgetIdx(2)), None, "neither covers it alone");
        assert_eq!(point(&layout, 8), Err(Unreachable::OffScreen));
    }

    #[test]
    fn labels_and_containers_cover_nothing() {
        let layout = placed(
            "0 FrameLayout 0 0 1000 2000
             1 Button#ok 0 0 1000 2000
             1 FrameLayout#hotseat 0 0 1000 2000
             2 TextView 0 0 1000 2000",
        );
        assert_eq!(point(&layout, 1), Ok((500, 1000)));
    }

    #[test]
    fn the_middle_of_what_leaves_the_screen_is_that_of_what_is_seen() {
        let layout =
            placed("0 FrameLayout 0 0 1000 2000\n1 Button#wide 600 0 2600 100\n1 Button#low 0 -50 100 60");
        assert_eq!(point(&layout, 1), Ok((800, 50)));
        assert_eq!(point(&layout, 2), Ok((50, 5)));
    }

    #[test]
    fn an_open_drawer_covers_the_page_also_beside_its_entries() {
        let layout = placed(
            "0 androidx.drawerlayout.widget.DrawerLayout 0 0 1000 2000
             1 FrameLayout#page 0 0 1000 2000
             2 Button#row 100 500 600 600
             2 Button#wide 100 900 900 1000
             1 ScrollView#drawer 0 0 800 2000
             2 Button#entry 0 0 800 100",
        );
        assert_eq!(point(&layout, 2), Err(Unreachable::Covered(WidgetIdx(4))));
        assert_eq!(point(&layout, 3), Ok((850, 950)));
        assert_eq!(point(&layout, 5), Ok((400, 50)));
    }

    #[test]
    fn bars_and_keyboard_lie_over_the_windows_of_apps_and_the_active_one_over_the_others() {
        let layout = placed(
            "window active
             0 FrameLayout 0 600 1000 1400
             1 Button#yes 0 1300 1000 1400
             window other
             0 FrameLayout 0 1200 1000 2000 com.google.android.inputmethod.latin
             window other
             0 FrameLayout 0 0 1000 2000
             1 Button#row 0 500 1000 700
             1 Button#under 100 1500 900 1700
             1 Button#behind 0 800 1000 1000
             window other
             0 FrameLayout 0 0 1000 2000 com.android.systemui",
        );
        assert_eq!(
            point(&layout, 1),
            Err(Unreachable::Covered(WidgetIdx(2))),
            "the keyboard over the dialog"
        );
        assert_eq!(point(&layout, 4), Ok((500, 550)), "above the dialog");
        assert_eq!(point(&layout, 5), Err(Unreachable::Covered(WidgetIdx(2))));
        assert_eq!(point(&layout, 6), Err(Unreachable::Covered(WidgetIdx(0))));
    }
}
