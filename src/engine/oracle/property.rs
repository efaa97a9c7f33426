//! Judges a completed run of a DMF, or a screen under an invariant, by the specification.

use taproof_screen::{FailedCheck, Layout, OracleKind, Verdict, Violation, one_line};
use taproof_spec::{CheckOutcome, CompiledDmf, CompiledInvariant, Condition, DataModel, Relation};

/// The verdict of a run, given the outcomes of its postconditions in file order. Every failure is reported. A condition
/// that cannot be judged makes a run without failures inconclusive.
pub fn verdict(dmf: &CompiledDmf, index: usize, layout: &Layout, outcomes: Vec<CheckOutcome>) -> Verdict {
    let (subject, conditions) = (&dmf.dmf.name, &dmf.dmf.postconditions);
    let sum = sum_up(OracleKind::Property, subject, conditions, layout, outcomes);
    match sum {
        Verdict::Violated(violation) => Verdict::Violated(Violation { dmf: Some(index), ..violation }),
        Verdict::Holds | Verdict::Inconclusive(_) => sum,
    }
}

/// The violation of an invariant by a screen; `None` if it holds or does not apply.
pub fn judge_invariant(
    invariant: &CompiledInvariant,
    layout: &Layout,
    data: &DataModel,
    app: &str,
) -> Option<Violation> {
    let outcomes = invariant.check(layout, data, app);
    let (subject, conditions) = (&invariant.invariant.name, &invariant.invariant.holds);
    match sum_up(OracleKind::Invariant, subject, conditions, layout, outcomes) {
        Verdict::Violated(violation) => Some(violation),
        Verdict::Holds | Verdict::Inconclusive(_) => None,
    }
}

fn sum_up(
    oracle: OracleKind,
    subject: &str,
    conditions: &[Condition],
    layout: &Layout,
    outcomes: Vec<CheckOutcome>,
) -> Verdict {
    let (mut failures, mut told, mut not_judged) = (Vec::new(), Vec::new(), None);
    for (outcome, condition) in outcomes.into_iter().zip(conditions) {
        match outcome {
            CheckOutcome::Holds => {}
            CheckOutcome::Fails(failed) => {
                told.push(describe(condition, &failed, layout));
                failures.push(failed);
            }
            CheckOutcome::NotJudged(reason) => {
                not_judged.get_or_insert(reason);
            }
        }
    }
    match not_judged {
        Some(reason) if failures.is_empty() => Verdict::Inconclusive(reason),
        None if failures.is_empty() => Verdict::Holds,
        Some(_) | None => Verdict::Violated(Violation {
            oracle,
            subject: subject.to_owned(),
            dmf: None,
            title: format!("{subject}: {}", told.join(", ")),
            failures,
            after_drift: false,
        }),
    }
}

/// A failure in a few words, for a list of findings.
fn describe(condition: &Condition, failed: &FailedCheck, layout: &Layout) -> String {
    let mut wrong = failed.offending.iter().filter_map(|idx| layout.get(*idx)).map(|widget| &*widget.text);
    match (&condition.relation, &failed.missing, wrong.next()) {
        _ if !condition.or.is_empty() => format!("expected {}, seen {}", failed.expected, failed.seen),
        (Relation::In | Relation::SameIn, Some(missing), _) => {
            format!("'{}' is not shown", one_line(missing))
        }
        (Relation::NotIn, _, Some(text)) if !text.is_empty() => {
            format!("'{}' still is shown", one_line(text))
        }
        (Relation::InOrder(_), _, Some(first)) => {
            let second = wrong.next().unwrap_or_default();
            format!("'{}' stands before '{}'", one_line(first), one_line(second))
        }
        _ => format!("expected {}, seen {}", failed.expected, failed.seen),
    }
}
