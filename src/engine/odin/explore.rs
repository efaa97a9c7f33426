//! The first traces: random events among those that a layout handles. The kind of event is drawn first, so that a list
//! of a hundred rows does not dominate. Some tests are run twice, the second time more slowly: a view whose text then
//! differs changes by itself (paper.md, section 5).

use super::{Event, EventKey, Odin, RoundCtx, Stop, TestPosition, keys};
use crate::oracle::may_belief::{Handled, KnownLayout};
use taproof_screen::determinism::{DeviceDuration, Rng};
use taproof_screen::{CandidateAction, Frame, Gesture, Key, StepRole, Widget, event_on};
use taproof_spec::{BlockedTouches, is_key_forbidden};

/// Number of events of one exploration test (paper.md, section 5; the paper names no numbers).
const EXPLORE_LENGTH: usize = 40;
/// Draw weights of taps, long presses, swipes, typing, Back, the action key and rotations.
const WEIGHTS: [u32; 7] = [55, 12, 6, 14, 8, 3, 2];
/// Number of exploration tests that are run a second time, more slowly, to find views whose texts change by themselves.
const PROBES: u32 = 6;
/// Pauses of the second run: after the launch, and before every other event.
const PROBE_PAUSES: [DeviceDuration; 2] = [DeviceDuration(61_000), DeviceDuration(7_000)];

impl Odin {
    /// Performs one exploration test, and repeats it more slowly while volatile views are searched for.
    pub(super) fn explore(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        let mut rng = ctx.rng.fork("explore");
        let mut place = self.begin(ctx)?;
        while ctx.trace().len() < EXPLORE_LENGTH && place.at.is_some() {
            let Some((event, key)) = self.random_event(ctx, &place, &mut rng) else { break };
            self.act(ctx, &mut place, event, key)?;
        }
        self.state.model.learn_test(place.performed);
        if self.state.probed < PROBES {
            self.state.probed += 1;
            self.probe(ctx)?;
        }
        Ok(())
    }

    /// Runs the test again, with pauses.
    fn probe(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        let seen = ctx.trace().clone();
        ctx.start()?;
        for (place, (before, step)) in seen.framed_steps().enumerate() {
            let pause = PROBE_PAUSES[usize::from(place > 0)];
            ctx.perform(Event::Wait(pause), StepRole::Appended)?;
            self.compare(ctx, before);
            if !step.role.is_appended() {
                ctx.perform(step.event.aimed(&ctx.frame().layout), step.role)?;
            }
        }
        self.compare(ctx, seen.last());
        Ok(())
    }

    /// Compares a page with the same page of the first run: views whose texts differ are volatile.
    fn compare(&mut self, ctx: &RoundCtx<'_>, first: &Frame) {
        let app = &ctx.target().app;
        let state = |frame: &Frame| KnownLayout::of(frame.layout.clone(), app).state;
        let again = ctx.frame();
        if state(first) == state(again) {
            self.state.model.volatile.learn(&first.layout, &again.layout);
        }
    }

    fn random_event(
        &self,
        ctx: &RoundCtx<'_>,
        place: &TestPosition,
        rng: &mut Rng,
    ) -> Option<(Event, EventKey)> {
        let known = self.state.model.layout(place.at?);
        let layout = &ctx.frame().layout;
        let open: Vec<Handled> = self.allowed(ctx, known);
        let of_kind = |kind: usize| -> Vec<Handled> {
            open.iter().filter(|event| kind_of(event.action) == kind).copied().collect()
        };
        let blocks = ctx.blocks();
        let at_home =
            self.state.model.start.is_some_and(|start| self.state.model.state(start) == known.state);
        let typing = layout.widgets().iter().any(Widget::is_focused_field);
        let possible = [
            true,
            true,
            true,
            true,
            !at_home && !is_key_forbidden(blocks, layout, Key::Back),
            typing && !is_key_forbidden(blocks, layout, Key::ImeAction),
            true,
        ];
        let weights: Vec<u32> =
            (0..possible.len())
                .map(|kind| {
                    if possible[kind] && (kind > 3 || !of_kind(kind).is_empty()) { WEIGHTS[kind] } else { 0 }
                })
                .collect();
        let kind = rng.weighted(&weights)?;
        if kind > 3 {
            let [back, action, rotate] = keys();
            let (key, event) = [back, action, rotate].into_iter().nth(kind - 4)?;
            return Some((event, key));
        }
        let of_kind = of_kind(kind);
        let mut events: Vec<EventKey> = of_kind.iter().map(|event| event.key).collect();
        events.dedup();
        let key = *rng.pick(&events)?;
        let same: Vec<Handled> = of_kind.into_iter().filter(|event| event.key == key).collect();
        let handled = *rng.pick(&same)?;
        self.event(ctx, handled, rng).map(|(event, _)| (event, key))
    }

    /// The events of a layout that are not blocked.
    pub(super) fn allowed(&self, ctx: &RoundCtx<'_>, known: &KnownLayout) -> Vec<Handled> {
        let blocked = BlockedTouches::new(ctx.blocks(), &ctx.frame().layout);
        let free = |event: &&Handled| blocked.allow(event.receiver, &event.action.gesture(""));
        known.handled.iter().filter(free).copied().collect()
    }

    /// The event on the current layout, with a random text for a field. `None` if no touch reaches its widget.
    pub(super) fn event(
        &self,
        ctx: &RoundCtx<'_>,
        handled: Handled,
        rng: &mut Rng,
    ) -> Option<(Event, Option<String>)> {
        let typed = (handled.action == CandidateAction::SetText)
            .then(|| rng.pick(&self.config.texts).cloned().unwrap_or_default());
        let gesture = handled.action.gesture(typed.as_deref().unwrap_or(""));
        let event = event_on(&ctx.frame().layout, handled.receiver, gesture)?;
        let event = ctx.typeable(ctx.with_own_text(event, rng));
        let typed = match &event {
            Event::Widget { gesture: Gesture::SetText(text), .. } => Some(text.clone()),
            _ => None,
        };
        Some((event, typed))
    }
}

fn kind_of(action: CandidateAction) -> usize {
    match action {
        CandidateAction::Tap => 0,
        CandidateAction::LongPress => 1,
        CandidateAction::Scroll(_) => 2,
        CandidateAction::SetText => 3,
    }
}
