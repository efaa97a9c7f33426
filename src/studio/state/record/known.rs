//! What an app's specifications say already: names, nouns and functions that a new recording must fit.

use std::collections::BTreeSet;

use crate::state::StudioState;
use taproof_core::spec::{Dmf, Spec};

/// What they say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Known {
    /// The data types that they speak of.
    pub nouns: Vec<String>,
    /// The functions in the one that a recording is saved in.
    pub functions: Vec<Dmf>,
}

impl Known {
    /// A specification of this function and of the others, without the one that it was saved as; it comes first.
    pub(super) fn around(&self, dmf: Dmf, saved_as: Option<&str>) -> Spec {
        let others = self.functions.iter().filter(|other| saved_as != Some(&other.name));
        Spec { dmfs: std::iter::once(dmf).chain(others.cloned()).collect(), ..Spec::default() }
    }

    /// The names that the others have.
    pub(super) fn names(&self, saved_as: Option<&str>) -> BTreeSet<&str> {
        let names = self.functions.iter().map(|dmf| dmf.name.as_str());
        names.filter(|name| saved_as != Some(name)).collect()
    }
}

impl StudioState {
    /// What the specifications of an app say.
    pub fn known_of(&self, app: &str) -> Known {
        let own = self.documents.own(app);
        let functions = own.map(|document| document.spec.dmfs.clone()).unwrap_or_default();
        Known { nouns: self.nouns_of(app), functions }
    }

    /// The data types that the specifications of an app speak of.
    pub fn nouns_of(&self, app: &str) -> Vec<String> {
        let dmfs = self.documents.of_app(app).flat_map(|document| &document.spec.dmfs);
        let nouns: BTreeSet<&String> = dmfs.map(|dmf| &dmf.data_type).collect();
        nouns.into_iter().cloned().collect()
    }
}
