//! Going back from a page and opening it again in the same way.

use super::super::Aspect;
use super::super::is_open;
use super::super::relation::{BACK, COMMON, FOUND, Found, Relation, Way, opened_anew, tapped};
use taproof_screen::is_of_app;

pub static RELATION: Relation = Relation {
    name: "again",
    title: "Going back and opening the page again",
    by_hand: "press Back, and open the page again as before",
    way: Way::Found(Found {
        way: |place, _| Some(vec![BACK, place.came_by?.tap.clone()]),
        is_way: |events| matches!(events, [back, tap] if *back == BACK && tapped(tap).is_some()),
        goes_on: |next, screen| {
            *next == BACK
                || (!screen.is_where_it_began()
                    && !is_open(screen.layout)
                    && is_of_app(screen.layout.package(), screen.app))
        },
        counts: |screen| screen.is_where_it_began(),
        ..FOUND
    }),
    // An introduction is shown once.
    keeps: |difference, among| difference.aspect != Aspect::Page && opened_anew(difference, among),
    ..COMMON
};
