//! Opening a menu or a dialog and closing it again without having chosen anything.

use super::super::relation::Relation;
use super::super::{Aspect, is_open};
use crate::model::{Event, Gesture, Key, Layout, Widget, WidgetFlags};

const BACK: Event = Event::Key(Key::Back);

/// Whether rows are selected. Android's guide has an action end the selection as soon as it is chosen.
fn selecting(layout: &Layout) -> bool {
    let selected = |widget: &Widget| widget.flags.has(WidgetFlags::SELECTED);
    layout.iter().any(|(idx, widget)| selected(widget) && layout.list_item_around(idx).is_some())
}

pub static RELATION: Relation = Relation {
    name: "cancel",
    title: "Opening a menu or a dialog and closing it again",
    by_hand: "open it, and press Back",
    source: "Quantum (ICST 2014)",
    needs: "nothing",
    recreates: false,
    way: |place| {
        let opener = place.opener.filter(|_| !selecting(place.layout))?;
        Some(vec![opener.clone(), BACK])
    },
    is_way: |events| match events.split_first() {
        Some((Event::Widget { gesture: Gesture::Tap, .. }, back)) => {
            !back.is_empty() && back.iter().all(|event| *event == BACK)
        }
        _ => false,
    },
    // The tap may have done something else this time.
    goes_on: |next, screen| *next != BACK || is_open(screen.layout),
    // The first Back may only have closed the keyboard.
    ends: |screen| is_open(screen.layout).then_some(BACK),
    // An action of a selection ends it, and with it goes the title that counts what is selected.
    keeps: |difference| difference.aspect != Aspect::Text,
};
