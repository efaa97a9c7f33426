//! The apps that ship with the laboratory as blueprints, with the bugs that the papers report for their models.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use taproof_phone::{AppMaker, Apps, BundledApp};
use taproof_screen::determinism::hash_bytes;

use super::versions::split_version;
use super::{Blueprint, Fault, Generated, Witness};

macro_rules! shipped {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("shipped/", $name, ".json"))),)*]
    };
}

/// The names with the JSON.
const SHIPPED: [(&str, &str); 6] = shipped!["cards", "radio", "tube", "reader", "budget", "schedule"];

/// The apps that are made from blueprints, each when it is asked for first.
#[derive(Debug, Default)]
struct Blueprints(Mutex<BTreeMap<Known, &'static BundledApp>>);

impl AppMaker for Blueprints {
    fn find(&self, name: &str) -> Option<&'static BundledApp> {
        let known = Known::named(name)?;
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(app) = made.get(&known) {
            return Some(*app);
        }
        let app: &'static BundledApp = Box::leak(Box::new(known.app()?));
        made.insert(known, app);
        Some(app)
    }

    fn listed(&self) -> Vec<&'static str> {
        shipped_names().collect()
    }

    fn names(&self) -> &'static str {
        Generated::NAMES
    }
}

/// The apps that ship with the program, and those that are made from blueprints.
pub fn apps() -> Apps {
    Apps::default().made_by(Arc::new(Blueprints::default()))
}

/// The names of the apps that ship with the laboratory as blueprints. A bundled phone has one only if it is asked for.
pub fn shipped_names() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|(name, _)| *name)
}

/// A blueprint by its name: one that ships with the laboratory, or one that is made from a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    Shipped {
        /// Its place among those that ship.
        place: usize,
        version: u32,
    },
    Generated(Generated),
}

impl Known {
    /// The blueprint with this name or package.
    fn named(name: &str) -> Option<Known> {
        if let Some(generated) = Generated::named(name) {
            return Some(Known::Generated(generated));
        }
        let (name, version) = split_version(name.strip_prefix("org.taproof.").unwrap_or(name))?;
        let place = SHIPPED.iter().position(|(known, _)| known.eq_ignore_ascii_case(name))?;
        Some(Known::Shipped { place, version })
    }

    fn blueprint(self) -> Option<Blueprint> {
        match self {
            Known::Shipped { place, version } => {
                let seed = hash_bytes(SHIPPED[place].0.as_bytes());
                Some(Blueprint::parse(SHIPPED[place].1).ok()?.version(version, seed))
            }
            Known::Generated(generated) => Some(generated.blueprint()),
        }
    }

    /// Makes the app.
    fn app(self) -> Option<BundledApp> {
        self.blueprint().map(Blueprint::into_app)
    }
}

/// The blueprint with this name or package: one that ships with the laboratory, or one that is made from a seed.
pub fn blueprint_named(name: &str) -> Option<Blueprint> {
    Known::named(name)?.blueprint()
}

/// The faults of an app that is made from a blueprint, each with the shortest script found that shows it. `None` if the
/// app of this name is not one.
pub fn witnesses(name: &str) -> Option<Vec<(Fault, Option<Witness>)>> {
    blueprint_named(name).map(Blueprint::witnessed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bug_of_a_shipped_blueprint_has_a_witness() {
        for (name, json) in SHIPPED {
            let blueprint = Blueprint::parse(json).unwrap();
            assert_eq!((blueprint.name.0, blueprint.bugs.len() >= 2), (name, true));
            for (fault, witness) in witnesses(name).unwrap() {
                let witness = witness.unwrap_or_else(|| panic!("{} has no witness", fault.id));
                println!("{} {:?}", fault.id, witness.acts);
            }
        }
    }
}
