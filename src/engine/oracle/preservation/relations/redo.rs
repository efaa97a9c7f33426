//! Taking back what was done last, and doing it again.

use super::super::Aspect;
use super::super::relation::{COMMON, FOUND, Found, Relation, Way, tapped};
use super::undo::{takes_back, undo_offered};
use taproof_screen::{Event, Gesture, Layout, Widget, event_on, touched_widget};

/// Whether the event does the same when it is repeated from the same state.
fn is_action(event: &Event) -> bool {
    match event {
        Event::Widget { target, gesture } => {
            matches!(gesture, Gesture::Tap | Gesture::LongPress | Gesture::SetText(_)) && !takes_back(target)
        }
        _ => false,
    }
}

/// Whether what the action does to its widget is to be seen before, and not any more.
fn was_undone(action: &Event, before: &Layout, now: &Layout) -> bool {
    let on = |layout: &Layout| touched_widget(action, layout).map(|idx| layout.widget(idx).clone());
    let (was, is): (Option<Widget>, Option<Widget>) = (on(before), on(now));
    let Some(is) = is else { return false };
    match action {
        Event::Widget { gesture: Gesture::SetText(written), .. } => {
            was.is_some_and(|was| *was.text == **written) && *is.text != **written
        }
        // A row that was deleted is back.
        _ => was.is_none_or(|was| (was.flags, &was.text) != (is.flags, &is.text)),
    }
}

pub static RELATION: Relation = Relation {
    name: "redo",
    title: "Undoing an action and doing it again",
    by_hand: "tap Undo, and do again what was undone",
    needs: "a screen that offers Undo",
    way: Way::Found(Found {
        way: |place, _| {
            let action = place.undoable.filter(|event| is_action(event))?;
            let undo = event_on(place.layout, undo_offered(place.layout)?, Gesture::Tap)?;
            Some(vec![undo, action.clone()])
        },
        is_way: |events| match events {
            [undo, action] => tapped(undo).is_some_and(takes_back) && is_action(action),
            _ => false,
        },
        // An earlier action may be what was undone.
        goes_on: |next, screen| {
            screen.is_where_it_began() && (screen.gone == 0 || was_undone(next, screen.from, screen.layout))
        },
        ..FOUND
    }),
    // Rows may follow how often and when something was done.
    keeps: |difference, _| {
        matches!(difference.aspect, Aspect::Typed | Aspect::Checked) && difference.widget.is_some()
    },
    ..COMMON
};

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{WidgetFlags, WidgetIdx, layout_from};

    #[test]
    fn only_an_action_that_was_undone_is_done_again() {
        let page = |title: &str, done: bool| {
            let notation =
                format!("FrameLayout\n  EditText#title \"{title}\"\n  CheckBox#done\n  Button#go \"Go\"\n");
            layout_from(&notation).with_changed(&[WidgetIdx(2)], |check| {
                check.flags = check.flags.with(WidgetFlags::CHECKED, done);
            })
        };
        let (typed, ticked, plain) = (page("Milk", false), page("", true), page("", false));
        let write = event_on(&plain, WidgetIdx(1), Gesture::SetText("Milk".to_owned())).unwrap();
        let tick = event_on(&plain, WidgetIdx(2), Gesture::Tap).unwrap();
        assert!(was_undone(&write, &typed, &plain) && was_undone(&tick, &ticked, &plain));
        assert!(!was_undone(&write, &ticked, &plain) && !was_undone(&tick, &typed, &plain));
        let row = event_on(&plain, WidgetIdx(3), Gesture::LongPress).unwrap();
        assert!(was_undone(&row, &layout_from("FrameLayout\n  TextView#empty \"None\"\n"), &plain));
        assert!(!was_undone(&row, &plain, &plain));
    }
}
