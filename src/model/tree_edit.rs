//! The ordered tree edit distance of two layouts (Zhang and Shasha 1989, unit costs), and one canonical script of
//! that many edits. The distance is unique, the script is not: trees without a label in common or with equal
//! siblings have several. So the trace-back prefers in a fixed order, and a verdict that hangs on the choice can
//! be found out by trying all orders (genie.md 11, trap 1).
//!
//! Layouts that are compared are mostly alike, so only a strip around the diagonal is computed (Touzet 2003): a
//! script of `k` edits pairs no nodes that are further than `k` apart in post-order. Cells that lie on a shortest
//! script's way are exact and the others are never too small, so the trace-back decides as on the whole tables.

use super::{Layout, Widget, WidgetIdx};

/// A layout ready to be compared: labels in post-order, with what the algorithm asks for each time.
#[derive(Clone, Debug, Default)]
pub struct EditTree {
    nodes: Vec<Node>,
    /// The nodes that are not the first child of their parent, and the root: each begins a table of its own.
    keyroots: Vec<u32>,
    /// The labels in rising order.
    labels: Vec<u64>,
}

/// What is outside the strip: more than any distance, and twice that is still a number.
const FAR: u32 = u32::MAX / 4;
/// The narrowest strip worth trying.
const NARROW: usize = 8;

#[derive(Clone, Copy, Debug)]
struct Node {
    label: u64,
    /// The first node of its subtree in post-order.
    leftmost: u32,
    /// `None` for the invisible root over the layout's roots.
    widget: Option<WidgetIdx>,
}

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

/// The edits between two layouts.
pub fn edit_distance(before: &EditTree, after: &EditTree) -> u32 {
    TreeEditor::default().compare(before, after).distance()
}

/// As few edits as turn the first layout into the second, with the pairs that stay: by place in the first layout,
/// then the insertions by place in the second.
pub fn edit_script(before: &EditTree, after: &EditTree, order: TieOrder) -> Vec<EditOp> {
    TreeEditor::default().compare(before, after).script(order)
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

    /// A number of edits that at least are between them: what has no label in common must be edited.
    fn least_distance(&self, other: &EditTree) -> usize {
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

/// Compares layouts one after the other in the same memory.
#[derive(Clone, Debug, Default)]
pub struct TreeEditor {
    tables: Tables,
}

#[derive(Clone, Debug, Default)]
struct Tables {
    /// How far from the diagonal the tables are filled.
    strip: usize,
    /// The distance of each two subtrees, by node of the first and node of the second.
    trees: Vec<u32>,
    /// The distances of the forests in two subtrees: row and column 0 are the empty ones.
    forests: Vec<u32>,
}

/// Two layouts compared.
#[derive(Debug)]
pub struct TreeEdit<'t> {
    before: &'t EditTree,
    after: &'t EditTree,
    tables: &'t mut Tables,
}

impl TreeEditor {
    /// Compares two layouts.
    pub fn compare<'t>(&'t mut self, before: &'t EditTree, after: &'t EditTree) -> TreeEdit<'t> {
        let tables = &mut self.tables;
        let whole = before.nodes.len().max(after.nodes.len());
        tables.strip = before.least_distance(after).max(NARROW);
        loop {
            tables.compare(before, after);
            if tables.strip >= whole || tables.distance() as usize <= tables.strip {
                return TreeEdit { before, after, tables };
            }
            tables.strip = if tables.strip * 4 < whole { tables.strip * 2 } else { whole };
        }
    }
}

impl Tables {
    fn compare(&mut self, before: &EditTree, after: &EditTree) {
        self.trees.clear();
        self.trees.resize(before.nodes.len() * after.nodes.len(), FAR);
        for from in &before.keyroots {
            for to in &after.keyroots {
                let first = (before.nodes[*from as usize].leftmost, after.nodes[*to as usize].leftmost);
                let apart = first.0.saturating_sub(*to).max(first.1.saturating_sub(*from));
                if apart as usize <= self.strip {
                    self.fill(before, after, *from as usize, *to as usize);
                }
            }
        }
    }

    fn distance(&self) -> u32 {
        self.trees.last().copied().unwrap_or(0)
    }

    /// Fills the forest table of two subtrees and, for all subtrees along their left edges, the tree table.
    /// All subtrees in them that are not on a left edge must have been compared.
    fn fill(&mut self, before: &EditTree, after: &EditTree, from: usize, to: usize) {
        let (first, column_first) = (before.nodes[from].leftmost as usize, after.nodes[to].leftmost as usize);
        let (rows, columns) = (from - first + 2, to - column_first + 2);
        self.forests.clear();
        self.forests.resize(rows * columns, FAR);
        for (column, cell) in self.forests[..columns.min(self.strip + 1)].iter_mut().enumerate() {
            *cell = column as u32;
        }
        for row in 1..rows.min(columns + self.strip) {
            let node = before.nodes[first + row - 1];
            let (above, below) = self.forests.split_at_mut(row * columns);
            let start = row.saturating_sub(self.strip).max(1);
            let end = columns.min(row + self.strip + 1);
            let mut left = if start == 1 && row <= self.strip { row as u32 } else { FAR };
            below[start - 1] = left;
            let previous = above[(row - 1) * columns..][start - 1..end].windows(2);
            let base = (node.leftmost as usize - first) * columns;
            let finished = &above[base..base + columns];
            let tree_row = (first + row - 1) * after.nodes.len() + column_first;
            let trees = &mut self.trees[tree_row + start - 1..tree_row + end - 1];
            let targets = &after.nodes[column_first + start - 1..column_first + end - 1];
            let cells = below[start..end].iter_mut().zip(previous).zip(targets);
            if node.leftmost as usize == first {
                for (((cell, previous), target), tree) in cells.zip(trees) {
                    let gap = previous[1].min(left) + 1;
                    if target.leftmost as usize == column_first {
                        left = gap.min(previous[0] + u32::from(node.label != target.label));
                        *tree = left;
                    } else {
                        left = gap.min(finished[target.leftmost as usize - column_first] + *tree);
                    }
                    *cell = left;
                }
            } else {
                for (((cell, previous), target), tree) in cells.zip(trees) {
                    let paired = finished[target.leftmost as usize - column_first] + *tree;
                    left = (previous[1].min(left) + 1).min(paired);
                    *cell = left;
                }
            }
        }
    }
}

impl TreeEdit<'_> {
    /// The edits between them.
    pub fn distance(&self) -> u32 {
        self.tables.distance()
    }

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
        self.tables.trees[from * self.after.nodes.len() + to]
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::determinism::{Rng, hash_text};
    use crate::model::layout_from;

    fn tree(layout: &Layout) -> EditTree {
        EditTree::of(layout, |_, widget| Some(hash_text(&widget.class)))
    }

    /// A layout from a bracket notation such as `A(B,C)`: classes only.
    fn bracket(notation: &str) -> Layout {
        let (mut lines, mut depth) = (String::new(), 0);
        for part in notation.split_inclusive(['(', ')', ',']) {
            let class = part.trim_end_matches(['(', ')', ',']);
            if !class.is_empty() {
                lines.push_str(&format!("{}{class}\n", "  ".repeat(depth)));
            }
            match part.chars().last() {
                Some('(') => depth += 1,
                Some(')') => depth -= 1,
                _ => {}
            }
        }
        layout_from(&lines)
    }

    fn edits(script: &[EditOp]) -> Vec<EditOp> {
        script.iter().filter(|op| !matches!(op, EditOp::Match(..))).copied().collect()
    }

    fn check(before: &str, after: &str, distance: u32, canonical: &[EditOp], scripts: usize) {
        let (before, after) = (bracket(before), bracket(after));
        let (one, other) = (tree(&before), tree(&after));
        assert_eq!(edit_distance(&one, &other), distance);
        assert_eq!(edits(&edit_script(&one, &other, TieOrder::CANONICAL)), canonical);
        let mut all: Vec<Vec<EditOp>> =
            TieOrder::ALL.iter().map(|order| edit_script(&one, &other, *order)).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), scripts);
    }

    #[test]
    fn distances_of_the_reference() {
        use EditOp::{Change, Delete};
        let at = WidgetIdx;
        check("A(B,C)", "A(B,D)", 1, &[Change(at(2), at(2))], 1);
        check("A(B(X,Y,F),C)", "A(B(X,F),C)", 1, &[Delete(at(3))], 1);
        check("A(B,C)", "A(C,B)", 2, &[Change(at(1), at(1)), Change(at(2), at(2))], 3);
    }

    #[test]
    fn several_windows_and_none_compare() {
        use EditOp::{Delete, Insert};
        check("A,B(C)", "A", 2, &[Delete(WidgetIdx(1)), Delete(WidgetIdx(2))], 1);
        check("", "A(B)", 2, &[Insert(WidgetIdx(0)), Insert(WidgetIdx(1))], 1);
        check("", "", 0, &[], 1);
        assert!(tree(&bracket("")).is_empty() && tree(&bracket("A,B(C)")).len() == 3);
    }

    #[test]
    fn what_has_no_label_is_cut_out_with_all_that_is_in_it() {
        let layout = bracket("A(B(X,Y),C)");
        let cut = EditTree::of(&layout, |_, widget| {
            (widget.short_class() != "B").then(|| hash_text(&widget.class))
        });
        assert_eq!(
            edit_script(&cut, &tree(&bracket("A(C)")), TieOrder::CANONICAL),
            [EditOp::Match(WidgetIdx(0), WidgetIdx(0)), EditOp::Match(WidgetIdx(4), WidgetIdx(1)),]
        );
    }

    #[test]
    fn what_is_left_out_alone_hands_its_children_up() {
        let layout = bracket("A(B(X,Y),C)");
        let nodes = layout.iter().filter(|(_, widget)| widget.short_class() != "B");
        let left = nodes.map(|(idx, widget)| (idx, layout.end(idx), hash_text(&widget.class)));
        assert_eq!(edit_distance(&EditTree::from_nodes(left), &tree(&bracket("A(X,Y,C)"))), 0);
    }

    /// The distance straight from its definition, on the forests that are left of a pre-order interval.
    struct ByDefinition<'t> {
        one: &'t Layout,
        other: &'t Layout,
        known: BTreeMap<(Vec<u32>, Vec<u32>), u32>,
    }

    impl ByDefinition<'_> {
        fn of(&mut self, one: Vec<u32>, other: Vec<u32>) -> u32 {
            if let Some(known) = self.known.get(&(one.clone(), other.clone())) {
                return *known;
            }
            let opened = |layout: &Layout, forest: &[u32]| {
                let (last, rest) = forest.split_last().unwrap();
                let inner: Vec<u32> = layout.children(WidgetIdx(*last)).map(|idx| idx.0).collect();
                (*last, rest.to_vec(), inner)
            };
            let distance = match (one.is_empty(), other.is_empty()) {
                (true, true) => 0,
                (false, true) => {
                    let (_, rest, inner) = opened(self.one, &one);
                    1 + self.of([rest, inner].concat(), other.clone())
                }
                (true, false) => {
                    let (_, rest, inner) = opened(self.other, &other);
                    1 + self.of(one.clone(), [rest, inner].concat())
                }
                (false, false) => {
                    let (from, one_rest, one_inner) = opened(self.one, &one);
                    let (to, other_rest, other_inner) = opened(self.other, &other);
                    let same =
                        self.one.widget(WidgetIdx(from)).class == self.other.widget(WidgetIdx(to)).class;
                    let delete = 1 + self.of([one_rest.clone(), one_inner.clone()].concat(), other.clone());
                    let insert = 1 + self.of(one.clone(), [other_rest.clone(), other_inner.clone()].concat());
                    let pair =
                        self.of(one_rest, other_rest) + self.of(one_inner, other_inner) + u32::from(!same);
                    delete.min(insert).min(pair)
                }
            };
            self.known.insert((one, other), distance);
            distance
        }
    }

    fn random_layout(rng: &mut Rng, most: usize) -> Layout {
        let (mut lines, mut depth) = (String::new(), 0);
        for _ in 0..rng.between(1, most) {
            lines.push_str(&format!("{}{}\n", "  ".repeat(depth), ["A", "B", "C"][rng.below(3)]));
            depth = rng.below(depth + 2);
        }
        layout_from(&lines)
    }

    /// A mapping keeps order and nesting.
    fn assert_mapping(one: &Layout, other: &Layout, script: &[EditOp]) {
        let pairs: Vec<(WidgetIdx, WidgetIdx)> = script
            .iter()
            .filter_map(|op| match op {
                EditOp::Match(from, to) | EditOp::Change(from, to) => Some((*from, *to)),
                EditOp::Delete(_) | EditOp::Insert(_) => None,
            })
            .collect();
        for pair in pairs.windows(2) {
            assert!(pair[0].1 < pair[1].1, "order: {script:?}");
        }
        for (from, to) in &pairs {
            for (inner, inner_to) in &pairs {
                let nested = one.ancestors(*inner).any(|idx| idx == *from);
                assert_eq!(nested, other.ancestors(*inner_to).any(|idx| idx == *to), "{script:?}");
            }
        }
    }

    #[test]
    fn every_order_gives_a_shortest_script() {
        let (mut rng, mut editor) = (Rng::from_seed(5), TreeEditor::default());
        for _ in 0..300 {
            let (one, other) = (random_layout(&mut rng, 8), random_layout(&mut rng, 8));
            let roots = |layout: &Layout| layout.roots().map(|idx| idx.0).collect();
            let mut defined = ByDefinition { one: &one, other: &other, known: BTreeMap::new() };
            let distance = defined.of(roots(&one), roots(&other));
            let (before, after) = (tree(&one), tree(&other));
            let mut edit = editor.compare(&before, &after);
            assert_eq!(edit.distance(), distance);
            for order in TieOrder::ALL {
                let script = edit.script(order);
                assert_eq!(edits(&script).len() as u32, distance);
                assert_mapping(&one, &other, &script);
                let matched = script.len() - edits(&script).len();
                let changed = script.iter().filter(|op| matches!(op, EditOp::Change(..))).count();
                let deleted = script.iter().filter(|op| matches!(op, EditOp::Delete(_))).count();
                assert_eq!(matched + changed + deleted, one.widgets().len(), "every widget is told of");
            }
        }
    }

    #[test]
    fn a_strip_decides_as_the_whole_tables_do() {
        let (mut rng, mut editor) = (Rng::from_seed(6), TreeEditor::default());
        for _ in 0..40 {
            let one = random_layout(&mut rng, 60);
            let mut lines: Vec<String> = one
                .iter()
                .map(|(idx, widget)| format!("{}{}\n", "  ".repeat(one.depth(idx)), widget.short_class()))
                .collect();
            for _ in 0..rng.below(6) {
                let line = rng.below(lines.len());
                match rng.below(3) {
                    0 => lines[line] = lines[line].replace(['A', 'B'], "C"),
                    1 => drop(lines.remove(line)),
                    _ => lines.insert(line, lines[line].clone()),
                }
                if lines.is_empty() {
                    lines.push("A\n".to_owned());
                }
            }
            let other = layout_from(&lines.concat());
            let (before, after) = (tree(&one), tree(&other));
            let mut edit = editor.compare(&before, &after);
            let narrow: Vec<_> = TieOrder::ALL.iter().map(|order| edit.script(*order)).collect();
            let mut tables = Tables { strip: 1000, ..Tables::default() };
            tables.compare(&before, &after);
            let mut whole = TreeEdit { before: &before, after: &after, tables: &mut tables };
            assert_eq!(whole.distance() as usize, edits(&narrow[0]).len());
            for (order, script) in TieOrder::ALL.iter().zip(&narrow) {
                assert_eq!(whole.script(*order), *script);
            }
        }
    }
}
