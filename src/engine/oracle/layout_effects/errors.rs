//! Violating comparisons, merged if they show the same error (`engine/genie/paper.md`, section 12).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::effect::{Effect, unmatched};
use super::loss::Sides;
use super::{Places, Prepared, TestPair, WidgetKind};
use crate::oracle::layout_effects::row_around;
use taproof_screen::determinism::HashBuffer;
use taproof_screen::{
    FailedCheck, Layout, OracleKind, Violation, Widget, WidgetFlags, WidgetIdx, counted, last_part,
    named_widget, one_line, screen_for_people, several, upper_first,
};

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
    /// The contexts of its unmatched effects.
    pub fn key(&self) -> ErrorKey {
        let sorted = |effects: &[Effect]| {
            let mut pairs: Vec<(u64, u64)> = effects.iter().map(|effect| effect.contexts).collect();
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
        let keys = self.told(of).into_iter().map(|effect| key(effect, of));
        for key in keys.collect::<BTreeSet<String>>() {
            hasher.text(&key);
        }
        hasher.finish()
    }

    /// The two layouts that the unmatched effects are between.
    fn changed<'a>(&self, sides: Sides<'a>) -> (&'a Prepared, &'a Prepared) {
        if self.at_return { sides.mutant } else { sides.seed }
    }

    /// The unmatched effects that a violation tells: those with words, or all if none has any.
    fn told(&self, of: (&Prepared, &Prepared)) -> Vec<&Effect> {
        let worded: Vec<&Effect> =
            self.unmatched_seed.iter().filter(|effect| has_words(effect, of)).collect();
        if worded.is_empty() { self.unmatched_seed.iter().collect() } else { worded }
    }

    /// Whether a person can see what is lost: one of the effects has words.
    pub(super) fn is_visible(&self, test: TestPair<'_>) -> bool {
        let of = test.sides(self.places).map(|sides| self.changed(sides));
        of.is_some_and(|of| self.unmatched_seed.iter().any(|effect| has_words(effect, of)))
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

    /// The violation, described on the mutant's last compared layout. `detour` says what the inserted events did. `None` if
    /// a layout is missing, or nothing is lost that a person would notice.
    pub fn violation(&self, test: TestPair<'_>, detour: &str) -> Option<Violation> {
        let sides = test.sides(self.places)?;
        let of = self.changed(sides);
        let told = self.told(of).into_iter();
        let mut lost: Vec<Loss> = told.filter_map(|effect| Loss::of(effect, of, self.at_return)).collect();
        // What has a text tells more than a picture.
        lost.sort_by_key(|lost| !lost.name.starts_with('\u{201c}'));
        if lost.is_empty() {
            return None;
        }
        let (shown, page) = (&sides.mutant.1.layout, screen_for_people(&sides.mutant.1.layout));
        let losses = losses_in_words(&lost);
        let title = match self.at_return {
            true => format!("{losses} on {page} after {detour}"),
            false => format!("{losses} on {page} if {detour} before"),
        };
        let mut failures: Vec<FailedCheck> =
            lost.into_iter().map(|lost| lost.check(shown, self.at_return)).collect();
        if let Some(check) = failures.first_mut() {
            let rest = self.unmatched_mutant.iter().filter_map(|effect| effect.to);
            check.offending.extend(rest);
        }
        failures.sort_by(|one, other| one.key.cmp(&other.key));
        // Which condition fails identifies the error in other tests, however many widgets of a kind they lose.
        failures.dedup_by(|one, other| one.key == other.key);
        Some(Violation {
            oracle: OracleKind::IndependentView,
            title: upper_first(&title),
            subject: last_part(shown.activity()).to_owned(),
            dmf: None,
            failures,
            after_drift: false,
        })
    }
}

/// Whether an effect happens to something that has words: a widget with a text, a row that has some, or a picture or a mark
/// in such a row. Others are containers, of whose contents each is an effect of its own.
fn has_words(effect: &Effect, (before, after): (&Prepared, &Prepared)) -> bool {
    let worded = |side: &Prepared, idx: Option<WidgetIdx>| {
        idx.is_some_and(|idx| {
            let layout = &side.layout;
            let in_row = || layout.role(idx).is_some() && row_around(layout, idx).is_some();
            let speaks = layout.widget(idx).says().is_some() || row_around(layout, idx) == Some(idx);
            speaks || (layout.is_leaf(idx) && in_row())
        })
    };
    worded(before, effect.from) || worded(after, effect.to)
}

/// Identifies an effect between these layouts by what it does to which kinds of widgets.
fn key(effect: &Effect, (before, after): (&Prepared, &Prepared)) -> String {
    let kind = |side: &Prepared, idx: WidgetIdx| {
        let widget = side.layout.widget(idx);
        widget.short_id().map_or_else(|| widget.short_class().to_owned(), str::to_owned)
    };
    match (effect.from, effect.to) {
        (Some(from), None) => format!("{} goes", kind(before, from)),
        (None, Some(to)) => format!("{} comes", kind(after, to)),
        (Some(from), Some(to)) => format!("{} becomes {}", kind(before, from), kind(after, to)),
        (None, None) => String::new(),
    }
}

/// What is lost of an effect.
struct Loss {
    /// What a person calls the widget that the test changed.
    name: String,
    /// The text of what is missing; `None` if nothing is, or if it has none.
    missing: Option<String>,
    /// What is wrong with it.
    wrong: Wrong,
    /// Identifies the failure.
    key: String,
}

/// What is wrong with a widget.
#[derive(Clone, PartialEq, Eq)]
enum Wrong {
    /// It is there in one test and not in the other.
    Missing,
    /// It was taken away in one test and is still there in the other.
    Stays,
    /// It should show something else, which this is.
    Unchanged(String),
    /// The detour has put this in its place.
    Replaced(String),
    /// It says something else than this.
    Says(String),
    /// It is not in this state.
    Is(&'static str),
}

impl Wrong {
    /// What is wrong with a widget that should be as `due` is.
    fn state(due: &Widget, not: &Widget) -> Wrong {
        const STATES: [(WidgetFlags, &str, &str); 3] = [
            (WidgetFlags::CHECKED, "checked", "unchecked"),
            (WidgetFlags::SELECTED, "selected", "deselected"),
            (WidgetFlags::ENABLED, "enabled", "disabled"),
        ];
        if due.text != not.text && !due.text.is_empty() {
            return Wrong::Says(one_line(&due.text));
        } else if due.text != not.text {
            return Wrong::Is("empty");
        }
        let differs = |state: &&(WidgetFlags, _, _)| due.flags.has(state.0) != not.flags.has(state.0);
        let (flag, on, off) =
            STATES.iter().find(differs).copied().unwrap_or((WidgetFlags::NONE, "as it was", "as it was"));
        Wrong::Is(if due.flags.has(flag) { on } else { off })
    }
}

impl Loss {
    /// What is lost of an effect between these layouts; `None` if a person does not notice the widget.
    fn of(effect: &Effect, (before, after): (&Prepared, &Prepared), at_return: bool) -> Option<Loss> {
        let named = |side: &Prepared, idx: WidgetIdx| named_widget(&side.layout, idx);
        let says = |side: &Prepared, idx: WidgetIdx| side.layout.label_of(idx).map(str::to_owned);
        let key = key(effect, (before, after));
        Some(match (effect.from, effect.to) {
            (Some(from), None) => Loss {
                name: named(before, from)?,
                missing: says(before, from).filter(|_| at_return),
                wrong: if at_return { Wrong::Missing } else { Wrong::Stays },
                key,
            },
            (None, Some(to)) => {
                Loss { name: named(after, to)?, missing: says(after, to), wrong: Wrong::Missing, key }
            }
            (Some(from), Some(to)) => {
                let (name, other) = (named(before, from)?, named(after, to)?);
                let (was, is) = ((before, from), (after, to));
                let ((due_on, due), (not_on, not)) = if at_return { (was, is) } else { (is, was) };
                let widget = due_on.layout.widget(due);
                let wrong = match at_return {
                    // A field is called the same whatever it says, and a check box.
                    _ if name == other => Wrong::state(widget, not_on.layout.widget(not)),
                    true => Wrong::Replaced(other),
                    false => Wrong::Unchanged(other),
                };
                let missing = match wrong {
                    Wrong::Says(_) => Some(widget.text.to_string()),
                    Wrong::Is(_) => None,
                    _ => says(due_on, due),
                };
                Loss { missing, wrong, name, key }
            }
            (None, None) => return None,
        })
    }

    /// The loss as a failed check. `shown` is the layout that should show something else.
    fn check(self, shown: &Layout, at_return: bool) -> FailedCheck {
        let seen = losses_in_words(std::slice::from_ref(&self));
        let (expected, stays) = match &self.wrong {
            Wrong::Missing => (format!("{} is shown", self.name), None),
            Wrong::Stays => (format!("not {}", self.name), Some(&self.name)),
            Wrong::Unchanged(other) => (format!("{other} is shown"), Some(&self.name)),
            Wrong::Replaced(other) => (format!("{} is shown", self.name), Some(other)),
            Wrong::Says(text) => (format!("{} says \u{201c}{text}\u{201d}", self.name), Some(&self.name)),
            Wrong::Is(state) => (format!("{} is {state}", self.name), Some(&self.name)),
        };
        let is_it = |idx: &WidgetIdx| named_widget(shown, *idx).as_ref() == stays && stays.is_some();
        let condition = match at_return {
            true => "a detour takes nothing away that it has nothing to do with",
            false => "what a test changes is changed after a detour through independent widgets, too",
        };
        FailedCheck {
            key: self.key,
            condition: condition.to_owned(),
            expected,
            seen,
            offending: shown.iter().map(|(idx, _)| idx).find(is_it).into_iter().collect(),
            missing: self.missing,
        }
    }
}

/// The losses as clauses, those of the first kind first: at most three things are named, and the others counted.
fn losses_in_words(lost: &[Loss]) -> String {
    let alike = |lost: &&Loss, wrong: &Wrong| lost.wrong == *wrong;
    let Some(first) = lost.first() else { return String::new() };
    let of_first: Vec<String> =
        lost.iter().filter(|lost| alike(lost, &first.wrong)).map(|lost| lost.name.clone()).collect();
    let (names, are) = several(&of_first);
    let said = match &first.wrong {
        Wrong::Missing => format!("{names} {are} missing"),
        Wrong::Stays => format!("{names} {are} still there"),
        Wrong::Unchanged(other) => format!("{names} {are} not replaced by {other}"),
        Wrong::Replaced(other) => format!("{names} {are} replaced by {other}"),
        Wrong::Is(state) => format!("{names} {are} not {state}"),
        Wrong::Says(text) => {
            let does = if are == "is" { "does" } else { "do" };
            format!("{names} {does} not say \u{201c}{text}\u{201d}")
        }
    };
    let others: Vec<&Loss> = lost.iter().filter(|lost| !alike(lost, &first.wrong)).collect();
    match others.as_slice() {
        [] => said,
        others => format!("{said}, with {}", counted(others.len(), "other change")),
    }
}

/// Merges batches that show the same error, in the order of their first.
pub fn merge_batches(batches: &[Batch]) -> Vec<EffectError> {
    let mut known: BTreeMap<ErrorKey, usize> = BTreeMap::new();
    let mut errors: Vec<EffectError> = Vec::new();
    for (place, batch) in batches.iter().enumerate() {
        let key = batch.key();
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

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    #[test]
    fn a_widget_that_is_called_the_same_is_wrong_by_its_text_or_its_state() {
        let widget =
            |text: &str| layout_from(&format!("CheckBox#star \"{text}\"\n")).widget(WidgetIdx(0)).clone();
        let checked = |mut of: Widget| {
            of.flags = of.flags.with(WidgetFlags::CHECKED, true);
            of
        };
        let wrong = |due: &Widget, not: &Widget| Wrong::state(due, not);
        assert!(wrong(&widget("Rye"), &widget("")) == Wrong::Says("Rye".to_owned()));
        assert!(wrong(&widget(""), &widget("Rye")) == Wrong::Is("empty"));
        assert!(wrong(&checked(widget("")), &widget("")) == Wrong::Is("checked"));
        assert!(wrong(&widget(""), &checked(widget(""))) == Wrong::Is("unchecked"));
        assert!(wrong(&widget(""), &widget("")) == Wrong::Is("as it was"));
    }
}
