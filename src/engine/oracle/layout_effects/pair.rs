//! Which layouts of a seed test and of a mutant of it are compared.

use std::sync::Arc;

use super::Detour;
use super::loss::Sides;
use super::prepared::Prepared;

/// Indices of two layouts of the seed test and of the two corresponding layouts of the mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Places {
    /// Indices of the earlier and the later layout of the seed test.
    pub seed: (usize, usize),
    /// Indices of the mutant's two layouts.
    pub mutant: (usize, usize),
}

/// A seed test and a mutant of it: the layout before the first event and after each; `None` where the app was not in
/// the foreground.
#[derive(Clone, Copy, Debug)]
pub struct TestPair<'a> {
    /// The layouts of the seed test.
    pub seed: &'a [Option<Arc<Prepared>>],
    /// The layouts of the mutant; fewer than expected if it could not be played to its end.
    pub mutant: &'a [Option<Arc<Prepared>>],
    /// Index of the seed test's event before which the detour is inserted.
    pub position: usize,
    /// Number of events of the detour.
    pub inserted: usize,
    /// What the detour did; `None` if it is not known.
    pub detour: Option<&'a Detour>,
}

impl<'a> TestPair<'a> {
    /// The comparisons: pairs of similar layouts of the seed test of which the second is after the insertion, with the
    /// corresponding layouts of the mutant. Before the insertion both tests are equal by construction.
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

    /// The pivot, and the mutant's layout after the detour.
    pub(super) fn around(&self) -> Option<(&'a Prepared, &'a Prepared)> {
        let back = self.mutant.get(self.position + self.inserted)?.as_deref()?;
        Some((self.seed.get(self.position)?.as_deref()?, back))
    }

    pub(super) fn sides(&self, at: Places) -> Option<Sides<'a>> {
        let seed = |index: usize| self.seed.get(index)?.as_deref();
        let mutant = |index: usize| self.mutant.get(index)?.as_deref();
        Some(Sides {
            seed: (seed(at.seed.0)?, seed(at.seed.1)?),
            mutant: (mutant(at.mutant.0)?, mutant(at.mutant.1)?),
            test: *self,
            at,
        })
    }
}
