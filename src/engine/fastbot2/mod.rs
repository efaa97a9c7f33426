//! Fastbot2: model-based exploration with a reusable model (Lv et al., ASE 2022).
//!
//! The idea: an app is tested again and again, version after version, so the next run should profit from what earlier
//! ones have learned. An event is identified by what stays the same between versions (a *hyper-event*: activity, id,
//! class, static text, gesture), and the reuse model counts to which activities each event has led. From this follows
//! the probability that an event leads to an activity that this run has not seen. Events are chosen in tiers: events
//! that no run has executed (expansion); those that, according to the model, lead to new activities (guidance); those
//! that were not executed in this state; and finally by what n-step SARSA has learned of rewards for new events and
//! activities.
//!
//! Unlike the published program, this engine stores stable keys with their meaning in the model file, uses equal
//! widgets in turn, computes the paper's reward, records before it chooses, gives no credit across events of others,
//! draws epsilon before the softmax, leaves pages on which it is stuck, and derives all randomness from one seed.
//!
//! `src/engine/fastbot2/paper.md` describes the algorithm, its constants, every difference (section 11) and the
//! traps (section 12).

mod act;
mod arrive;
mod bursts;
mod choose;
mod config;
mod learner;
mod leave;
mod memory;
mod page;
mod reuse_model;
mod rules;
mod script;
mod texts;
mod view;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    CheckpointError, ConfigError, Count, Engine, EngineConfig, EngineInfo, EngineSettings, EngineStats,
    Explorer, Round, RoundCtx, StatsShares, Stop, TestTarget, from_checkpoint, to_checkpoint,
};
use taproof_screen::determinism::Rng;
use taproof_screen::{Event, Layout, StepRole, Text, Trace, thousands};
use taproof_spec::{Block, Spec};

use choose::{Candidate, Chooser};
use learner::{Chain, Pending, step_size};
use leave::Stuck;
use memory::{EventIdx, Knowledge, States};
use page::{Page, Reading};
use rules::{Matches, RulesOnPage};
use script::Script;
use texts::TypingMemory;
use view::{ChoiceLog, OtherActs};

pub use choose::Tier;
use config::RuleSettings;
pub use config::{Ablation, Denominator, Fastbot2Config};
pub use memory::ReuseHits;
pub use reuse_model::{EventKeys, HyperEvent, OtherApp, ReuseModel};

/// Name, label and default settings of this engine.
pub const INFO: EngineInfo = EngineInfo {
    name: "fastbot2",
    label: "Fastbot2",
    idea: "explores by what events have led to, in this run and in earlier ones",
    config: || EngineConfig::Fastbot2(Box::default()),
    // What was read from files is too large to be shown or set as text.
    setting: |key| Fastbot2Config::setting(key).filter(|_| key != "prior" && key != "rules"),
    paper: Fastbot2Config::PAPER,
};

impl EngineSettings for Fastbot2Config {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn build(&self, target: &TestTarget) -> Box<dyn Engine> {
        Box::new(Fastbot2::new(self.clone(), &target.app))
    }

    fn begins_with_traces(&self) -> bool {
        true
    }

    fn mode(&self) -> String {
        match self.ablation {
            Ablation::Both => "both",
            Ablation::Model => "model",
            Ablation::Learning => "learning",
        }
        .to_owned()
    }

    fn check(&self, _spec: &Spec) -> Result<(), ConfigError> {
        let (what, least) = ("events per test (test_events)", "give at least 1");
        ConfigError::unless(self.test_events > 0, INFO.name, what, 0, least)?;
        ConfigError::unless(self.alpha > 0.0, INFO.name, "alpha", self.alpha, "a temperature is above 0")
    }
}

/// The engine, which is also an explorer for other engines.
pub struct Fastbot2 {
    config: Arc<Fastbot2Config>,
    by_rules: Arc<RuleSettings>,
    state: Fastbot2State,
    chance: Chance,
    page: Page,
    candidates: Vec<Candidate>,
    chooser: Chooser,
    /// Whether the app's string resources were read.
    has_texts: bool,
}

/// Everything that outlives a test.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Fastbot2State {
    knowledge: Knowledge,
    states: States,
    chain: Chain,
    pending: Option<Pending>,
    /// Number of pages seen in this run. The learner's step size decreases with it.
    pages: u64,
    /// Running mean of the difference between the best and the worst Q-value of a page.
    spread: f64,
    typing: TypingMemory,
    script: Script,
    matches: Matches,
    /// The activity that the app starts with.
    home: Text,
    /// Events that led to an activity that must not be entered.
    refused: BTreeSet<EventIdx>,
    stuck: Stuck,
    log: ChoiceLog,
    other: OtherActs,
    /// Whether the recorded traces were learned.
    learned_traces: bool,
}

/// The random streams of one test, separate so that a draw in one does not shift the others.
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

/// The input of a decision.
#[derive(Clone, Copy)]
pub struct DecisionInput<'a> {
    /// The layout on the screen, before user-defined rules change it.
    pub layout: &'a Layout,
    /// Package name of the app under test.
    pub app: &'a str,
    /// The events that must not be performed.
    pub blocks: &'a [Block],
}

/// What the engine does next.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "there is one at a time, taken apart at once")]
pub enum Decision {
    /// Perform this event next.
    Perform(Event),
    /// End the test, so that the next one begins with empty data.
    EndTest,
}

impl Fastbot2 {
    /// The engine for an app. A model of another app is ignored.
    pub fn new(mut config: Fastbot2Config, app: &str) -> Self {
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
            by_rules: Arc::new(RuleSettings::of(&config.rules)),
            config: Arc::new(config),
            state,
            chance: Chance::of(&Rng::from_seed(0)),
            page: Page::default(),
            candidates: Vec::new(),
            chooser: Chooser::default(),
            has_texts: false,
        }
    }

    /// Before the first test: reads the app's string resources, unless the tester gave them, and learns from recorded
    /// traces, whose events these texts tell apart. Once in a campaign, except for the texts, which no checkpoint holds.
    fn prepare(&mut self, ctx: &mut RoundCtx<'_>) {
        if !std::mem::replace(&mut self.has_texts, true) && self.config.rules.static_texts.is_empty() {
            Arc::make_mut(&mut self.config).rules.static_texts = ctx.app_strings();
        }
        if !std::mem::replace(&mut self.state.learned_traces, true) {
            let target = ctx.target();
            target.seed_traces.iter().for_each(|trace| self.learn_trace(trace, &target.app));
        }
    }

    /// Everything that outlives a test.
    pub fn state(&self) -> &Fastbot2State {
        &self.state
    }

    /// Continues from a state that was saved between two tests.
    pub fn resume(&mut self, state: Fastbot2State) {
        self.state = state;
    }

    /// The reuse model of the earlier runs and this one.
    pub fn learned(&self, app: &str) -> ReuseModel {
        let mut model = self.state.knowledge.learned(app);
        for version in self.config.prior.iter().flat_map(|prior| &prior.versions) {
            model.saw_version(version);
        }
        model.saw_version(&self.config.app_version);
        model
    }

    fn told(&self) -> EngineStats {
        let Fastbot2State { knowledge, states, other, log, matches, .. } = &self.state;
        let [back, restarted, ended] = other.stuck;
        let numbers = vec![
            Count::new("states", states.len() as u64, "Pages that it tells apart"),
            Count::new(
                "events in bursts",
                other.bursts,
                "Random events in a row, as the original sends them",
            ),
            Count::new("stuck: back", back, "Back was pressed, as the page was stuck"),
            Count::new("stuck: app restarted", restarted, ""),
            Count::new("stuck: test ended", ended, ""),
            Count::new("activities refused", other.refused, "Activities left that a rule forbids"),
        ];
        let tiers = log.tiers();
        let of = tiers.values().sum();
        let tiers = StatsShares {
            title: "Tiers of choice".into(),
            note: format!("{} choices", thousands(of)),
            shares: tiers
                .iter()
                .map(|(tier, count)| Count::new(tier.word(), *count, tier.reason()))
                .collect(),
            of,
        };
        let hits = knowledge.hits();
        let phase = match hits.events_loaded {
            0 => format!("{} states", states.len()),
            loaded => {
                format!("{} states, {} of {loaded} reused events met", states.len(), hits.events_matched)
            }
        };
        let none = "This run began without a model of an earlier one.";
        let met = Count::new("Events met again", hits.events_matched as u64, "");
        let reuse = StatsShares {
            title: "Reused model".into(),
            note: if hits.events_loaded == 0 { none.to_owned() } else { String::new() },
            shares: if hits.events_loaded == 0 { Vec::new() } else { vec![met] },
            of: hits.events_loaded as u64,
        };
        let tables = matches.table().into_iter().chain([log.last_choices(knowledge)]).collect();
        EngineStats { phase, numbers, shares: vec![tiers, reuse], tables }
    }

    /// Number of distinct states seen so far.
    pub fn states_seen(&self) -> usize {
        self.state.states.len()
    }

    /// Begins a test with random streams of its own. `home` is the activity that the app starts with.
    pub fn begin(&mut self, rng: &Rng, home: &Text) {
        self.chance = Chance::of(rng);
        self.state.home = Text::clone(home);
        self.state.stuck = Stuck::default();
        self.state.script.interrupt();
        self.break_chain();
    }

    /// Ends the credit chain, because something else acted: the next page is not the result of the last event.
    fn break_chain(&mut self) {
        let Fastbot2State { knowledge, chain, pages, pending, .. } = &mut self.state;
        chain.flush(step_size(*pages), knowledge);
        *pending = None;
    }

    /// Learns from the screen, and decides what to do next.
    pub fn decide(&mut self, seen: DecisionInput<'_>) -> Decision {
        if !seen.layout.is_of(seen.app) {
            // Leaving the app earns nothing.
            if self.state.pending.take().is_some() {
                self.state.chain.earn(0.0);
            }
            self.break_chain();
            self.state.other.starts += 1;
            return Decision::Perform(Event::Relaunch);
        }
        let config = Arc::clone(&self.config);
        let (layout, rules) = RulesOnPage::read(&config.rules, seen.layout, &mut self.state.matches);
        let DecisionInput { app, blocks, .. } = seen;
        self.page.read(Reading { layout: &layout, app, blocks, rules: &rules });
        self.state.typing.see(&layout);
        let arrival = self.arrive(app);
        let worth = self.weigh(arrival);
        self.learn(arrival, worth);
        let seen = DecisionInput { layout: &layout, ..seen };
        if let Some(decision) =
            self.leave_refused(seen, arrival.came_of).or_else(|| self.unstick(seen, arrival.state))
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

    /// Learns the transitions of a recorded trace, as if an earlier run had made them.
    pub fn learn_trace(&mut self, trace: &Trace, app: &str) {
        let config = Arc::clone(&self.config);
        let mut before = trace.first();
        for step in trace.steps() {
            let (layout, rules) = RulesOnPage::read(&config.rules, &before.layout, &mut Matches::default());
            self.page.read(Reading { layout: &layout, app, blocks: &[], rules: &rules });
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
        let (frame, setting) = (ctx.frame().clone(), ctx.target());
        let seen = DecisionInput { layout: &frame.layout, app: &setting.app, blocks: ctx.blocks() };
        let decision = self.decide(seen);
        ctx.say_given_up(self.config.rules.xpaths());
        match decision {
            // Texts of pages and rules may contain characters that the device cannot type.
            Decision::Perform(event) => {
                let event = ctx.with_own_text(event, &mut self.chance.texts);
                ctx.perform(ctx.typeable(event), StepRole::Explored)?;
            }
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
    /// Explores until the test has its full length.
    fn round(&mut self, ctx: &mut RoundCtx<'_>) -> Result<Round, Stop> {
        self.prepare(ctx);
        ctx.start()?;
        self.begins(ctx);
        while ctx.trace().len() < self.config.test_events {
            self.step(ctx)?;
        }
        Ok(Round::Continue)
    }

    fn stats(&self) -> EngineStats {
        self.told()
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
