//! Fastbot2: model-based exploration that remembers (Lv et al., ASE 2022).
//!
//! The idea: an app is tested again and again, version after version, so what one run learns should serve the
//! next. An event is told apart by what stays the same between versions (a *hyper-event*: activity, id, class,
//! static text, gesture), and the reuse model counts to which activities each event has led. From it follows
//! how likely an event leads to an activity that this run has not seen. Choice goes by tiers: events that no run
//! has done (expansion), then those that the model says lead on (guidance), then what was not done in this
//! state, then what n-step SARSA has learned of rewards for new events and activities.
//! We differ where fastbot2.md 4.3 says "we recommend": stable keys with their meaning in the model file, equal
//! widgets in turn, the paper's reward, record before choose, no credit across what somebody else did, epsilon
//! before the softmax, a stuck rule, one seeded stream of chance.

mod act;
mod arrive;
mod bursts;
mod choose;
mod config;
mod learner;
mod leave;
mod memory;
mod page;
mod rules;
mod script;
mod texts;
mod view;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    CheckpointError, Engine, EngineConfig, EngineInfo, EngineStats, EngineView, Explorer, Round, RoundCtx,
    Stop, from_checkpoint, to_checkpoint,
};
use crate::determinism::Rng;
use crate::model::{Event, Layout, ReuseModel, StepRole, Text, Trace, is_of_app};
use crate::spec::Block;

use choose::{Candidate, Chooser};
use learner::{Chain, Pending, Values};
use leave::Stuck;
use memory::{EventIdx, Knowledge, States};
use page::{Page, Reading};
use rules::{Matches, RulesOnPage};
use script::Script;
use texts::TypingMemory;
use view::ChoiceLog;

pub use choose::Tier;
pub use config::{
    Ablation, Bursts, Corrections, Denominator, Fastbot2Config, Learning, Priorities, QKey, QScale, Typing,
};
pub use memory::ReuseHits;
pub use rules::RuleMatches;
pub use view::{ChoiceLine, Fastbot2View, OtherActs};

/// How lists show this engine.
pub const INFO: EngineInfo = EngineInfo {
    name: "fastbot2",
    label: "Fastbot2",
    idea: "explores by what events have led to, in this run and in earlier ones",
    config: || EngineConfig::Fastbot2(Box::default()),
};

/// The engine, and a way of exploring for others.
pub struct Fastbot2 {
    config: Arc<Fastbot2Config>,
    state: Fastbot2State,
    chance: Chance,
    page: Page,
    candidates: Vec<Candidate>,
    chooser: Chooser,
}

/// All that outlives a test.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Fastbot2State {
    knowledge: Knowledge,
    states: States,
    chain: Chain,
    pending: Option<Pending>,
    /// Pages seen.
    pages: u64,
    /// What Q-values differ by on a page, as a running mean.
    spread: f64,
    typing: TypingMemory,
    script: Script,
    matches: Matches,
    /// The activity that the app starts with.
    home: Text,
    /// Events that have led to an activity that must not be entered.
    refused: BTreeSet<EventIdx>,
    stuck: Stuck,
    log: ChoiceLog,
    other: OtherActs,
}

/// The streams of chance of one test: a draw in one place does not shift the others.
struct Chance {
    choice: Rng,
    places: Rng,
    texts: Rng,
    bursts: Rng,
}

impl Chance {
    fn of(rng: &Rng) -> Self {
        Chance {
            choice: rng.fork("choice"),
            places: rng.fork("places"),
            texts: rng.fork("texts"),
            bursts: rng.fork("bursts"),
        }
    }
}

/// What a decision is made on.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    /// The screen.
    pub layout: &'a Layout,
    /// The package of the app under test.
    pub app: &'a str,
    /// What must not be done.
    pub blocks: &'a [Block],
}

/// What was decided.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "there is one at a time, taken apart at once")]
pub enum Decision {
    /// This is done next.
    Perform(Event),
    /// The test is to end, so that the next one begins with empty data.
    EndTest,
}

impl Fastbot2 {
    /// The engine for an app. A model of another app is not taken over.
    pub fn new(config: Fastbot2Config, app: &str) -> Self {
        let mut config = config.with_settings_of_rules();
        config.prior.take_if(|prior| prior.package != app);
        let prior = config.begins_with(app);
        let knowledge = prior.map_or_else(Knowledge::default, |prior| Knowledge::load(&prior));
        let state = Fastbot2State {
            knowledge,
            script: Script::of(&config.rules.sequences),
            matches: Matches::of(&config.rules),
            ..Fastbot2State::default()
        };
        Fastbot2 {
            config: Arc::new(config),
            state,
            chance: Chance::of(&Rng::from_seed(0)),
            page: Page::default(),
            candidates: Vec::new(),
            chooser: Chooser::default(),
        }
    }

    /// All that outlives a test.
    pub fn state(&self) -> &Fastbot2State {
        &self.state
    }

    /// Goes on from a state that was kept between two tests.
    pub fn resume(&mut self, state: Fastbot2State) {
        self.state = state;
    }

    /// What was learned, of earlier runs and of this one.
    pub fn learned(&self, app: &str) -> ReuseModel {
        let mut model = self.state.knowledge.learned(app);
        for version in self.config.prior.iter().flat_map(|prior| &prior.versions) {
            model.saw_version(version);
        }
        model.saw_version(&self.config.app_version);
        model
    }

    /// What it says of itself.
    pub fn view(&self) -> Fastbot2View {
        let state = &self.state;
        Fastbot2View {
            tiers: state.log.tiers(),
            other: state.other,
            states: state.states.len(),
            reuse: state.knowledge.hits(),
            last: state.log.last(&state.knowledge),
            rules: state.matches.listed(),
            broken_off: state.script.broken_off,
        }
    }

    /// How many states were told apart so far.
    pub fn states_seen(&self) -> usize {
        self.state.states.len()
    }

    /// A test begins with chance of its own.
    pub fn begin(&mut self, rng: &Rng, home: &Text) {
        self.chance = Chance::of(rng);
        self.state.home = Text::clone(home);
        self.state.stuck = Stuck::default();
        self.state.script.interrupt();
        self.break_chain();
    }

    /// Somebody else acted: what is seen next did not come of the last event.
    fn break_chain(&mut self) {
        let Fastbot2State { knowledge, states, chain, pages, .. } = &mut self.state;
        let learning = &self.config.learning;
        let mut values = Values { knowledge, states, key: learning.q_key };
        chain.flush(learning, learning.step_size(*pages), &mut values);
        self.state.pending = None;
    }

    /// Learns from what is seen, and says what to do next.
    pub fn decide(&mut self, seen: Seen<'_>) -> Decision {
        if !is_of_app(seen.layout.package(), seen.app) {
            // What left the app is worth nothing.
            if self.state.pending.take().is_some() {
                self.state.chain.earn(0.0);
            }
            self.break_chain();
            self.state.other.starts += 1;
            return Decision::Perform(Event::Relaunch);
        }
        let config = Arc::clone(&self.config);
        let (layout, rules) = RulesOnPage::read(&config.rules, seen.layout, &mut self.state.matches);
        let Seen { app, blocks, .. } = seen;
        let reading =
            Reading { layout: &layout, app, blocks, corrections: &config.corrections, rules: &rules };
        self.page.read(reading);
        self.state.typing.see(&layout, config.typing.remembered);
        let arrival = self.arrive(app);
        let worth = self.weigh(arrival);
        self.learn(arrival, worth);
        let seen = Seen { layout: &layout, ..seen };
        if let Some(decision) =
            self.leave_refused(seen, arrival).or_else(|| self.unstick(seen, arrival.state))
        {
            self.break_chain();
            return decision;
        }
        if let Some(decision) = self.scripted(&layout) {
            self.break_chain();
            return decision;
        }
        let chosen =
            self.chooser.choose(&self.candidates, &config, self.state.spread, &mut self.chance.choice);
        match chosen {
            Some(chosen) => {
                Decision::Perform(self.carry_out(&layout, (&rules, seen.blocks), arrival.state, chosen))
            }
            None => {
                self.break_chain();
                self.state.other.nothing += 1;
                Decision::Perform(Event::Relaunch)
            }
        }
    }

    /// Takes in what a recorded walk shows, as if an earlier run had learned it.
    pub fn learn_trace(&mut self, trace: &Trace, app: &str) {
        let config = Arc::clone(&self.config);
        let mut before = trace.first();
        for step in trace.steps() {
            let (layout, rules) = RulesOnPage::read(&config.rules, &before.layout, &mut Matches::default());
            self.page.read(Reading {
                layout: &layout,
                app,
                blocks: &[],
                corrections: &config.corrections,
                rules: &rules,
            });
            let after = &step.after.layout;
            let inside = layout.package() == app && after.package() == app;
            if let Some(action) = self.page.action_of(&layout, &step.event).filter(|_| inside) {
                let event = self.state.knowledge.intern(self.page.event(&layout, &action));
                let activity = self.state.knowledge.activity(after.activity());
                self.state.knowledge.record(event, activity);
            }
            before = &step.after;
        }
    }
}

impl Explorer for Fastbot2 {
    fn begins(&mut self, ctx: &RoundCtx<'_>) {
        self.begin(&ctx.rng.fork("fastbot2"), ctx.frame().layout.activity());
    }

    fn step(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        let (frame, setting) = (ctx.frame().clone(), ctx.setting());
        let seen = Seen { layout: &frame.layout, app: &setting.app, blocks: &setting.blocks };
        match self.decide(seen) {
            // Texts of pages and of rules may be in any language.
            Decision::Perform(event) => ctx.perform(ctx.typeable(event), StepRole::Explored)?,
            Decision::EndTest => return Err(Stop::TestOver),
        }
        self.burst(ctx)
    }

    fn interrupted(&mut self) {
        self.state.script.interrupt();
        self.break_chain();
    }

    fn save(&self) -> Result<Vec<u8>, CheckpointError> {
        to_checkpoint(&self.state)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), CheckpointError> {
        self.resume(from_checkpoint(saved)?);
        Ok(())
    }
}

impl Engine for Fastbot2 {
    /// Explores until the test is as long as it is to be.
    fn round(&mut self, ctx: &mut RoundCtx<'_>) -> Result<Round, Stop> {
        ctx.start()?;
        self.begins(ctx);
        while ctx.trace().len() < self.config.test_events {
            self.step(ctx)?;
        }
        Ok(Round::Continue)
    }

    fn stats(&self) -> EngineStats {
        let reuse = self.state.knowledge.hits();
        let phase = match reuse.events_loaded {
            0 => format!("{} states", self.state.states.len()),
            loaded => format!(
                "{} states, {} of {loaded} reused events met",
                self.state.states.len(),
                reuse.events_matched
            ),
        };
        EngineStats { phase, view: EngineView::Fastbot2(self.view()) }
    }

    fn save(&self) -> Result<Vec<u8>, CheckpointError> {
        Explorer::save(self)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), CheckpointError> {
        Explorer::load(self, saved)
    }

    fn learned(&self, app: &str) -> Option<ReuseModel> {
        Some(Fastbot2::learned(self, app))
    }
}

#[cfg(test)]
mod tests;
