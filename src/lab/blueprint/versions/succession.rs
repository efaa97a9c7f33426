//! Which widget of a version is which of another one.

use std::collections::BTreeMap;

use taproof_spec::{Dmf, NamedSelector, Spec, SpecSelector, TextPattern};

use crate::generate::names::names;
use crate::generate::translation::Translations;
use crate::schema::Blueprint;
use crate::spec;

/// What became of a widget of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Counterpart {
    /// How the function of the old version finds it.
    pub old: SpecSelector,
    /// Its name in the function of the new version.
    pub name: String,
    /// How the function of the new version finds it.
    pub new: SpecSelector,
}

impl Counterpart {
    /// Whether the new version calls for another selector.
    pub fn is_changed(&self) -> bool {
        self.old != self.new
    }
}

/// Which widget of the functions of one version is which of another version of the same app.
#[derive(Clone, Debug, Default)]
pub struct Succession {
    /// By the names of function and widget in the old version.
    widgets: BTreeMap<(String, String), Counterpart>,
    /// By the name of the function: the steps that only the new version has.
    inserted: BTreeMap<String, usize>,
}

impl Succession {
    /// What follows from two versions.
    pub fn between(old: &Blueprint, new: &Blueprint) -> Succession {
        let renamed = Renamed::between(old, new);
        let specs: [Spec; 2] = [old, new].map(|version| spec::spec(version, &names(version)));
        let mut succession = Succession::default();
        for dmf in &specs[0].dmfs {
            if let Some(later) = specs[1].dmfs.iter().find(|later| later.name == dmf.name) {
                succession.align(dmf, later, &renamed);
            }
        }
        succession
    }

    /// What became of the widget of this name of a function; `None` if there is no such widget any more.
    pub fn of(&self, function: &str, widget: &str) -> Option<&Counterpart> {
        self.widgets.get(&(function.to_owned(), widget.to_owned()))
    }

    /// All widgets of all functions: the names of function and widget in the old version, with what became of them.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str, &Counterpart)> {
        self.widgets.iter().map(|((function, widget), it)| (function.as_str(), widget.as_str(), it))
    }

    /// How many steps a function has that it did not have in the old version.
    pub fn inserted(&self, function: &str) -> usize {
        self.inserted.get(function).copied().unwrap_or_default()
    }

    fn align(&mut self, old: &Dmf, new: &Dmf, renamed: &Renamed) {
        self.inserted.insert(old.name.clone(), new.steps.len().saturating_sub(old.steps.len()));
        let mut rest = new.widgets.as_slice();
        for widget in &old.widgets {
            let selector = anywhere(&renamed.selector(&widget.selector));
            let is = |later: &NamedSelector| {
                (is_numbered(&later.name) && is_numbered(&widget.name) || later.name == widget.name)
                    && anywhere(&later.selector) == selector
            };
            let Some(place) = rest.iter().position(is) else { continue };
            let (name, later) = (rest[place].name.clone(), rest[place].selector.clone());
            let counterpart = Counterpart { old: widget.selector.clone(), name, new: later };
            self.widgets.insert((old.name.clone(), widget.name.clone()), counterpart);
            rest = &rest[place + 1..];
        }
    }
}

/// Whether the name of a widget is that of a step, which is counted.
fn is_numbered(name: &str) -> bool {
    name.strip_prefix('e')
        .and_then(|name| name.strip_suffix("_widget"))
        .is_some_and(|it| it.parse::<u32>().is_ok())
}

/// The selector apart from its place among several widgets.
fn anywhere(selector: &SpecSelector) -> SpecSelector {
    SpecSelector { instance: None, ..selector.clone() }
}

/// The ids and words that are other ones in the new version.
struct Renamed {
    ids: BTreeMap<String, String>,
    words: BTreeMap<String, String>,
}

impl Renamed {
    fn between(old: &Blueprint, new: &Blueprint) -> Renamed {
        let mut ids = BTreeMap::new();
        for (old_names, new_names) in names(old).iter().zip(&names(new)) {
            for (one, other) in old_names.all_tags().zip(new_names.all_tags()) {
                let dumped = one.dumped_id(&old.resources()).zip(other.dumped_id(&new.resources()));
                ids.extend(dumped);
            }
        }
        let (before, after) = (Translations::of(old), Translations::of(new));
        let first = before.new_words().chain(after.new_words());
        let words = first.map(|word| (before.said(word).to_owned(), after.said(word).to_owned()));
        Renamed { ids, words: words.collect() }
    }

    fn selector(&self, selector: &SpecSelector) -> SpecSelector {
        let mut renamed = selector.clone();
        let of = |map: &BTreeMap<String, String>, text: &mut String| {
            if let Some(new) = map.get(text) {
                text.clone_from(new);
            }
        };
        renamed.resource_id.iter_mut().for_each(|id| of(&self.ids, id));
        renamed.content_desc.iter_mut().for_each(|desc| of(&self.words, desc));
        if let TextPattern::Is(text) = &mut renamed.text {
            of(&self.words, text);
        }
        renamed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blueprint_named;

    #[test]
    fn each_widget_of_a_version_is_found_in_the_next_one() {
        for seed in 1..=40 {
            let of = |version| blueprint_named(&format!("blueprint:{seed}:small@{version}")).unwrap();
            let (old, new) = (of(1), of(2));
            let succession = Succession::between(&old, &new);
            let spec = spec::spec(&old, &names(&old));
            for dmf in &spec.dmfs {
                for widget in &dmf.widgets {
                    assert!(
                        succession.of(&dmf.name, &widget.name).is_some(),
                        "{seed} {} {widget:?}",
                        dmf.name
                    );
                }
            }
            assert!(succession.iter().any(|(_, _, it)| it.is_changed()), "{seed}");
        }
    }
}
