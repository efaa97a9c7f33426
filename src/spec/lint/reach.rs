//! Determines which functions can run at all. An app starts with empty data, so a function that needs an object needs
//! another function that adds one and can itself run.

use std::collections::BTreeSet;

use crate::{Condition, Dmf, FreshText, Input, Relation, TextPattern};

/// The data types of which there can be an object after these functions have run.
pub(crate) fn filled_types<'a>(dmfs: &[&'a Dmf]) -> BTreeSet<&'a str> {
    let mut filled = BTreeSet::new();
    loop {
        let known = filled.len();
        let runs = |dmf: &&&Dmf| dmf.runs() && needs(dmf).iter().all(|need| filled.contains(need.1));
        let more = dmfs.iter().filter(runs).filter(|dmf| dmf.impacts.iter().any(|impact| impact.op.adds()));
        let more: Vec<&str> = more.map(|dmf| dmf.data_type.as_str()).collect();
        filled.extend(more);
        if filled.len() == known {
            return filled;
        }
    }
}

/// The functions that can never run, each with the data type that neither the other functions nor, with `lead_in`, its
/// own lead-in adds.
pub fn stuck_functions<'a>(dmfs: &[&'a Dmf], lead_in: bool) -> Vec<(&'a Dmf, &'a str)> {
    let filled = filled_types(dmfs);
    let missing = |dmf: &&'a Dmf| {
        let made: Vec<&str> = if lead_in { made_on_the_way(dmf).collect() } else { Vec::new() };
        let missing = |need: &&str| !filled.contains(need) && !made.contains(need);
        Some((*dmf, needs(dmf).into_iter().map(|(_, need)| need).find(missing)?))
    };
    dmfs.iter().filter_map(missing).collect()
}

/// The data types of which a function needs an object, each with the first place in the DMF that needs it.
pub(crate) fn needs(dmf: &Dmf) -> Vec<(String, &str)> {
    let mut needs: Vec<(String, &str)> = Vec::new();
    for (index, condition) in dmf.preconditions.iter().enumerate().filter(|(_, it)| it.or.is_empty()) {
        let needed = needed_type(condition).or_else(|| match condition.relation {
            Relation::In => drawn_type(dmf, condition.widget.as_deref()?),
            _ => None,
        });
        needs.extend(needed.map(|needed| (format!("preconditions[{index}]"), needed)));
    }
    for (index, step) in dmf.steps.iter().enumerate().filter(|(_, step)| step.required) {
        let typed = match &step.input {
            Input::Existing(data_type) => Some(data_type.as_str()),
            Input::Fresh(fresh) if only_repeats(fresh) => {
                Some(fresh.data_type.as_deref().unwrap_or(&dmf.data_type))
            }
            Input::None | Input::Literal(_) | Input::Fresh(_) => None,
        };
        let touched = step.widget.as_deref().and_then(|name| drawn_type(dmf, name));
        needs.extend(typed.into_iter().chain(touched).map(|needed| (format!("events[{index}]"), needed)));
    }
    let mut told = BTreeSet::new();
    needs.retain(|(_, needed)| told.insert(*needed));
    needs
}

/// Whether a text can only be made from an existing object.
fn only_repeats(fresh: &FreshText) -> bool {
    let mut classes = fresh.classes.iter().filter(|(_, weight)| *weight > 0).peekable();
    classes.peek().is_some() && classes.all(|(class, _)| class.repeats())
}

/// The data type of which a data condition requires an object.
fn needed_type(condition: &Condition) -> Option<&str> {
    match condition.relation {
        Relation::IsNotEmpty | Relation::In | Relation::SameIn => condition.data_type.as_deref(),
        Relation::NotIn
        | Relation::IsEmpty
        | Relation::Smaller(_)
        | Relation::InOrder(_)
        | Relation::Unknown(_) => None,
    }
}

/// The data type of which an object is drawn to locate a widget, or the row that it is in.
fn drawn_type<'d>(dmf: &'d Dmf, name: &str) -> Option<&'d str> {
    let widget = dmf.widget(name)?;
    let row = widget.selector.row.as_deref().and_then(|row| dmf.widget(row));
    [Some(widget), row].into_iter().flatten().find_map(|it| match &it.selector.text {
        TextPattern::Existing(data_type) => Some(data_type.as_str()),
        TextPattern::Any | TextPattern::Is(_) | TextPattern::FromRead(_) => None,
    })
}

/// The data types of the objects that a function's own lead-in creates.
fn made_on_the_way(dmf: &Dmf) -> impl Iterator<Item = &str> {
    dmf.lead_in.iter().filter_map(|step| match &step.input {
        Input::Fresh(fresh) => Some(fresh.data_type.as_ref().unwrap_or(&dmf.data_type).as_str()),
        Input::None | Input::Literal(_) | Input::Existing(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, DmfKind, DmfStep, FreshText, Impact, ImpactOp};

    fn dmf(name: &str, needs: bool, op: ImpactOp) -> Dmf {
        let data_type = name.split(' ').nth(1).unwrap();
        let condition = Condition::on_data(data_type, Relation::IsNotEmpty);
        Dmf {
            preconditions: needs.then_some(condition).into_iter().collect(),
            impacts: vec![Impact { op, object: TextPattern::FromRead("e1_name".to_owned()) }],
            ..Dmf::empty(name, DmfKind::Update, data_type)
        }
    }

    #[test]
    fn an_edit_does_not_make_what_it_edits() {
        let (add, edit) = (dmf("add note", false, ImpactOp::Add), dmf("edit note", true, ImpactOp::Add));
        let (delete, other) =
            (dmf("delete note", true, ImpactOp::Delete), dmf("add tag", true, ImpactOp::Add));
        let names = |dmfs: &[&Dmf]| -> Vec<String> {
            stuck_functions(dmfs, false)
                .into_iter()
                .map(|(dmf, missing)| format!("{}: {missing}", dmf.name))
                .collect()
        };
        assert_eq!(names(&[&edit, &delete]), ["edit note: note", "delete note: note"]);
        assert!(names(&[&edit, &delete, &add]).is_empty());
        assert_eq!(names(&[&edit, &other, &add]), ["add tag: tag"]);
    }

    #[test]
    fn what_a_step_draws_must_be_there() {
        let step = |input| DmfStep { action: Action::Edit, widget: None, input, required: true };
        let search = Dmf {
            steps: vec![step(Input::Existing("note".to_owned()))],
            ..Dmf::empty("search note", DmfKind::Search, "note")
        };
        let add = dmf("add note", false, ImpactOp::Add);
        let off = Dmf { weight: 0, ..add.clone() };
        let stuck = |dmfs: &[&Dmf], lead_in| stuck_functions(dmfs, lead_in).len();
        assert_eq!((stuck(&[&search, &off], false), stuck(&[&search, &add], false)), (1, 0));
        let led = Dmf { lead_in: vec![step(Input::Fresh(FreshText::default()))], ..search };
        assert_eq!((stuck(&[&led], false), stuck(&[&led], true)), (1, 0));
    }
}
