//! A layout as effects see it: ignored widgets removed, hashed.

use super::labels::subtree_hashes;
use std::sync::Arc;

use super::rule::{ContextLevel, EffectRule, WidgetKind};
use crate::oracle::layout_effects::{EditTree, LabelBasis};
use taproof_screen::determinism::{HashBuffer, hash_text};
use taproof_screen::{Layout, LayoutKey, Same, Widget, WidgetIdx, headline};

/// A layout prepared for comparisons by one rule.
#[derive(Debug)]
pub struct Prepared {
    /// The layout as it was seen.
    pub layout: Arc<Layout>,
    /// Equal for layouts of the same page.
    pub(super) page: LayoutKey,
    /// Equal for layouts that are equal in every comparison.
    pub(super) key: LayoutKey,
    pub(super) tree: EditTree,
    /// Hash of the context of each widget.
    contexts: Vec<u64>,
    /// Text label of each widget.
    labels: Vec<u64>,
    /// Of the widgets that are not ignored, in ascending order: the labels; the contexts; the label of the parent with
    /// the own one; and the label of the parent with the hash of the subtree.
    sorted_labels: Vec<u64>,
    sorted_contexts: Vec<u64>,
    sorted_members: Vec<(u64, u64)>,
    sorted_subtrees: Vec<(u64, u64)>,
    /// The hashes of the members of lists that are not ignored, in ascending order.
    sorted_rows: Vec<u64>,
    /// Whether each widget is one of several of its type in one place.
    repeated: Vec<bool>,
    /// Whether each widget is compared.
    kept: Vec<bool>,
    /// Hash of the first words of the page that are not part of its content.
    pub(super) headline: u64,
}

impl Prepared {
    pub(super) fn new(layout: &Arc<Layout>, rule: &EffectRule) -> Self {
        let kept = kept(layout, &rule.ignored);
        let labels = LabelBasis::default().text_labels(layout);
        let tree = EditTree::of(layout, |idx, _| kept[idx.index()].then(|| labels[idx.index()]));
        let subtrees = subtree_hashes(layout, &labels, |idx| kept[idx.index()]);
        let mut hasher = HashBuffer::default();
        for root in layout.roots().filter(|root| kept[root.index()]) {
            hasher.u64(subtrees[root.index()]);
        }
        // Cached scripts refer to widgets by index, so the key includes what was removed.
        for cut in kept.iter().enumerate().filter(|(_, kept)| !**kept) {
            hasher.u64(cut.0 as u64);
        }
        let nodes = context_nodes(layout, &kept, rule.context);
        let page = layout.key(Same::Page);
        hasher.u64(page.0);
        let contexts: Vec<u64> = nodes.iter().map(|node| subtrees[node.index()]).collect();
        let of_kept = |values: &[u64]| {
            in_order(values.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(value, _)| *value))
        };
        let with_around = |values: &[u64]| {
            let around = |(idx, widget): (WidgetIdx, &Widget)| {
                let parent = widget.parent.filter(|_| kept[idx.index()])?;
                Some((labels[parent.index()], values[idx.index()]))
            };
            in_order(layout.iter().filter_map(around))
        };
        let row = |(idx, widget): (WidgetIdx, &Widget)| {
            let in_list = widget.parent.is_some_and(|parent| layout.widget(parent).is_list());
            (in_list && kept[idx.index()]).then(|| subtrees[idx.index()])
        };
        Prepared {
            page,
            key: LayoutKey(hasher.finish()),
            tree,
            sorted_labels: of_kept(&labels),
            sorted_contexts: of_kept(&contexts),
            sorted_members: with_around(&labels),
            sorted_subtrees: with_around(&subtrees),
            sorted_rows: in_order(layout.iter().filter_map(row)),
            repeated: layout.repeated(),
            contexts,
            layout: Arc::clone(layout),
            labels,
            headline: headline(layout).map_or(0, |idx| hash_text(&layout.widget(idx).text)),
            kept,
        }
    }

    /// Number of widgets with this label.
    pub(super) fn count(&self, label: u64) -> usize {
        count_in(&self.sorted_labels, &label)
    }

    /// The label of the list that contains a widget.
    pub(super) fn list_around(&self, idx: WidgetIdx) -> Option<u64> {
        let list = self.layout.ancestors(idx).find(|around| self.layout.widget(*around).is_list());
        list.map(|list| self.label(list))
    }

    /// Whether there is a widget of this type.
    pub(super) fn has_like(&self, wanted: &Widget) -> bool {
        self.layout.widgets().iter().any(|widget| widget.same_type(wanted))
    }

    /// The members of a list with this label that look like none of the other layout's.
    pub(super) fn other_members(&self, other: &Prepared, list: u64) -> impl Iterator<Item = &(u64, u64)> {
        let first = self.sorted_subtrees.partition_point(|(around, _)| *around < list);
        let members = self.sorted_subtrees[first..].iter().take_while(move |(around, _)| *around == list);
        members.filter(|member| !other.has_member(member))
    }

    /// Whether a list has a member that looks like this one of another layout.
    pub(super) fn has_member(&self, member: &(u64, u64)) -> bool {
        self.sorted_subtrees.binary_search(member).is_ok()
    }

    /// Number of widgets with the label `label` whose parent has the label `list`.
    pub(super) fn members_of(&self, label: u64, list: u64) -> usize {
        count_in(&self.sorted_members, &(list, label))
    }

    /// Whether a widget and one of another layout have the same type.
    pub(super) fn of_one_type(&self, idx: WidgetIdx, other: &Prepared, with: WidgetIdx) -> bool {
        self.layout.widget(idx).same_type(other.layout.widget(with))
    }

    /// Whether a widget has children.
    pub(super) fn holds_others(&self, idx: WidgetIdx) -> bool {
        !self.layout.is_leaf(idx)
    }

    /// Whether a widget is compared.
    pub(super) fn is_kept(&self, idx: WidgetIdx) -> bool {
        self.kept[idx.index()]
    }

    /// Number of widgets.
    pub(super) fn len(&self) -> usize {
        self.labels.len()
    }

    /// For each widget, whether it is one of `these` or inside one.
    pub(super) fn inside(&self, these: &[bool]) -> Vec<bool> {
        let mut inside: Vec<bool> = Vec::with_capacity(these.len());
        for widget in self.layout.widgets() {
            let around = |parent: WidgetIdx| these[parent.index()] || inside[parent.index()];
            let is_inside = widget.parent.is_some_and(around);
            inside.push(is_inside);
        }
        inside
    }

    /// Whether the other layout has every label of this one, at least as often, and every row.
    pub(super) fn is_part_of(&self, other: &Prepared) -> bool {
        let holds = |others: &[u64], own: &[u64]| {
            let mut others = others.iter();
            own.iter().all(|value| others.any(|other| other == value))
        };
        holds(&other.sorted_labels, &self.sorted_labels) && holds(&other.sorted_rows, &self.sorted_rows)
    }

    /// The label of a widget.
    pub(super) fn label(&self, idx: WidgetIdx) -> u64 {
        self.labels[idx.index()]
    }

    /// Whether the widget is one of several of its type in one place, like the rows of a list.
    pub(super) fn is_member(&self, idx: WidgetIdx) -> bool {
        self.repeated[idx.index()]
    }

    /// Number of widgets with this context.
    pub(super) fn contexts_like(&self, context: u64) -> usize {
        count_in(&self.sorted_contexts, &context)
    }

    pub(super) fn context(&self, idx: Option<WidgetIdx>) -> u64 {
        idx.map_or(0, |idx| self.contexts[idx.index()])
    }
}

fn in_order<T: Ord>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    values
}

/// How often a value occurs among values in ascending order.
fn count_in<T: Ord>(sorted: &[T], value: &T) -> usize {
    sorted.partition_point(|other| other <= value) - sorted.partition_point(|other| other < value)
}

/// Which widgets stay: those that are not ignored, not inside an ignored one, and not a wrapper of ignored ones only.
fn kept(layout: &Layout, ignored: &[WidgetKind]) -> Vec<bool> {
    let here: Vec<&WidgetKind> = ignored.iter().filter(|kind| kind.activity == *layout.activity()).collect();
    let mut kept = vec![true; layout.widgets().len()];
    if here.is_empty() {
        return kept;
    }
    for (idx, widget) in layout.iter() {
        let named =
            here.iter().any(|kind| kind.class == widget.class && kind.resource_id == widget.resource_id);
        kept[idx.index()] = !named && widget.parent.is_none_or(|parent| kept[parent.index()]);
    }
    for (idx, widget) in layout.iter().rev() {
        let emptied = !layout.is_leaf(idx) && !layout.children(idx).any(|child| kept[child.index()]);
        if emptied && widget.parent.is_some() {
            kept[idx.index()] = false;
        }
    }
    kept
}

/// The context of every widget: the widget itself, or the nearest widget around it that has several children.
fn context_nodes(layout: &Layout, kept: &[bool], level: ContextLevel) -> Vec<WidgetIdx> {
    let own = |(idx, _)| idx;
    match level {
        ContextLevel::Widget => layout.iter().map(own).collect(),
        ContextLevel::Around => {
            let several: Vec<bool> = layout
                .iter()
                .map(|(idx, _)| layout.children(idx).filter(|child| kept[child.index()]).nth(1).is_some())
                .collect();
            let around = |(idx, _)| {
                let mut ancestors = layout.ancestors(idx);
                ancestors.find(|around| several[around.index()]).unwrap_or(idx)
            };
            layout.iter().map(around).collect()
        }
    }
}
