//! Another app in half of the screen recreates the activity in a smaller window.

use super::super::relation::{Relation, Way, everything};
use crate::model::{Event, SystemEvent};

static WAY: [Event; 2] = [Event::System(SystemEvent::SplitScreen), Event::System(SystemEvent::SplitScreen)];

pub static RELATION: Relation = Relation {
    name: "split-screen",
    title: "Splitting the screen and back",
    by_hand: "show another app beside this one on a split screen, and close it again",
    source: "SetDroid (ISSTA 2021)",
    needs: "a phone whose screen can be split: the bundled one, none through adb",
    recreates: true,
    way: Way::Fixed(&WAY),
    keeps: everything,
};
