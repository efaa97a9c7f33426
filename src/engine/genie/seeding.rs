//! Making seed tests (genie.md 4 and 10): walks, of which those are kept that change what few others do; each is
//! executed twice, so that what differs by itself is not compared.

use std::sync::Arc;

use super::detours::Planned;
use super::novelty::changes;
use super::seed::{SeedTest, events_of, planned};
use super::walk::Walk;
use super::{Genie, KeptSeed};
use crate::determinism::DeviceDuration;
use crate::engine::{RoundCtx, Stop};
use crate::model::{AppHealth, Event, StepRole, Trace};
use crate::oracle::{EffectJudge, layouts_of, unstable_widgets};

impl Genie {
    pub(super) fn make_seed(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        let mut rng = ctx.rng.fork("seed");
        let given = self.state.given.pop();
        let is_given = given.is_some();
        ctx.start()?;
        let planned = match given {
            Some(trace) => self.play_given(ctx, &trace)?,
            None => {
                self.state.walks += 1;
                let mut walk = Walk::seeding(ctx);
                let mut events = Vec::new();
                while events.len() < self.config.seed_length {
                    let systematic = rng.chance(self.config.systematic_percent as usize, 100);
                    let Some(event) = self.step(ctx, &mut walk, systematic, &mut rng)? else { break };
                    events.push(event);
                }
                events
            }
        };
        let seed = SeedTest { trace: ctx.trace().clone(), planned, unstable: Vec::new() };
        let shown = changes(&seed.layouts(), &seed.planned);
        let known = |kind: &u64| self.state.shown.get(kind).copied().unwrap_or(0);
        let rare = shown.iter().any(|(_, kind)| known(kind) < self.config.seeds_per_change);
        for (class, kind) in &shown {
            *self.state.shown.entry(*kind).or_default() += 1;
            self.state.changing.insert(*class);
        }
        if !rare && !is_given {
            return Ok(());
        }
        if let Some(seed) = self.stabilised(ctx, seed)? {
            self.state.made += 1;
            let shown = shown.into_iter().map(|(_, kind)| kind).collect();
            self.state.seeds.push_back(KeptSeed { seed, shown });
        }
        Ok(())
    }

    /// Plays a given trace as a seed test, up to what a plan cannot hold.
    fn play_given(&mut self, ctx: &mut RoundCtx<'_>, trace: &Trace) -> Result<Vec<Planned>, Stop> {
        let mut events = Vec::new();
        for (event, _) in events_of(trace) {
            let before = Arc::clone(&ctx.frame().layout);
            let event = event.aimed(&before);
            let Some(plan) = planned(&event, &before) else { break };
            ctx.perform(event, StepRole::Seed)?;
            if ctx.frame().health == AppHealth::Running {
                let after = Arc::clone(&ctx.frame().layout);
                self.state.model.add(&before, (plan.act, &plan.text), &after, self.config.state_basis());
            }
            events.push(plan);
        }
        Ok(events)
    }

    /// Executes a seed test once more, at another pace: what differs cannot be compared. A test that
    /// touches what comes and goes by itself is none.
    fn stabilised(&mut self, ctx: &mut RoundCtx<'_>, mut seed: SeedTest) -> Result<Option<SeedTest>, Stop> {
        if seed.planned.len() < 2 {
            return Ok(None);
        }
        ctx.start()?;
        let wait = Event::Wait(DeviceDuration(self.config.second_run_wait_millis));
        for event in seed.events() {
            let event = event.aimed(&ctx.frame().layout);
            ctx.perform(event, StepRole::Seed)?;
            if self.config.second_run_wait_millis > 0 {
                ctx.perform(wait.clone(), StepRole::Appended)?;
            }
        }
        let mut judge = EffectJudge::new(self.config.rule(&[]));
        let unstable = unstable_widgets(&mut judge, &seed.layouts(), &layouts_of(ctx.trace()));
        if seed.receivers().any(|kind| unstable.contains(&kind)) {
            self.state.counts.unstable += 1;
            return Ok(None);
        }
        seed.unstable = unstable.into_iter().collect();
        Ok(Some(seed))
    }

    /// The seeds of a batch are made: those go first that changed what the fewest walks did.
    pub(super) fn rank_seeds(&mut self) {
        let shown = &self.state.shown;
        let rarest = |kept: &KeptSeed| kept.shown.iter().filter_map(|kind| shown.get(kind)).min().copied();
        let mut seeds: Vec<KeptSeed> = std::mem::take(&mut self.state.seeds).into();
        seeds.sort_by_key(|kept| rarest(kept).unwrap_or(u32::MAX));
        seeds.truncate(self.config.seeds.max(1));
        self.state.seeds = seeds.into();
    }
}
