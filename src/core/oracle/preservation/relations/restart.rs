//! Starting the app again after it was ended: what it stores is there.

use super::super::Aspect;
use super::super::relation::{Relation, always, at_once};
use crate::model::Event;

pub static RELATION: Relation = Relation {
    name: "restart",
    title: "Starting the app again",
    by_hand: "force the app to stop in the system\u{2019}s settings, and open it again",
    source: "Quantum (ICST 2014)",
    needs: "nothing",
    recreates: false,
    way: |_, _| Some(vec![Event::Relaunch]),
    is_way: |events| *events == [Event::Relaunch],
    goes_on: always,
    ends: at_once,
    // What was chosen on the page may be gone, such as a filter, and with it other rows are shown.
    keeps: |difference, among| {
        let is_data = |one: &_| matches!(one, Aspect::Rows | Aspect::View);
        difference.is_gone() && among.iter().all(|other| is_data(&other.aspect))
    },
};
