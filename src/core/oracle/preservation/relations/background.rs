//! Leaving the app by Home and coming back.

use super::super::relation::{Relation, Way, everything};
use crate::model::{Event, SystemEvent};

static WAY: [Event; 1] = [Event::System(SystemEvent::Background)];

pub static RELATION: Relation = Relation {
    name: "background",
    title: "Leaving the app and coming back",
    by_hand: "press Home and open the app again from the recent apps",
    source: "Quantum (ICST 2014), Thor (ISSTA 2015)",
    needs: "nothing",
    recreates: false,
    way: Way::Fixed(&WAY),
    keeps: everything,
};
