//! Switching the screen off and on again stops the activity, and the lock screen comes in front of it.

use super::super::relation::{Relation, Way, everything};
use crate::model::{Event, SystemEvent};

static WAY: [Event; 1] = [Event::System(SystemEvent::ScreenOff)];

pub static RELATION: Relation = Relation {
    name: "screen-off",
    title: "Switching the screen off and on",
    by_hand: "press the power button, press it again, and unlock the phone",
    source: "Quantum (ICST 2014), Thor (ISSTA 2015)",
    needs: "a lock screen without a PIN, a pattern or a password",
    recreates: false,
    way: Way::Fixed(&WAY),
    keeps: everything,
};
