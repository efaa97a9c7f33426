//! Lets the app rest in place of units that a violation needs only because time passes while they run, such as until
//! what arrives in the background is there.

use super::minimise::{Trial, shorten};
use super::reexecute::unit_steps;
use crate::Unit;
use taproof_engine::Stop;
use taproof_screen::determinism::{DeviceDuration, DeviceInstant};
use taproof_screen::{Event, StepRole, Trace};

/// How many events outside of DMFs may do nothing but take time.
const MANY_EVENTS: usize = 6;

/// A unit with its time in the trace from which it comes. Where units are dropped, their time is left between others.
#[derive(Clone)]
struct Timed {
    unit: Unit,
    begins: DeviceInstant,
    /// The beginning of the next unit of the trace.
    ends: DeviceInstant,
}

/// Replaces units of which only the time is needed by pauses. The trace is the one of these units. Few events are left as
/// they are: whatever they do, they are quickly done.
pub(crate) fn with_pauses(
    units: Vec<Unit>,
    trace: &Trace,
    trial: &mut Trial<'_, Unit>,
) -> Result<Vec<Unit>, Stop> {
    let Some(timed) = timed(&units, trace) else { return Ok(units) };
    let events = units.iter().filter(|unit| matches!(unit, Unit::Event { .. }));
    if events.count() <= MANY_EVENTS {
        return Ok(units);
    }
    let mut best = units;
    let mut tries = |timed: &[Timed], left: usize| -> Result<Option<Vec<Timed>>, Stop> {
        let shown = trial(&paused(timed, trace.first().at), left)?;
        Ok(shown.map(|shown| {
            best = shown;
            timed.to_vec()
        }))
    };
    shorten(timed, &mut tries)?;
    Ok(best)
}

fn timed(units: &[Unit], trace: &Trace) -> Option<Vec<Timed>> {
    let begins = unit_steps(trace, trace.len()).into_iter().map(|steps| trace.frame(steps.start));
    let mut begins: Vec<DeviceInstant> = begins.map(|frame| Some(frame?.at)).collect::<Option<_>>()?;
    if begins.len() != units.len() {
        return None;
    }
    begins.push(trace.last().at);
    let spans = begins.windows(2).zip(units);
    spans
        .map(|(span, unit)| match span {
            [begins, ends] => Some(Timed { unit: unit.clone(), begins: *begins, ends: *ends }),
            _ => None,
        })
        .collect()
}

/// The units with a pause wherever nothing is done for a while.
fn paused(timed: &[Timed], start: DeviceInstant) -> Vec<Unit> {
    let mut units = Vec::with_capacity(2 * timed.len());
    let mut now = start;
    for Timed { unit, begins, ends } in timed {
        let idle = begins.since(now);
        if idle > DeviceDuration(0) {
            units.push(Unit::Event { event: Event::Wait(idle), role: StepRole::Explored });
        }
        units.push(unit.clone());
        now = *ends;
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{DmfSpan, Frame, Step, frame_of, layout_from};

    fn frame(at: u64) -> Frame {
        Frame { at: DeviceInstant(at), ..frame_of(layout_from("FrameLayout\n")) }
    }

    /// An event after each of these times.
    fn trace(times: &[u64]) -> Trace {
        let mut trace = Trace::start(frame(0));
        for at in times {
            trace.push(Step { event: Event::Rotate, role: StepRole::Explored, after: frame(*at) });
        }
        trace
    }

    fn with_dmf(mut trace: Trace, at: usize, name: &str) -> Trace {
        let (name, inputs) = (name.to_owned(), Vec::new());
        trace.spans.push(DmfSpan {
            dmf: at,
            name,
            first_step: at,
            end_step: at + 1,
            inputs,
            completed: true,
        });
        trace
    }

    fn dmf(dmf: usize, name: &str) -> Unit {
        Unit::Dmf { dmf, name: name.to_owned(), inputs: Vec::new() }
    }

    fn event(event: Event) -> Unit {
        Unit::Event { event, role: StepRole::Explored }
    }

    /// The time for which it rests between units, and the units without the pauses.
    fn rests(units: &[Unit]) -> (u64, Vec<&Unit>) {
        let rest = |unit: &Unit| match unit {
            Unit::Event { event: Event::Wait(span), .. } => Some(span.millis()),
            _ => None,
        };
        (units.iter().filter_map(rest).sum(), units.iter().filter(|unit| rest(unit).is_none()).collect())
    }

    #[test]
    fn units_that_only_take_time_become_one_pause() {
        // Adding takes two seconds, and eight events in one of which something else is added ten each.
        let whole = trace(&[2_000, 12_000, 22_000, 32_000, 42_000, 52_000, 62_000, 72_000, 82_000, 83_000]);
        let whole = with_dmf(with_dmf(with_dmf(whole, 0, "add"), 4, "other"), 9, "search");
        let mut units = vec![dmf(0, "add")];
        units.extend(vec![event(Event::Rotate); 3]);
        units.push(dmf(4, "other"));
        units.extend(vec![event(Event::Rotate); 4]);
        units.push(dmf(9, "search"));
        let mut late = |units: &[Unit], _: usize| {
            let shows = rests(units).0 >= 60_000 && units.contains(&dmf(0, "add"));
            Ok(shows.then(|| units.to_vec()))
        };
        let paused = with_pauses(units.clone(), &whole, &mut late).unwrap();
        let pause = event(Event::Wait(DeviceDuration(80_000)));
        assert_eq!(paused, [dmf(0, "add"), pause, dmf(9, "search")]);

        // Nothing can be left out if each event is needed.
        let mut all = |tried: &[Unit], _: usize| Ok((*tried == units).then(|| tried.to_vec()));
        assert_eq!(with_pauses(units.clone(), &whole, &mut all).unwrap(), units);
    }

    #[test]
    fn few_events_are_left_as_they_are() {
        let units = vec![event(Event::Rotate); MANY_EVENTS];
        let times = [1_000, 2_000, 3_000, 4_000, 5_000, 6_000];
        let mut trial = |_: &[Unit], _: usize| panic!("a trial");
        assert_eq!(with_pauses(units.clone(), &trace(&times), &mut trial).unwrap(), units);
    }
}
