//! Further tests that confirm what two compared tests show. One pair of tests that differ may differ by chance, or by what
//! the app is meant to do with these data; another pair, with other events or other data, says that it does not depend on
//! them.

use std::sync::Arc;

use super::Confirmer;
use super::by_itself::Control;
use super::confirm_ctx::ConfirmCtx;
use super::confirm_pair::Pair;
use super::other_rows::{events_rows_later, rows_beside_touched, touching_all, with_events};
use super::simplify::with_other_texts;
use crate::{BugClass, ComparisonRule, Finding, Unit, units_of};
use taproof_engine::oracle::Comparison;
use taproof_engine::{JudgedTest, Reported, Stop, Task};
use taproof_screen::{Event, FindingOrigin, Trace, Verdict};

/// How often the steps of a pair are performed to see whether it differs: both tests, and a control of the longer one.
const RUNS: u64 = 2;
/// How many variants of the minimal pair are tried.
const VARIANTS: usize = 3;

impl Confirmer<'_> {
    /// Executes a test in which a comparison showed something that is known, if it is another test than that of the finding
    /// and the budget for known violations allows. If it shows it again, the finding is reported with that.
    pub(crate) fn look_at_other_test(
        &mut self,
        test: &JudgedTest,
        reported: &Reported,
        comparison: &Comparison,
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<(), Stop> {
        let origin = reported.violation.origin();
        let Some(mut finding) = suspicion(ctx, &origin) else { return Ok(()) };
        let whole = |trace: &Trace| units_of(trace, trace.len());
        let pair =
            Pair { witness: units_of(&test.trace, reported.steps), reference: whole(&comparison.reference) };
        let steps = RUNS * pair.len() as u64;
        if contains(&pair.witness, &whole(&finding.minimal.trace))
            || ctx.left() < steps
            || !self.takes_other_test(&origin, steps, ctx.stats.events)
        {
            return Ok(());
        }
        if self.shows(&pair, (&comparison.rule, &origin), ctx)? {
            finding.support.other_tests += 1;
            ctx.report(&finding);
        }
        Ok(())
    }

    /// Executes the minimal pair of a finding with other data: on other rows than it touches, and with other texts. One that
    /// shows the same is a second test.
    pub(crate) fn vary(
        &mut self,
        finding: &mut Finding,
        pair: &Pair,
        rule: &ComparisonRule,
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<(), Stop> {
        if finding.class() != BugClass::Suspicion || finding.support.controls == 0 {
            return Ok(());
        }
        for variant in variants(pair, rule, &finding.minimal.trace) {
            if ctx.left() < ctx.reserve() + RUNS * variant.len() as u64 {
                break;
            }
            if self.shows(&variant, (rule, &finding.origin), ctx)? {
                finding.support.other_tests += 1;
                break;
            }
        }
        Ok(())
    }

    /// Whether the pair shows a violation of this origin, and its control does not.
    fn shows(
        &mut self,
        pair: &Pair,
        (rule, origin): (&ComparisonRule, &FindingOrigin),
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<bool, Stop> {
        ctx.begin(Task::Confirming { run: 1, of: 1 });
        let run = self.run_pair(pair, rule, &[], ctx)?;
        let same = matches!(&run.verdict, Verdict::Violated(violation) if violation.origin() == *origin);
        Ok(same && self.control(pair, &run, (rule, origin), ctx)? == Control::Kept)
    }
}

/// The finding of this origin that a second test would make a bug.
fn suspicion(ctx: &ConfirmCtx<'_>, origin: &FindingOrigin) -> Option<Finding> {
    let is_it = |finding: &&Arc<Finding>| {
        finding.origin == *origin && finding.finished && finding.class() == BugClass::Suspicion
    };
    ctx.findings.iter().find(is_it).map(|finding| Finding::clone(finding))
}

/// Whether a test is a longer one than the other: it does all of it in this order, on the same widgets and with the same
/// texts. Then it says no more.
fn contains(test: &[Unit], other: &[Unit]) -> bool {
    let mut rest = test.iter();
    other.iter().all(|unit| rest.any(|candidate| does_the_same(candidate, unit)))
}

fn does_the_same(one: &Unit, other: &Unit) -> bool {
    match (one, other) {
        (Unit::Event { event: one, .. }, Unit::Event { event: other, .. }) => is_same_event(one, other),
        _ => one == other,
    }
}

/// Whether two events are the same wherever on the screen their widget is.
fn is_same_event(one: &Event, other: &Event) -> bool {
    match (one, other) {
        (
            Event::Widget { target: one, gesture: done },
            Event::Widget { target: other, gesture: other_done },
        ) => (&one.selector, done) == (&other.selector, other_done),
        _ => one == other,
    }
}

/// The pair on other rows, and with other texts.
fn variants(pair: &Pair, rule: &ComparisonRule, witness: &Trace) -> Vec<Pair> {
    let later = if matches!(rule, ComparisonRule::Agreement(_)) { 1..3 } else { 0..0 };
    let later = later.map(|rows| events_rows_later(witness, rows)).map(|instead| Pair {
        witness: with_events(&pair.witness, &instead),
        reference: with_events(&pair.reference, &instead),
    });
    let rows = rows_beside_touched(witness).into_iter().map(|(name, other)| Pair {
        witness: touching_all(&pair.witness, &name, &other),
        reference: touching_all(&pair.reference, &name, &other),
    });
    let texts = with_other_texts([&pair.witness, &pair.reference]);
    let texts = texts.map(|[witness, reference]| Pair { witness, reference });
    let variants =
        later.chain(rows).chain(texts).filter(|variant| !contains(&variant.witness, &pair.witness));
    variants.take(VARIANTS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{Gesture, Layout, Selector, StepRole, layout_from};

    fn page() -> Layout {
        layout_from(
            "FrameLayout\n  EditText#name\n  ListView#list\n    TextView#row \"Ash\"\n    TextView#row \"Elm\"\n",
        )
    }

    fn touch(row: &str, gesture: Gesture) -> Unit {
        let selector = Selector { text: Some(row.to_owned()), ..Selector::default() };
        Unit::Event { event: Event::on(&page(), selector, gesture).unwrap(), role: StepRole::Seed }
    }

    fn typed(text: &str) -> Unit {
        Unit::Event { event: Event::Type(text.to_owned()), role: StepRole::Seed }
    }

    #[test]
    fn a_longer_test_is_no_other_one() {
        let minimal = [typed("a"), touch("Ash", Gesture::Tap)];
        let with = |more: &[Unit]| contains(more, &minimal);
        assert!(with(&[touch("Elm", Gesture::Tap), typed("a"), typed("b"), touch("Ash", Gesture::Tap)]));
        assert!(!with(&[typed("a"), touch("Elm", Gesture::Tap)]), "another row");
        assert!(!with(&[typed("b"), touch("Ash", Gesture::Tap)]), "another text");
        assert!(!with(&[touch("Ash", Gesture::Tap), typed("a")]), "another order");
        assert!(!with(&[typed("a"), touch("Ash", Gesture::LongPress)]), "another gesture");
    }

    #[test]
    fn a_pair_is_varied_by_its_rows_and_by_its_texts() {
        let mut trace = Trace::start(taproof_screen::frame_of(page()));
        let tap = touch("Ash", Gesture::Tap);
        let Unit::Event { event, role } = tap.clone() else { panic!("an event") };
        trace.push(taproof_screen::Step { event, role, after: taproof_screen::frame_of(page()) });
        let pair = Pair { witness: vec![typed("xq"), tap.clone()], reference: vec![tap] };
        let rule = ComparisonRule::Effects(taproof_engine::oracle::EffectComparison::default());
        let variants = variants(&pair, &rule, &trace);
        let touched = |units: &[Unit]| units.last().cloned();
        assert_eq!(variants.len(), 2);
        assert_eq!(variants[0].witness[0], typed("xq"));
        assert!(does_the_same(&touched(&variants[0].witness).unwrap(), &touch("Elm", Gesture::Tap)));
        assert!(does_the_same(&touched(&variants[0].reference).unwrap(), &touch("Elm", Gesture::Tap)));
        assert_eq!(variants[1].witness, [typed("Tickets"), pair.witness[1].clone()]);
    }
}
