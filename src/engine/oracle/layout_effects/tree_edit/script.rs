//! Shortest edit scripts, found by tracing back through the tables. Several may be equally short; a [`TieOrder`]
//! selects one of them.

use super::TreeEdit;
use super::tree::Node;
use taproof_screen::WidgetIdx;

/// One operation of a script that turns the first layout into the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EditOp {
    /// The widget is in both layouts, with the same label.
    Match(WidgetIdx, WidgetIdx),
    /// The widget is in both layouts, with different labels.
    Change(WidgetIdx, WidgetIdx),
    /// The widget is only in the first layout.
    Delete(WidgetIdx),
    /// The widget is only in the second layout.
    Insert(WidgetIdx),
}

/// Kinds of steps of the trace-back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Backtrace {
    /// A match or a change, or two subtrees that were compared before.
    Pair,
    Delete,
    Insert,
}

/// Selects one of several equally short scripts: the order in which the trace-back tries the kinds of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TieOrder([Backtrace; 3]);

impl TieOrder {
    /// Prefers match and change to delete, and delete to insert.
    pub const CANONICAL: TieOrder = TieOrder([Backtrace::Pair, Backtrace::Delete, Backtrace::Insert]);

    /// All orders, the canonical one first.
    pub const ALL: [TieOrder; 6] = [
        TieOrder::CANONICAL,
        TieOrder([Backtrace::Pair, Backtrace::Insert, Backtrace::Delete]),
        TieOrder([Backtrace::Delete, Backtrace::Pair, Backtrace::Insert]),
        TieOrder([Backtrace::Delete, Backtrace::Insert, Backtrace::Pair]),
        TieOrder([Backtrace::Insert, Backtrace::Pair, Backtrace::Delete]),
        TieOrder([Backtrace::Insert, Backtrace::Delete, Backtrace::Pair]),
    ];
}

impl TreeEdit<'_> {
    /// Returns a shortest script, including unchanged pairs. It is ordered by index in the first layout, followed by
    /// the insertions by index in the second.
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

    /// Pairs all nodes of two subtrees at distance 0. Whatever the order, these have only one script: nothing may be
    /// deleted or inserted.
    fn pair_all(&self, from: usize, to: usize, script: &mut Vec<EditOp>) {
        let first = (self.before.nodes[from].leftmost as usize, self.after.nodes[to].leftmost as usize);
        for (one, other) in self.before.nodes[first.0..=from].iter().zip(&self.after.nodes[first.1..=to]) {
            push_pair(one, other, script);
        }
    }

    /// Traces back through the forest table of two subtrees. Pairs of inner subtrees are pushed to `open`, to be traced
    /// later.
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
            // What remains after pairing the last two trees, and what the pair costs.
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
            let fits = |step: &Backtrace| match step {
                Backtrace::Pair => {
                    pair.is_some_and(|(_, _, rest, price, _)| cost(rest.0, rest.1) + price == here)
                }
                Backtrace::Delete => row > 0 && cost(row - 1, column) + 1 == here,
                Backtrace::Insert => column > 0 && cost(row, column - 1) + 1 == here,
            };
            match (order.0.iter().find(|step| fits(step)), pair) {
                (Some(Backtrace::Pair), Some((one, other, rest, _, whole))) => {
                    if whole {
                        push_pair(&self.before.nodes[one], &self.after.nodes[other], script);
                    } else {
                        open.push((one, other));
                    }
                    (row, column) = rest;
                }
                (Some(Backtrace::Delete), _) => {
                    row -= 1;
                    script.extend(self.before.nodes[first + row].widget.map(EditOp::Delete));
                }
                // Every cell got its value by one of the three steps, so an insertion is the only one left.
                (Some(Backtrace::Insert | Backtrace::Pair) | None, _) => {
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
