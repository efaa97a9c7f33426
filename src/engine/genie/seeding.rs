//! Making seed tests (paper.md, section 6): of many walks, those are kept that change what few others change. Each of
//! them is executed twice, so that what differs by itself is not compared.

use std::sync::Arc;

use super::config::STATE_BASIS;
use super::detours::Planned;
use super::novelty::{Novelty, changes, shown_by};
use super::seed::{SeedTest, planned};
use super::walk::Walk;
use super::{Genie, KeptSeed};
use crate::oracle::{EffectJudge, layouts_of, unstable_widgets};
use crate::{Replay, RoundCtx, Stop};
use taproof_screen::determinism::{DeviceDuration, Rng};
use taproof_screen::{AppHealth, StepRole, Trace};

/// Maximum number of walks that are kept to choose seed tests from, and to continue: those that change what the fewest
/// walks change (not in the paper, which takes every walk; paper.md, section 6).
const MOST_SEEDS: usize = 120;
/// A walk becomes a seed test only if it does something that fewer than this many walks did before (not in the paper;
/// section 6).
const SEEDS_PER_CHANGE: u32 = 3;
/// Percentage of the walks that continue from a point at which an earlier walk did something rare (not in the paper;
/// section 6): chance alone hardly ever produces a test of ten steps that depend on each other.
const EXTENDED_PERCENT: usize = 50;
/// Percentage of a seed test's events that are chosen systematically, by weights of this test alone; the others are chosen
/// at random (section 5).
const SYSTEMATIC_PERCENT: usize = 60;
/// How long the second run of a seed test waits after each event, so that widgets that show the time are detected. The
/// paper's second run has no other pace (section 6).
pub(super) const SECOND_RUN_WAIT: DeviceDuration = DeviceDuration(10_000);

impl Genie {
    /// Makes a walk, and keeps it as a seed test if it does what few others did.
    pub(super) fn make_seed(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        let recorded = self.state.seed_traces.pop();
        let is_recorded = recorded.is_some();
        ctx.start()?;
        let planned = match recorded {
            Some(trace) => self.play_given(ctx, &trace)?,
            None => self.walk(ctx)?,
        };
        self.state.loops.learn(ctx.trace(), &planned);
        let seed = SeedTest { trace: ctx.trace().clone(), planned, unstable: Vec::new() };
        let changes = changes(&seed.layouts(), &seed.planned);
        let shown = shown_by(&seed, &changes, STATE_BASIS);
        self.state.changing.extend(changes.into_iter().map(|change| change.class));
        let known = |shown: &Novelty| self.state.shown.get(&shown.kind).copied().unwrap_or(0);
        let rare = !self.config.rare_walks || shown.iter().any(|shown| known(shown) < SEEDS_PER_CHANGE);
        for shown in &shown {
            *self.state.shown.entry(shown.kind).or_default() += 1;
        }
        if seed.planned.len() > 1 && (rare || is_recorded) {
            self.state.seeds.push(KeptSeed { seed, shown, used: false });
        }
        if self.state.seeds.len() > MOST_SEEDS {
            self.drop_common();
        }
        Ok(())
    }

    /// Walks by chosen events. Often continues from a point at which an earlier walk did something rare, since what
    /// follows it is rarer still.
    fn walk(&mut self, ctx: &mut RoundCtx<'_>) -> Result<Vec<Planned>, Stop> {
        self.state.walks += 1;
        let mut rng = ctx.rng.fork("seed");
        let mut walk = Walk::seeding(ctx);
        let goes_on = self.config.rare_walks && rng.chance(EXTENDED_PERCENT, 100);
        let parent = if goes_on { self.parent(&mut rng) } else { None };
        let mut events = Vec::new();
        if let Some((kept, length)) =
            parent.and_then(|(place, length)| Some((self.state.seeds.get(place)?, length)))
        {
            let before = kept.seed.planned.iter().take(length);
            events.extend(before.inspect(|planned| walk.learn(planned)).cloned());
            Replay::new(kept.seed.events().into_iter().take(events.len()), StepRole::Seed).run(ctx)?;
            if !plan_anew(&mut events, ctx.trace()) {
                return Ok(Vec::new());
            }
        }
        let length = self.config.seed_length.max(events.len() + self.config.seed_length / 2);
        while events.len() < length {
            let systematic = rng.chance(SYSTEMATIC_PERCENT, 100);
            let Some(event) = self.step(ctx, &mut walk, systematic, &mut rng)? else { break };
            events.push(event);
            if ctx.frame().health != AppHealth::Running {
                break;
            }
        }
        Ok(events)
    }

    /// An earlier walk, and the number of its events up to the rarest thing that it did. The rarer, the likelier it is
    /// chosen.
    fn parent(&self, rng: &mut Rng) -> Option<(usize, usize)> {
        let rarest = |kept: &KeptSeed| {
            let count = |shown: &Novelty| self.state.shown.get(&shown.kind).copied().unwrap_or(1).max(1);
            let near = kept.shown.iter().filter(|shown| shown.events <= self.config.seed_length);
            near.map(|shown| (count(shown), shown.events)).min()
        };
        let rarest: Vec<Option<(u32, usize)>> = self.state.seeds.iter().map(rarest).collect();
        let weights: Vec<u32> =
            rarest.iter().map(|rarest| rarest.map_or(0, |(count, _)| 1000 / count)).collect();
        let place = rng.weighted(&weights)?;
        Some((place, rarest[place]?.1))
    }

    /// Plays a recorded trace as a seed test, up to the first event that a plan cannot represent.
    fn play_given(&mut self, ctx: &mut RoundCtx<'_>, trace: &Trace) -> Result<Vec<Planned>, Stop> {
        let mut events = Vec::new();
        for step in trace.chosen_steps() {
            let before = Arc::clone(&ctx.frame().layout);
            let event = step.event.aimed(&before);
            let Some(plan) = planned(&event, &before) else { break };
            ctx.perform(event, StepRole::Seed)?;
            if ctx.frame().health == AppHealth::Running {
                let after = Arc::clone(&ctx.frame().layout);
                self.state.model.add(&before, (plan.act, &plan.text), &after, STATE_BASIS);
            }
            events.push(plan);
        }
        Ok(events)
    }

    /// Executes a seed test once more, with pauses. What differs is not compared. `None` if the test touches widgets
    /// that come and go by themselves.
    pub(super) fn stabilised(
        &mut self,
        ctx: &mut RoundCtx<'_>,
        mut seed: SeedTest,
    ) -> Result<Option<SeedTest>, Stop> {
        seed.perform(ctx, |events| Some(SECOND_RUN_WAIT).filter(|_| events > 0))?;
        let mut judge = EffectJudge::new(self.config.rule(&[]));
        let unstable = unstable_widgets(&mut judge, &seed.layouts(), &layouts_of(ctx.trace()));
        if seed.receivers().any(|kind| unstable.contains(&kind)) {
            self.state.counts.unstable += 1;
            return Ok(None);
        }
        seed.unstable = unstable.into_iter().collect();
        Ok(Some(seed))
    }

    /// The smallest number of walks that changed the same as this one; all are equal if every walk is a seed test.
    fn rarity(&self, kept: &KeptSeed) -> u32 {
        if !self.config.rare_walks {
            return 0;
        }
        let changes = kept.shown.iter().filter(|shown| shown.change);
        changes.filter_map(|shown| self.state.shown.get(&shown.kind)).min().copied().unwrap_or(u32::MAX)
    }

    /// Takes the walk that changed what the fewest walks changed, of equals the first, as a seed test.
    pub(super) fn take_seed(&mut self) -> Option<SeedTest> {
        let unused = self.state.seeds.iter().enumerate().filter(|(_, kept)| !kept.used);
        let (place, _) = unused.min_by_key(|(_, kept)| self.rarity(kept))?;
        let kept = &mut self.state.seeds[place];
        kept.used = true;
        Some(kept.seed.clone())
    }

    /// Drops a third of the walks: those that changed what the most walks changed.
    fn drop_common(&mut self) {
        let mut order: Vec<usize> = (0..self.state.seeds.len()).collect();
        order.sort_by_key(|place| self.rarity(&self.state.seeds[*place]));
        order.truncate(order.len() * 2 / 3);
        let mut place = 0;
        self.state.seeds.retain(|_| {
            place += 1;
            order.contains(&(place - 1))
        });
    }
}

/// Plans events anew that were performed again in this trace, where the screen was another one this time. Returns whether
/// each could be planned.
fn plan_anew(events: &mut [Planned], performed: &Trace) -> bool {
    let chosen = performed.framed_steps().filter(|(_, step)| !step.role.is_appended());
    events.iter_mut().zip(chosen).all(|(plan, (before, step))| {
        if plan.on == before.layout {
            return true;
        }
        let anew = planned(&step.event, &before.layout);
        anew.map(|anew| *plan = anew).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{CandidateAction, Gesture, Step, WidgetIdx, event_on, frame_of, layout_from};

    use super::super::gui_model::Act;

    #[test]
    fn what_is_performed_again_on_another_screen_is_planned_on_that() {
        let (long, short) =
            (layout_from("FrameLayout\n  TextView\n  Button#add\n"), layout_from("Button#add\n"));
        let on = |layout: &taproof_screen::Layout, widget: u32| Planned {
            act: Act::On(CandidateAction::Tap, WidgetIdx(widget)),
            text: String::new(),
            on: Arc::new(layout.clone()),
        };
        let performed = |layout: &taproof_screen::Layout, widget| {
            let event = event_on(layout, WidgetIdx(widget), Gesture::Tap).unwrap();
            let mut trace = Trace::start(frame_of(layout.clone()));
            trace.push(Step { event, role: StepRole::Seed, after: frame_of(layout.clone()) });
            trace
        };
        let mut events = [on(&long, 2)];
        assert!(plan_anew(&mut events, &performed(&long, 2)));
        assert_eq!((events[0].act, &*events[0].on), (on(&long, 2).act, &long));
        assert!(plan_anew(&mut events, &performed(&short, 0)));
        assert_eq!((events[0].act, &*events[0].on), (on(&short, 0).act, &short));
    }
}
