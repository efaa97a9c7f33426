//! The values that follow from the objects: when they are derived, and what the pages show of them.

use std::collections::BTreeMap;

use crate::app::BlueprintApp;
use crate::derived::{Cause, DerivedTrap, Values};
use crate::generate::names::Part;
use crate::operators::Operator;
use crate::store::{Object, ObjectId, Order};
use taproof_phone::Language;

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
