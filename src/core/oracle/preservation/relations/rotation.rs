//! Turning the phone and back recreates the activity twice.

use super::super::relation::{Relation, Way, everything};
use crate::model::Event;

static WAY: [Event; 2] = [Event::Rotate, Event::Rotate];

pub static RELATION: Relation = Relation {
    name: "rotation",
    title: "Turning the phone and back",
    by_hand: "turn the phone to landscape and back to portrait",
    source: "Quantum (Zaeem, Prasad, Khurshid; ICST 2014), Thor (Adamsen, Mezzetti, M\u{f8}ller; ISSTA 2015)",
    needs: "a screen that rotates",
    recreates: true,
    way: Way::Fixed(&WAY),
    keeps: everything,
};
