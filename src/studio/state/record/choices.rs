//! What the person says of a recording, and how they change it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Recording;
use taproof_core::model::{Layout, WidgetIdx};
use taproof_core::spec::{
    ConditionChoice, DataType, DmfKind, DraftRequest, Extent, ImpactChoice, ImpactOp, Input, PickedWidget,
    Role, SpecSelector, WidgetState,
};

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
    pub objects: BTreeMap<Role, String>,
    /// The widgets on which they were picked.
    pub picked: BTreeMap<Role, (Arc<Layout>, WidgetIdx)>,
    /// Whether the end must show an object, where it is not as the kind says.
    pub shown: BTreeMap<Role, bool>,
    /// No other function makes what is viewed: it counts as known from here on.
    pub first_seen: bool,
    /// Conditions beside the proposed ones.
    pub conditions: Vec<PickedCondition>,
    /// Proposed conditions that are not wanted, by their keys.
    pub without: BTreeSet<String>,
    /// All steps belong to the function, not only those that are proposed.
    pub whole: bool,
    /// Steps of the way to the function that are not wanted (`LeadStep::at`).
    pub without_lead: BTreeSet<usize>,
}

/// A condition that the person added by pointing at a widget.
#[derive(Clone, Debug, PartialEq)]
pub struct PickedCondition {
    /// After the function, not before it.
    pub post: bool,
    /// The recorded layout that it was picked on.
    pub layout: Arc<Layout>,
    /// The widget.
    pub widget: WidgetIdx,
    /// Whether it must be shown.
    pub shown: bool,
    /// The state in which it must be shown, or must not.
    pub state: Option<WidgetState>,
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
    Object(Role, Option<String>),
    /// An object, picked on a recorded layout: on the last one it says where the result shows.
    ObjectAt(Role, String, Arc<Layout>, WidgetIdx),
    /// A widget like the one that would show an object, which the end must not show.
    PlaceAt(Role, Arc<Layout>, WidgetIdx),
    /// Whether the end must show an object.
    Shown(Role, bool),
    /// Whether what is viewed counts as known only from here on.
    FirstSeen(bool),
    /// Whether the screen is scrolled until the widget of a step is in sight; `None`: as proposed.
    ScrollTo(usize, Option<bool>),
    /// The selector of a step's widget; `None`: as proposed.
    Selector(usize, Option<SpecSelector>),
    /// Where a step's text comes from; `None`: as proposed.
    Input(usize, Option<Input>),
    /// Whether a step may fail.
    Optional(usize, bool),
    /// Adds a condition.
    AddCondition(PickedCondition),
    /// Removes an added condition, by its number among the added ones of that side.
    RemoveAdded(bool, usize),
    /// Makes an added condition say the opposite.
    SwitchAdded(bool, usize),
    /// In which state the widget of an added condition must be shown, or must not; `None`: in any.
    StateAdded(bool, usize, Option<WidgetState>),
    /// Whether a step of the way to the function, by `LeadStep::at`, is left out.
    WithoutLead(usize, bool),
    /// Whether a proposed condition, by its key, is left out.
    Without(String, bool),
    /// Whether all steps belong to the function.
    Whole(bool),
    /// Removes a step.
    Delete(usize),
    /// Moves a step so many places down, or up.
    Move(usize, isize),
}

/// The objects that a kind of function has.
pub fn roles_of(kind: DmfKind) -> &'static [Role] {
    match kind {
        DmfKind::Create => &[Role::Added],
        DmfKind::Update => &[Role::Removed, Role::Added],
        DmfKind::Delete => &[Role::Removed],
        DmfKind::Search | DmfKind::Read => &[Role::Sought],
        // A text that it speaks of.
        DmfKind::Property => &[Role::Added],
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
            RecordEdit::Object(role, object) => {
                choices.picked.remove(&role);
                match object {
                    Some(object) => choices.objects.insert(role, object),
                    None => choices.objects.remove(&role),
                };
            }
            RecordEdit::ObjectAt(role, object, layout, idx) => {
                choices.objects.insert(role, object);
                choices.picked.insert(role, (layout, idx));
            }
            RecordEdit::PlaceAt(role, layout, idx) => {
                choices.picked.insert(role, (layout, idx));
            }
            RecordEdit::Shown(role, shown) => {
                choices.shown.insert(role, shown);
            }
            RecordEdit::FirstSeen(first_seen) => choices.first_seen = first_seen,
            RecordEdit::ScrollTo(step, scroll_to) => {
                if let Some(done) = self.steps.get_mut(step) {
                    done.scroll_to = scroll_to;
                }
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
            RecordEdit::AddCondition(condition) => choices.conditions.push(condition),
            RecordEdit::RemoveAdded(post, number) => {
                if let Some(place) = choices.place(post, number) {
                    choices.conditions.remove(place);
                }
            }
            RecordEdit::SwitchAdded(post, number) => {
                let place = choices.place(post, number);
                if let Some(condition) = place.and_then(|place| choices.conditions.get_mut(place)) {
                    condition.shown = !condition.shown;
                }
            }
            RecordEdit::StateAdded(post, number, state) => {
                let place = choices.place(post, number);
                if let Some(condition) = place.and_then(|place| choices.conditions.get_mut(place)) {
                    condition.state = state;
                }
            }
            RecordEdit::WithoutLead(at, true) => {
                choices.without_lead.insert(at);
            }
            RecordEdit::WithoutLead(at, false) => {
                choices.without_lead.remove(&at);
            }
            RecordEdit::Without(key, true) => {
                choices.without.insert(key);
            }
            RecordEdit::Without(key, false) => {
                choices.without.remove(&key);
            }
            RecordEdit::Whole(whole) => choices.whole = whole,
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
        let choices = &self.choices;
        let mut request = DraftRequest::new(kind, data_type);
        request.name.clone_from(&choices.name);
        request.extent = if choices.whole { Extent::Whole } else { Extent::Proposed };
        for (role, object) in &choices.objects {
            request.object_mut(*role).text = Some(object.clone());
        }
        for (role, (layout, widget)) in &choices.picked {
            let gone = choices.shown.get(role) == Some(&false);
            let place = self.place_of(layout).filter(|place| gone || *place == self.steps.len());
            let shown = *role != Role::Removed && layout.get(*widget).is_some_and(|it| !it.is_text_field());
            let picked = place.filter(|_| shown).map(|place| PickedWidget::new(place, *widget));
            request.object_mut(*role).expected = picked;
        }
        if choices.first_seen && kind == DmfKind::Read {
            let impact = ImpactChoice { op: ImpactOp::AddNoDuplicate, role: Role::Sought };
            request.impacts = Some(vec![impact]);
        }
        if kind == DmfKind::Property && choices.objects.contains_key(&Role::Added) {
            request.added.shown = Some(true);
        }
        for (role, shown) in &choices.shown {
            request.object_mut(*role).shown = Some(*shown);
        }
        for (number, done) in self.steps.iter().enumerate() {
            request.scroll_to.extend(done.scroll_to.map(|scroll_to| (number, scroll_to)));
            request.selectors.extend(done.selector.clone().map(|selector| (number, selector)));
            request.inputs.extend(done.input.clone().map(|input| (number, input)));
            request.optional.extend(done.optional.then_some(number));
        }
        for condition in &choices.conditions {
            // Of a step that was deleted meanwhile: its screen is no more.
            let Some(layout) = self.place_of(&condition.layout) else { continue };
            let picked = PickedWidget::new(layout, condition.widget);
            let choice = ConditionChoice { picked, shown: condition.shown, state: condition.state };
            let side = if condition.post { &mut request.postconditions } else { &mut request.preconditions };
            side.push(choice);
        }
        request.without.clone_from(&choices.without);
        request.without_lead.clone_from(&choices.without_lead);
        request
    }

    /// The number of a layout among the recorded ones.
    pub fn place_of(&self, layout: &Arc<Layout>) -> Option<usize> {
        (0..=self.steps.len()).find(|number| self.layout(*number) == Some(layout))
    }
}

impl Choices {
    /// The place of an added condition, by its number among those of its side.
    fn place(&self, post: bool, number: usize) -> Option<usize> {
        let of_side = self.conditions.iter().enumerate().filter(|(_, condition)| condition.post == post);
        of_side.map(|(place, _)| place).nth(number)
    }
}
