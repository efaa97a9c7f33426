//! The system destroys an activity in the background and keeps the process, as with the developer option "Don't keep activities".

use super::super::relation::{Relation, Way, everything};
use crate::model::{Event, SystemEvent};

static WAY: [Event; 1] = [Event::System(SystemEvent::ActivityDeath)];

pub static RELATION: Relation = Relation {
    name: "activity-death",
    title: "Coming back after the activity was destroyed in the background",
    by_hand: "switch on \u{201c}Don\u{2019}t keep activities\u{201d} in the developer options, press Home, and open the app again from the recent apps",
    source: "DLD (ISSTA 2020), Thor (ISSTA 2015)",
    needs: "a phone whose activities can be destroyed: the bundled one, none through adb",
    recreates: true,
    way: Way::Fixed(&WAY),
    keeps: everything,
};
