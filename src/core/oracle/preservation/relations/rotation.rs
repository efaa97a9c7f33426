//! Turning the phone and back recreates the activity twice.

use super::super::relation::{Relation, always, at_once, everything};
use crate::model::Event;

pub static RELATION: Relation = Relation {
    name: "rotation",
    title: "Turning the phone and back",
    by_hand: "turn the phone to landscape and back to portrait",
    source: "Quantum (Zaeem, Prasad, Khurshid; ICST 2014), Thor (Adamsen, Mezzetti, M\u{f8}ller; ISSTA 2015)",
    needs: "a screen that rotates",
    recreates: true,
    way: |_, _| Some(vec![Event::Rotate, Event::Rotate]),
    is_way: |events| *events == [Event::Rotate, Event::Rotate],
    goes_on: always,
    ends: at_once,
    keeps: everything,
};
