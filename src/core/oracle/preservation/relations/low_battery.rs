//! The system's warning of a low battery in front of the app.

use super::super::relation::{Found, Relation, Way, and_dismissed, dismissed, dismisses, everything};
use crate::model::{Event, SystemEvent};

const HAPPENS: SystemEvent = SystemEvent::LowBattery;

pub static RELATION: Relation = Relation {
    name: "low-battery",
    title: "Dismissing the warning of a low battery",
    by_hand: "let the battery run low, and dismiss the warning",
    source: "Thor (ISSTA 2015)",
    needs: "a phone that shows the warning in front of apps: the bundled one",
    recreates: false,
    way: Way::Found(Found {
        way: |_, _| Some(vec![Event::System(HAPPENS)]),
        is_way: |events| and_dismissed(events, HAPPENS),
        goes_on: dismisses,
        ends: dismissed,
    }),
    keeps: everything,
};
