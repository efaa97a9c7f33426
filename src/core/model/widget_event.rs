//! Events on widgets, and the selectors by which they name them.

use super::{Event, Gesture, Layout, PxPoint, Selector, TouchTarget, WidgetIdx};

/// A gesture on this very widget, where a touch reaches it. `None` if there is no such place.
pub fn event_on(layout: &Layout, idx: WidgetIdx, gesture: Gesture) -> Option<Event> {
    layout.touch_point(idx).ok().map(|at| event_at(layout, idx, at, gesture))
}

/// A gesture at a point of this very widget.
pub fn event_at(layout: &Layout, idx: WidgetIdx, at: PxPoint, gesture: Gesture) -> Event {
    Event::Widget {
        target: TouchTarget { selector: naming_selector(layout, idx), at, screen: layout.screen() },
        gesture,
    }
}

/// A selector that names this very widget: all its attributes, and its ordinal where others have the same.
/// The content of a text field is left out: it changes, the field stays.
pub fn naming_selector(layout: &Layout, idx: WidgetIdx) -> Selector {
    let widget = layout.widget(idx);
    let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let mut selector = Selector {
        resource_id: widget.resource_id.as_deref().and_then(given),
        class: given(&widget.class),
        text: if widget.is_text_field() { None } else { given(&widget.text) },
        content_desc: given(&widget.content_desc),
        ..Selector::default()
    };
    let (mut before, mut others) = (0, false);
    for (other, candidate) in layout.iter() {
        if other != idx && selector.attributes_match(candidate) {
            others = true;
            before += u32::from(other < idx);
        }
    }
    selector.instance = others.then_some(before);
    selector
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Resolved, layout_from};

    const NOTES: &str = "FrameLayout\n  EditText#title \"a\"\n  Button#save \"Save\"\n  TextView#row \"x\"\n  \
                         TextView#row \"x\"\n  CheckBox#done\n  Button \"More\"\n";

    #[test]
    fn a_selector_names_the_very_node() {
        let layout = layout_from(NOTES);
        for (idx, _) in layout.iter() {
            assert_eq!(naming_selector(&layout, idx).resolve(&layout), Resolved::One(idx));
        }
    }
}
