//! The faults of a blueprint: each place at which a fault operator applies.

use super::operators::Operator;
use super::schema::{Blueprint, KnownBug, Word};
use taproof_phone::{Bug, BugSet, Oracle};

/// A mistake at one place of a blueprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind of mistake.
    pub operator: Operator,
    /// The data type that it is about, by its place among [`Blueprint::types`].
    pub data_type: usize,
    /// Its id, such as `cards-stale-list-deck`.
    pub id: &'static str,
    /// What can see it.
    pub oracle: Oracle,
}

impl Blueprint {
    /// The bugs of the app: those that it is known for, or every place at which an operator applies, in the order of
    /// the operators.
    pub fn faults(&self) -> Vec<Fault> {
        if !self.bugs.is_empty() {
            return self.bugs.iter().filter_map(|bug| self.known_fault(bug)).collect();
        }
        self.possible_faults()
    }

    fn known_fault(&self, bug: &KnownBug) -> Option<Fault> {
        let data_type = self.types.iter().position(|kind| kind.noun == bug.noun)?;
        let oracle = *bug.operator.oracle();
        Some(Fault { operator: bug.operator, data_type, id: bug.id.0, oracle })
    }

    /// Whether a bug is at a place where such a mistake can be.
    pub(super) fn is_possible(&self, bug: &KnownBug) -> bool {
        self.known_fault(bug).is_some_and(|fault| bug.operator.applies(self, fault.data_type))
    }

    fn possible_faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        for operator in Operator::ALL {
            for data_type in (0..self.types.len()).filter(|place| operator.applies(self, *place)) {
                let noun = crate::generate::names::identifier(self.types[data_type].noun.0);
                let id = Word::keep(format!("{}-{}-{noun}", self.name, operator.name())).0;
                faults.push(Fault { operator, data_type, id, oracle: *operator.oracle() });
            }
        }
        faults
    }

    /// The faults as the bugs of a manifest.
    pub(super) fn bugs(&self) -> Vec<Bug> {
        let bug = |fault: Fault| {
            let data_type = &self.types[fault.data_type];
            let owner = data_type.owner.map_or("", |owner| owner.noun.0);
            let title = fault.operator.title().replace("{noun}", data_type.noun.0).replace("{owner}", owner);
            let title = title.replace("{plural}", data_type.plural.0);
            let title = taproof_screen::upper_first(&title);
            let known = self.bugs.iter().find(|bug| bug.id.0 == fault.id);
            let title = known.map_or_else(|| Word::keep(title), |bug| bug.title).0;
            let paper = known.map_or("", |bug| bug.paper.0);
            Bug { oracles: std::slice::from_ref(fault.operator.oracle()), paper, ..Bug::new(fault.id, title) }
        };
        self.faults().into_iter().map(bug).collect()
    }

    /// The faults that are switched on.
    pub(super) fn faults_of(&self, bugs: &BugSet) -> Vec<(Operator, usize)> {
        let on = self.faults().into_iter().filter(|fault| bugs.has(fault.id));
        on.map(|fault| (fault.operator, fault.data_type)).collect()
    }
}
