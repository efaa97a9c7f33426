//! Writing into an empty field, such as that of a search, and clearing it again.

use super::super::Aspect;
use super::super::relation::{COMMON, FOUND, Found, Relation, Way};
use taproof_screen::{Event, Gesture, WidgetFlags, event_on};

/// A search for it finds nothing.
const WRITTEN: &str = "qz";

/// Whether this text is written into a field.
pub(super) fn writes(event: &Event, text: &str) -> bool {
    matches!(event, Event::Widget { gesture: Gesture::SetText(written), .. } if written == text)
}

pub static RELATION: Relation = Relation {
    name: "clear",
    title: "Writing into a field and clearing it again",
    by_hand: "type something into the empty field, and delete it again",
    way: Way::Found(Found {
        way: |place, rng| {
            let field = place.widget(rng, |_, widget| {
                widget.is_editable() && widget.flags.has(WidgetFlags::ENABLED) && widget.text.is_empty()
            })?;
            let write = |text: &str| event_on(place.layout, field, Gesture::SetText(text.to_owned()));
            [WRITTEN, ""].map(write).into_iter().collect()
        },
        is_way: |events| matches!(events, [first, second] if writes(first, WRITTEN) && writes(second, "")),
        goes_on: |_, screen| screen.is_where_it_began(),
        ..FOUND
    }),
    // A message below the field, or the field that it was.
    keeps: |difference, _| matches!(difference.aspect, Aspect::Rows | Aspect::Checked | Aspect::Typed),
    ..COMMON
};
