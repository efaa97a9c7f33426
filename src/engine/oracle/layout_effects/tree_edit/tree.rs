//! Layouts in the form that the algorithm processes: nodes in post-order.

use taproof_screen::{Layout, Widget, WidgetIdx};

/// A layout prepared for comparison: its labels in post-order, and what the algorithm needs repeatedly.
#[derive(Clone, Debug, Default)]
pub struct EditTree {
    pub(super) nodes: Vec<Node>,
    /// Indices of the nodes that are not the first child of their parent, and of the root. Each needs a forest table of
    /// its own.
    pub(super) keyroots: Vec<u32>,
    /// The labels in ascending order.
    labels: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) label: u64,
    /// Index of the first node of the subtree in post-order.
    pub(super) leftmost: u32,
    /// `None` for the invisible root above the layout's roots.
    pub(super) widget: Option<WidgetIdx>,
}

impl EditTree {
    /// Builds a tree from a layout and the labels of its widgets. A widget without a label is left out together with
    /// its descendants.
    pub fn of(layout: &Layout, mut label: impl FnMut(WidgetIdx, &Widget) -> Option<u64>) -> Self {
        let mut next = 0;
        Self::from_nodes(std::iter::from_fn(|| {
            loop {
                let idx = WidgetIdx(next);
                let (widget, end) = (layout.get(idx)?, layout.end(idx));
                match label(idx, widget) {
                    None => next = end.0,
                    Some(label) => {
                        next += 1;
                        return Some((idx, end, label));
                    }
                }
            }
        }))
    }

    /// Builds a tree from selected widgets of a layout in document order: the index of each, the index after its last
    /// descendant, and its label. Children of a widget that was left out move up to the nearest ancestor that was not.
    pub fn from_nodes(nodes: impl IntoIterator<Item = (WidgetIdx, WidgetIdx, u64)>) -> Self {
        let mut tree = EditTree::default();
        let mut open: Vec<(u32, Node)> = Vec::new();
        for (idx, end, label) in nodes {
            tree.close(&mut open, idx.0);
            let leftmost = tree.nodes.len() as u32;
            open.push((end.0, Node { label, leftmost, widget: Some(idx) }));
        }
        tree.close(&mut open, u32::MAX);
        // A layout of several windows has several roots, which become children of an invisible one. Pairing the
        // invisible roots is always cheapest, so neither distance nor script of layouts with a single root changes.
        tree.nodes.push(Node { label: 0, leftmost: 0, widget: None });
        tree.find_keyroots();
        tree.labels = tree.nodes.iter().map(|node| node.label).collect();
        tree.labels.sort_unstable();
        tree
    }

    /// Closes the nodes that end at or before widget `next`.
    fn close(&mut self, open: &mut Vec<(u32, Node)>, next: u32) {
        while let Some((_, node)) = open.pop_if(|(end, _)| *end <= next) {
            self.nodes.push(node);
        }
    }

    fn find_keyroots(&mut self) {
        let mut begun = vec![false; self.nodes.len()];
        for (place, node) in self.nodes.iter().enumerate().rev() {
            if !std::mem::replace(&mut begun[node.leftmost as usize], true) {
                self.keyroots.push(place as u32);
            }
        }
        self.keyroots.reverse();
    }

    /// Whether both trees have the same shape with the same labels.
    pub(super) fn equals(&self, other: &EditTree) -> bool {
        let same = |(one, other): (&Node, &Node)| one.label == other.label && one.leftmost == other.leftmost;
        self.nodes.len() == other.nodes.len() && self.nodes.iter().zip(&other.nodes).all(same)
    }

    /// Lower bound of the distance: labels without a counterpart must be edited.
    pub(super) fn least_distance(&self, other: &EditTree) -> usize {
        let (mut one, mut two, mut common) = (0, 0, 0);
        while let (Some(label), Some(other)) = (self.labels.get(one), other.labels.get(two)) {
            common += usize::from(label == other);
            (one, two) = (one + usize::from(label <= other), two + usize::from(other <= label));
        }
        self.nodes.len().max(other.nodes.len()) - common
    }

    /// Number of widgets in the tree.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Whether the tree has no widget.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
