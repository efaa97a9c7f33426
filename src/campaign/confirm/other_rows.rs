//! Another row instead of that of an object which the test added. If the violation also appears with a row that was there
//! before, the object need not be added.

use crate::Unit;
use taproof_screen::{
    Event, Frame, Gesture, Layout, Step, Trace, Widget, WidgetIdx, event_on, touched_widget,
};
use taproof_spec::typed_text;

/// How many other rows are tried for each object.
const OTHERS: usize = 2;

/// The units that touch another row wherever they touched the row of an object whose name they typed: one list for each
/// of a few rows that are on the screen when that row is touched first. Lists that stay as they are, since a DMF touches
/// the row, are left out.
pub(crate) fn on_other_rows(units: &[Unit], trace: &Trace) -> Vec<Vec<Unit>> {
    let typed = trace.steps().iter().filter_map(|step| typed_text(&step.event));
    let others = typed.flat_map(|name| others(name, trace).into_iter().map(move |other| (name, other)));
    let lists = others.map(|(name, other)| touching_all(units, name, &other));
    lists.filter(|list| list != units).collect()
}

/// The rows that a trace touches, each with another row that is beside it then: what finds the one, and the other.
pub(crate) fn rows_beside_touched(trace: &Trace) -> Vec<(String, String)> {
    let mut rows: Vec<(String, String)> = Vec::new();
    for name in trace.steps().iter().filter_map(|step| touched(&step.event)) {
        if rows.iter().all(|(known, _)| known != name) {
            rows.extend(others(name, trace).into_iter().next().map(|other| (name.to_owned(), other)));
        }
    }
    rows
}

/// The units, touching `other` wherever they touched `name`.
pub(crate) fn touching_all(units: &[Unit], name: &str, other: &str) -> Vec<Unit> {
    units.iter().map(|unit| touching(unit, name, other)).collect()
}

/// The text by which an event finds the widget that it touches.
pub(crate) fn touched(event: &Event) -> Option<&str> {
    match event {
        Event::Widget { target, gesture } if !matches!(gesture, Gesture::SetText(_)) => {
            target.selector.text.as_deref()
        }
        _ => None,
    }
}

/// The events of a trace that touch something in a row, each with the same in the row that comes so many places later.
pub(crate) fn events_rows_later(trace: &Trace, later: usize) -> Vec<(Event, Event)> {
    let moved = |(before, step): (&Frame, &Step)| {
        let layout = &before.layout;
        let Event::Widget { gesture, .. } = &step.event else { return None };
        let touched = touched_widget(&step.event, layout)?;
        let row = layout.list_item_around(touched).or_else(|| layout.row_of(touched))?;
        let rows: Vec<WidgetIdx> = layout
            .children(layout.widget(row).parent?)
            .filter(|other| {
                layout.widget(*other).same_type(layout.widget(row)) && layout.is_whole_item(*other)
            })
            .collect();
        let place = rows.iter().position(|other| *other == row)?;
        let other = *rows.get((place + later) % rows.len()).filter(|other| **other != row)?;
        let alike = |idx: &WidgetIdx| layout.widget(*idx).same_type(layout.widget(touched));
        let nth = layout.subtree(row).filter(alike).position(|idx| idx == touched)?;
        let there = layout.subtree(other).filter(alike).nth(nth)?;
        Some((step.event.clone(), event_on(layout, there, gesture.clone())?))
    };
    trace.framed_steps().filter_map(moved).collect()
}

/// The units with other events instead of these.
pub(crate) fn with_events(units: &[Unit], instead: &[(Event, Event)]) -> Vec<Unit> {
    let other = |unit: &Unit| match unit {
        Unit::Event { event, role } => {
            let other = instead.iter().find(|(known, _)| known == event).map_or(event, |(_, other)| other);
            Unit::Event { event: other.clone(), role: *role }
        }
        Unit::Detour { .. } | Unit::Dmf { .. } => unit.clone(),
    };
    units.iter().map(other).collect()
}

/// What other rows show where the row with this name is touched first.
fn others(name: &str, trace: &Trace) -> Vec<String> {
    let Some(at) = trace.steps().iter().position(|step| touched(&step.event) == Some(name)) else {
        return Vec::new();
    };
    let Some((step, frame)) = trace.steps().get(at).zip(trace.frame(at)) else { return Vec::new() };
    let layout = &frame.layout;
    let Some(row) = touched_widget(&step.event, layout) else { return Vec::new() };
    texts_beside(layout, layout.widget(row)).map(str::to_owned).take(OTHERS).collect()
}

/// What the rows of lists show in widgets like this one of a row, other than its own text.
pub(crate) fn texts_beside<'l>(layout: &'l Layout, one: &Widget) -> impl Iterator<Item = &'l str> {
    let alike = move |(idx, other): &(WidgetIdx, &Widget)| {
        (&other.class, &other.resource_id) == (&one.class, &one.resource_id)
            && layout.list_item_around(*idx).is_some()
            && !other.text.is_empty()
            && other.text != one.text
    };
    layout.iter().filter(alike).map(|(_, widget)| &*widget.text)
}

/// The unit, touching `other` if it touched `name`.
fn touching(unit: &Unit, name: &str, other: &str) -> Unit {
    let touching = |event: &Event| {
        let mut event = event.clone();
        if touched(&event) == Some(name)
            && let Event::Widget { target, .. } = &mut event
        {
            target.selector.text = Some(other.to_owned());
        }
        event
    };
    match unit {
        Unit::Event { event, role } => Unit::Event { event: touching(event), role: *role },
        Unit::Detour { events } => Unit::Detour { events: events.iter().map(touching).collect() },
        Unit::Dmf { .. } => unit.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{StepRole, frame_of, layout_from};

    fn list(rows: &[&str]) -> Frame {
        let rows: String = rows.iter().map(|row| format!("    TextView#row \"{row}\"\n")).collect();
        frame_of(layout_from(&format!("FrameLayout\n  EditText#new\n  ListView#list\n{rows}")))
    }

    /// A test that types "alpha" and taps this widget of a list twice.
    fn test_of(rows: &[&str], tapped: u32) -> (Vec<Unit>, Trace) {
        let (empty, shown) = (list(&[]), list(rows));
        let typed = event_on(&empty.layout, WidgetIdx(1), Gesture::SetText("alpha".to_owned())).unwrap();
        let tap = event_on(&shown.layout, WidgetIdx(tapped), Gesture::Tap).unwrap();
        let mut trace = Trace::start(empty);
        for (event, after) in [(typed, shown.clone()), (tap.clone(), shown.clone()), (tap, shown)] {
            trace.push(Step { event, role: StepRole::SpecStep, after });
        }
        let unit = |step: &Step| Unit::Event { event: step.event.clone(), role: step.role };
        (trace.steps().iter().map(unit).collect(), trace)
    }

    /// The rows that are touched instead, in each list of units.
    fn instead(rows: &[&str], tapped: u32) -> Vec<Vec<String>> {
        let (units, trace) = test_of(rows, tapped);
        let touches = |units: Vec<Unit>| -> Vec<String> {
            let events = units.iter().filter_map(|unit| match unit {
                Unit::Event { event, .. } => touched(event),
                Unit::Detour { .. } | Unit::Dmf { .. } => None,
            });
            events.map(str::to_owned).collect()
        };
        on_other_rows(&units, &trace).into_iter().map(touches).collect()
    }

    #[test]
    fn rows_beside_the_one_that_was_added_are_touched_instead() {
        assert_eq!(instead(&["Ash", "alpha", "Elm", "Oak"], 4), [["Ash", "Ash"], ["Elm", "Elm"]]);
        assert_eq!(instead(&["alpha"], 3), Vec::<Vec<String>>::new(), "there is no other");
        assert_eq!(instead(&["Ash", "alpha"], 3), Vec::<Vec<String>>::new(), "it is another already");
    }

    #[test]
    fn a_function_keeps_its_row() {
        let add = Unit::Dmf { dmf: 0, name: "add".to_owned(), inputs: Vec::new() };
        let (_, trace) = test_of(&["Ash", "alpha"], 4);
        assert_eq!(on_other_rows(&[add], &trace), Vec::<Vec<Unit>>::new());
    }
}
