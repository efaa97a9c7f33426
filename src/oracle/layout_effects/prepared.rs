//! A layout as effects see it: ignored widgets cut out, lists sorted whose order does not count, hashed.

use std::sync::Arc;

use super::{ContextLevel, EffectRule, WidgetKind};
use crate::determinism::{HashBuffer, hash_text};
use crate::model::{
    EditTree, LabelBasis, Layout, LayoutBuilder, LayoutKey, Widget, WidgetIdx, content_hash, headline,
    is_repeated, page_key, same_type,
};

/// A layout made ready for comparisons by one rule.
#[derive(Debug)]
pub struct Prepared {
    /// The layout as it was seen.
    pub layout: Arc<Layout>,
    /// Equal for layouts of one page.
    pub(super) page: LayoutKey,
    /// Equal for layouts that no comparison tells apart.
    pub(super) key: LayoutKey,
    pub(super) tree: EditTree,
    /// The same with lists sorted whose order does not count.
    sorted: Arc<Layout>,
    /// For each widget of the sorted layout the one that was seen; empty if nothing was sorted.
    seen: Vec<WidgetIdx>,
    /// For each widget of the sorted layout the hash of its context, with and without texts.
    contexts: Vec<u64>,
    shapes: Vec<u64>,
    /// For each widget of the sorted layout the hash of what it is with what is in it.
    subtrees: Vec<u64>,
    /// For each widget of the sorted layout its own text label.
    labels: Vec<u64>,
    kept: Vec<bool>,
    /// The page's first words that are no content of it.
    pub(super) headline: u64,
}

impl Prepared {
    pub(super) fn new(layout: &Arc<Layout>, rule: &EffectRule) -> Self {
        let basis = rule.basis();
        let (sorted, seen) = match rule.unordered.iter().any(|kind| kind.activity == *layout.activity()) {
            true => sort_lists(layout, &rule.unordered, basis),
            false => (Arc::clone(layout), Vec::new()),
        };
        let kept = kept(&sorted, &rule.ignored);
        let labels = basis.text_labels(&sorted);
        let tree = EditTree::of(&sorted, |idx, _| kept[idx.index()].then(|| labels[idx.index()]));
        let subtrees = kept_subtrees(&sorted, &labels, &kept);
        let mut hasher = HashBuffer::default();
        for root in sorted.roots().filter(|root| kept[root.index()]) {
            hasher.u64(subtrees[root.index()]);
        }
        // Remembered scripts name widgets by place, so what was cut out or sorted counts, too.
        for cut in kept.iter().enumerate().filter(|(_, kept)| !**kept) {
            hasher.u64(cut.0 as u64);
        }
        for place in &seen {
            hasher.u64(u64::from(place.0));
        }
        let shape_labels = LabelBasis { text_limit: 0, ..basis }.text_labels(&sorted);
        let shapes = kept_subtrees(&sorted, &shape_labels, &kept);
        let nodes = context_nodes(&sorted, &kept, rule.context);
        let page = page_key(layout);
        hasher.u64(page.0);
        Prepared {
            page,
            key: LayoutKey(hasher.finish()),
            tree,
            contexts: nodes.iter().map(|node| subtrees[node.index()]).collect(),
            shapes: nodes.iter().map(|node| shapes[node.index()]).collect(),
            layout: Arc::clone(layout),
            seen,
            subtrees,
            labels,
            kept,
            headline: headline(layout).map_or(0, |idx| hash_text(&layout.widget(idx).text)),
            sorted,
        }
    }

    /// The widget as it was seen.
    pub(super) fn original(&self, idx: WidgetIdx) -> WidgetIdx {
        self.seen.get(idx.index()).copied().unwrap_or(idx)
    }

    /// How many widgets with this label are there.
    pub(super) fn count(&self, label: u64) -> usize {
        self.kept_labels().filter(|own| *own == label).count()
    }

    /// The label of the list that a widget of the sorted layout is in.
    pub(super) fn list_around(&self, idx: WidgetIdx) -> Option<u64> {
        let list = self.sorted.ancestors(idx).find(|around| is_list(self.sorted.widget(*around)));
        list.map(|list| self.label(list))
    }

    /// Whether a widget of this type is there.
    pub(super) fn has_like(&self, wanted: Option<&Widget>) -> bool {
        wanted.is_some_and(|wanted| self.layout.widgets().iter().any(|widget| same_type(widget, wanted)))
    }

    /// Whether a list with this label has a member here that looks like none of the other layout's.
    pub(super) fn has_other_members(&self, other: &Prepared, list: u64) -> bool {
        let members = |side: &Prepared| -> Vec<u64> {
            let in_list = |idx: &usize| side.kept[*idx] && side.around(WidgetIdx(*idx as u32)) == Some(list);
            (0..side.subtrees.len()).filter(in_list).map(|idx| side.subtrees[idx]).collect()
        };
        let others = members(other);
        members(self).iter().any(|member| !others.contains(member))
    }

    /// How many widgets with this label are right in one with that label.
    pub(super) fn members_of(&self, label: u64, list: u64) -> usize {
        let member = |idx: &usize| {
            self.kept[*idx] && self.labels[*idx] == label && self.around(WidgetIdx(*idx as u32)) == Some(list)
        };
        (0..self.labels.len()).filter(member).count()
    }

    /// The label of what a widget of the sorted layout is right in.
    pub(super) fn around(&self, idx: WidgetIdx) -> Option<u64> {
        self.sorted.widget(idx).parent.map(|parent| self.label(parent))
    }

    /// Whether a widget and one of another layout are of one type.
    pub(super) fn of_one_type(&self, idx: WidgetIdx, other: &Prepared, with: WidgetIdx) -> bool {
        same_type(self.layout.widget(self.original(idx)), other.layout.widget(other.original(with)))
    }

    /// Whether anything is in a widget of the sorted layout.
    pub(super) fn holds_others(&self, idx: WidgetIdx) -> bool {
        !self.sorted.is_leaf(idx)
    }

    /// Whether a widget is in another one.
    pub(super) fn holds(&self, around: WidgetIdx, idx: WidgetIdx) -> bool {
        around < idx && idx < self.sorted.end(around)
    }

    /// Whether all that is there is there on the other layout, too, as often.
    pub(super) fn is_part_of(&self, other: &Prepared) -> bool {
        let (own, others) = (self.sorted_labels(), other.sorted_labels());
        let mut others = others.into_iter();
        own.into_iter().all(|label| others.any(|other| other == label))
    }

    /// The label of a widget of the sorted layout.
    pub(super) fn label(&self, idx: WidgetIdx) -> u64 {
        self.labels[idx.index()]
    }

    fn sorted_labels(&self) -> Vec<u64> {
        let mut labels: Vec<u64> = self.kept_labels().collect();
        labels.sort_unstable();
        labels
    }

    fn kept_labels(&self) -> impl Iterator<Item = u64> {
        self.labels.iter().zip(&self.kept).filter(|(_, kept)| **kept).map(|(label, _)| *label)
    }

    /// Whether the widget of the sorted layout is one of several of its type in one place, as the rows of a list are.
    pub(super) fn is_member(&self, idx: WidgetIdx) -> bool {
        is_repeated(&self.sorted, idx)
    }

    /// How many widgets with this context are there.
    pub(super) fn contexts_like(&self, context: u64) -> usize {
        self.contexts.iter().zip(&self.kept).filter(|(own, kept)| **kept && **own == context).count()
    }

    pub(super) fn context(&self, idx: Option<WidgetIdx>) -> u64 {
        idx.map_or(0, |idx| self.contexts[idx.index()])
    }

    pub(super) fn shape(&self, idx: Option<WidgetIdx>) -> u64 {
        idx.map_or(0, |idx| self.shapes[idx.index()])
    }
}

/// Which widgets stay: not the ignored ones, not what is in them, not a wrapper of ignored ones alone.
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

/// Whether a widget shows as many of its children as there is room for.
fn is_list(widget: &Widget) -> bool {
    ["RecyclerView", "ListView", "GridView"].iter().any(|list| widget.class.contains(list))
}

fn kept_subtrees(layout: &Layout, labels: &[u64], kept: &[bool]) -> Vec<u64> {
    let mut hasher = HashBuffer::default();
    let mut hashes = labels.to_vec();
    for index in (0..labels.len()).rev() {
        hasher.clear();
        hasher.u64(labels[index]);
        for child in layout.children(WidgetIdx(index as u32)).filter(|child| kept[child.index()]) {
            hasher.u64(hashes[child.index()]);
        }
        hashes[index] = hasher.finish();
    }
    hashes
}

/// The context of every widget: itself, or the nearest widget around it that has several children.
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

/// The layout with the children of such lists sorted by their content, and for each widget the one it was.
fn sort_lists(layout: &Layout, lists: &[WidgetKind], basis: LabelBasis) -> (Arc<Layout>, Vec<WidgetIdx>) {
    let labels = basis.text_labels(layout);
    let activity = layout.activity().clone();
    let mut builder = LayoutBuilder::new(activity, layout.screen(), layout.rotation());
    let mut seen = Vec::with_capacity(labels.len());
    // Widgets still to be opened, the next one last; `None` closes one.
    let mut open: Vec<Option<WidgetIdx>> = layout.roots().map(Some).collect();
    open.reverse();
    while let Some(next) = open.pop() {
        let Some(idx) = next else {
            builder.close();
            continue;
        };
        let widget = layout.widget(idx);
        builder.open(widget.clone());
        seen.push(idx);
        open.push(None);
        let mut children: Vec<WidgetIdx> = layout.children(idx).collect();
        if lists.iter().any(|kind| *kind == WidgetKind::of(layout, widget)) {
            children.sort_by_key(|child| (content_hash(layout, &labels, *child), *child));
        }
        open.extend(children.into_iter().rev().map(Some));
    }
    (Arc::new(builder.finish()), seen)
}
