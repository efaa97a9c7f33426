//! The words of the widgets that change data, for a specification whose author wrote no block list: what is called as the
//! last step of a function that deletes will delete as well, whatever else its name says.

use std::collections::BTreeSet;

use super::{Action, Dmf, DmfKind, DmfStep, Spec, SpecSelector, TextPattern};
use taproof_screen::Widget;

/// Words that only widgets have which change data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommittingWords(BTreeSet<String>);

impl CommittingWords {
    /// The words of the last steps of functions that change data, without those with which a function begins or that one
    /// needs which only looks.
    pub fn of(spec: &Spec) -> CommittingWords {
        let words = |of: fn(&Dmf) -> Vec<&SpecSelector>| -> BTreeSet<String> {
            spec.dmfs.iter().flat_map(of).flat_map(words_of_selector).collect()
        };
        let harmless = words(harmless);
        CommittingWords(words(committing).into_iter().filter(|word| !harmless.contains(word)).collect())
    }

    /// Whether one of the words is in a widget's id, or is the first of its text or description.
    pub fn name(&self, widget: &Widget) -> bool {
        let id = widget.short_id().into_iter().flat_map(id_words);
        let said = [&widget.text, &widget.content_desc].into_iter().filter_map(|text| first_word(text));
        id.chain(said).any(|word| self.0.iter().any(|own| own.chars().eq(lower_case(word))))
    }
}

/// The widgets of the steps that change data: the last touch, and the one before it where nothing is typed, since it may only
/// leave the screen.
fn committing(dmf: &Dmf) -> Vec<&SpecSelector> {
    if !dmf.changes_data() {
        return Vec::new();
    }
    let typed = dmf.steps.iter().any(|step| step.action == Action::Edit);
    let touches = |step: &&DmfStep| matches!(step.action, Action::Click | Action::LongClick);
    let touches = dmf.steps.iter().rev().filter(touches).take(if typed { 1 } else { 2 });
    touches.filter_map(|step| target(dmf, step)).collect()
}

fn harmless(dmf: &Dmf) -> Vec<&SpecSelector> {
    let looks = matches!(dmf.kind, DmfKind::Read | DmfKind::Search);
    let steps = dmf.steps.iter().take(if looks { usize::MAX } else { 1 });
    steps.filter_map(|step| target(dmf, step)).collect()
}

fn target<'d>(dmf: &'d Dmf, step: &DmfStep) -> Option<&'d SpecSelector> {
    dmf.widget(step.widget.as_deref()?).map(|named| &named.selector)
}

fn words_of_selector(selector: &SpecSelector) -> Vec<String> {
    let id = selector.resource_id.as_deref().map(|id| id.rsplit('/').next().unwrap_or(id));
    let text = if let TextPattern::Is(text) = &selector.text { Some(text.as_str()) } else { None };
    let said = [text, selector.content_desc.as_deref()].into_iter().flatten().filter_map(first_word);
    id.into_iter().flat_map(id_words).chain(said).map(|word| lower_case(word).collect()).collect()
}

fn id_words(id: &str) -> impl Iterator<Item = &str> {
    let words = id.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| word.chars().any(char::is_alphabetic))
}

fn first_word(text: &str) -> Option<&str> {
    text.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty())
}

fn lower_case(word: &str) -> impl Iterator<Item = char> {
    word.chars().flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::DmfFile;
    use taproof_screen::layout_from;

    fn dmf(name: &str, kind: &str, impact: &str, steps: &[&str]) -> String {
        let events =
            (0..steps.len()).map(|at| format!(r#"{{"action": "click", "widget": "w{at}", "text": ""}}"#));
        let widget =
            |(at, part): (usize, &&str)| format!(r#"{{"name": "w{at}", "UI_layout_num": "{at}", {part}}}"#);
        let widgets: Vec<String> = steps.iter().enumerate().map(widget).collect();
        format!(
            r#"{{"name": "{name}", "type": "{kind}", "datatype": "note", "events": [{}], "widgets": [{}],
            "impacts": [{impact}], "preconditions": [], "post-conditions": []}}"#,
            events.collect::<Vec<_>>().join(","),
            widgets.join(",")
        )
    }

    #[test]
    fn what_is_called_as_what_deletes_is_avoided() {
        let id = |id: &str| format!(r#""resource-id": "org.ex:id/{id}""#);
        let delete = r#"{"object": "w0.text", "operator": "delete"}"#;
        let add = r#"{"object": "w2.text", "operator": "add"}"#;
        let dmfs = [
            dmf("delete note", "delete", delete, &[&id("note_menu"), r#""text": "Delete""#]),
            dmf(
                "restore note",
                "add",
                add,
                &[&id("trash"), &id("note_restore"), r#""content-desc": "Up again""#],
            ),
            dmf("view note", "view", "", &[&id("note_title")]),
        ];
        let spec = DmfFile::parse(&format!("{{\"dmfs\": [{}]}}", dmfs.join(","))).unwrap().spec;
        let words = CommittingWords::of(&spec);
        let layout = layout_from(
            "Button (Delete selected)\nImageView#item_delete\nTextView \"delete-all\"\nButton#restore_all\n\
             Button \"Do not delete\"\nTextView#note_title \"Note\"\nButton#trash\nButton \"Undo\"\n",
        );
        let avoided: Vec<bool> = layout.widgets().iter().map(|widget| words.name(widget)).collect();
        assert_eq!(avoided[avoided.len() - 8..], [true, true, true, true, false, false, false, false]);
    }
}
