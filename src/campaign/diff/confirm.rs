//! Plays what looks like a bug again: on the old version, where it must not show, on the new one, where it must, and with
//! fewer events.

use std::collections::BTreeMap;

use super::judge::{Difference, Known, Signature, What, first_bug};
use super::play::{Played, steps_of};
use super::report::Bug;
use super::{Diff, Test};
use crate::confirm::minimise;
use taproof_engine::device::DeviceError;
use taproof_engine::{Missing, Replay, Stop};
use taproof_screen::determinism::DeviceDuration;
use taproof_screen::{Event, StepRole};

/// How much later the control does everything.
pub(super) const PAUSE: DeviceDuration = DeviceDuration(7_000);
/// How many differences are confirmed at most, those with the shortest tests first.
const MOST: usize = 24;

impl Diff<'_> {
    /// What looks like a bug each time that it is played, with the shortest tests that were found, and how many
    /// differences were not steady.
    pub(super) fn confirmed(
        &mut self,
        known: &Known,
        played: &[Played],
    ) -> Result<(Vec<Bug>, usize), DeviceError> {
        let mut shortest: BTreeMap<Signature, (usize, Test, usize)> = BTreeMap::new();
        for played in played {
            let Some((place, difference)) = first_bug(known, played) else { continue };
            let test = Test {
                first: played.first.clone(),
                steps: played.steps[..place.min(played.steps.len())].to_vec(),
            };
            let entry = shortest.entry(difference.signature());
            let (length, shorter, times) = entry.or_insert_with(|| (place, test.clone(), 0));
            *times += 1;
            if place < *length {
                (*length, *shorter) = (place, test);
            }
        }
        let mut suspects: Vec<(Signature, (usize, Test, usize))> = shortest.into_iter().collect();
        suspects.sort_by_key(|(_, (length, ..))| *length);
        suspects.truncate(MOST);
        let tests: Vec<Test> = suspects.iter().map(|(_, (_, test, _))| test.clone()).collect();
        let control = self.play(0, &tests, u64::MAX)?;
        let again = self.play(1, &tests, u64::MAX)?;
        let mut bugs = Vec::new();
        let all = suspects.len();
        for (place, (signature, (_, test, times))) in suspects.into_iter().enumerate() {
            let steady = control.get(place).is_some_and(is_steady);
            let shows = again.get(place).and_then(|played| shown_in(known, played, &signature));
            if let (true, Some(difference), Some(played)) = (steady, shows, again.get(place)) {
                bugs.push(Bug { difference, played: played.clone(), test, times });
            }
        }
        let unsteady = all - bugs.len();
        for bug in &mut bugs {
            self.shorten(known, bug)?;
        }
        Ok((one_each(bugs), unsteady))
    }

    /// Leaves out events without which the new version still shows the difference.
    fn shorten(&mut self, known: &Known, bug: &mut Bug) -> Result<(), DeviceError> {
        let signature = bug.difference.signature();
        let events = events_of(&bug.test);
        let shortened = minimise::shorten(events, &mut |events, _| {
            let spent = self.versions.iter().any(|version| version.events >= version.of);
            if spent || (self.cancelled)() {
                return Ok(None);
            }
            let Some(test) = self.replayed(events)? else { return Ok(None) };
            let played = self.play(1, std::slice::from_ref(&test), u64::MAX)?.pop();
            let shown = played.and_then(|played| Some((shown_in(known, &played, &signature)?, played)));
            Ok(shown.map(|(difference, played)| {
                (bug.difference, bug.played, bug.test) = (difference, played, test);
                events_of(&bug.test)
            }))
        });
        if let Err(Stop::Device(error)) = shortened { Err(error) } else { Ok(()) }
    }

    /// Does events on the old version. `None` if they cannot all be done there.
    fn replayed(&mut self, events: &[Event]) -> Result<Option<Test>, DeviceError> {
        self.on(0, u64::MAX, |prober, _, _| {
            let mut ctx = prober.round()?;
            let replay = Replay::new(events.iter().cloned(), StepRole::Explored).if_missing(Missing::Stop);
            match ctx.start().and_then(|()| replay.run(&mut ctx)) {
                Err(Stop::Device(error)) => Err(error),
                Ok(replayed) if replayed.is_whole() => {
                    Ok(Some(Test { first: ctx.trace().first().clone(), steps: steps_of(ctx.trace()) }))
                }
                Ok(_) | Err(Stop::TestOver | Stop::BudgetSpent | Stop::Cancelled) => Ok(None),
            }
        })
    }
}

fn events_of(test: &Test) -> Vec<Event> {
    test.steps.iter().map(|step| step.event.clone()).collect()
}

/// Whether the old version showed the same twice.
fn is_steady(played: &Played) -> bool {
    let last = played.moments.last().and_then(|moment| moment.shown.as_ref());
    played.broke.is_none() && last.is_none_or(|[one, other]| one.is_as(other))
}

/// The difference of this kind at the end of a test, if nothing looks like a bug before.
fn shown_in(known: &Known, played: &Played, signature: &Signature) -> Option<Difference> {
    let (_, difference) = first_bug(known, played)?;
    (difference.signature() == *signature).then_some(difference)
}

/// Bugs whose shortest tests do the same are one.
fn one_each(bugs: Vec<Bug>) -> Vec<Bug> {
    let mut kept: Vec<Bug> = Vec::new();
    for bug in bugs {
        let events =
            |bug: &Bug| bug.test.steps.iter().map(|step| step.event.with_text("")).collect::<Vec<_>>();
        let dies = |bug: &Bug| matches!(bug.difference.what, What::Broke(_));
        match kept.iter_mut().find(|known| events(known) == events(&bug) && dies(known) == dies(&bug)) {
            Some(known) => known.times += bug.times,
            None => kept.push(bug),
        }
    }
    kept
}
