//! Writing into an empty field, such as that of a search, and clearing it again.

use super::super::Aspect;
use super::super::relation::{Found, Relation, Way, at_once};
use crate::model::{Event, Gesture, WidgetFlags, WidgetIdx, event_on};

/// A search for it finds nothing.
const WRITTEN: &str = "qz";

fn writes(event: &Event, text: &str) -> bool {
    matches!(event, Event::Widget { gesture: Gesture::SetText(written), .. } if written == text)
}

pub static RELATION: Relation = Relation {
    name: "clear",
    title: "Writing into a field and clearing it again",
    by_hand: "type something into the empty field, and delete it again",
    source: "Quantum (ICST 2014)",
    needs: "nothing",
    recreates: false,
    way: Way::Found(Found {
        way: |place, rng| {
            let layout = place.layout;
            let fields: Vec<WidgetIdx> = layout
                .iter()
                .filter(|(_, widget)| {
                    let enabled = widget.flags.has(WidgetFlags::ENABLED);
                    widget.is_editable() && enabled && widget.text.is_empty() && &*widget.package == place.app
                })
                .map(|(idx, _)| idx)
                .collect();
            let field = *rng.pick(&fields)?;
            [WRITTEN, ""]
                .map(|text| event_on(layout, field, Gesture::SetText(text.to_owned())))
                .into_iter()
                .collect()
        },
        is_way: |events| matches!(events, [first, second] if writes(first, WRITTEN) && writes(second, "")),
        goes_on: |_, screen| screen.is_where_it_began(),
        ends: at_once,
    }),
    // A message below the field, or the field that it was.
    keeps: |difference, _| matches!(difference.aspect, Aspect::Rows | Aspect::Checked | Aspect::Typed),
};
