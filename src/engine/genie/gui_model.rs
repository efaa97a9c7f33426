//! The mined GUI model (paper.md, section 3): which event leads from which state to which. Nodes are abstract ids. Of
//! the events on one edge that perform the same action on the same kind of widget, only the first is stored.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::oracle::layout_effects::{LabelBasis, property_key};
use taproof_screen::{CandidateAction, Layout, LayoutKey, Same, WidgetIdx};

/// Number of a layout that is stored in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LayoutNo(u32);

/// An event that a layout offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Act {
    /// An action on a widget.
    On(CandidateAction, WidgetIdx),
    /// Pressing the Back key.
    Back,
}

/// An event as it was performed on a layout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelEvent {
    /// The event, and the widget of the layout that received it.
    pub act: Act,
    /// The layout on which it was performed.
    pub layout: LayoutNo,
    /// The text that was typed; empty if none was.
    pub text: String,
}

/// The class of an event: the action without its direction, and the property key of the receiver. Events of one class
/// on one edge count as the same.
pub type EventClass = (u64, u64);

/// A state: its first layout, and the edges from it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ModelNode {
    /// The first layout seen in this state.
    pub layout: LayoutNo,
    /// The edges: for each target state, the events that led there.
    pub edges: BTreeMap<LayoutKey, BTreeMap<EventClass, ModelEvent>>,
}

/// The mined model: states, the events that lead from one to another, and the layouts they were seen on.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct GuiModel {
    layouts: Vec<Arc<Layout>>,
    known: BTreeMap<LayoutKey, LayoutNo>,
    nodes: BTreeMap<LayoutKey, ModelNode>,
}

impl GuiModel {
    /// Stores a layout, unless an equal one is stored already; returns its number.
    pub fn keep(&mut self, layout: &Arc<Layout>) -> LayoutNo {
        let next = LayoutNo(self.layouts.len() as u32);
        let number = *self.known.entry(layout.key(Same::Exact)).or_insert(next);
        if number == next {
            self.layouts.push(Arc::clone(layout));
        }
        number
    }

    /// The stored layout of this number. The number must come from this model.
    pub fn layout(&self, number: LayoutNo) -> &Arc<Layout> {
        &self.layouts[number.0 as usize]
    }

    /// Adds the state of a layout, if it is new, and returns its id.
    pub fn see(&mut self, layout: &Arc<Layout>, basis: LabelBasis) -> LayoutKey {
        let id = basis.abstract_id(layout);
        if !self.nodes.contains_key(&id) {
            let layout = self.keep(layout);
            self.nodes.insert(id, ModelNode { layout, edges: BTreeMap::new() });
        }
        id
    }

    /// Adds a transition: the act on the layout `from` led to `to`. Of events of one class on one edge only the first
    /// is stored.
    pub fn add(&mut self, from: &Arc<Layout>, (act, text): (Act, &str), to: &Arc<Layout>, basis: LabelBasis) {
        let (source, target) = (self.see(from, basis), self.see(to, basis));
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
}

/// The class of an act on a layout.
pub fn event_class(layout: &Layout, act: Act) -> EventClass {
    match act {
        Act::On(CandidateAction::Tap, widget) => (1, property_key(layout.widget(widget))),
        Act::On(CandidateAction::LongPress, widget) => (2, property_key(layout.widget(widget))),
        Act::On(CandidateAction::SetText, widget) => (3, property_key(layout.widget(widget))),
        Act::On(CandidateAction::Scroll(_), widget) => (4, property_key(layout.widget(widget))),
        Act::Back => (5, 0),
    }
}
