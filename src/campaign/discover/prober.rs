//! Performs experiments: brings the app into a saved state, does one thing, and saves what came of it.

use std::sync::Arc;

use taproof_engine::device::{Device, DeviceError};
use taproof_engine::{
    CampaignStats, Limits, Missing, NoWatcher, Replay, RoundCtx, RoundDoor, StateSnapshot, Stop, TestTarget,
};
use taproof_screen::determinism::{DeviceDuration, Rng};
use taproof_screen::{AppHealth, Event, Gesture, Key, RecordedStep, Selector, Step, StepRole, Trace};
use taproof_spec::Spec;

/// How long a step waits for what it does, if the screen shows no effect at once.
const PATIENCE: DeviceDuration = DeviceDuration(3_000);

/// The device with the app, for one phase: what is known of the app does not change in it.
pub(crate) struct Prober<'d> {
    device: &'d mut dyn Device,
    cancelled: &'d dyn Fn() -> bool,
    target: TestTarget,
    watcher: NoWatcher,
    pub(crate) stats: CampaignStats,
    rng: Rng,
    rounds: u64,
}

impl<'d> Prober<'d> {
    /// Everything until `events` more were performed.
    pub(crate) fn new(
        device: &'d mut dyn Device,
        cancelled: &'d dyn Fn() -> bool,
        (package, spec): (&str, &Spec),
        events: u64,
        rng: Rng,
    ) -> Prober<'d> {
        let target = TestTarget::new(package, spec, !spec.dmfs.is_empty());
        let limits = Limits { events, device_time: DeviceDuration(u64::MAX) };
        let stats = CampaignStats::new(&target, limits);
        Prober { device, cancelled, target, watcher: NoWatcher, stats, rng, rounds: 0 }
    }

    pub(super) fn target(&self) -> &TestTarget {
        &self.target
    }

    /// One round of an engine or of experiments.
    pub(crate) fn round(&mut self) -> Result<RoundCtx<'_>, DeviceError> {
        let rng = self.rng.fork_indexed("round", self.rounds);
        self.rounds += 1;
        let door = RoundDoor {
            device: &mut *self.device,
            target: &self.target,
            stats: &mut self.stats,
            watcher: &mut self.watcher,
            cancelled: self.cancelled,
        };
        RoundCtx::new(door, rng)
    }
}

/// The state after an event from a saved state; `None` if the app was left, died, or the state cannot be restored.
pub(super) fn after(
    ctx: &mut RoundCtx<'_>,
    from: &StateSnapshot,
    event: Event,
) -> Result<Option<StateSnapshot>, Stop> {
    if !survives(ctx.restore(from))?.unwrap_or(false) {
        return Ok(None);
    }
    let (before, back) = (ctx.structure_key(), event == Event::Key(Key::Back));
    let next = further(ctx, event)?;
    // The first press may only have closed the keyboard.
    if back && next.is_some() && ctx.structure_key() == before {
        return further(ctx, Event::Key(Key::Back));
    }
    Ok(next)
}

/// The state after an event from the current state; `None` if the app was left or died.
pub(super) fn further(ctx: &mut RoundCtx<'_>, event: Event) -> Result<Option<StateSnapshot>, Stop> {
    if survives(ctx.perform(event, StepRole::Explored))?.is_none() || !in_app(ctx) {
        return Ok(None);
    }
    ctx.save().map(Some)
}

/// Does events again. Returns whether all were performed and the app survived them.
pub(super) fn gone(ctx: &mut RoundCtx<'_>, way: Replay<'_>) -> Result<bool, Stop> {
    Ok(survives(way.if_missing(Missing::Stop).run(ctx))?.is_some_and(|way| way.is_whole()))
}

/// A fresh start; `None` if the app does not survive it.
pub(super) fn fresh(ctx: &mut RoundCtx<'_>) -> Result<Option<StateSnapshot>, Stop> {
    if survives(ctx.start())?.is_none() || !in_app(ctx) {
        return Ok(None);
    }
    ctx.save().map(Some)
}

/// The result of what did not end the test.
pub(super) fn survives<T>(result: Result<T, Stop>) -> Result<Option<T>, Stop> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Stop::TestOver) => Ok(None),
        Err(stop) => Err(stop),
    }
}

/// Waits once for what takes a while; returns whether the screen changed by that.
pub(super) fn waited(ctx: &mut RoundCtx<'_>) -> Result<bool, Stop> {
    let before = ctx.exact_key();
    let lives = survives(ctx.perform(Event::Wait(PATIENCE), StepRole::Explored))?.is_some();
    Ok(lives && ctx.exact_key() != before)
}

fn in_app(ctx: &RoundCtx<'_>) -> bool {
    let frame = ctx.frame();
    let may_touch = |app: &str| frame.layout.widgets().iter().any(|it| frame.layout.may_touch(it, app));
    frame.health == AppHealth::Running && may_touch(&ctx.target().app)
}

/// Whether a person records the step: it is no wait, and follows from no screen.
pub(super) fn is_chosen(step: &Step) -> bool {
    !step.role.is_appended() && !matches!(step.event, Event::Wait(_))
}

/// The steps of a trace, as a person records them: without waits, and without selectors, which the recorder finds.
pub fn steps_as_recorded(trace: &Trace, first: usize, end: usize) -> Vec<RecordedStep> {
    let mut steps: Vec<RecordedStep> = Vec::new();
    let wanted = trace.recorded_steps().zip(trace.steps()).take(end).skip(first);
    for (RecordedStep { mut event, before, after }, step) in wanted {
        // After a step, lists may have been scrolled to see what it did.
        if !is_chosen(step) {
            if let Some(last) = steps.last_mut() {
                last.after = after;
            }
            continue;
        }
        match &mut event {
            Event::Wait(_) => {}
            Event::Widget { target, gesture: _ } => target.selector = Selector::default(),
            Event::Type(_)
            | Event::Key(_)
            | Event::Rotate
            | Event::Relaunch
            | Event::System(_)
            | Event::OpenLink(_) => {}
        }
        let before = steps.last().map_or(before, |last| Arc::clone(&last.after));
        steps.push(RecordedStep { event, before, after });
    }
    steps
}

/// The event with its text replaced where it types this one.
pub(super) fn with_other_text(event: &Event, old: &str, new: &str) -> Event {
    match event {
        Event::Widget { gesture: Gesture::SetText(text), .. } if text == old => event.with_text(new),
        other => other.clone(),
    }
}
