//! Coalesces events that a person performs as one: letters typed and deleted in one field become its content, a tap
//! that only focused the field belongs to that, and consecutive turns of a wheel become one scroll.

use std::sync::Arc;

use crate::recorded_widgets::target_of;
use taproof_screen::{
    Direction, Event, Gesture, Key, Layout, PxPoint, RecordedStep, Selector, TouchTarget, WidgetFlags,
    WidgetIdx,
};

/// Recorded steps that a person performed as one.
#[derive(Clone, Debug, PartialEq)]
pub struct CoalescedStep {
    /// One step that replaces all of them: from the layout before the first to the layout after the last.
    pub step: RecordedStep,
    /// Index of the first recorded step.
    pub first: usize,
    /// Index after the last recorded step.
    pub end: usize,
}

/// Coalesces recorded steps. Steps that are coalesced already stay as they are.
pub fn coalesce(steps: &[RecordedStep]) -> Vec<CoalescedStep> {
    let mut joined: Vec<CoalescedStep> = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let step = as_scroll(step).unwrap_or_else(|| step.clone());
        let last = joined.last().filter(|last| {
            // Deleted steps leave a gap, over which nothing may be joined.
            *last.step.after == *step.before || last.step.after.activity() == step.before.activity()
        });
        if let Some(typed) = typed(&step, last.map(|last| &last.step)) {
            let first = if typed.joins { joined.pop() } else { None };
            let first = first.map(|last| (last.first, last.step.before));
            let (first, before) = first.unwrap_or((index, step.before));
            let event = on_field(&before, &typed.field, typed.content).unwrap_or(step.event);
            let step = RecordedStep { event, before, after: step.after };
            joined.push(CoalescedStep { step, first, end: index + 1 });
            continue;
        }
        let goes_on = last.is_some_and(|last| same_scroll(&last.step, &step));
        match joined.last_mut().filter(|_| goes_on) {
            Some(last) => {
                last.step.after = step.after;
                last.end = index + 1;
            }
            None => joined.push(CoalescedStep { step, first: index, end: index + 1 }),
        }
    }
    joined
}

/// The result of typing.
struct Typed {
    field: WidgetIdentity,
    content: String,
    /// Whether it continues the step before it.
    joins: bool,
}

/// What identifies a widget on layouts of one screen: id, class and its index among equal widgets.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WidgetIdentity {
    resource_id: Option<String>,
    class: String,
    ordinal: usize,
}

impl WidgetIdentity {
    pub(super) fn of(layout: &Layout, idx: WidgetIdx) -> WidgetIdentity {
        let widget = layout.widget(idx);
        let like = |(other, like): &(WidgetIdx, &taproof_screen::Widget)| {
            *other < idx && like.resource_id == widget.resource_id && like.class == widget.class
        };
        WidgetIdentity {
            resource_id: widget.resource_id.as_deref().map(str::to_owned),
            class: widget.class.to_string(),
            ordinal: layout.iter().filter(like).count(),
        }
    }

    pub(super) fn find(&self, layout: &Layout) -> Option<WidgetIdx> {
        let like = |widget: &taproof_screen::Widget| {
            widget.resource_id.as_deref() == self.resource_id.as_deref() && *widget.class == *self.class
        };
        layout.iter().filter(|(_, widget)| like(widget)).nth(self.ordinal).map(|(idx, _)| idx)
    }
}

fn field_of(step: &RecordedStep) -> Option<(WidgetIdentity, WidgetIdx)> {
    let idx = target_of(step)?;
    step.before.widget(idx).is_text_field().then(|| (WidgetIdentity::of(&step.before, idx), idx))
}

fn typed(step: &RecordedStep, last: Option<&RecordedStep>) -> Option<Typed> {
    let (field, idx) = field_of(step)?;
    let last = last.filter(|last| field_of(last).is_some_and(|(before, _)| before == field));
    let held = || match last.map(|last| &last.event) {
        Some(Event::Widget { gesture: Gesture::SetText(text), .. }) => text.clone(),
        _ if step.before.widget(idx).flags.has(WidgetFlags::PASSWORD) => String::new(),
        _ => step.before.widget(idx).text.to_string(),
    };
    let foretold = match &step.event {
        Event::Widget { gesture: Gesture::SetText(text), .. } => text.clone(),
        Event::Type(text) => held() + text,
        Event::Key(Key::Delete) => {
            let mut left = held();
            left.pop();
            left
        }
        _ => return None,
    };
    // The field itself shows best what was typed in the middle of a text, unless it hides its content or is gone.
    let seen = field.find(&step.after).map(|idx| step.after.widget(idx));
    let seen =
        seen.filter(|field| !field.flags.has(WidgetFlags::PASSWORD)).map(|field| field.text.to_string());
    let content = match (&step.event, seen) {
        (Event::Type(_) | Event::Key(_), Some(seen)) => seen,
        _ => foretold,
    };
    let joins = last.is_some_and(|last| {
        matches!(
            last.event,
            Event::Widget { gesture: Gesture::Tap | Gesture::SetText(_), .. } | Event::Type(_)
        )
    });
    Some(Typed { field, content, joins })
}

fn on_field(before: &Layout, field: &WidgetIdentity, content: String) -> Option<Event> {
    let idx = field.find(before)?;
    let at = reached_at(before, idx);
    let target = TouchTarget { selector: naming(before, idx), at, screen: before.screen() };
    Some(Event::Widget { target, gesture: Gesture::SetText(content) })
}

/// A finger or wheel movement over a list, as a scroll of that list.
fn as_scroll(step: &RecordedStep) -> Option<RecordedStep> {
    let Event::Widget { target, gesture } = &step.event else { return None };
    let touched = target_of(step)?;
    let around = std::iter::once(touched).chain(step.before.ancestors(touched));
    let list = around.into_iter().find(|idx| step.before.widget(*idx).scrollable())?;
    let direction = match gesture {
        Gesture::Swipe(direction) => *direction,
        Gesture::Drag(to) => vertical(target.at, *to)?,
        Gesture::Tap | Gesture::LongPress | Gesture::SetText(_) => return None,
    };
    let at = reached_at(&step.before, list);
    // The centre of a list is on a row; the selector ensures that the list is meant.
    let target = TouchTarget { selector: naming(&step.before, list), at, screen: target.screen };
    let event = Event::Widget { target, gesture: Gesture::Swipe(direction) };
    Some(RecordedStep { event, before: Arc::clone(&step.before), after: Arc::clone(&step.after) })
}

/// A point at which a touch reaches the widget, or its centre if it is completely covered.
fn reached_at(layout: &Layout, idx: WidgetIdx) -> PxPoint {
    layout.touch_point(idx).unwrap_or_else(|_| layout.widget(idx).bounds.center())
}

fn vertical(from: PxPoint, to: PxPoint) -> Option<Direction> {
    let (across, along) = ((to.x - from.x).abs(), to.y - from.y);
    match along.abs() > 2 * across {
        true if along < 0 => Some(Direction::Up),
        true => Some(Direction::Down),
        false => None,
    }
}

fn naming(layout: &Layout, idx: WidgetIdx) -> Selector {
    let place = WidgetIdentity::of(layout, idx);
    Selector {
        resource_id: place.resource_id,
        class: Some(place.class),
        instance: u32::try_from(place.ordinal).ok(),
        ..Selector::default()
    }
}

/// The list that a step scrolls, and the direction.
pub(super) fn scroll(step: &RecordedStep) -> Option<(WidgetIdx, Direction)> {
    let Event::Widget { gesture: Gesture::Swipe(direction), .. } = &step.event else { return None };
    // A row that is swiped to delete it is no list.
    let scrolls = |idx: &WidgetIdx| step.before.widget(*idx).scrollable() && !step.before.is_leaf(*idx);
    Some((target_of(step).filter(scrolls)?, *direction))
}

fn same_scroll(last: &RecordedStep, next: &RecordedStep) -> bool {
    let place = |step: &RecordedStep| {
        scroll(step).map(|(list, direction)| (WidgetIdentity::of(&step.before, list), direction))
    };
    place(last).is_some() && place(last) == place(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    const FOCUSED: [&str; 2] = ["title", "body"];

    /// A screen with the fields title and body; the one named has the focus.
    fn screen(title: &str, body: &str, focus: &str) -> Arc<Layout> {
        let layout = layout_from(&format!(
            "ScrollView\n  EditText#title \"{title}\"\n  EditText#body \"{body}\"\n  Button#save\n"
        ));
        let mut builder =
            taproof_screen::LayoutBuilder::new(layout.activity().clone(), layout.screen(), layout.rotation());
        for (idx, widget) in layout.iter() {
            let mut widget = widget.clone();
            let focused = FOCUSED.contains(&focus) && widget.short_id() == Some(focus);
            widget.flags = widget.flags.with(WidgetFlags::FOCUSED, focused);
            widget.flags = widget.flags.with(WidgetFlags::SCROLLABLE, idx.0 == 0);
            builder.open(widget);
            if idx.0 > 0 {
                builder.close();
            }
        }
        Arc::new(builder.finish())
    }

    fn tap(layout: &Layout, id: &str) -> Event {
        let selector = Selector { resource_id: Some(format!("org.ex:id/{id}")), ..Selector::default() };
        Event::on(layout, selector, Gesture::Tap).unwrap()
    }

    fn joined(screens: &[Arc<Layout>], events: Vec<Event>) -> Vec<String> {
        let steps: Vec<RecordedStep> = events
            .into_iter()
            .zip(screens.windows(2))
            .map(|(event, seen)| RecordedStep { event, before: seen[0].clone(), after: seen[1].clone() })
            .collect();
        let once = coalesce(&steps);
        let again: Vec<RecordedStep> = once.iter().map(|done| done.step.clone()).collect();
        let twice: Vec<RecordedStep> = coalesce(&again).into_iter().map(|done| done.step).collect();
        assert_eq!(again, twice, "joining again changes nothing");
        let told = |done: &CoalescedStep| {
            let sentence = taproof_screen::event_sentence(&done.step.event, &done.step.before);
            format!("{}..{} {sentence}", done.first, done.end)
        };
        once.iter().map(told).collect()
    }

    #[test]
    fn letters_are_the_content_of_their_field() {
        let typed = |text: &str| Event::Type(text.to_owned());
        let screens = [
            screen("", "old", ""),
            screen("", "old", "title"),
            screen("a", "old", "title"),
            screen("ab", "old", "title"),
            screen("a", "old", "title"),
            screen("a", "old", "body"),
            screen("a", "oldx", "body"),
            screen("a", "oldx", "body"),
        ];
        let events = vec![
            tap(&screens[0], "title"),
            typed("a"),
            typed("b"),
            Event::Key(Key::Delete),
            tap(&screens[4], "body"),
            typed("x"),
            tap(&screens[6], "save"),
        ];
        let expected = [
            "0..4 Enter “a” into EditText #title",
            "4..6 Enter “oldx” into EditText “old”  #body",
            "6..7 Tap Button #save",
        ];
        assert_eq!(joined(&screens, events), expected);
    }

    #[test]
    fn strokes_of_a_wheel_are_one_scroll() {
        let still = screen("", "", "");
        let stroke = |y: i32| {
            let target = TouchTarget {
                selector: Selector::default(),
                at: PxPoint { x: 500, y: 50 },
                screen: still.screen(),
            };
            Event::Widget { target, gesture: Gesture::Drag(PxPoint { x: 500, y }) }
        };
        let screens = [still.clone(), still.clone(), still.clone(), still.clone()];
        let told = joined(&screens, vec![stroke(-300), stroke(-200), stroke(400)]);
        assert_eq!(told, ["0..2 Swipe up on ScrollView", "2..3 Swipe down on ScrollView"]);
    }
}
