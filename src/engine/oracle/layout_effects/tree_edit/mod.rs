//! The ordered tree edit distance of two layouts (Zhang and Shasha 1989, unit costs), and one canonical script with
//! that number of edits. The distance is unique, the script is not: trees without a common label or with equal siblings
//! have several. The trace-back therefore has a fixed order of preference, and trying all orders shows whether a
//! verdict depends on the choice (`engine/genie/paper.md`, section 14, trap 1).
//!
//! The work grows with the product of both layouts' sizes and with their depths. Layouts that would take too much are
//! not compared: there is no script then, rather than one that is not the shortest.

mod script;
mod tables;
mod tree;

pub use script::{EditOp, TieOrder};
pub use tree::EditTree;

use tables::Tables;

/// Compares pairs of layouts one after the other, reusing its memory.
#[derive(Clone, Debug, Default)]
pub struct TreeEditor {
    tables: Tables,
}

/// The result of comparing two layouts: their distance, and shortest scripts.
#[derive(Debug)]
pub struct TreeEdit<'t> {
    before: &'t EditTree,
    after: &'t EditTree,
    tables: &'t mut Tables,
}

impl TreeEditor {
    /// Compares two layouts; `None` if they are too large and too different. Layouts of a thousand widgets, as apps
    /// have them, can be compared; two of more than 4,096 widgets only if they are equal.
    pub fn compare<'t>(&'t mut self, before: &'t EditTree, after: &'t EditTree) -> Option<TreeEdit<'t>> {
        self.tables.settle(before, after).then_some(TreeEdit { before, after, tables: &mut self.tables })
    }
}

impl TreeEdit<'_> {
    /// Number of edits between the two layouts.
    pub fn distance(&self) -> u32 {
        self.tables.distance()
    }
}

/// Returns the number of edits between two layouts. If [`TreeEditor::compare`] refuses them, returns a lower bound: the
/// number of labels that they do not have in common.
pub fn edit_distance(before: &EditTree, after: &EditTree) -> u32 {
    match TreeEditor::default().compare(before, after) {
        Some(edit) => edit.distance(),
        None => before.least_distance(after) as u32,
    }
}

/// Returns a shortest script that turns the first layout into the second, including unchanged pairs. It is ordered by
/// index in the first layout, followed by the insertions by index in the second. `None` if [`TreeEditor::compare`]
/// refuses the layouts.
pub fn edit_script(before: &EditTree, after: &EditTree, order: TieOrder) -> Option<Vec<EditOp>> {
    Some(TreeEditor::default().compare(before, after)?.script(order))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use taproof_screen::determinism::{Rng, hash_text};
    use taproof_screen::{Layout, WidgetIdx, layout_from};

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
        assert_eq!(edits(&edit_script(&one, &other, TieOrder::CANONICAL).unwrap()), canonical);
        let mut all: Vec<Vec<EditOp>> =
            TieOrder::ALL.iter().map(|order| edit_script(&one, &other, *order).unwrap()).collect();
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
            edit_script(&cut, &tree(&bracket("A(C)")), TieOrder::CANONICAL).unwrap(),
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
            let mut edit = editor.compare(&before, &after).unwrap();
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

    /// A page of so many widgets: rows of five, each with texts of its own.
    fn page(widgets: usize, first: usize) -> EditTree {
        let row = |row: usize| {
            let (name, time) = ((row * 7919 + first) % 10_007, (row * 7919 + first) % 9973);
            format!("  Row\n    Image\n    Texts\n      Name \"{name}\"\n      Time \"{time}\"\n")
        };
        let layout = layout_from(&format!("List\n{}", (0..widgets / 5).map(row).collect::<String>()));
        EditTree::of(&layout, |_, widget| Some(hash_text(&widget.class) ^ hash_text(&widget.text)))
    }

    #[test]
    fn what_takes_too_much_is_not_compared() {
        let (large, other) = (page(10_000, 0), page(10_000, 5));
        let mut editor = TreeEditor::default();
        assert!(editor.compare(&large, &other).is_none());
        assert!(
            editor.tables.trees.capacity() + editor.tables.forests.capacity() < 1_000_000,
            "no memory taken"
        );
        let again = page(10_000, 0);
        let mut same = editor.compare(&large, &again).unwrap();
        let script = same.script(TieOrder::CANONICAL);
        assert_eq!((same.distance(), script.len(), edits(&script).len()), (0, large.len(), 0));
        let least = edit_distance(&large, &other) as usize;
        assert!(least > 0 && least < large.len());
        assert!(editor.compare(&page(300, 0), &page(300, 5)).is_some(), "an ordinary page");
    }

    #[test]
    fn work_is_counted_while_it_is_done() {
        let (one, other) = (page(100, 0), page(100, 5));
        let filled = |work: usize| Tables::with_work(1000, work).compare(&one, &other);
        assert!(!filled(10_000) && filled(10_000_000));
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
            let mut edit = editor.compare(&before, &after).unwrap();
            let narrow: Vec<_> = TieOrder::ALL.iter().map(|order| edit.script(*order)).collect();
            let mut tables = Tables::with_work(1000, usize::MAX);
            assert!(tables.compare(&before, &after));
            let mut whole = TreeEdit { before: &before, after: &after, tables: &mut tables };
            assert_eq!(whole.distance() as usize, edits(&narrow[0]).len());
            for (order, script) in TieOrder::ALL.iter().zip(&narrow) {
                assert_eq!(whole.script(*order), *script);
            }
        }
    }
}
