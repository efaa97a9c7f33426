//! Values that follow from the objects of a list and are shown above it: how many there are, their total, their average,
//! how many have a star. And the faults by which they go wrong, which an app shows to whoever compares its screens.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::app::BlueprintApp;
use crate::generate::names::Part;
use crate::operators::Operator;
use crate::schema::{Blueprint, Field, Shape, Word};
use crate::store::{Object, ObjectId, Order};
use taproof_phone::Language;
use taproof_screen::determinism::Rng;

/// What follows from the objects of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DerivedPlan {
    /// Whether rows show the number of their objects, and the sum and the mean stand above them.
    pub total: bool,
    /// Whether the number of those with a star stands above the list.
    pub stars: bool,
    /// Whether the list is always in the order of names.
    pub ordered: bool,
    /// What makes this hard to judge although nothing is wrong with it.
    pub trap: Option<DerivedTrap>,
}

/// What makes derived values hard to judge although nothing is wrong with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DerivedTrap {
    /// The numbers are those of the objects in the trash as well.
    WithTrash,
    /// In an ordered list, those with a star come first.
    PinnedFirst,
    /// A line with a number that has nothing to do with the list.
    Unrelated,
}

/// Why values are derived anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    Changed,
    Deleted(usize),
    Restored,
    /// A star was given or taken away on the page of an object.
    StarredOnPage,
    Other,
}

/// The values that were derived last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Derived {
    /// Of each data type.
    of_type: Vec<Values>,
    /// How many objects of a type an owner has.
    members: BTreeMap<(ObjectId, usize), usize>,
    /// What objects were called when the process began, if they are called otherwise now.
    pub names: BTreeMap<ObjectId, String>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Values {
    sum: i64,
    numbers: i64,
    stars: usize,
}

impl Blueprint {
    /// Adds values that follow from the objects, and what makes them hard to judge.
    #[must_use]
    pub fn with_derived(mut self, seed: u64) -> Blueprint {
        let root = Rng::from_seed(seed).fork("derived");
        for (place, kind) in self.types.iter_mut().enumerate() {
            let rng = &mut root.fork_indexed("type", place as u64);
            kind.list.count |= rng.chance(1, 2);
            if kind.number().is_none() && !kind.form.autosave && rng.chance(1, 2) {
                let shape = Shape::Number { least: 0, most: 500 };
                kind.fields.push(Field { label: Word("Amount"), shape, required: false });
                for values in kind.shipped.iter_mut().chain(&mut kind.arrivals) {
                    values.push(Word::keep(rng.below(500).to_string()));
                }
                crate::generate::fit_dialog(&mut kind.form, &kind.fields);
            }
            let derived = &mut kind.list.derived;
            derived.stars = kind.list.star && rng.chance(2, 3);
            derived.ordered = rng.chance(1, 3);
            kind.list.sort &= !derived.ordered;
            let traps = [
                kind.delete.trash.then_some(DerivedTrap::WithTrash),
                (derived.ordered && kind.list.star).then_some(DerivedTrap::PinnedFirst),
                Some(DerivedTrap::Unrelated),
            ];
            let traps: Vec<DerivedTrap> = traps.into_iter().flatten().collect();
            derived.trap = rng.chance(1, 2).then(|| traps[rng.below(traps.len())]);
            derived.total = kind.fields.iter().any(|field| matches!(field.shape, Shape::Number { .. }));
            // A card has no room for a number.
            kind.list.grid &= !derived.total;
            kind.list.landscape_grid &= !derived.total;
        }
        for place in 0..self.types.len() {
            self.types[place].page.tabs &= self.has_second_tab(place);
        }
        self
    }

    /// Whether something follows from the objects of any list.
    pub(crate) fn derives(&self) -> bool {
        self.types.iter().any(|kind| kind.list.derived != DerivedPlan::default())
    }

    /// The order of a list that was not chosen.
    pub(crate) fn first_order(&self, data_type: usize) -> Order {
        if self.types[data_type].list.derived.ordered { Order::Name } else { Order::Added }
    }
}

impl BlueprintApp {
    /// Derives anew what follows from the objects.
    pub(crate) fn recount(&mut self, cause: Cause) {
        let types = 0..self.blueprint().types.len();
        let faulty = |operator, data_type| self.faulty(operator, data_type);
        let values: Vec<Values> = types.clone().map(|data_type| self.values_of(data_type)).collect();
        let deleted = |data_type| cause == Cause::Deleted(data_type);
        let mut derived = self.memory.derived.clone();
        derived.of_type.resize(values.len(), Values::default());
        for data_type in types.clone() {
            let known = &mut derived.of_type[data_type];
            let stale_total = (cause == Cause::Changed && faulty(Operator::TotalStaleOnEdit, data_type))
                || (deleted(data_type) && faulty(Operator::TotalStaleOnDelete, data_type))
                || (cause == Cause::Restored && faulty(Operator::TotalStaleOnRestore, data_type));
            let stale_stars = (deleted(data_type) && faulty(Operator::StarCountStale, data_type))
                || (cause == Cause::StarredOnPage && faulty(Operator::StarCountStaleOnPage, data_type));
            let new = values[data_type];
            let (sum, numbers) =
                if stale_total { (known.sum, known.numbers) } else { (new.sum, new.numbers) };
            *known = Values { sum, numbers, stars: if stale_stars { known.stars } else { new.stars } };
            if !(deleted(data_type) && faulty(Operator::MembersStale, data_type)) {
                derived.members.retain(|(_, of), _| *of != data_type);
                derived.members.extend(self.members_of_all(data_type));
            }
        }
        let stale_count = matches!(cause, Cause::Deleted(of) if faulty(Operator::CountStale, of));
        let count = |data_type: usize| {
            let stale = cause == Cause::Restored && faulty(Operator::CountStaleOnRestore, data_type);
            let known = self.memory.counts.get(data_type).filter(|_| stale || stale_count);
            known.copied().unwrap_or_else(|| self.counted(data_type).len())
        };
        let counts = types.map(count).collect();
        (self.memory.counts, self.memory.derived) = (counts, derived);
    }

    /// The same after what only some apps derive values from.
    pub(crate) fn derive_anew(&mut self, cause: Cause) {
        if self.blueprint().derives() {
            self.recount(cause);
        }
    }

    /// The objects that are counted.
    fn counted(&self, data_type: usize) -> Vec<&Object> {
        let mut counted = self.store.ordered(data_type, Order::Added);
        if self.blueprint().types[data_type].list.derived.trap == Some(DerivedTrap::WithTrash) {
            counted.extend(self.store.trashed(data_type));
        }
        counted
    }

    fn values_of(&self, data_type: usize) -> Values {
        let field = self.blueprint().types[data_type].number();
        let counted = self.counted(data_type);
        let number = |object: &&Object| object.values[field?].parse::<i64>().ok();
        let numbers: Vec<i64> = counted.iter().filter_map(number).collect();
        Values {
            sum: numbers.iter().fold(0_i64, |sum, number| sum.saturating_add(*number)),
            numbers: i64::try_from(numbers.len()).unwrap_or(0),
            stars: counted.iter().filter(|object| object.starred).count(),
        }
    }

    fn members_of_all(&self, data_type: usize) -> BTreeMap<(ObjectId, usize), usize> {
        let mut members = BTreeMap::new();
        for object in self.store.ordered(data_type, Order::Added) {
            if let Some(owner) = self.store.owner(object) {
                *members.entry((owner.id, data_type)).or_default() += 1;
            }
        }
        members
    }

    /// The number in the heading of what belongs to an object.
    pub(crate) fn member_count(&self, owner: ObjectId, data_type: usize, now: usize) -> usize {
        match self.faulty(Operator::MembersStale, data_type) {
            true => self.memory.derived.members.get(&(owner, data_type)).copied().unwrap_or(0),
            false => now,
        }
    }

    /// Remembers what an object was called before a change.
    pub(crate) fn remember_name(&mut self, id: ObjectId) {
        if let Some(name) = self.store.get(id).map(|object| object.name().to_owned()) {
            self.memory.derived.names.entry(id).or_insert(name);
        }
    }

    /// The name that the page of an object shows.
    pub(crate) fn name_on_page<'o>(&'o self, object: &'o Object) -> &'o str {
        let old = self.memory.derived.names.get(&object.id);
        match old.filter(|_| self.faulty(Operator::PageStale, object.data_type)) {
            Some(old) => old,
            None => object.name(),
        }
    }

    /// Puts the objects of a list that is always ordered where they are shown.
    pub(crate) fn arrange(&self, data_type: usize, shown: &mut [&Object]) {
        let plan = self.blueprint().types[data_type].list.derived;
        if plan.ordered && self.faulty(Operator::OrderStaleOnEdit, data_type) {
            let name = |object: &&Object| {
                let old = self.memory.derived.names.get(&object.id);
                old.map_or_else(|| object.listed.to_lowercase(), |old| old.to_lowercase())
            };
            shown.sort_by_key(name);
        }
        if plan.ordered && plan.trap == Some(DerivedTrap::PinnedFirst) {
            shown.sort_by_key(|object| !object.starred);
        }
    }

    /// The lines above a list: what each says, and its part.
    pub(crate) fn derived_lines(&self, data_type: usize, language: Language) -> Vec<(Part, String)> {
        let plan = self.blueprint().types[data_type].list.derived;
        let Values { sum, numbers, stars } =
            self.memory.derived.of_type.get(data_type).copied().unwrap_or_default();
        let mut lines = Vec::new();
        if plan.total && numbers > 0 {
            let mean = sum.saturating_mul(10) / numbers;
            let (total, average) = (self.say(language, "Total"), self.say(language, "Average"));
            lines.push((Part::Total, format!("{total}: {sum}")));
            lines.push((Part::Average, format!("{average}: {}.{}", mean / 10, mean % 10)));
        }
        if plan.stars {
            lines.push((Part::Stars, format!("{stars} {}", self.say(language, "with a star"))));
        }
        if plan.trap == Some(DerivedTrap::Unrelated) {
            lines.push((Part::Unrelated, format!("{} {}", self.say(language, "Visit"), self.memory.visits)));
        }
        lines
    }

    /// The number of an object in its row; `None` if rows show none.
    pub(crate) fn number_in_row<'o>(&self, object: &'o Object) -> Option<&'o str> {
        let kind = &self.blueprint().types[object.data_type];
        let number = &*object.values[kind.number().filter(|_| kind.list.derived.total)?];
        (!number.is_empty()).then_some(number)
    }
}
