//! Taking back what was done last, and doing it again.

use super::super::relation::{Effect, Found, Relation, Way, at_once, tapped, wherever};
use super::undo::{keeps_data_and_fields, takes_back, undo_offered};
use crate::model::{Event, Gesture, event_on};

/// Whether the event does the same when it is repeated from the same state.
fn is_action(event: &Event) -> bool {
    match event {
        Event::Widget { target, gesture } => {
            matches!(gesture, Gesture::Tap | Gesture::LongPress | Gesture::SetText(_)) && !takes_back(target)
        }
        _ => false,
    }
}

pub static RELATION: Relation = Relation {
    name: "redo",
    title: "Undoing an action and doing it again",
    by_hand: "tap Undo, and do again what was undone",
    source: "Quantum (ICST 2014)",
    needs: "a screen that offers Undo",
    effect: Effect::Other,
    way: Way::Found(Found {
        way: |place, _| {
            let action = place.undoable.filter(|event| is_action(event))?;
            let undo = event_on(place.layout, undo_offered(place.layout)?, Gesture::Tap)?;
            Some(vec![undo, action.clone()])
        },
        is_way: |events| match events {
            [undo, action] => tapped(undo).is_some_and(takes_back) && is_action(action),
            _ => false,
        },
        // The action may have been the first, after which nothing can be undone.
        goes_on: |_, screen| screen.is_where_it_began(),
        ends: at_once,
        counts: wherever,
    }),
    keeps: keeps_data_and_fields,
};
