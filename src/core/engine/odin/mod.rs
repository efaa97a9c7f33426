//! ODIN: deep-state differential analysis (Wang et al., ESEC/FSE 2022; odin.md).
//!
//! The idea: few automatically made inputs end in a wrong state of the app, and one event on similar layouts has
//! few different outcomes. So many inputs that end on similar layouts are collected, the same event is appended to
//! all, and the layout changes are clustered: what most share is believed, a tiny minority is suspected.
//! Phases: exploration gives a first model (`explore`); calibration walks it at random towards the state with the
//! fewest inputs (`walk`), and each input is continued at once by every event of the state it ends in, from a
//! snapshot (`manifest`); what stands out is replayed from a fresh start before it is reported (`suspects`).
//! Traces that are given come before all of them (`given`).
//! We differ where odin.md says "ours" or "we recommend"; besides, calibration and manifesting alternate, so that
//! one snapshot is held at a time, and several receivers of one event are tried after one input.

mod config;
mod explore;
mod given;
mod manifest;
mod model;
mod suspects;
mod view;
mod walk;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use config::OdinConfig;
pub use view::{ClusterView, EventView, OdinView};

use self::model::OdinModel;
use self::suspects::Suspect;
use super::{
    CheckpointError, Engine, EngineConfig, EngineInfo, EngineStats, EngineView, Round, RoundCtx, Stop,
    from_checkpoint, to_checkpoint,
};
use crate::determinism::hash_text;
use crate::model::{
    AppHealth, Event, EventKey, Gesture, Key, Layout, SYSTEM_PACKAGES, StepRole, Text, touched_widget,
};
use crate::oracle::may_belief::{KnownLayout, LayoutId, Outcome, StateKey, Way, receiver_texts};

/// How lists show this engine.
pub const INFO: EngineInfo = EngineInfo {
    name: "odin",
    label: "ODIN",
    idea: "appends one event to many inputs that end alike and suspects outcomes of a tiny minority",
    config: || EngineConfig::Odin(OdinConfig::default()),
};

/// The engine.
pub struct Odin {
    config: OdinConfig,
    state: OdinState,
}

/// All that outlives a round.
#[derive(Clone, Default, Serialize, Deserialize)]
struct OdinState {
    phase: Phase,
    model: OdinModel,
    /// Given traces that were played.
    given: usize,
    /// Exploration tests that were run a second time.
    probed: u32,
    /// Events after which states are looked at next.
    judge_at: u64,
    /// Whether the last look was taken.
    judged_last: bool,
    suspects: VecDeque<Suspect>,
    /// What was replayed before, whatever came of it.
    replayed: BTreeSet<(EventKey, u64)>,
    /// The inputs after which something was reported, with their states.
    told: Vec<(StateKey, BTreeSet<usize>)>,
    /// How the behaviours of each event in each state cluster, as far as they were looked at.
    views: BTreeMap<(StateKey, EventKey), EventView>,
    counts: Counts,
}

/// What it is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Phase {
    #[default]
    Exploring,
    Calibrating,
    Replaying,
}

/// What was done so far.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Counts {
    walks: u64,
    appended: u64,
    stood_out: u64,
    reported: u64,
}

/// Where a test is: the layout, if it is one of the app's, and the way there.
struct Place {
    at: Option<LayoutId>,
    way: Way,
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

/// What an event brings along.
fn texts_of(event: &Event, layout: &Layout) -> Vec<Text> {
    let Event::Widget { gesture, .. } = event else { return Vec::new() };
    let mut texts = touched_widget(event, layout).map_or_else(Vec::new, |idx| receiver_texts(layout, idx));
    if let Gesture::SetText(text) = gesture {
        texts.push(Text::from(&**text));
    }
    texts
}

impl Odin {
    /// The engine with its constants.
    pub fn new(config: OdinConfig) -> Self {
        let judge_at = config.judge_every.max(1);
        Odin { config, state: OdinState { judge_at, ..OdinState::default() } }
    }

    /// What the window shows of it.
    pub fn view(&self) -> OdinView {
        self.state.view(self.config.min_inputs)
    }

    /// Starts a test on a fresh app.
    fn begin(&mut self, ctx: &mut RoundCtx<'_>) -> Result<Place, Stop> {
        ctx.start()?;
        let mut place = Place { at: None, way: Way::default() };
        self.arrive(ctx, &mut place);
        if self.state.model.start.is_none() {
            self.state.model.start = place.at;
        }
        Ok(place)
    }

    /// Performs an event and learns the transition. A test that ends by it is an outcome like others.
    fn act(
        &mut self,
        ctx: &mut RoundCtx<'_>,
        place: &mut Place,
        event: Event,
        key: EventKey,
    ) -> Result<Option<Outcome<LayoutId>>, Stop> {
        let before = place.at;
        place.way.did(key, &texts_of(&event, &ctx.frame().layout));
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

    /// Takes note of where the test is. Returns what is in front instead of the app.
    fn arrive(&mut self, ctx: &RoundCtx<'_>, place: &mut Place) -> Option<Text> {
        let (frame, app) = (ctx.frame(), &ctx.setting().app);
        place.at = None;
        let front = frame.layout.package();
        if let AppHealth::LeftApp(activity) = &frame.health
            && !SYSTEM_PACKAGES.contains(&front)
        {
            return Some(Text::clone(activity));
        }
        let known = || KnownLayout::of(Arc::clone(&frame.layout), app);
        place.at = self.state.model.learn_layout(&frame.layout, self.config.max_layouts, known);
        if let Some(at) = place.at {
            place.way.enter(self.state.model.state(at));
        }
        None
    }

    fn next_phase(&mut self, ctx: &RoundCtx<'_>) -> Result<Phase, Stop> {
        let (done, limit) = (ctx.ledger().events, ctx.ledger().event_limit());
        let percent = |part: u64| (u128::from(limit) * u128::from(part) / 100) as u64;
        let last_look = percent(100 - self.config.replay_percent.min(100));
        if done >= last_look && !self.state.judged_last {
            self.state.judged_last = true;
            self.look(ctx, 1)?;
        } else if done >= self.state.judge_at && done < last_look {
            self.state.judge_at = done + self.config.judge_every.max(1);
            self.look(ctx, self.config.min_inputs)?;
        }
        if !self.state.suspects.is_empty() {
            Ok(Phase::Replaying)
        } else if done < percent(self.config.explore_percent) {
            Ok(Phase::Exploring)
        } else {
            Ok(Phase::Calibrating)
        }
    }
}

impl Engine for Odin {
    fn round(&mut self, ctx: &mut RoundCtx<'_>) -> Result<Round, Stop> {
        if let Some(trace) = ctx.setting().given.get(self.state.given) {
            self.state.given += 1;
            return self.play_given(ctx, trace).map(|()| Round::Continue);
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
        EngineStats { phase: self.state.phase_words(), view: EngineView::Odin(self.view()) }
    }

    fn save(&self) -> Result<Vec<u8>, CheckpointError> {
        to_checkpoint(&self.state)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), CheckpointError> {
        self.state = from_checkpoint(saved)?;
        Ok(())
    }
}
