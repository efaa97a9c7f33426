//! A layout as Fastbot2 sees it (paper.md, section 3): the actions that its widgets offer, with equal ones merged, and
//! the state that the distinct widgets form.

use std::ops::Range;

use crate::fastbot2::{EventKeys, HyperEvent};
use taproof_screen::determinism::HashBuffer;
use taproof_screen::{Direction, Event, Gesture, Key, Layout, Text, Widget, WidgetFlags, WidgetIdx};
use taproof_spec::{ActionKind, Block, BlockedTouches, is_key_forbidden};

use super::rules::RulesOnPage;

const VERTICAL: [Direction; 2] = [Direction::Down, Direction::Up];
const HORIZONTAL: [Direction; 2] = [Direction::Right, Direction::Left];
const ALL_WAYS: [Direction; 4] = [Direction::Down, Direction::Up, Direction::Right, Direction::Left];

/// Classes that scroll vertically only, without their packages.
const VERTICAL_CLASSES: [&str; 5] =
    ["ScrollView", "ListView", "ExpandableListView", "VerticalGridView", "RecyclerView"];
/// Classes that scroll horizontally only.
const HORIZONTAL_CLASSES: [&str; 2] = ["HorizontalScrollView", "HorizontalGridView"];

/// The input for reading a page.
#[derive(Clone, Copy)]
pub(super) struct Reading<'a> {
    pub layout: &'a Layout,
    /// Package name of the app under test.
    pub app: &'a str,
    pub blocks: &'a [Block],
    pub rules: &'a RulesOnPage<'a>,
}

/// A layout as Fastbot2 sees it. Its buffers are reused for the next one.
#[derive(Clone, Debug, Default)]
pub(super) struct Page {
    /// `package/class` of the activity in the foreground.
    pub activity: Text,
    /// Hash of the activity and the distinct widgets; texts, order and number do not count.
    pub state: u64,
    /// The distinct actions in document order, Back last.
    pub actions: Vec<PageAction>,
    /// The widgets of the actions, each action's in document order.
    spots: Vec<Spot>,
    widget_keys: Vec<u64>,
    keys: EventKeys,
    buffer: HashBuffer,
    statics: Vec<u32>,
}

/// One action of a page: an event, and the widgets on which it can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PageAction {
    pub key: u64,
    pub kind: ActionKind,
    first: u32,
    /// Number of equal widgets that offer it; 0 for Back.
    pub widgets: u32,
}

#[derive(Clone, Copy, Debug)]
struct Spot {
    key: u64,
    kind: ActionKind,
    widget: WidgetIdx,
    widget_key: u64,
}

/// In `Page::statics`: the widget has no static text.
const NONE: u32 = u32::MAX;

impl Page {
    /// Replaces the page by this layout.
    pub fn read(&mut self, reading: Reading<'_>) {
        let layout = reading.layout;
        if self.activity != *layout.activity() {
            self.activity = Text::clone(layout.activity());
            self.keys.enter(layout.activity());
        }
        self.spots.clear();
        self.widget_keys.clear();
        let shown = shown_widgets(layout);
        let clickable = |idx: u32| {
            let widget = layout.widget(WidgetIdx(idx));
            widget.clickable() || widget.is_text_field()
        };
        let blocked = BlockedTouches::new(reading.blocks, layout);
        // On a canvas, a game or a web page nothing says that it is clickable.
        let canvas = !shown.clone().any(clickable);
        self.find_static_texts(reading, shown.clone());
        for idx in shown.map(WidgetIdx) {
            let widget = layout.widget(idx);
            let kinds = self.kinds(reading, idx, canvas);
            // Widgets under a scrim or an open drawer are still in the dump, but a touch goes to what covers them.
            let visible = || blocked.touches().touch_point(idx).is_ok();
            if kinds.is_empty() || !reading.layout.may_touch(widget, reading.app) || !visible() {
                continue;
            }
            let static_text = self.static_text(layout, idx);
            let id = widget.resource_id.as_deref().unwrap_or("");
            let key = self.keys.widget(id, &widget.class, static_text);
            self.widget_keys.push(key);
            if may_touch(reading, &blocked, idx) {
                let spot =
                    |kind| Spot { key: EventKeys::event(key, kind), kind, widget: idx, widget_key: key };
                self.spots.extend(kinds.iter().map(spot));
            }
        }
        self.merge();
        if !is_key_forbidden(reading.blocks, layout, Key::Back) {
            let key = EventKeys::event(self.keys.widget("", "", ""), ActionKind::Back);
            self.actions.push(PageAction { key, kind: ActionKind::Back, first: 0, widgets: 0 });
        }
        self.state = self.state_key();
    }

    /// The actions that a widget offers, whether or not it is disabled.
    fn kinds(&self, reading: Reading<'_>, idx: WidgetIdx, canvas: bool) -> Kinds {
        let widget = reading.layout.widget(idx);
        let root = widget.parent.is_none();
        let field = widget.is_text_field();
        let checkable = widget.flags.has(WidgetFlags::CHECKABLE);
        let click = widget.clickable() || checkable || field || (canvas && !root);
        let around = || widget.parent.is_some_and(|parent| reading.layout.widget(parent).clickable());
        let said = || self.own_static(idx) && !around();
        Kinds {
            click: click || said(),
            long_click: widget.long_clickable() || field,
            scrolls: match widget.scrollable() {
                true => scroll_directions(&widget.class),
                false => &[],
            },
        }
    }

    /// Finds for each widget the one whose static text identifies it: itself, or the first below it that takes no
    /// touches of its own.
    fn find_static_texts(&mut self, reading: Reading<'_>, shown: Range<u32>) {
        self.statics.clear();
        if !reading.rules.has_static_texts() {
            return;
        }
        let layout = reading.layout;
        self.statics.resize(layout.widgets().len(), NONE);
        for idx in shown.rev().map(WidgetIdx) {
            let widget = layout.widget(idx);
            if reading.rules.is_static(&widget.text) {
                self.statics[idx.index()] = idx.0;
            }
            let own = self.statics[idx.index()];
            let acts = widget.clickable() || widget.long_clickable();
            // Widgets are processed from the last to the first, so the first child writes last. A parent with a text of
            // its own overwrites what its children wrote when its turn comes.
            if let Some(parent) = widget.parent.filter(|_| own != NONE && !acts) {
                self.statics[parent.index()] = own;
            }
        }
    }

    fn own_static(&self, idx: WidgetIdx) -> bool {
        self.statics.get(idx.index()).is_some_and(|from| *from == idx.0)
    }

    fn static_text<'l>(&self, layout: &'l Layout, idx: WidgetIdx) -> &'l str {
        match self.statics.get(idx.index()) {
            Some(from) if *from != NONE => &layout.widget(WidgetIdx(*from)).text,
            Some(_) | None => "",
        }
    }

    /// Merges equal actions, in the order of their first widgets.
    fn merge(&mut self) {
        self.actions.clear();
        self.spots.sort_unstable_by_key(|spot| (spot.key, spot.widget));
        let mut first = 0;
        for spots in self.spots.chunk_by(|one, other| one.key == other.key) {
            let widgets = spots.len() as u32;
            self.actions.push(PageAction { key: spots[0].key, kind: spots[0].kind, first, widgets });
            first += widgets;
        }
        let spots = &self.spots;
        let place = |action: &PageAction| (spots[action.first as usize].widget, action.kind);
        self.actions.sort_unstable_by_key(place);
    }

    fn state_key(&mut self) -> u64 {
        self.widget_keys.sort_unstable();
        self.widget_keys.dedup();
        self.buffer.clear();
        self.buffer.text(&self.activity);
        for key in &self.widget_keys {
            self.buffer.u64(*key);
        }
        self.buffer.finish()
    }

    /// The widgets on which the action can be performed, in document order; none for Back.
    pub fn widgets(&self, action: &PageAction) -> impl Iterator<Item = WidgetIdx> + '_ {
        let from = action.first as usize;
        self.spots[from..from + action.widgets as usize].iter().map(|spot| spot.widget)
    }

    /// The key of the widgets of an action; equal widgets have equal keys.
    pub fn widget_key(&self, action: &PageAction) -> u64 {
        self.spots.get(action.first as usize).filter(|_| action.widgets > 0).map_or(0, |spot| spot.widget_key)
    }

    /// The action of the page that an event performs: on its widget, or on the nearest one around it that takes such a
    /// gesture. `None` if it is none of the page's.
    pub fn action_of(&self, layout: &Layout, event: &Event) -> Option<PageAction> {
        let (target, kind) = match event {
            Event::Key(Key::Back) => {
                return self.actions.last().copied().filter(|action| action.widgets == 0);
            }
            Event::Widget { target, gesture } => match gesture {
                Gesture::Tap | Gesture::SetText(_) => (target, ActionKind::Click),
                Gesture::LongPress => (target, ActionKind::LongClick),
                Gesture::Swipe(direction) => (target, ActionKind::Scroll(*direction)),
                Gesture::Drag(_) => return None,
            },
            _ => return None,
        };
        let named = target.selector.matches(layout);
        let there = named.iter().find(|idx| layout.widget(**idx).bounds.contains(target.at)).copied();
        let touched = there.or_else(|| layout.hit_test(target.at))?;
        std::iter::once(touched).chain(layout.ancestors(touched)).find_map(|idx| {
            let spot = self.spots.iter().find(|spot| spot.widget == idx && spot.kind == kind)?;
            self.actions.iter().find(|action| action.key == spot.key).copied()
        })
    }

    /// The event of an action, with everything that its key is computed from.
    pub fn event(&self, layout: &Layout, action: &PageAction) -> HyperEvent {
        let activity = Text::clone(&self.activity);
        let Some(idx) = self.widgets(action).next() else {
            let empty = Text::from("");
            return HyperEvent {
                activity,
                resource_id: Text::clone(&empty),
                class: Text::clone(&empty),
                static_text: empty,
                kind: action.kind,
            };
        };
        let widget = layout.widget(idx);
        HyperEvent {
            activity,
            resource_id: widget.resource_id.clone().unwrap_or_else(|| Text::from("")),
            class: Text::clone(&widget.class),
            static_text: Text::from(self.static_text(layout, idx)),
            kind: action.kind,
        }
    }
}

/// The actions that a widget offers.
struct Kinds {
    click: bool,
    long_click: bool,
    scrolls: &'static [Direction],
}

impl Kinds {
    fn is_empty(&self) -> bool {
        !self.click && !self.long_click && self.scrolls.is_empty()
    }

    fn iter(&self) -> impl Iterator<Item = ActionKind> {
        let click = self.click.then_some(ActionKind::Click);
        let long_click = self.long_click.then_some(ActionKind::LongClick);
        click.into_iter().chain(long_click).chain(self.scrolls.iter().copied().map(ActionKind::Scroll))
    }
}

/// The widgets of the window that has the input focus, in document order.
fn shown_widgets(layout: &Layout) -> Range<u32> {
    let roots: Vec<(bool, u32)> =
        layout.windows().iter().filter_map(|window| Some((window.active, window.root?.0))).collect();
    let end = layout.widgets().len() as u32;
    let active = roots.iter().position(|(active, _)| *active).unwrap_or(0);
    let first = roots.get(active).map_or(0, |(_, root)| *root);
    let behind = roots.get(active + 1).map_or(end, |(_, root)| *root);
    first..behind
}

/// The directions in which a class scrolls; all four for an unknown class.
fn scroll_directions(class: &str) -> &'static [Direction] {
    let known = |classes: &[&str]| {
        classes.iter().any(|known| class.strip_suffix(known).is_some_and(|before| before.ends_with('.')))
    };
    // ViewPager2 scrolls in both directions, so it is not listed.
    if known(&VERTICAL_CLASSES) {
        &VERTICAL
    } else if known(&HORIZONTAL_CLASSES) || class == "android.support.v4.view.ViewPager" {
        &HORIZONTAL
    } else {
        &ALL_WAYS
    }
}

/// Whether the widget may be touched. Disabled or blocked widgets are part of the state, but get no events.
fn may_touch(reading: Reading<'_>, blocked: &BlockedTouches<'_>, idx: WidgetIdx) -> bool {
    let widget: &Widget = reading.layout.widget(idx);
    let swiped = widget.scrollable() && !widget.clickable() && !widget.long_clickable();
    let gesture = if swiped { Gesture::Swipe(Direction::Up) } else { Gesture::Tap };
    widget.flags.has(WidgetFlags::ENABLED) && !reading.rules.blocks(idx) && blocked.allow(idx, &gesture)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use taproof_screen::{PxRect, layout_from};
    use taproof_spec::UserRules;

    fn page_with(notation: &str, statics: &[&str]) -> (Page, Layout) {
        let layout = layout_from(notation);
        let statics: BTreeSet<String> = statics.iter().map(|text| (*text).to_owned()).collect();
        let rules = UserRules { static_texts: statics, ..UserRules::default() };
        let on_page = RulesOnPage::new(&rules);
        let mut page = Page::default();
        page.read(Reading { layout: &layout, app: "org.ex", blocks: &[], rules: &on_page });
        (page, layout)
    }

    fn words(page: &Page) -> Vec<(&'static str, u32)> {
        page.actions.iter().map(|action| (action.kind.word(), action.widgets)).collect()
    }

    #[test]
    fn dynamic_texts_and_numbers_of_rows_make_no_new_state() {
        let (one, _) = page_with("ListView\n  Button#row \"a\"\n  Button#row \"b\"\n", &[]);
        let (two, _) = page_with("ListView\n  Button#row \"c\"\n", &[]);
        let (other, _) = page_with("ListView\n  Button#add \"c\"\n", &[]);
        assert_eq!(one.state, two.state);
        assert_ne!(one.state, other.state);
        assert_eq!(words(&one), [("click", 2), ("back", 0)]);
    }

    #[test]
    fn static_texts_tell_equal_widgets_apart() {
        let screen = "ListView\n  Button#row \"Keep\"\n  Button#row \"Delete\"\n  LinearLayout\n    TextView \"Title\"\n";
        assert_eq!(words(&page_with(screen, &[]).0).len(), 2);
        let (page, layout) = page_with(screen, &["Keep", "Delete", "Title"]);
        assert_eq!(words(&page), [("click", 1), ("click", 1), ("click", 1), ("back", 0)]);
        let said: Vec<String> =
            page.actions.iter().map(|action| page.event(&layout, action).static_text.to_string()).collect();
        assert_eq!(said, ["Keep", "Delete", "Title", ""]);
        for action in &page.actions {
            assert_eq!(page.event(&layout, action).key(), action.key);
        }
    }

    #[test]
    fn a_widget_goes_by_the_first_static_text_in_it() {
        let screen = "FrameLayout\n  ImageButton#row\n    LinearLayout\n      TextView \"k7\"\n      TextView \"Size\"\n    \
                      TextView \"Date\"\n  ImageButton#row\n    Button#in \"Open\"\n";
        let (page, layout) = page_with(screen, &["Size", "Date", "Open"]);
        let rows =
            page.actions.iter().filter(|action| page.event(&layout, action).resource_id.ends_with("row"));
        let said: Vec<String> =
            rows.map(|action| page.event(&layout, action).static_text.to_string()).collect();
        assert_eq!(said, ["Size", ""], "not the text of a button in it");
    }

    #[test]
    fn pages_without_a_clickable_widget_are_taken_for_canvases() {
        let (page, _) = page_with("FrameLayout\n  View#a\n  View#b\n", &[]);
        assert_eq!(words(&page), [("click", 1), ("click", 1), ("back", 0)]);
        let (page, _) = page_with("FrameLayout\n  View#a\n  EditText#b\n", &[]);
        assert_eq!(words(&page), [("click", 1), ("long click", 1), ("back", 0)]);
    }

    #[test]
    fn scrolls_go_the_ways_of_the_class() {
        for (class, ways) in [
            ("android.widget.ScrollView", 2),
            ("androidx.recyclerview.widget.RecyclerView", 2),
            ("android.widget.HorizontalScrollView", 2),
            ("androidx.core.widget.NestedScrollView", 4),
            ("androidx.viewpager.widget.ViewPager", 4),
            ("android.widget.GridView", 4),
        ] {
            assert_eq!(scroll_directions(class).len(), ways, "{class}");
        }
        assert_eq!(scroll_directions("android.support.v4.view.ViewPager"), HORIZONTAL);
    }

    #[test]
    fn what_is_empty_off_screen_greyed_out_or_covered_is_no_candidate() {
        let layout = layout_from("FrameLayout\n  Button#a\n  Button#b\n  Button#c\n  Button#d\n  Button#e\n");
        let all: Vec<WidgetIdx> = layout.iter().map(|(idx, _)| idx).collect();
        let mut number = 0;
        let layout = layout.with_changed(&all[1..], |widget| {
            number += 1;
            match number {
                1 => widget.bounds = PxRect::new(5, 5, 5, 50),
                2 => widget.bounds = PxRect::new(2000, 5, 2010, 50),
                3 => widget.flags = widget.flags.with(WidgetFlags::ENABLED, false),
                // The last lies over the fourth.
                _ => widget.bounds = PxRect::new(0, 400, 1080, 300 + 50 * number),
            }
        });
        let rules = UserRules::default();
        let mut page = Page::default();
        let rules = RulesOnPage::new(&rules);
        page.read(Reading { layout: &layout, app: "org.ex", blocks: &[], rules: &rules });
        assert_eq!(words(&page), [("click", 1), ("back", 0)]);
        assert_eq!(page.widgets(&page.actions[0]).collect::<Vec<_>>(), [all[5]]);
    }
}
