//! What a person calls a widget of a specification.

use super::{Dmf, NamedSelector, SpecSelector, TextPattern};
use crate::model::{Beside, Role, Side};

/// What a person calls the widget, such as `“Save” button` or `field beside “Title”`: by what one sees, and by its id only
/// where nothing else tells it.
pub fn widget_words(widget: &NamedSelector, dmf: &Dmf) -> String {
    let selector = &widget.selector;
    let kind = kind(selector);
    let called = |words: &str| if kind.is_empty() { words.to_owned() } else { format!("{words} {kind}") };
    let thing = if kind.is_empty() { "widget" } else { kind };
    let with = |text: String| if matches!(kind, "" | "text") { text } else { format!("{thing} with {text}") };
    let quoted = |text: &str| format!("\u{201c}{text}\u{201d}");
    let words = match (&selector.text, &selector.content_desc, &selector.beside, &selector.resource_id) {
        (TextPattern::Is(text), ..) => called(&quoted(text)),
        (TextPattern::FromRead(read), ..) => with(text_read(read, dmf)),
        (TextPattern::Existing(data_type), ..) => with(format!("an existing {data_type}")),
        (TextPattern::Any, Some(description), ..) => called(&quoted(description)),
        (TextPattern::Any, None, Some(Beside { side: Side::Labelled, label }), _) => called(&quoted(label)),
        (TextPattern::Any, None, Some(beside), _) => format!("{thing} beside {}", quoted(&beside.label)),
        (TextPattern::Any, None, None, Some(id)) => called(&id_words(id)),
        (TextPattern::Any, None, None, None) => thing.to_owned(),
    };
    match selector.instance {
        Some(instance) if instance > 0 => format!("{words}, number {}", instance + 1),
        Some(_) | None => words,
    }
}

/// The text that a widget showed, where only a widget that is read has one.
fn text_read(read: &str, dmf: &Dmf) -> String {
    let typed = |widget: &NamedSelector| kind(&widget.selector) == "field";
    match dmf.widget(read) {
        Some(widget) if typed(widget) => "the typed text".to_owned(),
        Some(widget) if !matches!(widget.selector.text, TextPattern::FromRead(_)) => {
            format!("the text of the {}", widget_words(widget, dmf))
        }
        Some(_) | None => "a text seen before".to_owned(),
    }
}

/// What kind of thing it is; empty if the selector does not tell.
fn kind(selector: &SpecSelector) -> &'static str {
    let role = selector.role.or_else(|| Role::of_class(selector.class.as_deref()?));
    role.map_or("", Role::word)
}

/// The last part of a resource id as words.
fn id_words(id: &str) -> String {
    id.rsplit(['/', ':']).next().unwrap_or(id).replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::DmfKind;

    #[test]
    fn a_widget_is_called_by_what_one_sees() {
        let mut dmf = Dmf::empty("add note".to_owned(), DmfKind::Create, "note");
        let named = |name: &str, selector| NamedSelector { name: name.to_owned(), layout: 0, selector };
        let any = SpecSelector::default;
        let class = |class: &str| Some(format!("android.widget.{class}"));
        dmf.widgets = vec![
            named(
                "e1_widget",
                SpecSelector { content_desc: Some("Add".into()), class: class("ImageButton"), ..any() },
            ),
            named("e2_widget", SpecSelector { resource_id: Some("org.ex:id/edit_title".into()), ..any() }),
            named("add_name", SpecSelector { class: class("EditText"), instance: Some(1), ..any() }),
            named("add_object", SpecSelector { text: TextPattern::FromRead("add_name".into()), ..any() }),
            named(
                "e4_widget",
                SpecSelector {
                    beside: Some(Beside { side: Side::RightOf, label: "Title".into() }),
                    role: Some(Role::Field),
                    ..any()
                },
            ),
            named(
                "row",
                SpecSelector {
                    text: TextPattern::Existing("note".into()),
                    class: class("TextView"),
                    ..any()
                },
            ),
            named("pre_widget", SpecSelector { text: TextPattern::Is("Notes".into()), ..any() }),
            named("xpath", SpecSelector { xpath: Some("//a".into()), ..any() }),
        ];
        let words: Vec<String> = dmf.widgets.iter().map(|widget| widget_words(widget, &dmf)).collect();
        assert_eq!(
            words,
            [
                "“Add” button",
                "edit title",
                "field, number 2",
                "the typed text",
                "field beside “Title”",
                "an existing note",
                "“Notes”",
                "widget",
            ]
        );
    }
}
