//! A phone call in front of the app that is declined.

use super::super::relation::{Relation, everything};
use crate::model::{Event, Key, SystemEvent};

const HAPPENS: Event = Event::System(SystemEvent::IncomingCall);
const BACK: Event = Event::Key(Key::Back);

pub static RELATION: Relation = Relation {
    name: "call",
    title: "Declining a phone call",
    by_hand: "let somebody call, and decline",
    source: "Thor (ISSTA 2015)",
    needs: "a phone that can be called: the bundled one",
    recreates: false,
    way: |_| Some(vec![HAPPENS]),
    is_way: |events| {
        let (first, rest) = (events.first(), events.get(1..).unwrap_or_default());
        first == Some(&HAPPENS) && rest.iter().all(|event| *event == BACK)
    },
    goes_on: |next, screen| *next != BACK || screen.covered(),
    ends: |screen| screen.covered().then_some(BACK),
    keeps: everything,
};
