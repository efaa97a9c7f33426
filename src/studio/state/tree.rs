//! The rows of a widget tree, and the attributes of its widgets.

use std::collections::BTreeSet;

use taproof_core::model::{Layout, Widget, WidgetFlags, WidgetIdx};

/// A row of a widget tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeRow {
    /// The widget's index in the layout.
    pub idx: WidgetIdx,
    /// Depth in the tree, from 0.
    pub depth: usize,
    /// Whether the children are shown. `None` for a leaf.
    pub open: Option<bool>,
}

/// The visible rows. The descendants of widgets in `closed` are left out.
pub fn tree_rows(layout: &Layout, closed: &BTreeSet<WidgetIdx>) -> Vec<TreeRow> {
    let mut rows = Vec::with_capacity(layout.widgets().len());
    let mut depths: Vec<usize> = Vec::with_capacity(layout.widgets().len());
    let mut hidden_until = 0;
    for (idx, widget) in layout.iter() {
        let depth = widget.parent.map_or(0, |parent| depths[parent.index()] + 1);
        depths.push(depth);
        if idx.0 < hidden_until {
            continue;
        }
        let open = (!layout.is_leaf(idx)).then(|| !closed.contains(&idx));
        if open == Some(false) {
            hidden_until = layout.end(idx).0;
        }
        rows.push(TreeRow { idx, depth, open });
    }
    rows
}

/// The attributes of a widget for a table, named as in a dump.
pub fn attributes(widget: &Widget) -> Vec<(&'static str, String)> {
    vec![
        ("id", widget.resource_id.as_deref().unwrap_or("").to_owned()),
        ("text", widget.text.to_string()),
        ("description", widget.content_desc.to_string()),
        ("hint", widget.hint.to_string()),
        ("class", widget.class.to_string()),
        ("package", widget.package.to_string()),
        ("bounds", widget.bounds.to_string()),
    ]
}

/// The names of the flags that are set.
pub fn flag_words(flags: WidgetFlags) -> Vec<&'static str> {
    const WORDS: [(WidgetFlags, &str); 11] = [
        (WidgetFlags::CLICKABLE, "clickable"),
        (WidgetFlags::LONG_CLICKABLE, "long-clickable"),
        (WidgetFlags::SCROLLABLE, "scrollable"),
        (WidgetFlags::CHECKABLE, "checkable"),
        (WidgetFlags::CHECKED, "checked"),
        (WidgetFlags::SELECTED, "selected"),
        (WidgetFlags::FOCUSABLE, "focusable"),
        (WidgetFlags::FOCUSED, "focused"),
        (WidgetFlags::PASSWORD, "password"),
        (WidgetFlags::ENABLED, "enabled"),
        (WidgetFlags::NAF, "not accessible"),
    ];
    WORDS.into_iter().filter(|(flag, _)| flags.has(*flag)).map(|(_, word)| word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_core::model::{LayoutBuilder, PxRect, PxSize, Rotation};

    fn layout() -> Layout {
        let mut builder = LayoutBuilder::new("a/b".into(), PxSize::default(), Rotation::PORTRAIT);
        let widget = |text: &str| Widget {
            parent: None,
            package: "a".into(),
            class: "android.widget.TextView".into(),
            resource_id: Some("a:id/x".into()),
            text: text.into(),
            content_desc: "".into(),
            hint: "".into(),
            bounds: PxRect::default(),
            flags: WidgetFlags::ENABLED,
        };
        for text in ["root", "inner", "leaf"] {
            builder.open(widget(text));
        }
        builder.close();
        builder.close();
        builder.open(widget("last"));
        builder.finish()
    }

    #[test]
    fn closed_widgets_hide_what_is_inside() {
        let layout = layout();
        let rows = |closed: &[u32]| -> Vec<(u32, usize, Option<bool>)> {
            let closed = closed.iter().copied().map(WidgetIdx).collect();
            tree_rows(&layout, &closed).iter().map(|row| (row.idx.0, row.depth, row.open)).collect()
        };
        assert_eq!(rows(&[]), [(0, 0, Some(true)), (1, 1, Some(true)), (2, 2, None), (3, 1, None)]);
        assert_eq!(rows(&[1]), [(0, 0, Some(true)), (1, 1, Some(false)), (3, 1, None)]);
        assert_eq!(rows(&[0]), [(0, 0, Some(false))]);
    }
}
