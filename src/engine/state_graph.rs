//! The screens seen so far, and how events led from one to another. Which layouts count as the same screen is
//! determined by the key that the caller observes with.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use taproof_screen::determinism::HashBuffer;
use taproof_screen::{
    Candidate, CandidateAction, Event, EventKey, Layout, LayoutKey, WidgetIdx, candidates, event_key,
    touched_widget,
};

/// Maximum number of states that are stored; further screens are ignored.
const MAX_STATES: usize = 100_000;

/// Index of a state in its graph; the first one seen is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StateId(pub u32);

/// A directed graph of states, bounded by the number of different screens.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct StateGraph {
    states: Vec<State>,
    by_key: BTreeMap<LayoutKey, StateId>,
    transitions: BTreeMap<(StateId, StateId), Transition>,
    current: Option<StateId>,
    /// The kinds of widgets that events were performed on.
    touched: BTreeSet<EventKey>,
    /// The kinds of usable widgets, each where it was first seen.
    usable: BTreeMap<EventKey, (StateId, WidgetIdx)>,
}

/// One screen: all layouts with one key.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct State {
    /// The key that its layouts share.
    pub key: LayoutKey,
    /// The first layout seen in this state.
    pub layout: Arc<Layout>,
    /// How often it was entered, including restores; staying in it does not count.
    pub visits: u64,
    /// The other states that events led to from here, in order.
    pub successors: Vec<StateId>,
}

/// How events led from one state to another one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Transition {
    /// The first of the events that made this transition.
    pub event: Event,
    /// Number of events that made this transition.
    pub count: u64,
}

impl StateGraph {
    /// Enters the state with this key, by this event if one was sent. Staying in a state is neither a visit nor a
    /// transition (`timemachine/paper.md`, section 10, trap 2). Returns whether the state is seen for the first time.
    pub fn observe(&mut self, key: LayoutKey, layout: &Arc<Layout>, event: Option<&Event>) -> bool {
        let known = self.by_key.get(&key).copied();
        let Some(id) = known.or_else(|| self.add(key, layout)) else {
            self.current = None;
            return false;
        };
        if let Some(from) = self.current.filter(|from| *from != id)
            && let Some(event) = event
        {
            self.connect(from, id, event);
        }
        if self.current.replace(id) != Some(id) {
            self.states[id.0 as usize].visits += 1;
        }
        known.is_none()
    }

    fn add(&mut self, key: LayoutKey, layout: &Arc<Layout>) -> Option<StateId> {
        let id = StateId(self.states.len() as u32);
        (self.states.len() < MAX_STATES).then(|| {
            for idx in usable_widgets(layout) {
                self.usable.entry(kind_key(layout, idx)).or_insert((id, idx));
            }
            self.by_key.insert(key, id);
            self.states.push(State { key, layout: Arc::clone(layout), visits: 0, successors: Vec::new() });
            id
        })
    }

    fn connect(&mut self, from: StateId, to: StateId, event: &Event) {
        let fresh = || Transition { event: event.clone(), count: 0 };
        let transition = self.transitions.entry((from, to)).or_insert_with(fresh);
        transition.count += 1;
        let successors = &mut self.states[from.0 as usize].successors;
        if let Err(place) = successors.binary_search(&to) {
            successors.insert(place, to);
        }
    }

    /// Notes which widget of this layout an event is performed on, in whatever state.
    pub fn touch(&mut self, event: &Event, before: &Layout) {
        let Some(touched) = touched_widget(event, before) else { return };
        let is_usable = |idx: &WidgetIdx| {
            let widget = before.widget(*idx);
            widget.clickable() || widget.long_clickable() || widget.is_editable()
        };
        let receiver = std::iter::once(touched).chain(before.ancestors(touched)).find(is_usable);
        self.touched.extend(receiver.map(|idx| kind_key(before, idx)));
    }

    /// The usable widgets on a state's screen of which no event has ever touched one of the kind: on the same activity
    /// with the same id and description, or without an id in the same place of the screen.
    pub fn untouched(&self, id: StateId) -> Vec<WidgetIdx> {
        let Some(state) = self.states.get(id.0 as usize) else { return Vec::new() };
        let untouched = |idx: &WidgetIdx| !self.touched.contains(&kind_key(&state.layout, *idx));
        usable_widgets(&state.layout).into_iter().filter(untouched).collect()
    }

    /// The kinds of usable widgets that were touched.
    pub fn touched_kinds(&self) -> &BTreeSet<EventKey> {
        &self.touched
    }

    /// The kinds of usable widgets, each with the layout on which it was first seen and the widget there.
    pub fn usable_kinds(&self) -> impl Iterator<Item = (EventKey, &Arc<Layout>, WidgetIdx)> {
        let first = |(key, (id, idx)): (&EventKey, &(StateId, WidgetIdx))| {
            Some((*key, &self.states.get(id.0 as usize)?.layout, *idx))
        };
        self.usable.iter().filter_map(first)
    }

    /// Forgets the current state, because the app was started or left: the next screen is not the result of an event in
    /// it.
    pub fn leave(&mut self) {
        self.current = None;
    }

    /// Enters a state that the device restored. This counts as a visit, so that a choice by visits changes.
    pub fn go_back_to(&mut self, id: StateId) {
        if let Some(state) = self.states.get_mut(id.0 as usize) {
            state.visits += 1;
            self.current = Some(id);
        }
    }

    /// The states in the order in which they were first seen.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// The current state of the app; `None` if it is unknown.
    pub fn current(&self) -> Option<StateId> {
        self.current
    }

    /// The state with this key, if it is known.
    pub fn find(&self, key: LayoutKey) -> Option<StateId> {
        self.by_key.get(&key).copied()
    }

    /// The state with this id, which must come from this graph.
    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.0 as usize]
    }

    /// Number of states in the graph.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there are no states yet.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The transitions between different states, in order.
    pub fn transitions(&self) -> &BTreeMap<(StateId, StateId), Transition> {
        &self.transitions
    }
}

/// The widgets that can be tapped, pressed or typed into, in the order of the layout.
fn usable_widgets(layout: &Layout) -> BTreeSet<WidgetIdx> {
    let used = |candidate: &Candidate| !matches!(candidate.action, CandidateAction::Scroll(_));
    candidates(layout, layout.package()).into_iter().filter(used).map(|candidate| candidate.widget).collect()
}

/// What a widget has in common with those of its kind.
fn kind_key(layout: &Layout, widget: WidgetIdx) -> EventKey {
    let mut hasher = HashBuffer::default();
    hasher.text(layout.activity());
    hasher.u64(event_key(layout, Candidate { widget, action: CandidateAction::Tap }).0);
    EventKey(hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{Gesture, Key, Selector, TouchTarget, layout_from};

    #[test]
    fn a_widget_is_untouched_until_an_event_touches_one_of_its_kind() {
        let first = Arc::new(layout_from("FrameLayout\n  Button#a \"1\"\n  Button#b\n  TextView#c\n"));
        let second = Arc::new(layout_from("FrameLayout\n  Button#a \"2\"\n  Button#d\n"));
        let mut graph = StateGraph::default();
        graph.observe(LayoutKey(1), &first, None);
        let untouched = |graph: &StateGraph, id| -> Vec<u32> {
            graph.untouched(StateId(id)).into_iter().map(|idx| idx.0).collect()
        };
        assert_eq!(untouched(&graph, 0), [1, 2], "a text cannot be used");
        let target = TouchTarget {
            selector: Selector::default(),
            at: first.widget(WidgetIdx(1)).bounds.center(),
            screen: first.screen(),
        };
        let tap = Event::Widget { target, gesture: Gesture::Tap };
        graph.touch(&tap, &first);
        graph.observe(LayoutKey(2), &second, Some(&tap));
        assert_eq!((untouched(&graph, 0), untouched(&graph, 1)), (vec![2], vec![2]), "the other is its like");
        graph.touch(&Event::Key(Key::Back), &second);
        assert_eq!(graph.usable_kinds().filter(|(key, ..)| !graph.touched_kinds().contains(key)).count(), 2);
        assert!(untouched(&graph, 9).is_empty());
    }

    #[test]
    fn staying_is_no_transition_and_going_back_leaves_no_false_edge() {
        let layout = Arc::new(layout_from("Button#a\n"));
        let (back, mut graph) = (Event::Key(Key::Back), StateGraph::default());
        let see = |graph: &mut StateGraph, key, event| graph.observe(LayoutKey(key), &layout, event);
        assert!(see(&mut graph, 1, None));
        assert!(see(&mut graph, 2, Some(&back)));
        assert!(!see(&mut graph, 2, Some(&back)));
        assert!(see(&mut graph, 3, Some(&back)));
        graph.go_back_to(StateId(0));
        assert!(!see(&mut graph, 2, Some(&back)));
        graph.leave();
        assert!(!see(&mut graph, 3, None));
        let edges: Vec<(u32, u32, u64)> =
            graph.transitions().iter().map(|((from, to), edge)| (from.0, to.0, edge.count)).collect();
        assert_eq!(edges, [(0, 1, 2), (1, 2, 1)]);
        let visits: Vec<u64> = graph.states().iter().map(|state| state.visits).collect();
        assert_eq!(visits, [2, 2, 2]);
        assert_eq!(graph.state(StateId(0)).successors, [StateId(1)]);
    }
}
