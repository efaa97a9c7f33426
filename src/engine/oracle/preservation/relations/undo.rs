//! Taking an action back by what the app offers for that.

use super::super::relation::{COMMON, FOUND, Found, Relation, Way, tapped};
use super::super::{Aspect, Difference, RowChange};
use taproof_screen::{Layout, TouchTarget, Widget, WidgetFlags, WidgetIdx};

/// What the app's offer says in the languages that are most common among apps.
const UNDO: [&str; 7] =
    ["undo", "deshacer", "annuler", "r\u{fc}ckg\u{e4}ngig", "desfazer", "annulla", "\u{64a4}\u{9500}"];

fn is_undo(says: &str) -> bool {
    let says = says.trim().to_lowercase();
    UNDO.contains(&says.as_str())
}

/// The widget that takes the last action back, if the app offers that.
pub fn undo_offered(layout: &Layout) -> Option<WidgetIdx> {
    let offers = |widget: &Widget| {
        widget.flags.has(WidgetFlags::ENABLED) && (is_undo(&widget.text) || is_undo(&widget.content_desc))
    };
    layout.iter().find(|(_, widget)| offers(widget)).map(|(idx, _)| idx)
}

/// Whether the target is such a widget.
pub(super) fn takes_back(target: &TouchTarget) -> bool {
    [&target.selector.text, &target.selector.content_desc].into_iter().flatten().any(|says| is_undo(says))
}

/// What was undone may come last, and the action may have closed a search or ended a selection.
pub(super) fn keeps_data_and_fields(difference: &Difference, _among: &[Difference]) -> bool {
    match difference.aspect {
        Aspect::Rows => difference.rows != RowChange::Order,
        Aspect::Typed | Aspect::Checked => difference.widget.is_some(),
        Aspect::Selected | Aspect::Text | Aspect::Switched | Aspect::Page | Aspect::Late | Aspect::View => {
            false
        }
    }
}

pub static RELATION: Relation = Relation {
    name: "undo",
    title: "Undoing an action",
    by_hand: "do it, and tap Undo",
    way: Way::Found(Found {
        way: |place, rng| rng.pick(&place.known.undoable).map(|way| way.to_vec()),
        is_way: |events| match events {
            [_, undo] => tapped(undo).is_some_and(takes_back),
            _ => false,
        },
        // Where it is offered already, it may take an earlier action back.
        goes_on: |_, screen| match screen.gone {
            0 => undo_offered(screen.layout).is_none(),
            _ => screen.is_where_it_began(),
        },
        ..FOUND
    }),
    keeps: keeps_data_and_fields,
    ..COMMON
};
