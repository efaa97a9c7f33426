//! A phone call in front of the app that is declined.

use super::super::relation::{Found, Relation, Way, and_dismissed, dismissed, dismisses, everything};
use crate::model::{Event, SystemEvent};

const HAPPENS: SystemEvent = SystemEvent::IncomingCall;

pub static RELATION: Relation = Relation {
    name: "call",
    title: "Declining a phone call",
    by_hand: "let somebody call, and decline",
    source: "Thor (ISSTA 2015)",
    needs: "a phone that can be called: the bundled one",
    recreates: false,
    way: Way::Found(Found {
        way: |_, _| Some(vec![Event::System(HAPPENS)]),
        is_way: |events| and_dismissed(events, HAPPENS),
        goes_on: dismisses,
        ends: dismissed,
    }),
    keeps: everything,
};
