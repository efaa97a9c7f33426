//! Events on widgets, and the selectors by which they name them.

use crate::{
    Beside, Direction, Event, Gesture, Layout, PxPoint, PxRect, Selector, TouchTarget, WidgetIdx,
    touched_widget,
};

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

/// Start and end of a finger's movement that swipes over the widget: over the middle half of it.
pub fn swipe_line(event: &Event, at: PxPoint, direction: Direction, layout: &Layout) -> (PxPoint, PxPoint) {
    let screen = layout.screen();
    let whole = PxRect::new(0, 0, screen.width, screen.height);
    let bounds = touched_widget(event, layout).map_or(whole, |idx| layout.widget(idx).bounds);
    let (left, right) = (bounds.left + bounds.width() / 4, bounds.right - bounds.width() / 4);
    let (top, bottom) = (bounds.top + bounds.height() / 4, bounds.bottom - bounds.height() / 4);
    let point = |x, y| PxPoint { x, y };
    match direction {
        Direction::Up => (point(at.x, bottom), point(at.x, top)),
        Direction::Down => (point(at.x, top), point(at.x, bottom)),
        Direction::Left => (point(right, at.y), point(left, at.y)),
        Direction::Right => (point(left, at.y), point(right, at.y)),
    }
}

/// A selector that names this very widget: all its attributes and, where others have the same, a label beside it or its
/// ordinal. A label is only used for a widget without id, text and description.
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
    let anonymous =
        [&selector.resource_id, &selector.text, &selector.content_desc].iter().all(|it| it.is_none());
    if others && anonymous {
        selector.beside = beside_only(layout, idx, &selector);
    }
    selector.instance = (others && selector.beside.is_none()).then_some(before);
    selector
}

/// A label beside which only this widget has the parts of the selector; `None` if there is none.
fn beside_only(layout: &Layout, idx: WidgetIdx, selector: &Selector) -> Option<Beside> {
    let named: Vec<WidgetIdx> =
        layout.iter().filter(|(_, widget)| selector.attributes_match(widget)).map(|(idx, _)| idx).collect();
    let mut labels = layout.labels_around(idx, |_, _| true).into_iter();
    labels.find(|beside| layout.beside(beside, &named) == [idx])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Resolved, layout_from};

    const NOTES: &str = "FrameLayout\n  EditText#title \"a\"\n  Button#save \"Save\"\n  TextView#row \"x\"\n  \
                         TextView#row \"x\"\n  CheckBox#done\n  Button \"More\"\n";

    #[test]
    fn a_widget_without_a_name_goes_by_the_label_in_it_or_beside_it() {
        let page = "View\n  View\n    TextView \"Save\"\n  TextView \"Title\"\n  EditText\n  TextView \"Notes\"\n  \
                    EditText \"x\"\n  View\n";
        let layout = layout_from(page);
        let name = |idx: u32| naming_selector(&layout, WidgetIdx(idx)).to_string();
        assert_eq!(name(1), "class \"android.widget.View\", labelled \"Save\"");
        assert_eq!(name(4), "class \"android.widget.EditText\", below \"Title\"");
        assert_eq!(name(6), "class \"android.widget.EditText\", below \"Notes\"");
        for (idx, _) in layout.iter() {
            assert_eq!(naming_selector(&layout, idx).resolve(&layout), Resolved::One(idx));
        }
        let twice = layout_from("View\n  CheckBox\n  CheckBox\n");
        assert_eq!(naming_selector(&twice, WidgetIdx(2)).instance, Some(1), "nothing else tells it");
    }

    #[test]
    fn a_selector_names_the_very_node() {
        let layout = layout_from(NOTES);
        for (idx, _) in layout.iter() {
            assert_eq!(naming_selector(&layout, idx).resolve(&layout), Resolved::One(idx));
        }
    }
}
