//! ODIN: deep-state differential analysis (Wang et al., ESEC/FSE 2022).
//!
//! The idea: few automatically generated inputs end in a wrong state of the app, and one event on similar layouts has
//! few different outcomes. So many inputs that end on similar layouts are collected, the same event is appended to all,
//! and the changes of the layout are clustered. What most inputs share is believed; a tiny minority is suspected.
//!
//! Phases: exploration gives a first model (`explore`). Calibration walks it at random towards the state with the
//! fewest inputs (`walk`), and each input is continued at once by every event of the state in which it ends, from a
//! snapshot (`manifest`). Suspects are replayed from a fresh start before they are reported (`suspects`). Recorded
//! traces are played before all of this (`seed_traces`).
//!
//! Unlike in the paper, layouts are grouped into states only by the events that they handle; calibration and
//! manifesting alternate, so that only one snapshot exists at a time; several receivers of one event are tried after
//! one input; and minorities that something visible explains are dropped.
//!
//! `src/engine/odin/paper.md` describes the algorithm, its constants, every difference (section 13) and the
//! traps (section 14).

mod config;
mod explore;
mod manifest;
mod model;
mod performed;
mod seed_traces;
mod suspects;
mod view;
mod walk;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use config::OdinConfig;

use self::model::OdinModel;
use self::performed::{Performed, PerformedStep};
use self::suspects::{MinorityName, Suspect};
use self::view::EventView;
use super::{
    CheckpointError, ConfigError, Count, Engine, EngineConfig, EngineInfo, EngineSettings, EngineStats,
    Round, RoundCtx, StatsTable, Stop, TestTarget, from_checkpoint, to_checkpoint,
};
use crate::oracle::may_belief::{KnownLayout, LayoutId, Outcome, StateKey, receiver_texts};
use taproof_screen::determinism::hash_text;
use taproof_screen::{
    AppHealth, Event, EventKey, Gesture, Key, Layout, SYSTEM_PACKAGES, StepRole, Text, counted,
    touched_widget,
};
use taproof_spec::Spec;

/// Name, label and default settings of this engine.
pub const INFO: EngineInfo = EngineInfo {
    name: "odin",
    label: "ODIN",
    idea: "appends one event to many inputs that end alike and suspects outcomes of a tiny minority",
    config: || EngineConfig::Odin(OdinConfig::default()),
    setting: OdinConfig::setting,
    paper: OdinConfig::PAPER,
};

/// Events that the window shows.
const MOST_EVENTS: usize = 200;
/// Number of events before behaviours are judged for the first time (not in the paper; paper.md, section 2).
const FIRST_LOOK: u64 = 1250;
/// Number of events after which the states with enough inputs are judged again. In the beginning they are judged whenever
/// the number of events has doubled (not in the paper; section 2).
const JUDGE_EVERY: u64 = 10_000;
/// Number of inputs that a state needs before its behaviours are judged; the last look judges all states. The paper names
/// no number, as for the following (section 2).
const MIN_INPUTS: usize = 30;
/// Number of inputs of one state that are stored and continued; further ones are only counted (section 6).
const MAX_INPUTS: usize = 90;
/// Number of behaviours of one event in one state that are stored (section 7).
const MAX_BEHAVIOURS: usize = 600;
/// Number of distinct layouts that are stored (section 3).
const MAX_LAYOUTS: usize = 4_000;
/// Percentage of the events that random exploration may take at first (section 2).
const EXPLORE_PERCENT: u64 = 12;
/// Percentage of the events that is reserved for replaying suspects (section 2).
const REPLAY_PERCENT: u64 = 4;

impl EngineSettings for OdinConfig {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn build(&self, _target: &TestTarget) -> Box<dyn Engine> {
        Box::new(Odin::new(self.clone()))
    }

    fn judges_outcomes(&self) -> bool {
        true
    }

    fn begins_with_traces(&self) -> bool {
        true
    }

    fn check(&self, _spec: &Spec) -> Result<(), ConfigError> {
        ConfigError::unless(self.walks > 0, INFO.name, "walks of a test (walks)", 0, "give at least 1")
    }
}

/// The engine: its parameters and all that it has learned.
pub struct Odin {
    config: OdinConfig,
    state: OdinState,
}

/// Everything that outlives a round, and is part of a checkpoint.
#[derive(Clone, Default, Serialize, Deserialize)]
struct OdinState {
    phase: Phase,
    model: OdinModel,
    /// Number of recorded traces that were already played.
    seeds_used: usize,
    /// Number of exploration tests that were run a second time.
    probed: u32,
    /// Number of events after which states are judged next.
    judge_at: u64,
    /// Whether the states were judged for the last time.
    judged_last: bool,
    suspects: VecDeque<Suspect>,
    /// The inputs, each of a state, that were queued for replays of each minority outcome, with whatever result.
    replayed: BTreeMap<MinorityName, BTreeSet<(StateKey, usize)>>,
    /// What was reported, with its state and the inputs after which it shows. One wrong state is reported once.
    reported: Vec<(MinorityName, StateKey, BTreeSet<usize>)>,
    /// How the behaviours of each event in each state cluster, as far as they were judged.
    views: BTreeMap<(StateKey, EventKey), EventView>,
    counts: Counts,
}

/// What the engine currently does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Phase {
    #[default]
    Exploring,
    Calibrating,
    Replaying,
}

/// Counts of what was done so far, for the window.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Counts {
    walks: u64,
    appended: u64,
    stood_out: u64,
    reported: u64,
}

/// The position of a test: the layout, if it is one of the app's, and what was performed up to it.
#[derive(Default)]
struct TestPosition {
    at: Option<LayoutId>,
    performed: Performed,
}

impl OdinState {
    fn phase_words(&self) -> String {
        match self.phase {
            Phase::Exploring => format!("exploring: {} states so far", self.model.inputs.len()),
            Phase::Calibrating => format!(
                "calibrating and manifesting: {}, {} appended",
                counted(self.counts.walks as usize, "walk"),
                counted(self.counts.appended as usize, "event")
            ),
            Phase::Replaying => format!("replaying what stands out: {} left", self.suspects.len() + 1),
        }
    }

    fn stats(&self) -> EngineStats {
        let mut events: Vec<&EventView> = self.views.values().collect();
        events.sort_by_key(|event| std::cmp::Reverse(event.interest()));
        events.truncate(MOST_EVENTS);
        let (model, counts) = (&self.model, &self.counts);
        let inputs = || model.inputs.values().map(|inputs| inputs.count);
        let served = inputs().filter(|count| *count >= MIN_INPUTS).count();
        let known = inputs().sum::<usize>() as u64;
        let numbers = vec![
            Count::new("states", model.inputs.len() as u64, "States of the model"),
            Count::new("served", served as u64, "Of these, with inputs enough"),
            Count::new("inputs", known, "Inputs that are known to lead where they should"),
            Count::new("layouts", model.layout_count() as u64, "Distinct layouts"),
            Count::new("events appended", counts.appended, "Events that were appended to inputs"),
            Count::new("stood out", counts.stood_out, "Outcomes of a tiny minority"),
            Count::new("reported", counts.reported, "Of these, replayed and reported"),
            Count::new(
                "changing views",
                model.volatile.len() as u64,
                "Views whose words change by themselves",
            ),
        ];
        let clusters = StatsTable::new(
            ("Clusters of behaviours", "by event, the most interesting first"),
            [
                ("Event", ""),
                ("Activity", ""),
                ("Behaviours", ""),
                (
                    "",
                    "A minority: so few do this that it stands out. Believed: so many do this that it is taken for \
                     what should happen",
                ),
                ("What it changes", ""),
            ],
            ("No clusters yet", "They are made when enough inputs had the same event appended."),
            events.into_iter().flat_map(EventView::rows).collect(),
        );
        EngineStats { phase: self.phase_words(), numbers, tables: vec![clusters], ..EngineStats::default() }
    }
}

/// Events without a receiver that exploration sends and walks repeat.
fn keys() -> [(EventKey, Event); 3] {
    let key = |name: &str| EventKey(hash_text(name));
    [
        (key("key back"), Event::Key(Key::Back)),
        (key("key action"), Event::Key(Key::ImeAction)),
        (key("rotate"), Event::Rotate),
    ]
}

/// The texts that an event contributes: those of its receiver's row, and the text that it types.
fn texts_of(event: &Event, layout: &Layout) -> Vec<Text> {
    let Event::Widget { gesture, .. } = event else { return Vec::new() };
    let mut texts = touched_widget(event, layout).map_or_else(Vec::new, |idx| receiver_texts(layout, idx));
    if let Gesture::SetText(text) = gesture {
        texts.push(Text::from(&**text));
    }
    texts
}

/// The number of events at which behaviours are judged again that were judged after `done`: twice as many, but at most
/// `JUDGE_EVERY` more.
fn next_look(done: u64) -> u64 {
    done + JUDGE_EVERY.min(done.max(FIRST_LOOK))
}

impl Odin {
    /// An engine with these parameters that has learned nothing yet.
    pub fn new(config: OdinConfig) -> Self {
        Odin { config, state: OdinState { judge_at: next_look(0), ..OdinState::default() } }
    }

    /// Starts a test with cleared data.
    fn begin(&mut self, ctx: &mut RoundCtx<'_>) -> Result<TestPosition, Stop> {
        ctx.start()?;
        let mut place = TestPosition::default();
        self.arrive(ctx, &mut place);
        place.performed.first = place.at;
        if self.state.model.start.is_none() {
            self.state.model.start = place.at;
        }
        Ok(place)
    }

    /// Performs an event and learns the transition. The end of a test is an outcome like others.
    fn act(
        &mut self,
        ctx: &mut RoundCtx<'_>,
        place: &mut TestPosition,
        event: Event,
        key: EventKey,
    ) -> Result<Option<Outcome<LayoutId>>, Stop> {
        let after = self.outcome(ctx, place, event.clone(), key)?;
        place.performed.steps.push(PerformedStep { event, key: Some(key), after: after.clone() });
        Ok(after)
    }

    fn outcome(
        &mut self,
        ctx: &mut RoundCtx<'_>,
        place: &mut TestPosition,
        event: Event,
        key: EventKey,
    ) -> Result<Option<Outcome<LayoutId>>, Stop> {
        let before = place.at;
        match ctx.perform(event, StepRole::Explored) {
            Ok(()) => {}
            Err(Stop::TestOver) => {
                place.at = None;
                let origin = ctx.reported().last().map(|reported| reported.violation.origin().to_string());
                return Ok(Some(Outcome::Died(origin.unwrap_or_default().into())));
            }
            Err(stop) => return Err(stop),
        }
        let left = self.arrive(ctx, place);
        match (left, before, place.at) {
            (Some(activity), ..) => Ok(Some(Outcome::Left(activity))),
            (None, before, Some(after)) => {
                if let Some(before) = before {
                    self.state.model.learn_move(before, key, after);
                }
                Ok(Some(Outcome::Shows(after)))
            }
            (None, _, None) => Ok(None),
        }
    }

    /// Learns the current layout and its state. Returns the activity in the foreground if the app was left.
    fn arrive(&mut self, ctx: &RoundCtx<'_>, place: &mut TestPosition) -> Option<Text> {
        let (frame, app) = (ctx.frame(), &ctx.target().app);
        place.at = None;
        let front = frame.layout.package();
        if let AppHealth::LeftApp(activity) = &frame.health
            && !SYSTEM_PACKAGES.contains(&front)
        {
            return Some(Text::clone(activity));
        }
        let known = || KnownLayout::of(Arc::clone(&frame.layout), app);
        place.at = self.state.model.learn_layout(&frame.layout, MAX_LAYOUTS, known);
        None
    }

    fn next_phase(&mut self, ctx: &RoundCtx<'_>) -> Result<Phase, Stop> {
        let (done, limit) = (ctx.events(), ctx.event_limit());
        let percent = |part: u64| (u128::from(limit) * u128::from(part) / 100) as u64;
        let last_look = percent(100 - REPLAY_PERCENT);
        if done >= last_look && !self.state.judged_last {
            self.state.judged_last = true;
            self.look(ctx, 0)?;
        } else if done >= self.state.judge_at && done < last_look {
            self.state.judge_at = next_look(done);
            self.look(ctx, MIN_INPUTS)?;
        }
        if !self.state.suspects.is_empty() {
            Ok(Phase::Replaying)
        } else if done < percent(EXPLORE_PERCENT) {
            Ok(Phase::Exploring)
        } else {
            Ok(Phase::Calibrating)
        }
    }
}

impl Engine for Odin {
    fn round(&mut self, ctx: &mut RoundCtx<'_>) -> Result<Round, Stop> {
        if let Some(trace) = ctx.target().seed_traces.get(self.state.seeds_used) {
            self.state.seeds_used += 1;
            return self.play_seed_trace(ctx, trace).map(|()| Round::Continue);
        }
        self.state.phase = self.next_phase(ctx)?;
        match self.state.phase {
            Phase::Exploring => self.explore(ctx)?,
            Phase::Calibrating => self.calibrate(ctx)?,
            Phase::Replaying => self.replay(ctx)?,
        }
        Ok(Round::Continue)
    }

    fn stats(&self) -> EngineStats {
        self.state.stats()
    }

    fn save(&self) -> Result<Vec<u8>, CheckpointError> {
        to_checkpoint(&self.state)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), CheckpointError> {
        self.state = from_checkpoint(saved)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behaviours_are_judged_whenever_the_events_have_doubled_and_then_at_intervals() {
        let looks = std::iter::successors(Some(next_look(0)), |done| Some(next_look(*done)));
        assert_eq!(looks.take(6).collect::<Vec<_>>(), [1250, 2500, 5000, 10_000, 20_000, 30_000]);
    }
}
