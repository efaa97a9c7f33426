//! Going through the device's languages and back to the first.

use super::super::relation::{Relation, Way, everything};
use crate::model::{Event, SystemEvent};

const NEXT: Event = Event::System(SystemEvent::Locale);
/// The bundled phone has three languages.
static WAY: [Event; 3] = [NEXT, NEXT, NEXT];

pub static RELATION: Relation = Relation {
    name: "language",
    title: "Changing the language and back",
    by_hand: "change the language in the system\u{2019}s settings and back, with the app open",
    source: "SetDroid (ISSTA 2021)",
    needs: "a phone whose language can be changed: the bundled one, none through adb",
    recreates: true,
    way: Way::Fixed(&WAY),
    keeps: everything,
};
