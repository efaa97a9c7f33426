//! Choosing in a menu what is chosen already, such as the order of a list.

use super::super::relation::{COMMON, FOUND, Found, Relation, Way, tapped};
use super::super::{Aspect, is_open};
use super::undo::takes_back;
use taproof_screen::{TouchTarget, WidgetFlags, touched_widget};

/// Whether the target is one of several choices of a menu or dialog.
pub(super) fn is_radio(target: &TouchTarget) -> bool {
    target.selector.class.as_deref().is_some_and(|class| class.ends_with("RadioButton"))
}

pub static RELATION: Relation = Relation {
    name: "choice",
    title: "Choosing again what is chosen",
    by_hand: "open the menu, and tap what is chosen already",
    source: "Thor (ISSTA 2015)",
    way: Way::Found(Found {
        way: |place, rng| rng.pick(&place.known.choices).map(|way| way.to_vec()),
        is_way: |events| match events {
            [opener, choice] => match (tapped(opener), tapped(choice)) {
                (Some(opener), Some(choice)) => {
                    opener.selector != choice.selector && is_radio(choice) && !takes_back(opener)
                }
                _ => false,
            },
            _ => false,
        },
        goes_on: |next, screen| {
            let chosen = touched_widget(next, screen.layout)
                .is_some_and(|choice| screen.layout.widget(choice).flags.has(WidgetFlags::CHECKED));
            !is_open(screen.layout) || chosen
        },
        ..FOUND
    }),
    keeps: |difference, _| difference.aspect != Aspect::Page,
    ..COMMON
};
