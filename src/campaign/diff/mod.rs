//! Compares two versions of an app of which there is no specification.
//!
//! 1. *Explore*: the old version, in tests from a fresh start (`explore`).
//! 2. *Control*, A/A: some of these tests are played on the old version again, after a pause. What is different then is
//!    never said.
//! 3. *Play*: each test on the new version, its widgets found as the repair of specifications finds them, with what the
//!    new version asks in between (`play`). Those that reach most come first.
//! 4. *Judge*: what is the same wherever it occurs was changed on purpose, it seems; what is different only after some
//!    events looks like a bug (`judge`).
//! 5. *Confirm*: what looks like a bug is played on the old version again, which must show nothing, and on the new version
//!    again, which must show the same; then events are left out (`confirm`).
//!
//! # Prior work
//!
//! Regression tests of GUIs keep a recorded test and its screens as the oracle: Memon and Soffa repair its events for the
//! next version (ESEC/FSE 2003), ATOM and Guider repair scripts of Android apps (Li et al., ICST 2017; Xu et al., ISSTA
//! 2021), and differential testing runs two implementations side by side (McKeeman, 1998). DiffDroid compares one app on two
//! devices (Fazzini and Orso, ASE 2017). Ours differ in what is an oracle: not the screen itself, which a version may
//! change, but that it changes alike wherever the same thing occurs.
//!
//! Nothing here knows files or windows; the same versions, settings and seed give the same result.

mod confirm;
mod explore;
mod judge;
mod play;
mod report;
mod rows;
mod shown;

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::discover::prober::Prober;
use explore::Explored;
use judge::Known;
use play::{Played, Step, WaysOn, play, steps_of};
use taproof_engine::Stop;
use taproof_engine::device::{DeviceError, DeviceSource};
use taproof_screen::Frame;
use taproof_screen::determinism::Rng;
use taproof_spec::Spec;

pub use report::{DiffKind, DiffReport, DiffScreen, VersionDifference};

/// Share of the events in percent that explore the old version, and as many play this on the new one.
const EXPLORE: u64 = 82;
/// Share that tests are played on the old version again, whatever the new one shows.
const CONTROL: u64 = 5;
/// Share after which playing ends, as the new version may need more events.
const PLAY: u64 = 93;

/// What is compared, and how much.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffPlan {
    /// The packages of the old version and of the new one.
    pub apps: [String; 2],
    /// Events that may be performed on each.
    pub events: u64,
    /// The seed of all chance.
    pub seed: u64,
}

/// Compares the version of the first source with that of the second one. Ends early, with what was found until then, when
/// `cancelled` says so. `tell` is told what is done.
///
/// # Errors
///
/// [`DeviceError`] if a device fails.
pub fn diff(
    plan: &DiffPlan,
    sources: [&mut dyn DeviceSource; 2],
    cancelled: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(&str),
) -> Result<DiffReport, DeviceError> {
    let [old, new] = sources;
    let rng = Rng::from_seed(plan.seed);
    let version = |source, app: &str| Version { source, app: app.to_owned(), events: 0, of: plan.events };
    let versions = [version(old, &plan.apps[0]), version(new, &plan.apps[1])];
    let mut diff = Diff { versions, rng, ways: WaysOn::new(), cancelled };
    tell("exploring the old version");
    let tests = diff.explore()?;
    tell("playing some of its tests again, as the control");
    let some = usize::try_from(plan.events * CONTROL / 100).unwrap_or(usize::MAX) / explore::LENGTH;
    let control = diff.play(0, &tests[..tests.len().min(some)], u64::MAX)?;
    tell("playing its tests on the new version");
    let played = diff.play(1, &tests, plan.events * PLAY / 100)?;
    tell("playing what looks like a bug again");
    let known = Known::of(&control, &played);
    let (bugs, unsteady) = diff.confirmed(&known, &played)?;
    let mut report = DiffReport::of(&known, &played, bugs);
    report.unsteady = unsteady;
    report.tests = [tests.len(), played.len()];
    report.events = diff.versions.each_ref().map(|version| version.events);
    report.stopped = cancelled();
    Ok(report)
}

/// A test of the old version: its first screen, and the steps.
#[derive(Clone, Debug)]
struct Test {
    first: Frame,
    steps: Vec<Step>,
}

/// One version, with the events that were performed on it.
struct Version<'v> {
    source: &'v mut dyn DeviceSource,
    app: String,
    events: u64,
    of: u64,
}

struct Diff<'v> {
    versions: [Version<'v>; 2],
    rng: Rng,
    ways: WaysOn,
    cancelled: &'v dyn Fn() -> bool,
}

impl Diff<'_> {
    /// Does something with a fresh device of a version until so many events were performed on it.
    fn on<R>(
        &mut self,
        version: usize,
        until: u64,
        act: impl FnOnce(&mut Prober<'_>, [&str; 2], &mut WaysOn) -> Result<R, DeviceError>,
    ) -> Result<R, DeviceError> {
        let [old, new] = self.versions.each_ref().map(|version| version.app.clone());
        let Version { source, app, events, of } = &mut self.versions[version];
        let mut device = source.fresh()?;
        let left = until.min(*of).saturating_sub(*events);
        let spec = Spec::default();
        let rng = self.rng.fork_indexed("version", version as u64);
        let mut prober = Prober::new(&mut *device, self.cancelled, (app, &spec), left, rng);
        let done = act(&mut prober, [&old, &new], &mut self.ways)?;
        *events += prober.stats.events;
        Ok(done)
    }

    /// The tests that explored the old version, those that reach most first.
    fn explore(&mut self) -> Result<Vec<Test>, DeviceError> {
        let mut explored = Explored::new(self.rng.fork("explore"));
        let until = self.versions[0].of * EXPLORE / 100;
        let tests = self.on(0, until, |prober, _, _| {
            let mut tests = Vec::new();
            loop {
                let mut ctx = prober.round()?;
                let ended = explored.test(&mut ctx, until);
                let mut steps = steps_of(ctx.trace());
                // What ends the app in the old version is no difference.
                if ended == Err(Stop::TestOver) {
                    steps.pop();
                }
                let first = ctx.trace().first().clone();
                tests.extend((!steps.is_empty()).then_some(Test { first, steps }));
                match ended {
                    Ok(()) | Err(Stop::TestOver) => {}
                    Err(Stop::BudgetSpent | Stop::Cancelled) => return Ok(tests),
                    Err(Stop::Device(error)) => return Err(error),
                }
            }
        })?;
        Ok(most_first(tests))
    }

    /// Plays tests on a version until so many events were performed on it.
    fn play(&mut self, version: usize, tests: &[Test], until: u64) -> Result<Vec<Played>, DeviceError> {
        self.on(version, until, |prober, [old, new], ways| {
            let apps = [old, if version == 0 { old } else { new }];
            let pause = (version == 0).then_some(confirm::PAUSE);
            let mut all = Vec::new();
            for Test { first, steps } in tests {
                match play(&mut prober.round()?, steps, first, apps, (ways, pause)) {
                    Ok(played) => all.push(played),
                    Err(Stop::Device(error)) => return Err(error),
                    Err(Stop::BudgetSpent | Stop::Cancelled | Stop::TestOver) => break,
                }
            }
            Ok(all)
        })
    }
}

/// Orders tests so that each reaches most that those before it do not: pages, and events on them.
fn most_first(tests: Vec<Test>) -> Vec<Test> {
    let reaches = |test: &Test| -> BTreeSet<_> {
        let of = |step: &Step| {
            let layout = &step.before.layout;
            (shown::page_of(layout), judge::act(layout, &step.event))
        };
        test.steps.iter().map(of).collect()
    };
    let mut left: Vec<_> = tests.into_iter().map(|test| (reaches(&test), test)).collect();
    let (mut reached, mut ordered) = (BTreeSet::new(), Vec::new());
    while !left.is_empty() {
        let gain = |(place, (reaches, _)): (usize, &(BTreeSet<_>, Test))| {
            (reaches.difference(&reached).count(), Reverse(place))
        };
        let best = left.iter().enumerate().max_by_key(|it| gain(*it)).map_or(0, |(place, _)| place);
        let (reaches, test) = left.remove(best);
        reached.extend(reaches);
        ordered.push(test);
    }
    ordered
}
