//! The system's warning of a low battery in front of the app.

use super::super::relation::{Relation, everything};
use crate::model::{Event, Key, SystemEvent};

const HAPPENS: Event = Event::System(SystemEvent::LowBattery);
const BACK: Event = Event::Key(Key::Back);

pub static RELATION: Relation = Relation {
    name: "low-battery",
    title: "Dismissing the warning of a low battery",
    by_hand: "let the battery run low, and dismiss the warning",
    source: "Thor (ISSTA 2015)",
    needs: "a phone that shows the warning in front of apps: the bundled one",
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
