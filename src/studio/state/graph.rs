//! The states that an engine saw, arranged for the eye: in layers by how far they are from the start, always alike
//! for the same graph, with what was searched and chosen.

use std::collections::BTreeSet;
use std::sync::Arc;

use taproof_core::engine::{State, StateGraph, StateId};
use taproof_core::model::{event_sentence, one_line};

use super::campaigns::CampaignId;

/// Which engine of which campaign.
pub type GraphOf = (CampaignId, usize);

/// States that one row holds at most, while there are few.
const MAX_ROW: usize = 24;
/// How much wider than high a graph of many states is, in states: as a window is whose states are twice as high
/// as wide.
const WIDTH_TO_HEIGHT: f64 = 6.0;
/// Transitions and texts that are told of one state.
const MOST_TOLD: usize = 60;

/// What panels ask of the graph.
#[derive(Clone, Debug, PartialEq)]
pub enum GraphCommand {
    /// Marks the states whose activity or texts contain this.
    Search(String),
    /// Goes to the next of them.
    NextHit,
    /// Shows a state, or none.
    Select(Option<StateId>),
    /// Shows a state and brings it into the middle.
    Show(StateId),
}

/// A graph that is arranged.
#[derive(Debug)]
pub struct GraphView {
    /// The states.
    pub graph: Arc<StateGraph>,
    /// The rows from the top: each state of a layer is as far from the start.
    pub rows: Vec<GraphRow>,
    /// The row and the place in it of each state.
    pub places: Vec<(u32, u32)>,
    /// From which state each was reached first; itself where a launch led to it.
    pub parents: Vec<StateId>,
    /// What each shows, its activity first: in small letters, to be searched.
    shown: Vec<String>,
}

/// States side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphRow {
    /// Events from the start, at least.
    pub distance: u32,
    /// The states, from the left.
    pub states: Vec<StateId>,
}

/// What is shown of the states.
#[derive(Debug, Default)]
pub struct GraphState {
    /// The graph that is shown, and whose it is.
    pub view: Option<(GraphOf, Arc<GraphView>)>,
    /// The one that is being arranged.
    arranging: Option<(GraphOf, Arc<StateGraph>)>,
    /// The state that is shown large.
    pub selected: Option<StateId>,
    /// What is told of it.
    pub told: StateTold,
    /// What was searched.
    pub query: String,
    /// The states that match it.
    pub hits: Vec<StateId>,
    /// Which of them is in the middle.
    pub hit: usize,
    /// Grows with each wish to bring a state into the middle.
    pub centred: u64,
}

/// What is told of a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateTold {
    /// Where events led from it: the first ones.
    pub steps: Vec<GraphStep>,
    /// How many there are.
    pub all_steps: usize,
    /// What its widgets say, each once: the first ones.
    pub texts: Vec<String>,
    /// How many there are.
    pub all_texts: usize,
}

/// An event that led on from a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphStep {
    /// In words.
    pub sentence: String,
    /// Where it led.
    pub to: StateId,
    /// How often.
    pub count: u64,
}

impl GraphView {
    /// Arranges a graph: breadth first from the first state, and from what was reached from nowhere; each layer in
    /// the order of its parents, wrapped where it is wide.
    pub fn of(graph: Arc<StateGraph>) -> GraphView {
        let count = graph.len();
        let mut layers: Vec<Vec<StateId>> = Vec::new();
        let mut parents: Vec<Option<StateId>> = vec![None; count];
        // A root that is met only later would split the layers: all start together.
        let reached: Vec<bool> = {
            let mut reached = vec![false; count];
            let targets = graph.transitions().keys().filter(|(from, to)| from < to);
            targets.for_each(|(_, to)| reached[to.0 as usize] = true);
            reached
        };
        let all = (0..count as u32).map(StateId);
        let mut layer: Vec<StateId> = all.filter(|id| !reached[id.0 as usize]).collect();
        layer.iter().for_each(|id| parents[id.0 as usize] = Some(*id));
        while !layer.is_empty() {
            let mut next = Vec::new();
            for from in &layer {
                for to in &graph.state(*from).successors {
                    let parent = &mut parents[to.0 as usize];
                    if parent.is_none() {
                        *parent = Some(*from);
                        next.push(*to);
                    }
                }
            }
            layers.push(std::mem::replace(&mut layer, next));
        }
        let shown = graph.states().iter().map(shown_words).collect();
        let longest = (count as f64 * WIDTH_TO_HEIGHT).sqrt() as usize;
        let longest = longest.max(MAX_ROW);
        let places = vec![(0, 0); count];
        let mut view = GraphView { graph, rows: Vec::new(), places, parents: Vec::new(), shown };
        view.parents = parents.iter().enumerate().map(|(at, it)| it.unwrap_or(StateId(at as u32))).collect();
        for (distance, layer) in layers.iter().enumerate() {
            // Rows of equal length look better than full ones and a rest.
            let rows = layer.len().div_ceil(longest).max(1);
            for states in layer.chunks(layer.len().div_ceil(rows).max(1)) {
                let row = view.rows.len() as u32;
                for (column, id) in states.iter().enumerate() {
                    view.places[id.0 as usize] = (row, column as u32);
                }
                view.rows.push(GraphRow { distance: distance as u32, states: states.to_vec() });
            }
        }
        view
    }

    /// The states of the longest row.
    pub fn width(&self) -> usize {
        self.rows.iter().map(|row| row.states.len()).max().unwrap_or(0)
    }

    /// The state of that number, if there is one.
    pub fn state(&self, id: StateId) -> Option<&State> {
        self.graph.states().get(id.0 as usize)
    }

    /// What is told of a state.
    fn told(&self, id: StateId) -> StateTold {
        let Some(state) = self.state(id) else { return StateTold::default() };
        let from_here = self.graph.transitions().range((id, StateId(0))..=(id, StateId(u32::MAX)));
        let step =
            |((_, to), transition): (&(StateId, StateId), &taproof_core::engine::Transition)| GraphStep {
                sentence: event_sentence(&transition.event, &state.layout),
                to: *to,
                count: transition.count,
            };
        let (mut seen, mut texts) = (BTreeSet::new(), Vec::new());
        for (_, widget) in state.layout.iter() {
            for text in [&widget.text, &widget.content_desc] {
                let text = one_line(text);
                if !text.is_empty() && seen.insert(text.clone()) {
                    texts.push(text);
                }
            }
        }
        texts.truncate(MOST_TOLD);
        StateTold {
            steps: from_here.take(MOST_TOLD).map(step).collect(),
            all_steps: state.successors.len(),
            texts,
            all_texts: seen.len(),
        }
    }
}

fn shown_words(state: &State) -> String {
    let mut words = state.layout.activity().to_lowercase();
    for (_, widget) in state.layout.iter() {
        for text in [&widget.text, &widget.content_desc] {
            if !text.is_empty() {
                words.push('\n');
                words.push_str(&text.to_lowercase());
            }
        }
    }
    words
}

impl GraphState {
    /// Whether this graph is shown, or about to be.
    pub fn knows(&self, of: GraphOf, graph: &Arc<StateGraph>) -> bool {
        let same = |known: &Arc<StateGraph>, whose: GraphOf| whose == of && Arc::ptr_eq(known, graph);
        self.view.as_ref().is_some_and(|(whose, view)| same(&view.graph, *whose))
            || self.arranging.as_ref().is_some_and(|(whose, known)| same(known, *whose))
    }

    /// It is being arranged.
    pub fn arranging(&mut self, of: GraphOf, graph: &Arc<StateGraph>) {
        self.arranging = Some((of, Arc::clone(graph)));
    }

    /// Shows a graph; what was chosen of another engine's is forgotten. Returns what was shown before: as large as it
    /// is, freeing it takes a while.
    pub fn take(&mut self, of: GraphOf, view: Arc<GraphView>) -> Option<Arc<GraphView>> {
        self.arranging = None;
        if self.view.as_ref().is_none_or(|(whose, _)| *whose != of) {
            self.selected = None;
        }
        let before = self.view.replace((of, view));
        self.find();
        self.tell();
        before.map(|(_, view)| view)
    }

    /// The graph of an engine, once it is arranged.
    pub fn shown(&self, of: GraphOf) -> Option<&Arc<GraphView>> {
        self.view.as_ref().filter(|(whose, _)| *whose == of).map(|(_, view)| view)
    }

    /// Does what was asked for.
    pub fn run(&mut self, command: GraphCommand) {
        match command {
            GraphCommand::Search(query) => {
                self.query = query;
                self.hit = 0;
                self.find();
                self.show_hit();
            }
            GraphCommand::NextHit => {
                self.hit = (self.hit + 1).checked_rem(self.hits.len()).unwrap_or(0);
                self.show_hit();
            }
            GraphCommand::Select(state) => self.selected = state,
            GraphCommand::Show(state) => {
                self.selected = Some(state);
                self.centred += 1;
            }
        }
        self.tell();
    }

    fn tell(&mut self) {
        let view = self.view.as_ref().map(|(_, view)| view);
        self.told = view.zip(self.selected).map(|(view, id)| view.told(id)).unwrap_or_default();
    }

    fn show_hit(&mut self) {
        if let Some(hit) = self.hits.get(self.hit) {
            self.selected = Some(*hit);
            self.centred += 1;
        }
    }

    fn find(&mut self) {
        let query = self.query.trim().to_lowercase();
        let Some((_, view)) = self.view.as_ref().filter(|_| !query.is_empty()) else {
            self.hits.clear();
            return;
        };
        let hits = view.shown.iter().enumerate().filter(|(_, words)| words.contains(&query));
        self.hits = hits.map(|(at, _)| StateId(at as u32)).collect();
        self.hit = self.hit.min(self.hits.len().saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_core::model::{Event, Key, LayoutKey, layout_from};

    /// `1>2>3 1>4`: walks from launches, states by their keys.
    fn graph(walks: &str) -> Arc<StateGraph> {
        let mut graph = StateGraph::default();
        for walk in walks.split(' ') {
            graph.leave();
            for (at, key) in walk.split('>').enumerate() {
                let key: u64 = key.parse().unwrap();
                let layout = Arc::new(layout_from(&format!("Button#b{key} \"screen {key}\"\n")));
                let event = (at > 0).then_some(Event::Key(Key::Back));
                graph.observe(LayoutKey(key), &layout, event.as_ref());
            }
        }
        Arc::new(graph)
    }

    fn rows(view: &GraphView) -> Vec<(u32, Vec<u32>)> {
        view.rows.iter().map(|row| (row.distance, row.states.iter().map(|id| id.0).collect())).collect()
    }

    #[test]
    fn layers_are_as_far_from_the_start_and_always_alike() {
        let walks = "1>2>3>1 1>4>3 9>5";
        let view = GraphView::of(graph(walks));
        assert_eq!(rows(&view), [(0, vec![0, 4]), (1, vec![1, 3, 5]), (2, vec![2])]);
        assert_eq!(rows(&view), rows(&GraphView::of(graph(walks))));
        assert_eq!((view.parents[2], view.parents[4]), (StateId(1), StateId(4)));
        let wide: Vec<String> = (2..52).map(|key| format!("1>{key}")).collect();
        let view = GraphView::of(graph(&wide.join(" ")));
        assert_eq!(view.rows.iter().map(|row| row.states.len()).collect::<Vec<_>>(), [1, 17, 17, 16]);
        assert!(view.width() <= MAX_ROW);
        let many: Vec<String> = (2..3002).map(|key| format!("1>{key}")).collect();
        let view = GraphView::of(graph(&many.join(" ")));
        assert_eq!(
            (view.width(), view.rows.len()),
            (131, 24),
            "a graph of many states is as wide as a window"
        );
    }

    #[test]
    fn search_marks_the_states_that_show_the_words() {
        let mut state = GraphState::default();
        let of = (CampaignId(1), 0);
        state.take(of, Arc::new(GraphView::of(graph("1>2>31"))));
        state.run(GraphCommand::Search("SCREEN 3".into()));
        assert_eq!(
            (state.hits.clone(), state.selected, state.centred),
            (vec![StateId(2)], Some(StateId(2)), 1)
        );
        state.run(GraphCommand::Search("screen".into()));
        state.run(GraphCommand::NextHit);
        assert_eq!((state.hits.len(), state.selected), (3, Some(StateId(1))));
        let StateTold { steps, texts, all_steps, all_texts } = &state.told;
        assert_eq!((&texts[..], *all_texts), (&["screen 2".to_owned()][..], 1));
        assert_eq!((steps.len(), *all_steps, steps[0].to, steps[0].count), (1, 1, StateId(2), 1));
    }
}
