//! Plays a trace of one version on another one, and brings the screens of both side by side.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::shown::Shown;
use taproof_engine::{RoundCtx, Stop};
use taproof_screen::determinism::DeviceDuration;
use taproof_screen::{
    AppHealth, Event, Frame, Gesture, Layout, LayoutKey, Same, StepRole, Trace, WidgetIdx, event_on,
    is_dialog, similarity, touched_widget,
};
use taproof_spec::repair::{SAME_SCREEN, Sight, counterpart, entry_like, menu_of, ways_on};

/// How many taps may be in between that the old version did not need.
const BETWEEN: usize = 2;
/// By how much a tap must make a screen more like the expected one.
const CLOSER: f64 = 0.1;

/// Screens of one activity that are less alike are different pages.
const SAME_ACTIVITY: f64 = 0.45;

/// A step of a trace: an event, and what was shown before and after it and what follows from it by itself.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub event: Event,
    pub before: Frame,
    pub after: Frame,
}

/// The chosen steps of a trace.
pub(super) fn steps_of(trace: &Trace) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (before, step) in trace.framed_steps() {
        match steps.last_mut() {
            Some(last) if step.role.is_appended() => last.after = step.after.clone(),
            _ => steps.push(Step {
                event: step.event.clone(),
                before: before.clone(),
                after: step.after.clone(),
            }),
        }
    }
    steps
}

/// What both versions showed at one moment.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    pub old: Arc<Layout>,
    pub new: Arc<Layout>,
    /// What there is to compare; `None` where the two are on different screens.
    pub shown: Option<[Shown; 2]>,
}

/// How the play of a trace ended before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Broke {
    /// The widget of the next event is not there.
    Missing(WidgetIdx),
    /// The event led to another screen.
    Elsewhere,
    /// The app ended, or did not respond.
    Died(AppHealth),
    /// The app loaded forever.
    Loads,
    /// The device did not do what was asked.
    Lost,
}

/// A trace with what another version showed.
#[derive(Clone, Debug)]
pub(super) struct Played {
    pub first: Frame,
    pub steps: Vec<Step>,
    /// The start, and what was shown after each step that was played.
    pub moments: Vec<Moment>,
    /// Why the step after the last moment, or the last one, was not followed.
    pub broke: Option<Broke>,
}

/// What was learned about screens that only the new version has: which of the ways on was no good there.
pub(super) type WaysOn = BTreeMap<LayoutKey, usize>;

/// Plays the steps on the version of the context, after a pause if it is the control: what changes with time alone differs
/// then. `apps` are the packages of both.
pub(super) fn play(
    ctx: &mut RoundCtx<'_>,
    steps: &[Step],
    first: &Frame,
    apps: [&str; 2],
    (ways, pause): (&mut WaysOn, Option<DeviceDuration>),
) -> Result<Played, Stop> {
    let mut player = Player { apps, ways, typed: BTreeSet::new(), moments: Vec::new() };
    let broke = match player.steps(ctx, steps, first, pause) {
        Err(Stop::TestOver) => Some(died(ctx)),
        ended => ended?,
    };
    Ok(Played { first: first.clone(), steps: steps.to_vec(), moments: player.moments, broke })
}

fn died(ctx: &RoundCtx<'_>) -> Broke {
    match &ctx.frame().health {
        health @ (AppHealth::Crashed(_) | AppHealth::NotResponding(_)) => Broke::Died(health.clone()),
        _ if ctx.reported().is_empty() => Broke::Lost,
        _ => Broke::Loads,
    }
}

struct Player<'p> {
    apps: [&'p str; 2],
    ways: &'p mut WaysOn,
    typed: BTreeSet<String>,
    moments: Vec<Moment>,
}

impl Player<'_> {
    fn steps(
        &mut self,
        ctx: &mut RoundCtx<'_>,
        steps: &[Step],
        first: &Frame,
        pause: Option<DeviceDuration>,
    ) -> Result<Option<Broke>, Stop> {
        ctx.start()?;
        if let Some(pause) = pause {
            ctx.perform(Event::Wait(pause), StepRole::Explored)?;
        }
        let mut broke = self.arrive(ctx, first)?;
        for step in steps {
            if broke.is_some() {
                break;
            }
            if let Event::Widget { gesture: Gesture::SetText(text), .. } | Event::Type(text) = &step.event {
                self.typed.insert(text.clone());
            }
            let layout = Arc::clone(&ctx.frame().layout);
            let event = match mapped(&step.event, &step.before.layout, &layout) {
                Ok(event) => Some(event),
                // A question that the new version does not ask.
                Err(_) if is_dialog(&step.before.layout) && !is_dialog(&layout) => None,
                Err(widget) => {
                    let sight = Sight { layout: Arc::clone(&step.before.layout), widget };
                    let Some(event) = in_menu(ctx, &sight)? else {
                        return Ok(Some(Broke::Missing(widget)));
                    };
                    Some(event)
                }
            };
            if let Some(event) = event {
                ctx.perform(event, StepRole::Explored)?;
            }
            broke = self.arrive(ctx, &step.after)?;
        }
        Ok(broke)
    }

    /// Whether two screens that are so alike are the same page. A page of the same activity may be less alike.
    fn is_same(&self, old: &Layout, new: &Layout, alike: f64) -> bool {
        let class = |layout: &Layout| layout.activity().rsplit('/').next().map(str::to_owned);
        let least = if class(old) == class(new) && !is_dialog(old) { SAME_ACTIVITY } else { SAME_SCREEN };
        alike >= least && is_dialog(old) == is_dialog(new)
    }

    /// Looks whether the screen is the expected one, and goes on to it by what the new version has in between.
    fn arrive(&mut self, ctx: &mut RoundCtx<'_>, expected: &Frame) -> Result<Option<Broke>, Stop> {
        let mut alike = similarity(&expected.layout, &ctx.frame().layout);
        for _ in 0..BETWEEN {
            let layout = Arc::clone(&ctx.frame().layout);
            if self.is_same(&expected.layout, &layout, alike)
                || !is_dialog(&layout) && is_dialog(&expected.layout)
            {
                break;
            }
            let page = layout.key(Same::Page);
            let tried = self.ways.get(&page).copied().unwrap_or_default();
            let ways = ways_on(&layout);
            let Some(tap) = ways.get(tried).and_then(|way| event_on(&layout, *way, Gesture::Tap)) else {
                break;
            };
            ctx.perform(tap, StepRole::Explored)?;
            let now = similarity(&expected.layout, &ctx.frame().layout);
            if now < alike + CLOSER {
                self.ways.insert(page, tried + 1);
                break;
            }
            alike = now;
        }
        let (old, new) = (Arc::clone(&expected.layout), Arc::clone(&ctx.frame().layout));
        let same = self.is_same(&old, &new, alike);
        let running = [&expected.health, &ctx.frame().health].map(|health| *health == AppHealth::Running);
        let shown = (same && running == [true; 2]).then(|| {
            [(&old, self.apps[0]), (&new, self.apps[1])]
                .map(|(layout, app)| Shown::of(layout, app, &self.typed))
        });
        let skips = is_dialog(&old) && !is_dialog(&new);
        let follows = shown.is_some() || skips || running == [false; 2];
        self.moments.push(Moment { old, new, shown });
        Ok((!follows).then_some(Broke::Elsewhere))
    }
}

/// Opens the menu of the page, if it has one, and looks there for what the old version had on the page itself.
fn in_menu(ctx: &mut RoundCtx<'_>, old: &Sight) -> Result<Option<Event>, Stop> {
    let layout = Arc::clone(&ctx.frame().layout);
    let button =
        menu_of(&layout).filter(|_| !is_dialog(&layout) && old.layout.label_of(old.widget).is_some());
    let Some(tap) = button.and_then(|button| event_on(&layout, button, Gesture::Tap)) else {
        return Ok(None);
    };
    ctx.perform(tap, StepRole::Explored)?;
    let menu = &ctx.frame().layout;
    Ok(entry_like(old, menu).and_then(|entry| event_on(menu, entry, Gesture::Tap)))
}

/// The event on another version. An error is the widget that is not there.
fn mapped(event: &Event, old: &Arc<Layout>, new: &Layout) -> Result<Event, WidgetIdx> {
    let Event::Widget { target, gesture } = event else { return Ok(event.clone()) };
    let Some(widget) = touched_widget(event, old) else { return Ok(event.aimed(new)) };
    let named = target.selector.matches(new);
    let label = old.label_of(widget);
    if let [only] = named.as_slice()
        && label.is_some()
        && new.label_of(*only) == label
    {
        return Ok(event.aimed(new));
    }
    let sight = Sight { layout: Arc::clone(old), widget };
    let first_text = |layout: &Layout, row| layout.texts_in(row).next().cloned();
    let same_row = |one, other| first_text(old, one) == first_text(new, other);
    let found = counterpart(&sight, new, same_row);
    found.and_then(|widget| event_on(new, widget, gesture.clone())).ok_or(widget)
}
