//! What a screen shows, as far as screens can agree on it: texts, each at a place with a name, and groups of items.

use std::collections::BTreeMap;

use super::measure::{Measure, measures};
use super::number::{Number, numbers};
use crate::oracle::is_loading;
use crate::oracle::layout_effects::speaking;
use taproof_screen::determinism::{HashBuffer, hash_text};
use taproof_screen::{AppHealth, Frame, Layout, Same, Widget, WidgetFlags, WidgetIdx, is_dialog};

/// The name of a place, the same on all screens of a page: a hash.
pub(super) type PlaceKey = u64;

/// What a screen shows.
pub(super) struct Facts<'l> {
    pub layout: &'l Layout,
    /// The page, with what is chosen on it: the tab that is selected, what buttons say that filter.
    pub page: PlaceKey,
    /// The texts outside of items by place. Of several at one place there is none.
    pub texts: BTreeMap<PlaceKey, WidgetIdx>,
    /// What is shown once for each object. Of several groups of one name there is none.
    pub groups: BTreeMap<PlaceKey, Group>,
}

/// Widgets of one kind, each with texts: the rows of a list, the cards of a grid.
pub(super) struct Group {
    pub items: Vec<Item>,
    /// Whether no item is out of sight.
    pub whole: bool,
    /// A hash of what all items show, in any order.
    pub data: u64,
    /// What their number may be, and what it is of them.
    pub measures: Vec<(Measure, i64)>,
}

/// One of a group.
pub(super) struct Item {
    pub idx: WidgetIdx,
    /// Its texts, each with its place in it.
    pub texts: Vec<(PlaceKey, WidgetIdx)>,
    /// A hash of what it shows.
    pub data: u64,
}

impl Item {
    /// The text at a place in it.
    pub(super) fn text(&self, place: PlaceKey) -> Option<WidgetIdx> {
        self.texts.iter().find(|(at, _)| *at == place).map(|(_, idx)| *idx)
    }
}

impl Group {
    fn new(layout: &Layout, items: Vec<WidgetIdx>, whole: bool) -> Group {
        let item = |idx| {
            let mut hasher = HashBuffer::default();
            layout.texts_in(idx).for_each(|text| hasher.text(text));
            Item { idx, texts: texts_in(layout, idx), data: hasher.finish() }
        };
        let items: Vec<Item> = items.into_iter().map(item).collect();
        let mut hashes: Vec<u64> = items.iter().map(|item| item.data).collect();
        hashes.sort_unstable();
        let mut hasher = HashBuffer::default();
        hashes.into_iter().for_each(|hash| hasher.u64(hash));
        let measures = if whole { measures(layout, &items) } else { Vec::new() };
        Group { data: hasher.finish(), measures, items, whole }
    }
}

/// Where an app's widget stands.
#[derive(Clone, Copy, Default)]
struct Around {
    /// The innermost list around it.
    list: Option<WidgetIdx>,
    /// The outermost widget around it, or itself, that can be tapped, below that list.
    tapped: Option<WidgetIdx>,
    /// Whether something around it scrolls that is no list.
    scrolls: bool,
}

impl<'l> Facts<'l> {
    /// What a screen of the app shows; `None` if the app is not in front, loads, or shows a dialog or a menu.
    pub(super) fn of(frame: &'l Frame, app: &str) -> Option<Facts<'l>> {
        let layout = &*frame.layout;
        let shown = frame.health == AppHealth::Running && layout.window_package() == app && layout.is_of(app);
        if !shown || is_dialog(layout) || windows(layout, app) != 1 || is_loading(layout, app) {
            return None;
        }
        let around = around(layout);
        let says = speaking(layout);
        let (mut texts, mut groups) = (Unique::default(), Unique::default());
        let mut items: BTreeMap<(WidgetIdx, &str, Option<&str>), Vec<WidgetIdx>> = BTreeMap::new();
        for (idx, widget) in layout.iter().filter(|(_, widget)| &*widget.package == app) {
            let Around { list, tapped, .. } = around[idx.index()];
            let is_item = says[idx.index()] && is_item(layout, idx, tapped, list, &around);
            if let Some(around) = list.or(widget.parent).filter(|_| is_item) {
                items.entry((around, &widget.class, widget.short_id())).or_default().push(idx);
            }
            let is_text = !widget.text.is_empty() && !widget.is_editable() && !widget.bounds.is_empty();
            if is_text && list.is_none() {
                let keys = text_keys(layout, idx, around[idx.index()].scrolls);
                keys.into_iter().for_each(|key| texts.add(key, idx));
            }
        }
        for ((container, class, id), mut items) in items {
            let list = around[items[0].index()].list;
            if list.is_none() && items.len() < 2 {
                continue;
            }
            let mut hasher = HashBuffer::default();
            hasher.text(layout.widget(container).short_id().unwrap_or(""));
            [class, id.unwrap_or("")].into_iter().for_each(|word| hasher.text(word));
            let scrolls = list.is_some_and(|list| layout.widget(list).scrollable());
            let whole = !scrolls && !around[items[0].index()].scrolls;
            // Of an item at the edge, a part is out of sight.
            items.retain(|item| layout.list_item_around(*item).is_none_or(|it| layout.is_whole_item(it)));
            groups.add(hasher.finish(), Group::new(layout, items, whole));
        }
        Some(Facts { layout, page: page_key(layout), texts: texts.known(), groups: groups.known() })
    }

    /// A number of a text at a place, and the text.
    pub(super) fn number(&self, (place, nth): (PlaceKey, u8)) -> Option<(WidgetIdx, Number)> {
        let idx = *self.texts.get(&place)?;
        Some((idx, *numbers(&self.layout.widget(idx).text).get(usize::from(nth))?))
    }

    /// The item that a tap on the widget opens: the widget or what is around it, but for a button in an item.
    pub(super) fn opened_by(&self, idx: WidgetIdx) -> Option<(PlaceKey, &Item)> {
        let layout = self.layout;
        let mut around = std::iter::once(idx).chain(layout.ancestors(idx));
        let opens = around.find(|it| layout.widget(*it).clickable()).unwrap_or(idx);
        let is_it = |item: &&Item| item.idx == opens || (layout.holds(item.idx, opens) && opens == idx);
        let acts = layout.widget(idx).clickable();
        let found = self.groups.iter().find_map(|(key, group)| Some((*key, group.items.iter().find(is_it)?)));
        found.filter(|(_, item)| !acts || item.idx == idx)
    }
}

/// The texts of an item, each with its place in it.
fn texts_in(layout: &Layout, item: WidgetIdx) -> Vec<(PlaceKey, WidgetIdx)> {
    let mut known: Vec<(PlaceKey, WidgetIdx)> = Vec::new();
    let mut twice = Vec::new();
    for idx in layout.subtree(item).filter(|idx| !layout.widget(*idx).text.is_empty()) {
        let mut hasher = HashBuffer::default();
        match layout.widget(idx).short_id() {
            Some(id) if idx != item => hasher.text(id),
            _ => std::iter::once(idx).chain(layout.ancestors(idx)).take_while(|it| *it != item).for_each(
                |it| {
                    hasher.text(&layout.widget(it).class);
                    hasher.u64(sibling_place(layout, it));
                },
            ),
        }
        let key = hasher.finish();
        match known.iter().any(|(other, _)| *other == key) {
            true => twice.push(key),
            false => known.push((key, idx)),
        }
    }
    known.retain(|(key, _)| !twice.contains(key));
    known
}

/// The text with a sign for each number.
fn without_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        let digit = letter.is_ascii_digit();
        if !(digit && out.ends_with('#')) {
            out.push(if digit { '#' } else { letter });
        }
    }
    out
}

/// Number of windows of the app, without its announcements.
fn windows(layout: &Layout, app: &str) -> usize {
    let roots = layout.roots().map(|root| layout.widget(root));
    roots.filter(|root| &*root.package == app && !root.is_announcement()).count()
}

/// Values by key, without those whose key comes more than once.
struct Unique<T>(BTreeMap<PlaceKey, Option<T>>);

impl<T> Default for Unique<T> {
    fn default() -> Self {
        Unique(BTreeMap::new())
    }
}

impl<T> Unique<T> {
    fn add(&mut self, key: PlaceKey, value: T) {
        self.0.entry(key).and_modify(|known| *known = None).or_insert(Some(value));
    }

    fn known(self) -> BTreeMap<PlaceKey, T> {
        self.0.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
    }
}

fn around(layout: &Layout) -> Vec<Around> {
    let mut all: Vec<Around> = Vec::with_capacity(layout.widgets().len());
    for widget in layout.widgets() {
        let around = widget.parent.map_or(Around::default(), |parent| {
            let (above, around) = (all[parent.index()], layout.widget(parent));
            if layout.is_list(parent) {
                return Around { list: Some(parent), tapped: None, ..above };
            }
            let tapped = above.tapped.or_else(|| around.clickable().then_some(parent));
            let scrolls =
                above.scrolls || (around.scrollable() && around.short_class().ends_with("ScrollView"));
            Around { tapped, scrolls, ..above }
        });
        all.push(around);
    }
    all
}

/// Whether a widget that shows a text is an item: it can be tapped, and nothing around it below the list can. In a list,
/// a child counts as well in which nothing can be tapped.
fn is_item(
    layout: &Layout,
    idx: WidgetIdx,
    tapped: Option<WidgetIdx>,
    list: Option<WidgetIdx>,
    around: &[Around],
) -> bool {
    let widget = layout.widget(idx);
    if widget.is_text_field() || widget.flags.has(WidgetFlags::INVISIBLE) || tapped.is_some() {
        return false;
    }
    let idle = || !layout.subtree(idx).any(|it| it != idx && layout.widget(it).clickable());
    widget.clickable() || (list.is_some() && widget.parent == around[idx.index()].list && idle())
}

/// The names of the place of a text outside of items: by its id, else by the label before it or where it stands; and by its
/// words, if it counts something. Where a text stands says nothing on a page that scrolls.
fn text_keys(layout: &Layout, idx: WidgetIdx, scrolls: bool) -> Vec<PlaceKey> {
    let widget = layout.widget(idx);
    let mut hasher = HashBuffer::default();
    if let Some(id) = widget.short_id() {
        hasher.text(id);
        return vec![hasher.finish()];
    }
    let siblings = widget.parent.into_iter().flat_map(|parent| layout.children(parent));
    let label = siblings.take_while(|sibling| *sibling != idx).last().map(|label| layout.widget(label));
    let mut named = true;
    match label.filter(|label| !label.text.is_empty() && !label.is_editable()) {
        Some(label) => hasher.text(&without_numbers(&label.text)),
        None if scrolls => named = false,
        None => std::iter::once(idx).chain(widget.parent).for_each(|it| {
            hasher.text(&layout.widget(it).class);
            hasher.u64(sibling_place(layout, it));
            hasher.u64(layout.depth(it) as u64);
        }),
    }
    let words = without_numbers(&widget.text);
    let counts = *words != *widget.text && words.chars().any(char::is_alphabetic);
    [named.then(|| hasher.finish()), counts.then(|| hash_text(&words))].into_iter().flatten().collect()
}

fn sibling_place(layout: &Layout, idx: WidgetIdx) -> u64 {
    let siblings = layout.widget(idx).parent.into_iter().flat_map(|parent| layout.children(parent));
    siblings.take_while(|sibling| *sibling != idx).count() as u64
}

/// The page with what is chosen on it.
fn page_key(layout: &Layout) -> PlaceKey {
    let mut hasher = HashBuffer::default();
    hasher.u64(layout.key(Same::Page).0);
    let icons = layout.icon_buttons().map(|icon: &Widget| &*icon.content_desc);
    icons.for_each(|icon| hasher.text(&without_numbers(icon)));
    layout.selected_labels().into_iter().for_each(|label| hasher.text(&without_numbers(label)));
    hasher.finish()
}
