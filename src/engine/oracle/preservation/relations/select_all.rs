//! Selecting all rows of a list and leaving the selection.

use super::super::relation::{BACK, COMMON, FOUND, Found, Relation, Way, and_back, data_and_input, tapped};
use super::cancel::selecting;
use super::select::is_press;
use taproof_screen::{Layout, Widget, WidgetFlags, WidgetIdx};

/// What the action is called in the languages that are most common among apps.
const SELECT_ALL: [&str; 7] = [
    "select all",
    "seleccionar todo",
    "tout s\u{e9}lectionner",
    "alle ausw\u{e4}hlen",
    "selecionar tudo",
    "seleziona tutto",
    "\u{5168}\u{9009}",
];

/// The widget that selects all rows, if the app offers that.
pub fn select_all_offered(layout: &Layout) -> Option<WidgetIdx> {
    let says = |text: &str| SELECT_ALL.contains(&&*text.trim().to_lowercase());
    let offers = |widget: &Widget| {
        widget.flags.has(WidgetFlags::ENABLED)
            && !widget.flags.has(WidgetFlags::CHECKABLE)
            && (says(&widget.text) || says(&widget.content_desc))
    };
    layout.iter().find(|(_, widget)| offers(widget)).map(|(idx, _)| idx)
}

pub static RELATION: Relation = Relation {
    name: "select-all",
    title: "Selecting all rows and leaving the selection",
    by_hand: "press a row long, tap what selects all, and press Back",
    needs: "a selection that offers to select all",
    parts: &["select"],
    way: Way::Found(Found {
        way: |place, rng| {
            let all = rng.pick(&place.known.selecting_all).filter(|_| !selecting(place.layout))?;
            Some(all.iter().cloned().chain([BACK]).collect())
        },
        is_way: |events| match events.split_first() {
            Some((press, rest)) => is_press(press) && and_back(rest, |all| tapped(all).is_some()),
            None => false,
        },
        // The press may have done something else.
        goes_on: |_, screen| match screen.gone {
            0 => !selecting(screen.layout),
            _ => screen.is_where_it_began() && selecting(screen.layout),
        },
        ends: |screen| (screen.is_where_it_began() && selecting(screen.layout)).then_some(BACK),
        ..FOUND
    }),
    keeps: data_and_input,
    ..COMMON
};
