//! The rows of a widget tree, and the attributes of its widgets.

use std::collections::BTreeSet;

use taproof_screen::{Layout, WidgetDetails, WidgetFlags, WidgetIdx};

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

/// The attributes of a widget for a table, named as in a dump, and what else is known of it.
pub fn attributes(layout: &Layout, idx: WidgetIdx) -> Vec<(&'static str, String)> {
    let widget = layout.widget(idx);
    let mut rows = vec![
        ("id", widget.resource_id.as_deref().unwrap_or("").to_owned()),
        ("text", widget.text.to_string()),
        ("description", widget.content_desc.to_string()),
        ("hint", widget.hint.to_string()),
        ("class", widget.class.to_string()),
        ("package", widget.package.to_string()),
        ("bounds", widget.bounds.to_string()),
    ];
    rows.extend(layout.details(idx).into_iter().flat_map(details));
    rows
}

fn details(details: &WidgetDetails) -> impl Iterator<Item = (&'static str, String)> {
    let WidgetDetails { error, drawing_order, range, cell } = details;
    let value = |[least, now, greatest]: [i32; 3]| {
        let [least, now, greatest] =
            [least, now, greatest].map(|thousandths| f64::from(thousandths) / 1000.0);
        format!("{now} of {least} to {greatest}")
    };
    let rows = [
        ("error", (!error.is_empty()).then(|| error.to_string())),
        ("value", range.map(value)),
        ("cell", cell.map(|[row, column]| format!("row {row}, column {column}"))),
        ("drawing order", (*drawing_order != 0).then(|| drawing_order.to_string())),
    ];
    rows.into_iter().filter_map(|(name, value)| Some((name, value?)))
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
    use taproof_screen::{LayoutBuilder, PxRect, PxSize, Rotation, Widget};

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
    fn what_the_agent_knows_beyond_a_dump_follows_the_attributes() {
        let rows = |details: WidgetDetails| {
            let mut builder = LayoutBuilder::new("a/b".into(), PxSize::default(), Rotation::PORTRAIT);
            let idx = builder.open(layout().widgets()[0].clone());
            builder.describe(idx, details);
            attributes(&builder.finish(), idx).split_off(7)
        };
        assert_eq!(rows(WidgetDetails::default()), []);
        let slider = WidgetDetails { range: Some([0, 2500, 5000]), cell: Some([3, 0]), ..Default::default() };
        let said = rows(slider).into_iter().map(|(name, value)| format!("{name}: {value}"));
        assert_eq!(said.collect::<Vec<_>>(), ["value: 2.5 of 0 to 5", "cell: row 3, column 0"]);
        let field = WidgetDetails { error: "Too short".into(), drawing_order: 2, ..Default::default() };
        assert_eq!(rows(field), [("error", "Too short".to_owned()), ("drawing order", "2".to_owned())]);
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
