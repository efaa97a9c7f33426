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

mod bursts;
mod choose;
mod config;
mod learner;
mod memory;
mod page;
mod rules;
mod script;
mod texts;
mod view;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::explore::{event_at, event_on};
use super::{
    CheckpointError, Engine, EngineConfig, EngineInfo, EngineStats, EngineView, Explorer, Round, RoundCtx,
    Stop, from_checkpoint, to_checkpoint,
};
use crate::determinism::Rng;
use crate::model::{
    ActionKind, Event, Gesture, Key, Layout, PxPoint, PxRect, ReuseModel, StepRole, SystemEvent, Text, Trace,
    WidgetIdx, is_of_app,
};
use crate::spec::{Block, ScriptAction};

use bursts::Ground;
use choose::{Candidate, Chooser, Chosen};
use learner::{Chain, PageWorth, Pending, Values, reward};
use memory::{EventIdx, Knowledge, StateIdx, States};
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

/// Draws of a point on a widget before its middle is taken.
const POINT_TRIES: usize = 10;

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

/// How long the state has been the same.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Stuck {
    state: StateIdx,
    times: u32,
    /// What was tried against it.
    tried: u32,
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

/// Where a page was put.
#[derive(Clone, Copy)]
struct Arrival {
    state: StateIdx,
    state_visits: u32,
    activity_visits: u32,
    came_of: Option<Pending>,
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
            Some(chosen) => Decision::Perform(self.carry_out(&layout, &rules, arrival.state, chosen)),
            None => {
                self.break_chain();
                self.state.other.nothing += 1;
                Decision::Perform(Event::Relaunch)
            }
        }
    }

    /// Counts the visit, and records in M what the last event has led to (record, then choose).
    fn arrive(&mut self, app: &str) -> Arrival {
        let Fastbot2State { knowledge, states, pending, pages, .. } = &mut self.state;
        *pages += 1;
        let (state, state_visits) = states.visit(self.page.state);
        let activity = knowledge.activity(&self.page.activity);
        let came_of = pending.take();
        let own = self.page.activity.split_once('/').is_none_or(|(package, _)| package == app);
        if let Some(done) = came_of.filter(|_| own) {
            knowledge.record(done.event, activity);
        }
        let activity_visits = knowledge.visit(activity);
        Arrival { state, state_visits, activity_visits, came_of }
    }

    /// Looks up all that a choice among the page's actions goes by, and what that makes the page worth.
    fn weigh(&mut self, arrival: Arrival) -> PageWorth {
        let Fastbot2State { knowledge, states, refused, spread, .. } = &mut self.state;
        let mut worth = PageWorth {
            state_visits: arrival.state_visits,
            activity_visits: arrival.activity_visits,
            ..PageWorth::default()
        };
        let learning = &self.config.learning;
        self.candidates.clear();
        let mut range: Option<(f64, f64)> = None;
        for (place, action) in self.page.actions.iter().enumerate() {
            let found = knowledge.find(action.key).filter(|idx| !refused.contains(idx));
            if found.is_none() && knowledge.find(action.key).is_some() {
                continue;
            }
            let mut candidate = Candidate::new(place, action.kind, action.widgets.max(1));
            if let Some(idx) = found {
                let record = knowledge.event_mut(idx);
                record.met = true;
                candidate.known = record.known();
                candidate.expected = record.expected();
                candidate.guided = record.guided;
                worth.undone += u32::from(candidate.known && record.done == 0);
                candidate.q = match learning.q_key {
                    QKey::Event => record.q,
                    QKey::StateEvent => states.q.get(&(arrival.state, idx)).copied().unwrap_or(0.0),
                };
                candidate.visits = states.times(arrival.state, idx);
            }
            // An equal widget that was not used yet is as good as an event that was not done.
            let unused = self.config.each_widget && (1..candidate.widgets).contains(&candidate.visits);
            worth.undone += u32::from(unused);
            worth.new += u32::from(!candidate.known);
            worth.expected += candidate.expected;
            let (low, high) = range.unwrap_or((candidate.q, candidate.q));
            range = Some((low.min(candidate.q), high.max(candidate.q)));
            self.candidates.push(candidate);
        }
        if let Some((low, high)) = range.filter(|(low, high)| high > low) {
            let newest = if *spread > 0.0 { learning.spread_rate } else { 1.0 };
            *spread += newest * (high - low - *spread);
        }
        worth
    }

    fn learn(&mut self, arrival: Arrival, worth: PageWorth) {
        if let Some(done) = arrival.came_of {
            let executions = self.state.knowledge.event(done.event).done;
            self.state.chain.earn(reward(&self.config.learning, &done, executions, worth));
        }
    }

    /// An activity that the tester's lists refuse is left at once, and what led there is not done again.
    fn leave_refused(&mut self, seen: Seen<'_>, arrival: Arrival) -> Option<Decision> {
        let rules = &self.config.rules;
        let activity = &self.page.activity;
        if seen.layout.package() != seen.app || rules.may_enter(activity, &self.state.home) {
            return None;
        }
        let listed = rules.refused_by(activity);
        match listed {
            Some(number) => self.state.matches.count("abl.strings", number),
            None => self.state.matches.count("awl.strings", 0),
        }
        self.state.other.refused += 1;
        if let Some(done) = arrival.came_of {
            self.state.refused.insert(done.event);
            return Some(Decision::Perform(Event::Key(Key::Back)));
        }
        Some(Decision::Perform(Event::Relaunch))
    }

    /// A page that stays the same is left: by Back, by starting the app again, by ending the test.
    fn unstick(&mut self, seen: Seen<'_>, state: StateIdx) -> Option<Decision> {
        let stuck = &mut self.state.stuck;
        if stuck.times == 0 || stuck.state != state {
            *stuck = Stuck { state, times: 1, tried: 0 };
            return None;
        }
        stuck.times += 1;
        if self.config.stuck_after == 0 || stuck.times <= self.config.stuck_after {
            return None;
        }
        let back_blocked = seen.blocks.iter().any(|block| block.forbids_back(seen.layout));
        let stage = stuck.tried.max(u32::from(back_blocked)).min(1 + u32::from(self.config.clean_restart));
        stuck.tried = stage + 1;
        self.state.other.stuck[stage as usize] += 1;
        Some(match stage {
            0 => Decision::Perform(Event::Key(Key::Back)),
            1 => Decision::Perform(Event::Relaunch),
            _ => Decision::EndTest,
        })
    }

    /// Tier 0.
    fn scripted(&mut self, layout: &Layout) -> Option<Decision> {
        let Fastbot2State { script, matches, log, .. } = &mut self.state;
        let (action, widget) =
            script.next(&self.config.rules.sequences, layout, matches, &mut self.chance.choice)?;
        log.count(Tier::Scripted);
        Some(match (action, widget) {
            (ScriptAction::On { kind, text, .. }, Some(idx)) => {
                Decision::Perform(scripted_event(layout, idx, *kind, text.as_deref()))
            }
            (ScriptAction::On { .. }, None) => return None,
            (ScriptAction::Back, _) => Decision::Perform(Event::Key(Key::Back)),
            (ScriptAction::Restart, _) => Decision::Perform(Event::Relaunch),
            (ScriptAction::CleanRestart, _) => Decision::EndTest,
        })
    }

    /// Makes an event of what was chosen, and counts it.
    fn carry_out(
        &mut self,
        layout: &Layout,
        rules: &RulesOnPage<'_>,
        state: StateIdx,
        chosen: Chosen,
    ) -> Event {
        let action = self.page.actions[self.candidates[chosen.index].action];
        let Fastbot2State { knowledge, states, chain, pending, pages, log, typing, .. } = &mut self.state;
        let event = knowledge.intern(self.page.event(layout, &action));
        // Of equal widgets the one that was used least in this state; among these, any.
        let least =
            (0..action.widgets as usize).map(|instance| states.times_on(state, event, instance)).min();
        let instances: Vec<usize> = (0..action.widgets as usize)
            .filter(|instance| Some(states.times_on(state, event, *instance)) == least)
            .collect();
        let instance = self.chance.places.pick(&instances).copied().unwrap_or(0);
        states.count(state, event, instance);
        let record = knowledge.event_mut(event);
        *pending = Some(Pending { event, state, known: record.known(), expected: record.expected() });
        record.met = true;
        record.done += 1;
        record.guided += u32::from(chosen.tier == Tier::Guided);
        let learning = &self.config.learning;
        let mut values = Values { knowledge, states, key: learning.q_key };
        chain.push((state, event), learning, learning.step_size(*pages), &mut values);
        log.log(event, &chosen);
        let Some(idx) = self.page.widgets(&action).nth(instance) else { return Event::Key(Key::Back) };
        let places = &mut self.chance.places;
        match action.kind {
            ActionKind::Back => Event::Key(Key::Back),
            ActionKind::Scroll(direction) => event_on(layout, idx, Gesture::Swipe(direction)),
            ActionKind::LongClick => {
                let at = point_on(layout, idx, rules, self.config.random_click, places);
                event_at(layout, idx, at, Gesture::LongPress)
            }
            ActionKind::Click => {
                let field = (self.page.widget_key(&action), instance);
                let editable = layout.widget(idx).is_text_field();
                let (typed, texts) = (&self.config.typing, &mut self.chance.texts);
                let text = editable
                    .then(|| typing.text(layout, idx, field, typed, &self.config.rules, texts))
                    .flatten();
                let gesture = text.map_or(Gesture::Tap, Gesture::SetText);
                let at = point_on(layout, idx, rules, self.config.random_click, places);
                event_at(layout, idx, at, gesture)
            }
        }
    }

    /// Now and then a burst of events without a thought; the device is upright and on the network after it.
    fn burst(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        let config = Arc::clone(&self.config);
        let Some(length) = bursts::length(&config.bursts, &mut self.chance.bursts) else { return Ok(()) };
        self.break_chain();
        let setting = ctx.setting();
        let mut offline = false;
        for _ in 0..length {
            let frame = ctx.frame().clone();
            let (layout, rules) = RulesOnPage::read(&config.rules, &frame.layout, &mut Matches::default());
            let ground =
                Ground { layout: &layout, app: &setting.app, blocks: &setting.blocks, rules: &rules };
            if let Some(event) = bursts::event(&config.bursts, ground, &mut self.chance.bursts) {
                offline |= event == Event::System(SystemEvent::NetworkOff);
                self.state.other.bursts += 1;
                ctx.perform(event, StepRole::Explored)?;
            }
        }
        if ctx.frame().layout.rotation().sideways() {
            ctx.perform(Event::Rotate, StepRole::Explored)?;
        }
        if offline {
            ctx.perform(Event::System(SystemEvent::NetworkOn), StepRole::Explored)?;
        }
        Ok(())
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

fn scripted_event(layout: &Layout, idx: WidgetIdx, kind: ActionKind, text: Option<&str>) -> Event {
    match (kind, text) {
        (ActionKind::Back, _) => Event::Key(Key::Back),
        (ActionKind::Click, Some(text)) => event_on(layout, idx, Gesture::SetText(text.to_owned())),
        (ActionKind::Click, None) => event_on(layout, idx, Gesture::Tap),
        (ActionKind::LongClick, _) => event_on(layout, idx, Gesture::LongPress),
        (ActionKind::Scroll(direction), _) => event_on(layout, idx, Gesture::Swipe(direction)),
    }
}

/// A point of the widget that touches the widget itself: not a button in it or over it, not a blocked area.
fn point_on(
    layout: &Layout,
    idx: WidgetIdx,
    rules: &RulesOnPage<'_>,
    random: bool,
    rng: &mut Rng,
) -> PxPoint {
    let screen = PxRect::new(0, 0, layout.screen().width, layout.screen().height);
    let bounds = layout.widget(idx).bounds.intersect(&screen);
    let taker = |point: PxPoint| {
        let hit = layout.hit_test(point)?;
        let takes = |idx: &WidgetIdx| {
            let widget = layout.widget(*idx);
            widget.clickable() || widget.long_clickable()
        };
        std::iter::once(hit).chain(layout.ancestors(hit)).find(takes)
    };
    let fits =
        |point: &PxPoint| !rules.blocks_point(*point) && taker(*point).is_none_or(|taker| taker <= idx);
    let any = |rng: &mut Rng| PxPoint {
        x: bounds.left + rng.below(bounds.width() as usize) as i32,
        y: bounds.top + rng.below(bounds.height() as usize) as i32,
    };
    let drawn = if random { (0..POINT_TRIES).map(|_| any(rng)).find(fits) } else { None };
    drawn.unwrap_or_else(|| bounds.center())
}

impl Explorer for Fastbot2 {
    fn begins(&mut self, ctx: &RoundCtx<'_>) {
        self.begin(&ctx.rng.fork("fastbot2"), ctx.frame().layout.activity());
    }

    fn step(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        let (frame, setting) = (ctx.frame().clone(), ctx.setting());
        let seen = Seen { layout: &frame.layout, app: &setting.app, blocks: &setting.blocks };
        match self.decide(seen) {
            Decision::Perform(event) => ctx.perform(event, StepRole::Explored)?,
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
