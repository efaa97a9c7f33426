//! What a trace itself shows of the units that its violation does not need, before anything is re-executed: events that
//! changed nothing, and DMFs on other objects. On a real device a re-execution takes minutes, and this takes none.

use std::collections::BTreeSet;
use std::ops::Range;

use super::reexecute::unit_steps;
use crate::Unit;
use taproof_screen::Trace;

/// Lists of units that probably suffice for the violation that the trace ends with, the shortest first. `units` are the
/// units of the trace, all of which ran.
pub(crate) fn promising(units: &[Unit], trace: &Trace) -> Vec<Vec<Unit>> {
    let steps = unit_steps(trace, trace.len());
    if steps.len() != units.len() {
        return Vec::new();
    }
    let idle: Vec<bool> =
        units.iter().zip(&steps).map(|(unit, steps)| changed_nothing(unit, steps, trace)).collect();
    let other = on_other_objects(units);
    let last = units.len().saturating_sub(1);
    let without = |dropped: &dyn Fn(usize) -> bool| -> Vec<Unit> {
        let kept = units.iter().enumerate().filter(|(place, _)| *place == last || !dropped(*place));
        kept.map(|(_, unit)| unit.clone()).collect()
    };
    let mut lists: Vec<Vec<Unit>> = vec![
        without(&|place| idle[place] || other[place]),
        without(&|place| other[place]),
        without(&|place| idle[place]),
    ];
    lists.sort_by_key(Vec::len);
    lists.dedup();
    lists.retain(|list| list.len() < units.len());
    lists
}

/// Whether a unit is an event after which the screen and the app's health were as before.
fn changed_nothing(unit: &Unit, steps: &Range<usize>, trace: &Trace) -> bool {
    let frames = || Some((trace.frame(steps.start)?, trace.frame(steps.end)?));
    matches!(unit, Unit::Event { .. })
        && frames()
            .is_some_and(|(before, after)| before.layout == after.layout && before.health == after.health)
}

/// For each unit, whether it is a DMF none of whose texts the last unit depends on: the last unit has texts, and no
/// later DMF that it depends on repeats a text of this one.
fn on_other_objects(units: &[Unit]) -> Vec<bool> {
    let mut needed: BTreeSet<&str> = units.last().map(texts).unwrap_or_default();
    let mut other = vec![false; units.len()];
    if needed.is_empty() {
        return other;
    }
    for (unit, other) in units.iter().zip(&mut other).rev() {
        let texts = texts(unit);
        if !texts.is_empty() && texts.is_disjoint(&needed) {
            *other = true;
        } else {
            needed.extend(texts);
        }
    }
    other
}

fn texts(unit: &Unit) -> BTreeSet<&str> {
    match unit {
        Unit::Dmf { inputs, .. } => inputs.iter().map(|input| input.text.as_str()).collect(),
        Unit::Event { .. } | Unit::Detour { .. } => BTreeSet::new(),
    }
}
