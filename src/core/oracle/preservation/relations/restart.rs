//! Starting the app again after it was ended: what it stores is there.

use super::super::relation::{Effect, Relation, Way};
use super::super::{Aspect, RowChange};
use crate::model::Event;

static WAY: [Event; 1] = [Event::Relaunch];

pub static RELATION: Relation = Relation {
    name: "restart",
    title: "Starting the app again",
    by_hand: "force the app to stop in the system\u{2019}s settings, and open it again",
    source: "Quantum (ICST 2014)",
    needs: "nothing",
    effect: Effect::Other,
    parts: &[],
    way: Way::Fixed(&WAY),
    // What was chosen on the page may be gone, such as a filter, and with it other rows are shown.
    keeps: |difference, among| {
        let is_data = |one: &_| matches!(one, Aspect::Rows | Aspect::View);
        difference.rows == RowChange::Gone && among.iter().all(|other| is_data(&other.aspect))
    },
};
