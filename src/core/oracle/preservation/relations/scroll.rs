//! Scrolling a list away and back.

use super::super::relation::{Effect, Found, Relation, Way, always, at_once, data_and_input, wherever};
use crate::model::{Direction, Event, Gesture, event_on};

pub static RELATION: Relation = Relation {
    name: "scroll",
    title: "Scrolling away and back",
    by_hand: "scroll away and back",
    source: "Quantum (ICST 2014)",
    needs: "nothing",
    effect: Effect::Other,
    parts: &[],
    way: Way::Found(Found {
        way: |place, rng| {
            let list = place.widget(rng, |_, widget| widget.scrollable())?;
            let swipe = |way| event_on(place.layout, list, Gesture::Swipe(way));
            [Direction::Up, Direction::Down].map(swipe).into_iter().collect()
        },
        is_way: |events| {
            let swipes = |event: &Event, way| matches!(event, Event::Widget { gesture: Gesture::Swipe(to), .. } if *to == way);
            matches!(events, [away, back] if swipes(away, Direction::Up) && swipes(back, Direction::Down))
        },
        goes_on: always,
        ends: at_once,
        counts: wherever,
    }),
    keeps: data_and_input,
};
