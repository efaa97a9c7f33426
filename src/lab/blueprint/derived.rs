//! Values that follow from the objects of a list and are shown above it: how many there are, their total, their average,
//! how many have a star. And the faults by which they go wrong, which an app shows to whoever compares its screens.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::schema::{Blueprint, Field, Shape, Word};
use crate::store::{ObjectId, Order};
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
    pub of_type: Vec<Values>,
    /// How many objects of a type an owner has.
    pub members: BTreeMap<(ObjectId, usize), usize>,
    /// What objects were called when the process began, if they are called otherwise now.
    pub names: BTreeMap<ObjectId, String>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Values {
    pub sum: i64,
    pub numbers: i64,
    pub stars: usize,
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
