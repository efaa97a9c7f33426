//! Making the system's texts larger and normal again recreates the activity.

use super::super::relation::{Relation, Way, everything};
use crate::model::{Event, SystemEvent};

static WAY: [Event; 2] = [Event::System(SystemEvent::FontScale), Event::System(SystemEvent::FontScale)];

pub static RELATION: Relation = Relation {
    name: "font-scale",
    title: "Changing the size of texts and back",
    by_hand: "change the font size in the system\u{2019}s settings and back, with the app open",
    source: "SetDroid (ISSTA 2021)",
    needs: "nothing",
    recreates: true,
    way: Way::Fixed(&WAY),
    keeps: everything,
};
