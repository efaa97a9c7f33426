//! Builds a layout from the hierarchies, windows and widgets of a dump: determines the active window and the screen
//! size.

use crate::{Layout, LayoutBuilder, PxRect, PxSize, Rotation, Text, Widget, WidgetFlags, window_kind};

/// What was read so far. The layout is built at the end, when screen, rotation and active window are known.
#[derive(Default)]
pub(super) struct Found {
    pub hierarchies: Vec<Hierarchy>,
    pub windows: Vec<FoundWindow>,
    /// Widgets in document order, each with its depth.
    pub widgets: Vec<(usize, Widget)>,
    /// The index of each widget in its parent, as far as the dump says it.
    pub indices: Vec<Option<u32>>,
}

/// The attributes of a `<hierarchy>` element.
pub(super) struct Hierarchy {
    pub rotation: Rotation,
    /// `width` and `height`, which Appium writes; `None` if missing.
    pub screen: Option<PxSize>,
}

#[derive(Clone)]
pub(super) struct FoundWindow {
    pub first_widget: usize,
    pub hierarchy: Option<usize>,
    pub display: u32,
    pub title: Text,
    pub active: Option<bool>,
    pub bounds: Option<PxRect>,
}

impl Found {
    /// Builds the layout, with an empty activity.
    pub fn into_layout(self) -> Layout {
        let active = self.active_window();
        let of_active = active.and_then(|index| self.windows.get(index)?.hierarchy).unwrap_or(0);
        let rotation = self.hierarchies.get(of_active).map_or(Rotation::PORTRAIT, |found| found.rotation);
        let declared = self.hierarchies.get(of_active).and_then(|found| found.screen);
        let screen = declared.unwrap_or_else(|| self.screen_shown(active));
        let mut builder = LayoutBuilder::new(Text::from(""), screen, rotation);
        let told = self.windows.iter().any(|window| window.active.is_some());
        let display = active.and_then(|index| self.windows.get(index)).map(|window| window.display);
        let mut widgets = self.widgets.into_iter().enumerate().peekable();
        for (index, window) in self.windows.iter().enumerate() {
            // Each display has a window with the focus of its own.
            let has_focus = window.active == Some(true) && Some(window.display) == display;
            let is_active = if told { has_focus } else { active == Some(index) };
            while builder.depth() > 0 {
                builder.close();
            }
            builder.window(window.display, window.title.clone(), is_active);
            let end = self.windows.get(index + 1).map_or(usize::MAX, |next| next.first_widget);
            while let Some((at, (depth, widget))) = widgets.next_if(|(at, _)| *at < end) {
                while builder.depth() > depth {
                    builder.close();
                }
                let idx = builder.open(widget);
                if let Some(index) = self.indices.get(at).copied().flatten() {
                    builder.index(idx, index);
                }
            }
        }
        builder.finish()
    }

    fn widgets_of(&self, index: usize) -> &[(usize, Widget)] {
        let first = self.windows.get(index).map_or(0, |window| window.first_widget);
        let end = self.windows.get(index + 1).map_or(self.widgets.len(), |next| next.first_widget);
        self.widgets.get(first..end).unwrap_or_default()
    }

    /// Returns the index of the window that has the input focus: the one that is marked as active. Of several, on displays
    /// of their own, and without a mark, as the uiautomator2 server also lists the system's windows and marks none, app
    /// windows come before the launcher, the keyboard and the system, then windows with a focused widget before others, then
    /// upper before lower ones.
    fn active_window(&self) -> Option<usize> {
        let marked =
            |index: &usize| self.windows.get(*index).is_some_and(|window| window.active == Some(true));
        let any_marked = (0..self.windows.len()).any(|index| marked(&index));
        (0..self.windows.len()).filter(|index| !any_marked || marked(index)).min_by_key(|index| {
            let widgets = self.widgets_of(*index);
            let package = widgets.first().map_or("", |(_, widget)| &*widget.package);
            let focused = widgets.iter().any(|(_, widget)| widget.flags.has(WidgetFlags::FOCUSED));
            (window_kind(package), !focused, *index)
        })
    }

    /// Returns the size of the area that the windows on the active window's display cover, measured from the screen's
    /// corner.
    fn screen_shown(&self, active: Option<usize>) -> PxSize {
        let display = active.and_then(|index| self.windows.get(index)).map_or(0, |window| window.display);
        let on_display =
            |index: &usize| self.windows.get(*index).is_some_and(|found| found.display == display);
        let mut roots = PxSize::default();
        let mut all = PxSize::default();
        for index in (0..self.windows.len()).filter(on_display) {
            if let Some(bounds) = self.windows.get(index).and_then(|window| window.bounds) {
                grow(&mut roots, bounds);
            }
            for (depth, widget) in self.widgets_of(index) {
                grow(if *depth == 0 { &mut roots } else { &mut all }, widget.bounds);
            }
        }
        if roots.width > 0 && roots.height > 0 { roots } else { all }
    }
}

fn grow(size: &mut PxSize, bounds: PxRect) {
    size.width = size.width.max(bounds.right);
    size.height = size.height.max(bounds.bottom);
}
