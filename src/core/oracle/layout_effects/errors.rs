//! Violating comparisons, merged if they show the same error (`engine/genie/paper.md`, section 12).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::effect::{Effect, unmatched};
use super::loss::Sides;
use super::{Places, Prepared, TestPair, WidgetKind};
use crate::determinism::HashBuffer;
use crate::model::{FailedCheck, OracleKind, Violation, WidgetIdx, one_line, row_around, widget_name};

/// A comparison that shows a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The indices of the four layouts that were compared.
    pub places: Places,
    /// Effects of the seed test that the mutant lacks.
    pub unmatched_seed: Vec<Effect>,
    /// Effects of the mutant that the seed test lacks.
    pub unmatched_mutant: Vec<Effect>,
    /// Whether every trace-back order shows the violation.
    pub firm: bool,
    /// It compares the pivot with what the detour came back to, and the unmatched effects are what happened between.
    pub at_return: bool,
}

/// What identifies an error: the contexts of its unmatched effects. Batches with equal keys are one error.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ErrorKey {
    seed: Vec<(u64, u64)>,
    mutant: Vec<(u64, u64)>,
}

/// Batches that show the same error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EffectError {
    /// The contexts of the unmatched effects that these batches have in common.
    pub key: ErrorKey,
    /// Indices among the batches that were merged; the first represents all.
    pub batches: Vec<usize>,
}

impl Batch {
    /// The contexts of its unmatched effects. Without texts, rows with different names are equal.
    pub fn key(&self, with_texts: bool) -> ErrorKey {
        let sorted = |effects: &[Effect]| {
            let contexts = |effect: &Effect| if with_texts { effect.contexts } else { effect.shapes };
            let mut pairs: Vec<(u64, u64)> = effects.iter().map(contexts).collect();
            pairs.sort_unstable();
            pairs
        };
        ErrorKey { seed: sorted(&self.unmatched_seed), mutant: sorted(&self.unmatched_mutant) }
    }

    /// A hash of the page and the types of the widgets whose effects were lost, whatever their texts and number.
    pub fn kind(&self, test: TestPair<'_>) -> u64 {
        let mut hasher = HashBuffer::default();
        let Some(sides) = test.sides(self.places) else { return 0 };
        hasher.text(sides.seed.1.layout.activity());
        let of = self.changed(sides);
        let keys = self.told(of).into_iter().map(|effect| describe(effect, of).1.key);
        for key in keys.collect::<BTreeSet<String>>() {
            hasher.text(&key);
        }
        hasher.finish()
    }

    /// The two layouts that the unmatched effects are between.
    fn changed<'a>(&self, sides: Sides<'a>) -> (&'a Prepared, &'a Prepared) {
        if self.at_return { sides.mutant } else { sides.seed }
    }

    /// The unmatched effects that a violation tells: those with a name, or all if none has one.
    fn told(&self, of: (&Prepared, &Prepared)) -> Vec<&Effect> {
        let named: Vec<&Effect> = self.unmatched_seed.iter().filter(|effect| is_named(effect, of)).collect();
        if named.is_empty() { self.unmatched_seed.iter().collect() } else { named }
    }

    /// Whether a person can see what is lost: one of the effects has a name.
    pub(super) fn has_named(&self, test: TestPair<'_>) -> bool {
        let of = test.sides(self.places).map(|sides| self.changed(sides));
        of.is_some_and(|of| self.unmatched_seed.iter().any(|effect| is_named(effect, of)))
    }

    /// The batch without the effects on widgets of some kinds; `None` if no violation is left. For ignoring widgets
    /// after a run: those that are ignored before it are not even compared.
    pub fn without(&self, test: TestPair<'_>, ignored: &[WidgetKind]) -> Option<Batch> {
        let stays = |from: Option<&Prepared>, to: Option<&Prepared>, effect: &Effect| {
            let named = |side: Option<&Prepared>, idx: Option<WidgetIdx>| {
                let (Some(side), Some(idx)) = (side, idx) else { return false };
                let around = std::iter::once(idx).chain(side.layout.ancestors(idx));
                around
                    .map(|idx| WidgetKind::of(&side.layout, side.layout.widget(idx)))
                    .any(|kind| ignored.contains(&kind))
            };
            !named(from, effect.from) && !named(to, effect.to)
        };
        let sides = test.sides(self.places)?;
        let left = |effects: &[Effect], (from, to): (&Prepared, &Prepared)| -> Vec<Effect> {
            effects.iter().filter(|effect| stays(Some(from), Some(to), effect)).copied().collect()
        };
        let (unmatched_seed, unmatched_mutant) = unmatched(
            &left(&self.unmatched_seed, self.changed(sides)),
            &left(&self.unmatched_mutant, sides.mutant),
        );
        let batch = Batch { unmatched_seed, unmatched_mutant, ..self.clone() };
        (!batch.unmatched_seed.is_empty()).then_some(batch)
    }

    /// The violation, described on the mutant's last compared layout. `detour` describes the inserted events. `None` if
    /// a layout is missing or nothing is unmatched.
    pub fn violation(&self, test: TestPair<'_>, detour: &str) -> Option<Violation> {
        let sides = test.sides(self.places)?;
        let subject = sides.mutant.1.layout.activity().rsplit(['/', '.']).next().unwrap_or("").to_owned();
        let told: Vec<(String, FailedCheck)> = self
            .told(self.changed(sides))
            .into_iter()
            .map(|effect| describe(effect, self.changed(sides)))
            .collect();
        let seen = match self.unmatched_mutant.as_slice() {
            _ if self.at_return => "it is not there any more".to_owned(),
            [] => "no such change".to_owned(),
            [only] => format!("{} instead", describe(only, sides.mutant).0),
            several => format!("{} other changes instead", several.len()),
        };
        let (first, others) = (told.first()?.0.clone(), told.len() - 1);
        let more = if others == 0 { String::new() } else { format!(" and {others} more") };
        let title = match self.at_return {
            true => format!("{subject}: {detour} causes {first}{more}"),
            false => format!("{subject}: after {detour}, {first}{more} is lost"),
        };
        let failed = |(what, check): (String, FailedCheck)| match self.at_return {
            true => FailedCheck {
                condition: "a detour takes nothing away that it has nothing to do with".to_owned(),
                expected: format!("not {what}"),
                seen: seen.clone(),
                ..check
            },
            false => FailedCheck { seen: seen.clone(), ..check },
        };
        let mut failures: Vec<FailedCheck> = told.into_iter().map(failed).collect();
        if let Some(check) = failures.first_mut() {
            let rest = self.unmatched_mutant.iter().filter_map(|effect| effect.to);
            check.offending = rest.collect();
        }
        failures.sort_by(|one, other| one.key.cmp(&other.key));
        // Which condition fails identifies the error in other tests, however many widgets of a kind they lose.
        failures.dedup_by(|one, other| one.key == other.key);
        Some(Violation {
            oracle: OracleKind::IndependentView,
            title,
            subject,
            dmf: None,
            failures,
            after_drift: false,
        })
    }
}

/// Whether a person can say what an effect happens to: a widget with words, or a picture or a mark in a row that has some.
/// Others are containers, of whose contents each is an effect of its own.
fn is_named(effect: &Effect, (before, after): (&Prepared, &Prepared)) -> bool {
    let named = |side: &Prepared, idx: Option<WidgetIdx>| {
        idx.is_some_and(|idx| {
            let layout = &side.layout;
            let in_row = || layout.role(idx).is_some() && row_around(layout, idx).is_some();
            layout.widget(idx).says().is_some() || (layout.is_leaf(idx) && in_row())
        })
    };
    named(before, effect.from) || named(after, effect.to)
}

/// An effect in words, and as a failed check.
fn describe(effect: &Effect, (before, after): (&Prepared, &Prepared)) -> (String, FailedCheck) {
    let name = |side: &Prepared, idx: WidgetIdx| one_line(&widget_name(side.layout.widget(idx)));
    let kind = |side: &Prepared, idx: WidgetIdx| {
        let widget = side.layout.widget(idx);
        widget.short_id().map_or_else(|| widget.short_class().to_owned(), str::to_owned)
    };
    let (what, key) = match (effect.from, effect.to) {
        (Some(from), None) => {
            (format!("the removal of {}", name(before, from)), format!("{} goes", kind(before, from)))
        }
        (None, Some(to)) => {
            (format!("the appearance of {}", name(after, to)), format!("{} comes", kind(after, to)))
        }
        (Some(from), Some(to)) => (
            format!("the change from {} to {}", name(before, from), name(after, to)),
            format!("{} becomes {}", kind(before, from), kind(after, to)),
        ),
        (None, None) => ("nothing".to_owned(), String::new()),
    };
    let check = FailedCheck {
        key,
        condition: "what a test changes is changed after a detour through independent widgets, too"
            .to_owned(),
        expected: what.clone(),
        seen: String::new(),
        offending: Vec::new(),
        missing: None,
    };
    (what, check)
}

/// Merges batches that show the same error, in the order of their first.
pub fn merge_batches(batches: &[Batch], with_texts: bool) -> Vec<EffectError> {
    let mut known: BTreeMap<ErrorKey, usize> = BTreeMap::new();
    let mut errors: Vec<EffectError> = Vec::new();
    for (place, batch) in batches.iter().enumerate() {
        let key = batch.key(with_texts);
        match known.get(&key) {
            Some(error) => errors[*error].batches.push(place),
            None => {
                known.insert(key.clone(), errors.len());
                errors.push(EffectError { key, batches: vec![place] });
            }
        }
    }
    errors
}
