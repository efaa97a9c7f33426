//! What changed between two layouts, for people to read.

use std::collections::BTreeMap;

use super::{Layout, WidgetIdx};

/// One widget that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WidgetChange {
    /// Only in the layout after.
    Added(WidgetIdx),
    /// Only in the layout before.
    Removed(WidgetIdx),
    /// In both, with another text, description or flag: before, after.
    Changed(WidgetIdx, WidgetIdx),
}

/// What changed between two layouts, in document order of the layout after, removed ones last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LayoutDiff {
    /// The widgets that differ.
    pub changes: Vec<WidgetChange>,
    /// For each widget of the layout after, the one before that it was.
    pub partners: Vec<Option<WidgetIdx>>,
}

/// Compares two layouts. Widgets are paired by their path of classes and ids and, among those, first by
/// equal text, then by order, so that a row inserted in a list shows as one row added.
pub fn diff_layouts(before: &Layout, after: &Layout) -> LayoutDiff {
    let (old_paths, new_paths) = (paths(before), paths(after));
    let mut unpaired: BTreeMap<&str, Vec<WidgetIdx>> = BTreeMap::new();
    for (idx, _) in before.iter() {
        unpaired.entry(&old_paths[idx.index()]).or_default().push(idx);
    }
    let mut partners: Vec<Option<WidgetIdx>> = vec![None; after.widgets().len()];
    for same_text in [true, false] {
        for (idx, widget) in after.iter() {
            if partners[idx.index()].is_some() {
                continue;
            }
            let Some(candidates) = unpaired.get_mut(&*new_paths[idx.index()]) else { continue };
            let found = candidates.iter().position(|old| {
                let old = before.widget(*old);
                !same_text || (old.text == widget.text && old.content_desc == widget.content_desc)
            });
            partners[idx.index()] = found.map(|place| candidates.remove(place));
        }
    }
    let mut changes = Vec::new();
    for (idx, widget) in after.iter() {
        match partners[idx.index()] {
            None => changes.push(WidgetChange::Added(idx)),
            Some(old_idx) => {
                let old = before.widget(old_idx);
                if old.text != widget.text
                    || old.content_desc != widget.content_desc
                    || old.flags != widget.flags
                {
                    changes.push(WidgetChange::Changed(old_idx, idx));
                }
            }
        }
    }
    let mut removed: Vec<WidgetIdx> = unpaired.into_values().flatten().collect();
    removed.sort();
    changes.extend(removed.into_iter().map(WidgetChange::Removed));
    LayoutDiff { changes, partners }
}

fn paths(layout: &Layout) -> Vec<String> {
    let mut paths: Vec<String> = Vec::with_capacity(layout.widgets().len());
    for widget in layout.widgets() {
        let above = widget.parent.map_or("", |parent| paths[parent.index()].as_str());
        let path = format!("{above}/{}#{}", widget.class, widget.resource_id.as_deref().unwrap_or(""));
        paths.push(path);
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::layout::tests::layout_from;

    #[test]
    fn an_inserted_row_is_one_row_added() {
        let before = layout_from("ListView\n  TextView#row \"a\"\n  TextView#row \"c\"\n");
        let after =
            layout_from("ListView\n  TextView#row \"a\"\n  TextView#row \"b\"\n  TextView#row \"c\"\n");
        assert_eq!(diff_layouts(&before, &after).changes, [WidgetChange::Added(WidgetIdx(2))]);
        assert_eq!(diff_layouts(&after, &before).changes, [WidgetChange::Removed(WidgetIdx(2))]);
    }

    #[test]
    fn a_renamed_row_is_one_change() {
        let before = layout_from("ListView\n  TextView#row \"a\"\n");
        let after = layout_from("ListView\n  TextView#row \"b\"\n");
        let change = WidgetChange::Changed(WidgetIdx(1), WidgetIdx(1));
        assert_eq!(diff_layouts(&before, &after).changes, [change]);
    }
}
