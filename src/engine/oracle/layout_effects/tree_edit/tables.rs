//! The tables of distances. Layouts that are compared are mostly alike, so only a strip around the diagonal is computed
//! (Touzet 2003): a script of `k` edits pairs no nodes that are more than `k` apart in post-order. Cells on the path of
//! a shortest script are exact and all others are never too small, so the trace-back decides as on the complete tables.

use super::EditTree;

/// Value of cells outside the strip: larger than any distance, and twice this value does not overflow.
const FAR: u32 = u32::MAX / 4;
/// Width of the narrowest strip that is tried.
const NARROW: usize = 8;
/// Largest number of cells in a table of subtrees: two layouts of 4,096 widgets each.
const MOST_CELLS: usize = 1 << 24;
/// Largest number of cells that are filled; layouts that need more are too different to compare. Layouts of a thousand
/// widgets without any common text need fewer.
const MOST_FILLED: usize = 1 << 27;

#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    /// Distance from the diagonal up to which the tables are filled.
    pub(super) strip: usize,
    /// The distance of each pair of subtrees; one row per node of the first layout, one column per node of the second.
    pub(super) trees: Vec<u32>,
    /// The distances of the forests within two subtrees; row 0 and column 0 are those of the empty forest.
    pub(super) forests: Vec<u32>,
    /// Whether the trees are equal; the tables are not filled then.
    pub(super) equal: bool,
    /// Number of cells that may still be filled.
    left: usize,
}

impl Tables {
    #[cfg(test)]
    pub(super) fn with_work(strip: usize, left: usize) -> Self {
        Tables { strip, left, ..Tables::default() }
    }

    /// Fills the tables with a strip that is wide enough for the distance. Returns false if this would take too much
    /// work or memory.
    pub(super) fn settle(&mut self, before: &EditTree, after: &EditTree) -> bool {
        self.equal = before.equals(after);
        if self.equal {
            return true;
        }
        if before.nodes.len().saturating_mul(after.nodes.len()) > MOST_CELLS {
            return false;
        }
        self.left = MOST_FILLED;
        let whole = before.nodes.len().max(after.nodes.len());
        self.strip = before.least_distance(after).max(NARROW);
        loop {
            if !self.compare(before, after) {
                return false;
            }
            if self.strip >= whole || self.distance() as usize <= self.strip {
                return true;
            }
            self.strip = if self.strip * 4 < whole { self.strip * 2 } else { whole };
        }
    }

    /// Fills the tables with the current strip. Returns false if this takes more work than is left.
    pub(super) fn compare(&mut self, before: &EditTree, after: &EditTree) -> bool {
        self.trees.clear();
        self.trees.resize(before.nodes.len() * after.nodes.len(), FAR);
        for from in &before.keyroots {
            for to in &after.keyroots {
                let first = (before.nodes[*from as usize].leftmost, after.nodes[*to as usize].leftmost);
                let apart = first.0.saturating_sub(*to).max(first.1.saturating_sub(*from));
                if apart as usize > self.strip {
                    continue;
                }
                let (rows, columns) = ((from - first.0 + 2) as usize, (to - first.1 + 2) as usize);
                let Some(left) = self.left.checked_sub(self.filled(rows, columns)) else { return false };
                self.left = left;
                self.fill(before, after, *from as usize, *to as usize);
            }
        }
        true
    }

    /// Work for a forest table, in filled cells. It includes clearing all cells, which costs far less per cell, and a
    /// constant for starting a table.
    fn filled(&self, rows: usize, columns: usize) -> usize {
        const BEGINNING: usize = 16;
        BEGINNING + rows.min(columns + self.strip) * columns.min(2 * self.strip + 1) + rows * columns / 8
    }

    pub(super) fn distance(&self) -> u32 {
        if self.equal { 0 } else { self.trees.last().copied().unwrap_or(0) }
    }

    /// Fills the forest table of two subtrees and, for all pairs of subtrees along their left edges, the tree table.
    /// All other pairs of subtrees within the two must have been compared before.
    pub(super) fn fill(&mut self, before: &EditTree, after: &EditTree, from: usize, to: usize) {
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
