//! The search for detours (paper.md, section 9): paths of the model that begin on an inactive widget of the pivot and
//! come back to its state.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::config::STATE_BASIS;
use super::groups::{group_of, groups};
use super::gui_model::{Act, EventClass, GuiModel, ModelEvent, ModelNode, event_class};
use crate::oracle::layout_effects::{property_key, row_around};
use taproof_screen::determinism::Rng;
use taproof_screen::{
    CandidateAction, Layout, LayoutKey, Same, Text, WidgetFlags, WidgetIdx, candidates, is_dialog,
};

/// Number of inactive members of one group that a detour may begin with (the paper's; paper.md, section 9).
const VIEWS_PER_GROUP: usize = 3;
/// How often a detour may perform the same event in the same state (the paper's; section 9).
const CYCLE_LIMIT: usize = 2;
/// Number of partial detours that one search expands (section 9).
const SEARCH_POPS: usize = 1000;

/// An event as a mutant plans it, on a layout where it was seen.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Planned {
    /// The event, and the widget of `on` that receives it.
    pub act: Act,
    /// The text to type; empty if none is typed.
    pub text: String,
    /// The layout that the event was seen on.
    #[serde(with = "taproof_screen::archive::layout")]
    pub on: Arc<Layout>,
}

impl Planned {
    /// The class of the event: the action, and the kind of widget.
    pub fn class(&self) -> EventClass {
        event_class(&self.on, self.act)
    }

    /// Whether it changes how the app shows things from then on.
    pub fn switches(&self) -> bool {
        switches(&self.on, self.act)
    }

    /// Whether it touches an object: something with a text in a list. Rows that are not in a list lead to other pages.
    pub fn is_of_object(&self) -> bool {
        let Act::On(_, widget) = self.act else { return false };
        let in_list = self.on.ancestors(widget).any(|around| self.on.widget(around).is_list());
        in_list && !self.shown().is_empty()
    }

    /// The words on the touched widget itself, such as those of a button.
    pub fn label(&self) -> Option<&str> {
        let Act::On(_, widget) = self.act else { return None };
        self.on.widget(widget).says()
    }

    /// The texts in the touched widget, such as those of a row. A button's own text describes what it does.
    pub fn shown(&self) -> BTreeSet<Text> {
        match self.act {
            Act::On(CandidateAction::Tap | CandidateAction::LongPress, widget) => {
                shown_texts(&self.on, widget)
            }
            Act::On(CandidateAction::Scroll(_) | CandidateAction::SetText, _) | Act::Back => BTreeSet::new(),
        }
    }
}

/// Whether an event changes how the app shows things from then on: what is checked, or the position of a list.
fn switches(layout: &Layout, act: Act) -> bool {
    let checks = |idx: WidgetIdx| layout.widget(idx).flags.has(WidgetFlags::CHECKABLE);
    match act {
        Act::On(CandidateAction::Scroll(_), _) => true,
        Act::On(_, widget) => layout.subtree(widget).any(checks),
        Act::Back => false,
    }
}

/// The texts in a widget. A button shows none of its own, but one in a row belongs to the object of the row.
pub fn shown_texts(layout: &Layout, widget: WidgetIdx) -> BTreeSet<Text> {
    let whole = match layout.widget(widget).class.contains("Button") {
        true => row_around(layout, widget).filter(|row| *row != widget),
        false => Some(widget),
    };
    whole.into_iter().flat_map(|whole| layout.texts_in(whole)).cloned().collect()
}

/// The position of a seed test for which detours are searched.
#[derive(Clone, Copy)]
pub struct Pivot<'a> {
    /// The seed test's layout at this position.
    pub layout: &'a Arc<Layout>,
    /// Its usable widgets that are not active.
    pub inactive: &'a [WidgetIdx],
    /// The seed test's event at this position.
    pub next: &'a Planned,
    /// Package name of the app under test.
    pub app: &'a str,
    /// Pages that a detour must not go to, because the pivot's page was opened from them.
    pub behind: &'a BTreeSet<LayoutKey>,
    /// Texts of the objects that the seed test uses.
    pub objects: &'a BTreeSet<Text>,
    /// Texts of what the seed test has chosen before in menus and dialogs.
    pub choices: &'a BTreeSet<Text>,
    /// Classes of events with which the seed test has set something before.
    pub set_before: &'a BTreeSet<EventClass>,
}

/// A partial detour: one step more than another.
struct Partial {
    before: Option<usize>,
    step: Option<Planned>,
    class: (LayoutKey, EventClass),
    state: LayoutKey,
    length: usize,
    /// Number of steps at its end that did not change the state.
    loops: usize,
}

/// Searches detours that fit at a pivot. Returns at most `wanted`, the short ones first.
pub fn detours(
    model: &GuiModel,
    pivot: Pivot<'_>,
    wanted: usize,
    longest: usize,
    rng: &mut Rng,
) -> Vec<Vec<Planned>> {
    let home = STATE_BASIS.abstract_id(pivot.layout);
    if !model.nodes().contains_key(&home) {
        return Vec::new();
    }
    DetourSearch::new(model, pivot, home, longest).run(wanted, rng)
}

struct DetourSearch<'a> {
    model: &'a GuiModel,
    /// Maximum number of events of a detour.
    longest: usize,
    pivot: Pivot<'a>,
    first: Vec<WidgetIdx>,
    partials: Vec<Partial>,
    /// The smallest number of steps to the pivot's state, for each state from which it can be reached.
    left: BTreeMap<LayoutKey, usize>,
}

impl<'a> DetourSearch<'a> {
    fn new(model: &'a GuiModel, pivot: Pivot<'a>, home: LayoutKey, longest: usize) -> Self {
        let next = pivot.next.class();
        let offers = |layout: &Layout| match pivot.next.act {
            Act::Back => true,
            Act::On(..) => offered(layout, pivot.app).contains(&next),
        };
        let fits = model.nodes().get(&home).is_some_and(|node| offers(model.layout(node.layout)));
        let left = if fits { steps_left(model, home) } else { BTreeMap::new() };
        let none =
            Partial { before: None, step: None, class: (home, (0, 0)), state: home, length: 0, loops: 0 };
        DetourSearch { model, longest, pivot, first: Vec::new(), partials: vec![none], left }
    }

    /// Breadth-first search from the pivot's state. Detours that were found are extended as well, since longer ones may
    /// lead through the pivot.
    fn run(mut self, wanted: usize, rng: &mut Rng) -> Vec<Vec<Planned>> {
        self.first = self.first_widgets(rng);
        let mut found = Vec::new();
        // Shortest first, as long as they can still come back. There are far more long ones than can be expanded, so an
        // equal share of each length is chosen at random: otherwise the search would never reach a length of four.
        let share = SEARCH_POPS.div_ceil(self.longest + 1);
        let mut open = vec![0];
        for length in 0..=self.longest {
            let mut longer = Vec::new();
            rng.shuffle(&mut open);
            for at in open.into_iter().take(share) {
                if length > 0 && self.left.get(&self.partials[at].state) == Some(&0) {
                    found.push(self.steps(at));
                    if found.len() >= wanted {
                        return found;
                    }
                }
                for next in self.extended(at) {
                    let left = self.left.get(&next.state).copied().unwrap_or(usize::MAX);
                    if left.saturating_add(next.length) <= self.longest {
                        longer.push(self.partials.len());
                        self.partials.push(next);
                    }
                }
            }
            open = longer;
        }
        found
    }

    fn extended(&self, at: usize) -> Vec<Partial> {
        let from = &self.partials[at];
        let Some(node) = self.model.nodes().get(&from.state) else { return Vec::new() };
        let mut next = Vec::new();
        let leaves = |target: &&LayoutKey| {
            let page =
                self.model.nodes().get(target).map(|node| self.model.layout(node.layout).key(Same::Page));
            page.is_some_and(|page| self.pivot.behind.contains(&page))
        };
        for (target, events) in node.edges.iter().filter(|(target, _)| !leaves(target)) {
            for (class, event) in events {
                let layout = self.model.layout(event.layout);
                if switches(layout, event.act) || self.chosen(event) || self.pivot.set_before.contains(class)
                {
                    continue;
                }
                let step = (from.state, *class);
                let repeats = from.length > 0 && from.class == step;
                let loops = if *target == from.state { from.loops + 1 } else { 0 };
                if repeats || loops >= 3 || self.used(at, step) >= CYCLE_LIMIT {
                    continue;
                }
                let planned = |act: Act, on: &Arc<Layout>| Partial {
                    before: Some(at),
                    step: Some(Planned { act, text: event.text.clone(), on: Arc::clone(on) }),
                    class: step,
                    state: *target,
                    length: from.length + 1,
                    loops,
                };
                match event.act {
                    _ if from.length > 0 => next.push(planned(event.act, self.model.layout(event.layout))),
                    // The first step begins on an inactive widget of the pivot itself: widgets are inactive, not kinds
                    // of widgets (paper.md, section 14, trap 6).
                    Act::On(action, _) => {
                        let layout = self.pivot.layout;
                        let free =
                            |idx: &&WidgetIdx| shown_texts(layout, **idx).is_disjoint(self.pivot.objects);
                        let fitting = self
                            .first
                            .iter()
                            .filter(|idx| property_key(layout.widget(**idx)) == class.1)
                            .filter(free);
                        next.extend(fitting.map(|idx| planned(Act::On(action, *idx), layout)));
                    }
                    Act::Back => {}
                }
            }
        }
        next
    }

    /// Whether an event makes a choice that the seed test has made.
    fn chosen(&self, event: &ModelEvent) -> bool {
        let layout = self.model.layout(event.layout);
        match event.act {
            Act::On(_, widget) if is_dialog(layout) => {
                !shown_texts(layout, widget).is_disjoint(self.pivot.choices)
            }
            _ => false,
        }
    }

    /// How often a partial detour has performed the same event in the same state.
    fn used(&self, at: usize, step: (LayoutKey, EventClass)) -> usize {
        let before = |partial: &&Partial| partial.before.map(|before| &self.partials[before]);
        std::iter::successors(Some(&self.partials[at]), before)
            .filter(|partial| partial.length > 0 && partial.class == step)
            .count()
    }

    fn steps(&self, at: usize) -> Vec<Planned> {
        let before = |partial: &&Partial| partial.before.map(|before| &self.partials[before]);
        let mut steps: Vec<Planned> = std::iter::successors(Some(&self.partials[at]), before)
            .filter_map(|partial| partial.step.clone())
            .collect();
        steps.reverse();
        steps
    }

    /// The inactive widgets that a detour may begin with: a few of each group at random, and those without a group.
    fn first_widgets(&self, rng: &mut Rng) -> Vec<WidgetIdx> {
        let layout = self.pivot.layout;
        let groups = groups(layout);
        let mut by_group: BTreeMap<Option<WidgetIdx>, Vec<WidgetIdx>> = BTreeMap::new();
        for idx in self.pivot.inactive {
            by_group.entry(group_of(layout, &groups, *idx)).or_default().push(*idx);
        }
        let mut first = by_group.remove(&None).unwrap_or_default();
        for mut members in by_group.into_values() {
            for _ in 0..VIEWS_PER_GROUP.min(members.len()) {
                first.push(members.swap_remove(rng.below(members.len())));
            }
        }
        first.sort_unstable();
        first
    }
}

/// The smallest number of steps to a state, for each state from which it can be reached.
fn steps_left(model: &GuiModel, end: LayoutKey) -> BTreeMap<LayoutKey, usize> {
    let mut left = BTreeMap::from([(end, 0)]);
    loop {
        let nearer =
            |node: &ModelNode| node.edges.keys().filter_map(|target| left.get(target)).min().copied();
        let found: Vec<(LayoutKey, usize)> = model
            .nodes()
            .iter()
            .filter(|(state, _)| !left.contains_key(state))
            .filter_map(|(state, node)| Some((*state, nearer(node)? + 1)))
            .collect();
        if found.is_empty() {
            return left;
        }
        left.extend(found);
    }
}

fn offered(layout: &Layout, app: &str) -> BTreeSet<EventClass> {
    let class = |found: taproof_screen::Candidate| event_class(layout, Act::On(found.action, found.widget));
    candidates(layout, app).into_iter().map(class).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    /// The paper's example: a tile starts an activity, the camera gives it a picture.
    fn main_page(photo: bool) -> Arc<Layout> {
        let photo = if photo { "  ImageView#photo\n" } else { "" };
        let page = "FrameLayout\n  Button#nav\n  ListView#list\n    Button#tile \"Cinema\"\n    Button#tile \
                    \"Sleeping\"\n    Button#tile \"Cleaning\"\n  ImageButton#camera\n";
        Arc::new(layout_from(&format!("{page}{photo}")))
    }

    fn tap(widget: u32) -> Act {
        Act::On(CandidateAction::Tap, WidgetIdx(widget))
    }

    const NAV: u32 = 1;
    const CINEMA: u32 = 3;
    const SLEEPING: u32 = 4;
    const CLEANING: u32 = 5;
    const CAMERA: u32 = 6;

    fn found(longest: usize, next: Act, behind: &BTreeSet<LayoutKey>) -> Vec<Vec<Act>> {
        let (with, without) = (main_page(true), main_page(false));
        let mut model = GuiModel::default();
        model.add(&with, (tap(CLEANING), ""), &without, STATE_BASIS);
        model.add(&without, (tap(CAMERA), ""), &with, STATE_BASIS);
        let next = Planned { act: next, text: String::new(), on: Arc::clone(&with) };
        let inactive = [NAV, SLEEPING, CLEANING, CAMERA].map(WidgetIdx);
        let objects = BTreeSet::new();
        let pivot = Pivot {
            layout: &with,
            inactive: &inactive,
            next: &next,
            app: "org.ex",
            behind,
            objects: &objects,
            choices: &objects,
            set_before: &BTreeSet::new(),
        };
        detours(&model, pivot, 200, longest, &mut Rng::from_seed(1))
            .iter()
            .map(|detour| detour.iter().map(|planned| planned.act).collect())
            .collect()
    }

    #[test]
    fn the_detour_of_the_reference_is_found() {
        let found = found(4, tap(NAV), &BTreeSet::new());
        assert!(found.contains(&vec![tap(CLEANING), tap(CAMERA)]), "{found:?}");
        assert!(found.iter().all(|detour| detour[0] != tap(CINEMA)), "Cinema is active");
        let longest = found.iter().map(Vec::len).max();
        assert_eq!(longest, Some(4), "longer ones lead through the pivot, each event at most twice");
    }

    #[test]
    fn a_detour_fits_only_where_the_next_event_is_offered_and_the_page_is_kept() {
        assert!(found(4, Act::Back, &BTreeSet::new()).len() > 1);
        let behind = BTreeSet::from([main_page(false).key(Same::Page)]);
        assert!(found(4, tap(NAV), &behind).is_empty());
        assert!(found(1, tap(NAV), &BTreeSet::new()).is_empty());
    }
}
