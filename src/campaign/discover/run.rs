//! The phases one after another, within one budget.

use std::sync::Arc;

use super::blocks::blocks_for;
use super::compose::compose;
use super::confirm::{Candidate, Dropped, drop_the_rest, judge, perform, rare, rare_type, spec_of};
use super::creates::{Create, Search, find_creates};
use super::draft::{beside_another, function};
use super::forms::explore_form;
use super::functions::{Found, explore, explore_removed, root};
use super::names::Names;
use super::prober::Prober;
use super::sample::Sample;
use super::types::{TypeOf, types_of};
use super::{DiscoverConfig, Discovered, Discovery, Phase, Progress};
use taproof_engine::device::{Device, DeviceError};
use taproof_engine::{Mode, PbfdroidConfig, RoundCtx, Stop};
use taproof_screen::determinism::Rng;
use taproof_screen::{Layout, Text};
use taproof_spec::{Block, Confidence, DataType, DmfKind, Spec};

/// Share of the budget in percent after which each of the first phases ends.
const CREATES_UNTIL: u64 = 25;
const FUNCTIONS_UNTIL: u64 = 50;
/// Number of parts of the rest, after each of which proposals are repaired.
const PARTS: u64 = 24;
/// Number of runs after which a function is likely.
const LIKELY: u64 = 8;

/// Explores the app and proposes its functions. It stops early if `cancelled` returns true; what was confirmed until then is
/// returned.
///
/// # Errors
///
/// [`DeviceError`] if the device fails.
pub fn discover(
    device: &mut dyn Device,
    package: &str,
    config: &DiscoverConfig,
    cancelled: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(&Progress),
) -> Result<Discovery, DeviceError> {
    let rng = Rng::from_seed(config.seed);
    let run = Run { package, config, cancelled, rng, events: 0, stopped: false, tell };
    run.all(device)
}

struct Run<'d> {
    package: &'d str,
    config: &'d DiscoverConfig,
    cancelled: &'d dyn Fn() -> bool,
    rng: Rng,
    events: u64,
    stopped: bool,
    tell: &'d mut dyn FnMut(&Progress),
}

/// The proposals of one data type, before they are confirmed.
struct Proposed {
    noun: DataType,
    rows: Text,
    samples: Vec<Sample>,
}

impl Run<'_> {
    fn all(mut self, device: &mut dyn Device) -> Result<Discovery, DeviceError> {
        let mut names = Names::new(self.rng.fork("names"));
        let search = self.creates(device, &mut names)?;
        let types = types_of(&search.creates);
        let mut seen = search.seen;
        let (mut proposed, mut changers) = (Vec::new(), Vec::new());
        for (place, kind) in types.iter().enumerate() {
            // Each type has its part of what is left.
            let budget = self.until(FUNCTIONS_UNTIL) / (types.len() - place) as u64;
            let found = self.functions(device, &search.creates, kind, (&mut names, budget))?;
            seen.extend(found.seen);
            changers.extend(found.changers);
            let rows = search.creates[kind.creates[0]].rows.clone();
            proposed.push(Proposed { noun: kind.noun.clone(), rows, samples: found.samples });
        }
        let candidates = written(&proposed, &seen);
        // What a dropped function would have blocked is blocked by itself.
        let blocks = |candidates: &[Candidate]| blocks_for(&spec_of(candidates, &[]), &changers, names.all());
        self.confirm(device, candidates, &blocks)
    }

    fn progress(&mut self, phase: Phase, here: u64, names: Vec<String>) {
        let events = self.events + here;
        (self.tell)(&Progress { phase, events, of: self.config.events, names });
    }

    fn until(&self, percent: u64) -> u64 {
        (self.config.events * percent / 100).saturating_sub(self.events)
    }

    fn creates(&mut self, device: &mut dyn Device, names: &mut Names) -> Result<Search, DeviceError> {
        let spec = Spec::default();
        let budget = self.until(CREATES_UNTIL);
        let mut prober =
            Prober::new(device, self.cancelled, (self.package, &spec), budget, self.rng.fork("creates"));
        let mut ctx = prober.round()?;
        let found = {
            let mut tell = |search: &Search, ctx: &RoundCtx<'_>| {
                let names = search.creates.iter().map(|it| format!("add ({})", it.name)).collect();
                self.progress(Phase::Creates, ctx.events(), names);
            };
            find_creates(&mut ctx, names, &mut tell)
        };
        drop(ctx);
        self.events += prober.stats.events;
        match found {
            Ok(search) => Ok(search),
            Err(Stop::Device(error)) => Err(error),
            Err(_) => {
                self.stopped = true;
                Ok(Search::default())
            }
        }
    }

    /// The functions of one data type.
    fn functions(
        &mut self,
        device: &mut dyn Device,
        creates: &[Create],
        kind: &TypeOf,
        (names, budget): (&mut Names, u64),
    ) -> Result<Found, DeviceError> {
        let mut found = Found::default();
        for place in &kind.creates {
            found.add(creates[*place].sample());
        }
        let spec = Spec::default();
        let rng = self.rng.fork(&kind.noun);
        let mut prober = Prober::new(device, self.cancelled, (self.package, &spec), budget, rng);
        let mut ctx = prober.round()?;
        let end = of_type(&mut ctx, &creates[kind.creates[0]], names, &mut found);
        drop(ctx);
        self.events += prober.stats.events;
        match end {
            Ok(()) | Err(Stop::BudgetSpent | Stop::TestOver) => {}
            Err(Stop::Device(error)) => return Err(error),
            Err(Stop::Cancelled) => self.stopped = true,
        }
        let told = found.samples.iter().map(|sample| format!("{} {}", sample.verb, kind.noun)).collect();
        self.progress(Phase::Functions, 0, told);
        Ok(found)
    }

    /// Performs the candidates until the budget is spent, and repairs or drops what does not hold.
    fn confirm(
        mut self,
        device: &mut dyn Device,
        mut candidates: Vec<Candidate>,
        blocks: &dyn Fn(&[Candidate]) -> Vec<Block>,
    ) -> Result<Discovery, DeviceError> {
        let part = (self.until(100) / PARTS).max(1);
        let mut learned = None;
        let left = |candidates: &[Candidate]| candidates.iter().any(|it| it.dropped.is_none());
        for number in 0.. {
            let events = self.until(100);
            if events == 0 || self.stopped || !left(&candidates) {
                break;
            }
            let config = way_to_perform(number, &candidates);
            let spec = spec_of(&candidates, &blocks(&candidates));
            let rng = self.rng.fork_indexed("confirm", number);
            // What is left after the last whole part is not enough to confirm anything.
            let budget = if events < 2 * part { events } else { part };
            let mut prober = Prober::new(device, self.cancelled, (self.package, &spec), budget, rng);
            let performed = perform(&mut prober, &config, &mut learned)?;
            self.stopped |= performed.cancelled;
            judge(&mut candidates, performed, &prober.stats);
            self.events += prober.stats.events.max(1);
            let told = candidates.iter().filter(|it| it.dropped.is_none());
            let told = told.map(|it| it.dmf.name.clone()).collect();
            self.progress(Phase::Confirm, 0, told);
        }
        drop_the_rest(&mut candidates);
        let (kept, gone): (Vec<_>, Vec<_>) = candidates.into_iter().partition(|it| it.dropped.is_none());
        let blocks = blocks(&kept);
        let dropped = gone.into_iter().filter_map(|it| Some(Dropped { why: it.dropped?, name: it.dmf.name }));
        let dropped = dropped.collect();
        let functions = kept.into_iter().map(discovered).collect();
        Ok(Discovery { functions, blocks, dropped, events: self.events, stopped: self.stopped })
    }
}

/// How the functions are performed in a part. Among random events those on the first screen would have nearly all runs: the
/// functions of one type, and those that never ran from a fresh start, take turns with all of them.
fn way_to_perform(part: u64, candidates: &[Candidate]) -> PbfdroidConfig {
    let (mode, only) = match part % 3 {
        0 => (Mode::Full, Vec::new()),
        1 => (Mode::Full, rare_type(candidates)),
        _ => (Mode::A, rare(candidates)),
    };
    let mode = if only.is_empty() { Mode::Full } else { mode };
    PbfdroidConfig { mode, only, ..PbfdroidConfig::default() }
}

/// Everything that is tried with one data type.
fn of_type(
    ctx: &mut RoundCtx<'_>,
    create: &Create,
    names: &mut Names,
    found: &mut Found,
) -> Result<(), Stop> {
    explore_form(ctx, create, found)?;
    let Some(root) = root(ctx, create, names)? else { return Ok(()) };
    found.needs_once(create, &root);
    explore(ctx, &root, names, found)?;
    compose(ctx, (&root, create), names, found)?;
    match found.removed.take() {
        Some(removed) => explore_removed(ctx, &root, &removed, found),
        None => Ok(()),
    }
}

/// The functions that samples show.
fn written(proposed: &[Proposed], seen: &[Arc<Layout>]) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = Vec::new();
    for Proposed { noun, rows, samples } in proposed {
        for sample in samples {
            let name = free_name(&candidates, &sample.verb, noun);
            let Some(dmf) = function(sample, (&name, noun), rows, seen) else { continue };
            let besides = sample.kind == DmfKind::Create && sample.verb == "add";
            candidates.push(Candidate::new(dmf.clone(), sample.reason.clone(), sample.steps.clone()));
            if besides {
                let name = free_name(&candidates, &sample.verb, noun);
                let reason = "The same beside an object with a similar name, which must stay.".to_owned();
                candidates.push(Candidate::new(
                    beside_another(&dmf, &name, rows),
                    reason,
                    sample.steps.clone(),
                ));
            }
        }
    }
    candidates
}

/// A name that is not taken: `delete folder`, `delete1 folder`.
fn free_name(candidates: &[Candidate], verb: &str, noun: &str) -> String {
    let names = (0..).map(|number| match number {
        0 => format!("{verb} {noun}"),
        number => format!("{verb}{number} {noun}"),
    });
    let free = |name: &String| candidates.iter().all(|it| it.dmf.name != *name);
    names.into_iter().find(free).unwrap_or_default()
}

fn discovered(candidate: Candidate) -> Discovered {
    let Candidate { dmf, evidence, reason, steps, .. } = candidate;
    let confidence = if evidence.held >= LIKELY { Confidence::Likely } else { Confidence::Possible };
    let refuted_by = dmf.postconditions.iter().map(|condition| {
        let sentence = taproof_spec::condition_sentence(condition, &dmf.widgets);
        format!("A run after which this is false: {sentence}")
    });
    Discovered { refuted_by: refuted_by.collect(), dmf, reason, evidence, confidence, steps }
}
