//! Opening what a row stands for from another list that has the row, such as the results of a search.

use super::super::is_open;
use super::super::relation::{
    BACK, COMMON, FOUND, Found, Relation, Way, data_and_input, opened_anew, tapped,
};
use super::clear::writes;
use taproof_screen::{Event, Gesture, Key, Selector, TouchTarget, is_of_app};

/// The tap on the row.
fn tap_on(row: &Selector, by: &Event) -> Option<Event> {
    let target = TouchTarget { selector: row.clone(), ..tapped(by)?.clone() };
    Some(Event::Widget { target, gesture: Gesture::Tap })
}

pub static RELATION: Relation = Relation {
    name: "another-way",
    title: "Opening the same from a search or another list",
    by_hand: "press Back, and open the same row in the results of a search or in another list that has it",
    needs: "a row that two pages list, with a text of its own",
    way: Way::Found(Found {
        way: |place, rng| {
            let came_by = place.came_by?;
            let row = came_by.row.as_ref()?;
            let list = rng.pick(came_by.lists)?;
            let text = row.text.as_deref()?;
            // What was searched for is replaced by the row's own text.
            let there = list.iter().map(|event| event.with_text(text));
            Some([BACK].into_iter().chain(there).chain([tap_on(row, came_by.tap)?]).collect())
        },
        is_way: |events| match events {
            [back, opener, search @ .., row] => {
                let searches = |text: &str| match search {
                    [] => true,
                    [written] => writes(written, text),
                    [written, key] => writes(written, text) && *key == Event::Key(Key::ImeAction),
                    _ => false,
                };
                let text = tapped(row).and_then(|row| row.selector.text.as_deref());
                *back == BACK && tapped(opener).is_some() && text.is_some_and(searches)
            }
            _ => false,
        },
        goes_on: |next, screen| {
            let of_app = is_of_app(screen.layout.package(), screen.app) && !is_open(screen.layout);
            // Of rows with the same text, another one may be opened.
            let is_one = |row: &TouchTarget| row.selector.matches(screen.layout).len() == 1;
            match screen.gone {
                0 => true,
                1 => of_app && !screen.is_where_it_began(),
                _ => of_app && tapped(next).is_none_or(is_one),
            }
        },
        counts: |screen| screen.is_where_it_began(),
        ..FOUND
    }),
    // A title may tell the way.
    keeps: |difference, among| data_and_input(difference, among) && opened_anew(difference, among),
    ..COMMON
};
