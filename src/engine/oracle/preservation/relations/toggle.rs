//! Switching something on and off again, or off and on.

use super::super::relation::{COMMON, FOUND, Found, Relation, Way, tapped};
use super::super::{Aspect, RowChange, is_open};
use super::cancel::selecting;
use taproof_screen::{Event, Gesture, Layout, Widget, WidgetFlags, event_on, touched_widget};

fn is_switch(widget: &Widget) -> bool {
    let has = |flag| widget.flags.has(flag);
    has(WidgetFlags::CHECKABLE) && has(WidgetFlags::CLICKABLE) && has(WidgetFlags::ENABLED)
}

/// One of several of which one is chosen: another tap does not take the first one back.
fn is_radio(widget: &Widget) -> bool {
    widget.class.ends_with("RadioButton")
}

fn checked(layout: &Layout) -> usize {
    layout.iter().filter(|(_, widget)| widget.flags.has(WidgetFlags::CHECKED)).count()
}

/// What stands in the row of the widget that an event is for: rows move when something in them changes.
fn row_of(event: &Event, layout: &Layout) -> Option<Vec<String>> {
    let row = layout.list_item_around(touched_widget(event, layout)?);
    Some(row.into_iter().flat_map(|row| layout.texts_in(row)).map(|text| text.to_string()).collect())
}

pub static RELATION: Relation = Relation {
    name: "toggle",
    title: "Switching something and back",
    by_hand: "tap it, and tap it again",
    source: "SetDroid (ISSTA 2021)",
    way: Way::Found(Found {
        way: |place, rng| {
            // In a selection, boxes often select the row.
            let switch = place
                .widget(rng, |_, widget| is_switch(widget) && !is_radio(widget))
                .filter(|_| !selecting(place.layout))?;
            let tap = event_on(place.layout, switch, Gesture::Tap)?;
            Some(vec![tap.clone(), tap])
        },
        is_way: |events| match events {
            [first, second] => match (tapped(first), tapped(second)) {
                (Some(first), Some(second)) => first.selector == second.selector,
                _ => false,
            },
            _ => false,
        },
        // Before the second tap: nothing else was switched with it, and it is still the same one.
        goes_on: |next, screen| {
            let (from, now) = (screen.from, screen.layout);
            (screen.gone == 0 && !selecting(now))
                || (screen.is_where_it_began()
                    && is_open(from) == is_open(now)
                    && checked(from).abs_diff(checked(now)) == 1
                    && row_of(next, from) == row_of(next, now))
        },
        ..FOUND
    }),
    // What was changed last may come first.
    keeps: |difference, _| !matches!(difference.aspect, Aspect::Page) && difference.rows != RowChange::Order,
    ..COMMON
};
