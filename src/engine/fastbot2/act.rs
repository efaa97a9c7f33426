//! From a chosen action to an event: on which of several equal widgets, at which point of it, with which text.

use super::choose::{Chosen, Tier};
use super::learner::{Pending, step_size};
use super::memory::StateIdx;
use super::page::PageAction;
use super::rules::RulesOnPage;
use super::{Decision, Fastbot2, Fastbot2State};
use taproof_screen::determinism::Rng;
use taproof_screen::{Event, Gesture, Key, Layout, PxPoint, PxRect, WidgetIdx, event_at, event_on};
use taproof_spec::{ActionKind, Block, BlockedTouches, ScriptAction};

/// Number of draws of a point on a widget before its centre is taken.
const POINT_TRIES: usize = 10;

impl Fastbot2 {
    /// Tier 0: the next event of a user-defined sequence, if one applies to this page.
    pub(super) fn scripted(&mut self, layout: &Layout) -> Option<Decision> {
        let Fastbot2State { script, matches, log, .. } = &mut self.state;
        let (action, widget) =
            script.next(&self.config.rules.sequences, layout, matches, &mut self.chance.choice)?;
        log.count(Tier::Scripted);
        Some(match (action, widget) {
            (ScriptAction::On { kind, text, .. }, Some(idx)) => {
                Decision::Perform(scripted_event(layout, idx, *kind, text.as_deref())?)
            }
            (ScriptAction::On { .. }, None) => return None,
            (ScriptAction::Back, _) => Decision::Perform(Event::Key(Key::Back)),
            (ScriptAction::Restart, _) => Decision::Perform(Event::Relaunch),
            (ScriptAction::CleanRestart, _) => Decision::EndTest,
        })
    }

    /// Turns the chosen action into an event, and counts it.
    pub(super) fn carry_out(
        &mut self,
        layout: &Layout,
        limits: (&RulesOnPage<'_>, &[Block]),
        state: StateIdx,
        chosen: Chosen,
    ) -> Event {
        let action = self.page.actions[self.candidates[chosen.index].action];
        let instance = self.count(layout, state, &chosen, &action);
        let Some(idx) = self.page.widgets(&action).nth(instance) else { return Event::Key(Key::Back) };
        let places = &mut self.chance.places;
        match action.kind {
            ActionKind::Back => Event::Key(Key::Back),
            ActionKind::Scroll(direction) => {
                event_on(layout, idx, Gesture::Swipe(direction)).unwrap_or(Event::Key(Key::Back))
            }
            ActionKind::LongClick => {
                let at = point_on(layout, idx, limits, self.by_rules.random_click, places);
                event_at(layout, idx, at, Gesture::LongPress)
            }
            ActionKind::Click => {
                let field = (self.page.widget_key(&action), instance);
                let editable = layout.widget(idx).is_text_field();
                let (typing, texts) = (&mut self.state.typing, &mut self.chance.texts);
                let text = editable
                    .then(|| typing.text(layout, idx, field, &self.by_rules, &self.config.rules, texts))
                    .flatten();
                let gesture = text.map_or(Gesture::Tap, Gesture::SetText);
                let at = point_on(layout, idx, limits, self.by_rules.random_click, places);
                event_at(layout, idx, at, gesture)
            }
        }
    }

    /// Counts the event. Returns the index of the equal widget that it is performed on.
    fn count(&mut self, layout: &Layout, state: StateIdx, chosen: &Chosen, action: &PageAction) -> usize {
        let Fastbot2State { knowledge, states, chain, pending, pages, log, .. } = &mut self.state;
        let event = knowledge.intern(self.page.event(layout, action));
        // Of several equal widgets, the one that was used least in this state; among those, any.
        let least =
            (0..action.widgets as usize).map(|instance| states.times_on(state, event, instance)).min();
        let instances: Vec<usize> = (0..action.widgets as usize)
            .filter(|instance| Some(states.times_on(state, event, *instance)) == least)
            .collect();
        let instance = self.chance.places.pick(&instances).copied().unwrap_or(0);
        states.count(state, event, instance);
        let record = knowledge.event_mut(event);
        *pending = Some(Pending { event, state, known: record.known(), expected: record.expected() });
        record.met = true;
        record.done += 1;
        record.guided += u32::from(chosen.tier == Tier::Guided);
        chain.push(event, step_size(*pages), knowledge);
        log.log(event, chosen);
        instance
    }
}

fn scripted_event(layout: &Layout, idx: WidgetIdx, kind: ActionKind, text: Option<&str>) -> Option<Event> {
    match (kind, text) {
        (ActionKind::Back, _) => Some(Event::Key(Key::Back)),
        (ActionKind::Click, Some(text)) => event_on(layout, idx, Gesture::SetText(text.to_owned())),
        (ActionKind::Click, None) => event_on(layout, idx, Gesture::Tap),
        (ActionKind::LongClick, _) => event_on(layout, idx, Gesture::LongPress),
        (ActionKind::Scroll(direction), _) => event_on(layout, idx, Gesture::Swipe(direction)),
    }
}

/// A point at which a touch reaches the widget itself: not a button in it or over it, and nothing that a rule or a
/// block forbids.
pub(super) fn point_on(
    layout: &Layout,
    idx: WidgetIdx,
    (rules, blocks): (&RulesOnPage<'_>, &[Block]),
    random: bool,
    rng: &mut Rng,
) -> PxPoint {
    let screen = PxRect::new(0, 0, layout.screen().width, layout.screen().height);
    let bounds = layout.widget(idx).bounds.intersect(&screen);
    let blocked = BlockedTouches::new(blocks, layout);
    let touches = blocked.touches();
    let own = |point: PxPoint| {
        touches.touch_reaches(idx, point) && touches.taker_at(point).is_none_or(|taker| taker <= idx)
    };
    let fits = |point: &PxPoint| {
        !rules.blocks_point(*point) && own(*point) && !blocked.forbid(idx, *point, &Gesture::Tap)
    };
    let any = |rng: &mut Rng| PxPoint {
        x: bounds.left + rng.below(bounds.width() as usize) as i32,
        y: bounds.top + rng.below(bounds.height() as usize) as i32,
    };
    let drawn = if random { (0..POINT_TRIES).map(|_| any(rng)).find(fits) } else { None };
    drawn.or_else(|| touches.touch_point(idx).ok()).unwrap_or_else(|| bounds.center())
}
