//! The mined GUI model (genie.md 1 and 2): which event leads from which state to which. Nodes are abstract ids; of
//! the events of one edge that do the same to the same kind of widget the first is kept.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::model::{Abstraction, CandidateAction, LabelBasis, Layout, LayoutKey, WidgetIdx, property_key};

/// A layout that the model remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LayoutNo(u32);

/// What can be done on a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Act {
    /// Something is done to a widget.
    On(CandidateAction, WidgetIdx),
    /// The Back key.
    Back,
}

/// An event as it was performed on a layout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelEvent {
    /// What was done.
    pub act: Act,
    /// The layout that it was done on.
    pub layout: LayoutNo,
    /// What was typed.
    pub text: String,
}

/// What two events of one edge have in common that are the same: what is done, not in which direction, and the kind
/// of receiver.
pub type EventClass = (u64, u64);

/// A state: its first layout, and what leads on from it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ModelNode {
    /// The first layout seen of it.
    pub layout: LayoutNo,
    /// Target, and the events that led there.
    pub edges: BTreeMap<LayoutKey, BTreeMap<EventClass, ModelEvent>>,
}

/// What a model holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModelCounts {
    /// Concrete ids, edges between them, events performed.
    pub concrete: (usize, usize, usize),
    /// Abstract ids, edges between them, events that are told apart.
    pub abstracted: (usize, usize, usize),
    /// Edges that lead back to where they begin: concrete, abstract.
    pub loops: (usize, usize),
}

/// The mined model.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct GuiModel {
    layouts: Vec<Arc<Layout>>,
    known: BTreeMap<LayoutKey, LayoutNo>,
    nodes: BTreeMap<LayoutKey, ModelNode>,
    concrete: BTreeSet<LayoutKey>,
    concrete_edges: BTreeSet<(LayoutKey, LayoutKey)>,
    events: usize,
}

impl GuiModel {
    /// Remembers a layout.
    pub fn keep(&mut self, layout: &Arc<Layout>) -> LayoutNo {
        let next = LayoutNo(self.layouts.len() as u32);
        let number = *self.known.entry(layout.key(Abstraction::Exact)).or_insert(next);
        if number == next {
            self.layouts.push(Arc::clone(layout));
        }
        number
    }

    /// A remembered layout.
    pub fn layout(&self, number: LayoutNo) -> &Arc<Layout> {
        &self.layouts[number.0 as usize]
    }

    /// A layout was seen.
    pub fn see(&mut self, layout: &Arc<Layout>, basis: LabelBasis) -> LayoutKey {
        let id = basis.abstract_id(layout);
        self.concrete.insert(basis.concrete_id(layout));
        if !self.nodes.contains_key(&id) {
            let layout = self.keep(layout);
            self.nodes.insert(id, ModelNode { layout, edges: BTreeMap::new() });
        }
        id
    }

    /// Something was done on a layout and led to another one.
    pub fn add(&mut self, from: &Arc<Layout>, (act, text): (Act, &str), to: &Arc<Layout>, basis: LabelBasis) {
        let (source, target) = (self.see(from, basis), self.see(to, basis));
        self.concrete_edges.insert((basis.concrete_id(from), basis.concrete_id(to)));
        self.events += 1;
        let class = event_class(from, act);
        let known = |node: &ModelNode| node.edges.get(&target).is_some_and(|edge| edge.contains_key(&class));
        if self.nodes.get(&source).is_some_and(known) {
            return;
        }
        let event = ModelEvent { act, layout: self.keep(from), text: text.to_owned() };
        if let Some(node) = self.nodes.get_mut(&source) {
            node.edges.entry(target).or_default().insert(class, event);
        }
    }

    /// The states in order of their ids.
    pub fn nodes(&self) -> &BTreeMap<LayoutKey, ModelNode> {
        &self.nodes
    }

    /// What it holds.
    pub fn counts(&self) -> ModelCounts {
        let edges = || self.nodes.iter().flat_map(|(id, node)| node.edges.iter().map(move |edge| (id, edge)));
        ModelCounts {
            concrete: (self.concrete.len(), self.concrete_edges.len(), self.events),
            abstracted: (
                self.nodes.len(),
                edges().count(),
                edges().map(|(_, (_, events))| events.len()).sum(),
            ),
            loops: (
                self.concrete_edges.iter().filter(|(from, to)| from == to).count(),
                edges().filter(|(from, (to, _))| from == to).count(),
            ),
        }
    }
}

/// What makes two events of one edge the same.
pub fn event_class(layout: &Layout, act: Act) -> EventClass {
    match act {
        Act::On(CandidateAction::Tap, widget) => (1, property_key(layout.widget(widget))),
        Act::On(CandidateAction::LongPress, widget) => (2, property_key(layout.widget(widget))),
        Act::On(CandidateAction::SetText, widget) => (3, property_key(layout.widget(widget))),
        Act::On(CandidateAction::Scroll(_), widget) => (4, property_key(layout.widget(widget))),
        Act::Back => (5, 0),
    }
}
