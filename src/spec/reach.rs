//! Which functions can run at all: an app begins with empty data, so whatever asks for an object needs a function
//! that adds one and can itself run.

use std::collections::BTreeSet;

use super::{Condition, Dmf, Relation};

/// The data types of which there can be an object once these functions run.
pub fn filled_types<'a>(dmfs: &[&'a Dmf]) -> BTreeSet<&'a str> {
    let mut filled = BTreeSet::new();
    loop {
        let known = filled.len();
        let runs = |dmf: &&&Dmf| needed_types(dmf).all(|needed| filled.contains(needed));
        let more = dmfs.iter().filter(runs).filter(|dmf| dmf.impacts.iter().any(|impact| impact.op.adds()));
        let more: Vec<&str> = more.map(|dmf| dmf.data_type.as_str()).collect();
        filled.extend(more);
        if filled.len() == known {
            return filled;
        }
    }
}

/// The functions among these that can never run, each with the data type that none of the others adds.
pub fn stuck_functions<'a>(dmfs: &[&'a Dmf]) -> Vec<(&'a Dmf, &'a str)> {
    let filled = filled_types(dmfs);
    let missing = |dmf: &&'a Dmf| Some((*dmf, needed_types(dmf).find(|needed| !filled.contains(needed))?));
    dmfs.iter().filter_map(missing).collect()
}

/// The data type of which the condition asks for an object.
pub fn needed_type(condition: &Condition) -> Option<&str> {
    match condition.relation {
        Relation::IsNotEmpty | Relation::In | Relation::SameIn => condition.data_type.as_deref(),
        Relation::NotIn
        | Relation::IsEmpty
        | Relation::Smaller(_)
        | Relation::InOrder(_)
        | Relation::Unknown(_) => None,
    }
}

fn needed_types(dmf: &Dmf) -> impl Iterator<Item = &str> {
    dmf.preconditions.iter().filter_map(needed_type)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{DmfKind, Impact, ImpactOp, TextPattern};

    fn dmf(name: &str, needs: bool, op: ImpactOp) -> Dmf {
        let data_type = name.split(' ').nth(1).unwrap();
        let condition = Condition {
            widget: None,
            data_type: Some(data_type.to_owned()),
            relation: Relation::IsNotEmpty,
            layout: None,
            scroll: true,
        };
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
            stuck_functions(dmfs)
                .into_iter()
                .map(|(dmf, missing)| format!("{}: {missing}", dmf.name))
                .collect()
        };
        assert_eq!(names(&[&edit, &delete]), ["edit note: note", "delete note: note"]);
        assert!(names(&[&edit, &delete, &add]).is_empty());
        assert_eq!(names(&[&edit, &other, &add]), ["add tag: tag"]);
    }
}
