//! What a person calls a widget of a specification.

use super::{Action, Condition, Dmf, NamedSelector, Relation, SpecSelector, TextPattern};
use taproof_screen::{Beside, FailedCheck, Role, Side, id_words, upper_first, with_article};

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

/// What a condition requires, in a sentence without its end, such as `The typed text is shown`; `None` for a relation that
/// is unknown.
pub fn condition_words(condition: &Condition, dmf: &Dmf) -> Option<String> {
    let words: Option<Vec<String>> = condition.alternatives().map(|it| words_alone(it, dmf)).collect();
    Some(upper_first(&words?.join(FailedCheck::OR)))
}

fn words_alone(condition: &Condition, dmf: &Dmf) -> Option<String> {
    let widget = condition.widget.as_deref().and_then(|name| dmf.widget(name));
    let state = condition.state.map_or(String::new(), |state| format!(" and is {}", state.word()));
    let one = || widget.map_or_else(|| "a widget".to_owned(), |widget| widget_words(widget, dmf));
    let kind = condition.data_type.as_deref().unwrap_or(&dmf.data_type);
    Some(match &condition.relation {
        Relation::In => format!("{} is shown{state}", one()),
        Relation::NotIn if condition.state.is_some() => format!("nothing like {} is shown{state}", one()),
        Relation::NotIn => format!("{} is not shown", one()),
        Relation::SameIn => format!("{} is shown as before", one()),
        Relation::IsEmpty => format!("there is no {kind}"),
        Relation::IsNotEmpty => format!("there is {}", with_article(kind)),
        Relation::Smaller(limit) if widget.is_some() => {
            format!("{} is shown at most {limit} times", one())
        }
        Relation::Smaller(limit) => format!("there are at most {limit} of the kind {kind}"),
        Relation::InOrder(_) => format!("every {kind} stands in its place"),
        Relation::Unknown(_) => return None,
    })
}

/// The text that a widget showed, where only a widget that is read has one.
fn text_read(read: &str, dmf: &Dmf) -> String {
    let edits = |widget: &NamedSelector| {
        let mut steps = dmf.steps.iter().filter(|step| step.action == Action::Edit);
        steps.any(|step| step.widget.as_deref() == Some(&*widget.name))
    };
    let typed = |widget: &NamedSelector| kind(&widget.selector) == "field" || edits(widget);
    match dmf.widget(read) {
        Some(widget) if typed(widget) => "the typed text".to_owned(),
        Some(widget) if !matches!(widget.selector.text, TextPattern::FromRead(_)) => {
            let words = widget_words(widget, dmf);
            let named = words.ends_with('\u{201d}') || words.starts_with("an existing ");
            let the = if named { "" } else { "the " };
            format!("the text of {the}{words}")
        }
        Some(_) | None => "a text seen before".to_owned(),
    }
}

/// What kind of thing it is; empty if the selector does not tell.
fn kind(selector: &SpecSelector) -> &'static str {
    let role = selector.role.or_else(|| Role::of_class(selector.class.as_deref()?));
    role.map_or("", Role::word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DmfKind;

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
            named("old_object", SpecSelector { text: TextPattern::FromRead("row".into()), ..any() }),
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
                "the text of an existing note",
            ]
        );
        let condition = |widget: &str, relation| Condition::on_widget(widget, relation);
        let says = |widget, relation| condition_words(&condition(widget, relation), &dmf);
        assert_eq!(says("add_object", Relation::In).as_deref(), Some("The typed text is shown"));
        assert_eq!(says("row", Relation::NotIn).as_deref(), Some("An existing note is not shown"));
        assert_eq!(
            says("row", Relation::Smaller(2)).as_deref(),
            Some("An existing note is shown at most 2 times")
        );
        assert_eq!(says("row", Relation::Unknown("x".to_owned())), None);
        let no_widget = Condition { widget: None, ..condition("", Relation::IsEmpty) };
        assert_eq!(condition_words(&no_widget, &dmf).as_deref(), Some("There is no note"));
    }
}
