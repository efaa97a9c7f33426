//! Genie: independent view fuzzing (Su et al., OOPSLA 2021).
//!
//! The idea: widgets that do not depend on each other may be used in any order. A random test is taken as right (the
//! *seed test*). A *detour* is inserted that begins on a widget that the test has not touched and comes back to the same
//! page (the *mutant*). Whatever the seed test changed on the GUI must still be changed in the mutant.
//! Phases: mine a GUI model; make seed tests, each executed twice so that what differs by itself is not compared;
//! for each seed test search the model for detours at every position, play the mutants, compare effects; then report
//! what a single mutant of the seed test showed, after showing it once more.
//! We differ where genie.md 12 recommends it: inactive widgets rather than kinds of widgets, the weight formula of the
//! paper, context level 1, firm and weak violations. With a budget smaller than the defaults need, the phases
//! take shares of it; with a bigger one a new batch of seed tests follows.

mod choice;
mod config;
mod detours;
pub mod groups;
pub mod gui_model;
mod mutant;
mod seed;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use config::GenieConfig;

use self::choice::{Weights, commit_instead, field_text, offers, random_offer};
use self::detours::Planned;
use self::gui_model::{Act, GuiModel};
use self::mutant::{Mutant, Played, mutants_of};
use self::seed::{SeedTest, events_of, planned};
use super::explore::event_on;
use super::{
    CheckpointError, Engine, EngineConfig, EngineInfo, EngineStats, EngineView, Round, RoundCtx, Stop,
    from_checkpoint, to_checkpoint,
};
use crate::determinism::{DeviceDuration, Rng};
use crate::model::{AppHealth, Event, Key, LayoutKey, StepRole, Trace};
use crate::oracle::{
    Batch, Comparison, ComparisonRule, EffectComparison, EffectJudge, ErrorKey, Prepared, TestPair, align,
    detour_words, layouts_of, merge_batches, unstable_widgets,
};
use crate::spec::Block;

/// How lists show this engine.
pub const INFO: EngineInfo = EngineInfo {
    name: "genie",
    label: "Genie",
    idea: "inserts detours through independent widgets into random tests and compares their effects",
    config: || EngineConfig::Genie(GenieConfig::default()),
};

/// The engine.
pub struct Genie {
    config: GenieConfig,
    state: GenieState,
    /// The judge of the seed test whose mutants are played: remembers layouts and scripts, nothing more.
    judge: Option<EffectJudge>,
}

/// What the engine knows.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct GenieState {
    phase: Phase,
    /// The campaign's events when the phase began.
    began: u64,
    model: GuiModel,
    weights: Weights,
    /// Traces to take as seed tests before random ones are made, the next one last.
    given: Vec<Trace>,
    /// The seed tests of this batch whose mutants are not all played, the next one last.
    seeds: Vec<SeedTest>,
    made: u64,
    /// The seed test whose mutants are played.
    current: Option<SeedRun>,
    /// The seed tests of this batch whose mutants are played, as far as they showed errors.
    finished: Vec<SeedTest>,
    /// Errors of this batch that one mutant of a seed test showed, to be shown once more and reported.
    found: Vec<FoundError>,
    /// For each kind of error how many mutants of the campaign showed it.
    kinds: BTreeMap<u64, u32>,
    /// Plans that cannot be played: hashes of their prefixes.
    unplayable: BTreeSet<u64>,
    counts: GenieCounts,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Phase {
    #[default]
    Mining,
    Seeding,
    Mutating,
    Reporting,
}

/// An error of a seed test.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct FoundError {
    /// Place in `GenieState::finished`; the seed test's own place is the next while its mutants are played.
    seed: usize,
    key: ErrorKey,
    /// Which widgets' effects were lost, whatever their texts.
    kind: u64,
    /// The mutants that showed it.
    count: u32,
    /// The first of them.
    mutant: Mutant,
}

/// The mutants of one seed test.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SeedRun {
    seed: SeedTest,
    /// Mutants still to be played, the next one last.
    mutants: Vec<Mutant>,
    /// The campaign's events at which the next seed test has its turn.
    until: u64,
    /// The errors seen.
    errors: Vec<FoundError>,
}

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GenieCounts {
    /// Mutants played.
    pub mutants: u64,
    /// Of these: to their end.
    pub fully: u64,
    /// Of these: with every widget found exactly.
    pub faithful: u64,
    /// Mutants whose detour did not come back.
    pub strayed: u64,
    /// Mutants left out, as they begin like one that could not be played.
    pub pruned: u64,
    /// Mutants with a violation.
    pub violating: u64,
    /// Distinct errors of seed tests.
    pub errors: u64,
    /// Of these: shown by one mutant only.
    pub single: u64,
    /// Violations reported.
    pub reported: u64,
}

impl Genie {
    /// The engine with its constants.
    pub fn new(config: GenieConfig) -> Self {
        Genie { config, state: GenieState::default(), judge: None }
    }

    /// The engine with traces that are its first seed tests.
    #[must_use]
    pub fn with_seeds(mut self, mut seeds: Vec<Trace>) -> Self {
        seeds.reverse();
        self.state.given = seeds;
        self
    }

    /// What was counted so far.
    pub fn counts(&self) -> GenieCounts {
        self.state.counts
    }

    fn enter(&mut self, phase: Phase, ctx: &RoundCtx<'_>) {
        self.state.phase = phase;
        self.state.began = ctx.ledger().events;
    }

    /// Whether a phase has taken its share of the campaign's events.
    fn spent(&self, ctx: &RoundCtx<'_>, percent: u64) -> bool {
        let share = u128::from(ctx.ledger().event_limit()) * u128::from(percent) / 100;
        u128::from(ctx.ledger().events - self.state.began) >= share
    }

    // Mining and making seed tests.

    fn mine(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        let mut rng = ctx.rng.fork("mining");
        ctx.start()?;
        let mut walk = Walk::new(ctx, StepRole::Explored);
        for _ in 0..self.config.mining_test {
            let systematic = !self.state.weights.idles(&self.config);
            if self.mined(ctx) || self.step(ctx, &mut walk, systematic, &mut rng)?.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn mined(&self, ctx: &RoundCtx<'_>) -> bool {
        let mined = ctx.ledger().events - self.state.began;
        mined >= self.config.mining_events || self.spent(ctx, self.config.mining_percent)
    }

    /// Chooses an event and performs it; the transition enters the model. `None` where the app was left for good.
    fn step(
        &mut self,
        ctx: &mut RoundCtx<'_>,
        walk: &mut Walk,
        systematic: bool,
        rng: &mut Rng,
    ) -> Result<Option<Planned>, Stop> {
        let (setting, before) = (ctx.setting(), Arc::clone(&ctx.frame().layout));
        let inside = ctx.frame().health == AppHealth::Running;
        let offered = if inside { offers(&before, &setting.app, &setting.blocks) } else { Vec::new() };
        let blocked = setting.blocks.iter().any(|block| Block::forbids_back(block, &before));
        let back = !blocked && ctx.structure_key() != walk.home;
        let chosen = match systematic {
            true => self.state.weights.choose(&offered, &self.config, rng).map(|offer| offer.act),
            false => random_offer(&offered, back && inside, &self.config, rng),
        };
        walk.outside = if inside { 0 } else { walk.outside + 1 };
        let Some(chosen) = chosen else { return self.go_back(ctx, walk, &before) };
        let act = commit_instead(&before, chosen, &offered, &self.config, rng);
        let (event, text) = match act {
            Act::Back => (Event::Key(Key::Back), ""),
            Act::On(action, widget) => {
                let text = field_text(rng);
                (event_on(&before, widget, action.gesture(text)), text)
            }
        };
        ctx.perform(event, walk.role)?;
        if ctx.frame().health == AppHealth::Running {
            let after = Arc::clone(&ctx.frame().layout);
            if let Some(offer) = offered.iter().find(|offer| offer.act == act) {
                let reached = offers(&after, &setting.app, &setting.blocks);
                let weights = &mut self.state.weights;
                weights.executed(offer.key, act, (&before, &offered), (&after, &reached), &self.config);
            }
            self.state.model.add(&before, (act, text), &after, self.config.state_basis());
        }
        Ok(Some(Planned { act, text: text.to_owned(), on: before }))
    }

    /// Nothing is offered, or the app is not in front: Back, and if that does not help a restart.
    fn go_back(
        &mut self,
        ctx: &mut RoundCtx<'_>,
        walk: &mut Walk,
        before: &Arc<crate::model::Layout>,
    ) -> Result<Option<Planned>, Stop> {
        if walk.outside > self.config.outside_restart {
            return Ok(None);
        }
        ctx.perform(Event::Key(Key::Back), walk.role)?;
        Ok(Some(Planned { act: Act::Back, text: String::new(), on: Arc::clone(before) }))
    }

    fn make_seed(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        let mut rng = ctx.rng.fork("seed");
        let given = self.state.given.pop();
        ctx.start()?;
        let planned = match given {
            Some(trace) => self.play_given(ctx, &trace)?,
            None => {
                let mut walk = Walk::new(ctx, StepRole::Seed);
                let mut events = Vec::new();
                let weighted = rng.chance(self.config.weighted_seeds_percent as usize, 100);
                while events.len() < self.config.seed_length {
                    let Some(event) = self.step(ctx, &mut walk, weighted, &mut rng)? else { break };
                    events.push(event);
                }
                events
            }
        };
        let trace = ctx.trace().clone();
        let seed = SeedTest { trace, planned, unstable: Vec::new() };
        if let Some(seed) = self.stabilised(ctx, seed)? {
            self.state.made += 1;
            self.state.seeds.insert(0, seed);
        }
        Ok(())
    }

    /// Plays a given trace as a seed test, up to what a plan cannot hold.
    fn play_given(&mut self, ctx: &mut RoundCtx<'_>, trace: &Trace) -> Result<Vec<Planned>, Stop> {
        let mut events = Vec::new();
        for (event, _) in events_of(trace) {
            let before = Arc::clone(&ctx.frame().layout);
            let event = event.aimed(&before);
            let Some(plan) = planned(&event, &before) else { break };
            ctx.perform(event, StepRole::Seed)?;
            if ctx.frame().health == AppHealth::Running {
                let after = Arc::clone(&ctx.frame().layout);
                self.state.model.add(&before, (plan.act, &plan.text), &after, self.config.state_basis());
            }
            events.push(plan);
        }
        Ok(events)
    }

    /// Executes a seed test once more, at another pace: what differs cannot be compared.
    fn stabilised(&mut self, ctx: &mut RoundCtx<'_>, mut seed: SeedTest) -> Result<Option<SeedTest>, Stop> {
        if seed.planned.len() < 2 {
            return Ok(None);
        }
        ctx.start()?;
        let wait = Event::Wait(DeviceDuration(self.config.second_run_wait_millis));
        for event in seed.events() {
            let event = event.aimed(&ctx.frame().layout);
            ctx.perform(event, StepRole::Seed)?;
            if self.config.second_run_wait_millis > 0 {
                ctx.perform(wait.clone(), StepRole::Appended)?;
            }
        }
        let mut judge = EffectJudge::new(self.config.rule(&[]));
        let unstable = unstable_widgets(&mut judge, &seed.layouts(), &layouts_of(ctx.trace()));
        seed.unstable = unstable.into_iter().collect();
        Ok(Some(seed))
    }

    // Mutants.

    /// Takes the next seed test and plans its mutants. False if there is none.
    fn next_seed(&mut self, ctx: &RoundCtx<'_>) -> bool {
        let left = self.state.seeds.len() as u64;
        let Some(seed) = self.state.seeds.pop() else { return false };
        let events = ctx.ledger().events;
        let share = (self.reporting_from(ctx).saturating_sub(events) / left).min(self.config.events_per_seed);
        let mut rng = ctx.rng.fork("mutants");
        // No more than can be played: each takes about as many events as the seed test.
        let most = usize::try_from(share).unwrap_or(usize::MAX) / seed.planned.len().max(1) + 1;
        let app = &ctx.setting().app;
        let mut mutants = mutants_of(&seed, &self.state.model, app, most, &self.config, &mut rng);
        mutants.reverse();
        self.judge = None;
        let until = events.saturating_add(share);
        self.state.current = Some(SeedRun { seed, mutants, until, errors: Vec::new() });
        true
    }

    /// The campaign's events from which on errors are shown once more.
    fn reporting_from(&self, ctx: &RoundCtx<'_>) -> u64 {
        let limit = ctx.ledger().event_limit();
        limit - limit / 100 * self.config.report_percent.min(100)
    }

    fn mutate(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        let late = ctx.ledger().events >= self.reporting_from(ctx);
        if late || (self.state.current.is_none() && !self.next_seed(ctx)) {
            self.end_mutants();
            self.choose_reports();
            self.enter(Phase::Reporting, ctx);
            return Ok(());
        }
        let Some(run) = self.state.current.as_mut() else { return Ok(()) };
        let next = (ctx.ledger().events < run.until).then(|| run.mutants.pop()).flatten();
        let Some(mutant) = next else {
            self.end_mutants();
            return Ok(());
        };
        if mutant.prefixes(&run.seed).iter().any(|prefix| self.state.unplayable.contains(prefix)) {
            self.state.counts.pruned += 1;
            return Ok(());
        }
        self.play(ctx, mutant)
    }

    /// The mutants of a seed test are played: which of its errors did a single one show?
    fn end_mutants(&mut self) {
        let Some(mut run) = self.state.current.take() else { return };
        let counts = &mut self.state.counts;
        counts.errors += run.errors.len() as u64;
        counts.single += run.errors.iter().filter(|error| error.count == 1).count() as u64;
        run.errors.retain(|error| error.count == 1 || self.config.report_repeated);
        if !run.errors.is_empty() {
            self.state.finished.push(run.seed);
            self.state.found.append(&mut run.errors);
        }
    }

    /// Of the errors of a batch those of rare kinds are reported, one of each kind; repeated ones last.
    fn choose_reports(&mut self) {
        let (kinds, limit) = (&self.state.kinds, self.config.kind_limit);
        let rare = |kind: &u64| limit == 0 || kinds.get(kind).is_none_or(|count| *count <= limit);
        let mut told = BTreeSet::new();
        self.state.found.retain(|error| rare(&error.kind) && (limit == 0 || told.insert(error.kind)));
        self.state.found.sort_by_key(|error| std::cmp::Reverse(error.count));
    }

    fn report_next(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        match self.state.found.pop() {
            Some(error) => self.report(ctx, &error),
            None => {
                self.state.finished.clear();
                self.state.seeds.clear();
                self.enter(Phase::Seeding, ctx);
                Ok(())
            }
        }
    }

    fn play(&mut self, ctx: &mut RoundCtx<'_>, mutant: Mutant) -> Result<(), Stop> {
        let Some(run) = self.state.current.as_mut() else { return Ok(()) };
        self.state.counts.mutants += 1;
        match mutant.play(ctx, &run.seed, &self.config)? {
            Played::Fully { faithful } => {
                self.state.counts.fully += 1;
                self.state.counts.faithful += u64::from(faithful);
            }
            Played::Until(index) => {
                self.state.unplayable.extend(mutant.prefixes(&run.seed).get(index));
            }
            Played::Unfaithfully if self.config.judge_unfaithful => {}
            Played::Unfaithfully => return Ok(()),
            Played::Strayed => {
                self.state.counts.strayed += 1;
                return Ok(());
            }
        }
        let judge = self.judge.get_or_insert_with(|| EffectJudge::new(self.config.rule(&run.seed.unstable)));
        let Some(mut judged) = judged(judge, &run.seed.trace, ctx.trace()) else { return Ok(()) };
        let mut batches = std::mem::take(&mut judged.batches);
        batches.retain(|batch| batch.firm || self.config.report_weak);
        self.state.counts.violating += u64::from(!batches.is_empty());
        let pair = judged.pair();
        let mut kinds = BTreeSet::new();
        for error in merge_batches(&batches, self.config.merge_with_texts) {
            let kind = batches[error.batches[0]].kind(pair);
            kinds.insert(kind);
            match run.errors.iter_mut().find(|known| known.key == error.key) {
                Some(known) => known.count += 1,
                None => run.errors.push(FoundError {
                    seed: self.state.finished.len(),
                    key: error.key,
                    kind,
                    count: 1,
                    mutant: mutant.clone(),
                }),
            }
        }
        for kind in kinds {
            *self.state.kinds.entry(kind).or_default() += 1;
        }
        Ok(())
    }

    /// Plays a mutant once more and reports the error, if it shows it again.
    fn report(&mut self, ctx: &mut RoundCtx<'_>, error: &FoundError) -> Result<(), Stop> {
        let Some(seed) = self.state.finished.get(error.seed) else { return Ok(()) };
        let rule = self.config.rule(&seed.unstable);
        error.mutant.play(ctx, seed, &self.config)?;
        let mut judge = EffectJudge::new(rule.clone());
        let Some(judged) = judged(&mut judge, &seed.trace, ctx.trace()) else { return Ok(()) };
        let with_texts = self.config.merge_with_texts;
        let Some(batch) = judged.batches.iter().find(|batch| batch.key(with_texts) == error.key) else {
            return Ok(());
        };
        let detour = detour_words(ctx.trace());
        let Some(violation) = batch.violation(judged.pair(), &rule, &detour) else { return Ok(()) };
        let sought = violation.origin().checks;
        let comparison = Comparison {
            reference: seed.trace.clone(),
            rule: ComparisonRule::Effects(EffectComparison { rule, sought, weak: self.config.report_weak }),
        };
        self.state.counts.reported += 1;
        ctx.report_with(violation, comparison);
        Ok(())
    }
}

/// A walk by chosen events.
struct Walk {
    /// The structure of the screen that the app starts with, where Back only leaves it.
    home: LayoutKey,
    /// Events outside of the app in a row.
    outside: u32,
    role: StepRole,
}

impl Walk {
    fn new(ctx: &RoundCtx<'_>, role: StepRole) -> Self {
        Walk { home: ctx.structure_key(), outside: 0, role }
    }
}

/// A mutant beside its seed test, and what it violates.
struct Judged {
    seed: Vec<Option<Arc<Prepared>>>,
    mutant: Vec<Option<Arc<Prepared>>>,
    position: usize,
    inserted: usize,
    batches: Vec<Batch>,
}

impl Judged {
    fn pair(&self) -> TestPair<'_> {
        let (position, inserted) = (self.position, self.inserted);
        TestPair { seed: &self.seed, mutant: &self.mutant, position, inserted }
    }
}

fn judged(judge: &mut EffectJudge, seed: &Trace, mutant: &Trace) -> Option<Judged> {
    let aligned = align(seed, mutant)?;
    let (seed, mutant) = (judge.prepare_all(&aligned.seed), judge.prepare_all(&aligned.mutant));
    let (position, inserted) = (aligned.position, aligned.inserted);
    let batches = judge.judge(TestPair { seed: &seed, mutant: &mutant, position, inserted });
    Some(Judged { seed, mutant, position, inserted, batches })
}

impl Engine for Genie {
    fn round(&mut self, ctx: &mut RoundCtx<'_>) -> Result<Round, Stop> {
        if self.state.phase == Phase::Mining && self.mined(ctx) {
            self.enter(Phase::Seeding, ctx);
        }
        let enough = self.state.seeds.len() >= self.config.seeds.max(1)
            || (!self.state.seeds.is_empty() && self.spent(ctx, self.config.seed_percent));
        // What is left near the campaign's end is not enough for another batch.
        if self.state.phase == Phase::Seeding && ctx.ledger().events >= self.reporting_from(ctx) {
            return Ok(Round::Exhausted);
        }
        if self.state.phase == Phase::Seeding && self.state.given.is_empty() && enough {
            self.enter(Phase::Mutating, ctx);
        }
        match self.state.phase {
            Phase::Mining => self.mine(ctx).map(|()| Round::Continue),
            Phase::Seeding => self.make_seed(ctx).map(|()| Round::Continue),
            Phase::Mutating => self.mutate(ctx).map(|()| Round::Continue),
            Phase::Reporting => self.report_next(ctx).map(|()| Round::Continue),
        }
    }

    fn stats(&self) -> EngineStats {
        let counts = self.state.counts;
        let phase = match self.state.phase {
            Phase::Mining => format!("mining: {} states", self.state.model.nodes().len()),
            Phase::Seeding => format!("{} seed tests made", self.state.made),
            Phase::Mutating => format!(
                "{} mutants played, {} violate, {} errors shown once; {} seed tests left",
                counts.mutants,
                counts.violating,
                counts.single,
                self.state.seeds.len()
            ),
            Phase::Reporting => format!("{} errors left to be shown once more", self.state.found.len()),
        };
        EngineStats { phase, view: EngineView::Genie(counts) }
    }

    fn save(&self) -> Result<Vec<u8>, CheckpointError> {
        to_checkpoint(&self.state)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), CheckpointError> {
        self.state = from_checkpoint(saved)?;
        self.judge = None;
        Ok(())
    }
}
