//! The widgets that a recording speaks of: what an event was done to, and what shows or holds a text.

use taproof_screen::{Event, Gesture, Key, Layout, RecordedStep, WidgetFlags, WidgetIdx};

/// The text that an event types.
pub fn typed_text(event: &Event) -> Option<&str> {
    match event {
        Event::Widget { gesture: Gesture::SetText(text), .. } | Event::Type(text) => Some(text),
        _ => None,
    }
}

/// The widget that an event was done to: the one that its selector names under the point, or else what
/// a touch at the point means; for typed text the field with the focus.
pub fn target_of(step: &RecordedStep) -> Option<WidgetIdx> {
    let layout = &step.before;
    let fields = || layout.iter().filter(|(_, widget)| widget.is_text_field());
    let focused = || fields().find(|(_, w)| w.flags.has(WidgetFlags::FOCUSED));
    match &step.event {
        Event::Widget { target, .. } => {
            let named = target.selector.matches(layout);
            let under = |idx: &&WidgetIdx| layout.widget(**idx).bounds.contains(target.at);
            named.iter().find(under).copied().or_else(|| layout.touch_target(target.at))
        }
        Event::Type(text) => {
            let holds_it = || {
                let field = step.after.widget(field_holding(&step.after, text)?);
                fields().find(|(_, widget)| widget.resource_id == field.resource_id)
            };
            focused().or_else(holds_it).or_else(|| fields().next()).map(|(idx, _)| idx)
        }
        Event::Key(Key::Delete) => focused().map(|(idx, _)| idx),
        Event::Key(_)
        | Event::Rotate
        | Event::Wait(_)
        | Event::Relaunch
        | Event::System(_)
        | Event::OpenLink(_) => None,
    }
}

/// Whether a step touches what shows a text, other than a field.
pub(super) fn touches(step: &RecordedStep, text: &str) -> bool {
    let touched = target_of(step).map(|idx| step.before.widget(idx));
    touched.is_some_and(|widget| !widget.is_text_field() && *widget.text == *text)
}

/// The text field that holds a text.
pub(super) fn field_holding(layout: &Layout, text: &str) -> Option<WidgetIdx> {
    layout.iter().find(|(_, widget)| widget.is_text_field() && *widget.text == *text).map(|(idx, _)| idx)
}

/// Whether a widget other than a text field shows the object.
pub(super) fn shows(layout: &Layout, object: &str) -> bool {
    !shown_on(layout, object).is_empty()
}

pub(super) fn shown_on(layout: &Layout, object: &str) -> Vec<WidgetIdx> {
    let shown = layout.iter().filter(|(_, widget)| *widget.text == *object && !widget.is_text_field());
    shown.map(|(idx, _)| idx).collect()
}
