//! Minimises by delta debugging: units that are not needed for the violation are dropped, from one trace or from two
//! compared traces at once.

use crate::Unit;
use taproof_engine::Stop;

/// Executes a list of units, given how many more candidates there are if it does not show the violation. Returns the
/// units that are needed if the violation still appears; `None` if it does not, or once the budget of re-executions is
/// spent.
pub(crate) type Trial<'t, U> = dyn FnMut(&[U], usize) -> Result<Option<Vec<U>>, Stop> + 't;

/// Returns the shortest list found. The last unit, which shows the violation, is never dropped. The `hints`, lists that
/// probably suffice, are tried first, until one does.
pub(crate) fn minimise(
    mut units: Vec<Unit>,
    hints: &[Vec<Unit>],
    trial: &mut Trial<'_, Unit>,
) -> Result<Vec<Unit>, Stop> {
    for (place, hint) in hints.iter().enumerate() {
        if let Some(kept) = trial(hint, hints.len() - place - 1)? {
            units = kept;
            break;
        }
    }
    let units = only_dmfs(units, trial)?;
    shorten(units, trial)
}

/// Returns the shortest list found, whatever its units are. The last unit is never dropped.
pub(crate) fn shorten<U: Clone>(units: Vec<U>, trial: &mut Trial<'_, U>) -> Result<Vec<U>, Stop> {
    let mut units = shortest_end(units, trial)?;
    units = drop_chunks(units, trial)?;
    drop_neighbours(units, trial)
}

/// Drops all events outside of DMFs at once, since most findings need none of them.
fn only_dmfs(units: Vec<Unit>, trial: &mut Trial<'_, Unit>) -> Result<Vec<Unit>, Stop> {
    let last = units.len().saturating_sub(1);
    let kept: Vec<Unit> = units
        .iter()
        .enumerate()
        .filter(|(index, unit)| *index == last || matches!(unit, Unit::Dmf { .. }))
        .map(|(_, unit)| unit.clone())
        .collect();
    if kept.len() == units.len() {
        return Ok(units);
    }
    Ok(trial(&kept, 0)?.unwrap_or(units))
}

/// Keeps only the end of the list, since most findings need only what happened shortly before.
fn shortest_end<U: Clone>(units: Vec<U>, trial: &mut Trial<'_, U>) -> Result<Vec<U>, Stop> {
    let mut length = 1;
    while length < units.len() {
        let longer = (units.len() - 1) / length;
        if let Some(kept) = trial(&units[units.len() - length..], longer.ilog2() as usize)? {
            return Ok(kept);
        }
        length *= 2;
    }
    Ok(units)
}

/// Drops halves, then quarters, and so on, as long as a part has more than one unit.
fn drop_chunks<U: Clone>(mut units: Vec<U>, trial: &mut Trial<'_, U>) -> Result<Vec<U>, Stop> {
    let mut chunk = units.len() / 2;
    while chunk > 1 {
        units = drop_windows(units, chunk, chunk, trial)?.0;
        chunk /= 2;
    }
    Ok(units)
}

/// Drops neighbouring units at every position until nothing can be dropped: one, two or three, and more where few are
/// left. A unit that opens something, what is done there and the unit that closes it can only be dropped together.
fn drop_neighbours<U: Clone>(mut units: Vec<U>, trial: &mut Trial<'_, U>) -> Result<Vec<U>, Stop> {
    const TOGETHER: usize = 3;
    const FEW: usize = 12;
    loop {
        let mut dropped = false;
        let mut size = 1;
        // That the last unit does not suffice alone is known.
        while size <= TOGETHER || (units.len() <= FEW && size + 2 <= units.len()) {
            let (left, fewer) = drop_windows(units, size, 1, trial)?;
            units = left;
            dropped |= fewer;
            size += 1;
        }
        if !dropped {
            return Ok(units);
        }
    }
}

/// Tries to drop `size` consecutive units at every position, moving by `stride`. Returns the remaining units and
/// whether any were dropped. Proceeds from the end, since later units often depend on earlier ones.
fn drop_windows<U: Clone>(
    mut units: Vec<U>,
    size: usize,
    stride: usize,
    trial: &mut Trial<'_, U>,
) -> Result<(Vec<U>, bool), Stop> {
    let mut dropped = false;
    let mut end = units.len().saturating_sub(1);
    while end >= size || (stride == size && end > 0) {
        let start = end.saturating_sub(size);
        let kept: Vec<U> = units[..start].iter().chain(&units[end..]).cloned().collect();
        let left = start.div_ceil(stride);
        if let Some(kept) = trial(&kept, left)? {
            dropped = true;
            units = kept;
            end = start.min(units.len().saturating_sub(1));
        } else {
            end = end.saturating_sub(stride);
        }
    }
    Ok((units, dropped))
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{Event, StepRole};

    fn unit(number: usize) -> Unit {
        if number.is_multiple_of(3) {
            Unit::Event { event: Event::Rotate, role: StepRole::Explored }
        } else {
            Unit::Dmf { dmf: number, name: String::new(), inputs: Vec::new() }
        }
    }

    fn check(length: usize, needed: &[usize]) {
        let mut trials = 0;
        let needed: Vec<Unit> = needed.iter().map(|number| unit(*number)).collect();
        let mut trial = |units: &[Unit], _left: usize| {
            trials += 1;
            Ok(needed.iter().all(|unit| units.contains(unit)).then(|| units.to_vec()))
        };
        let minimal = minimise((0..length).map(unit).collect(), &[], &mut trial).unwrap();
        assert_eq!(minimal, needed);
        assert!(trials < 100, "{trials} trials");
    }

    #[test]
    fn the_candidates_of_a_pass_are_counted_down() {
        let units: Vec<Unit> = (0..10).filter(|number| number % 3 != 0).map(unit).collect();
        let mut told = Vec::new();
        let hints = [units[3..].to_vec(), units[1..].to_vec()];
        minimise(units.clone(), &hints, &mut |_, left| {
            told.push(left);
            Ok(None)
        })
        .unwrap();
        // Two hints; the last 1, 2 and 4 of six units; one half; then one, two, three and four neighbours.
        assert_eq!(told, [1, 0, 2, 1, 0, 1, 0, 4, 3, 2, 1, 0, 3, 2, 1, 0, 2, 1, 0, 1, 0]);
    }

    #[test]
    fn the_first_hint_that_suffices_is_begun_with() {
        let units: Vec<Unit> = (0..100).map(unit).collect();
        let hints = [vec![unit(99)], vec![unit(5), unit(99)], vec![unit(7), unit(99)]];
        let mut tried = Vec::new();
        let minimal = minimise(units, &hints, &mut |units, _| {
            tried.push(units.len());
            Ok(units.contains(&unit(5)).then(|| units.to_vec()))
        });
        assert_eq!((minimal.unwrap(), tried), (hints[1].clone(), vec![1, 2, 1, 1]));
    }

    #[test]
    fn only_what_is_needed_stays() {
        check(200, &[199]);
        check(200, &[7, 100, 199]);
        check(50, &[1, 2, 4, 49]);
        check(2, &[1]);
        check(2, &[0, 1]);
        check(1, &[0]);
    }
}
