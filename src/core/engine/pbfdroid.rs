//! PBFDroid: property-based fuzzing of data manipulation functionalities (Sun et al., ESEC/FSE 2023).
//!
//! The idea: a tester describes how the app's data are created, read, updated, deleted and searched, as
//! DMFs with conditions. Beside the app runs a small model of the data it should hold. A test clears the
//! app and then mixes, by chance, DMFs whose preconditions hold with random events between them. When a
//! DMF has run to its end, its effect is applied to the model, and the screen must agree (Algorithm 1).
//! Most published bugs need two DMFs on one object with ordinary events in between.
//! Modes: full; baseline A, each DMF alone from a fresh start; baseline B, Algorithm 1 with one DMF at a time.
//! We differ where pbfdroid.md says "ours": seeded chance, names bound on the last screen too, lists
//! scrolled before something counts as missing, the count rule for repeated objects, weights of 0
//! respected, an end of the test after a violation that lets model and app drift apart.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::dmf_run::go_lead_in;
use super::{
    AfterViolation, CheckpointError, ConfigError, Engine, EngineConfig, EngineInfo, EngineSettings,
    EngineStats, ExploreWeights, ExploreWith, Explorer, InputSource, NotExecuted, RandomEvents, Round,
    RoundCtx, RunOutcome, RunPolicy, Saved, Setting, Stop, from_checkpoint, run_dmf, to_checkpoint,
};
use crate::determinism::Rng;
use crate::model::{Event, Reason, StepRole, Verdict};
use crate::spec::{Dmf, DmfStep, Input, Spec, step_without_text};

/// How lists show this engine.
pub const INFO: EngineInfo = EngineInfo {
    name: "pbfdroid",
    label: "PBFDroid",
    idea: "runs DMFs between random events and compares the app with a model of its data",
    config: || EngineConfig::Pbfdroid(PbfdroidConfig::default()),
};

/// Rounds without an event after which a baseline gives a DMF up: it can never start.
const BARREN_ROUNDS: u32 = 3;

/// A DMF that is ready less than once in so many tests is led to its start, where the way is known.
const TESTS_PER_READY: u64 = 10;

/// What is run (pbfdroid.md 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Algorithm 1 with all DMFs.
    #[default]
    Full,
    /// One DMF at a time from a fresh start, no random events.
    A,
    /// Algorithm 1 with one DMF at a time.
    B,
}

impl Mode {
    /// The word that commands and files use.
    pub fn word(self) -> &'static str {
        match self {
            Mode::Full => "full",
            Mode::A => "a",
            Mode::B => "b",
        }
    }
}

/// PBFDroid's parameters (pbfdroid.md 3.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PbfdroidConfig {
    /// What is run.
    pub mode: Mode,
    /// Names of the DMFs that are run; empty: all. The block list is derived from all of them.
    pub only: Vec<String>,
    /// Events of a test.
    pub lmax: usize,
    /// Draws of a random event in the urn beside the weights of the DMFs that are ready.
    pub blanks: u32,
    /// What happens to a test after a violation.
    pub after_violation: AfterViolation,
    /// Runs of one DMF in one test; 0 is no limit.
    pub dmf_cap: u32,
    /// Who chooses what happens between DMFs.
    pub explore: ExploreWith,
    /// Kinds of random events.
    pub weights: ExploreWeights,
    /// One random event in so many is an interruption: a call, a dark screen, a process that dies (ours); 0 is never.
    pub interrupt_every: usize,
    /// Swipes that looking for one thing may take.
    pub scroll_limit: u32,
    /// Events after which the app is started again within a test; 0 is never.
    pub restart_every: usize,
}

impl Default for PbfdroidConfig {
    fn default() -> Self {
        PbfdroidConfig {
            mode: Mode::Full,
            only: Vec::new(),
            lmax: 200,
            blanks: 30,
            after_violation: AfterViolation::EndTest,
            dmf_cap: 0,
            explore: ExploreWith::Random,
            weights: ExploreWeights::default(),
            interrupt_every: 75,
            scroll_limit: 24,
            restart_every: 0,
        }
    }
}

impl PbfdroidConfig {
    /// How a DMF of a recorded trace is run again.
    pub fn run_policy(&self) -> RunPolicy {
        RunPolicy {
            scroll_limit: self.scroll_limit,
            lead_in: self.mode == Mode::A,
            after_violation: self.after_violation,
        }
    }

    /// Whether a DMF is run at all.
    pub fn runs(&self, dmf: &Dmf) -> bool {
        dmf.weight > 0 && (self.only.is_empty() || self.only.contains(&dmf.name))
    }
}

impl EngineSettings for PbfdroidConfig {
    fn info(&self) -> &'static EngineInfo {
        &INFO
    }

    fn build(&self, setting: &Setting) -> Box<dyn Engine> {
        Box::new(Pbfdroid::new(self.clone(), setting))
    }

    fn mode(&self) -> String {
        match self.explore {
            ExploreWith::Random => self.mode.word().to_owned(),
            with => format!("{} {}", self.mode.word(), with.word()),
        }
    }

    fn check(&self, spec: &Spec) -> Result<(), ConfigError> {
        let on = || spec.dmfs.iter().filter(|dmf| dmf.weight > 0).map(|dmf| dmf.name.as_str());
        if on().next().is_none() {
            return Err(ConfigError::NoSpec { engine: INFO.name });
        }
        if let Some(name) = self.only.iter().find(|name| !on().any(|known| known == *name)) {
            let known = on().collect::<Vec<_>>().join(", ");
            return Err(ConfigError::UnknownDmf { name: name.clone(), known });
        }
        if self.lmax == 0 {
            let (what, wanted) = ("events per test (lmax)", "give at least 1");
            return Err(ConfigError::OutOfRange { engine: INFO.name, what, given: "0".to_owned(), wanted });
        }
        Ok(())
    }

    fn run_policy(&self) -> RunPolicy {
        PbfdroidConfig::run_policy(self)
    }

    fn budget_shares(&self, setting: &Setting) -> u64 {
        match self.mode {
            Mode::Full => 1,
            Mode::A | Mode::B => {
                setting.dmfs().iter().filter(|dmf| self.runs(&dmf.dmf)).count().max(1) as u64
            }
        }
    }

    fn guards_data(&self) -> bool {
        true
    }
}

/// The engine.
pub struct Pbfdroid {
    config: PbfdroidConfig,
    explorer: Box<dyn Explorer>,
    /// The DMFs that may be drawn; in a baseline they are run one after the other.
    dmfs: Vec<usize>,
    phase: Phase,
    ready: Vec<usize>,
    urn: Vec<u32>,
    /// The DMFs that were ready in this test, but had no text to type.
    without_text: BTreeSet<usize>,
}

/// Where a baseline is.
#[derive(Default, Serialize, Deserialize)]
struct Phase {
    /// Place in `Pbfdroid::dmfs`.
    current: usize,
    /// The campaign's events when this DMF's turn began.
    began: u64,
    /// Rounds in a row that performed no event.
    barren: u32,
    name: String,
}

/// The streams of chance of one test: a draw in one place does not shift the others.
struct Chance {
    choice: Rng,
    texts: Rng,
}

impl Pbfdroid {
    /// The engine for a setting.
    pub fn new(config: PbfdroidConfig, setting: &Setting) -> Self {
        let run = setting.dmfs().iter().enumerate().filter(|(_, dmf)| config.runs(&dmf.dmf));
        let events = RandomEvents {
            weights: config.weights.clone(),
            uniform: false,
            system_every: config.interrupt_every,
            interruptions_only: true,
        };
        Pbfdroid {
            explorer: super::explorer(config.explore, events, setting),
            dmfs: run.map(|(index, _)| index).collect(),
            phase: Phase::default(),
            ready: Vec::new(),
            urn: Vec::new(),
            without_text: BTreeSet::new(),
            config,
        }
    }

    /// One test (Algorithm 1). `only` masks all DMFs but one.
    fn test(&mut self, ctx: &mut RoundCtx<'_>, only: Option<usize>) -> Result<(), Stop> {
        let mut chance = Chance { choice: ctx.rng.fork("choice"), texts: ctx.rng.fork("texts") };
        let mut runs = vec![0; ctx.setting().dmfs().len()];
        ctx.start()?;
        self.without_text.clear();
        self.explorer.begins(ctx);
        if let Some(dmf) = self.hardly_ready(ctx, only)
            && self.led(ctx, dmf, &mut chance)?
        {
            return Ok(());
        }
        // A guided test may travel back to a shorter trace.
        while ctx.events_in_round() < self.config.lmax as u64 {
            let drawn = chance.choice.weighted(self.fill_urn(ctx, only, &runs));
            match drawn.and_then(|drawn| self.ready.get(drawn)) {
                Some(dmf) => {
                    runs[*dmf] += 1;
                    let inputs = InputSource::Draw(&mut chance.texts);
                    let outcome = run_dmf(ctx, *dmf, inputs, self.config.run_policy())?;
                    self.explorer.interrupted();
                    if self.ends_test(ctx, *dmf, &outcome) {
                        return Ok(());
                    }
                }
                None => self.random_event(ctx)?,
            }
        }
        Ok(())
    }

    /// A DMF that can hardly ever start although somebody showed the way to it; one after the other. A way on which
    /// objects are made is none to take here: other DMFs make them.
    fn hardly_ready(&self, ctx: &RoundCtx<'_>, only: Option<usize>) -> Option<usize> {
        let tests = ctx.ledger().tests;
        let makes = |step: &DmfStep| matches!(step.input, Input::Fresh(_));
        let waits = |dmf: &usize| {
            let lead_in = &ctx.setting().dmfs()[*dmf].dmf.lead_in;
            let ready = ctx.ledger().properties.get(*dmf).map_or(0, |counts| counts.precondition_held);
            let rarely = (ready + 1) * TESTS_PER_READY < tests;
            let shown = !lead_in.is_empty() && !lead_in.iter().any(makes);
            rarely && shown && only.is_none_or(|only| only == *dmf)
        };
        let waiting: Vec<usize> = self.dmfs.iter().copied().filter(waits).collect();
        let turn = tests.checked_rem(waiting.len() as u64).and_then(|turn| usize::try_from(turn).ok());
        waiting.get(turn?).copied()
    }

    /// Goes the way that leads to a DMF and runs it, if it can start there; whether that ended the test.
    fn led(&mut self, ctx: &mut RoundCtx<'_>, dmf: usize, chance: &mut Chance) -> Result<bool, Stop> {
        let policy = self.config.run_policy();
        let there = go_lead_in(ctx, dmf, InputSource::Draw(&mut chance.texts), policy)?;
        self.explorer.interrupted();
        if !there {
            return Ok(false);
        }
        ctx.count_ready(dmf);
        let outcome = run_dmf(ctx, dmf, InputSource::Draw(&mut chance.texts), policy)?;
        Ok(self.ends_test(ctx, dmf, &outcome))
    }

    /// The DMFs that are ready and have a text to type, each as often as its weight says, and the blanks.
    pub(super) fn fill_urn(&mut self, ctx: &mut RoundCtx<'_>, only: Option<usize>, runs: &[u32]) -> &[u32] {
        self.ready.clear();
        self.urn.clear();
        let cap = self.config.dmf_cap;
        for dmf in &self.dmfs {
            let masked = only.is_some_and(|only| only != *dmf);
            if !masked && ctx.ready(*dmf) {
                ctx.count_ready(*dmf);
                if let Some(step) = step_without_text(&ctx.setting().dmfs()[*dmf].dmf, ctx.data()) {
                    // Once a test: it is looked at before every event.
                    if self.without_text.insert(*dmf) {
                        ctx.count_not_executed(*dmf, step, &NotExecuted::NothingToRepeat);
                    }
                } else if cap == 0 || runs[*dmf] < cap {
                    self.ready.push(*dmf);
                    self.urn.push(ctx.setting().dmfs()[*dmf].dmf.weight);
                }
            }
        }
        self.urn.push(self.config.blanks);
        &self.urn
    }

    fn random_event(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        let every = self.config.restart_every;
        if every > 0 && ctx.trace().len() % every == every - 1 {
            self.explorer.interrupted();
            return ctx.perform(Event::Relaunch, StepRole::Explored);
        }
        self.explorer.step(ctx)
    }

    /// After a violation, or where it could not be seen what became of the data, model and app may disagree.
    fn ends_test(&self, ctx: &RoundCtx<'_>, dmf: usize, outcome: &RunOutcome) -> bool {
        let doubtful = matches!(
            outcome,
            RunOutcome::Finished(Verdict::Violated(_) | Verdict::Inconclusive(Reason::OffScreen(_)))
        );
        let changes_data = !ctx.setting().dmfs()[dmf].dmf.impacts.is_empty();
        doubtful && changes_data && self.config.after_violation == AfterViolation::EndTest
    }

    /// Baseline A: the way to the DMF's precondition, then the DMF, from a fresh start each time.
    fn alone(&mut self, ctx: &mut RoundCtx<'_>, dmf: usize) -> Result<(), Stop> {
        let mut texts = ctx.rng.fork("texts");
        ctx.start()?;
        run_dmf(ctx, dmf, InputSource::Draw(&mut texts), self.config.run_policy())?;
        Ok(())
    }

    /// One DMF after the other, each with an equal share of the budget.
    fn baseline(&mut self, ctx: &mut RoundCtx<'_>) -> Result<Round, Stop> {
        let share = ctx.ledger().event_limit() / (self.dmfs.len() as u64).max(1);
        let before = ctx.ledger().events;
        if before >= self.phase.began + share || self.phase.barren >= BARREN_ROUNDS {
            self.phase = Phase { current: self.phase.current + 1, began: before, ..Phase::default() };
        }
        let Some(dmf) = self.dmfs.get(self.phase.current).copied() else { return Ok(Round::Exhausted) };
        self.phase.name.clone_from(&ctx.setting().dmfs()[dmf].dmf.name);
        let result = match self.config.mode {
            Mode::A => self.alone(ctx, dmf),
            Mode::Full | Mode::B => self.test(ctx, Some(dmf)),
        };
        self.phase.barren = if ctx.ledger().events == before { self.phase.barren + 1 } else { 0 };
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
        to_checkpoint(&(&self.phase, self.explorer.save()?))
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), CheckpointError> {
        let (phase, explorer): (Phase, Vec<u8>) = from_checkpoint(saved)?;
        self.phase = phase;
        self.explorer.load(&explorer)
    }

    fn saved_states(&mut self) -> Vec<&mut Saved> {
        self.explorer.saved_states()
    }

    fn stats(&self) -> EngineStats {
        let phase = match self.config.mode {
            Mode::Full => "all DMFs".to_owned(),
            Mode::A => format!("{} alone", self.phase.name),
            Mode::B => format!("{} and random events", self.phase.name),
        };
        EngineStats { phase, ..EngineStats::default() }
    }
}
