//! TimeMachine: time-travel testing (Dong et al., ICSE 2020).
//!
//! The idea: evolve states, not event sequences. Random events drive the app. A state that is reached for the first
//! time, and whose reaching executed code that was not executed before, is interesting: the device is saved there.
//! When exploration is stuck, in a dead end or in a loop, the device travels back to the saved state with the best
//! prospects: the one whose next paths of k transitions have the highest mean of fitness, which grows with every
//! interesting state found from there and shrinks with every visit.
//! Phases: none; a round is one segment, from a travel to being stuck. Where the app reports no executed code, a new
//! activity or a receiver never used before counts as new, and the engine says so.
//! We differ where timemachine.md section 9 says "we recommend": states by activity and set of (class, resource id),
//! sets of covered points instead of rates, the union of repeated and frequent states, the paper's fitness with its
//! choice really used, a travel counted as a visit, a bounded archive.

mod config;
mod identity;
mod prospects;
mod view;

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use config::TimeMachineConfig;
pub use identity::StateIdentity;
pub use view::{ArchiveLine, SegmentEnd, TimeMachineView, Travel};

use self::prospects::{fitness, path_values};
use super::{
    CheckpointError, Engine, EngineConfig, EngineInfo, EngineStats, EngineView, Explorer, RandomExplorer,
    Round, RoundCtx, Saved, StateGraph, StateId, Stop, Stuck, StuckDetector, from_checkpoint, to_checkpoint,
};
use crate::model::{DeviceInstant, Event, LayoutKey, StepRole, Text, Trace};

/// How lists show this engine.
pub const INFO: EngineInfo = EngineInfo {
    name: "timemachine",
    label: "TimeMachine",
    idea: "saves interesting states and travels back to the most promising when it is stuck",
    config: || EngineConfig::TimeMachine(TimeMachineConfig::default()),
};

/// Travels that are remembered for the window.
const LOGGED: usize = 200;

/// The engine, and an explorer for others.
pub struct TimeMachine {
    config: TimeMachineConfig,
    explorer: RandomExplorer,
    known: Knowledge,
}

/// What outlives a segment. The graph keeps its counts through travels; only the device goes back.
#[derive(Default, Serialize, Deserialize)]
struct Knowledge {
    graph: StateGraph,
    /// Given traces that were played.
    given: usize,
    /// One for each state of the graph.
    facts: Vec<StateFacts>,
    /// Saved states; the root is the first and stays.
    archive: Vec<Archived>,
    detector: StuckDetector,
    /// When the state changed last.
    changed: DeviceInstant,
    /// Events of the segment so far.
    segment: usize,
    /// What was met so far, where the app reports no executed code.
    activities: BTreeSet<Text>,
    receivers: BTreeSet<(Text, Option<Text>)>,
    /// The last travels, the newest last.
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

/// What was so before an event.
#[derive(Clone, Copy)]
struct Before {
    from: Option<StateId>,
    /// Code points executed.
    covered: usize,
    /// Events of the test.
    steps: usize,
}

#[derive(Serialize, Deserialize)]
struct Archived {
    state: StateId,
    saved: Saved,
    restores: u32,
}

impl TimeMachine {
    /// The engine with these settings.
    pub fn new(config: TimeMachineConfig) -> Self {
        let explorer = RandomExplorer::new(config.events.clone());
        TimeMachine { config, explorer, known: Knowledge::default() }
    }

    /// The state that the screen is, if it is one of the app's.
    fn key(&self, ctx: &RoundCtx<'_>) -> Option<LayoutKey> {
        let layout = &ctx.frame().layout;
        (layout.package() == ctx.setting().app).then(|| self.config.identity.key(layout))
    }

    /// Takes the screen into the graph; returns its state, and whether it is seen for the first time.
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

    /// One event of the generator (Algorithm 1); says why the segment is over, if it is.
    fn advance(&mut self, ctx: &mut RoundCtx<'_>) -> Result<Option<SegmentEnd>, Stop> {
        if self.known.graph.current().is_none() {
            self.observe(ctx, None);
        }
        let before = self.before(ctx);
        self.explorer.step(ctx)?;
        self.known.segment += 1;
        let Some(state) = self.look(ctx, before)? else { return Ok(self.too_long()) };
        let known = &mut self.known;
        let stuck = known.detector.observe(state, &known.graph, &self.config.stuck);
        let idle = ctx.frame().at.since(known.changed).millis() >= self.config.no_progress_millis;
        Ok(match stuck {
            Some(Stuck::Loop) => Some(SegmentEnd::Loop),
            Some(Stuck::DeadEnd) => Some(SegmentEnd::DeadEnd),
            None if idle => Some(SegmentEnd::DeadEnd),
            None => self.too_long(),
        })
    }

    /// What an event is about to change.
    fn before(&self, ctx: &RoundCtx<'_>) -> Before {
        let (covered, steps) = (ctx.ledger().code.len(), ctx.trace().len());
        Before { from: self.known.graph.current(), covered, steps }
    }

    /// Where an event led; an interesting state is saved.
    fn look(&mut self, ctx: &mut RoundCtx<'_>, before: Before) -> Result<Option<StateId>, Stop> {
        let event = ctx.trace().steps().get(before.steps).map(|step| step.event.clone());
        let Some((state, first)) = self.observe(ctx, event.as_ref()) else { return Ok(None) };
        self.known.by_code = ctx.ledger().code_points > 0;
        let new = match self.known.by_code {
            true => ctx.ledger().code.len() > before.covered,
            false => self.is_novel(ctx, before.steps),
        };
        if first && new {
            self.note_interesting(state, before.from);
            self.save(ctx, state)?;
        }
        Ok(Some(state))
    }

    /// Plays a given trace and saves the interesting states along it, as if the generator had come that way.
    fn play_given(&mut self, ctx: &mut RoundCtx<'_>, trace: &Trace) -> Result<(), Stop> {
        ctx.start()?;
        if self.known.archive.is_empty() {
            self.take_root(ctx)?;
        } else {
            self.known.graph.leave();
            self.observe(ctx, None);
        }
        for step in trace.steps().iter().filter(|step| step.role != StepRole::Appended) {
            let before = self.before(ctx);
            ctx.perform(step.event.aimed(&ctx.frame().layout), StepRole::Explored)?;
            self.look(ctx, before)?;
        }
        Ok(())
    }

    fn too_long(&self) -> Option<SegmentEnd> {
        (self.known.segment >= self.config.segment_length).then_some(SegmentEnd::Length)
    }

    fn note_interesting(&mut self, state: StateId, from: Option<StateId>) {
        self.known.facts[state.0 as usize].interesting = true;
        if let Some(from) = from {
            self.known.facts[from.0 as usize].led_on += 1;
        }
    }

    /// Without executed code: a new activity, or a receiver of a kind never used before (timemachine.md 7).
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

    /// Saves the state where the device stands; beyond the cap the least promising goes, never the root.
    fn save(&mut self, ctx: &mut RoundCtx<'_>, state: StateId) -> Result<(), Stop> {
        let saved = ctx.save()?;
        self.known.archive.push(Archived { state, saved, restores: 0 });
        if self.known.archive.len() > self.config.archive.max(1) {
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
        let (graph, config) = (&self.known.graph, &self.config);
        let fitness: Vec<f64> = (graph.states().iter().zip(&self.known.facts))
            .map(|(state, facts)| fitness(config, facts.interesting, state.visits, facts.led_on))
            .collect();
        let successors: Vec<&[StateId]> = graph.states().iter().map(|state| &state.successors[..]).collect();
        path_values(&fitness, &successors, config.path_length)
    }

    /// Travels to the saved state with the best prospects (Algorithm 3). One that cannot be reached any more, tried
    /// twice, leaves the archive.
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
        // Nothing is left: a fresh start is the root again.
        ctx.start()?;
        self.take_root(ctx)
    }

    /// Ties: fewer travels so far, then the older one.
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
        // The travel counts as a visit, so that the choice moves on, and leaves no edge.
        known.graph.go_back_to(to);
        known.changed = ctx.frame().at;
        known.travelled += 1;
        if known.travels.len() == LOGGED {
            known.travels.pop_front();
        }
        known.travels.push_back(Travel { event: ctx.ledger().events, why, to, value });
    }

    /// What it shows of itself.
    fn view(&self) -> TimeMachineView {
        let (known, values) = (&self.known, self.values());
        let line = |archived: &Archived| ArchiveLine {
            state: archived.state,
            layout: Arc::clone(&archived.saved.frame().layout),
            steps: archived.saved.trace().len(),
            visits: known.graph.state(archived.state).visits,
            led_on: known.facts[archived.state.0 as usize].led_on,
            restores: archived.restores,
            value: values[archived.state.0 as usize],
        };
        TimeMachineView {
            by_code: known.by_code,
            archive: known.archive.iter().map(line).collect(),
            travels: known.travels.iter().copied().collect(),
            travelled: known.travelled,
        }
    }

    /// The app was just started: its first screen is the root.
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

    fn saved_states(&mut self) -> Vec<&mut Saved> {
        self.known.archive.iter_mut().map(|archived| &mut archived.saved).collect()
    }
}

impl Engine for TimeMachine {
    /// One segment: from a travel, or the first launch, to being stuck.
    fn round(&mut self, ctx: &mut RoundCtx<'_>) -> Result<Round, Stop> {
        if let Some(trace) = ctx.setting().given.get(self.known.given) {
            self.known.given += 1;
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
        let known = &self.known;
        let phase = format!("{} states saved, {} travels", known.archive.len(), known.travelled);
        EngineStats { phase, view: EngineView::TimeMachine(self.view()) }
    }

    fn save(&self) -> Result<Vec<u8>, CheckpointError> {
        Explorer::save(self)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), CheckpointError> {
        Explorer::load(self, saved)
    }

    fn saved_states(&mut self) -> Vec<&mut Saved> {
        Explorer::saved_states(self)
    }
}
