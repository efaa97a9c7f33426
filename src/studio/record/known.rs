//! The contents of an app's specifications that a new recording must fit: data types, names and functions.

use std::collections::BTreeSet;

use taproof_spec::{Dmf, Spec};

/// What an app's specifications contain.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Known {
    /// The data types of all of the app's specifications.
    pub nouns: Vec<String>,
    /// The functions of the specification that a recording is saved to.
    pub functions: Vec<Dmf>,
}

impl Known {
    /// A specification with this function first and then the others, without the version of it that was saved before.
    pub(super) fn around(&self, dmf: Dmf, saved_as: Option<&str>) -> Spec {
        let others = self.functions.iter().filter(|other| saved_as != Some(&other.name));
        Spec { dmfs: std::iter::once(dmf).chain(others.cloned()).collect(), ..Spec::default() }
    }

    /// The names of the functions, without the one that this recording was saved as.
    pub(super) fn names(&self, saved_as: Option<&str>) -> BTreeSet<&str> {
        let names = self.functions.iter().map(|dmf| dmf.name.as_str());
        names.filter(|name| saved_as != Some(name)).collect()
    }
}
