//! What the person says of a recording, and how they change it.

use std::collections::BTreeMap;

use super::Recording;
use crate::spec::{DataType, DmfKind, DraftRequest, Input, SpecSelector};

/// What the person says of the recording as a whole. What is left out is proposed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choices {
    /// What was done to the data.
    pub kind: Option<DmfKind>,
    /// The noun.
    pub data_type: Option<DataType>,
    /// The name.
    pub name: Option<String>,
    /// The objects.
    pub objects: BTreeMap<ObjectRole, String>,
}

/// Which object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ObjectRole {
    /// It was made, or what was edited became it.
    Added,
    /// It was removed, or was edited.
    Removed,
    /// It was looked for, or viewed.
    Sought,
}

/// A change of the recording. Steps go by their number among the recorded ones.
#[derive(Clone, Debug, PartialEq)]
pub enum RecordEdit {
    /// What was done to the data; `None`: as proposed.
    Kind(Option<DmfKind>),
    /// The noun; `None`: as proposed.
    DataType(Option<DataType>),
    /// The name; `None`: as proposed.
    Name(Option<String>),
    /// An object; `None`: as proposed.
    Object(ObjectRole, Option<String>),
    /// The selector of a step's widget; `None`: as proposed.
    Selector(usize, Option<SpecSelector>),
    /// Where a step's text comes from; `None`: as proposed.
    Input(usize, Option<Input>),
    /// Whether a step may fail.
    Optional(usize, bool),
    /// Removes a step.
    Delete(usize),
    /// Moves a step so many places down, or up.
    Move(usize, isize),
}

impl ObjectRole {
    /// The roles that a kind of function has.
    pub fn of(kind: DmfKind) -> &'static [ObjectRole] {
        match kind {
            DmfKind::Create => &[ObjectRole::Added],
            DmfKind::Update => &[ObjectRole::Removed, ObjectRole::Added],
            DmfKind::Delete => &[ObjectRole::Removed],
            DmfKind::Search | DmfKind::Read => &[ObjectRole::Sought],
            DmfKind::Property => &[],
        }
    }
}

impl Recording {
    /// Makes a change.
    pub fn edit(&mut self, edit: RecordEdit) {
        let choices = &mut self.choices;
        match edit {
            RecordEdit::Kind(kind) => choices.kind = kind,
            RecordEdit::DataType(data_type) => {
                choices.data_type = data_type.filter(|text| !text.trim().is_empty());
            }
            RecordEdit::Name(name) => choices.name = name.filter(|text| !text.trim().is_empty()),
            RecordEdit::Object(role, Some(object)) => {
                choices.objects.insert(role, object);
            }
            RecordEdit::Object(role, None) => {
                choices.objects.remove(&role);
            }
            RecordEdit::Selector(step, selector) => {
                if let Some(done) = self.steps.get_mut(step) {
                    done.selector = selector;
                }
            }
            RecordEdit::Input(step, input) => {
                if let Some(done) = self.steps.get_mut(step) {
                    done.input = input;
                }
            }
            RecordEdit::Optional(step, optional) => {
                if let Some(done) = self.steps.get_mut(step) {
                    done.optional = optional;
                }
            }
            RecordEdit::Delete(step) => {
                if step < self.steps.len() {
                    self.steps.remove(step);
                }
            }
            RecordEdit::Move(step, by) => {
                let to = step.saturating_add_signed(by);
                if step < self.steps.len() && to < self.steps.len() {
                    let done = self.steps.remove(step);
                    self.steps.insert(to, done);
                }
            }
        }
    }

    /// What the recorder is asked for.
    pub fn request(&self, kind: DmfKind, data_type: DataType) -> DraftRequest {
        let object = |role: ObjectRole| self.choices.objects.get(&role).cloned();
        let mut request = DraftRequest {
            name: self.choices.name.clone(),
            added: object(ObjectRole::Added).into(),
            removed: object(ObjectRole::Removed).into(),
            sought: object(ObjectRole::Sought).into(),
            ..DraftRequest::new(kind, data_type)
        };
        for (step, done) in self.steps.iter().enumerate() {
            request.selectors.extend(done.selector.clone().map(|selector| (step, selector)));
            request.inputs.extend(done.input.clone().map(|input| (step, input)));
            request.optional.extend(done.optional.then_some(step));
        }
        request
    }
}
