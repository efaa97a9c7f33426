//! Which events a layout offers (`engine/genie/paper.md`, section 4), and the key that events of different layouts have
//! in common if they are the same (`engine/odin/paper.md`, section 3). Shared by all engines that choose among the
//! events of a screen.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::determinism::HashBuffer;
use crate::{Direction, Gesture, Layout, Widget, WidgetFlags, WidgetIdx};

/// Resource ids of the OK and Cancel buttons of a dialog.
const PICKER_BUTTONS: [&str; 2] = ["android:id/button1", "android:id/button2"];
const DIRECTIONS: [Direction; 4] = [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

/// An event that a layout offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Candidate {
    /// The widget that receives the event.
    pub widget: WidgetIdx,
    /// The action performed on the widget.
    pub action: CandidateAction,
}

/// The kind of a gesture on a widget, without its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum CandidateAction {
    /// A tap on the widget.
    Tap,
    /// A long press on the widget.
    LongPress,
    /// A swipe over the widget; the finger moves in this direction.
    Scroll(Direction),
    /// The field's content is replaced by a text that the engine chooses.
    SetText,
}

/// 64-bit hash of an action and the kind of widget it is performed on: equal for the same event on different layouts.
/// See [`event_key`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EventKey(pub u64);

impl CandidateAction {
    /// Returns the kind of a gesture, whatever its text; `None` for a drag, which is never a candidate.
    pub fn of(gesture: &Gesture) -> Option<Self> {
        match gesture {
            Gesture::Tap => Some(CandidateAction::Tap),
            Gesture::LongPress => Some(CandidateAction::LongPress),
            Gesture::Swipe(direction) => Some(CandidateAction::Scroll(*direction)),
            Gesture::SetText(_) => Some(CandidateAction::SetText),
            Gesture::Drag(_) => None,
        }
    }

    /// Returns the gesture; `text` is what [`CandidateAction::SetText`] types.
    pub fn gesture(self, text: &str) -> Gesture {
        match self {
            CandidateAction::Tap => Gesture::Tap,
            CandidateAction::LongPress => Gesture::LongPress,
            CandidateAction::Scroll(direction) => Gesture::Swipe(direction),
            CandidateAction::SetText => Gesture::SetText(text.to_owned()),
        }
    }

    /// The action's number in hashes. It must not change because stored keys are computed from it.
    pub fn code(self) -> u64 {
        match self {
            CandidateAction::Tap => 1,
            CandidateAction::LongPress => 2,
            CandidateAction::SetText => 3,
            CandidateAction::Scroll(Direction::Up) => 4,
            CandidateAction::Scroll(Direction::Down) => 5,
            CandidateAction::Scroll(Direction::Left) => 6,
            CandidateAction::Scroll(Direction::Right) => 7,
        }
    }
}

/// Returns the events that a layout offers, grouped by kind of action: taps, swipes, taps on widgets that can only be
/// checked, long presses, texts. Each group goes from the last widget to the first. `app` is the package of the app
/// under test.
///
/// Widgets that are disabled, invisible, covered by a drawer or of another app offer nothing. If a date or time picker
/// is shown, only the buttons of its dialog do.
pub fn candidates(layout: &Layout, app: &str) -> Vec<Candidate> {
    let picker = layout.widgets().iter().any(is_picker);
    let offered: Vec<WidgetIdx> = offered(layout)
        .into_iter()
        .filter(|idx| {
            let widget = layout.widget(*idx);
            let id = widget.resource_id.as_deref().unwrap_or("");
            widget.flags.has(WidgetFlags::ENABLED)
                && !widget.is_bar_background()
                && (!picker || PICKER_BUTTONS.contains(&id))
                && layout.may_touch(widget, app)
        })
        .collect();
    let mut found = Vec::new();
    let mut take = |action: CandidateAction, fits: &dyn Fn(&Widget) -> bool| {
        let fitting = offered.iter().rev().filter(|idx| fits(layout.widget(**idx)));
        found.extend(fitting.map(|idx| Candidate { widget: *idx, action }));
    };
    let is = |widget: &Widget, class: &str| widget.short_class() == class;
    take(CandidateAction::Tap, &|widget| {
        widget.clickable() && !is(widget, "EditText") && !is(widget, "ListView")
    });
    for direction in DIRECTIONS {
        take(CandidateAction::Scroll(direction), &|widget| {
            widget.scrollable() && !is(widget, "Spinner") && !is(widget, "ListView")
        });
    }
    take(CandidateAction::Tap, &|widget| widget.flags.has(WidgetFlags::CHECKABLE) && !widget.clickable());
    take(CandidateAction::LongPress, &|widget| widget.long_clickable() && !is(widget, "EditText"));
    take(CandidateAction::SetText, &Widget::is_editable);
    found
}

/// Returns the widgets that are neither invisible nor covered by an open drawer, nor inside such a widget.
fn offered(layout: &Layout) -> Vec<WidgetIdx> {
    let mut shown = Vec::with_capacity(layout.widgets().len());
    let mut covered = BTreeSet::new();
    let mut next = WidgetIdx(0);
    while let Some(widget) = layout.get(next) {
        covered.extend(drawer_page(layout, next));
        if widget.flags.has(WidgetFlags::INVISIBLE) || covered.contains(&next) {
            next = layout.end(next);
        } else {
            shown.push(next);
            next = WidgetIdx(next.0 + 1);
        }
    }
    shown
}

/// Returns the page under an open drawer if the widget is a drawer layout with an open drawer. A dump does not contain
/// a closed drawer, so of several children the one that ends in the drawer layout's lower right corner is the page.
pub(crate) fn drawer_page(layout: &Layout, idx: WidgetIdx) -> Option<WidgetIdx> {
    let around = layout.widget(idx);
    if !around.class.ends_with("DrawerLayout") || layout.children(idx).count() < 2 {
        return None;
    }
    let corner = |widget: &Widget| (widget.bounds.right, widget.bounds.bottom);
    layout.children(idx).find(|child| corner(layout.widget(*child)) == corner(around))
}

/// Whether the layout shows an open drawer, which covers its page.
pub fn drawer_open(layout: &Layout) -> bool {
    layout.iter().any(|(idx, _)| drawer_page(layout, idx).is_some() || is_scrim(layout, idx))
}

/// Whether the widget is what other toolkits lay over a page below a drawer or a sheet: it takes all touches, holds nothing,
/// and what comes after it is drawn over it.
fn is_scrim(layout: &Layout, idx: WidgetIdx) -> bool {
    let widget = layout.widget(idx);
    let takes_all = widget.clickable() && widget.resource_id.is_none() && widget.short_class() == "View";
    // The bars of the system stay free.
    let covers = |root| 10 * widget.bounds.area() >= 9 * layout.widget(root).bounds.area();
    takes_all
        && layout.is_leaf(idx)
        && layout.ancestors(idx).last().is_some_and(|root| covers(root) && layout.end(idx) < layout.end(root))
}

fn is_picker(widget: &Widget) -> bool {
    widget.class.ends_with("DatePicker") || widget.class.ends_with("TimePicker")
}

/// Returns the key of a candidate (`engine/odin/paper.md`, section 3). It covers the action with its direction, and the
/// class, id and description of the widget; for a widget without an id, also the classes of its ancestors. The widget's
/// text does not count.
pub fn event_key(layout: &Layout, candidate: Candidate) -> EventKey {
    let widget = layout.widget(candidate.widget);
    let mut hasher = HashBuffer::default();
    hasher.u64(candidate.action.code());
    hasher.text(&widget.class);
    hasher.text(&widget.content_desc);
    match widget.resource_id.as_deref().filter(|id| !id.is_empty()) {
        Some(id) => hasher.text(id),
        None => {
            for around in layout.ancestors(candidate.widget) {
                hasher.text(&layout.widget(around).class);
            }
        }
    }
    EventKey(hasher.finish())
}

impl EventKey {
    /// Returns the key of the same event with `text` as its input, as different inputs count as different events.
    #[must_use]
    pub fn typing(self, text: &str) -> EventKey {
        let mut hasher = HashBuffer::default();
        hasher.u64(self.0);
        hasher.text(text);
        EventKey(hasher.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LayoutBuilder, PxRect, layout_from};

    /// The layout with flags set on some widgets, by place.
    fn flagged(notation: &str, flags: &[(usize, WidgetFlags)]) -> Layout {
        rebuilt(notation, |place, widget| {
            for (_, flag) in flags.iter().filter(|(index, _)| *index == place) {
                widget.flags = widget.flags.with(*flag, true);
            }
        })
    }

    fn rebuilt(notation: &str, mut change: impl FnMut(usize, &mut Widget)) -> Layout {
        let layout = layout_from(notation);
        let mut builder = LayoutBuilder::new(layout.activity().clone(), layout.screen(), layout.rotation());
        for (idx, widget) in layout.iter() {
            while builder.depth() > layout.depth(idx) {
                builder.close();
            }
            let mut widget = widget.clone();
            change(idx.index(), &mut widget);
            builder.open(widget);
        }
        builder.finish()
    }

    fn offers(layout: &Layout) -> Vec<(u32, CandidateAction)> {
        candidates(layout, "org.ex").into_iter().map(|found| (found.widget.0, found.action)).collect()
    }

    #[test]
    fn every_kind_from_the_last_widget_to_the_first() {
        use CandidateAction::{LongPress, Scroll, SetText, Tap};
        let layout = flagged(
            "ScrollView\n  Button\n  EditText\n  CheckedTextView\n  Button\n",
            &[
                (0, WidgetFlags::SCROLLABLE),
                (1, WidgetFlags::LONG_CLICKABLE),
                (2, WidgetFlags::CLICKABLE),
                (2, WidgetFlags::LONG_CLICKABLE),
                (3, WidgetFlags::CHECKABLE),
            ],
        );
        let scrolls = DIRECTIONS.map(|direction| (0, Scroll(direction)));
        let expected =
            [&[(4, Tap), (1, Tap)][..], &scrolls, &[(3, Tap), (1, LongPress), (2, SetText)]].concat();
        assert_eq!(offers(&layout), expected);
    }

    #[test]
    fn what_cannot_be_used_is_not_offered() {
        let layout =
            flagged("FrameLayout\n  FrameLayout\n    Button\n  Button\n", &[(1, WidgetFlags::INVISIBLE)]);
        assert_eq!(offers(&layout), [(3, CandidateAction::Tap)]);
        let disabled = rebuilt("FrameLayout\n  Button\n  Button\n", |place, widget| {
            widget.flags = widget.flags.with(WidgetFlags::ENABLED, place != 1);
        });
        assert_eq!(offers(&disabled), [(2, CandidateAction::Tap)]);
        let foreign = rebuilt("Button\n", |_, widget| widget.package = "com.other".into());
        assert!(offers(&foreign).is_empty());
        let lists = flagged(
            "ListView\n  Spinner\n",
            &[(0, WidgetFlags::CLICKABLE), (0, WidgetFlags::SCROLLABLE), (1, WidgetFlags::SCROLLABLE)],
        );
        assert!(offers(&lists).is_empty());
    }

    #[test]
    fn an_open_drawer_covers_the_page() {
        let notation = "DrawerLayout\n  FrameLayout\n    Button#page\n  ListView\n    Button#entry\n";
        let drawer = rebuilt(notation, |place, widget| {
            widget.bounds = PxRect::new(0, 0, if place >= 3 { 600 } else { 1080 }, 1920);
        });
        assert!(drawer_open(&drawer));
        assert_eq!(offers(&drawer), [(4, CandidateAction::Tap)]);
        let closed = rebuilt("DrawerLayout\n  FrameLayout\n    Button#page\n", |_, _| {});
        assert!(!drawer_open(&closed) && offers(&closed).len() == 1);
    }

    #[test]
    fn a_picker_offers_ok_and_cancel_only() {
        let picker =
            rebuilt("FrameLayout\n  DatePicker\n    Button\n  Button\n  Button\n", |place, widget| {
                widget.resource_id = match place {
                    3 => Some("android:id/button2".into()),
                    4 => Some("android:id/button1".into()),
                    _ => None,
                };
            });
        assert_eq!(offers(&picker), [(4, CandidateAction::Tap), (3, CandidateAction::Tap)]);
    }

    #[test]
    fn a_key_is_of_the_kind_of_widget() {
        let layout = layout_from(
            "ListView\n  Button#go \"a\"\n  Button#go \"b\"\n  Button \"c\"\n  FrameLayout\n    Button \"d\"\n",
        );
        let key = |widget: u32, action| event_key(&layout, Candidate { widget: WidgetIdx(widget), action });
        let tap = CandidateAction::Tap;
        assert_eq!(key(1, tap), key(2, tap), "texts do not count");
        assert_ne!(key(3, tap), key(5, tap), "without an id the classes around count");
        assert_ne!(key(1, tap), key(1, CandidateAction::LongPress));
        assert_ne!(
            key(0, CandidateAction::Scroll(Direction::Up)),
            key(0, CandidateAction::Scroll(Direction::Down))
        );
        assert_ne!(key(1, tap).typing("x"), key(1, tap).typing("y"), "typed texts do");
    }
}
