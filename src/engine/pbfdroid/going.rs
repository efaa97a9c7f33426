//! How a test goes to the DMFs of one data type, by ways that earlier tests found (paper.md, section 4.1).

use std::collections::BTreeSet;

use super::{Chance, Pbfdroid};
use crate::{Missing, Replay, RoundCtx, Stop};
use taproof_screen::{Event, Key, Layout, LayoutKey, PxSize, StepRole};
use taproof_spec::{DataType, is_forbidden, step_without_text};

/// Number of ways that are tried one after the other.
pub(super) const WAYS: usize = 3;

/// Number of choices in a row for which no DMF was ready that a test is about; then it goes back to the first screen and
/// from there on a way (not in the paper).
const LOST_AFTER: usize = 15;

/// Number of Back keys that are pressed to come to the first screen.
const BACKS: usize = 4;

impl Pbfdroid {
    /// The data type whose turn it is. The types with a DMF that was ready before take turns, and after them comes a
    /// test that is about none of them. With one type, none is.
    pub(super) fn turn(&self, ctx: &RoundCtx<'_>) -> Option<DataType> {
        if self.config.way_every == 0 {
            return None;
        }
        let dmfs = ctx.target().dmfs();
        let known = self.dmfs.iter().filter(|dmf| self.ways.knows(**dmf));
        let types: BTreeSet<&DataType> = known.map(|dmf| &dmfs[*dmf].dmf.data_type).collect();
        let turns = if types.len() > 1 { types.len() as u64 + 1 } else { return None };
        types.into_iter().nth(usize::try_from(ctx.tests() % turns).ok()?).cloned()
    }

    /// Whether the test goes to a DMF now: where none that it is about was ready for long, and sometimes instead of a
    /// random event on the first screen.
    pub(super) fn wants_way(
        &self,
        ctx: &RoundCtx<'_>,
        lost: usize,
        drawn: Option<usize>,
        chance: &mut Chance,
    ) -> bool {
        let every = self.config.way_every;
        let at_home = shown(ctx) == self.home;
        every > 0 && (lost >= LOST_AFTER || (drawn.is_none() && at_home && chance.ways.chance(1, every)))
    }

    /// Goes to the first screen and from there a way to a DMF that was seldom gone to and that the test is about, and
    /// runs it; a few ways, if the first ones do not lead there. Returns whether the test ends.
    pub(super) fn go_way(&mut self, ctx: &mut RoundCtx<'_>, chance: &mut Chance) -> Result<bool, Stop> {
        for _ in 0..WAYS {
            self.go_home(ctx)?;
            let focus = &self.focus;
            let about = |dmf| self.dmfs.contains(&dmf) && is_about(focus.as_ref(), ctx, dmf);
            let Some((dmf, way)) = self.ways.draw(about, &mut chance.ways) else { break };
            let there = self.lead(ctx, way)? && ctx.ready(dmf);
            self.ways.led(dmf, there);
            if !there {
                continue;
            }
            if step_without_text(&ctx.target().dmfs()[dmf].dmf, ctx.data()).is_some() {
                break;
            }
            ctx.count_ready(dmf);
            let outcome = self.run(ctx, dmf, chance)?;
            return Ok(self.ends_test(ctx, dmf, &outcome));
        }
        Ok(false)
    }

    /// Performs the events of a way. Returns whether all could be performed.
    pub(super) fn lead(&mut self, ctx: &mut RoundCtx<'_>, way: Vec<Event>) -> Result<bool, Stop> {
        self.interrupted();
        let blocks = ctx.blocks();
        let forbidden = |event: &Event, layout: &Layout| is_forbidden(blocks, layout, event);
        let way = Replay::new(way, StepRole::Explored).if_missing(Missing::Stop).unless(&forbidden);
        Ok(way.run(ctx)?.is_whole())
    }

    /// Goes back to the first screen: by the Back key, which keeps the app's process, or by starting the app again.
    pub(super) fn go_home(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        self.interrupted();
        if ctx.frame().layout.screen() != self.home.1 {
            ctx.perform(Event::Rotate, StepRole::Explored)?;
        }
        let back = Event::Key(Key::Back);
        for _ in 0..BACKS {
            let layout = &ctx.frame().layout;
            let inside = layout.is_of(&ctx.target().app) && !is_forbidden(ctx.blocks(), layout, &back);
            if shown(ctx) == self.home || !inside {
                break;
            }
            ctx.perform(back.clone(), StepRole::Explored)?;
        }
        if shown(ctx) != self.home {
            ctx.perform(Event::Relaunch, StepRole::Explored)?;
        }
        self.ways.at_home();
        Ok(())
    }
}

/// The structure of the current screen, and its size.
pub(super) fn shown(ctx: &RoundCtx<'_>) -> (LayoutKey, PxSize) {
    (ctx.structure_key(), ctx.frame().layout.screen())
}

/// Whether a test about this data type, or about any, is about a DMF.
pub(super) fn is_about(focus: Option<&DataType>, ctx: &RoundCtx<'_>, dmf: usize) -> bool {
    focus.is_none_or(|focus| ctx.target().dmfs()[dmf].dmf.data_type == *focus)
}
