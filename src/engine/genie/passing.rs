//! Mutants that do not come from the search in the model (paper.md, section 9): visits, which open what the pivot offers
//! and close it by Back; detours that close the pivot's page and open it again; and loops that walks have performed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::detours::{Planned, shown_texts};
use super::gui_model::{Act, EventClass, event_class};
use super::loops::{Loops, MOST_KEYS, Opens};
use super::mutant::Mutant;
use super::seed::SeedTest;
use crate::TestTarget;
use crate::oracle::asks_nothing;
use taproof_screen::determinism::Rng;
use taproof_screen::{CandidateAction, Layout, Same, Text, WidgetIdx, candidates, drawer_open, is_dialog};

/// Number of widgets of the pivot that one detour opens and closes by Back, each twice (not in the paper; section 9).
const VISITS: usize = 3;

/// The mutants of each kind; the next one to be played is the last. Of the visits, half are taken in the order in which
/// they cover what the app offers, and half at random, since what a visit breaks may show at some positions only.
pub fn passing_mutants(
    seed: &SeedTest,
    target: &TestTarget,
    loops: &mut Loops,
    rng: &mut Rng,
) -> [Vec<Mutant>; 4] {
    let (layouts, inactive, objects) = (seed.layouts(), seed.inactive(), seed.objects());
    let (mut visits, mut reopenings, mut looped) = (Vec::new(), Vec::new(), Vec::new());
    let (openings, mut tried) = (seed.openings(), BTreeSet::new());
    let mut positions: Vec<usize> = (0..seed.planned.len()).collect();
    rng.shuffle(&mut positions);
    for position in positions {
        let Some(Some(layout)) = layouts.get(position) else { continue };
        if !asks_nothing(layout) {
            continue;
        }
        let pivot = Pivot { layout, inactive: &inactive[position], objects: &objects, app: &target.app };
        let mutant = |detour: Vec<Planned>| Mutant { position, detour, reopens: false };
        visits.extend(pivot.visits(loops, &mut tried, rng).map(|(planned, it)| (planned, mutant(it))));
        if !openings[position].of_object {
            let detour = seed.reopening(position);
            reopenings.extend(detour.map(|detour| Mutant { position, detour, reopens: true }));
            let set_before = seed.set_before(position);
            looped.extend(pivot.looped(loops, &set_before, rng).map(|(played, it)| (played, mutant(it))));
        }
    }
    let mut rarest_last = |mut list: Vec<(u32, Mutant)>| -> Vec<Mutant> {
        rng.shuffle(&mut list);
        list.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        list.into_iter().map(|(_, mutant)| mutant).collect()
    };
    let at_random = visits.split_off(visits.len() / 2);
    let at_random = at_random.into_iter().map(|(_, mutant)| mutant).collect();
    [rarest_last(visits), at_random, reopenings, rarest_last(looped)]
}

/// The layout at a position of a seed test.
pub(super) struct Pivot<'a> {
    pub(super) layout: &'a Arc<Layout>,
    /// Its widgets that a detour may begin with.
    pub(super) inactive: &'a [WidgetIdx],
    /// The texts of the objects that the seed test uses.
    pub(super) objects: &'a BTreeSet<Text>,
    /// Package name of the app under test.
    pub(super) app: &'a str,
}

impl Pivot<'_> {
    /// The taps and long presses on inactive widgets that show no object of the test, by class.
    pub(super) fn offered(&self) -> BTreeMap<EventClass, Vec<Act>> {
        let mut offered: BTreeMap<EventClass, Vec<Act>> = BTreeMap::new();
        for found in candidates(self.layout, self.app) {
            let touches = matches!(found.action, CandidateAction::Tap | CandidateAction::LongPress);
            let free = shown_texts(self.layout, found.widget).is_disjoint(self.objects);
            if touches && free && self.inactive.contains(&found.widget) {
                let act = Act::On(found.action, found.widget);
                offered.entry(event_class(self.layout, act)).or_default().push(act);
            }
        }
        offered
    }

    pub(super) fn plan(&self, act: Act) -> Planned {
        Planned { act, text: String::new(), on: Arc::clone(self.layout) }
    }

    /// A detour that opens what a few widgets open, each twice in a row, and closes it by Back. If it is not known of
    /// one whether Back closes it, another detour tries it. Each with how often one of its visits was planned before.
    fn visits(
        &self,
        loops: &mut Loops,
        tried: &mut BTreeSet<EventClass>,
        rng: &mut Rng,
    ) -> impl Iterator<Item = (u32, Vec<Planned>)> + use<> {
        let mut known = Vec::new();
        let mut unknown = Vec::new();
        for (class, acts) in self.offered() {
            let Some(act) = rng.pick(&acts).copied() else { continue };
            match loops.opens(self.layout, class) {
                Some(Opens { closes: Some(keys), planned, .. }) => known.push((planned, class, (act, keys))),
                Some(Opens { closes: None, tried, .. }) if tried < MOST_KEYS => {
                    unknown.push((class, (act, tried + 1)));
                }
                _ => {}
            }
        }
        rng.shuffle(&mut known);
        known.sort_by_key(|(planned, _, _)| *planned);
        known.truncate(VISITS);
        let least = known.first().map_or(0, |(planned, _, _)| *planned);
        for (_, class, _) in &known {
            if let Some(opens) = loops.opens_mut(self.layout, *class) {
                opens.planned += 1;
            }
        }
        let visit = |(act, keys): (Act, usize)| {
            std::iter::once(self.plan(act)).chain((0..keys).map(|_| self.plan(Act::Back)))
        };
        let tour: Vec<Planned> =
            known.into_iter().flat_map(|(_, _, it)| visit(it).chain(visit(it))).collect();
        unknown.retain(|(class, _)| !tried.contains(class));
        let trial = rng.pick(&unknown).map(|(class, it)| {
            tried.insert(*class);
            (0, visit(*it).collect())
        });
        [Some((least, tour)).filter(|(_, tour)| !tour.is_empty()), trial].into_iter().flatten()
    }

    /// The loops of the pivot's page that begin on a widget which is inactive here, with how often they were played.
    fn looped(
        &self,
        loops: &mut Loops,
        set_before: &BTreeSet<EventClass>,
        rng: &mut Rng,
    ) -> impl Iterator<Item = (u32, Vec<Planned>)> + use<> {
        const MOST: usize = 3;
        let offered = self.offered();
        let mut fitting: Vec<(u32, u64, Vec<Planned>)> = Vec::new();
        for (signature, known) in loops.of(self.layout) {
            let Some(first) = known.steps.first() else { continue };
            if known.steps.iter().any(|step| set_before.contains(&step.class())) {
                continue;
            }
            let Some(act) = offered.get(&first.class()).and_then(|acts| rng.pick(acts)) else { continue };
            let rest = known.steps.iter().skip(1).cloned();
            let steps = std::iter::once(self.plan(*act)).chain(rest).collect();
            fitting.push((known.played, signature, steps));
        }
        rng.shuffle(&mut fitting);
        fitting.sort_by_key(|(played, _, _)| *played);
        fitting.truncate(MOST);
        for (_, signature, _) in &fitting {
            loops.count(self.layout, *signature);
        }
        fitting.into_iter().map(|(played, _, steps)| (played, steps))
    }
}

impl SeedTest {
    /// The events that close the page at a position by Back, and open it again as the test did. `None` if the test has
    /// not opened it, or opened it for an object.
    pub fn reopening(&self, position: usize) -> Option<Vec<Planned>> {
        const LONGEST: usize = 3;
        let layouts = self.layouts();
        let page = |index: usize| layouts.get(index)?.as_deref().map(|layout| layout.key(Same::Page));
        let here = page(position)?;
        let stay = (0..=position).rev().take_while(|index| page(*index) == Some(here)).last()?;
        let from = (0..stay).rev().take(LONGEST).find(|index| {
            let layout = layouts.get(*index).and_then(Option::as_deref);
            layout.is_some_and(|layout| !is_dialog(layout) && !drawer_open(layout))
        })?;
        let opens = self.planned.get(from..stay)?;
        let taps = |it: &Planned| matches!(it.act, Act::On(CandidateAction::Tap, _));
        if page(from) == Some(here) || !opens.iter().all(taps) {
            return None;
        }
        let on = Arc::clone(layouts.get(position)?.as_ref()?);
        let back = Planned { act: Act::Back, text: String::new(), on };
        Some(std::iter::once(back).chain(opens.iter().cloned()).collect())
    }
}
