//! Scrolling a list away and back.

use super::super::relation::{COMMON, FOUND, Found, Relation, Way, data_and_input};
use taproof_screen::{Direction, Event, Gesture, event_on};

pub static RELATION: Relation = Relation {
    name: "scroll",
    title: "Scrolling away and back",
    by_hand: "scroll away and back",
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
        ..FOUND
    }),
    keeps: data_and_input,
    ..COMMON
};
