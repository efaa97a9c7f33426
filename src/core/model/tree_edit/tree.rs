//! A layout as the algorithm walks it: its nodes in post-order.

use crate::model::{Layout, Widget, WidgetIdx};

/// A layout ready to be compared: labels in post-order, with what the algorithm asks for each time.
#[derive(Clone, Debug, Default)]
pub struct EditTree {
    pub(super) nodes: Vec<Node>,
    /// The nodes that are not the first child of their parent, and the root: each begins a table of its own.
    pub(super) keyroots: Vec<u32>,
    /// The labels in rising order.
    labels: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) label: u64,
    /// The first node of its subtree in post-order.
    pub(super) leftmost: u32,
    /// `None` for the invisible root over the layout's roots.
    pub(super) widget: Option<WidgetIdx>,
}

impl EditTree {
    /// A layout by the label of each widget. Where there is none the widget is left out with all that is in it.
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

    /// What is left of a layout, in document order: each widget, the index behind its last descendant, its label.
    /// The children of a widget that is left out move up to the one around it.
    pub fn from_nodes(nodes: impl IntoIterator<Item = (WidgetIdx, WidgetIdx, u64)>) -> Self {
        let mut tree = EditTree::default();
        let mut open: Vec<(u32, Node)> = Vec::new();
        for (idx, end, label) in nodes {
            tree.close(&mut open, idx.0);
            let leftmost = tree.nodes.len() as u32;
            open.push((end.0, Node { label, leftmost, widget: Some(idx) }));
        }
        tree.close(&mut open, u32::MAX);
        // A layout of several windows has several roots: all stand under an invisible one. That two such
        // roots are paired is always cheapest, so it changes neither distance nor script of a single root.
        tree.nodes.push(Node { label: 0, leftmost: 0, widget: None });
        tree.find_keyroots();
        tree.labels = tree.nodes.iter().map(|node| node.label).collect();
        tree.labels.sort_unstable();
        tree
    }

    /// Closes what ends at or before widget `next`.
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

    /// Whether both have the same labels in the same places.
    pub(super) fn equals(&self, other: &EditTree) -> bool {
        let same = |(one, other): (&Node, &Node)| one.label == other.label && one.leftmost == other.leftmost;
        self.nodes.len() == other.nodes.len() && self.nodes.iter().zip(&other.nodes).all(same)
    }

    /// A number of edits that at least are between them: what has no label in common must be edited.
    pub(super) fn least_distance(&self, other: &EditTree) -> usize {
        let (mut one, mut two, mut common) = (0, 0, 0);
        while let (Some(label), Some(other)) = (self.labels.get(one), other.labels.get(two)) {
            common += usize::from(label == other);
            (one, two) = (one + usize::from(label <= other), two + usize::from(other <= label));
        }
        self.nodes.len().max(other.nodes.len()) - common
    }

    /// How many widgets it has.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Whether it has no widget.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
