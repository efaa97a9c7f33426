//! Calibration and manifesting (odin.md 3 and 4): a walk to a state that has too few inputs, and from a snapshot of
//! its end each event that the state handles. Wherever the walk really ends, there it counts.

use super::model::{Appended, Input};
use super::{Event, EventKey, Odin, Place, RoundCtx, Stop, keys};
use crate::determinism::Rng;
use crate::engine::Saved;
use crate::model::{StepRole, Text};
use crate::oracle::may_belief::{Handled, LayoutId, StateKey, Way};

impl Odin {
    /// One walk, continued by the events of the state that it ends in.
    pub(super) fn calibrate(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        let mut rng = ctx.rng.fork("walk");
        let Some(plan) = self.plan(&mut rng) else { return self.explore(ctx) };
        self.state.counts.walks += 1;
        let mut place = self.begin(ctx)?;
        for key in plan {
            let Some((event, key)) = self.concrete(ctx, &place, key, &mut rng) else { break };
            self.act(ctx, &mut place, event, key)?;
        }
        match place.at {
            Some(at) => self.manifest(ctx, place, at),
            None => Ok(()),
        }
    }

    /// A walk towards the state with the fewest inputs, or the next one where no walk is found.
    fn plan(&mut self, rng: &mut Rng) -> Option<Vec<EventKey>> {
        self.state.model.remine(self.config.merging);
        loop {
            let goal = self.state.model.least_served(&self.config)?;
            let nodes = self.state.model.nodes_of(goal);
            match self.state.model.plan_walk(&nodes, &self.config, rng) {
                Some(plan) => return Some(plan),
                None => self.state.model.inputs.entry(goal).or_default().missed += 1,
            }
        }
    }

    /// A recorded event on the layout in front: on any of its receivers. `None` if it is not offered.
    fn concrete(
        &self,
        ctx: &RoundCtx<'_>,
        place: &Place,
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

    /// The input that was just performed counts for the state where it ended; if it is kept, each event of the
    /// state is appended to it.
    pub(super) fn manifest(
        &mut self,
        ctx: &mut RoundCtx<'_>,
        place: Place,
        at: LayoutId,
    ) -> Result<(), Stop> {
        let state = self.state.model.state(at);
        let steps = ctx.trace().steps().iter().filter(|step| step.role != StepRole::Appended);
        let input =
            Input { events: steps.map(|step| step.event.clone()).collect(), way: place.way.features() };
        let inputs = self.state.model.inputs.entry(state).or_default();
        inputs.count += 1;
        if inputs.kept.len() >= self.config.max_inputs {
            return Ok(());
        }
        let number = inputs.kept.len();
        inputs.kept.push(input);
        let chosen = self.choose_appended(ctx, at);
        let saved = ctx.save()?;
        let result = self.append_all(ctx, &saved, (state, number, at), &chosen);
        ctx.forget(saved);
        result
    }

    fn append_all(
        &mut self,
        ctx: &mut RoundCtx<'_>,
        saved: &Saved,
        (state, input, before): (StateKey, usize, LayoutId),
        chosen: &[Handled],
    ) -> Result<(), Stop> {
        let mut rng = ctx.rng.fork("append");
        for (nth, handled) in chosen.iter().enumerate() {
            // A run that ends elsewhere is no behaviour of this state.
            if nth > 0 && (!ctx.restore(saved)? || self.state.model.find(&ctx.frame().layout) != Some(before))
            {
                return Ok(());
            }
            let Some((event, typed)) = self.event(ctx, *handled, &mut rng) else { continue };
            let mut place = Place { at: Some(before), way: Way::default() };
            let Some(after) = self.act(ctx, &mut place, event, handled.key)? else { continue };
            self.state.counts.appended += 1;
            let typed = typed.map(Text::from);
            let key = typed.as_ref().map_or(handled.key, |text| handled.key.typing(text));
            let behaviours = self.state.model.behaviours.entry((state, key)).or_default();
            if behaviours.len() < self.config.max_behaviours {
                behaviours.push(Appended { input, before, receiver: handled.receiver, typed, after });
            }
        }
        Ok(())
    }

    /// The events that are appended to an input: of each key some receivers, the keys with the fewest behaviours
    /// first.
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
        chosen.truncate(self.config.appended);
        chosen
    }
}
