//! Calibration walks (odin.md 3): true random walks on the model, rejected unless they stop in the state they
//! are meant for, so that the inputs of a state come in proportions that no coverage-hungry generator dictates.

use std::collections::BTreeSet;

use super::OdinConfig;
use super::model::{Node, OdinModel};
use crate::determinism::Rng;
use crate::model::EventKey;

impl OdinModel {
    /// The events of a walk that stops in one of the nodes; `None` if no try did.
    pub(super) fn plan_walk(
        &self,
        goal: &BTreeSet<Node>,
        config: &OdinConfig,
        rng: &mut Rng,
    ) -> Option<Vec<EventKey>> {
        (0..config.walk_tries).find_map(|_| self.try_walk(goal, config.walk_length, rng))
    }

    /// At a state of m successors each is taken with 1/m; at the goal with 1/(m+1), as stopping is one way more.
    fn try_walk(&self, goal: &BTreeSet<Node>, longest: usize, rng: &mut Rng) -> Option<Vec<EventKey>> {
        let mut at = self.start_node()?;
        let mut events = Vec::new();
        loop {
            let successors = self.successors(at);
            let stops = usize::from(goal.contains(&at));
            let drawn = rng.below(successors.len() + stops);
            let Some((next, recorded)) = successors.iter().nth(drawn) else {
                // Nothing to draw from, or the way that is no successor.
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
