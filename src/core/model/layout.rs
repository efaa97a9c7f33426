//! The GUI tree at one moment, as a pre-order arena.

use serde::{Deserialize, Serialize};

use super::{Abstraction, LayoutKey, PxSize, Rotation, Text, Widget, WidgetIdx};

/// The GUI tree at one moment. Widgets stand in document order; a parent's index is below its children's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    activity: Text,
    screen: PxSize,
    rotation: Rotation,
    windows: Vec<Window>,
    widgets: Vec<Widget>,
    /// For each widget the index behind its last descendant.
    ends: Vec<u32>,
}

/// One window of a layout. A stock dump has the active one only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// Index of the window's root widget; its widgets go on until the next window's root. `None`
    /// for a window without widgets.
    pub root: Option<WidgetIdx>,
    /// The display that it is on.
    pub display: u32,
    /// Its title where the dump says one, else empty.
    pub title: Text,
    /// Whether it has the input focus, as far as the dump says.
    pub active: bool,
}

/// Builds a layout widget by widget, in document order; proves the arena's order by construction.
#[derive(Debug)]
pub struct LayoutBuilder {
    layout: Layout,
    open: Vec<WidgetIdx>,
}

impl LayoutBuilder {
    /// Starts a layout. `activity` is `package/class` of the activity in front, or empty if unknown.
    pub fn new(activity: Text, screen: PxSize, rotation: Rotation) -> Self {
        let layout =
            Layout { activity, screen, rotation, windows: Vec::new(), widgets: Vec::new(), ends: Vec::new() };
        LayoutBuilder { layout, open: Vec::new() }
    }

    /// Starts a window; the next widget opened at depth 0 is its root (or one of its roots).
    pub fn window(&mut self, display: u32, title: Text, active: bool) {
        self.layout.windows.push(Window { root: None, display, title, active });
    }

    /// Opens a widget inside the one that is open; its `parent` is set here.
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

    /// Closes the widget opened last. Closing more than was opened is ignored.
    pub fn close(&mut self) {
        if let Some(idx) = self.open.pop() {
            self.layout.ends[idx.index()] = self.layout.widgets.len() as u32;
        }
    }

    /// How many widgets are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Ends the layout; closes what is open.
    pub fn finish(mut self) -> Layout {
        while !self.open.is_empty() {
            self.close();
        }
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

    /// The same layout with another activity name (a dump does not know it).
    #[must_use]
    pub fn with_activity(mut self, activity: Text) -> Self {
        self.activity = activity;
        self
    }

    /// The same layout on another screen (a stock dump of a dialog does not show how large it is).
    #[must_use]
    pub fn with_screen(mut self, screen: PxSize) -> Self {
        self.screen = screen;
        self
    }

    /// The same layout with other attributes on these widgets. The tree stays as it is.
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

    /// The screen in pixels, as rotated.
    pub fn screen(&self) -> PxSize {
        self.screen
    }

    /// The display's rotation.
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

    /// The widgets with their indices.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (WidgetIdx, &Widget)> {
        self.widgets.iter().enumerate().map(|(index, widget)| (WidgetIdx(index as u32), widget))
    }

    /// One widget. `idx` must come from this layout.
    pub fn widget(&self, idx: WidgetIdx) -> &Widget {
        &self.widgets[idx.index()]
    }

    /// One widget, if the index is one of this layout's.
    pub fn get(&self, idx: WidgetIdx) -> Option<&Widget> {
        self.widgets.get(idx.index())
    }

    /// The index behind the widget's last descendant.
    pub fn end(&self, idx: WidgetIdx) -> WidgetIdx {
        WidgetIdx(self.ends[idx.index()])
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

    /// For each widget how many siblings stand before it. Counted for all at once, so that a long list costs its length
    /// and not the square of it.
    pub(super) fn sibling_places(&self) -> Vec<u32> {
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

    /// The widget and all its descendants in document order.
    pub fn subtree(&self, idx: WidgetIdx) -> impl Iterator<Item = WidgetIdx> + '_ {
        (idx.0..self.ends[idx.index()]).map(WidgetIdx)
    }

    /// The texts of the widget and of what is in it.
    pub fn texts_in(&self, idx: WidgetIdx) -> impl Iterator<Item = &Text> {
        self.subtree(idx).map(|idx| &self.widget(idx).text).filter(|text| !text.is_empty())
    }

    /// The widgets around it, nearest first.
    pub fn ancestors(&self, idx: WidgetIdx) -> impl Iterator<Item = WidgetIdx> + '_ {
        std::iter::successors(self.widget(idx).parent, |parent| self.widget(*parent).parent)
    }

    /// How deep the widget lies; a root is at 0.
    pub fn depth(&self, idx: WidgetIdx) -> usize {
        self.ancestors(idx).count()
    }

    /// What makes two layouts count as equal under an abstraction.
    pub fn key(&self, abstraction: Abstraction) -> LayoutKey {
        abstraction.key(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::layout_from;

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
