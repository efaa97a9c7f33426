//! What ODIN has learned of the app: layouts, states, transitions, inputs, behaviours. The model is one serialisable
//! value. Distinct layouts are stored once, and everything else refers to them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::MAX_INPUTS;
use super::performed::Performed;
use crate::oracle::may_belief::{
    Behaviour, KnownLayout, LayoutId, Layouts, Merging, Move, Outcome, Past, StateKey, VolatileViews,
    merge_layouts,
};
use taproof_screen::{Event, EventKey, Layout, Text, WidgetIdx};

/// Number of walks that are planned on one partition of the layouts before it is recomputed (strict merging only).
const WALKS_ON_ONE_MODEL: u32 = 50;

/// A state of the model on which walks are planned: a number, in the order of first appearance.
pub(super) type Node = usize;

/// What ODIN has learned of the app.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct OdinModel {
    layouts: Layouts,
    /// The state of the walking model that each layout belongs to.
    nodes: Vec<Node>,
    node_of_state: BTreeMap<StateKey, Node>,
    moves: BTreeSet<(LayoutId, EventKey, LayoutId)>,
    /// For each node its successors, each with the events that were recorded for it.
    graph: Vec<BTreeMap<Node, BTreeSet<EventKey>>>,
    walks: u32,
    /// The layout that a fresh start leads to.
    pub(super) start: Option<LayoutId>,
    /// Views whose texts change by themselves.
    pub(super) volatile: VolatileViews,
    /// The inputs of each state, in the order in which they were calibrated.
    pub(super) inputs: BTreeMap<StateKey, StateInputs>,
    pub(super) behaviours: BTreeMap<(StateKey, EventKey), Vec<Appended>>,
    pub(super) tests: Vec<Performed>,
    /// Number of steps of tests that are behaviours.
    pub(super) steps: usize,
    /// Hashes of inputs: one counts once, however often it is performed.
    pub(super) inputs_seen: BTreeSet<u64>,
}

/// The inputs that end in one state.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct StateInputs {
    /// Number of inputs; not all are stored.
    pub(super) count: usize,
    /// Number of walks towards the state that could not be planned.
    pub(super) missed: u32,
    pub(super) kept: Vec<Input>,
    /// Number of inputs to which events were appended.
    pub(super) continued: usize,
}

/// The first steps of a test, which lead from a fresh start into a state.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct Input {
    /// Index of the test.
    pub(super) test: usize,
    /// Number of its steps.
    pub(super) steps: usize,
}

/// A stored input of a state, followed by one more event.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Appended {
    /// Index among the state's stored inputs.
    pub(super) input: usize,
    pub(super) before: LayoutId,
    pub(super) receiver: WidgetIdx,
    pub(super) typed: Option<Text>,
    /// The outcome of the event.
    pub(super) after: Outcome<LayoutId>,
}

impl OdinModel {
    /// Returns the id of the layout. A new one is stored, as made by `known`, if there are fewer than `most`; otherwise
    /// `None`.
    pub(super) fn learn_layout(
        &mut self,
        layout: &Layout,
        most: usize,
        known: impl FnOnce() -> KnownLayout,
    ) -> Option<LayoutId> {
        let id = self.layouts.learn(layout, &self.volatile, most, known)?;
        if id == self.nodes.len() {
            let (nodes, state) = (self.graph.len(), self.state(id));
            let node = *self.node_of_state.entry(state).or_insert(nodes);
            if node == nodes {
                self.graph.push(BTreeMap::new());
            }
            self.nodes.push(node);
            self.inputs.entry(state).or_default();
        }
        Some(id)
    }

    /// The id of the layout, if it is known.
    pub(super) fn find(&self, layout: &Layout) -> Option<LayoutId> {
        self.layouts.find(layout, &self.volatile)
    }

    pub(super) fn layout(&self, id: LayoutId) -> &Arc<KnownLayout> {
        self.layouts.get(id)
    }

    pub(super) fn state(&self, id: LayoutId) -> StateKey {
        self.layouts.get(id).state
    }

    pub(super) fn layout_count(&self) -> usize {
        self.layouts.len()
    }

    /// Adds a transition that was seen.
    pub(super) fn learn_move(&mut self, from: LayoutId, event: EventKey, to: LayoutId) {
        if self.moves.insert((from, event, to)) {
            self.connect(from, event, to);
        }
    }

    fn connect(&mut self, from: LayoutId, event: EventKey, to: LayoutId) {
        self.graph[self.nodes[from]].entry(self.nodes[to]).or_default().insert(event);
    }

    /// Updates the states before a walk is planned. Strict merging recomputes them from time to time; plain grouping
    /// keeps them as layouts are added.
    pub(super) fn remine(&mut self, merging: Merging) {
        self.walks += 1;
        if merging == Merging::Grouped || !self.walks.is_multiple_of(WALKS_ON_ONE_MODEL) {
            return;
        }
        let similar: Vec<StateKey> = self.layouts.iter().map(|known| known.state).collect();
        let moves: Vec<Move<EventKey>> =
            self.moves.iter().map(|(from, event, to)| Move { from: *from, event: *event, to: *to }).collect();
        self.nodes = merge_layouts(merging, &similar, &moves);
        let count = self.nodes.iter().max().map_or(0, |last| last + 1);
        self.graph = vec![BTreeMap::new(); count];
        // A layout that is added later joins the first node of its state until the next recomputation.
        self.node_of_state.clear();
        for (known, node) in self.layouts.iter().zip(&self.nodes) {
            self.node_of_state.entry(known.state).or_insert(*node);
        }
        for step in moves {
            self.connect(step.from, step.event, step.to);
        }
    }

    /// The node of a layout.
    pub(super) fn node_of(&self, layout: LayoutId) -> Node {
        self.nodes[layout]
    }

    /// The successors of a node.
    pub(super) fn successors(&self, node: Node) -> &BTreeMap<Node, BTreeSet<EventKey>> {
        &self.graph[node]
    }

    /// The nodes of a state.
    pub(super) fn nodes_of(&self, state: StateKey) -> BTreeSet<Node> {
        let of_state = self.layouts.iter().zip(&self.nodes).filter(|(known, _)| known.state == state);
        of_state.map(|(_, node)| *node).collect()
    }

    /// The state with the fewest inputs. Walks that could not be planned count as well, so that none is tried forever.
    /// `None` if all states have as many inputs as are stored.
    pub(super) fn least_served(&self) -> Option<StateKey> {
        let served = |inputs: &StateInputs| inputs.count + inputs.missed as usize;
        let open = self.inputs.iter().filter(|(_, inputs)| served(inputs) < MAX_INPUTS);
        open.min_by_key(|(state, inputs)| (served(inputs), **state)).map(|(state, _)| *state)
    }

    /// The behaviours of one event in one state, as input of the oracle.
    pub(super) fn behaviours_of(
        &self,
        state: StateKey,
        event: EventKey,
        pasts: &[Vec<Past>],
    ) -> Vec<Behaviour> {
        let appended = self.behaviours.get(&(state, event));
        appended.into_iter().flatten().map(|appended| self.behaviour(state, appended, pasts)).collect()
    }

    /// The events of an input.
    pub(super) fn events_of(&self, input: Input) -> Vec<Event> {
        let test = self.tests.get(input.test);
        let steps = test.map_or(&[][..], |test| &test.steps);
        steps.iter().take(input.steps).map(|step| step.event.clone()).collect()
    }

    fn behaviour(&self, state: StateKey, appended: &Appended, pasts: &[Vec<Past>]) -> Behaviour {
        let input = self.inputs.get(&state).and_then(|inputs| inputs.kept.get(appended.input));
        let past = input.and_then(|input| pasts.get(input.test)?.get(input.steps));
        Behaviour {
            input: appended.input,
            before: Arc::clone(self.layout(appended.before)),
            receiver: Some(appended.receiver),
            typed: appended.typed.clone(),
            after: appended.after.clone().map(|id| Arc::clone(self.layout(id))),
            history: past.cloned().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
impl OdinModel {
    /// A model of nodes with these successors; a fresh start leads to node 0, which has layout 0.
    pub(super) fn of_graph(successors: &[&[(Node, &str)]]) -> Self {
        let mut model = OdinModel { start: Some(0), ..OdinModel::default() };
        for (node, successors) in successors.iter().enumerate() {
            model.nodes.push(node);
            model.graph.push(BTreeMap::new());
            for (to, event) in *successors {
                let event = EventKey(taproof_screen::determinism::hash_text(event));
                model.graph[node].entry(*to).or_default().insert(event);
            }
        }
        model
    }
}
