//! Apps as data.
//!
//! A *blueprint* says what an app keeps and how its screens behave (`schema.rs`); one [`App`](taproof_phone::App) runs any
//! blueprint (`app.rs` and the pages beside it). From the blueprint follow the names of all widgets (`names.rs`), the
//! specification of its functions (`spec.rs`) and the places where fault operators apply (`operators.rs`, `faults.rs`),
//! so an app that nobody designed has a ground truth by construction.
//!
//! # Examples
//!
//! ```
//! use taproof_engine::device::Device;
//! use taproof_blueprint::{Blueprint, Size};
//! use taproof_phone::{Apps, BugSet};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let app = Blueprint::generate(7, Size::Small).into_app();
//! let name = app.short_name();
//! let mut phone = Apps::with([app])?.open(name, &BugSet::none())?;
//! assert!(!phone.observe()?.layout.widgets().is_empty());
//! # Ok(())
//! # }
//! ```

#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod act;
mod deletion;
mod derived;
mod faults;
mod generate;
#[cfg(test)]
#[path = "../../phone/apps/hand.rs"]
#[expect(dead_code, reason = "it does more than these tests need")]
mod hand;
mod operator_places;
mod operators;
mod pages;
mod schema;
#[cfg(test)]
mod screen_tests;
mod shipped;
mod spec;
mod store;
#[cfg(test)]
mod tests;
mod versions;
mod witness;
mod word;

pub use act::Act;
pub use generate::{BugKind, OPERATOR_MIX, Size};
use generate::{TypeNames, keep, names};
use std::collections::BTreeSet;

use taproof_phone::{AppSource, BugSet, BundledApp, Manifest, Phone, ShippedSpec};

use app::{BlueprintApp, Plan};
use pages::{app, points, relation_views};

pub use derived::{DerivedPlan, DerivedTrap};
pub use faults::Fault;
pub use operators::Operator;
pub use schema::{
    Blueprint, Cascade, Converter, DataType, DeleteFrom, DeletePlan, Field, FormPlan, FormWindow, Home,
    KnownBug, ListPlan, Naming, Ownership, PagePlan, PlayPlan, SearchPlan, Shape, Switch, TextPage, Trap,
};
pub use shipped::{apps, blueprint_named, shipped_names, witnesses};
pub use spec::SpecFiles;
pub use versions::{Changes, Counterpart, IdStyle, LAST_VERSION, Renaming, Succession};
pub use witness::Witness;
pub use word::{Word, Words};

/// A generated app by its name: `blueprint:SEED[:SIZE][:traps][:derived][@VERSION]` in commands, and the last part of a package,
/// such as `blueprint7m` or `blueprint7mv2`, elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Generated {
    /// The seed that makes the app.
    pub seed: u64,
    /// How large it is.
    pub size: Size,
    /// Whether it has what makes an app hard to test although nothing is wrong with it.
    pub traps: bool,
    /// Whether it shows values that follow from its objects.
    pub derived: bool,
    /// Which version of it, from 1.
    pub version: u32,
}

impl Generated {
    /// How the names are formed, for lists of what can be chosen.
    pub const NAMES: &str = "blueprint:SEED[:small|medium|large][:traps][:derived][@VERSION]";

    /// The generated app with this name or package; `None` for other names.
    ///
    /// # Examples
    ///
    /// ```
    /// use taproof_blueprint::{Generated, Size};
    ///
    /// let app = Generated { seed: 7, size: Size::Medium, traps: false, derived: false, version: 1 };
    /// assert_eq!(Generated::named("blueprint:7:medium"), Some(app));
    /// assert_eq!(Generated::named("org.taproof.blueprint7m"), Some(app));
    /// assert_eq!(Generated::named("blueprint:7:medium@2"), Some(Generated { version: 2, ..app }));
    /// assert_eq!(Generated::named("notes"), None);
    /// ```
    pub fn named(name: &str) -> Option<Generated> {
        let (name, version) = versions::split_version(name)?;
        if let Some(words) = name.strip_prefix("blueprint:") {
            let mut words = words.split(':').peekable();
            let seed = words.next()?.parse().ok()?;
            let sized = |word: &str| Size::ALL.into_iter().find(|size| size.name() == word);
            let size = words.peek().and_then(|word| sized(word));
            words.next_if(|_| size.is_some());
            let traps = words.next_if_eq(&"traps").is_some();
            let derived = words.next_if_eq(&"derived").is_some();
            let all_read = words.next().is_none();
            let size = size.unwrap_or_default();
            return all_read.then_some(Generated { seed, size, traps, derived, version });
        }
        let name = name.strip_prefix("org.taproof.").unwrap_or(name);
        let digits: String =
            name.strip_prefix("blueprint")?.chars().take_while(char::is_ascii_digit).collect();
        let seed = digits.parse().ok()?;
        let kinds = [(false, false), (true, false), (false, true), (true, true)];
        let of = |size| kinds.map(|(traps, derived)| Generated { seed, size, traps, derived, version });
        Size::ALL.into_iter().flat_map(of).find(|generated| generated.first_name() == name)
    }

    /// The last part of the package of the first version.
    fn first_name(self) -> String {
        let (traps, derived) = (if self.traps { "t" } else { "" }, if self.derived { "d" } else { "" });
        format!("blueprint{}{}{traps}{derived}", self.seed, self.size.letter())
    }

    /// The app as data.
    pub fn blueprint(self) -> Blueprint {
        let blueprint = Blueprint::generate(self.seed, self.size);
        let blueprint = if self.traps { blueprint.with_traps(self.seed) } else { blueprint };
        let blueprint = if self.derived { blueprint.with_derived(self.seed) } else { blueprint };
        let name = Word::keep(self.first_name());
        Blueprint { name, ..blueprint }.version(self.version, self.seed)
    }

    /// The faults of the app, each with the shortest script found that shows it.
    pub fn witnesses(self) -> Vec<(Fault, Option<Witness>)> {
        self.blueprint().witnessed()
    }

    /// Makes the app.
    pub fn app(self) -> BundledApp {
        self.blueprint().into_app()
    }
}

/// A blueprint that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BlueprintError {
    /// The text is not the JSON of a blueprint.
    #[error("not a blueprint: {0}")]
    Json(#[from] serde_json::Error),
    /// What it says cannot be.
    #[error("the blueprint {name}: {problem}")]
    Contents {
        /// The name of the blueprint.
        name: Word,
        /// What is wrong, and where.
        problem: String,
    },
}

impl Blueprint {
    /// Reads a blueprint from its JSON.
    ///
    /// # Errors
    ///
    /// [`BlueprintError`] if the text is not JSON, has unknown keys, or says what cannot be.
    pub fn parse(json: &str) -> Result<Blueprint, BlueprintError> {
        let blueprint: Blueprint = serde_json::from_str(json)?;
        match blueprint.problem() {
            Some(problem) => Err(BlueprintError::Contents { name: blueprint.name, problem }),
            None => Ok(blueprint),
        }
    }

    /// Writes the blueprint as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    fn problem(&self) -> Option<String> {
        let letters = |name: &str| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        };
        if !letters(self.name.0) {
            return Some(
                "\"name\" must consist of small letters and digits, as the last part of a package".to_owned(),
            );
        }
        if let Some(bug) = self.bugs.iter().find(|bug| !self.is_possible(bug)) {
            let (id, operator, noun) = (bug.id, bug.operator.name(), bug.noun);
            return Some(format!("the bug {id} cannot be: {operator} does not apply to a {noun}"));
        }
        if self.types.is_empty() {
            return Some("\"types\" is empty; an app has at least one data type".to_owned());
        }
        for (place, kind) in self.types.iter().enumerate() {
            let noun = kind.noun;
            match kind.fields.first() {
                None => return Some(format!("the type {noun} has no fields; the first one is its name")),
                Some(first) if first.shape != Shape::Line => {
                    return Some(format!("the first field of the type {noun} must have the shape \"line\""));
                }
                Some(_) => {}
            }
            if let Some(values) = kind.shipped.iter().find(|values| values.len() != kind.fields.len()) {
                let (has, wants) = (values.len(), kind.fields.len());
                return Some(format!("a shipped {noun} has {has} values, but there are {wants} fields"));
            }
            if kind.arrivals.iter().any(|values| values.len() != kind.fields.len()) {
                return Some(format!("a {noun} in \"arrivals\" has not a value for each field"));
            }
            if kind.form.autosave && kind.number().is_some() {
                return Some(format!("the form of a {noun} saves by itself, so it cannot refuse a number"));
            }
            if kind.page.tabs && !self.has_second_tab(place) {
                return Some(format!("there is nothing to show on a second tab of a {noun}"));
            }
            if kind.form.opens && kind.list.panes {
                return Some(format!(
                    "a {noun} has no page of its own, which could be shown beside the list"
                ));
            }
            if kind.form.opens && kind.delete.from == DeleteFrom::Detail {
                return Some(format!("a {noun} has no page of its own, so it cannot be deleted there"));
            }
            if let Some(problem) = self.relation_problem(kind) {
                return Some(problem);
            }
        }
        None
    }

    fn relation_problem(&self, kind: &DataType) -> Option<String> {
        let noun = kind.noun;
        let fields = kind.fields.iter().filter(|field| field.shape == Shape::Owner).count();
        let Some(Ownership { noun: owner, .. }) = kind.owner else {
            return (fields > 0)
                .then(|| format!("a {noun} has a field for its owner, but \"owner\" is missing"));
        };
        if fields != 1 {
            return Some(format!(
                "a {noun} has an owner, so one of its fields must have the shape \"owner\""
            ));
        }
        match self.types.iter().find(|kind| kind.noun == owner) {
            None => Some(format!("the owner of a {noun} is a {owner}, but there is no such type")),
            Some(kind) if !kind.has_detail() => {
                Some(format!("a {owner} has no page of its own, which would show what belongs to it"))
            }
            Some(kind) if kind.noun == noun => Some(format!("a {noun} cannot belong to another {noun}")),
            Some(_) => None,
        }
    }

    /// The specification of the app's functions, with the block list, in PBFDroid's JSON.
    pub fn spec_files(&self) -> SpecFiles {
        spec::files(self, &names(self))
    }

    /// Everything that follows from the blueprint. It is kept for the rest of the program.
    fn into_plan(self) -> &'static Plan {
        let names = names(&self);
        let manifest = self.manifest(&names);
        let points = points::table(manifest.points);
        let translations = generate::translation::Translations::of(&self);
        Box::leak(Box::new(Plan { blueprint: self, names, manifest, points, translations }))
    }

    fn witnessed(self) -> Vec<(Fault, Option<Witness>)> {
        let faults = self.faults();
        let witnesses = self.witnesses(&faults);
        faults.into_iter().zip(witnesses).collect()
    }

    /// Looks for a script that shows each of these faults; `None` where there is none that is short enough. A fault
    /// without a witness is none: nobody could see it.
    pub fn witnesses(self, faults: &[Fault]) -> Vec<Option<Witness>> {
        let plan = self.into_plan();
        faults.iter().map(|fault| plan.witness(*fault)).collect()
    }

    /// Makes the blueprint an app that can be installed, with its specification.
    ///
    /// The app is kept for the rest of the program.
    pub fn into_app(self) -> BundledApp {
        let SpecFiles { dmfs, blocks } = self.spec_files();
        let path = |file: &str| keep(format!("{0}/{file}_{0}.json", self.name));
        let specs = vec![
            ShippedSpec { path: path("dmf"), text: keep(dmfs) },
            ShippedSpec { path: path("keyviews"), text: keep(blocks) },
        ];
        BundledApp::from_source(self.into_plan()).specs(Box::leak(specs.into_boxed_slice()))
    }

    fn manifest(&self, names: &[TypeNames]) -> Manifest {
        let mut activities: Vec<&'static str> = vec!["MainActivity"];
        if !self.settings.is_empty() {
            activities.push("SettingsActivity");
        }
        let permissions: BTreeSet<&'static str> =
            self.types.iter().filter_map(|kind| kind.form.permission).map(|it| it.0).collect();
        activities.extend(app::extra_activities(self));
        let of_types = self.types.iter().zip(names);
        activities.extend(of_types.flat_map(|(kind, names)| self.activities_of(kind, names)));
        activities.extend((0..self.texts.len()).map(pages::more_pages::text_activity));
        Manifest {
            modelled_on: self.modelled_on.0,
            icon: self.icon,
            accent: self.color(),
            activities: Box::leak(activities.into_boxed_slice()),
            permissions: Box::leak(permissions.into_iter().collect::<Vec<_>>().into_boxed_slice()),
            bugs: Box::leak(self.bugs().into_boxed_slice()),
            points: Box::leak(points::points(self).into_boxed_slice()),
            resources: self.changes.of.map(|_| keep(self.resources())),
            ..Manifest::new(keep(self.package()), self.label.0)
        }
    }
}

impl Blueprint {
    /// Whether the first page is the one with an entry for each data type.
    fn has_dashboard(&self) -> bool {
        self.home == Home::Dashboard && self.types.len() > 1
    }

    /// The activities that a data type has of those in its names.
    fn activities_of(&self, kind: &DataType, names: &TypeNames) -> Vec<&'static str> {
        let has = [
            self.has_dashboard(),
            kind.has_detail_activity(),
            kind.form.window != FormWindow::Dialog,
            kind.search.is_some(),
            kind.delete.trash,
        ];
        names.activities.into_iter().zip(has).filter(|(_, has)| *has).map(|(name, _)| name).collect()
    }
}

impl AppSource for Plan {
    fn manifest(&'static self) -> &'static Manifest {
        &self.manifest
    }

    fn install(&'static self, phone: &mut Phone, bugs: &BugSet) {
        phone.install_made(&self.manifest, move |bugs| BlueprintApp::new(self, bugs), bugs);
    }
}
