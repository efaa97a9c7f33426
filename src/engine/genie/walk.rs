//! Walking the app by chosen events (paper.md, section 5): mining, and making seed tests.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Genie;
use super::choice::{Offer, Weights, commit_instead, field_text, offers, random_offer};
use super::config::STATE_BASIS;
use super::detours::Planned;
use super::gui_model::Act;
use super::loops::MOST_KEYS;
use crate::{RoundCtx, Stop};
use taproof_screen::determinism::Rng;
use taproof_screen::{
    AppHealth, CandidateAction, Event, Key, Layout, LayoutKey, Same, StepRole, Text, event_on, is_dialog,
};
use taproof_spec::is_key_forbidden;

/// Number of events of one mining test (the published tool's; paper.md, section 2).
const MINING_TEST: usize = 200;
/// Percentage of the mining events after which Back closes again what they opened (not in the paper; section 5), by which
/// detours are known that only open and close pages.
const CLOSE_PERCENT: usize = 25;
/// Percentage of a seed test's events that are redirected to a widget which shows what the test has typed or touched, if
/// there is one of the same kind (not in the paper; section 5): a test only sees the effect on its data if it comes back to
/// them.
const REVISIT_PERCENT: usize = 50;
/// Number of consecutive events outside of the app after which a walk ends; the next test restarts the app (the published
/// tool's; section 5).
const OUTSIDE_EVENTS: u32 = 10;

/// A walk by chosen events.
pub(super) struct Walk {
    /// Structure of the screen that the app starts with, where Back would leave the app.
    home: LayoutKey,
    /// Number of consecutive events outside of the app.
    outside: u32,
    role: StepRole,
    /// Weights of this walk alone; `None` to use those of the campaign.
    weights: Option<Weights>,
    /// The texts that were typed or shown by touched widgets.
    known: BTreeSet<Text>,
}

impl Walk {
    /// A walk that mines the model.
    pub(super) fn mining(ctx: &RoundCtx<'_>) -> Self {
        let home = ctx.structure_key();
        Walk { home, outside: 0, role: StepRole::Explored, weights: None, known: BTreeSet::new() }
    }

    /// A walk that makes a seed test. Its choices do not depend on what other tests have done.
    pub(super) fn seeding(ctx: &RoundCtx<'_>) -> Self {
        Walk { role: StepRole::Seed, weights: Some(Weights::default()), ..Walk::mining(ctx) }
    }

    /// Remembers the texts of a performed event.
    pub(super) fn learn(&mut self, planned: &Planned) {
        if let Act::On(_, widget) = planned.act {
            self.known.extend(planned.on.texts_in(widget).cloned());
        }
        self.known.insert(Text::from(planned.text.as_str()));
    }

    /// With the probability `REVISIT_PERCENT`, returns another widget of the chosen one's kind that shows a text known to the
    /// test, so that the test comes back to what it has changed; otherwise the chosen one.
    fn revisit(&self, layout: &Layout, chosen: Act, offered: &[Offer], rng: &mut Rng) -> Act {
        let Some(key) = offered.iter().find(|offer| offer.act == chosen).map(|offer| offer.key) else {
            return chosen;
        };
        let shows_known = |offer: &&Offer| match offer.act {
            Act::On(_, widget) => layout.texts_in(widget).any(|text| self.known.contains(text)),
            Act::Back => false,
        };
        if self.weights.is_none() || !rng.chance(REVISIT_PERCENT, 100) {
            return chosen;
        }
        let known: Vec<Act> = offered
            .iter()
            .filter(|offer| offer.key == key)
            .filter(shows_known)
            .map(|offer| offer.act)
            .collect();
        rng.pick(&known).copied().unwrap_or(chosen)
    }
}

impl Genie {
    /// Mines the model by one test.
    pub(super) fn mine(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        let mut rng = ctx.rng.fork("mining");
        ctx.start()?;
        let mut walk = Walk::mining(ctx);
        let mut events = Vec::new();
        for _ in 0..MINING_TEST {
            let systematic = !self.state.weights.idles();
            if self.is_mined(ctx) {
                break;
            }
            let Some(event) = self.step(ctx, &mut walk, systematic, &mut rng)? else { break };
            let opener = event.clone();
            events.push(event);
            if self.config.rare_walks && rng.chance(CLOSE_PERCENT, 100) {
                self.close(ctx, &mut walk, &opener, &mut events)?;
            }
        }
        self.state.loops.learn(ctx.trace(), &events);
        Ok(())
    }

    /// Presses Back, once or twice, until the page shows again on which an event has opened another one.
    fn close(
        &mut self,
        ctx: &mut RoundCtx<'_>,
        walk: &mut Walk,
        opener: &Planned,
        events: &mut Vec<Planned>,
    ) -> Result<(), Stop> {
        let page = opener.on.key(Same::Page);
        for _ in 0..MOST_KEYS {
            let (before, health) = (Arc::clone(&ctx.frame().layout), &ctx.frame().health);
            let shown = matches!(health, AppHealth::Running) && before.key(Same::Page) == page;
            let stays = opener.act == Act::Back || is_dialog(&opener.on) || shown;
            if stays || is_key_forbidden(ctx.blocks(), &before, Key::Back) {
                break;
            }
            let inside = *health == AppHealth::Running;
            events.extend(go_back(ctx, walk, &before)?);
            if inside && ctx.frame().health == AppHealth::Running {
                let after = Arc::clone(&ctx.frame().layout);
                self.state.model.add(&before, (Act::Back, ""), &after, STATE_BASIS);
            }
        }
        Ok(())
    }

    /// Chooses an event and performs it; the transition enters the model. `None` where the app was left for good.
    pub(super) fn step(
        &mut self,
        ctx: &mut RoundCtx<'_>,
        walk: &mut Walk,
        systematic: bool,
        rng: &mut Rng,
    ) -> Result<Option<Planned>, Stop> {
        let (setting, before) = (ctx.target(), Arc::clone(&ctx.frame().layout));
        let inside = ctx.frame().health == AppHealth::Running;
        let offered = if inside { offers(&before, &setting.app, ctx.blocks()) } else { Vec::new() };
        let blocked = is_key_forbidden(ctx.blocks(), &before, Key::Back);
        let back = !blocked && ctx.structure_key() != walk.home;
        let run = &mut self.state.weights;
        let chosen = match (systematic, walk.weights.as_mut()) {
            (false, _) => random_offer(&offered, back && inside, rng),
            (true, Some(own)) => own.choose(&offered, Some(run), rng).map(|offer| offer.act),
            (true, None) => run.choose(&offered, None, rng).map(|offer| offer.act),
        };
        walk.outside = if inside { 0 } else { walk.outside + 1 };
        let Some(chosen) = chosen else { return go_back(ctx, walk, &before) };
        let chosen = match self.config.rare_walks {
            true => walk.revisit(&before, chosen, &offered, rng),
            false => chosen,
        };
        let act = commit_instead(&before, chosen, &offered, rng);
        let (event, text) = match act {
            Act::Back => (Event::Key(Key::Back), String::new()),
            Act::On(action, widget) => {
                let own = match action {
                    CandidateAction::SetText => setting.rules.text_for(&before, widget, rng),
                    _ => None,
                };
                let text = own.unwrap_or_else(|| field_text(rng).to_owned());
                let event = event_on(&before, widget, action.gesture(&text));
                (event.unwrap_or(Event::Key(Key::Back)), text)
            }
        };
        ctx.perform(event, walk.role)?;
        if ctx.frame().health == AppHealth::Running {
            let after = Arc::clone(&ctx.frame().layout);
            if let Some(offer) = offered.iter().find(|offer| offer.act == act) {
                let reached = offers(&after, &setting.app, ctx.blocks());
                for weights in [Some(&mut self.state.weights), walk.weights.as_mut()].into_iter().flatten() {
                    weights.executed(offer.key, act, (&before, &offered), (&after, &reached));
                }
            }
            self.state.model.add(&before, (act, &text), &after, STATE_BASIS);
        }
        let planned = Planned { act, text, on: before };
        walk.learn(&planned);
        Ok(Some(planned))
    }
}

/// Presses Back, if no event is offered or the app is not in the foreground. `None` if that did not help and the walk
/// ends.
fn go_back(ctx: &mut RoundCtx<'_>, walk: &mut Walk, before: &Arc<Layout>) -> Result<Option<Planned>, Stop> {
    if walk.outside > OUTSIDE_EVENTS {
        return Ok(None);
    }
    ctx.perform(Event::Key(Key::Back), walk.role)?;
    Ok(Some(Planned { act: Act::Back, text: String::new(), on: Arc::clone(before) }))
}
