//! Editing DMFs by hand: new DMFs, and other names for DMFs and widgets.

use std::collections::BTreeSet;

use taproof_spec::{
    Condition, Dmf, DmfKind, DmfStep, FreshText, Input, NamedSelector, Relation, TextPattern,
};

/// Creates an empty DMF with a name that none of the others has.
pub fn new_dmf(others: &[Dmf], kind: DmfKind, data_type: &str) -> Dmf {
    numbered(others, Dmf::empty(format!("{} {data_type}", kind.word()), kind, data_type))
}

/// Renames the DMF if one of the others has its name.
pub fn numbered(others: &[Dmf], mut dmf: Dmf) -> Dmf {
    let taken: BTreeSet<&str> = others.iter().map(|other| other.name.as_str()).collect();
    dmf.name = free_name(&taken, &dmf.name);
    dmf
}

/// Returns `name`, or if it is taken a variant with a numbered verb, such as `add1 folder`.
pub fn free_name(taken: &BTreeSet<&str>, name: &str) -> String {
    let (verb, noun) = name.split_once(' ').unwrap_or((name, ""));
    let stem = verb.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let numbers = (1..).map(|number| format!("{stem}{number} {noun}").trim_end().to_owned());
    let mut names = std::iter::once(name.to_owned()).chain(numbers);
    names.find(|name| !taken.contains(name.as_str())).unwrap_or_else(|| name.to_owned())
}

/// Changes the verb and the data type of a DMF's name. Conditions, inputs and selectors about the old data type follow.
pub fn rename_dmf(dmf: &mut Dmf, verb: &str, noun: &str) {
    let old = std::mem::replace(&mut dmf.data_type, noun.to_owned());
    dmf.name = if noun.is_empty() { verb.to_owned() } else { format!("{verb} {noun}") };
    dmf.change_conditions(|condition| {
        if condition.data_type.as_deref() == Some(old.as_str()) {
            condition.data_type = Some(noun.to_owned());
        }
    });
    for step in dmf.steps.iter_mut().chain(&mut dmf.lead_in) {
        match &mut step.input {
            Input::Existing(of) | Input::Fresh(FreshText { data_type: Some(of), .. }) if *of == old => {
                noun.clone_into(of);
            }
            _ => {}
        }
    }
    for widget in &mut dmf.widgets {
        if widget.selector.text == TextPattern::Existing(old.clone()) {
            widget.selector.text = TextPattern::Existing(noun.to_owned());
        }
    }
}

/// Renames a widget and all references to it in the DMF.
pub fn rename_widget(dmf: &mut Dmf, old: &str, new: &str) {
    let name = |name: &mut String| {
        if name == old {
            new.clone_into(name);
        }
    };
    let steps = dmf.steps.iter_mut().chain(&mut dmf.lead_in);
    steps.filter_map(|step: &mut DmfStep| step.widget.as_mut()).for_each(name);
    dmf.refusal.iter_mut().for_each(name);
    dmf.change_conditions(|condition| {
        condition.widget.iter_mut().for_each(name);
        if let Relation::InOrder(names) = &mut condition.relation {
            names.iter_mut().for_each(name);
        }
    });
    let read = |text: &mut TextPattern| {
        if let TextPattern::FromRead(from) = text {
            name(from);
        }
    };
    dmf.impacts.iter_mut().for_each(|impact| read(&mut impact.object));
    for widget in &mut dmf.widgets {
        read(&mut widget.selector.text);
        widget.selector.row.iter_mut().for_each(name);
        name(&mut widget.name);
    }
}

/// Describes what a widget is used for: steps, conditions, effects and so on.
pub fn widgets_used(dmf: &Dmf, widget: &NamedSelector) -> Vec<String> {
    let name = widget.name.as_str();
    let mut uses = Vec::new();
    let steps = dmf.steps.iter().enumerate().filter(|(_, step)| step.widget.as_deref() == Some(name));
    uses.extend(steps.map(|(index, _)| format!("step {}", index + 1)));
    let of = |conditions: &[Condition]| {
        let orders = |relation: &Relation| matches!(relation, Relation::InOrder(names) if names.iter().any(|it| it == name));
        conditions
            .iter()
            .flat_map(Condition::alternatives)
            .any(|it| it.widget.as_deref() == Some(name) || orders(&it.relation))
    };
    if dmf.lead_in.iter().any(|step| step.widget.as_deref() == Some(name)) {
        uses.push("way there".to_owned());
    }
    if of(&dmf.preconditions) {
        uses.push("before".to_owned());
    }
    if of(&dmf.postconditions) {
        uses.push("after".to_owned());
    }
    let reads = TextPattern::FromRead(name.to_owned());
    if dmf.impacts.iter().any(|impact| impact.object == reads) {
        uses.push("data".to_owned());
    }
    if dmf.widgets.iter().any(|other| other.selector.text == reads) {
        uses.push("text of another".to_owned());
    }
    if dmf.widgets.iter().any(|other| other.selector.row.as_deref() == Some(name)) {
        uses.push("row of another".to_owned());
    }
    if dmf.refusal.as_deref() == Some(name) {
        uses.push("refusal".to_owned());
    }
    uses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_numbered_at_the_verb() {
        let one = new_dmf(&[], DmfKind::Create, "folder");
        let two = new_dmf(std::slice::from_ref(&one), DmfKind::Create, "folder");
        let three = numbered(&[one.clone(), two.clone()], one.clone());
        assert_eq!([one.name, two.name, three.name], ["add folder", "add1 folder", "add2 folder"]);
    }
}
