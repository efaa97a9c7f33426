//! Differences between two layouts, for people to read.

use std::collections::{BTreeMap, VecDeque};

use super::{Layout, WidgetIdx};
use crate::determinism::HashBuffer;

/// A widget that differs between two layouts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WidgetChange {
    /// Only in the layout after; its index there.
    Added(WidgetIdx),
    /// Only in the layout before; its index there.
    Removed(WidgetIdx),
    /// In both, with another text, description or flag; its index before and after.
    Changed(WidgetIdx, WidgetIdx),
}

/// The differences between two layouts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LayoutDiff {
    /// The widgets that differ, in document order of the layout after; removed ones come last.
    pub changes: Vec<WidgetChange>,
    /// For each widget of the layout after, its counterpart in the layout before; `None` for an added widget.
    pub partners: Vec<Option<WidgetIdx>>,
}

/// Compares two layouts. Widgets are paired if they have the same path of classes and ids; among those, first by equal
/// text and description, then by order. So a row inserted in a list shows as one row added. The work grows with the
/// layouts' sizes, however many rows are alike.
pub fn diff_layouts(before: &Layout, after: &Layout) -> LayoutDiff {
    let (partners, removed) = pair(before, after);
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
    changes.extend(removed.into_iter().map(WidgetChange::Removed));
    LayoutDiff { changes, partners }
}

/// Returns, for each widget of the layout after, its counterpart before, and the widgets before that have none after.
fn pair(before: &Layout, after: &Layout) -> (Vec<Option<WidgetIdx>>, Vec<WidgetIdx>) {
    let (old_paths, new_paths) = (paths(before), paths(after));
    let mut by_text: BTreeMap<(u64, &str, &str), VecDeque<WidgetIdx>> = BTreeMap::new();
    let mut by_path: BTreeMap<u64, VecDeque<WidgetIdx>> = BTreeMap::new();
    for (idx, widget) in before.iter() {
        let path = old_paths[idx.index()];
        by_text.entry((path, &widget.text, &widget.content_desc)).or_default().push_back(idx);
        by_path.entry(path).or_default().push_back(idx);
    }
    let mut partners: Vec<Option<WidgetIdx>> = vec![None; after.widgets().len()];
    let mut paired = vec![false; before.widgets().len()];
    for (idx, widget) in after.iter() {
        let alike = by_text.get_mut(&(new_paths[idx.index()], &*widget.text, &*widget.content_desc));
        if let Some(old) = alike.and_then(VecDeque::pop_front) {
            paired[old.index()] = true;
            partners[idx.index()] = Some(old);
        }
    }
    for (partner, path) in partners.iter_mut().zip(&new_paths).filter(|(partner, _)| partner.is_none()) {
        let Some(candidates) = by_path.get_mut(path) else { continue };
        while candidates.pop_front_if(|old| paired[old.index()]).is_some() {}
        *partner = candidates.pop_front();
        if let Some(old) = *partner {
            paired[old.index()] = true;
        }
    }
    let removed = before.iter().map(|(idx, _)| idx).filter(|idx| !paired[idx.index()]).collect();
    (partners, removed)
}

/// For each widget, the hash of the classes and ids on its path. The paths themselves would fill the memory if names
/// are long and the tree is deep.
fn paths(layout: &Layout) -> Vec<u64> {
    let mut hasher = HashBuffer::default();
    let mut paths: Vec<u64> = Vec::with_capacity(layout.widgets().len());
    for widget in layout.widgets() {
        hasher.clear();
        hasher.u64(widget.parent.map_or(0, |parent| paths[parent.index()]));
        hasher.text(&widget.class);
        hasher.text(widget.resource_id.as_deref().unwrap_or(""));
        paths.push(hasher.finish());
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::determinism::Rng;
    use crate::{Text, layout_from};

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

    /// The pairs straight from their definition, with as many comparisons as there are pairs of widgets.
    fn by_definition(before: &Layout, after: &Layout) -> Vec<Option<WidgetIdx>> {
        let path = |layout: &Layout, idx: WidgetIdx| -> Vec<(Text, Option<Text>)> {
            let way = std::iter::once(idx).chain(layout.ancestors(idx));
            way.map(|idx| (layout.widget(idx).class.clone(), layout.widget(idx).resource_id.clone()))
                .collect()
        };
        let mut left: Vec<WidgetIdx> = before.iter().map(|(idx, _)| idx).collect();
        let mut partners = vec![None; after.widgets().len()];
        for same_text in [true, false] {
            for (idx, widget) in
                after.iter().filter(|(idx, _)| partners[idx.index()].is_none()).collect::<Vec<_>>()
            {
                let fits = |old: &WidgetIdx| {
                    let other = before.widget(*old);
                    let text = other.text == widget.text && other.content_desc == widget.content_desc;
                    path(before, *old) == path(after, idx) && (text || !same_text)
                };
                partners[idx.index()] = left.iter().position(fits).map(|place| left.remove(place));
            }
        }
        partners
    }

    #[test]
    fn pairs_are_those_of_the_definition() {
        let mut rng = Rng::from_seed(8);
        let mut random = || {
            let (mut lines, mut depth) = (String::new(), 0);
            for _ in 0..rng.between(1, 30) {
                let (class, id) = (["A", "B"][rng.below(2)], ["", "#x"][rng.below(2)]);
                let text = ["", " \"a\"", " \"b\"", " (c)"][rng.below(4)];
                lines.push_str(&format!("{}{class}{id}{text}\n", "  ".repeat(depth)));
                depth = rng.below(depth + 2);
            }
            layout_from(&lines)
        };
        for _ in 0..300 {
            let (before, after) = (random(), random());
            assert_eq!(diff_layouts(&before, &after).partners, by_definition(&before, &after));
        }
    }
}
