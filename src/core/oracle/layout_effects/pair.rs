//! A seed test beside a mutant of it: which of their layouts are compared.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Prepared;
use super::loss::Sides;
use crate::model::{LabelBasis, Layout, dice_permille, input_state};

/// Two layouts of the seed test and the two of the mutant that stand at their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Places {
    /// In the seed test.
    pub seed: (usize, usize),
    /// In the mutant.
    pub mutant: (usize, usize),
}

/// A seed test and a mutant of it: the layout before the first event and after each; `None` where the app was not in
/// front.
#[derive(Clone, Copy, Debug)]
pub struct TestPair<'a> {
    /// The seed test's layouts.
    pub seed: &'a [Option<Arc<Prepared>>],
    /// The mutant's; fewer where it could not be played to its end.
    pub mutant: &'a [Option<Arc<Prepared>>],
    /// The detour stands before this event of the seed test.
    pub position: usize,
    /// Events of the detour.
    pub inserted: usize,
}

impl TestPair<'_> {
    /// The comparisons: pairs of similar layouts of the seed test with the second behind the insertion, and the
    /// layouts of the mutant at their places. Before the insertion both tests are equal by construction.
    pub fn places(&self) -> Vec<Places> {
        let in_mutant = |index: usize| if index > self.position { index + self.inserted } else { index };
        let mut places = Vec::new();
        for second in self.position + 1..self.seed.len() {
            for first in 0..second {
                let at = Places { seed: (first, second), mutant: (in_mutant(first), in_mutant(second)) };
                if self.sides(at).is_some_and(|sides| sides.similar()) {
                    places.push(at);
                }
            }
        }
        places.sort_unstable();
        places
    }

    /// The comparisons with the pivot's page as the detour left it: not with earlier layouts of it.
    pub(super) fn places_from_pivot(&self) -> Vec<Places> {
        let page = |index: usize| self.seed.get(index)?.as_ref().map(|layout| layout.page);
        let mut places = self.places();
        places.retain_mut(|at| {
            let before = at.seed.0 <= self.position && page(at.seed.0) == page(self.position);
            if before {
                at.mutant.0 = self.position + self.inserted;
            }
            !before || at.seed.0 == self.position
        });
        places
    }

    /// The pivot, and the mutant's layout after the detour.
    pub(super) fn around(&self) -> Option<(&Prepared, &Prepared)> {
        let back = self.mutant.get(self.position + self.inserted)?.as_deref()?;
        Some((self.seed.get(self.position)?.as_deref()?, back))
    }

    pub(super) fn sides(&self, at: Places) -> Option<Sides<'_>> {
        let seed = |index: usize| self.seed.get(index)?.as_deref();
        let mutant = |index: usize| self.mutant.get(index)?.as_deref();
        Some(Sides {
            seed: (seed(at.seed.0)?, seed(at.seed.1)?),
            mutant: (mutant(at.mutant.0)?, mutant(at.mutant.1)?),
            around: self.around(),
            before_detour: at.mutant.0 <= self.position,
        })
    }
}

/// What makes a detour one that came back: where it ended is like the pivot (genie.md 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PivotReturn {
    /// How alike the two layouts are at least, in percent.
    pub percent: u32,
    /// They are in one state, with what stands in fields, is checked or selected as it was.
    pub same_state: bool,
    /// What tells states apart.
    pub basis: LabelBasis,
}

impl PivotReturn {
    /// Whether a detour that ended on this layout came back to the pivot.
    pub fn holds(&self, pivot: &Layout, back: &Layout) -> bool {
        let state = |layout: &Layout| (self.basis.abstract_id(layout), input_state(layout));
        dice_permille(pivot, back) >= self.percent * 10 && (!self.same_state || state(pivot) == state(back))
    }
}
