//! TimeMachine: time-travel testing (Dong et al., ICSE 2020).
//!
//! The idea: evolve states, not event sequences. Random events drive the app. A state is interesting if it is reached
//! for the first time and new code was executed on the way: the device is then saved. When exploration is stuck, in a
//! dead end or in a loop, the device travels back to the saved state with the best prospects: the one whose next paths
//! of k transitions have the highest mean fitness, which grows with every interesting state found from there and
//! decreases with every visit.
//!
//! There are no phases; a round is one segment, from a travel to being stuck. If the app does not report executed code,
//! a new activity or a receiver that was never used before counts as new, and the engine's view shows this.
//!
//! Unlike the published program, this engine distinguishes states by activity and set of (class, resource id), compares
//! sets of covered points instead of rates, counts the union of repeated and frequent states, actually uses the paper's
//! choice among paths, counts a travel as a visit, and bounds the archive.
//!
//! `src/engine/timemachine/paper.md` describes the algorithm, its constants, every difference (section 9) and the
//! traps (section 10).

mod config;
mod identity;
mod prospects;
mod view;

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use config::TimeMachineConfig;
pub use identity::StateIdentity;
use view::{SegmentEnd, Travel};

use self::prospects::{PATH_LENGTH, fitness, path_values};
use super::{
    CheckpointError, Count, Engine, EngineConfig, EngineInfo, EngineSettings, EngineStats, Explorer,
    FirstTouch, RandomEvents, RandomExplorer, Replay, Round, RoundCtx, StateGraph, StateId, StateSnapshot,
    StatsRow, StatsTable, Stop, Stuck, StuckDetector, TestTarget, from_checkpoint, to_checkpoint,
};
use taproof_screen::{DeviceInstant, Event, LayoutKey, StepRole, Text, Trace};

/// Name, label and default settings of this engine.
pub const INFO: EngineInfo = EngineInfo {
    name: "timemachine",
    label: "TimeMachine",
    idea: "saves interesting states and travels back to the most promising when it is stuck",
    config: || EngineConfig::TimeMachine(TimeMachineConfig::default()),
    setting: TimeMachineConfig::setting,
    paper: TimeMachineConfig::PAPER,
};

impl EngineSettings for TimeMachineConfig {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn build(&self, _target: &TestTarget) -> Box<dyn Engine> {
        Box::new(TimeMachine::new(self.clone()))
    }

    fn begins_with_traces(&self) -> bool {
        true
    }
}

/// Travels that are remembered for the window.
const LOGGED: usize = 200;

/// The engine, which is also an explorer for other engines.
pub struct TimeMachine {
    config: TimeMachineConfig,
    explorer: RandomExplorer,
    known: Knowledge,
}

/// What outlives a segment. Restoring a state only affects the device; the graph keeps its counts.
#[derive(Default, Serialize, Deserialize)]
struct Knowledge {
    graph: StateGraph,
    /// Number of recorded traces that were already played.
    seeds_used: usize,
    /// What is known of each state of the graph, by its index.
    facts: Vec<StateFacts>,
    /// Saved states. The root is the first and is never removed.
    archive: Vec<Archived>,
    detector: StuckDetector,
    /// When the state last changed.
    changed: DeviceInstant,
    /// Number of events of the segment so far.
    segment: usize,
    /// The activities and receivers met so far, for an app that reports no executed code.
    activities: BTreeSet<Text>,
    receivers: BTreeSet<(Text, Option<Text>)>,
    /// The latest travels, oldest first.
    travels: VecDeque<Travel>,
    travelled: u64,
    /// Whether the app reports executed code.
    by_code: bool,
    /// Why the last segment ended.
    ended: SegmentEnd,
}

#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct StateFacts {
    interesting: bool,
    /// How often exploring from here led to an interesting state (w).
    led_on: u64,
}

/// What an event may change, with the values before the event.
#[derive(Clone, Copy)]
struct Before {
    from: Option<StateId>,
    /// Number of code points executed in the campaign before the event.
    covered: usize,
    /// Number of events of the test.
    steps: usize,
}

#[derive(Serialize, Deserialize)]
struct Archived {
    state: StateId,
    saved: StateSnapshot,
    restores: u32,
}

impl TimeMachine {
    /// An engine with these parameters.
    pub fn new(config: TimeMachineConfig) -> Self {
        let events = RandomEvents { system_every: config.system_every, ..RandomEvents::default() };
        TimeMachine::exploring(config, events)
    }

    /// An engine that draws these events between travels.
    pub(super) fn exploring(config: TimeMachineConfig, events: RandomEvents) -> Self {
        TimeMachine { config, explorer: RandomExplorer::new(events), known: Knowledge::default() }
    }

    /// The key of the current screen; `None` if it is not one of the app's.
    fn key(&self, ctx: &RoundCtx<'_>) -> Option<LayoutKey> {
        let layout = &ctx.frame().layout;
        (layout.package() == ctx.target().app).then(|| self.config.identity.key(layout))
    }

    /// Adds the current screen to the graph. Returns its state, and whether it is seen for the first time.
    fn observe(&mut self, ctx: &RoundCtx<'_>, event: Option<&Event>) -> Option<(StateId, bool)> {
        let Some(key) = self.key(ctx) else {
            self.known.graph.leave();
            return None;
        };
        let known = &mut self.known;
        let before = known.graph.current();
        let first = known.graph.observe(key, &ctx.frame().layout, event);
        known.facts.resize(known.graph.len(), StateFacts::default());
        if known.graph.current() != before {
            known.changed = ctx.frame().at;
        }
        known.graph.current().map(|state| (state, first))
    }

    /// Performs one event of the generator (Algorithm 1). Returns why the segment is over, if it is.
    fn advance(&mut self, ctx: &mut RoundCtx<'_>) -> Result<Option<SegmentEnd>, Stop> {
        if self.known.graph.current().is_none() {
            self.observe(ctx, None);
        }
        let before = self.before(ctx);
        self.explorer.step(ctx)?;
        self.known.segment += 1;
        let Some(state) = self.look(ctx, before)? else { return Ok(self.too_long()) };
        let known = &mut self.known;
        let stuck = known.detector.observe(state, &known.graph);
        let patience = self.config.no_progress_millis;
        let idle = patience > 0 && ctx.frame().at.since(known.changed).millis() >= patience;
        Ok(match stuck {
            Some(Stuck::Loop) => Some(SegmentEnd::Loop),
            Some(Stuck::DeadEnd) => Some(SegmentEnd::DeadEnd),
            None if idle => Some(SegmentEnd::DeadEnd),
            None => self.too_long(),
        })
    }

    /// The values before an event.
    fn before(&self, ctx: &RoundCtx<'_>) -> Before {
        let (covered, steps) = (ctx.stats().code.len(), ctx.trace().len());
        Before { from: self.known.graph.current(), covered, steps }
    }

    /// Processes the screen after an event. An interesting state is saved.
    fn look(&mut self, ctx: &mut RoundCtx<'_>, before: Before) -> Result<Option<StateId>, Stop> {
        let event = ctx.trace().steps().get(before.steps).map(|step| step.event.clone());
        let Some((state, first)) = self.observe(ctx, event.as_ref()) else { return Ok(None) };
        self.known.by_code = ctx.stats().code_points > 0;
        let new = match self.known.by_code {
            true => ctx.stats().code.len() > before.covered,
            false => self.is_novel(ctx, before.steps),
        };
        if first && new {
            self.note_interesting(state, before.from);
            self.save(ctx, state)?;
        }
        Ok(Some(state))
    }

    /// Plays a recorded trace and saves the interesting states along it, as if the generator had drawn its events.
    fn play_given(&mut self, ctx: &mut RoundCtx<'_>, trace: &Trace) -> Result<(), Stop> {
        ctx.start()?;
        if self.known.archive.is_empty() {
            self.take_root(ctx)?;
        } else {
            self.known.graph.leave();
            self.observe(ctx, None);
        }
        let played = Replay::of(trace.steps()).run_by(ctx, |ctx, event, _| {
            let before = self.before(ctx);
            ctx.perform(event, StepRole::Explored)?;
            self.look(ctx, before).map(drop)
        });
        played.map(drop)
    }

    fn too_long(&self) -> Option<SegmentEnd> {
        (1..=self.known.segment).contains(&self.config.segment_length).then_some(SegmentEnd::Length)
    }

    fn note_interesting(&mut self, state: StateId, from: Option<StateId>) {
        self.known.facts[state.0 as usize].interesting = true;
        if let Some(from) = from {
            self.known.facts[from.0 as usize].led_on += 1;
        }
    }

    /// Without executed code: whether the activity is new, or the receiver is of a kind that was never used before
    /// (paper.md, section 7).
    fn is_novel(&mut self, ctx: &RoundCtx<'_>, step: usize) -> bool {
        let layout = &ctx.frame().layout;
        let mut novel = self.known.activities.insert(Text::clone(layout.activity()));
        if let Some(Event::Widget { target, .. }) = ctx.trace().steps().get(step).map(|step| &step.event)
            && let Some(class) = &target.selector.class
        {
            let id = target.selector.resource_id.as_deref().map(Text::from);
            novel |= self.known.receivers.insert((class.as_str().into(), id));
        }
        novel
    }

    /// Saves the current state. If there are too many, the least promising is removed, but never the root.
    fn save(&mut self, ctx: &mut RoundCtx<'_>, state: StateId) -> Result<(), Stop> {
        let saved = ctx.save()?;
        self.known.archive.push(Archived { state, saved, restores: 0 });
        if (1..self.known.archive.len()).contains(&self.config.archive) {
            let values = self.values();
            let value = |archived: &Archived| values[archived.state.0 as usize];
            let others = self.known.archive.iter().enumerate().skip(1);
            let least = others.min_by(|(_, one), (_, other)| value(one).total_cmp(&value(other)));
            if let Some(place) = least.map(|(place, _)| place) {
                ctx.forget(self.known.archive.remove(place).saved);
            }
        }
        Ok(())
    }

    /// The mean fitness of the paths from each state.
    fn values(&self) -> Vec<f64> {
        let graph = &self.known.graph;
        let fitness: Vec<f64> = (graph.states().iter().zip(&self.known.facts))
            .map(|(state, facts)| fitness(facts.interesting, state.visits, facts.led_on))
            .collect();
        let successors: Vec<&[StateId]> = graph.states().iter().map(|state| &state.successors[..]).collect();
        path_values(&fitness, &successors, PATH_LENGTH)
    }

    /// Restores the saved state with the best prospects (Algorithm 3). A state that cannot be reached in two attempts
    /// is removed from the archive.
    fn travel(&mut self, ctx: &mut RoundCtx<'_>, why: SegmentEnd) -> Result<(), Stop> {
        self.known.detector.clear();
        self.known.segment = 0;
        while let Some((place, value)) = self.fittest() {
            let mut reached = false;
            for _ in 0..2 {
                reached = reached || ctx.restore(&self.known.archive[place].saved)?;
            }
            if reached {
                self.arrive(ctx, place, why, value);
                return Ok(());
            }
            ctx.forget(self.known.archive.remove(place).saved);
        }
        // The archive is empty, so a fresh start becomes the root again.
        ctx.start()?;
        self.take_root(ctx)
    }

    /// The saved state with the best prospects and its value; of equal ones, the one with fewer travels so far, then
    /// the older.
    fn fittest(&self) -> Option<(usize, f64)> {
        let values = self.values();
        let rated = self.known.archive.iter().enumerate();
        let rated =
            rated.map(|(place, archived)| (place, archived.restores, values[archived.state.0 as usize]));
        let best = rated.min_by(|one, other| other.2.total_cmp(&one.2).then(one.1.cmp(&other.1)));
        best.map(|(place, _, value)| (place, value))
    }

    fn arrive(&mut self, ctx: &RoundCtx<'_>, place: usize, why: SegmentEnd, value: f64) {
        let known = &mut self.known;
        let archived = &mut known.archive[place];
        archived.restores += 1;
        let to = archived.state;
        // The travel counts as a visit, so that the choice changes, and adds no edge.
        known.graph.go_back_to(to);
        known.changed = ctx.frame().at;
        known.travelled += 1;
        if known.travels.len() == LOGGED {
            known.travels.pop_front();
        }
        known.travels.push_back(Travel { event: ctx.stats().events, why, to, value });
    }

    fn told(&self) -> EngineStats {
        let (known, values) = (&self.known, self.values());
        let phase = format!("{} states saved, {} travels", known.archive.len(), known.travelled);
        let numbers = vec![
            Count::new(
                "states saved",
                known.archive.len() as u64,
                "Interesting states that it can travel back to",
            ),
            Count::new("travels", known.travelled, "Times that it went back to one"),
            Count::new("states seen", known.graph.len() as u64, ""),
        ];
        let saved = |archived: &Archived| {
            let (state, place) = (archived.state, archived.state.0 as usize);
            let layout = &archived.saved.frame().layout;
            let cells = [
                state.0.to_string(),
                format!("{:.2}", values[place]),
                archived.restores.to_string(),
                known.graph.state(state).visits.to_string(),
                known.facts[place].led_on.to_string(),
                archived.saved.trace().len().to_string(),
                layout.activity().rsplit('.').next().unwrap_or_default().to_owned(),
            ];
            StatsRow { screen: Some(Arc::clone(layout)), ..StatsRow::of(cells) }
        };
        let archive = StatsTable::new(
            (
                "Archive",
                match known.by_code {
                    true => "new code decides what is interesting",
                    false => "what the screens show decides what is interesting",
                },
            ),
            [
                ("State", ""),
                ("Fitness", "The mean fitness of its paths"),
                ("Travels", "How often it travelled here"),
                ("Visits", ""),
                ("Led on", "How often exploring from it led to an interesting state"),
                ("Events", "From a launch to it"),
                ("Activity", ""),
            ],
            ("No state yet", "The first screen is the first state that is saved."),
            known.archive.iter().map(saved).collect(),
        );
        let travels = StatsTable::new(
            ("Travels", "the newest first"),
            [("At event", ""), ("Back to state", ""), ("Fitness", ""), ("Because", "")],
            ("No travel yet", "It goes back when it is stuck."),
            known.travels.iter().rev().map(Travel::row).collect(),
        );
        EngineStats { phase, numbers, tables: vec![archive, travels], ..EngineStats::default() }
    }

    /// Takes the first screen after a start as the root, and saves it.
    fn take_root(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        self.known.graph.leave();
        match self.observe(ctx, None) {
            Some((state, _)) => {
                self.known.facts[state.0 as usize].interesting = true;
                self.save(ctx, state)
            }
            None => Ok(()),
        }
    }
}

impl Explorer for TimeMachine {
    fn begins(&mut self, ctx: &RoundCtx<'_>) {
        self.explorer.begins(ctx);
        self.interrupted();
    }

    fn step(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        if self.known.archive.is_empty() {
            self.take_root(ctx)?;
        }
        match self.advance(ctx)? {
            Some(why) => self.travel(ctx, why),
            None => Ok(()),
        }
    }

    fn keep_from(&mut self, touches: &[FirstTouch]) {
        self.explorer.keep_from(touches);
    }

    fn interrupted(&mut self) {
        self.known.graph.leave();
        self.known.detector.clear();
    }

    fn save(&self) -> Result<Vec<u8>, CheckpointError> {
        to_checkpoint(&self.known)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), CheckpointError> {
        self.known = from_checkpoint(saved)?;
        Ok(())
    }

    fn saved_states(&mut self) -> Vec<&mut StateSnapshot> {
        self.known.archive.iter_mut().map(|archived| &mut archived.saved).collect()
    }
}

impl Engine for TimeMachine {
    /// Runs one segment: from a travel, or the first launch, until it is stuck.
    fn round(&mut self, ctx: &mut RoundCtx<'_>) -> Result<Round, Stop> {
        if let Some(trace) = ctx.target().seed_traces.get(self.known.seeds_used) {
            self.known.seeds_used += 1;
            return self.play_given(ctx, trace).map(|()| Round::Continue);
        }
        if self.known.archive.is_empty() {
            ctx.start()?;
            self.take_root(ctx)?;
        } else {
            self.travel(ctx, self.known.ended)?;
        }
        self.explorer.begins(ctx);
        self.known.ended = SegmentEnd::TestOver;
        loop {
            if let Some(end) = self.advance(ctx)? {
                self.known.ended = end;
                return Ok(Round::Continue);
            }
        }
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

    fn saved_states(&mut self) -> Vec<&mut StateSnapshot> {
        Explorer::saved_states(self)
    }
}
