//! How a recorded widget is named (pbfdroid.md 4.2 and 4.4): by what its author meant to be unique (id,
//! description) before what only happens to be (text); never by the text of an object, which is data.

use super::{SpecSelector, TextPattern};
use crate::model::{Layout, Selector, Widget, WidgetIdx};

/// Parts of which identity can be made.
#[derive(Clone, Copy)]
struct Parts {
    id: bool,
    desc: bool,
    text: bool,
    class: bool,
}

/// What is tried, best first.
const LADDER: [Parts; 8] = [
    Parts { id: true, desc: false, text: false, class: false },
    Parts { id: false, desc: true, text: false, class: false },
    Parts { id: true, desc: true, text: false, class: false },
    Parts { id: true, desc: false, text: true, class: false },
    Parts { id: false, desc: false, text: true, class: false },
    Parts { id: false, desc: false, text: true, class: true },
    Parts { id: true, desc: false, text: false, class: true },
    Parts { id: false, desc: false, text: false, class: true },
];

/// A selector that names one widget of a layout, and why it is this one.
#[derive(Clone, Debug, PartialEq)]
pub struct ChosenSelector {
    /// The selector.
    pub selector: SpecSelector,
    /// Why these parts.
    pub why: String,
    /// Whether it names the widget by its place among equals, not by what it is.
    pub by_position: bool,
}

/// The shortest selector that names this widget and no other on the layout. Texts in `objects` are data
/// and never used. Falls back to the ordinal among equals.
pub fn choose_selector(layout: &Layout, idx: WidgetIdx, objects: &[&str]) -> ChosenSelector {
    let widget = layout.widget(idx);
    for parts in LADDER {
        let Some(selector) = with_parts(widget, parts, objects) else { continue };
        if matches(&selector, layout) == [idx] {
            let why = format!("{} names it alone", names(parts));
            return ChosenSelector { selector, why, by_position: false };
        }
    }
    let mut selector = row_parts(widget);
    let place = matches(&selector, layout).iter().position(|named| *named == idx).unwrap_or(0);
    selector.instance = u32::try_from(place).ok();
    let why = "nothing but its place tells it from its equals".to_owned();
    ChosenSelector { selector, why, by_position: true }
}

/// What the rows of a list have in common with this one: its id, or else its class.
pub(super) fn row_parts(widget: &Widget) -> SpecSelector {
    let id = widget.resource_id.as_deref().filter(|id| !id.is_empty());
    match id {
        Some(id) => SpecSelector { resource_id: Some(id.to_owned()), ..SpecSelector::default() },
        None => SpecSelector { class: Some(widget.class.to_string()), ..SpecSelector::default() },
    }
}

/// The widgets that a selector without run-time texts names.
pub(super) fn matches(selector: &SpecSelector, layout: &Layout) -> Vec<WidgetIdx> {
    let text = match &selector.text {
        TextPattern::Is(text) => Some(text.clone()),
        TextPattern::Any | TextPattern::FromRead(_) | TextPattern::Existing(_) => None,
    };
    Selector {
        resource_id: selector.resource_id.clone(),
        class: selector.class.clone(),
        text,
        content_desc: selector.content_desc.clone(),
        xpath: None,
        instance: selector.instance,
    }
    .matches(layout)
}

/// The selector of these parts; `None` where the widget lacks one of them.
fn with_parts(widget: &Widget, parts: Parts, objects: &[&str]) -> Option<SpecSelector> {
    let given = |wanted: bool, value: &str| match (wanted, value.is_empty()) {
        (false, _) => Some(None),
        (true, true) => None,
        (true, false) => Some(Some(value.to_owned())),
    };
    // What a field holds, and what names an object, is data.
    let is_data = |text: &str| objects.iter().any(|object| !object.is_empty() && text.contains(object));
    if parts.text && (widget.is_text_field() || is_data(&widget.text))
        || parts.desc && is_data(&widget.content_desc)
    {
        return None;
    }
    Some(SpecSelector {
        resource_id: given(parts.id, widget.resource_id.as_deref().unwrap_or(""))?,
        content_desc: given(parts.desc, &widget.content_desc)?,
        text: given(parts.text, &widget.text)?.map_or(TextPattern::Any, TextPattern::Is),
        class: given(parts.class, &widget.class)?,
        ..SpecSelector::default()
    })
}

fn names(parts: Parts) -> String {
    let named = [
        (parts.id, "its id"),
        (parts.desc, "its description"),
        (parts.text, "its text"),
        (parts.class, "its class"),
    ];
    let named: Vec<&str> = named.iter().filter(|(given, _)| *given).map(|(_, name)| *name).collect();
    named.join(" with ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::layout_from;

    fn check(notation: &str, widget: u32, expected: &str) {
        let layout = layout_from(notation);
        let chosen = choose_selector(&layout, WidgetIdx(widget), &["Ann"]);
        assert_eq!(chosen.selector.to_string(), expected);
        assert_eq!(matches(&chosen.selector, &layout), [WidgetIdx(widget)]);
    }

    #[test]
    fn meant_parts_come_before_accidental_ones() {
        check("Button#save \"Save\" (Save it)\nButton#other\n", 0, "id \"org.ex:id/save\"");
        check("Button#b \"A\"\nButton#b \"B\" (Go)\n", 1, "description \"Go\"");
        check("TextView#t \"Open\"\nTextView#t \"Delete\"\n", 1, "id \"org.ex:id/t\", text \"Delete\"");
        check("TextView \"Open\"\nTextView \"Delete\"\n", 1, "text \"Delete\"");
        check("TextView \"x\"\nEditText \"typed\"\n", 1, "class \"android.widget.EditText\"");
    }

    #[test]
    fn the_text_of_an_object_is_no_identity() {
        check("TextView#t \"Bob\"\nTextView#t \"Ann\"\n", 1, "id \"org.ex:id/t\", instance 1");
        check(
            "TextView \"Bob\"\nTextView \"Edit: Ann\"\n",
            1,
            "class \"android.widget.TextView\", instance 1",
        );
    }
}
