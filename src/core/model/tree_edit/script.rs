//! The script of edits that led to a distance, walked back through the tables. Several are equally short; which one it
//! is is settled by an order.

use super::TreeEdit;
use super::tree::Node;
use crate::model::WidgetIdx;

/// One step that turns the first layout into the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EditOp {
    /// In both, with one label.
    Match(WidgetIdx, WidgetIdx),
    /// In both, with another label.
    Change(WidgetIdx, WidgetIdx),
    /// Only in the first.
    Delete(WidgetIdx),
    /// Only in the second.
    Insert(WidgetIdx),
}

/// What a step of the trace-back may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// A match or a change, or two subtrees that were compared before.
    Pair,
    Delete,
    Insert,
}

/// Which of several equally short scripts is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TieOrder([Way; 3]);

impl TieOrder {
    /// Match or change, then delete, then insert.
    pub const CANONICAL: TieOrder = TieOrder([Way::Pair, Way::Delete, Way::Insert]);

    /// All orders, the canonical one first.
    pub const ALL: [TieOrder; 6] = [
        TieOrder::CANONICAL,
        TieOrder([Way::Pair, Way::Insert, Way::Delete]),
        TieOrder([Way::Delete, Way::Pair, Way::Insert]),
        TieOrder([Way::Delete, Way::Insert, Way::Pair]),
        TieOrder([Way::Insert, Way::Pair, Way::Delete]),
        TieOrder([Way::Insert, Way::Delete, Way::Pair]),
    ];
}

impl TreeEdit<'_> {
    /// A script of that many edits, with the pairs that stay: by place in the first layout, then the insertions by
    /// place in the second.
    pub fn script(&mut self, order: TieOrder) -> Vec<EditOp> {
        let (before, after) = (self.before, self.after);
        let mut script = Vec::with_capacity(before.nodes.len().max(after.nodes.len()));
        let mut open = vec![(before.nodes.len() - 1, after.nodes.len() - 1)];
        while let Some((from, to)) = open.pop() {
            if self.tree_distance(from, to) == 0 {
                self.pair_all(from, to, &mut script);
            } else {
                self.trace(from, to, order, &mut script, &mut open);
            }
        }
        script.sort_unstable_by_key(|op| match op {
            EditOp::Match(from, _) | EditOp::Change(from, _) | EditOp::Delete(from) => (false, from.0),
            EditOp::Insert(to) => (true, to.0),
        });
        script
    }

    fn tree_distance(&self, from: usize, to: usize) -> u32 {
        if self.tables.equal { 0 } else { self.tables.trees[from * self.after.nodes.len() + to] }
    }

    /// Subtrees at distance 0 have one script only, whatever the order: nothing may be deleted or inserted, so
    /// the nodes pair up as they stand.
    fn pair_all(&self, from: usize, to: usize, script: &mut Vec<EditOp>) {
        let first = (self.before.nodes[from].leftmost as usize, self.after.nodes[to].leftmost as usize);
        for (one, other) in self.before.nodes[first.0..=from].iter().zip(&self.after.nodes[first.1..=to]) {
            push_pair(one, other, script);
        }
    }

    /// Walks back through the forest table of two subtrees; finished subtrees in it are left open.
    fn trace(
        &mut self,
        from: usize,
        to: usize,
        order: TieOrder,
        script: &mut Vec<EditOp>,
        open: &mut Vec<(usize, usize)>,
    ) {
        self.tables.fill(self.before, self.after, from, to);
        let (first, column_first) =
            (self.before.nodes[from].leftmost as usize, self.after.nodes[to].leftmost as usize);
        let columns = to - column_first + 2;
        let (mut row, mut column) = (from - first + 1, to - column_first + 1);
        let forests = &self.tables.forests;
        let cost = |row: usize, column: usize| forests[row * columns + column];
        while row > 0 || column > 0 {
            let here = cost(row, column);
            // What the pair of the two last trees leaves, and what it costs.
            let pair = (row > 0 && column > 0).then(|| {
                let (one, other) = (first + row - 1, column_first + column - 1);
                let (node, target) = (self.before.nodes[one], self.after.nodes[other]);
                let rest = (node.leftmost as usize - first, target.leftmost as usize - column_first);
                if rest == (0, 0) {
                    (one, other, (row - 1, column - 1), u32::from(node.label != target.label), true)
                } else {
                    (one, other, rest, self.tree_distance(one, other), false)
                }
            });
            let fits = |way: &Way| match way {
                Way::Pair => pair.is_some_and(|(_, _, rest, price, _)| cost(rest.0, rest.1) + price == here),
                Way::Delete => row > 0 && cost(row - 1, column) + 1 == here,
                Way::Insert => column > 0 && cost(row, column - 1) + 1 == here,
            };
            match (order.0.iter().find(|way| fits(way)), pair) {
                (Some(Way::Pair), Some((one, other, rest, _, whole))) => {
                    if whole {
                        push_pair(&self.before.nodes[one], &self.after.nodes[other], script);
                    } else {
                        open.push((one, other));
                    }
                    (row, column) = rest;
                }
                (Some(Way::Delete), _) => {
                    row -= 1;
                    script.extend(self.before.nodes[first + row].widget.map(EditOp::Delete));
                }
                // Every cell came to its value by one of the three ways, so an insertion is what is left.
                (Some(Way::Insert | Way::Pair) | None, _) => {
                    column = column.saturating_sub(1);
                    script.extend(self.after.nodes[column_first + column].widget.map(EditOp::Insert));
                }
            }
        }
    }
}

fn push_pair(one: &Node, other: &Node, script: &mut Vec<EditOp>) {
    if let (Some(from), Some(to)) = (one.widget, other.widget) {
        script.push(if one.label == other.label {
            EditOp::Match(from, to)
        } else {
            EditOp::Change(from, to)
        });
    }
}
