//! Specifications as Discover proposes them on the sound build, all accepted unseen, and how right they are: beside the one that
//! follows from the app.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use taproof_campaign::discover::{DiscoverConfig, discover, performed};
use taproof_engine::device::{DeviceError, DeviceSource};
use taproof_screen::{Layout, RecordedStep};
use taproof_spec::{
    Action, Condition, DataType, Dmf, DmfKind, ImpactOp, Input, Relation, Spec, SpecSelector, TextPattern,
    target_of,
};

use crate::performed::{Recording, recordings};

/// Events within which every function is performed once to be compared: apps with many data types have functions that begin
/// on screens which random events rarely reach.
const EVENTS: u64 = 200_000;

/// How right the proposals are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rightness {
    /// Functions of the specifications that follow from the apps.
    pub functions: usize,
    /// Those of them of which one with the same kind, type, steps and object was proposed.
    pub right: usize,
    /// Functions that were proposed.
    pub proposed: usize,
    /// Conditions of the right functions.
    pub conditions: usize,
    /// Those of them of which one with the same meaning was proposed.
    pub equal: usize,
}

impl Rightness {
    /// Adds what was counted of another app.
    pub fn add(&mut self, other: Rightness) {
        self.functions += other.functions;
        self.right += other.right;
        self.proposed += other.proposed;
        self.conditions += other.conditions;
        self.equal += other.equal;
    }
}

/// Proposed functions beside those of the specification that follows from the app.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beside {
    /// Each function of that one, with the name of the proposed one that is the same; `None` if there is none.
    pub functions: Vec<(String, Option<String>)>,
    /// The proposed functions that are none of them.
    pub others: Vec<String>,
    /// The counts.
    pub rightness: Rightness,
}

/// What Discover proposes for an app, accepted as it is.
///
/// # Errors
///
/// [`DeviceError`] if the phone fails.
pub(crate) fn discovered_spec(package: &str, phones: &mut dyn DeviceSource) -> Result<Spec, DeviceError> {
    let mut device = phones.fresh()?;
    let config = DiscoverConfig::default();
    Ok(discover(&mut *device, package, &config, &|| false, &mut |_| {})?.spec())
}

/// A function as it is compared.
struct Seen<'a> {
    dmf: &'a Dmf,
    /// What it does; `None` if it was never performed.
    done: Option<Vec<String>>,
    screens: Option<(Arc<Layout>, Arc<Layout>)>,
}

/// Compares proposed functions with those that follow from the app. Both are performed on the sound build: what they do is
/// compared, and not how they are written.
///
/// # Errors
///
/// [`DeviceError`] if the phone fails.
pub fn beside_truth(
    truth: &Spec,
    proposed: &Spec,
    package: &str,
    phones: &mut dyn DeviceSource,
) -> Result<Beside, DeviceError> {
    let truth_runs = recordings(truth, package, phones, EVENTS)?;
    let proposed_runs = recordings(proposed, package, phones, EVENTS)?;
    let truth = seen(truth, &truth_runs, package);
    let proposed = seen(proposed, &proposed_runs, package);
    let types = same_types(&truth, &proposed);
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    let mut beside = Beside::default();
    for function in &truth {
        let same = |place: &usize| !taken.contains(place) && function.is_same(&proposed[*place], &types);
        let candidates = (0..proposed.len()).filter(same);
        let best =
            candidates.max_by_key(|place| (function.equal(&proposed[*place]), std::cmp::Reverse(*place)));
        if let Some(place) = best {
            taken.insert(place);
            beside.rightness.right += 1;
            beside.rightness.conditions += function.conditions().len();
            beside.rightness.equal += function.equal(&proposed[place]);
        }
        let name = best.map(|place| proposed[place].dmf.name.clone());
        beside.functions.push((function.dmf.name.clone(), name));
    }
    beside.rightness.functions = truth.len();
    beside.rightness.proposed = proposed.len();
    let others = proposed.iter().enumerate().filter(|(place, _)| !taken.contains(place));
    beside.others = others.map(|(_, function)| function.dmf.name.clone()).collect();
    Ok(beside)
}

fn seen<'a>(spec: &'a Spec, runs: &[Option<Recording>], package: &str) -> Vec<Seen<'a>> {
    let seen = |(dmf, run): (&'a Dmf, &Option<Recording>)| {
        let done = run.as_ref().map(|run| done(dmf, run, package));
        let ends = run.as_ref().and_then(|run| {
            Some((Arc::clone(&run.steps.first()?.before), Arc::clone(&run.steps.last()?.after)))
        });
        Seen { dmf, done, screens: ends }
    };
    spec.dmfs.iter().zip(runs).map(seen).collect()
}

/// What was done, without what is asked only once. How the phone lies is known from the function, since it may have lain so
/// before.
fn done(dmf: &Dmf, run: &Recording, package: &str) -> Vec<String> {
    let foreign = |step: usize| run.steps.get(step).is_some_and(|step| step.before.package() != package);
    let asked = |step: usize| run.steps.get(step).is_some_and(|step| is_optional(dmf, step));
    let kept = (0..run.steps.len()).filter(|step| !foreign(*step) && !foreign(step + 1) && !asked(*step));
    let steps: Vec<_> = kept.map(|step| run.steps[step].clone()).collect();
    let texts: Vec<&str> = run.texts.iter().map(String::as_str).collect();
    let sideways = dmf.steps.iter().any(|step| step.action == Action::RotateLeft);
    let sideways = sideways.then(|| "sideways".to_owned());
    sideways
        .into_iter()
        .chain(performed(&steps, &texts).into_iter().filter(|step| step != "rotate"))
        .collect()
}

/// Whether a step is one that the function may leave out.
fn is_optional(dmf: &Dmf, step: &RecordedStep) -> bool {
    let Some(target) = target_of(step) else { return false };
    let optional = dmf.steps.iter().filter(|step| !step.required).filter_map(|step| step.widget.as_deref());
    let selectors = optional.filter_map(|name| Some(&dmf.widget(name)?.selector));
    let named = |selector: &SpecSelector| {
        let text = if let TextPattern::Is(text) = &selector.text { Some(text.clone()) } else { None };
        let all = selector.with_text(text).map(|selector| selector.matches(&step.before)).unwrap_or_default();
        all.iter().any(|idx| step.before.ancestors(target).chain([target]).any(|around| around == *idx))
    };
    selectors.into_iter().any(named)
}

/// The proposed type for each type of the truth: pairs that most functions agree on, one to one.
fn same_types(truth: &[Seen<'_>], proposed: &[Seen<'_>]) -> BTreeMap<DataType, DataType> {
    let mut votes: BTreeMap<(&DataType, &DataType), usize> = BTreeMap::new();
    for one in truth {
        for other in proposed.iter().filter(|other| one.does_same(other)) {
            *votes.entry((&one.dmf.data_type, &other.dmf.data_type)).or_default() += 1;
        }
    }
    let mut pairs: Vec<_> = votes.into_iter().collect();
    pairs.sort_by_key(|(pair, count)| (std::cmp::Reverse(*count), *pair));
    let mut types = BTreeMap::new();
    for ((one, other), _) in pairs {
        if !types.contains_key(one) && !types.values().any(|taken| taken == other) {
            types.insert(one.clone(), other.clone());
        }
    }
    types
}

impl Seen<'_> {
    fn is_same(&self, other: &Seen<'_>, types: &BTreeMap<DataType, DataType>) -> bool {
        self.does_same(other) && types.get(&self.dmf.data_type) == Some(&other.dmf.data_type)
    }

    /// Whether both are of one kind, do the same, and have the same effect on the same object.
    fn does_same(&self, other: &Seen<'_>) -> bool {
        let done = self.done.is_some() && self.done == other.done;
        done && self.dmf.kind == other.dmf.kind && self.effects() == other.effects()
    }

    /// The changes of the data, and whether what is typed is new or known.
    fn effects(&self) -> (Vec<String>, Vec<bool>) {
        let impacts = self.dmf.impacts.iter().map(|impact| match impact.op {
            ImpactOp::AddNoDuplicate => ImpactOp::Add.to_string(),
            _ => impact.op.to_string(),
        });
        let inputs = self.dmf.steps.iter().filter_map(|step| match step.input {
            Input::Fresh(_) => Some(true),
            Input::Existing(_) => Some(false),
            Input::Literal(_) | Input::None => None,
        });
        let inputs = if self.dmf.kind == DmfKind::Search { inputs.collect() } else { Vec::new() };
        (impacts.collect(), inputs)
    }

    fn conditions(&self) -> Vec<String> {
        let meaning = |condition: &Condition, post: bool| self.meaning(condition, post);
        let pre = self.dmf.preconditions.iter().map(|condition| meaning(condition, false));
        pre.chain(self.dmf.postconditions.iter().map(|condition| meaning(condition, true))).collect()
    }

    /// Number of its conditions that the other has as well.
    fn equal(&self, other: &Seen<'_>) -> usize {
        let mut left = other.conditions();
        let mut equal = 0;
        for condition in self.conditions() {
            if let Some(place) = left.iter().position(|other| *other == condition) {
                left.swap_remove(place);
                equal += 1;
            }
        }
        equal
    }

    /// What a condition means, however its widget is looked for: which widget of the screen it is about.
    fn meaning(&self, condition: &Condition, post: bool) -> String {
        let place = if post { "after" } else { "before" };
        let relation = match &condition.relation {
            Relation::InOrder(names) => return format!("{place} in order {}", self.order(names)),
            other => other.to_string(),
        };
        let data = if condition.data_type.is_some() { " of known" } else { "" };
        let Some(named) = condition.widget.as_deref().and_then(|name| self.dmf.widget(name)) else {
            return format!("{place} {relation}{data}");
        };
        let known = data.is_empty() && matches!(named.selector.text, TextPattern::Existing(_));
        let data = if known { " of known" } else { data };
        format!("{place} {relation} {}{data}", self.widget(&named.selector, post))
    }

    fn order(&self, names: &[String]) -> String {
        let texts = names.iter().filter_map(|name| self.dmf.widget(name));
        let texts: Vec<String> = texts.map(|named| named.selector.text.to_string()).collect();
        texts.join(", ")
    }

    /// The widget of a selector: its class, id and description where a screen of the run shows it, and whose text it shows.
    fn widget(&self, selector: &SpecSelector, post: bool) -> String {
        let object = match &selector.text {
            TextPattern::FromRead(name) => match self.dmf.widget(name).map(|named| &named.selector.text) {
                Some(TextPattern::Existing(_)) => " with the known object",
                _ => " with the text",
            },
            TextPattern::Existing(_) | TextPattern::Any | TextPattern::Is(_) => "",
        };
        let plain = SpecSelector { row: None, instance: None, ..selector.clone() };
        let text = match &plain.text {
            TextPattern::Is(text) => Some(text.clone()),
            _ => None,
        };
        let screen = self.screens.as_ref().map(|(first, last)| if post { last } else { first });
        let shown = screen.and_then(|layout| {
            let found = plain.with_text(text.clone()).ok()?.matches(layout);
            let widget = layout.widget(*found.first()?);
            Some(format!(
                "{}#{} {:?}",
                widget.short_class(),
                widget.short_id().unwrap_or(""),
                widget.content_desc
            ))
        });
        let written = || plain.to_string();
        format!("{}{object}", shown.unwrap_or_else(written))
    }
}

#[cfg(test)]
mod tests {
    use taproof_blueprint::Blueprint;
    use taproof_campaign::discover::Discovery;
    use taproof_engine::device::Build;
    use taproof_phone::{Apps, BundledPhones};

    use super::*;

    /// What is discovered of an app with these data types.
    fn discovered(types: &str, events: u64) -> Discovery {
        let json = format!(
            r#"{{"name": "shapes", "label": "Shapes", "icon": "note", "accent": 1392290, "types": [{types}]}}"#
        );
        let blueprint = Blueprint::parse(&json).unwrap();
        let package = blueprint.package();
        let apps = Apps::with([blueprint.into_app()]).unwrap();
        let mut phones = BundledPhones::of(&apps, &package, &Build::Sound);
        let config = DiscoverConfig { events, seed: 1 };
        discover(&mut *phones.fresh().unwrap(), &package, &config, &|| false, &mut |_| {}).unwrap()
    }

    fn names(found: &Discovery) -> Vec<&str> {
        found.functions.iter().map(|function| function.dmf.name.as_str()).collect()
    }

    #[test]
    fn a_form_is_saved_whose_fields_may_not_be_left_empty() {
        let fields = r#"{"label": "Name"}, {"label": "Town", "required": true},
            {"label": "Persons", "shape": {"number": {"least": 1, "most": 12}}, "required": true}"#;
        for window in ["page", "dialog", "wizard"] {
            let types = format!(
                r#"{{"noun": "trip", "plural": "trips", "icon": "note", "fields": [{fields}],
                    "form": {{"window": "{window}"}}}}"#
            );
            let found = discovered(&types, 6_000);
            let proposed = names(&found);
            let all = ["add trip", "view trip", "edit trip", "delete trip"];
            assert!(all.iter().all(|name| proposed.contains(name)), "{window}: {proposed:?}");
            let typed = &found.functions[0].dmf.steps;
            let literal = typed.iter().filter(|step| matches!(step.input, Input::Literal(_))).count();
            assert_eq!(literal, 2, "{window}: {typed:?}");
        }
    }
}
