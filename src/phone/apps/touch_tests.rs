//! A touch reaches the widget that the layout indicates, which matters since engines choose where to touch by the
//! layout alone.

use std::sync::Arc;

use super::hand::{Hand, outline};
use crate::BugSet;
use taproof_engine::device::Device;
use taproof_screen::{Event, Gesture, Layout, PxPoint, Selector, TouchTarget, WidgetIdx};

/// Number of points that are tried in each row and in each column.
const ACROSS: i32 = 12;
const DOWN: i32 = 30;

fn hand(app: &str) -> Hand {
    Hand::on(&format!("org.taproof.{app}"), &BugSet::none())
}

fn tap(layout: &Layout, at: PxPoint) -> Event {
    let target = TouchTarget { selector: Selector::default(), at, screen: layout.screen() };
    Event::Widget { target, gesture: Gesture::Tap }
}

/// The screen after a tap at a point.
fn after_tap(hand: &mut Hand, layout: &Layout, at: PxPoint) -> Arc<Layout> {
    let saved = hand.phone.save_snapshot().unwrap();
    hand.perform(&tap(layout, at));
    let after = hand.layout();
    hand.phone.restore_snapshot(saved).unwrap();
    hand.phone.drop_snapshot(saved);
    after
}

/// Taps all over the app's window. Each tap must have the effect of tapping the widget that receives it according to
/// the layout. A tap that no widget receives, or only a container that consumes it, must have no effect.
fn check(hand: &mut Hand) {
    let layout = hand.layout();
    let window = layout.widget(WidgetIdx(1)).bounds;
    for row in 0..DOWN {
        for column in 0..ACROSS {
            let at = PxPoint {
                x: window.left + (2 * column + 1) * window.width() / (2 * ACROSS),
                y: window.top + (2 * row + 1) * window.height() / (2 * DOWN),
            };
            let taker = layout.taker_at(at).filter(|taker| layout.widget(*taker).clickable());
            let expected = match taker.map(|taker| layout.touch_point(taker)) {
                Some(Ok(point)) if layout.taker_at(point) == taker => after_tap(hand, &layout, point),
                // A button may be in the middle of a row.
                Some(_) => continue,
                None => Arc::clone(&layout),
            };
            let seen = after_tap(hand, &layout, at);
            let (seen, expected) = (outline(&seen), outline(&expected));
            let changed = |text: &str| {
                text.lines().filter(|line| !line.contains("Duration")).collect::<Vec<_>>().join("\n")
            };
            assert_eq!(changed(&seen), changed(&expected), "a tap at {at:?} on\n{}", outline(&layout));
        }
    }
}

#[test]
fn lists_and_round_buttons_of_all_apps() {
    for app in ["files", "notes", "diary", "tasks"] {
        check(&mut hand(app));
    }
}

#[test]
fn an_open_drawer() {
    let mut notes = hand("notes");
    notes.tap("Open navigation drawer");
    check(&mut notes);
    let mut diary = hand("diary");
    diary.tap("Open Navigation");
    check(&mut diary);
}

#[test]
fn a_selection_and_a_sheet() {
    let mut tasks = hand("tasks");
    tasks.tap("Lists");
    check(&mut tasks);
    tasks.back();
    tasks.long_press("Water the plants");
    check(&mut tasks);
}

#[test]
fn a_snackbar_over_rows() {
    let mut diary = hand("diary");
    diary.rotate();
    diary.tap("Open Navigation");
    diary.tap("Edit Activities");
    diary.tap("Cinema");
    diary.tap("Delete Activity");
    assert!(diary.shows("UNDO"), "{}", outline(&diary.layout()));
    check(&mut diary);
}
