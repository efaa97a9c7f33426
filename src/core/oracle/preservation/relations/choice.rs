//! Choosing in a menu what is chosen already, such as the order of a list.

use super::super::relation::{Found, Relation, Way, at_once, tapped};
use super::super::{Aspect, is_open};
use super::undo::takes_back;
use crate::model::{WidgetFlags, touched_widget};

pub static RELATION: Relation = Relation {
    name: "choice",
    title: "Choosing again what is chosen",
    by_hand: "open the menu, and tap what is chosen already",
    source: "Thor (ISSTA 2015)",
    needs: "nothing",
    recreates: false,
    way: Way::Found(Found {
        way: |place, rng| rng.pick(&place.known.choices).map(|way| way.to_vec()),
        is_way: |events| match events {
            [opener, choice] => match (tapped(opener), tapped(choice)) {
                (Some(opener), Some(choice)) => opener.selector != choice.selector && !takes_back(choice),
                _ => false,
            },
            _ => false,
        },
        goes_on: |next, screen| {
            let chosen = touched_widget(next, screen.layout)
                .is_some_and(|choice| screen.layout.widget(choice).flags.has(WidgetFlags::CHECKED));
            !is_open(screen.layout) || chosen
        },
        ends: at_once,
    }),
    keeps: |difference, _| difference.aspect != Aspect::Page,
};
