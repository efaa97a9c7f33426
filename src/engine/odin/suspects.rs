//! Suspects, and their replays from a fresh start: a finding must be reproduced before it is reported (paper.md,
//! section 12).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::model::Appended;
use super::view::EventView;
use super::{EventKey, Odin, RoundCtx, StateKey, Stop};
use crate::Replay;
use crate::oracle::may_belief::{
    Anomaly, Fingerprint, KnownLayout, LATER, MOST_WITNESSES, MinorityRule, Past, behaviour_clause,
    blind_fingerprint, elsewhere, event_words, explain_difference, judge_behaviours, minority_violation,
    structures,
};
use crate::oracle::{Comparison, ComparisonRule};
use taproof_screen::determinism::DeviceDuration;
use taproof_screen::{Event, StepRole, Trace, Verdict, Violation, event_on};

/// Number of replays of a suspect, and of those that must show the violation (not in the paper; paper.md, section 12).
const REPLAYS: u32 = 3;
const REPLAYS_NEEDED: u32 = 2;

/// What names a minority outcome: the event, and a hash of the outcome without texts.
pub(super) type MinorityName = (EventKey, u64);

/// A minority outcome that is still to be replayed.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Suspect {
    state: StateKey,
    event: EventKey,
    anomaly: Anomaly,
    name: MinorityName,
    /// Whether another test was suspected of the same before. It only shows whether that is seen twice.
    further: bool,
    /// The behaviour that shows it, and a believed one.
    witness: usize,
    reference: usize,
    /// Indices of the inputs after which it shows.
    inputs: BTreeSet<usize>,
    violation: Violation,
}

impl Odin {
    /// Judges the events of all states with at least this many inputs, and queues the suspects.
    pub(super) fn look(&mut self, ctx: &RoundCtx<'_>, inputs: usize) -> Result<(), Stop> {
        let model = &self.state.model;
        let enough = |state: &StateKey| model.inputs.get(state).is_some_and(|known| known.count >= inputs);
        let least = self.config.judging().anomaly.min_behaviours;
        let due: Vec<(StateKey, EventKey)> = model
            .behaviours
            .iter()
            .filter(|((state, _), behaviours)| enough(state) && behaviours.len() >= least)
            .map(|(place, _)| *place)
            .collect();
        let pasts = model.pasts();
        let usual = |(state, event): &(StateKey, EventKey)| {
            structures(&model.behaviours_of(*state, *event, &pasts), &model.volatile, &self.config.judging())
        };
        let usual: BTreeMap<_, _> = due.iter().map(|place| (*place, usual(place))).collect();
        for (state, event) in due {
            ctx.still_wanted()?;
            self.look_at(state, event, &elsewhere(&usual, state, event), &pasts);
        }
        // What is confirmed by further tests must have been seen in a first one.
        self.state.suspects.make_contiguous().sort_by_key(|suspect| suspect.further);
        Ok(())
    }

    fn look_at(
        &mut self,
        state: StateKey,
        event: EventKey,
        usual: &BTreeSet<Fingerprint>,
        pasts: &[Vec<Past>],
    ) {
        let model = &self.state.model;
        let behaviours = model.behaviours_of(state, event, pasts);
        if self.state.views.get(&(state, event)).is_some_and(|view| view.behaviours() == behaviours.len()) {
            return;
        }
        let judged = judge_behaviours(&behaviours, &model.volatile, usual, &self.config.judging());
        let words = behaviours.first().map_or_else(String::new, |first| event_words(first, event));
        for anomaly in &judged.anomalies {
            self.state.counts.stood_out += 1;
            let judging = &self.config.judging();
            let blind =
                blind_fingerprint(&behaviours[anomaly.witness], anomaly.rules, &model.volatile, judging);
            // Which row was acted on is the same outcome everywhere, so that one state does not speak for the others.
            let outcome = if anomaly.rules.rows { blind.0 ^ state.0 } else { blind.0 };
            let members = &anomaly.members;
            let counts = (behaviours.len(), anomaly.believed, members.len());
            let inputs: BTreeSet<usize> = members.iter().map(|member| behaviours[*member].input).collect();
            let known = self.state.replayed.entry((event, outcome)).or_default();
            let first = (anomaly.witness, anomaly.reference);
            for (witness, reference) in std::iter::once(first).chain(anomaly.further.iter().copied()) {
                let input = (state, behaviours[witness].input);
                if known.len() >= MOST_WITNESSES || !known.insert(input) {
                    continue;
                }
                let mut violation = minority_violation(words.clone(), blind, counts);
                let [expected, seen] = [reference, witness].map(|place| &behaviours[place]);
                explain_difference(expected, seen, anomaly.rules, &model.volatile, judging)
                    .write_to(&behaviour_clause(seen, event), &mut violation);
                self.state.suspects.push_back(Suspect {
                    state,
                    event,
                    name: (event, outcome),
                    further: known.len() > 1,
                    witness,
                    reference,
                    anomaly: anomaly.clone(),
                    inputs: inputs.clone(),
                    violation,
                });
            }
        }
        let activity = behaviours[0].before.layout.activity().to_string();
        self.state.views.insert((state, event), EventView::new(activity, words, &judged));
    }

    /// Replays one suspect: the reference once, and the witness until it was reproduced often enough or cannot be any
    /// more.
    pub(super) fn replay(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        let Some(suspect) = self.state.suspects.pop_front() else { return Ok(()) };
        if self.is_settled(&suspect) {
            return Ok(());
        }
        let Suspect { state, event, anomaly, name, further, witness, reference, inputs, violation } = suspect;
        let rule = MinorityRule {
            app: ctx.target().app.clone(),
            state,
            rules: anomaly.rules,
            fingerprint: anomaly.fingerprint,
            beliefs: anomaly.beliefs.clone(),
            volatile: self.state.model.volatile.clone(),
            config: self.config.judging(),
            violation,
        };
        if !self.run(ctx, state, event, reference, DeviceDuration(0))? {
            return Ok(());
        }
        let believed = ctx.trace().clone();
        if self.comes_by_itself(ctx, &rule, event, witness)?
            || self.follows_from_time(ctx, &rule, event, (witness, reference))?
        {
            return Ok(());
        }
        let mut hits = 0;
        for _ in 0..REPLAYS {
            let done = self.run(ctx, state, event, witness, DeviceDuration(0))?;
            if done && let Verdict::Violated(violation) = rule.judge(ctx.trace(), &believed) {
                hits += 1;
                if hits >= REPLAYS_NEEDED {
                    self.state.counts.reported += u64::from(!further);
                    self.state.reported.push((name, state, inputs));
                    let rule = ComparisonRule::Minority(Box::new(rule));
                    ctx.report_with(violation, Comparison { reference: believed, rule });
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Whether the suspect need not be replayed. One wrong state of the app may show under several events, of which one is
    /// enough; and whether a further test shows the same is only asked of what was reported.
    fn is_settled(&self, suspect: &Suspect) -> bool {
        let mut reported = self.state.reported.iter();
        match suspect.further {
            true => reported.all(|(name, ..)| *name != suspect.name),
            false => reported
                .any(|(_, state, known)| *state == suspect.state && !known.is_disjoint(&suspect.inputs)),
        }
    }

    /// Whether time alone decides between the outcomes of these behaviours.
    fn follows_from_time(
        &mut self,
        ctx: &mut RoundCtx<'_>,
        rule: &MinorityRule,
        event: EventKey,
        (witness, reference): (usize, usize),
    ) -> Result<bool, Stop> {
        let mut later = |behaviour: usize| -> Result<Option<Trace>, Stop> {
            let done = self.run(ctx, rule.state, event, behaviour, LATER)?;
            Ok(done.then(|| ctx.trace().clone()))
        };
        let (witness, reference) = (later(witness)?, later(reference)?);
        Ok(rule.follows_from_time(witness.as_ref(), reference.as_ref()))
    }

    /// Whether waiting as long as the event took has the same outcome, which is then not caused by the event.
    fn comes_by_itself(
        &mut self,
        ctx: &mut RoundCtx<'_>,
        rule: &MinorityRule,
        event: EventKey,
        witness: usize,
    ) -> Result<bool, Stop> {
        let Some(event) = self.run_input(ctx, rule.state, event, witness)? else { return Ok(false) };
        let before = ctx.trace().len();
        let at = ctx.frame().at;
        match ctx.perform(event, StepRole::Explored) {
            Ok(()) | Err(Stop::TestOver) => {}
            Err(stop) => return Err(stop),
        }
        let witness = ctx.trace().clone();
        let took = ctx.frame().at.since(at);
        let events = witness.steps()[..before].iter().map(|step| step.event.clone());
        ctx.start()?;
        Replay::new(events, StepRole::Explored).run(ctx)?;
        ctx.perform(Event::Wait(took), StepRole::Explored)?;
        Ok(rule.comes_by_itself(&witness, ctx.frame()))
    }

    /// Runs the input of a behaviour with cleared data, and its event so much later. Returns false if the input ended in
    /// another state.
    fn run(
        &mut self,
        ctx: &mut RoundCtx<'_>,
        state: StateKey,
        event: EventKey,
        behaviour: usize,
        later: DeviceDuration,
    ) -> Result<bool, Stop> {
        let Some(mut event) = self.run_input(ctx, state, event, behaviour)? else { return Ok(false) };
        if later > DeviceDuration(0) {
            ctx.perform(Event::Wait(later), StepRole::Explored)?;
            event = event.aimed(&ctx.frame().layout);
        }
        match ctx.perform(event, StepRole::Explored) {
            Ok(()) | Err(Stop::TestOver) => Ok(true),
            Err(stop) => Err(stop),
        }
    }

    /// Runs the input of a behaviour with cleared data. Returns its event, or `None` if the input ended in another
    /// state.
    fn run_input(
        &mut self,
        ctx: &mut RoundCtx<'_>,
        state: StateKey,
        event: EventKey,
        behaviour: usize,
    ) -> Result<Option<Event>, Stop> {
        let appended = self.state.model.behaviours.get(&(state, event)).and_then(|all| all.get(behaviour));
        let Some(appended) = appended.cloned() else { return Ok(None) };
        let inputs = self.state.model.inputs.get(&state);
        let Some(input) = inputs.and_then(|inputs| inputs.kept.get(appended.input)) else { return Ok(None) };
        ctx.start()?;
        Replay::new(self.state.model.events_of(*input), StepRole::Explored).run(ctx)?;
        let known = KnownLayout::of(ctx.frame().layout.clone(), &ctx.target().app);
        let event = self.appended_event(&appended, event).filter(|_| known.state == state);
        Ok(event.map(|event| event.aimed(&known.layout)))
    }

    fn appended_event(&self, appended: &Appended, event: EventKey) -> Option<Event> {
        let known = self.state.model.layout(appended.before);
        let typed = appended.typed.as_deref().unwrap_or("");
        let handled = known.handled.iter().find(|handled| {
            handled.receiver == appended.receiver
                && (handled.key == event || handled.key.typing(typed) == event)
        })?;
        event_on(&known.layout, appended.receiver, handled.action.gesture(typed))
    }
}
