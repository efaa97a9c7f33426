//! Making the system's texts larger and normal again recreates the activity.

use super::super::relation::{Relation, always, at_once, everything};
use crate::model::{Event, SystemEvent};

const WAY: [Event; 2] = [Event::System(SystemEvent::FontScale), Event::System(SystemEvent::FontScale)];

pub static RELATION: Relation = Relation {
    name: "font-scale",
    title: "Changing the size of texts and back",
    by_hand: "change the font size in the system\u{2019}s settings and back, with the app open",
    source: "SetDroid (ISSTA 2021)",
    needs: "nothing",
    recreates: true,
    way: |_, _| Some(WAY.to_vec()),
    is_way: |events| *events == WAY,
    goes_on: always,
    ends: at_once,
    keeps: everything,
};
