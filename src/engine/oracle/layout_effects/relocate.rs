//! Which widget of another layout corresponds to a given one (`engine/genie/paper.md`, section 8).

use super::labels::{LabelBasis, TEXT_LIMIT, content_hash, property_key, subtree_hashes};
use taproof_screen::{Layout, Widget, WidgetIdx, ratio};

/// A widget of another layout that may correspond to a given widget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimilarWidget {
    /// The widget on the other layout.
    pub widget: WidgetIdx,
    /// Whether its subtree is the same and it has the same index among its siblings.
    pub exact: bool,
    /// Whether its content is the same; otherwise only its kind is, see [`property_key`].
    pub content: bool,
}

/// Returns the actionable widgets of `other` that may correspond to `widget` of `layout`, the likeliest first: those
/// with the same content or, if there are none, those of the same kind.
pub fn relocate(layout: &Layout, widget: WidgetIdx, other: &Layout, basis: LabelBasis) -> Vec<SimilarWidget> {
    let actionable = other.iter().filter(|(_, widget)| widget.is_actionable());
    let candidates: Vec<WidgetIdx> = actionable.map(|(idx, _)| idx).collect();
    let (labels, other_labels) = (basis.text_labels(layout), basis.text_labels(other));
    let content = content_hash(layout, &labels, widget);
    let same_content = |idx: &WidgetIdx| {
        other_labels[idx.index()] == labels[widget.index()]
            && content_hash(other, &other_labels, *idx) == content
    };
    let mut found: Vec<WidgetIdx> = candidates.iter().copied().filter(same_content).collect();
    let by_content = !found.is_empty();
    if !by_content {
        let kind = property_key(layout.widget(widget));
        found = candidates.into_iter().filter(|idx| property_key(other.widget(*idx)) == kind).collect();
    }
    let tree = subtree_hashes(layout, &labels, |_| true)[widget.index()];
    let other_trees = subtree_hashes(other, &other_labels, |_| true);
    let (places, other_places) = (layout.sibling_places(), other.sibling_places());
    let place = places[widget.index()];
    let mut text = None;
    let mut ranked: Vec<(u8, f64, SimilarWidget)> = Vec::with_capacity(found.len());
    for idx in &found {
        let same = other_trees[idx.index()] == tree;
        let exact = same && other_places[idx.index()] == place;
        // A single candidate needs no ranking.
        let likeness = if same || found.len() == 1 {
            1.0
        } else {
            let text = text.get_or_insert_with(|| subtree_text(layout, widget, basis));
            ratio(text, &subtree_text(other, *idx, basis))
        };
        let rank = if exact { 0 } else { 1 + u8::from(!same) };
        ranked.push((rank, likeness, SimilarWidget { widget: *idx, exact, content: by_content }));
    }
    ranked.sort_by(|one, other| one.0.cmp(&other.0).then(other.1.total_cmp(&one.1)));
    ranked.into_iter().map(|(_, _, similar)| similar).collect()
}

/// Writes a widget's subtree as text with braces, for [`ratio`].
fn subtree_text(layout: &Layout, idx: WidgetIdx, basis: LabelBasis) -> String {
    let mut text = String::new();
    add_subtree_text(layout, idx, basis, &mut text);
    text
}

fn add_subtree_text(layout: &Layout, idx: WidgetIdx, basis: LabelBasis, text: &mut String) {
    let widget: &Widget = layout.widget(idx);
    let shown = if widget.text.chars().nth(TEXT_LIMIT).is_none() { &*widget.text } else { "" };
    let id = widget.resource_id.as_deref().unwrap_or("");
    let description = if basis.descriptions { &*widget.content_desc } else { "" };
    text.push('{');
    for (name, part) in [
        ("[class]", &*widget.class),
        ("[resource_id]", id),
        ("[content_desc]", description),
        ("[text]", shown),
    ] {
        text.push_str(name);
        text.push_str(if part.is_empty() { "None" } else { part });
    }
    for child in layout.children(idx) {
        add_subtree_text(layout, child, basis, text);
    }
    text.push('}');
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    #[test]
    fn a_widget_is_found_again_by_content_then_by_kind() {
        let basis = LabelBasis::default();
        let before = layout_from("ListView\n  Button#row \"a\"\n  Button#row \"b\"\n  Button#row \"b\"\n");
        let after = layout_from("ListView\n  Button#row \"b\"\n  Button#row \"c\"\n  Button#row \"b\"\n");
        let found = |widget: u32| relocate(&before, WidgetIdx(widget), &after, basis);
        let places = |widget: u32| found(widget).iter().map(|it| it.widget.0).collect::<Vec<_>>();
        assert_eq!(places(3), [3, 1], "the same place is exact and goes first");
        assert!(found(3)[0].exact && !found(3)[1].exact && found(3)[1].content);
        assert_eq!(places(2), [1, 3], "none at its place: document order");
        assert_eq!(places(1), [1, 2, 3], "no such text: all of the kind, equally like");
        assert!(found(1).iter().all(|it| !it.content && !it.exact));
    }
}
