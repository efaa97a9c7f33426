//! The state graph of an engine, laid out for display. States are arranged in layers by their distance from the start;
//! equal graphs have equal layouts. Includes the search and the selection.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::state::CampaignId;
use taproof_engine::{State, StateGraph, StateId};
use taproof_screen::{WidgetIdx, event_sentence, one_line};

/// An engine of a campaign: the campaign's id and the engine's index.
pub type GraphOf = (CampaignId, usize);

/// Minimum of the longest row's limit, in states.
const MAX_ROW: usize = 24;
/// Ratio of width to height of a large graph, in states. States are twice as high as wide, so it fits a window of 3 to
/// 1.
const WIDTH_TO_HEIGHT: f64 = 6.0;
/// Maximum number of transitions, and of texts, that are shown of a state.
const MOST_TOLD: usize = 60;

/// A command about the shown state graph.
#[derive(Clone, Debug, PartialEq)]
pub enum GraphCommand {
    /// Searches for states whose activity or texts contain this text.
    Search(String),
    /// Selects the next match.
    NextHit,
    /// Selects a state, or none.
    Select(Option<StateId>),
    /// Selects a state and centres it.
    Show(StateId),
}

/// A graph with its layout.
#[derive(Debug)]
pub struct GraphView {
    /// The states and transitions.
    pub graph: Arc<StateGraph>,
    /// The rows from top to bottom. A layer of states at the same distance takes one or more rows.
    pub rows: Vec<GraphRow>,
    /// The row and the column of each state.
    pub places: Vec<(u32, u32)>,
    /// The state from which each was first reached; the state itself if nothing leads there from an earlier one.
    pub parents: Vec<StateId>,
    /// The searchable text of each state in lower case: its activity, then its texts.
    shown: Vec<String>,
}

/// States side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphRow {
    /// Minimum number of events from the start.
    pub distance: u32,
    /// The states from left to right.
    pub states: Vec<StateId>,
}

/// What is shown of the state graphs.
#[derive(Debug, Default)]
pub struct GraphState {
    /// The shown graph and its engine.
    pub view: Option<(GraphOf, Arc<GraphView>)>,
    /// When a graph was last requested from an engine, in seconds of the window's clock.
    pub(super) asked: Option<f64>,
    /// The graph that is being laid out, and its engine.
    arranging: Option<(GraphOf, Arc<StateGraph>)>,
    /// The state whose details are shown.
    pub selected: Option<StateId>,
    /// The details of the selected state.
    pub summary: StateSummary,
    /// The text that is searched for.
    pub query: String,
    /// The states that match it.
    pub hits: Vec<StateId>,
    /// Index of the current match.
    pub hit: usize,
    /// Incremented whenever a state is to be centred.
    pub centred: u64,
}

/// The details of a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateSummary {
    /// The first outgoing transitions.
    pub steps: Vec<GraphStep>,
    /// Number of all outgoing transitions.
    pub all_steps: usize,
    /// The first different texts of its widgets.
    pub texts: Vec<String>,
    /// Number of all different texts.
    pub all_texts: usize,
    /// The usable widgets on its screen of which no event has touched one of the kind.
    pub untouched: Vec<WidgetIdx>,
}

/// An outgoing transition of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphStep {
    /// The event, as a sentence.
    pub sentence: String,
    /// The state that the event led to.
    pub to: StateId,
    /// How often an event led from the one state to the other.
    pub count: u64,
}

impl GraphView {
    /// Lays a graph out by breadth-first search from all states that no earlier state leads to. Within a layer the
    /// states of an activity stand together, in the order of their parents; wide layers are wrapped into several rows.
    pub fn of(graph: Arc<StateGraph>) -> GraphView {
        let count = graph.len();
        let mut layers: Vec<Vec<StateId>> = Vec::new();
        let mut parents: Vec<Option<StateId>> = vec![None; count];
        // All roots start together, since one that is met only later would split the layers.
        let reached: Vec<bool> = {
            let mut reached = vec![false; count];
            let targets = graph.transitions().keys().filter(|(from, to)| from < to);
            targets.for_each(|(_, to)| reached[to.0 as usize] = true);
            reached
        };
        let mut activities: BTreeMap<&str, usize> = BTreeMap::new();
        for (place, state) in graph.states().iter().enumerate() {
            activities.entry(state.layout.activity()).or_insert(place);
        }
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
            next.sort_by_key(|id| activities.get(&**graph.state(*id).layout.activity()));
            layers.push(std::mem::replace(&mut layer, next));
        }
        let shown = graph.states().iter().map(shown_words).collect();
        let longest = (count as f64 * WIDTH_TO_HEIGHT).sqrt() as usize;
        let longest = longest.max(MAX_ROW);
        let places = vec![(0, 0); count];
        let mut view = GraphView { graph, rows: Vec::new(), places, parents: Vec::new(), shown };
        view.parents = parents.iter().enumerate().map(|(at, it)| it.unwrap_or(StateId(at as u32))).collect();
        for (distance, layer) in layers.iter().enumerate() {
            // Rows of equal length look better than full rows and a remainder.
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

    /// Number of states in the longest row.
    pub fn width(&self) -> usize {
        self.rows.iter().map(|row| row.states.len()).max().unwrap_or(0)
    }

    /// Returns the state with this id.
    pub fn state(&self, id: StateId) -> Option<&State> {
        self.graph.states().get(id.0 as usize)
    }

    /// Collects the details of a state.
    fn summary(&self, id: StateId) -> StateSummary {
        let Some(state) = self.state(id) else { return StateSummary::default() };
        let from_here = self.graph.transitions().range((id, StateId(0))..=(id, StateId(u32::MAX)));
        let step = |((_, to), transition): (&(StateId, StateId), &taproof_engine::Transition)| GraphStep {
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
        StateSummary {
            steps: from_here.take(MOST_TOLD).map(step).collect(),
            all_steps: state.successors.len(),
            texts,
            all_texts: seen.len(),
            untouched: self.graph.untouched(id),
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
    /// Whether this graph is shown or being laid out.
    pub fn knows(&self, of: GraphOf, graph: &Arc<StateGraph>) -> bool {
        let same = |known: &Arc<StateGraph>, whose: GraphOf| whose == of && Arc::ptr_eq(known, graph);
        self.view.as_ref().is_some_and(|(whose, view)| same(&view.graph, *whose))
            || self.arranging.as_ref().is_some_and(|(whose, known)| same(known, *whose))
    }

    /// Records that a graph is being laid out.
    pub fn arranging(&mut self, of: GraphOf, graph: &Arc<StateGraph>) {
        self.arranging = Some((of, Arc::clone(graph)));
    }

    /// Shows a graph. The selection is cleared if it belongs to another engine. Returns the graph shown before, so that
    /// it can be dropped elsewhere, which takes a while for large graphs.
    pub fn take(&mut self, of: GraphOf, view: Arc<GraphView>) -> Option<Arc<GraphView>> {
        self.arranging = None;
        if self.view.as_ref().is_none_or(|(whose, _)| *whose != of) {
            self.selected = None;
        }
        let before = self.view.replace((of, view));
        self.find();
        self.summarise();
        before.map(|(_, view)| view)
    }

    /// Whether a graph of this engine is being laid out.
    pub fn arranges(&self, of: GraphOf) -> bool {
        self.arranging.as_ref().is_some_and(|(whose, _)| *whose == of)
    }

    /// Returns the graph of an engine if it is the shown one.
    pub fn shown(&self, of: GraphOf) -> Option<&Arc<GraphView>> {
        self.view.as_ref().filter(|(whose, _)| *whose == of).map(|(_, view)| view)
    }

    /// Executes a command of the graph's panel.
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
        self.summarise();
    }

    fn summarise(&mut self) {
        let view = self.view.as_ref().map(|(_, view)| view);
        self.summary = view.zip(self.selected).map(|(view, id)| view.summary(id)).unwrap_or_default();
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
    use taproof_screen::{Event, Key, LayoutKey, layout_from};

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
        let StateSummary { steps, texts, all_steps, all_texts, untouched } = &state.summary;
        assert_eq!((&texts[..], *all_texts), (&["screen 2".to_owned()][..], 1));
        assert_eq!(untouched[..], [WidgetIdx(0)]);
        assert_eq!((steps.len(), *all_steps, steps[0].to, steps[0].count), (1, 1, StateId(2), 1));
    }
}
