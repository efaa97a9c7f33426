//! Detects that exploration makes no progress any more (`timemachine/paper.md`, section 4, Algorithm 2 of TimeMachine's
//! paper): a dead end, in which nothing changes, or a loop through few states. All engines share this detector.

use std::cmp::Reverse;
use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::{StateGraph, StateId};

/// Number of latest state changes that are considered, l (the published program's, as are the other numbers; free
/// parameters in the paper).
const WINDOW: usize = 10;
/// Number of consecutive observations of one state after which it is a dead end.
const MAX_NO_PROGRESS: u32 = 200;
/// Share of the most visited states that count as frequent, α.
const FREQUENT: f64 = 0.2;
/// Share of repeated or frequent states in the window above which it is a loop, β.
const LOOP_SHARE: f64 = 0.8;

/// Why exploration is stuck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stuck {
    /// A dead end: the state has not changed for too many events.
    DeadEnd,
    /// A loop: the same few states are visited again and again.
    Loop,
}

/// Watches the states that exploration enters.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct StuckDetector {
    changes: VecDeque<StateId>,
    no_progress: u32,
}

impl StuckDetector {
    /// Processes that the app is in this state. `graph` contains how often each state was visited. Returns why
    /// exploration is stuck, if it is.
    pub fn observe(&mut self, state: StateId, graph: &StateGraph) -> Option<Stuck> {
        if self.changes.back() == Some(&state) {
            self.no_progress += 1;
        } else {
            if self.changes.len() >= WINDOW {
                self.changes.pop_front();
            }
            self.changes.push_back(state);
            self.no_progress = 0;
        }
        if self.no_progress > MAX_NO_PROGRESS {
            return Some(Stuck::DeadEnd);
        }
        let full = self.changes.len() >= WINDOW;
        let looping = || {
            let least = least_frequent(graph, FREQUENT);
            let frequent = |id: &StateId| least.is_some_and(|least| rank(graph, *id) <= least);
            share_of_simple(&self.changes, frequent) > LOOP_SHARE
        };
        (full && looping()).then_some(Stuck::Loop)
    }

    /// Forgets all observations, because exploration continues somewhere else.
    pub fn clear(&mut self) {
        *self = StuckDetector::default();
    }
}

type Rank = (Reverse<u64>, StateId);

/// Sort key: a state with more visits is lower; of equal ones, the older.
fn rank(graph: &StateGraph, id: StateId) -> Rank {
    (Reverse(graph.state(id).visits), id)
}

/// The rank of the last of the most visited states that count as frequent; `None` if there are none.
fn least_frequent(graph: &StateGraph, share: f64) -> Option<Rank> {
    let many = (graph.len() as f64 * share) as usize;
    let mut ranks: Vec<Rank> = (0..graph.len() as u32).map(|id| rank(graph, StateId(id))).collect();
    let last = many.checked_sub(1).filter(|last| *last < ranks.len())?;
    Some(*ranks.select_nth_unstable(last).1)
}

/// The share of entries that occur more than once or are frequent. The union of both is counted, since their sum can
/// exceed 1.
fn share_of_simple<T: PartialEq>(entries: &VecDeque<T>, frequent: impl Fn(&T) -> bool) -> f64 {
    let repeated = |entry: &T| entries.iter().filter(|other| *other == entry).count() > 1;
    let simple = entries.iter().filter(|entry| repeated(entry) || frequent(entry)).count();
    simple as f64 / entries.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use taproof_screen::{Event, Key, LayoutKey, layout_from};

    #[test]
    fn the_worked_examples_hold() {
        for (window, frequent, share, stuck) in [
            ("ABABABABCD", "AC", 0.9, true),
            ("ABCDEFGHIJ", "AB", 0.2, false),
            ("ABABABCCDE", "D", 0.9, true),
        ] {
            let entries: VecDeque<char> = window.chars().collect();
            let found = share_of_simple(&entries, |state| frequent.contains(*state));
            assert_eq!((found, found > 0.8), (share, stuck), "{window}");
        }
    }

    /// Walks through states of these names, the graph along with it.
    fn walk(names: impl Iterator<Item = u64>) -> (Vec<Option<Stuck>>, StateGraph) {
        let layout = Arc::new(layout_from("Button#a\n"));
        let (mut graph, mut detector) = (StateGraph::default(), StuckDetector::default());
        let event = Event::Key(Key::Back);
        let said = names.map(|name| {
            graph.observe(LayoutKey(name), &layout, Some(&event));
            let state = graph.current().unwrap();
            detector.observe(state, &graph)
        });
        (said.collect(), graph)
    }

    #[test]
    fn a_dead_end_takes_more_equal_observations_than_allowed() {
        let (said, _) = walk(std::iter::repeat_n(7, 202));
        assert!(said[..201].iter().all(Option::is_none), "200 after the first are not yet one");
        assert_eq!(said[201], Some(Stuck::DeadEnd));
    }

    #[test]
    fn a_loop_needs_a_full_window() {
        let (said, _) = walk((0..10).map(|step| step % 2));
        assert!(said[..9].iter().all(Option::is_none));
        assert_eq!(said[9], Some(Stuck::Loop));
        let (said, graph) = walk(0..40);
        assert!(said.iter().all(Option::is_none), "always something new");
        assert_eq!(least_frequent(&graph, 0.2), Some((Reverse(1), StateId(7))));
        assert_eq!(least_frequent(&graph, 0.01), None);
    }
}
