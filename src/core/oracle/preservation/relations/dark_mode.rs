//! Switching dark mode on and off recreates the activity like a rotation, at the same size.

use super::super::relation::{Relation, always, at_once, everything};
use crate::model::{Event, SystemEvent};

const WAY: [Event; 2] = [Event::System(SystemEvent::DarkMode), Event::System(SystemEvent::DarkMode)];

pub static RELATION: Relation = Relation {
    name: "dark-mode",
    title: "Switching dark mode and back",
    by_hand: "switch dark mode in the system\u{2019}s settings and back, with the app open",
    source: "SetDroid (Sun, Su, Liu, Li, Wang, Pu, Su; ISSTA 2021)",
    needs: "Android 10",
    recreates: true,
    way: |_, _| Some(WAY.to_vec()),
    is_way: |events| *events == WAY,
    goes_on: always,
    ends: at_once,
    keeps: everything,
};
