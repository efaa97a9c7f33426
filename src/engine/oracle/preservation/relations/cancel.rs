//! Opening a menu, a dialog or another page and going back without having done anything there.

use super::super::Aspect;
use super::super::is_open;
use super::super::relation::{BACK, COMMON, Found, Relation, Way, and_back, tapped};
use taproof_screen::{Event, Layout, Widget, WidgetFlags, is_of_app};

/// Whether rows are selected. A list with one row may not look like a list, but what can be pressed long is a row. Android's guide has an action end the selection as soon as it is chosen.
pub(super) fn selecting(layout: &Layout) -> bool {
    let selected = |widget: &Widget| widget.flags.has(WidgetFlags::SELECTED);
    let is_row = |idx, widget: &Widget| layout.list_item_around(idx).is_some() || widget.long_clickable();
    layout.iter().any(|(idx, widget)| selected(widget) && is_row(idx, widget))
}

pub static RELATION: Relation = Relation {
    name: "cancel",
    title: "Opening something and going back",
    by_hand: "open it, and press Back without having done anything there",
    way: Way::Found(Found {
        way: |place, rng| {
            let opener = rng.pick(&place.known.openers).filter(|_| !selecting(place.layout))?;
            Some(opener.taps.iter().cloned().chain([BACK]).collect())
        },
        is_way: |events| {
            let is_tap = |event: &Event| tapped(event).is_some();
            let opened =
                events.split_first().is_some_and(|(menu, rest)| is_tap(menu) && and_back(rest, is_tap));
            opened || and_back(events, is_tap)
        },
        // The tap may have done something else this time.
        goes_on: |next, screen| {
            if *next != BACK {
                return match screen.gone {
                    0 => !selecting(screen.layout),
                    _ => is_open(screen.layout) && screen.is_where_it_began(),
                };
            }
            is_open(screen.layout)
                || (!screen.is_where_it_began()
                    && !screen.went_back()
                    && is_of_app(screen.layout.package(), screen.app))
        },
        // The first Back may only have closed the keyboard.
        ends: |screen| {
            let still_open = match screen.is_where_it_began() {
                true => is_open(screen.layout) && !is_open(screen.from),
                false => screen.is_what_it_opened() && is_of_app(screen.layout.package(), screen.app),
            };
            still_open.then_some(BACK)
        },
        // What was opened may have taken the place of the page. Where one activity has all pages, that cannot be told.
        counts: |screen| screen.is_where_it_began() || (screen.from.has_ids() && screen.opened_on_the_page()),
    }),
    // Titles and counts may follow what was looked at.
    keeps: |difference, _| difference.aspect != Aspect::Text,
    ..COMMON
};
