//! Calibration walks (paper.md, section 6): true random walks on the model, rejected unless they end in the intended
//! state, so that the proportions of a state's inputs are not determined by a coverage-guided generator.

use std::collections::BTreeSet;

use super::model::{Node, OdinModel};
use taproof_screen::EventKey;
use taproof_screen::determinism::Rng;

/// Maximum number of events of a calibration walk (paper.md, section 6; the paper names no number).
const WALK_LENGTH: usize = 20;
/// Number of walks that are drawn before a state counts as unreachable for now (section 6).
const WALK_TRIES: u32 = 100;

impl OdinModel {
    /// The events of a walk from a node that ends in one of the nodes of the goal; `None` if no attempt did.
    pub(super) fn plan_walk(
        &self,
        from: Node,
        goal: &BTreeSet<Node>,
        rng: &mut Rng,
    ) -> Option<Vec<EventKey>> {
        (0..WALK_TRIES).find_map(|_| self.try_walk(from, goal, WALK_LENGTH, rng))
    }

    /// At a state with m successors, each is taken with probability 1/m; at the goal with 1/(m+1), since stopping there
    /// is one more possibility.
    fn try_walk(
        &self,
        from: Node,
        goal: &BTreeSet<Node>,
        longest: usize,
        rng: &mut Rng,
    ) -> Option<Vec<EventKey>> {
        let mut at = from;
        let mut events = Vec::new();
        loop {
            let successors = self.successors(at);
            let stops = usize::from(goal.contains(&at));
            let drawn = rng.below(successors.len() + stops);
            let Some((next, recorded)) = successors.iter().nth(drawn) else {
                // There is no successor, or stopping was drawn.
                return (stops == 1).then_some(events);
            };
            if events.len() >= longest {
                return None;
            }
            events.extend(recorded.iter().nth(rng.below(recorded.len())));
            at = *next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::determinism::hash_text;

    const TRIES: usize = 20_000;

    /// How often a single try comes to each plan, in percent, rounded; `-` is a rejected one.
    fn check(successors: &[&[(Node, &str)]], goal: Node, longest: usize, expected: &[(&str, usize)]) {
        let model = OdinModel::of_graph(successors);
        let (goal, mut rng) = (BTreeSet::from([goal]), Rng::from_seed(1));
        let names: Vec<&str> =
            successors.iter().flat_map(|all| all.iter().map(|(_, event)| *event)).collect();
        let name = |event: EventKey| *names.iter().find(|name| EventKey(hash_text(name)) == event).unwrap();
        let mut counts: std::collections::BTreeMap<String, usize> = Default::default();
        for _ in 0..TRIES {
            let reached = match model.try_walk(0, &goal, longest, &mut rng) {
                Some(plan) => plan.into_iter().map(name).collect::<Vec<_>>().join(" "),
                None => "-".to_owned(),
            };
            *counts.entry(reached).or_default() += 1;
        }
        for (plan, percent) in expected {
            let seen = counts.get(*plan).copied().unwrap_or(0) * 100;
            let near = (percent * TRIES).saturating_sub(TRIES)..=(percent + 1) * TRIES;
            assert!(near.contains(&seen), "{plan:?}: {} % of {counts:?}", seen as f64 / TRIES as f64);
        }
    }

    #[test]
    fn the_goal_has_one_way_more_than_its_successors() {
        // Start 0 leads to the goal 1 alone; that leads to 2 and 3, which lead nowhere.
        let graph: &[&[(Node, &str)]] = &[&[(1, "s")], &[(2, "a"), (3, "b")], &[], &[]];
        check(graph, 1, 20, &[("s", 33), ("-", 67)]);
    }

    #[test]
    fn elsewhere_all_successors_are_equally_likely() {
        let graph: &[&[(Node, &str)]] = &[&[(1, "a"), (2, "b")], &[], &[]];
        check(graph, 2, 20, &[("b", 50), ("-", 50)]);
        check(graph, 1, 20, &[("a", 50), ("-", 50)]);
    }

    #[test]
    fn events_of_one_transition_share_its_chance_and_a_loop_counts_as_a_successor() {
        let graph: &[&[(Node, &str)]] = &[&[(1, "x"), (1, "y"), (2, "z")], &[], &[]];
        check(graph, 1, 20, &[("x", 25), ("y", 25), ("-", 50)]);
        let looped: &[&[(Node, &str)]] = &[&[(0, "l")]];
        check(looped, 0, 20, &[("", 50), ("l", 25), ("l l", 13)]);
        check(looped, 0, 1, &[("", 50), ("l", 25), ("-", 25)]);
    }

    #[test]
    fn what_cannot_be_reached_has_no_plan() {
        let model = OdinModel::of_graph(&[&[(1, "a")], &[], &[]]);
        let plan = |goal: Node| {
            model.plan_walk(0, &BTreeSet::from([goal]), &mut Rng::from_seed(1)).map(|plan| plan.len())
        };
        assert_eq!((plan(0), plan(1), plan(2)), (Some(0), Some(1), None));
    }
}
