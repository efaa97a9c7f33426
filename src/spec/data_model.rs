//! The data model: a record of the data that the app should hold. It is only updated when a whole DMF was completed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Bindings, DataType, Dmf, ImpactOp, TextPattern};

/// The objects that the app should hold, by data type, including repeated ones, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataModel {
    objects: BTreeMap<DataType, Vec<String>>,
    removed: BTreeMap<DataType, BTreeSet<String>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    uncertain: BTreeMap<DataType, BTreeSet<String>>,
}

/// The effect of an impact on the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImpactOutcome {
    /// The object was appended.
    Added,
    /// The object was there already, so nothing changed (`add noduplicate`).
    AlreadyThere,
    /// One object with this text was removed.
    Removed,
    /// There was no such object. Apps ship with data that the model does not know.
    NotThere,
    /// The list was emptied; it contained this many objects.
    Cleared(usize),
    /// Nothing changed: the operator is unknown, the widget that the object is read from was not read, or it is unknown how
    /// many objects with its text there are.
    NotApplied,
}

/// One impact as it was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppliedImpact {
    /// The operator that was applied.
    pub op: ImpactOp,
    /// The data type whose list it was applied to.
    pub data_type: DataType,
    /// The text of the object; empty for `clear`.
    pub object: String,
    /// The effect on the list.
    pub outcome: ImpactOutcome,
}

impl DataModel {
    /// A model without objects.
    pub fn new() -> Self {
        DataModel::default()
    }

    /// The objects of a type, oldest first; empty for a type without objects.
    pub fn objects(&self, data_type: &str) -> &[String] {
        self.objects.get(data_type).map_or(&[], Vec::as_slice)
    }

    /// The data types with an object, sorted, each with its objects.
    pub fn types(&self) -> impl Iterator<Item = (&DataType, &[String])> {
        self.objects.iter().filter(|(_, list)| !list.is_empty()).map(|(name, list)| (name, list.as_slice()))
    }

    /// The number of objects of the type with this text.
    pub fn count(&self, data_type: &str, text: &str) -> usize {
        self.objects(data_type).iter().filter(|object| *object == text).count()
    }

    /// Whether there is an object of the type with this text.
    pub fn holds(&self, data_type: &str, text: &str) -> bool {
        self.objects(data_type).iter().any(|object| object == text)
    }

    /// Whether there is an object of any type with this text.
    pub fn holds_any(&self, text: &str) -> bool {
        self.objects.values().flatten().any(|object| object == text)
    }

    /// The objects of the type that were removed earlier in this test and are not there now, sorted.
    pub fn removed(&self, data_type: &str) -> impl Iterator<Item = &str> {
        self.removed.get(data_type).into_iter().flatten().map(String::as_str)
    }

    /// The texts of which is unknown how many objects of the type with them the app holds, sorted.
    pub fn uncertain(&self, data_type: &str) -> impl Iterator<Item = &str> {
        self.uncertain.get(data_type).into_iter().flatten().map(String::as_str)
    }

    /// Whether it is unknown how many objects of the type with this text the app holds.
    pub fn is_uncertain(&self, data_type: &str, text: &str) -> bool {
        self.uncertain.get(data_type).is_some_and(|texts| texts.contains(text))
    }

    /// Applies one operator to the list of a type. `clear` ignores the object.
    pub fn apply(&mut self, data_type: &str, op: &ImpactOp, object: &str) -> ImpactOutcome {
        match op {
            ImpactOp::Add => self.add(data_type, object),
            ImpactOp::AddNoDuplicate if self.holds(data_type, object) => ImpactOutcome::AlreadyThere,
            ImpactOp::AddNoDuplicate => self.add(data_type, object),
            ImpactOp::AddConflict if self.holds(data_type, object) => self.remove(data_type, object),
            ImpactOp::AddConflict => self.add(data_type, object),
            ImpactOp::Delete => self.remove(data_type, object),
            ImpactOp::Clear => {
                self.uncertain.remove(data_type);
                let gone = self.objects.remove(data_type).unwrap_or_default();
                let count = gone.len();
                self.removed.entry(data_type.to_owned()).or_default().extend(gone);
                ImpactOutcome::Cleared(count)
            }
            ImpactOp::Unknown(_) => ImpactOutcome::NotApplied,
        }
    }

    /// Applies all impacts of a DMF in file order, with the texts that its run has read.
    pub fn apply_impacts(&mut self, dmf: &Dmf, bindings: &Bindings) -> Vec<AppliedImpact> {
        let mut applied = Vec::with_capacity(dmf.impacts.len());
        for impact in &dmf.impacts {
            let object = match &impact.object {
                TextPattern::Is(text) => Some(text.as_str()),
                TextPattern::FromRead(name) => bindings.read(name),
                TextPattern::Existing(_) | TextPattern::Any => None,
            };
            let outcome = match object {
                Some(text) => self.apply(&dmf.data_type, &impact.op, text),
                None if impact.op == ImpactOp::Clear => self.apply(&dmf.data_type, &impact.op, ""),
                None => ImpactOutcome::NotApplied,
            };
            applied.push(AppliedImpact {
                op: impact.op.clone(),
                data_type: dmf.data_type.clone(),
                object: object.unwrap_or("").to_owned(),
                outcome,
            });
        }
        applied
    }

    fn add(&mut self, data_type: &str, object: &str) -> ImpactOutcome {
        if self.is_uncertain(data_type, object) {
            return ImpactOutcome::NotApplied;
        }
        self.objects.entry(data_type.to_owned()).or_default().push(object.to_owned());
        if let Some(removed) = self.removed.get_mut(data_type) {
            removed.remove(object);
        }
        ImpactOutcome::Added
    }

    /// Notes that it is unknown how many objects with this text the app holds. Those of the model are taken out, and do
    /// not count as removed.
    pub fn doubt(&mut self, data_type: &str, text: &str) {
        if let Some(list) = self.objects.get_mut(data_type) {
            list.retain(|held| held != text);
        }
        self.uncertain.entry(data_type.to_owned()).or_default().insert(text.to_owned());
    }

    fn remove(&mut self, data_type: &str, object: &str) -> ImpactOutcome {
        let Some(list) = self.objects.get_mut(data_type) else { return ImpactOutcome::NotThere };
        let Some(place) = list.iter().position(|held| held == object) else { return ImpactOutcome::NotThere };
        let gone = list.remove(place);
        if !list.contains(&gone) {
            self.removed.entry(data_type.to_owned()).or_default().insert(gone);
        }
        ImpactOutcome::Removed
    }
}

impl fmt::Display for AppliedImpact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AppliedImpact { op, data_type, object, outcome } = self;
        match outcome {
            ImpactOutcome::Added => write!(f, "{object:?} was added to {data_type}"),
            ImpactOutcome::AlreadyThere => write!(f, "{object:?} was in {data_type} already"),
            ImpactOutcome::Removed => write!(f, "{object:?} was removed from {data_type}"),
            ImpactOutcome::NotThere => write!(f, "{object:?} was not in the model"),
            ImpactOutcome::Cleared(count) => write!(f, "{data_type} was cleared of {count} objects"),
            ImpactOutcome::NotApplied => write!(f, "{op} of {object:?} to {data_type} was not applied"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &[&str], op: ImpactOp, object: &str, after: &[&str], outcome: ImpactOutcome) {
        let mut data = DataModel::new();
        for held in before {
            data.apply("note", &ImpactOp::Add, held);
        }
        assert_eq!(data.apply("note", &op, object), outcome);
        assert_eq!(data.objects("note"), after);
    }

    #[test]
    fn operators_change_the_list() {
        check(&["a"], ImpactOp::Add, "a", &["a", "a"], ImpactOutcome::Added);
        check(&["a"], ImpactOp::AddNoDuplicate, "a", &["a"], ImpactOutcome::AlreadyThere);
        check(&["b"], ImpactOp::AddNoDuplicate, "a", &["b", "a"], ImpactOutcome::Added);
        check(&["a"], ImpactOp::AddConflict, "a", &[], ImpactOutcome::Removed);
        check(&[], ImpactOp::AddConflict, "a", &["a"], ImpactOutcome::Added);
        check(&["a"], ImpactOp::Delete, "z", &["a"], ImpactOutcome::NotThere);
        check(&["b", "a", "b"], ImpactOp::Delete, "b", &["a", "b"], ImpactOutcome::Removed);
        check(&["a", "b"], ImpactOp::Clear, "", &[], ImpactOutcome::Cleared(2));
        check(&["a"], ImpactOp::Unknown("swap".into()), "a", &["a"], ImpactOutcome::NotApplied);
    }

    #[test]
    fn removed_objects_are_those_that_are_gone() {
        let mut data = DataModel::new();
        for object in ["a", "b", "b"] {
            data.apply("note", &ImpactOp::Add, object);
        }
        data.apply("note", &ImpactOp::Delete, "a");
        data.apply("note", &ImpactOp::Delete, "b");
        assert_eq!(data.removed("note").collect::<Vec<_>>(), ["a"], "a second b is still there");
        data.apply("note", &ImpactOp::Add, "a");
        data.apply("note", &ImpactOp::Clear, "");
        assert_eq!(data.removed("note").collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(data.removed("tag").count(), 0);
    }

    #[test]
    fn an_object_in_doubt_is_neither_there_nor_removed() {
        let mut data = DataModel::new();
        data.apply("note", &ImpactOp::Add, "a");
        data.apply("note", &ImpactOp::Add, "a");
        data.doubt("note", "a");
        data.doubt("note", "b");
        let known = |data: &DataModel| (data.objects("note").len(), data.removed("note").count());
        assert_eq!((known(&data), data.uncertain("note").collect::<Vec<_>>()), ((0, 0), vec!["a", "b"]));
        assert_eq!(
            data.apply("note", &ImpactOp::Add, "b"),
            ImpactOutcome::NotApplied,
            "it may be a second one"
        );
        data.apply("note", &ImpactOp::Clear, "");
        assert_eq!(data.uncertain("note").count(), 0, "nothing is there now");
        assert_eq!(data.apply("note", &ImpactOp::Add, "b"), ImpactOutcome::Added);
    }

    #[test]
    fn types_do_not_mix() {
        let mut data = DataModel::new();
        data.apply("note", &ImpactOp::Add, "a");
        data.apply("tag", &ImpactOp::Add, "k7");
        assert_eq!(
            (data.objects("note"), data.objects("tag")),
            (&["a".to_owned()][..], &["k7".to_owned()][..])
        );
        assert_eq!(data.count("note", "k7"), 0);
    }
}
