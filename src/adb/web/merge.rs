//! Puts the widgets of pages into a layout, in the place of what web views tell accessibility.

use super::nodes::PageWidget;
use super::roles::WEB_VIEW;
use taproof_screen::{Layout, LayoutBuilder, WidgetIdx};

/// The web views of a package that are on the screen. One inside another is the page itself.
pub(super) fn web_views(layout: &Layout, package: &str) -> Vec<WidgetIdx> {
    let mut found: Vec<WidgetIdx> = Vec::new();
    for (idx, widget) in layout.iter() {
        let inside = found.last().is_some_and(|around| layout.holds(*around, idx));
        if !inside && &*widget.class == WEB_VIEW && &*widget.package == package && !widget.bounds.is_empty() {
            found.push(idx);
        }
    }
    found
}

/// The layout with these widgets inside its web views, instead of what was there.
pub(super) fn with_pages(layout: &Layout, pages: &[(WidgetIdx, Vec<PageWidget>)]) -> Layout {
    layout.with_replaced(|idx, builder| {
        let Some((_, widgets)) = pages.iter().find(|(view, _)| *view == idx) else { return false };
        let view = builder.open(layout.widget(idx).clone());
        builder.describe(view, layout.details(idx).cloned().unwrap_or_default());
        put(builder, widgets);
        builder.close();
        true
    })
}

/// Puts widgets into the widget that is open.
fn put(builder: &mut LayoutBuilder, widgets: &[PageWidget]) {
    let base = builder.depth();
    for PageWidget { depth, widget, details } in widgets {
        while builder.depth() > base + depth {
            builder.close();
        }
        let idx = builder.open(widget.clone());
        builder.describe(idx, details.clone());
    }
    while builder.depth() > base {
        builder.close();
    }
}
