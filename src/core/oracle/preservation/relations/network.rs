//! Losing the network and getting it back.

use super::super::relation::{Relation, always, at_once, everything};
use crate::model::{Event, SystemEvent};

const WAY: [Event; 2] = [Event::System(SystemEvent::NetworkOff), Event::System(SystemEvent::NetworkOn)];

pub static RELATION: Relation = Relation {
    name: "network",
    title: "Losing the network and getting it back",
    by_hand: "switch Wi-Fi and mobile data off and on again",
    source: "Thor (ISSTA 2015), SetDroid (ISSTA 2021)",
    needs: "a device that adb does not reach through the network",
    recreates: false,
    way: |_, _| Some(WAY.to_vec()),
    is_way: |events| *events == WAY,
    goes_on: always,
    ends: at_once,
    keeps: everything,
};
