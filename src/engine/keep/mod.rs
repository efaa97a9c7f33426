//! `keep`: neutral detours where something can be lost, for apps without a specification.
//!
//! The engine walks through the app by Fastbot2's model. Before it goes on from a screen it may insert a *detour*
//! (`oracle/preservation`): a short way, such as turning the phone and back, that should lead back to where it began. It
//! does so where that was not tried yet: a case is a page, the kind of state on it (text typed, something checked or
//! selected, a dialog open, rows shown) and a relation. A case that was tried comes again, ever more rarely, since what
//! is lost may depend on more than this.
//!
//! `src/engine/keep/paper.md` describes the idea, where it comes from, and what is left out.

mod arrange;
mod fill;
mod known;
mod state_kind;
mod untried;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{
    CheckpointError, ConfigError, DetourEnd, Engine, EngineConfig, EngineInfo, EngineSettings, EngineStats,
    ExploreWith, Explorer, Missing, RandomEvents, Replay, Round, RoundCtx, Stop, TestTarget, described,
    explorer, from_checkpoint, run_detour, to_checkpoint,
};
use crate::oracle::is_loading;
use crate::oracle::preservation::{Effect, Known, Place, RELATIONS, Relation, is_open, with_control};
use arrange::Arrangement;
use state_kind::{StateKind, is_arranged};
use taproof_screen::determinism::Rng;
use taproof_screen::{AppHealth, Event, Gesture, Key, Layout, LayoutKey, Same, StepRole, Widget, is_of_app};
use taproof_spec::{Spec, is_forbidden};

/// Name, label and default settings of this engine.
pub const INFO: EngineInfo = EngineInfo {
    name: "keep",
    label: "Keep",
    idea: "detours that must change nothing: turning the phone, leaving and coming back",
    config: || EngineConfig::Keep(KeepConfig::default()),
    setting: KeepConfig::setting,
    paper: &[],
};

described! {
    /// The settings of the engine.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct KeepConfig {
        /// Number of events of a test, with those of detours. The app then restarts with empty data.
        pub test_events: usize = 120;
        /// On average one in this many screens gets a detour, if one is due there.
        pub one_in: usize = 2;
        /// Names of the detours that are not tried; empty: all are.
        pub without: Vec<String> = Vec::new();
    }
}

impl EngineSettings for KeepConfig {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn build(&self, target: &TestTarget) -> Box<dyn Engine> {
        let explorer = explorer(ExploreWith::Fastbot2, RandomEvents::default(), target);
        Box::new(Keep { config: self.clone(), explorer, state: KeepState::default() })
    }

    fn check(&self, _spec: &Spec) -> Result<(), ConfigError> {
        let least = "give at least 1";
        ConfigError::unless(self.test_events > 0, INFO.name, "events per test (test_events)", 0, least)?;
        ConfigError::unless(self.one_in > 0, INFO.name, "screens per detour (one_in)", 0, least)?;
        if let Some(unknown) = self.without.iter().find(|name| Relation::named(name).is_none()) {
            let known: Vec<&str> = RELATIONS.iter().map(|relation| relation.name).collect();
            return Err(ConfigError::UnknownRelation { name: unknown.clone(), known: known.join(", ") });
        }
        Ok(())
    }
}

/// A page, the kind of state on it, the index of a relation, and what `cancel` opens.
type Case = (LayoutKey, StateKind, usize, Option<LayoutKey>);
/// How often a case was tried, the case, and a way.
type Candidate = (u32, Case, Vec<Event>);

/// Everything that outlives a test.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct KeepState {
    /// How often each case was tried.
    tried: BTreeMap<Case, u32>,
    /// How often something was typed on each page.
    typed: BTreeMap<LayoutKey, u32>,
    /// The texts that were typed on each page.
    #[serde(default)]
    texts: BTreeMap<LayoutKey, BTreeSet<String>>,
    /// What is known of each page.
    known: BTreeMap<LayoutKey, Known>,
    /// By page, a tap to each page that was opened from there.
    doors: BTreeMap<LayoutKey, BTreeMap<LayoutKey, Event>>,
    /// How often what is no row of data was tapped on each page.
    tapped: BTreeMap<LayoutKey, BTreeMap<String, u32>>,
    /// What filters or sorts the rows of each page.
    #[serde(default)]
    arrangements: BTreeMap<LayoutKey, Vec<Arrangement>>,
    /// Number of detours that began on each page.
    begun: BTreeMap<LayoutKey, u32>,
    /// The relations whose events the device cannot perform.
    impossible: BTreeSet<usize>,
    detours: u64,
}

/// One step in so many opens a page on which less was tried, if one is known.
const STEPS_PER_DOOR: usize = 3;

/// Number of doors that are looked through for a page on which little was tried.
const MOST_DOORS: u32 = 2;

/// Number of times that something is typed on a page before that becomes rarer.
const TYPED_AT_FIRST: u32 = 14;
/// A case that was tried this often becomes no rarer.
const MOST_HALVED: u32 = 20;

/// Name of the relation that turns the phone: what people do most, and what loses most.
const ROTATION: &str = "rotation";
/// Name of the relation that ends the process: what is not saved is lost by it alone.
const PROCESS_DEATH: &str = "process-death";
/// Name of the relation that changes the language: what is sorted or read by texts is lost by it alone.
const LANGUAGE: &str = "language";
/// Name of the relation that opens what was just opened from another list.
const ANOTHER_WAY: &str = "another-way";
/// Name of the relation that opens something and closes it again.
const CANCEL: &str = "cancel";
/// The weight of what changes most, and of what is possible only just after a page was opened.
const EARLY: u32 = 60;
/// A weight next to which the others hardly count.
const FIRST: u32 = 200;

/// How often a relation is drawn where several are possible, in proportion.
fn weight(relation: &Relation) -> u32 {
    match relation.effect {
        _ if relation.name == ROTATION => FIRST,
        _ if [LANGUAGE, ANOTHER_WAY].contains(&relation.name) => EARLY,
        _ if relation.is_of_app() || relation.name == PROCESS_DEATH => 8,
        _ if counts_alone(relation) => 4,
        Effect::CutsOff | Effect::Told => 2,
        Effect::Recreates | Effect::Other => 1,
    }
}

/// Whether what was tried of other relations with its effect says little of it.
fn counts_alone(relation: &Relation) -> bool {
    relation.effect == Effect::Other || [ROTATION, PROCESS_DEATH, LANGUAGE].contains(&relation.name)
}

/// The ways by a relation from this place, with what they open: one for each thing that can be opened and closed again,
/// and one by any other relation.
fn ways_of(relation: &Relation, place: &Place<'_>, rng: &mut Rng) -> Vec<(Option<LayoutKey>, Vec<Event>)> {
    if relation.name != CANCEL {
        return relation.way(place, rng).into_iter().map(|way| (None, way)).collect();
    }
    let opened: BTreeSet<LayoutKey> = place.known.openers.iter().map(|opener| opener.to).collect();
    let way = |to: LayoutKey| {
        let openers = place.known.openers.iter().filter(|opener| opener.to == to).cloned().collect();
        let known = Known { openers, ..Known::default() };
        Some((Some(to), relation.way(&Place { known: &known, ..*place }, rng)?))
    };
    opened.into_iter().filter_map(way).collect()
}

/// Whether the app shows a page of its own that has come to rest.
fn is_quiet(ctx: &RoundCtx<'_>) -> bool {
    let (frame, app) = (ctx.frame(), &ctx.target().app);
    frame.health == AppHealth::Running
        && is_of_app(frame.layout.package(), app)
        && !is_loading(&frame.layout, app)
}

struct Keep {
    config: KeepConfig,
    explorer: Box<dyn Explorer>,
    state: KeepState,
}

impl Engine for Keep {
    /// One test: explores, and goes a detour where something can be lost.
    fn round(&mut self, ctx: &mut RoundCtx<'_>) -> Result<Round, Stop> {
        ctx.start()?;
        self.explorer.begins(ctx);
        let mut rng = ctx.rng.fork("keep");
        while ctx.trace().len() < self.config.test_events {
            self.fill(ctx, &mut rng)?;
            self.arrange(ctx, &mut rng)?;
            known::note_list(&mut self.state.known, ctx.trace(), &ctx.target().app);
            // A state that was hard to bring about is still there after a detour that kept it.
            while ctx.trace().len() < self.config.test_events
                && let Some((case, way)) = self.choose(ctx, &mut rng)?
            {
                self.detour(ctx, case, way)?;
            }
            self.go_on(ctx, &mut rng)?;
            if let Some((page, name)) = untried::last_tapped(ctx.trace()) {
                let tapped = self.state.tapped.entry(page.key(Same::Page)).or_default();
                *tapped.entry(name).or_default() += 1;
            }
            known::note(&mut self.state.known, ctx.trace(), &ctx.target().app);
            known::note_list(&mut self.state.known, ctx.trace(), &ctx.target().app);
            arrange::note(&mut self.state.arrangements, ctx.trace(), &ctx.target().app);
            if let Some((from, to, tap)) = known::door(ctx.trace(), &ctx.target().app) {
                self.state.doors.entry(from).or_default().insert(to, tap);
            }
        }
        Ok(Round::Continue)
    }

    fn stats(&self) -> EngineStats {
        let KeepState { tried, detours, .. } = &self.state;
        EngineStats { phase: format!("{detours} detours in {} cases", tried.len()), ..EngineStats::default() }
    }

    fn save(&self) -> Result<Vec<u8>, CheckpointError> {
        to_checkpoint(&(&self.state, self.explorer.save()?))
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), CheckpointError> {
        let (state, explorer): (KeepState, Vec<u8>) = from_checkpoint(saved)?;
        self.state = state;
        self.explorer.load(&explorer)
    }
}

impl Keep {
    /// Types into a field of the page, the more rarely the more often that was done there, and sometimes presses the
    /// action key of the keyboard, such as Search, or a button near the field.
    fn fill(&mut self, ctx: &mut RoundCtx<'_>, rng: &mut Rng) -> Result<(), Stop> {
        let page = ctx.frame().layout.key(Same::Page);
        let times = self.state.typed.get(&page).copied().unwrap_or(0) / TYPED_AT_FIRST;
        if !is_quiet(ctx) || !rng.chance(1, 1 << times.min(MOST_HALVED)) {
            return Ok(());
        }
        let texts = self.state.texts.entry(page).or_default();
        let Some(event) = fill::filled(ctx.trace(), &ctx.target().app, texts, rng) else { return Ok(()) };
        let event = ctx.with_own_text(event, rng);
        if let Event::Widget { gesture: Gesture::SetText(text), .. } = &event {
            texts.insert(text.clone());
        }
        *self.state.typed.entry(page).or_default() += 1;
        self.explorer.interrupted();
        let field = event.clone();
        ctx.perform(ctx.typeable(event), StepRole::Explored)?;
        let then = match rng.below(5) {
            0..3 => Some(Event::Key(Key::ImeAction)),
            3 => fill::button_near(&field, &ctx.frame().layout, &ctx.target().app, rng),
            _ => None,
        };
        then.map_or(Ok(()), |event| ctx.perform(event, StepRole::Explored))
    }

    /// Filters or sorts the rows of the page as was done before, the more rarely the more often that was repeated.
    fn arrange(&mut self, ctx: &mut RoundCtx<'_>, rng: &mut Rng) -> Result<(), Stop> {
        let layout = &ctx.frame().layout;
        let Some(known) = self.state.arrangements.get_mut(&layout.key(Same::Page)) else { return Ok(()) };
        let Some(way) = arrange::least_gone(known, layout) else { return Ok(()) };
        let may = is_quiet(ctx) && !is_open(layout) && !is_arranged(ctx.trace(), &ctx.target().app);
        if !may || !rng.chance(1, way.rarity()) {
            return Ok(());
        }
        way.repeated();
        let taps = way.taps.clone();
        self.explorer.interrupted();
        let blocks = ctx.blocks();
        let held_back =
            |tap: &Event, on: &Layout| !arrange::is_offered(tap, on) || is_forbidden(blocks, on, tap);
        let taps = Replay::new(taps, StepRole::Explored).if_missing(Missing::Stop).unless(&held_back);
        taps.run(ctx).map(drop)
    }

    /// A detour from this screen, or none.
    fn choose(&self, ctx: &mut RoundCtx<'_>, rng: &mut Rng) -> Result<Option<(Case, Vec<Event>)>, Stop> {
        let layout = &ctx.frame().layout;
        // A menu that closes can be opened again.
        let nothing_entered = is_open(layout) && !layout.widgets().iter().any(Widget::is_text_field);
        if !is_quiet(ctx) || nothing_entered {
            return Ok(None);
        }
        let mut possible = Vec::new();
        for (index, relation) in RELATIONS.iter().enumerate() {
            if self.is_possible(index) && ctx.offers(relation)? {
                possible.push(index);
            }
        }
        Ok(self.choose_among(&possible, ctx, rng))
    }

    /// A detour by one of these relations.
    fn choose_among(
        &self,
        possible: &[usize],
        ctx: &RoundCtx<'_>,
        rng: &mut Rng,
    ) -> Option<(Case, Vec<Event>)> {
        let (layout, app) = (&ctx.frame().layout, &ctx.target().app);
        let (page, kind) = (layout.key(Same::Page), StateKind::of(ctx.trace(), app));
        let (nothing, trace) = (Known::default(), ctx.trace());
        let known = self.state.known.get(&page).unwrap_or(&nothing);
        let came_by = known::came_by(&self.state.known, trace, app);
        let undoable = known::undoable(trace, app);
        let place = Place { layout, app, came_by: came_by.as_ref(), undoable, known };
        let mut ways: Vec<Candidate> = Vec::new();
        for index in possible.iter().copied() {
            let relation = &RELATIONS[index];
            for (opens, way) in ways_of(relation, &place, rng) {
                let case = (page, kind.seen_by(relation), index, opens);
                ways.push((self.rank(case), case, way));
            }
        }
        let least = ways.iter().map(|(tried, ..)| *tried).min()?;
        ways.retain(|(tried, ..)| *tried == least);
        // A state in which the phone was never turned may not come back.
        let turns = least == 0 && ways.iter().any(|(_, case, _)| RELATIONS[case.2].name == ROTATION);
        // One screen in 2, 4, 8... of those that the chance allows.
        let stays = least == 0 && kind.is_set() && rng.chance(3, 4);
        let due = turns || stays || (rng.chance(1, self.config.one_in) && self.is_turn_of(page, rng));
        if !due || !rng.chance(1, 1 << least.min(MOST_HALVED)) {
            return None;
        }
        // What a screen must offer is rarer than what is possible everywhere.
        let weights: Vec<u32> = ways.iter().map(|(_, case, _)| weight(&RELATIONS[case.2])).collect();
        let chosen = rng.weighted(&weights)?;
        let (_, case, way) = ways.swap_remove(chosen);
        Some((case, way))
    }

    /// Explores, or does by itself what the explorer does too rarely.
    fn go_on(&mut self, ctx: &mut RoundCtx<'_>, rng: &mut Rng) -> Result<(), Stop> {
        let Some(tap) = self.own_tap(ctx, rng) else { return self.explorer.step(ctx) };
        self.explorer.interrupted();
        ctx.perform(tap, StepRole::Explored)
    }

    /// A tap on what was never tapped, or in a menu less than what is beside it; or one that opens a page on which less was
    /// tried than here.
    fn own_tap(&self, ctx: &RoundCtx<'_>, rng: &mut Rng) -> Option<Event> {
        let layout = &ctx.frame().layout;
        if !is_quiet(ctx) {
            return None;
        }
        let open = is_open(layout);
        let least =
            untried::least_tapped(layout, &ctx.target().app, self.state.tapped.get(&layout.key(Same::Page)));
        let least = least.filter(|(_, tap)| !is_forbidden(ctx.blocks(), layout, tap));
        let turn = rng.chance(1, STEPS_PER_DOOR);
        match least {
            Some((0, tap)) if open || turn => Some(tap),
            Some((_, tap)) if open && rng.chance(1, 2) => Some(tap),
            _ => turn.then(|| self.door(ctx)).flatten(),
        }
    }

    fn door(&self, ctx: &RoundCtx<'_>) -> Option<Event> {
        let layout = &ctx.frame().layout;
        let page = layout.key(Same::Page);
        let beyond = |to: &LayoutKey| self.least_begun(*to, MOST_DOORS);
        let (to, tap) = self.state.doors.get(&page)?.iter().min_by_key(|(to, _)| beyond(to))?;
        let tap = tap.found_again(layout).filter(|_| beyond(to).0 < self.begun(page))?;
        (!is_forbidden(ctx.blocks(), layout, &tap)).then_some(tap)
    }

    fn begun(&self, page: LayoutKey) -> u32 {
        self.state.begun.get(&page).copied().unwrap_or(0)
    }

    /// The smallest number of detours that began on a page or beyond so many doors, and the number of doors to there.
    fn least_begun(&self, page: LayoutKey, doors: u32) -> (u32, u32) {
        let here = (self.begun(page), 0);
        if doors == 0 {
            return here;
        }
        let next = self.state.doors.get(&page).into_iter().flat_map(BTreeMap::keys);
        let beyond = next.map(|to| self.least_begun(*to, doors - 1)).map(|(begun, doors)| (begun, doors + 1));
        beyond.chain([here]).min().unwrap_or(here)
    }

    /// Chance decides, against a page on which far more detours began than on others.
    fn is_turn_of(&self, page: LayoutKey, rng: &mut Rng) -> bool {
        let begun = &self.state.begun;
        let fair = 2 * begun.values().sum::<u32>() as usize / begun.len().max(1);
        let here = self.begun(page) as usize;
        here <= fair || rng.chance(fair.max(1), here)
    }

    /// How rare a case has become: how often it was tried. What one relation loses, those with the same effect are likely
    /// to lose, so one that was not tried is as rare as if their tries were shared among twice as many each time. Turning
    /// the phone is the one that people do most.
    fn rank(&self, (page, kind, relation, opens): Case) -> u32 {
        let tried =
            |relation: usize| self.state.tried.get(&(page, kind, relation, opens)).copied().unwrap_or(0);
        if counts_alone(&RELATIONS[relation]) {
            return tried(relation);
        }
        let effect = RELATIONS[relation].effect;
        let alike = (0..RELATIONS.len()).filter(|other| RELATIONS[*other].effect == effect);
        tried(relation).max((1 + alike.map(tried).sum::<u32>()).ilog2())
    }

    fn is_possible(&self, relation: usize) -> bool {
        !self.state.impossible.contains(&relation)
            && !self.config.without.iter().any(|name| *name == RELATIONS[relation].name)
    }

    fn detour(&mut self, ctx: &mut RoundCtx<'_>, case: Case, way: Vec<Event>) -> Result<(), Stop> {
        *self.state.tried.entry(case).or_default() += 1;
        *self.state.begun.entry(case.0).or_default() += 1;
        self.state.detours += 1;
        self.explorer.interrupted();
        if run_detour(ctx, &with_control(way))? == DetourEnd::Refused {
            self.state.impossible.insert(case.2);
        }
        Ok(())
    }
}
