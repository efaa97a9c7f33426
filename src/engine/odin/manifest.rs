//! Calibration and manifesting (paper.md, sections 6 and 7): a walk to a state that has too few inputs and, from a
//! snapshot of its end, each event that the state handles. An input counts for the state in which its walk actually
//! ends.

use super::model::Appended;
use super::{Event, EventKey, MAX_BEHAVIOURS, MAX_INPUTS, Odin, RoundCtx, Stop, TestPosition, keys};
use crate::StateSnapshot;
use crate::oracle::may_belief::{Handled, LayoutId, StateKey};
use taproof_screen::Text;
use taproof_screen::determinism::Rng;

/// Number of events that are appended to one input (paper.md, section 7; the paper names no number).
const APPENDED: usize = 60;

impl Odin {
    /// One test: a few walks, one after the other, each continued by the events of the state in which it ends. Later walks
    /// begin where much was done before.
    pub(super) fn calibrate(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        let mut rng = ctx.rng.fork("walk");
        let start = self.state.model.start;
        let Some(first) = start.and_then(|start| self.plan(start, &mut rng)) else {
            return self.explore(ctx);
        };
        let mut place = self.begin(ctx)?;
        let done = self.walk(ctx, &mut place, first, &mut rng);
        self.state.model.learn_test(place.performed);
        done
    }

    fn walk(
        &mut self,
        ctx: &mut RoundCtx<'_>,
        place: &mut TestPosition,
        (mut goal, mut plan): (StateKey, Vec<EventKey>),
        rng: &mut Rng,
    ) -> Result<(), Stop> {
        for _ in 0..self.config.walks {
            self.state.counts.walks += 1;
            for key in plan {
                let Some((event, key)) = self.concrete(ctx, place, key, rng) else { break };
                self.act(ctx, place, event, key)?;
            }
            // A state that no walk reaches must not be the goal of all.
            if place.at.is_none_or(|at| self.state.model.state(at) != goal) {
                self.state.model.inputs.entry(goal).or_default().missed += 1;
            }
            let Some(at) = place.at else { break };
            if !self.manifest(ctx, place, at)? {
                break;
            }
            let Some(next) = self.plan(at, rng) else { break };
            (goal, plan) = next;
        }
        Ok(())
    }

    /// Plans a walk towards the state with the fewest inputs, or towards the next one if no walk is found.
    fn plan(&mut self, from: LayoutId, rng: &mut Rng) -> Option<(StateKey, Vec<EventKey>)> {
        self.state.model.remine(self.config.merging);
        let from = self.state.model.node_of(from);
        loop {
            let goal = self.state.model.least_served()?;
            let nodes = self.state.model.nodes_of(goal);
            match self.state.model.plan_walk(from, &nodes, rng) {
                Some(plan) => return Some((goal, plan)),
                None => self.state.model.inputs.entry(goal).or_default().missed += 1,
            }
        }
    }

    /// A recorded event on any of its receivers in the current layout. `None` if the layout does not offer it.
    fn concrete(
        &self,
        ctx: &RoundCtx<'_>,
        place: &TestPosition,
        key: EventKey,
        rng: &mut Rng,
    ) -> Option<(Event, EventKey)> {
        if let Some((key, event)) = keys().into_iter().find(|(known, _)| *known == key) {
            return Some((event, key));
        }
        let known = self.state.model.layout(place.at?);
        let handled = *rng.pick(known.events(key))?;
        self.event(ctx, handled, rng).map(|(event, _)| (event, key))
    }

    /// Counts the input that was just performed for the state in which it ended. If the input is stored, each event of
    /// the state is appended to it. Returns whether the app is again where it was.
    pub(super) fn manifest(
        &mut self,
        ctx: &mut RoundCtx<'_>,
        place: &mut TestPosition,
        at: LayoutId,
    ) -> Result<bool, Stop> {
        let state = self.state.model.state(at);
        let hash = self.state.model.hash_of(&place.performed);
        let input = self.state.model.next_input(&place.performed);
        let inputs = self.state.model.inputs.entry(state).or_default();
        inputs.count += 1;
        if inputs.continued >= MAX_INPUTS || !self.state.model.inputs_seen.insert(hash) {
            return Ok(true);
        }
        place.performed.is_input = true;
        inputs.continued += 1;
        let number = inputs.kept.len();
        inputs.kept.push(input);
        let chosen = self.choose_appended(ctx, at);
        let saved = ctx.save()?;
        let mut result = self.append_all(ctx, &saved, (state, number, at), &chosen).map(|()| false);
        if result.is_ok() {
            let back = ctx.restore(&saved);
            result = back.map(|back| back && self.state.model.find(&ctx.frame().layout) == Some(at));
        }
        ctx.forget(saved);
        result
    }

    fn append_all(
        &mut self,
        ctx: &mut RoundCtx<'_>,
        saved: &StateSnapshot,
        (state, input, before): (StateKey, usize, LayoutId),
        chosen: &[Handled],
    ) -> Result<(), Stop> {
        let mut rng = ctx.rng.fork("append");
        for (nth, handled) in chosen.iter().enumerate() {
            // A run that ends in another state is no behaviour of this one.
            if nth > 0 && (!ctx.restore(saved)? || self.state.model.find(&ctx.frame().layout) != Some(before))
            {
                return Ok(());
            }
            let Some((event, typed)) = self.event(ctx, *handled, &mut rng) else { continue };
            let mut place = TestPosition { at: Some(before), ..TestPosition::default() };
            let Some(after) = self.act(ctx, &mut place, event, handled.key)? else { continue };
            self.state.counts.appended += 1;
            let typed = typed.map(Text::from);
            let key = typed.as_ref().map_or(handled.key, |text| handled.key.typing(text));
            let behaviours = self.state.model.behaviours.entry((state, key)).or_default();
            if behaviours.len() < MAX_BEHAVIOURS {
                behaviours.push(Appended { input, before, receiver: handled.receiver, typed, after });
            }
        }
        Ok(())
    }

    /// The events that are appended to an input: some receivers of each key, the keys with the fewest behaviours first.
    fn choose_appended(&self, ctx: &RoundCtx<'_>, at: LayoutId) -> Vec<Handled> {
        let mut rng = ctx.rng.fork("receivers");
        let known = self.state.model.layout(at);
        let allowed = self.allowed(ctx, known);
        let mut keys: Vec<Vec<Handled>> =
            allowed.chunk_by(|one, other| one.key == other.key).map(<[Handled]>::to_vec).collect();
        let served = |events: &Vec<Handled>| {
            let key = events.first().map(|event| (known.state, event.key));
            let behaviours = key.and_then(|key| self.state.model.behaviours.get(&key));
            (behaviours.map_or(0, Vec::len), key)
        };
        keys.sort_by_key(served);
        let mut chosen = Vec::new();
        for mut events in keys {
            for _ in 0..self.config.receivers.min(events.len()) {
                let drawn = rng.below(events.len());
                chosen.push(events.swap_remove(drawn));
            }
        }
        chosen.truncate(APPENDED);
        chosen
    }
}
