//! The GUI tree at one moment, as a pre-order arena.

use serde::{Deserialize, Serialize};

use super::{PxSize, Rotation, Text, Widget, WidgetDetails, WidgetFlags, WidgetIdx};

/// Packages other than the app's whose widgets may be touched: those of the system's dialogs about the app.
pub const SYSTEM_PACKAGES: &[&str] = &[
    "android",
    "com.android.packageinstaller",
    "com.android.permissioncontroller",
    "com.google.android.packageinstaller",
    "com.google.android.permissioncontroller",
    "com.lbe.security.miui",
    "com.samsung.android.permissioncontroller",
];

/// Whether a package is the app's or one of [`SYSTEM_PACKAGES`].
pub fn is_of_app(package: &str, app: &str) -> bool {
    package == app || SYSTEM_PACKAGES.contains(&package)
}

/// The GUI tree at one moment. Widgets are in document order, so a parent's index is smaller than its children's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    activity: Text,
    screen: PxSize,
    rotation: Rotation,
    windows: Vec<Window>,
    widgets: Vec<Widget>,
    /// For each widget, the index after its last descendant.
    ends: Vec<u32>,
    /// What else is known of some widgets, in document order.
    #[serde(default)]
    details: Vec<(WidgetIdx, WidgetDetails)>,
    /// Whether it counts as a screen of the app under test although it is of another package.
    #[serde(default)]
    counts_as_app: bool,
    #[serde(skip)]
    given: GivenIndices,
}

/// The indices of widgets in their parents, where a dump counts what it leaves out. Two screens that differ in what is not
/// shown are the same.
#[derive(Clone, Debug, Default)]
struct GivenIndices(Vec<(WidgetIdx, u32)>);

impl PartialEq for GivenIndices {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for GivenIndices {}

/// A window of a layout. A stock dump contains only the active one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// Index of the window's root widget; its widgets end where the next window's root begins. `None` for a window
    /// without widgets.
    pub root: Option<WidgetIdx>,
    /// Id of the display that shows the window.
    pub display: u32,
    /// The window's title; empty if the dump has none.
    pub title: Text,
    /// Whether the window has the input focus, as far as the dump reports it.
    pub active: bool,
}

/// Builds a layout widget by widget in document order, which guarantees the order of [`Layout::widgets()`].
#[derive(Debug)]
pub struct LayoutBuilder {
    layout: Layout,
    open: Vec<WidgetIdx>,
}

impl LayoutBuilder {
    /// Starts a layout. `activity` is `package/class` of the activity in front, or empty if unknown.
    pub fn new(activity: Text, screen: PxSize, rotation: Rotation) -> Self {
        let (windows, widgets, ends, details, given) = Default::default();
        let counts_as_app = false;
        let layout =
            Layout { activity, screen, rotation, windows, widgets, ends, details, counts_as_app, given };
        LayoutBuilder { layout, open: Vec::new() }
    }

    /// Starts a layout that has everything of another one but its windows and widgets.
    pub fn like(other: &Layout) -> Self {
        let builder = LayoutBuilder::new(other.activity.clone(), other.screen, other.rotation);
        let layout = Layout { counts_as_app: other.counts_as_app, ..builder.layout };
        LayoutBuilder { layout, ..builder }
    }

    /// Starts the windows of `other` that have no widgets before this one of it, unless they are started already.
    fn window_before(&mut self, other: &Layout, idx: WidgetIdx) {
        let started = self.layout.windows.len();
        let before = |window: &&Window| window.root.is_none_or(|root| root <= idx);
        for window in other.windows.iter().skip(started).take_while(before) {
            self.window(window.display, window.title.clone(), window.active);
        }
    }

    /// Starts a window: the next widgets opened at depth 0 are its roots. Without any call, the layout has one active
    /// window on display 0.
    pub fn window(&mut self, display: u32, title: Text, active: bool) {
        self.layout.windows.push(Window { root: None, display, title, active });
    }

    /// Opens a widget inside the one opened last that is still open, and returns its index. Overwrites `widget.parent`.
    pub fn open(&mut self, mut widget: Widget) -> WidgetIdx {
        let idx = WidgetIdx(self.layout.widgets.len() as u32);
        widget.parent = self.open.last().copied();
        if self.open.is_empty() {
            if self.layout.windows.is_empty() {
                self.window(0, Text::from(""), true);
            }
            if let Some(window) = self.layout.windows.last_mut() {
                window.root.get_or_insert(idx);
            }
        }
        self.layout.widgets.push(widget);
        self.layout.ends.push(idx.0 + 1);
        self.open.push(idx);
        idx
    }

    /// Says what else is known of a widget. Widgets must be described in document order.
    pub fn describe(&mut self, idx: WidgetIdx, details: WidgetDetails) {
        if !details.is_empty() {
            self.layout.details.push((idx, details));
        }
    }

    /// Says which index a widget has in its parent, of which a dump may leave out children. Widgets must be given theirs in
    /// document order.
    pub fn index(&mut self, idx: WidgetIdx, index: u32) {
        self.layout.given.0.push((idx, index));
    }

    /// Closes the widget opened last. Does nothing if none is open.
    pub fn close(&mut self) {
        if let Some(idx) = self.open.pop() {
            self.layout.ends[idx.index()] = self.layout.widgets.len() as u32;
        }
    }

    /// Number of open widgets.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Closes all open widgets and returns the layout.
    pub fn finish(mut self) -> Layout {
        while !self.open.is_empty() {
            self.close();
        }
        let places = self.layout.sibling_places();
        self.layout.given.0.retain(|(idx, index)| places.get(idx.index()) != Some(index));
        self.layout
    }
}

impl Layout {
    /// A layout without widgets.
    pub fn empty(screen: PxSize, rotation: Rotation) -> Self {
        LayoutBuilder::new(Text::from(""), screen, rotation).finish()
    }

    /// `package/class` of the activity in front; empty if unknown.
    pub fn activity(&self) -> &Text {
        &self.activity
    }

    /// The package of the activity in front, or else of the first widget; empty if unknown.
    pub fn package(&self) -> &str {
        match self.activity.split_once('/') {
            Some((package, _)) => package,
            None => self.widgets.first().map_or("", |widget| &widget.package),
        }
    }

    /// The package of the active window: that of its root widget; empty if the layout has no widgets.
    pub fn window_package(&self) -> &str {
        let active = self.windows.iter().find(|window| window.active);
        let root = active.and_then(|window| self.get(window.root?)).or(self.widgets.first());
        root.map_or("", |root| &root.package)
    }

    /// Returns the layout with another activity name, which a dump does not contain.
    #[must_use]
    pub fn with_activity(mut self, activity: Text) -> Self {
        self.activity = activity;
        self
    }

    /// Returns the layout with another screen size, which cannot be seen in a stock dump of a dialog.
    #[must_use]
    pub fn with_screen(mut self, screen: PxSize) -> Self {
        self.screen = screen;
        self
    }

    /// Returns the layout with another, inactive window that contains these widgets side by side.
    #[must_use]
    pub fn with_window_of(mut self, title: Text, widgets: impl IntoIterator<Item = Widget>) -> Self {
        let root = WidgetIdx(self.widgets.len() as u32);
        for widget in widgets {
            self.widgets.push(Widget { parent: None, ..widget });
            self.ends.push(self.widgets.len() as u32);
        }
        let root = (root.index() < self.widgets.len()).then_some(root);
        self.windows.push(Window { root, display: 0, title, active: false });
        self
    }

    /// Returns the layout with other subtrees. For each widget, in document order, `replace` may open and close what stands in
    /// its place and that of its descendants, and then returns true.
    #[must_use]
    pub fn with_replaced(&self, mut replace: impl FnMut(WidgetIdx, &mut LayoutBuilder) -> bool) -> Self {
        let mut builder = LayoutBuilder::like(self);
        let (mut next, mut open) = (WidgetIdx(0), Vec::new());
        while let Some(widget) = self.get(next) {
            while open.last().is_some_and(|end| next >= *end) {
                open.pop();
                builder.close();
            }
            builder.window_before(self, next);
            let end = self.end(next);
            if replace(next, &mut builder) {
                next = end;
                continue;
            }
            let idx = builder.open(widget.clone());
            if let Some(details) = self.details(next) {
                builder.describe(idx, details.clone());
            }
            open.push(end);
            next = WidgetIdx(next.0 + 1);
        }
        builder.window_before(self, WidgetIdx(u32::MAX));
        builder.finish()
    }

    /// Returns the layout with the attributes of these widgets changed. The tree stays as it is: a changed `parent` is
    /// restored. Indices that are not in the layout are ignored.
    #[must_use]
    pub fn with_changed(&self, which: &[WidgetIdx], mut change: impl FnMut(&mut Widget)) -> Self {
        let mut layout = self.clone();
        for idx in which {
            if let Some(widget) = layout.widgets.get_mut(idx.index()) {
                let parent = widget.parent;
                change(widget);
                widget.parent = parent;
            }
        }
        layout
    }

    /// Returns the layout as Android before version 8 reports it: the text of an empty field is its hint.
    #[must_use]
    pub fn with_hints_as_texts(&self) -> Self {
        let hinted: Vec<_> =
            self.iter().filter(|(_, widget)| !widget.hint.is_empty()).map(|(idx, _)| idx).collect();
        self.with_changed(&hinted, |widget| {
            let hint = std::mem::take(&mut widget.hint);
            if widget.text.is_empty() {
                widget.text = hint;
            }
        })
    }

    /// Returns the layout with [`WidgetFlags::NAF`] on the widgets that `uiautomator dump` marks so: they are clickable and
    /// enabled, and neither they nor their descendants have a text or a description.
    #[must_use]
    pub fn with_unnamed_marked(mut self) -> Self {
        // These are named by their rows, as far as uiautomator is concerned.
        const LISTS: [&str; 4] = ["GridView", "GridLayout", "ListView", "TableLayout"];
        let mut named = vec![false; self.widgets.len()];
        for (at, widget) in self.widgets.iter_mut().enumerate().rev() {
            named[at] |= !widget.text.is_empty() || !widget.content_desc.is_empty();
            if let (true, Some(parent)) = (named[at], widget.parent) {
                named[parent.index()] = true;
            }
            let acts = widget.flags.has(WidgetFlags::CLICKABLE) && widget.flags.has(WidgetFlags::ENABLED);
            let list = LISTS.iter().any(|list| widget.class.ends_with(list));
            widget.flags = widget.flags.with(WidgetFlags::NAF, acts && !named[at] && !list);
        }
        self
    }

    /// Returns the layout as a screen of the app under test, whatever its package is.
    #[must_use]
    pub fn counted_as_app(mut self) -> Self {
        self.counts_as_app = true;
        self
    }

    /// Whether it is a screen of a package that counts as the app.
    pub(super) fn counts_as_app(&self) -> bool {
        self.counts_as_app
    }

    /// Whether it is a screen of the app, of a system dialog about it, or of a package that counts as the app.
    pub fn is_of(&self, app: &str) -> bool {
        self.counts_as_app || is_of_app(self.package(), app)
    }

    /// Whether a widget may be touched: it belongs to the app or to a system dialog about it, and has a non-empty area. A
    /// widget without a package counts as the app's.
    pub fn may_touch(&self, widget: &Widget, app: &str) -> bool {
        let package = &*widget.package;
        let own = self.counts_as_app || package.is_empty() || is_of_app(package, app);
        own && !widget.bounds.is_empty()
    }

    /// Screen size in pixels, as rotated.
    pub fn screen(&self) -> PxSize {
        self.screen
    }

    /// The display's rotation when the layout was captured.
    pub fn rotation(&self) -> Rotation {
        self.rotation
    }

    /// The windows in the order of the dump.
    pub fn windows(&self) -> &[Window] {
        &self.windows
    }

    /// All widgets in document order.
    pub fn widgets(&self) -> &[Widget] {
        &self.widgets
    }

    /// The widgets with their indices, in document order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (WidgetIdx, &Widget)> {
        self.widgets.iter().enumerate().map(|(index, widget)| (WidgetIdx(index as u32), widget))
    }

    /// Returns a widget. `idx` must come from this layout.
    ///
    /// # Panics
    ///
    /// Panics if the layout has no widget with this index.
    pub fn widget(&self, idx: WidgetIdx) -> &Widget {
        &self.widgets[idx.index()]
    }

    /// Returns a widget; `None` if the layout has none with this index.
    pub fn get(&self, idx: WidgetIdx) -> Option<&Widget> {
        self.widgets.get(idx.index())
    }

    /// What is known of a widget beyond its attributes, if anything is.
    pub fn details(&self, idx: WidgetIdx) -> Option<&WidgetDetails> {
        let found = self.details.binary_search_by_key(&idx, |(of, _)| *of).ok()?;
        self.details.get(found).map(|(_, details)| details)
    }

    /// The index after the widget's last descendant.
    pub fn end(&self, idx: WidgetIdx) -> WidgetIdx {
        WidgetIdx(self.ends[idx.index()])
    }

    /// Whether a widget is `around` or one of its descendants.
    pub fn holds(&self, around: WidgetIdx, idx: WidgetIdx) -> bool {
        around <= idx && idx < self.end(around)
    }

    /// Whether the widget has no children.
    pub fn is_leaf(&self, idx: WidgetIdx) -> bool {
        self.ends[idx.index()] == idx.0 + 1
    }

    /// The widget's children in order.
    pub fn children(&self, idx: WidgetIdx) -> impl Iterator<Item = WidgetIdx> + '_ {
        self.siblings(idx.0 + 1, self.ends[idx.index()])
    }

    /// The widgets without a parent, in order.
    pub fn roots(&self) -> impl Iterator<Item = WidgetIdx> + '_ {
        self.siblings(0, self.widgets.len() as u32)
    }

    fn siblings(&self, first: u32, end: u32) -> impl Iterator<Item = WidgetIdx> + '_ {
        let mut next = first;
        std::iter::from_fn(move || {
            if next >= end {
                return None;
            }
            let idx = WidgetIdx(next);
            next = self.ends[idx.index()];
            Some(idx)
        })
    }

    /// For each widget, the number of siblings before it. Counted for all widgets at once, in time linear in their
    /// number.
    pub fn sibling_places(&self) -> Vec<u32> {
        let mut next_root = 0;
        let mut next_child = vec![0; self.widgets.len()];
        let place = |widget: &Widget| {
            let next = widget.parent.and_then(|parent| next_child.get_mut(parent.index()));
            let next = next.unwrap_or(&mut next_root);
            *next += 1;
            *next - 1
        };
        self.widgets.iter().map(place).collect()
    }

    /// For each widget, the index in its parent or window: the one that a dump gives it, or else its place among its
    /// siblings.
    pub fn indices(&self) -> Vec<u32> {
        let mut indices = self.sibling_places();
        let mut before = 0;
        for idx in self.roots() {
            if self.windows.iter().any(|window| window.root == Some(idx)) {
                before = indices[idx.index()];
            }
            indices[idx.index()] -= before;
        }
        for (idx, given) in &self.given.0 {
            if let Some(index) = indices.get_mut(idx.index()) {
                *index = *given;
            }
        }
        indices
    }

    /// The widget and all its descendants in document order.
    pub fn subtree(&self, idx: WidgetIdx) -> impl Iterator<Item = WidgetIdx> + '_ {
        (idx.0..self.ends[idx.index()]).map(WidgetIdx)
    }

    /// The non-empty texts of the widget and its descendants, in document order.
    pub fn texts_in(&self, idx: WidgetIdx) -> impl Iterator<Item = &Text> {
        self.subtree(idx).map(|idx| &self.widget(idx).text).filter(|text| !text.is_empty())
    }

    /// The widget's ancestors, nearest first.
    pub fn ancestors(&self, idx: WidgetIdx) -> impl Iterator<Item = WidgetIdx> + '_ {
        std::iter::successors(self.widget(idx).parent, |parent| self.widget(*parent).parent)
    }

    /// Number of the widget's ancestors; 0 for a root.
    pub fn depth(&self, idx: WidgetIdx) -> usize {
        self.ancestors(idx).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout_from;

    #[test]
    fn children_and_ends_follow_the_notation() {
        let layout =
            layout_from("FrameLayout\n  TextView#a \"x\"\n  LinearLayout\n    Button#b \"go\" (Go on)\n");
        let root = WidgetIdx(0);
        assert_eq!(layout.children(root).collect::<Vec<_>>(), [WidgetIdx(1), WidgetIdx(2)]);
        assert_eq!(layout.ancestors(WidgetIdx(3)).collect::<Vec<_>>(), [WidgetIdx(2), root]);
        assert_eq!(&*layout.widget(WidgetIdx(3)).content_desc, "Go on");
        assert!(layout.is_leaf(WidgetIdx(3)) && !layout.is_leaf(root));
        assert_eq!(layout.depth(WidgetIdx(3)), 2);
    }
}
