//! PBFDroid: property-based fuzzing of data manipulation functionalities (Sun et al., ESEC/FSE 2023).
//!
//! The idea: a tester describes how the app's data are created, read, updated, deleted and searched, as DMFs with
//! conditions. The engine maintains a small model of the data that the app should hold. A test clears the app's data
//! and then chooses at random between DMFs whose preconditions hold and random events. After a completed DMF its
//! impacts are applied to the model, and the screen must agree (Algorithm 1). Most published bugs need two DMFs on one
//! object with ordinary events in between.
//!
//! Modes: full; baseline A, each DMF alone from a fresh start; baseline B, Algorithm 1 with one DMF at a time.
//!
//! Unlike the published program, this engine derives all randomness from one seed, binds names on the last screen as
//! well, scrolls lists before something counts as missing, applies the count rule to repeated objects, respects weights
//! of 0, and ends a test after a violation after which model and app may disagree.
//!
//! `src/engine/pbfdroid/paper.md` describes the algorithm, its constants, every difference (section 9) and the
//! traps (section 10).

mod config;
mod going;
mod seldom;
mod ways;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

pub use config::{Mode, PbfdroidConfig};

use going::{WAYS, is_about, shown};
use seldom::Seldom;
use ways::Ways;

use super::dmf::{add_first_touches, go_lead_in, go_without_text};
use super::{
    AfterViolation, CheckpointError, ConfigError, DetourEnd, Engine, EngineConfig, EngineInfo,
    EngineSettings, EngineStats, ExploreWith, Explorer, FirstTouch, InputSource, NotExecuted, RandomEvents,
    Round, RoundCtx, RunOutcome, RunPolicy, StateSnapshot, Stop, TestTarget, from_checkpoint, run_detour,
    run_dmf, to_checkpoint,
};
use crate::oracle::preservation::{RELATIONS, with_control};
use taproof_screen::determinism::Rng;
use taproof_screen::{Event, LayoutKey, PxSize, Reason, Verdict};
use taproof_spec::{DataType, Dmf, DmfStep, Input, Spec, step_without_text};

/// Name, label and default settings of this engine.
pub const INFO: EngineInfo = EngineInfo {
    name: "pbfdroid",
    label: "PBFDroid",
    idea: "runs DMFs between random events and compares the app with a model of its data",
    config: || EngineConfig::Pbfdroid(PbfdroidConfig::default()),
    setting: PbfdroidConfig::setting,
    paper: PbfdroidConfig::PAPER,
};

/// Number of rounds without an event after which a baseline gives up a DMF, because it can never start.
const BARREN_ROUNDS: u32 = 3;

/// A DMF that is ready less than once in this many tests is led to its start, if it has a lead-in.
const TESTS_PER_READY: u64 = 10;

impl EngineSettings for PbfdroidConfig {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn build(&self, target: &TestTarget) -> Box<dyn Engine> {
        Box::new(Pbfdroid::new(self.clone(), target))
    }

    fn mode(&self) -> String {
        match self.explore {
            ExploreWith::Random => self.mode.word().to_owned(),
            with => format!("{} {}", self.mode.word(), with.word()),
        }
    }

    fn check(&self, spec: &Spec) -> Result<(), ConfigError> {
        let on = || spec.dmfs.iter().filter(|dmf| dmf.runs()).map(|dmf| dmf.name.as_str());
        if on().next().is_none() {
            return Err(ConfigError::NoSpec { engine: INFO.name });
        }
        if let Some(name) = self.only.iter().find(|name| !on().any(|known| known == *name)) {
            let known = on().collect::<Vec<_>>().join(", ");
            return Err(ConfigError::UnknownDmf { name: name.clone(), known });
        }
        ConfigError::unless(self.lmax > 0, INFO.name, "events per test (lmax)", 0, "give at least 1")
    }

    fn run_policy(&self) -> RunPolicy {
        let (lead_in, after_violation) = (self.mode == Mode::A, self.after_violation);
        RunPolicy { lead_in, after_violation, ..RunPolicy::default() }
    }

    fn budget_shares(&self, target: &TestTarget) -> u64 {
        match self.mode {
            Mode::Full => 1,
            Mode::A | Mode::B => target.dmfs().iter().filter(|dmf| self.runs(&dmf.dmf)).count().max(1) as u64,
        }
    }

    fn guards_data(&self) -> bool {
        true
    }

    fn runs(&self, dmf: &Dmf) -> bool {
        dmf.runs() && (self.only.is_empty() || self.only.contains(&dmf.name))
    }

    fn judges_outcomes(&self) -> bool {
        true
    }
}

/// The engine: its parameters, the explorer for random events, and the position of a baseline.
pub struct Pbfdroid {
    config: PbfdroidConfig,
    explorer: Box<dyn Explorer>,
    /// Indices of the DMFs that may be drawn. In a baseline they are run one after the other.
    dmfs: Vec<usize>,
    phase: Phase,
    /// How often each DMF ran after each other one in a test, or as the first one.
    pairs: Seldom<(Option<usize>, usize)>,
    /// How often a test ended with each DMF without its texts, and whether the app was left in the middle.
    emptied: Seldom<(usize, bool)>,
    ways: Ways,
    /// The DMF that ran last in this test.
    last: Option<usize>,
    /// The data type that this test is about, if it is about one.
    focus: Option<DataType>,
    /// The structure of the first screen of this test, and its size, which tells how the phone is turned.
    home: (LayoutKey, PxSize),
    ready: Vec<usize>,
    urn: Vec<u32>,
    /// The touches with which those that are ready begin.
    first_touches: Vec<FirstTouch>,
    /// Names of the relations whose events the device cannot perform.
    impossible: BTreeSet<&'static str>,
    /// The DMFs that were ready in this test, but had no text to type.
    without_text: BTreeSet<usize>,
    /// How often each DMF ran in this test.
    runs: BTreeMap<usize, u32>,
}

/// The position of a baseline.
#[derive(Default, Serialize, Deserialize)]
struct Phase {
    /// Index of the current DMF in `Pbfdroid::dmfs`.
    current: usize,
    /// Number of the campaign's events when this DMF's turn began.
    began: u64,
    /// Number of consecutive rounds that performed no event.
    barren: u32,
    name: String,
}

/// The random streams of one test, separate so that a draw in one does not shift the others.
struct Chance {
    choice: Rng,
    texts: Rng,
    detours: Rng,
    ways: Rng,
    pairs: Rng,
}

impl Pbfdroid {
    /// An engine with these parameters for a test target.
    pub fn new(config: PbfdroidConfig, target: &TestTarget) -> Self {
        let run = target.dmfs().iter().enumerate().filter(|(_, dmf)| config.runs(&dmf.dmf));
        let events = RandomEvents {
            weights: config.weights.clone(),
            uniform: false,
            system_every: config.interrupt_every,
            interruptions_only: true,
        };
        Pbfdroid {
            explorer: super::explorer(config.explore, events, target),
            dmfs: run.map(|(index, _)| index).collect(),
            phase: Phase::default(),
            pairs: Seldom::default(),
            emptied: Seldom::default(),
            last: None,
            ways: Ways::default(),
            focus: None,
            home: Default::default(),
            ready: Vec::new(),
            urn: Vec::new(),
            first_touches: Vec::new(),
            impossible: BTreeSet::new(),
            without_text: BTreeSet::new(),
            runs: BTreeMap::new(),
            config,
        }
    }

    /// Runs one test (Algorithm 1). With `only`, no other DMF is drawn.
    fn test(&mut self, ctx: &mut RoundCtx<'_>, only: Option<usize>) -> Result<(), Stop> {
        let fork = |name| ctx.rng.fork(name);
        let mut chance = Chance {
            choice: fork("choice"),
            texts: fork("texts"),
            detours: fork("detours"),
            ways: fork("ways"),
            pairs: fork("pairs"),
        };
        ctx.start()?;
        self.without_text.clear();
        self.runs.clear();
        self.explorer.begins(ctx);
        self.home = shown(ctx);
        self.ways.at_home();
        self.last = None;
        self.focus = if only.is_none() { self.turn(ctx) } else { None };
        let led = match self.hardly_ready(ctx, only) {
            Some(dmf) => self.led(ctx, dmf, &mut chance)?,
            None => self.focus.is_some() && self.go_way(ctx, &mut chance)?,
        };
        if led {
            return Ok(());
        }
        // Choices in a row for which no DMF that this test is about was ready.
        let mut lost = 0;
        // An explorer may restore a state with a shorter trace, so the length of the trace is not the number of events.
        while ctx.events_in_round() < self.config.lmax as u64 {
            let drawn = chance.choice.weighted(self.fill_urn(ctx, only));
            let drawn = drawn.and_then(|drawn| self.ready.get(drawn).copied());
            lost = if self.ready.iter().any(|dmf| is_about(self.focus.as_ref(), ctx, *dmf)) {
                0
            } else {
                lost + 1
            };
            match drawn {
                _ if only.is_none() && self.wants_way(ctx, lost, drawn, &mut chance) => {
                    lost = 0;
                    let before = ctx.events_in_round();
                    if self.go_way(ctx, &mut chance)? {
                        return Ok(());
                    }
                    if ctx.events_in_round() == before {
                        self.random_event(ctx)?;
                    }
                }
                Some(drawn) => {
                    let dmf = self.balanced(ctx, drawn, &mut chance);
                    let outcome = self.run(ctx, dmf, &mut chance)?;
                    if self.ends_test(ctx, dmf, &outcome) || self.detour(ctx, &outcome, &mut chance)? {
                        return Ok(());
                    }
                }
                None => self.random_event(ctx)?,
            }
        }
        if only.is_none() && self.config.empty_end {
            self.end_empty(ctx, &mut chance)?;
        }
        Ok(())
    }

    /// Ends a test with a DMF whose texts are left empty, which the block list keeps random events from: they could
    /// change the data unseen. What the app makes of it is not specified, but it must not crash.
    fn end_empty(&mut self, ctx: &mut RoundCtx<'_>, chance: &mut Chance) -> Result<(), Stop> {
        let types = |step: &DmfStep| step.required && matches!(step.input, Input::Fresh(_));
        for _ in 0..WAYS {
            let ready = self.dmfs.iter().filter(|dmf| ctx.ready(**dmf));
            let typed = ready.filter(|dmf| ctx.target().dmfs()[**dmf].dmf.steps.iter().any(types));
            let ends: Vec<_> = typed.flat_map(|dmf| [((*dmf, false), 1), ((*dmf, true), 1)]).collect();
            if let Some(drawn) = self.emptied.draw(&ends, &mut chance.pairs) {
                let (dmf, leave) = ends[drawn].0;
                self.emptied.happened((dmf, leave));
                self.interrupted();
                let inputs = InputSource::Draw(&mut chance.texts);
                return go_without_text(ctx, dmf, inputs, self.config.run_policy(), leave);
            }
            self.go_home(ctx)?;
            let focus = &self.focus;
            let about = |dmf| is_about(focus.as_ref(), ctx, dmf);
            let Some((_, way)) = self.ways.draw(about, &mut chance.ways) else { break };
            self.lead(ctx, way)?;
        }
        Ok(())
    }

    /// A DMF that is hardly ever ready although it has a lead-in; these DMFs take turns. A lead-in that creates objects
    /// is not used here: other DMFs create them.
    fn hardly_ready(&self, ctx: &RoundCtx<'_>, only: Option<usize>) -> Option<usize> {
        let tests = ctx.tests();
        let makes = |step: &DmfStep| matches!(step.input, Input::Fresh(_));
        let waits = |dmf: &usize| {
            let lead_in = &ctx.target().dmfs()[*dmf].dmf.lead_in;
            let ready = ctx.stats().properties.get(*dmf).map_or(0, |counts| counts.precondition_held);
            let rarely = (ready + 1) * TESTS_PER_READY < tests;
            let shown = !lead_in.is_empty() && !lead_in.iter().any(makes);
            rarely && shown && only.is_none_or(|only| only == *dmf)
        };
        let waiting: Vec<usize> = self.dmfs.iter().copied().filter(waits).collect();
        let turn = tests.checked_rem(waiting.len() as u64).and_then(|turn| usize::try_from(turn).ok());
        waiting.get(turn?).copied()
    }

    /// Performs the lead-in of a DMF and runs the DMF if it may start there. Returns whether the test ends.
    fn led(&mut self, ctx: &mut RoundCtx<'_>, dmf: usize, chance: &mut Chance) -> Result<bool, Stop> {
        let inputs = InputSource::Draw(&mut chance.texts);
        let there = go_lead_in(ctx, dmf, inputs, self.config.run_policy())?;
        self.interrupted();
        if !there {
            return Ok(false);
        }
        ctx.count_ready(dmf);
        let outcome = self.run(ctx, dmf, chance)?;
        Ok(self.ends_test(ctx, dmf, &outcome))
    }

    fn run(&mut self, ctx: &mut RoundCtx<'_>, dmf: usize, chance: &mut Chance) -> Result<RunOutcome, Stop> {
        let outcome = run_dmf(ctx, dmf, InputSource::Draw(&mut chance.texts), self.config.run_policy());
        self.pairs.happened((self.last.replace(dmf), dmf));
        *self.runs.entry(dmf).or_default() += 1;
        self.interrupted();
        outcome
    }

    /// Something other than a random event acted.
    fn interrupted(&mut self) {
        self.explorer.interrupted();
        self.ways.interrupted();
    }

    /// The DMF that runs where this one was drawn: of those that are ready, one that seldom ran after the last one.
    fn balanced(&self, ctx: &RoundCtx<'_>, drawn: usize, chance: &mut Chance) -> usize {
        if !self.config.balance {
            return drawn;
        }
        let after_last = |dmf: &usize| ((self.last, *dmf), ctx.target().dmfs()[*dmf].dmf.weight);
        let ready: Vec<_> = self.ready.iter().map(after_last).collect();
        self.pairs.draw(&ready, &mut chance.pairs).map_or(drawn, |place| self.ready[place])
    }

    /// Fills the urn: the weight of each DMF that is ready and has a text to type, and the blanks.
    pub(super) fn fill_urn(&mut self, ctx: &mut RoundCtx<'_>, only: Option<usize>) -> &[u32] {
        self.ready.clear();
        self.urn.clear();
        for dmf in &self.dmfs {
            let masked = only.is_some_and(|only| only != *dmf);
            let most = ctx.target().dmfs()[*dmf].dmf.max_runs;
            let spent = most.is_some_and(|most| self.runs.get(dmf).copied().unwrap_or(0) >= most);
            if !masked && !spent && ctx.ready(*dmf) {
                ctx.count_ready(*dmf);
                self.ways.learn(*dmf);
                if let Some(step) = step_without_text(&ctx.target().dmfs()[*dmf].dmf, ctx.data()) {
                    // Counted once per test, since it is checked before every event.
                    if self.without_text.insert(*dmf) {
                        ctx.count_not_executed(*dmf, step, &NotExecuted::NothingToRepeat);
                    }
                } else {
                    self.ready.push(*dmf);
                    self.urn.push(ctx.target().dmfs()[*dmf].dmf.weight);
                }
            }
        }
        self.urn.push(self.config.blanks);
        &self.urn
    }

    /// After a run whose postconditions hold, sometimes goes a neutral detour. Returns whether the test ends, since the
    /// detour changed what the run had done.
    fn detour(
        &mut self,
        ctx: &mut RoundCtx<'_>,
        outcome: &RunOutcome,
        chance: &mut Chance,
    ) -> Result<bool, Stop> {
        let every = self.config.detour_every;
        let held = *outcome == RunOutcome::Finished(Verdict::Holds);
        if every == 0 || !held || !chance.detours.chance(1, every) {
            return Ok(false);
        }
        let mut ways: Vec<(&str, &[Event])> = Vec::new();
        for relation in RELATIONS {
            let possible = relation.leads_back() && !self.impossible.contains(relation.name);
            if let Some(way) = relation.fixed_way().filter(|_| possible)
                && ctx.offers(relation)?
            {
                ways.push((relation.name, way));
            }
        }
        let Some((name, way)) = chance.detours.pick(&ways) else { return Ok(false) };
        self.explorer.interrupted();
        let before = ctx.reported().len();
        if run_detour(ctx, &with_control(way.to_vec()))? == DetourEnd::Refused {
            self.impossible.insert(name);
        }
        Ok(ctx.reported().len() > before)
    }

    /// Performs a random event, but not the first one of a DMF that is ready (Algorithm 1, line 23).
    fn random_event(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        let before = ctx.trace().len();
        self.first_touches.clear();
        for dmf in &self.ready {
            add_first_touches(ctx, *dmf, &mut self.first_touches);
        }
        self.explorer.keep_from(&self.first_touches);
        self.explorer.step(ctx)?;
        let steps = ctx.trace().steps();
        match steps.last() {
            _ if shown(ctx) == self.home => self.ways.at_home(),
            Some(last) if steps.len() == before + 1 => self.ways.walked(&last.event),
            // The explorer restored a saved state.
            _ => self.ways.interrupted(),
        }
        Ok(())
    }

    /// Whether data model and app may disagree: after a violation, or if the effect on the data could not be seen.
    fn ends_test(&self, ctx: &RoundCtx<'_>, dmf: usize, outcome: &RunOutcome) -> bool {
        let doubtful = matches!(
            outcome,
            RunOutcome::Finished(Verdict::Violated(_) | Verdict::Inconclusive(Reason::OffScreen(_)))
        );
        let changes_data = !ctx.target().dmfs()[dmf].dmf.impacts.is_empty();
        doubtful && changes_data && self.config.after_violation == AfterViolation::EndTest
    }

    /// Baseline A: the DMF's lead-in, then the DMF, from a fresh start each time.
    fn alone(&mut self, ctx: &mut RoundCtx<'_>, dmf: usize) -> Result<(), Stop> {
        let mut texts = ctx.rng.fork("texts");
        ctx.start()?;
        run_dmf(ctx, dmf, InputSource::Draw(&mut texts), self.config.run_policy())?;
        Ok(())
    }

    /// Runs one DMF after the other, each with an equal share of the budget.
    fn baseline(&mut self, ctx: &mut RoundCtx<'_>) -> Result<Round, Stop> {
        let share = ctx.event_limit() / (self.dmfs.len() as u64).max(1);
        let before = ctx.events();
        if before >= self.phase.began + share || self.phase.barren >= BARREN_ROUNDS {
            self.phase = Phase { current: self.phase.current + 1, began: before, ..Phase::default() };
        }
        let Some(dmf) = self.dmfs.get(self.phase.current).copied() else { return Ok(Round::Exhausted) };
        self.phase.name.clone_from(&ctx.target().dmfs()[dmf].dmf.name);
        let result = match self.config.mode {
            Mode::A => self.alone(ctx, dmf),
            Mode::Full | Mode::B => self.test(ctx, Some(dmf)),
        };
        self.phase.barren = if ctx.events() == before { self.phase.barren + 1 } else { 0 };
        result.map(|()| Round::Continue)
    }
}

impl Engine for Pbfdroid {
    fn round(&mut self, ctx: &mut RoundCtx<'_>) -> Result<Round, Stop> {
        match self.config.mode {
            Mode::Full => self.test(ctx, None).map(|()| Round::Continue),
            Mode::A | Mode::B => self.baseline(ctx),
        }
    }

    fn save(&self) -> Result<Vec<u8>, CheckpointError> {
        to_checkpoint(&(&self.phase, &self.pairs, &self.emptied, &self.ways, self.explorer.save()?))
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), CheckpointError> {
        let explorer: Vec<u8>;
        (self.phase, self.pairs, self.emptied, self.ways, explorer) = from_checkpoint(saved)?;
        self.explorer.load(&explorer)
    }

    fn saved_states(&mut self) -> Vec<&mut StateSnapshot> {
        self.explorer.saved_states()
    }

    fn stats(&self) -> EngineStats {
        let phase = match self.config.mode {
            Mode::Full => "all functions".to_owned(),
            Mode::A => format!("{} alone", self.phase.name),
            Mode::B => format!("{} and random events", self.phase.name),
        };
        EngineStats { phase, ..EngineStats::default() }
    }
}
