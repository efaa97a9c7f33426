//! Opening a menu, a dialog or another page and going back without having done anything there.

use super::super::is_open;
use super::super::relation::{BACK, Found, Relation, Way, and_back, data_and_input, tapped};
use crate::model::{Layout, Widget, WidgetFlags, is_of_app};

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
    source: "Quantum (ICST 2014)",
    needs: "nothing",
    recreates: false,
    way: Way::Found(Found {
        way: |place, rng| {
            let opener = rng.pick(&place.known.openers).filter(|_| !selecting(place.layout))?;
            Some(vec![opener.clone(), BACK])
        },
        is_way: |events| and_back(events, |first| tapped(first).is_some()),
        // The tap may have done something else this time.
        goes_on: |next, screen| {
            *next != BACK
                || is_open(screen.layout)
                || (!screen.is_where_it_began() && is_of_app(screen.layout.package(), screen.app))
        },
        // The first Back may only have closed the keyboard.
        ends: |screen| {
            (is_open(screen.layout) && !is_open(screen.from) && screen.is_where_it_began()).then_some(BACK)
        },
    }),
    keeps: data_and_input,
};
