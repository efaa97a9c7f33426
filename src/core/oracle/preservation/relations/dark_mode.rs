//! Switching dark mode on and off recreates the activity like a rotation, at the same size.

use super::super::relation::{Relation, Way, everything};
use crate::model::{Event, SystemEvent};

static WAY: [Event; 2] = [Event::System(SystemEvent::DarkMode), Event::System(SystemEvent::DarkMode)];

pub static RELATION: Relation = Relation {
    name: "dark-mode",
    title: "Switching dark mode and back",
    by_hand: "switch dark mode in the system\u{2019}s settings and back, with the app open",
    source: "SetDroid (Sun, Su, Liu, Li, Wang, Pu, Su; ISSTA 2021)",
    needs: "Android 10",
    recreates: true,
    way: Way::Fixed(&WAY),
    keeps: everything,
};
