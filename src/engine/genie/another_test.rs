//! Other tests that may show an error which was reported (paper.md, section 12): one that a single test shows may be due
//! to what only that test does.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::config::STATE_BASIS;
use super::detours::Planned;
use super::gui_model::{Act, EventClass};
use super::mutant::Mutant;
use super::novelty::{ChangeKind, changes, shown_by};
use super::passing::Pivot;
use super::seed::SeedTest;
use super::{Genie, KeptSeed};
use crate::TestTarget;
use taproof_screen::determinism::{HashBuffer, Rng};
use taproof_screen::{CandidateAction, LayoutKey, Same, Text};

/// Number of tests that an error is reported with at most.
const MOST_TESTS: usize = 3;
/// Number of tests by which another one is looked for until an error has been reported with two.
const MOST_TRIES: u32 = 3;
/// Number of mutants of such a test.
const MOST_MUTANTS: usize = 6;

/// A kind of error that was reported, and what another test needs to show it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Sought {
    /// The page of the first test on which its detour began.
    page: LayoutKey,
    /// What the first test changed: only a test that changes the same can lose it.
    changes: BTreeSet<ChangeKind>,
    /// The texts that the first test typed.
    typed: BTreeSet<Text>,
    detour: Vec<Planned>,
    reopens: bool,
    /// What the tests that it was reported with were performed with.
    tests: BTreeSet<u64>,
    /// Number of tests that were tried.
    tried: u32,
}

/// Hash of what a detour at a position of a seed test meets: the texts on the page, and those of the objects that the test
/// uses. Tests with equal ones are no independent witnesses.
pub(super) fn data_of(seed: &SeedTest, position: usize) -> u64 {
    let layouts = seed.layouts();
    let mut texts = seed.objects();
    if let Some(Some(layout)) = layouts.get(position) {
        texts.extend(layout.widgets().iter().map(|widget| widget.text.clone()));
    }
    let mut hasher = HashBuffer::default();
    texts.iter().for_each(|text| hasher.text(text));
    hasher.finish()
}

impl Sought {
    /// What another test needs to show what this mutant of a seed test showed.
    pub fn of(seed: &SeedTest, mutant: &Mutant) -> Sought {
        let pivot = seed.layouts().get(mutant.position).cloned().flatten();
        let all = shown_by(seed, &changes(&seed.layouts(), &seed.planned), STATE_BASIS);
        Sought {
            page: pivot.map_or(LayoutKey(0), |pivot| pivot.key(Same::Page)),
            changes: all.iter().filter(|shown| shown.change).map(|shown| shown.kind).collect(),
            typed: seed.planned.iter().map(|planned| Text::from(planned.text.as_str())).collect(),
            detour: mutant.detour.clone(),
            reopens: mutant.reopens,
            tests: BTreeSet::new(),
            tried: 0,
        }
    }

    /// Counts a test, by what it was performed with.
    pub fn shown_by(&mut self, data: u64) {
        self.tests.insert(data);
    }

    /// Whether the error may be reported with one more test, performed with these data.
    pub fn may_be_shown_by(&self, data: u64) -> bool {
        self.tests.len() < MOST_TESTS && !self.tests.contains(&data)
    }

    fn is_sought(&self) -> bool {
        self.tests.len() < 2 && self.tried < MOST_TRIES
    }

    /// Number of changes that a walk has in common with the first test.
    fn likeness(&self, walk: &KeptSeed) -> usize {
        walk.shown.iter().filter(|shown| shown.change && self.changes.contains(&shown.kind)).count()
    }

    /// The mutants of a test that go the same detour from the same page with other data.
    fn mutants(&self, seed: &SeedTest, target: &TestTarget, rng: &mut Rng) -> Vec<Mutant> {
        let layouts = seed.layouts();
        let fits = |position: &usize| {
            let layout = layouts.get(*position).and_then(Option::as_deref);
            layout.is_some_and(|layout| layout.key(Same::Page) == self.page)
                && !self.tests.contains(&data_of(seed, *position))
        };
        let positions: Vec<usize> = (0..seed.planned.len()).rev().filter(fits).collect();
        if positions.is_empty() {
            return Vec::new();
        }
        let (inactive, objects) = (seed.inactive(), seed.objects());
        let (openings, texts) = (seed.openings(), self.texts_for(seed));
        let mut mutants = Vec::new();
        for position in positions {
            let Some(Some(layout)) = layouts.get(position) else { continue };
            let pivot = Pivot { layout, inactive: &inactive[position], objects: &objects, app: &target.app };
            let detour = match self.reopens {
                true => seed.reopening(position).filter(|_| !openings[position].of_object),
                false => pivot.begun_here(&self.detour, rng),
            };
            let set_before = seed.set_before(position);
            let sets_again = |step: &Planned| !self.reopens && set_before.contains(&step.class());
            let detour = detour.filter(|detour| !detour.iter().any(sets_again));
            mutants.extend(detour.into_iter().flat_map(|detour| {
                let with = |text: &Option<Text>| Mutant {
                    position,
                    detour: self.retyped(detour.clone(), text.as_ref()),
                    reopens: self.reopens,
                };
                texts.iter().map(with).collect::<Vec<_>>()
            }));
        }
        mutants.truncate(MOST_MUTANTS);
        mutants
    }

    /// What is typed where the detour typed a text of the first test: each text of the other test. One `None` if there is no
    /// such text.
    fn texts_for(&self, seed: &SeedTest) -> Vec<Option<Text>> {
        let coincides = self.detour.iter().any(|step| self.is_typed_by_test(step));
        let typed: BTreeSet<&String> =
            seed.planned.iter().map(|planned| &planned.text).filter(|text| !text.is_empty()).collect();
        match coincides && !typed.is_empty() {
            true => typed.into_iter().map(|text| Some(Text::from(text.as_str()))).collect(),
            false => vec![None],
        }
    }

    fn is_typed_by_test(&self, step: &Planned) -> bool {
        !step.text.is_empty() && self.typed.contains(step.text.as_str())
    }

    fn retyped(&self, mut detour: Vec<Planned>, text: Option<&Text>) -> Vec<Planned> {
        for step in detour.iter_mut().filter(|step| self.is_typed_by_test(step)) {
            if let Some(text) = text {
                step.text = text.to_string();
            }
        }
        detour
    }
}

impl Pivot<'_> {
    /// The detour with its events on the pivot's page moved to widgets that are inactive here. `None` if its first event
    /// has none.
    fn begun_here(&self, detour: &[Planned], rng: &mut Rng) -> Option<Vec<Planned>> {
        let (offered, here) = (self.offered(), self.layout.key(Same::Page));
        let mut chosen: Vec<(EventClass, Act)> = Vec::new();
        let mut moved = Vec::with_capacity(detour.len());
        for (index, step) in detour.iter().enumerate() {
            let class = step.class();
            let touches = matches!(step.act, Act::On(CandidateAction::Tap | CandidateAction::LongPress, _));
            let known = chosen.iter().find(|(other, _)| *other == class).map(|(_, act)| *act);
            let act = match known {
                None if touches && step.on.key(Same::Page) == here => {
                    offered.get(&class).and_then(|acts| rng.pick(acts)).copied()
                }
                known => known,
            };
            match act {
                Some(act) => {
                    chosen.push((class, act));
                    moved.push(self.plan(act));
                }
                None if index == 0 => return None,
                None => moved.push(step.clone()),
            }
        }
        Some(moved)
    }
}

impl Genie {
    /// A walk that may show a reported error with other data, and its mutants that may: of all walks, used as a seed test
    /// or not, the one that changes most of what the first test changed.
    pub(super) fn another_test(
        &mut self,
        target: &TestTarget,
        rng: &mut Rng,
    ) -> Option<(SeedTest, Vec<Mutant>)> {
        let wanted: Vec<u64> = self
            .state
            .reported
            .iter()
            .filter(|(_, sought)| sought.is_sought())
            .map(|(kind, _)| *kind)
            .collect();
        for kind in wanted {
            let sought = self.state.reported.get(&kind)?;
            let mut walks: Vec<&KeptSeed> = self.state.seeds.iter().collect();
            walks.sort_by_key(|walk| std::cmp::Reverse(sought.likeness(walk)));
            let mut fitting = walks.into_iter().filter_map(|walk| {
                let mutants = sought.mutants(&walk.seed, target, rng);
                (!mutants.is_empty()).then(|| (walk.seed.clone(), mutants))
            });
            // Each try takes the next best one.
            let found = fitting.nth(sought.tried as usize);
            if found.is_some() {
                self.state.reported.get_mut(&kind)?.tried += 1;
                return found;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use taproof_screen::{Event, Key, Step, StepRole, Trace, WidgetIdx, frame_of, layout_from};
    use taproof_spec::Spec;

    const SEARCH: WidgetIdx = WidgetIdx(2);

    fn event(act: Act, seed: &SeedTest) -> Planned {
        Planned { act, text: String::new(), on: Arc::clone(&seed.trace.first().layout) }
    }

    /// A test that leaves a page which shows a book.
    fn test(book: &str) -> SeedTest {
        let page = format!(
            "FrameLayout\n  TextView \"Books\"\n  ImageButton#search (search)\n  TextView \"{book}\"\n"
        );
        let mut trace = Trace::start(frame_of(layout_from(&page)));
        let after = frame_of(layout_from("FrameLayout\n  Button#other\n"));
        trace.push(Step { event: Event::Key(Key::Back), role: StepRole::Seed, after });
        let mut seed = SeedTest { trace, planned: Vec::new(), unstable: Vec::new() };
        seed.planned = vec![event(Act::Back, &seed)];
        seed
    }

    #[test]
    fn what_one_test_showed_is_sought_with_other_data() {
        let target = TestTarget::new("org.ex", &Spec::default(), false);
        let (first, other) = (test("Maps"), test("Tales"));
        let detour =
            [Act::On(CandidateAction::Tap, SEARCH), Act::Back].map(|act| event(act, &first)).to_vec();
        let shown = Mutant { position: 0, detour, reopens: false };
        let mut sought = Sought::of(&first, &shown);
        sought.shown_by(data_of(&first, 0));

        let mut rng = Rng::from_seed(1);
        let mut mutants = |seed: &SeedTest| sought.mutants(seed, &target, &mut rng);
        assert!(mutants(&first).is_empty() && mutants(&test("Maps")).is_empty(), "the same data");
        let mutants = mutants(&other);
        let classes = |mutant: &Mutant| mutant.detour.iter().map(Planned::class).collect::<Vec<_>>();
        assert_eq!(mutants.iter().map(classes).collect::<Vec<_>>(), [classes(&shown)]);
        assert!(Arc::ptr_eq(&mutants[0].detour[0].on, &other.trace.first().layout), "on its own page");
    }

    #[test]
    fn an_error_is_reported_with_few_tests_each_with_its_data() {
        let first = test("Maps");
        let shown = Mutant { position: 0, detour: Vec::new(), reopens: false };
        let mut sought = Sought::of(&first, &shown);
        let mut reported = Vec::new();
        for data in [1, 1, 2, 2, 3, 4] {
            if sought.may_be_shown_by(data) {
                sought.shown_by(data);
                reported.push((data, sought.is_sought()));
            }
        }
        assert_eq!(reported, [(1, true), (2, false), (3, false)]);
    }
}
