//! `keep`: neutral detours where something can be lost, for apps without a specification.
//!
//! The engine walks through the app by Fastbot2's model. Before it goes on from a screen it may insert a *detour*
//! (`oracle/preservation`): a short way, such as turning the phone and back, that should lead back to where it began. It
//! does so where that was not tried yet: a case is a page, the kind of state on it (text typed, something checked or
//! selected, a dialog open, rows shown) and a relation. A case that was tried comes again, ever more rarely, since what
//! is lost may depend on more than this.
//!
//! `src/core/engine/keep/paper.md` describes the idea, where it comes from, and what is left out.

mod fill;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{
    CheckpointError, ConfigError, Engine, EngineConfig, EngineInfo, EngineSettings, EngineStats, ExploreWith,
    Explorer, RandomEvents, Round, RoundCtx, Stop, TestTarget, explorer, from_checkpoint, run_detour,
    to_checkpoint,
};
use crate::determinism::{HashBuffer, Rng};
use crate::model::{
    AppHealth, Event, Gesture, Key, Layout, LayoutKey, StepRole, Trace, Widget, WidgetFlags, event_on,
    is_of_app, page_key, same_page,
};
use crate::oracle::is_loading;
use crate::oracle::preservation::{
    Known, Place, RELATIONS, Relation, is_open, tapped, undo_offered, with_control,
};
use crate::spec::Spec;

/// Name, label and default settings of this engine.
pub const INFO: EngineInfo = EngineInfo {
    name: "keep",
    label: "Keep",
    idea: "detours that must change nothing: turning the phone, leaving and coming back",
    config: || EngineConfig::Keep(KeepConfig::default()),
};

/// The settings of the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct KeepConfig {
    /// Number of events of a test, with those of detours. The app then restarts with empty data.
    pub test_events: usize,
    /// On average one in this many screens gets a detour, if one is due there.
    pub one_in: usize,
    /// Names of the relations that are not tried.
    pub without: Vec<String>,
}

impl Default for KeepConfig {
    fn default() -> Self {
        KeepConfig { test_events: 120, one_in: 2, without: Vec::new() }
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
        let out = |what, given: String, wanted| {
            Err(ConfigError::OutOfRange { engine: INFO.name, what, given, wanted })
        };
        if self.test_events == 0 {
            return out("events per test (test_events)", "0".to_owned(), "give at least 1");
        }
        if self.one_in == 0 {
            return out("screens per detour (one_in)", "0".to_owned(), "give at least 1");
        }
        if let Some(unknown) = self.without.iter().find(|name| Relation::named(name).is_none()) {
            let known: Vec<&str> = RELATIONS.iter().map(|relation| relation.name).collect();
            return Err(ConfigError::UnknownRelation { name: unknown.clone(), known: known.join(", ") });
        }
        Ok(())
    }
}

/// A page, the kind of state on it, and the index of a relation.
type Case = (LayoutKey, StateKind, usize);

/// What on a screen can be lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct StateKind {
    /// A set of bits.
    held: u8,
    /// A hash of the ids outside of rows: an error below a field is another one.
    ids: u64,
}

impl StateKind {
    /// Text is in a field; something is checked; something is selected; rows are shown; something was typed since the
    /// page was opened.
    fn of(trace: &Trace, app: &str) -> StateKind {
        let layout = &trace.last().layout;
        let of_app = || layout.widgets().iter().filter(|widget| &*widget.package == app);
        let any_has = |flag| of_app().any(|widget| widget.flags.has(flag));
        let bits = [
            of_app().any(|widget| widget.is_text_field() && !widget.text.is_empty()),
            any_has(WidgetFlags::CHECKED),
            any_has(WidgetFlags::SELECTED),
            layout.iter().any(|(idx, _)| layout.is_list(idx) && !layout.is_leaf(idx)),
            was_typed(trace),
        ];
        let held = (0..).zip(bits).map(|(place, bit)| u8::from(bit) << place).sum();
        StateKind { held, ids: ids_outside_rows(layout) }
    }
}

fn ids_outside_rows(layout: &Layout) -> u64 {
    let outside = layout.iter().filter(|(idx, _)| layout.list_item_around(*idx).is_none());
    let ids: BTreeSet<&str> = outside.filter_map(|(_, widget)| widget.resource_id.as_deref()).collect();
    let mut hasher = HashBuffer::default();
    ids.into_iter().for_each(|id| hasher.text(id));
    hasher.finish()
}

/// Whether something was typed since the page of the last screen was opened.
fn was_typed(trace: &Trace) -> bool {
    let page = &trace.last().layout;
    let here = trace.steps().iter().rev().take_while(|step| same_page(&step.after.layout, page));
    here.map(|step| &step.event)
        .any(|event| matches!(event, Event::Type(_) | Event::Widget { gesture: Gesture::SetText(_), .. }))
}

/// Everything that outlives a test.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct KeepState {
    /// How often each case was tried.
    tried: BTreeMap<Case, u32>,
    /// How often something was typed on each page.
    typed: BTreeMap<LayoutKey, u32>,
    /// What is known of each page.
    known: BTreeMap<LayoutKey, Known>,
    /// The relations whose events the device cannot perform.
    impossible: BTreeSet<usize>,
    detours: u64,
}

/// Largest number of ways of a kind that are known of a page.
const MOST_KNOWN: usize = 32;

/// Number of times that something is typed on a page before that becomes rarer.
const TYPED_AT_FIRST: u32 = 8;
/// A case that was tried this often becomes no rarer.
const MOST_HALVED: u32 = 20;

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
            // A state that was hard to bring about is still there after a detour that kept it.
            while ctx.trace().len() < self.config.test_events
                && let Some((case, way)) = self.choose(ctx, &mut rng)
            {
                self.detour(ctx, case, way)?;
            }
            self.explorer.step(ctx)?;
            self.note(ctx);
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
        let page = page_key(&ctx.frame().layout);
        let times = self.state.typed.get(&page).copied().unwrap_or(0) / TYPED_AT_FIRST;
        if !is_quiet(ctx) || !rng.chance(1, 1 << times.min(MOST_HALVED)) {
            return Ok(());
        }
        let Some(event) = fill::filled(ctx.trace(), &ctx.target().app, rng) else { return Ok(()) };
        *self.state.typed.entry(page).or_default() += 1;
        self.explorer.interrupted();
        let field = event.clone();
        ctx.perform(ctx.typeable(event), StepRole::Explored)?;
        let then = match rng.below(4) {
            0 | 1 => Some(Event::Key(Key::ImeAction)),
            2 => fill::button_near(&field, &ctx.frame().layout, &ctx.target().app, rng),
            _ => None,
        };
        then.map_or(Ok(()), |event| ctx.perform(event, StepRole::Explored))
    }

    /// A detour from this screen, or none.
    fn choose(&self, ctx: &RoundCtx<'_>, rng: &mut Rng) -> Option<(Case, Vec<Event>)> {
        if !is_quiet(ctx) {
            return None;
        }
        let (layout, app) = (&ctx.frame().layout, &ctx.target().app);
        let (page, kind) = (page_key(layout), StateKind::of(ctx.trace(), app));
        let (nothing, came_by) = (Known::default(), came_by(ctx.trace(), app));
        let place = Place { layout, app, came_by, known: self.state.known.get(&page).unwrap_or(&nothing) };
        let mut ways = Vec::new();
        for (index, relation) in RELATIONS.iter().enumerate().filter(|(index, _)| self.is_possible(*index)) {
            let case = (page, kind, index);
            // One try in 2, 4, 8... of those that the chance allows.
            let tried = self.state.tried.get(&case).copied().unwrap_or(0);
            let due = tried == 0 || rng.chance(1, 1 << tried.min(MOST_HALVED));
            if let Some(way) = relation.way(&place, rng).filter(|_| due) {
                ways.push((tried, case, way));
            }
        }
        let least = ways.iter().map(|(tried, ..)| *tried).min()?;
        if !rng.chance(1, self.config.one_in) {
            return None;
        }
        ways.retain(|(tried, ..)| *tried == least);
        let chosen = rng.below(ways.len());
        let (_, case, way) = ways.swap_remove(chosen);
        Some((case, way))
    }

    fn is_possible(&self, relation: usize) -> bool {
        !self.state.impossible.contains(&relation)
            && !self.config.without.iter().any(|name| *name == RELATIONS[relation].name)
    }

    fn detour(&mut self, ctx: &mut RoundCtx<'_>, case: Case, way: Vec<Event>) -> Result<(), Stop> {
        *self.state.tried.entry(case).or_default() += 1;
        self.state.detours += 1;
        let (before, first) = (ctx.trace().len(), way.first().cloned());
        self.explorer.interrupted();
        let gone = run_detour(ctx, &with_control(way));
        // The control was performed, and then the device refused.
        let refused = ctx.trace().len() == before + 1 && ctx.frame().health == AppHealth::Running;
        if gone == Err(Stop::TestOver) && refused && matches!(first, Some(Event::System(_) | Event::Rotate)) {
            self.state.impossible.insert(case.2);
        }
        gone.map(|_| ())
    }

    /// Remembers what the last event tells of the page that it was performed on.
    fn note(&mut self, ctx: &RoundCtx<'_>) {
        let (trace, app) = (ctx.trace(), &ctx.target().app);
        let Some(last) = trace.len().checked_sub(1) else { return };
        let (Some(before), Some(step)) = (trace.frame(last), trace.steps().get(last)) else { return };
        let (before, after) = (&before.layout, &step.after.layout);
        if is_open(before) || !is_of_app(before.package(), app) || !is_of_app(after.package(), app) {
            return;
        }
        let known = self.state.known.entry(page_key(before)).or_default();
        let (is_tap, elsewhere) = (tapped(&step.event).is_some(), !same_page(before, after));
        if is_tap && (elsewhere || is_open(after)) {
            remember(&mut known.openers, step.event.clone());
        }
        if elsewhere {
            return;
        }
        if is_tap && let Some(choice) = chosen(after).filter(|_| is_open(after)) {
            remember(&mut known.choices, [step.event.clone(), choice]);
        }
        if let Some(undo) = undo(after).filter(|_| !is_open(after) && undo(before).is_none()) {
            remember(&mut known.undoable, [step.event.clone(), undo]);
        }
    }
}

fn remember<T: PartialEq>(known: &mut Vec<T>, way: T) {
    if known.len() < MOST_KNOWN && !known.contains(&way) {
        known.push(way);
    }
}

/// The tap by which the last screen was opened from another page of the app.
fn came_by<'t>(trace: &'t Trace, app: &str) -> Option<&'t Event> {
    let last = trace.len().checked_sub(1)?;
    let (before, step) = (&trace.frame(last)?.layout, trace.steps().get(last)?);
    let opened = step.role == StepRole::Explored
        && !same_page(before, &step.after.layout)
        && is_of_app(before.package(), app)
        && !is_open(before);
    Some(&step.event).filter(|event| opened && tapped(event).is_some())
}

/// A tap on what is chosen in a menu.
fn chosen(menu: &Layout) -> Option<Event> {
    let is_chosen =
        |widget: &Widget| widget.flags.has(WidgetFlags::CHECKED) && widget.class.ends_with("RadioButton");
    let (idx, _) = menu.iter().find(|(_, widget)| is_chosen(widget))?;
    event_on(menu, idx, Gesture::Tap)
}

/// A tap on what takes the last action back.
fn undo(layout: &Layout) -> Option<Event> {
    let idx = undo_offered(layout)?;
    event_on(layout, idx, Gesture::Tap)
}
