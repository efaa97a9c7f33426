//! The states of the model: sets of similar layouts (`engine/odin/paper.md`, section 4). Two layouts are similar if
//! they handle the same events in the same activity. This is an equivalence, so M1 is a plain grouping. M2 also
//! requires that all successors are similar, which separates the very states whose outcomes are to be compared; it is
//! an option for calibration only.

mod layouts;
pub(crate) mod packed;
mod volatile;

pub use layouts::{LayoutId, Layouts};
pub use volatile::VolatileViews;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How layouts are merged to states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Merging {
    /// M1: equal sets of events are one state, which may have several successors by the same event.
    #[default]
    Grouped,
    /// M2: recursive merging with rollback: a state has one successor by each event.
    Strict,
}

/// A transition: an event led from one layout to another. Layouts are numbered by first appearance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move<E> {
    /// The number of the layout before.
    pub from: usize,
    /// The event that was performed.
    pub event: E,
    /// The number of the layout after.
    pub to: usize,
}

/// Returns the state of each layout, numbered by first appearance. `similar` contains a key for each layout, equal for
/// similar ones.
pub fn merge_layouts<K: Ord, E: Ord + Copy>(
    merging: Merging,
    similar: &[K],
    moves: &[Move<E>],
) -> Vec<usize> {
    match merging {
        Merging::Grouped => number(similar.iter()),
        Merging::Strict => {
            let mut merger = StrictMerger::new(similar, moves);
            merger.merge_all();
            let roots: Vec<usize> = (0..similar.len()).map(|layout| merger.root(layout)).collect();
            number(roots.iter())
        }
    }
}

fn number<'k, K: Ord + 'k>(keys: impl Iterator<Item = &'k K>) -> Vec<usize> {
    let mut numbers: BTreeMap<&K, usize> = BTreeMap::new();
    keys.map(|key| {
        let next = numbers.len();
        *numbers.entry(key).or_insert(next)
    })
    .collect()
}

/// Union-find over layouts with an undo log. A merge whose successors cannot be merged as well is rolled back
/// completely.
struct StrictMerger<'k, K, E> {
    similar: &'k [K],
    parents: Vec<usize>,
    /// The successor of each set by each event, stored at the set's root.
    targets: Vec<BTreeMap<E, usize>>,
    /// Undo log: for each union the root that became a child, its new root, and the new root's targets before.
    undo: Vec<(usize, usize, BTreeMap<E, usize>)>,
}

impl<'k, K: Ord, E: Ord + Copy> StrictMerger<'k, K, E> {
    fn new(similar: &'k [K], moves: &[Move<E>]) -> Self {
        let mut targets = vec![BTreeMap::new(); similar.len()];
        let mut clashes = Vec::new();
        for step in moves {
            match targets[step.from].get(&step.event) {
                Some(known) if *known != step.to => clashes.push((*known, step.to)),
                Some(_) => {}
                None => {
                    targets[step.from].insert(step.event, step.to);
                }
            }
        }
        let parents = (0..similar.len()).collect();
        let mut merger = StrictMerger { similar, parents, targets, undo: Vec::new() };
        // Two successors of one layout by one event are merged if possible; otherwise the first one is kept.
        for (one, other) in clashes {
            merger.attempt(one, other);
        }
        merger
    }

    fn root(&self, mut layout: usize) -> usize {
        while self.parents[layout] != layout {
            layout = self.parents[layout];
        }
        layout
    }

    /// Tries to merge all pairs, ordered by first appearance.
    fn merge_all(&mut self) {
        for other in 0..self.similar.len() {
            for one in 0..other {
                if self.similar[one] == self.similar[other] && self.attempt(one, other) {
                    break;
                }
            }
        }
    }

    /// Merges two layouts and all successors by the same event, or nothing. Returns whether they were merged.
    fn attempt(&mut self, one: usize, other: usize) -> bool {
        self.undo.clear();
        let mut open = vec![(one, other)];
        while let Some((one, other)) = open.pop() {
            let (one, other) = (self.root(one), self.root(other));
            if one == other {
                continue;
            }
            if self.similar[one] != self.similar[other] {
                self.roll_back();
                return false;
            }
            self.unite(one.min(other), one.max(other), &mut open);
        }
        true
    }

    fn unite(&mut self, root: usize, child: usize, open: &mut Vec<(usize, usize)>) {
        self.undo.push((child, root, self.targets[root].clone()));
        self.parents[child] = root;
        for (event, target) in self.targets[child].clone() {
            match self.targets[root].get(&event) {
                Some(known) => open.push((*known, target)),
                None => {
                    self.targets[root].insert(event, target);
                }
            }
        }
    }

    fn roll_back(&mut self) {
        while let Some((child, root, targets)) = self.undo.pop() {
            self.parents[child] = child;
            self.targets[root] = targets;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Traces such as `A x B y C`, the events that layouts handle, the expected sets.
    fn check(merging: Merging, traces: &[&str], handled: &[(&str, &str)], expected: &[&str]) {
        let mut names: Vec<&str> = Vec::new();
        let mut moves = Vec::new();
        for trace in traces {
            let words: Vec<&str> = trace.split(' ').collect();
            for name in words.iter().step_by(2) {
                if !names.contains(name) {
                    names.push(name);
                }
            }
            let number = |name: &str| names.iter().position(|known| *known == name).unwrap();
            for step in words.windows(3).step_by(2) {
                moves.push(Move { from: number(step[0]), event: step[1], to: number(step[2]) });
            }
        }
        let events = |name: &&str| handled.iter().find(|(known, _)| known == name).unwrap().1;
        let similar: Vec<&str> = names.iter().map(events).collect();
        let states = merge_layouts(merging, &similar, &moves);
        let mut sets = vec![Vec::new(); states.iter().max().unwrap() + 1];
        for (layout, state) in states.iter().enumerate() {
            sets[*state].push(names[layout]);
        }
        let sets: Vec<String> = sets.iter().map(|set| set.join(" ")).collect();
        assert_eq!(sets, expected);
    }

    const HANDLED: &[(&str, &str)] = &[
        ("A", "x"),
        ("A'", "x"),
        ("A''", "x"),
        ("B", "y z"),
        ("B'", "y z"),
        ("C", "w"),
        ("D", "u"),
        ("E", "q"),
    ];

    #[test]
    fn two_traces_make_the_same_states_either_way() {
        let traces = ["A x B y C", "A' x B' z D"];
        for merging in [Merging::Grouped, Merging::Strict] {
            check(merging, &traces, HANDLED, &["A A'", "B B'", "C", "D"]);
        }
    }

    #[test]
    fn strict_merging_parts_the_state_whose_outcomes_differ() {
        let traces = ["A x B y C", "A' x B' z D", "A'' x E"];
        check(Merging::Grouped, &traces, HANDLED, &["A A' A''", "B B'", "C", "D", "E"]);
        check(Merging::Strict, &traces, HANDLED, &["A A'", "B B'", "C", "D", "A''", "E"]);
    }

    #[test]
    fn a_failure_deep_down_takes_the_whole_merge_back() {
        let handled = [("P", "x"), ("Q", "x"), ("R", "y"), ("S", "y"), ("T", "z"), ("U", "w")];
        check(Merging::Strict, &["P x R y T", "Q x S y U"], &handled, &["P", "R", "T", "Q", "S", "U"]);
        check(Merging::Strict, &["P x R y T", "Q x S y T"], &handled, &["P Q", "R S", "T"]);
    }

    #[test]
    fn a_loop_merges_with_its_unrolling() {
        let handled = [("P", "x"), ("Q", "x"), ("R", "x")];
        check(Merging::Strict, &["P x P", "Q x R x R"], &handled, &["P Q R"]);
    }
}
