//! Selecting a row by a long press and leaving the selection.

use super::super::is_open;
use super::super::relation::{BACK, COMMON, FOUND, Found, Relation, Way, and_back, data_and_input};
use super::cancel::selecting;
use taproof_screen::{Event, Gesture, Widget, event_on};

/// Whether it is a long press.
pub(super) fn is_press(event: &Event) -> bool {
    matches!(event, Event::Widget { gesture: Gesture::LongPress, .. })
}

pub static RELATION: Relation = Relation {
    name: "select",
    title: "Selecting a row and leaving the selection",
    by_hand: "press a row long, and press Back",
    way: Way::Found(Found {
        way: |place, rng| {
            let layout = place.layout;
            let is_row =
                |idx, widget: &Widget| widget.long_clickable() && layout.list_item_around(idx).is_some();
            let row = place.widget(rng, is_row).filter(|_| !selecting(layout))?;
            Some(vec![event_on(layout, row, Gesture::LongPress)?, BACK])
        },
        is_way: |events| and_back(events, is_press),
        // The press may have done something else.
        goes_on: |next, screen| {
            (*next != BACK && !selecting(screen.layout))
                || (screen.is_where_it_began() && (is_open(screen.layout) || selecting(screen.layout)))
        },
        ends: |screen| (screen.is_where_it_began() && selecting(screen.layout)).then_some(BACK),
        ..FOUND
    }),
    keeps: data_and_input,
    ..COMMON
};
