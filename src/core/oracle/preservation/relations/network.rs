//! Losing the network and getting it back.

use super::super::relation::{Relation, Way, everything};
use crate::model::{Event, SystemEvent};

static WAY: [Event; 2] = [Event::System(SystemEvent::NetworkOff), Event::System(SystemEvent::NetworkOn)];

pub static RELATION: Relation = Relation {
    name: "network",
    title: "Losing the network and getting it back",
    by_hand: "switch Wi-Fi and mobile data off and on again",
    source: "Thor (ISSTA 2015), SetDroid (ISSTA 2021)",
    needs: "a device that adb does not reach through the network",
    recreates: false,
    way: Way::Fixed(&WAY),
    keeps: everything,
};
