//! A recording in the making: the steps, a person's choices, the edits of both, and the resulting request to the
//! recorder. The window holds it, and it is stored on disk until it is saved as a DMF.
//!
//! `E` is what is known of an event: on disk a recorded step, in the window also its screenshot and the state of the
//! phone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    ConditionChoice, DataType, DmfKind, DraftRequest, Extent, ImpactChoice, ImpactOp, Input, PickedWidget,
    Role, SpecSelector, WidgetState, coalesce, typed_text,
};
use taproof_screen::{Event, Gesture, Layout, RecordedStep, WidgetIdx};

/// What undo applies to: the steps, and the person's choices.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Recording<E> {
    /// The steps, in order.
    pub steps: Vec<RecordingStep<E>>,
    /// The person's choices for the whole recording.
    pub choices: Choices,
}

impl<E> Default for Recording<E> {
    fn default() -> Self {
        Recording { steps: Vec::new(), choices: Choices::default() }
    }
}

/// Compares steps and choices. What is known of the events in addition is ignored.
impl<E> PartialEq for Recording<E> {
    fn eq(&self, other: &Self) -> bool {
        (&self.steps, &self.choices) == (&other.steps, &other.choices)
    }
}

/// One recorded step, and the choices for it. A text that was typed in one go is one step.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RecordingStep<E> {
    /// The events that it was coalesced from.
    pub events: Vec<E>,
    /// The step that the events were coalesced to.
    pub step: RecordedStep,
    /// The selector that the person chose for its widget; `None` for the proposed one.
    pub selector: Option<SpecSelector>,
    /// The source of its text that the person chose; `None` for the proposed one.
    pub input: Option<Input>,
    /// Whether it may fail without failing the function.
    pub optional: bool,
    /// Whether the screen is scrolled until its widget is visible, as the person chose; `None` for the proposal.
    pub scroll_to: Option<bool>,
}

impl<E> PartialEq for RecordingStep<E> {
    fn eq(&self, other: &Self) -> bool {
        self.step == other.step
            && (&self.selector, &self.input) == (&other.selector, &other.input)
            && (self.optional, self.scroll_to) == (other.optional, other.scroll_to)
    }
}

/// The person's choices for the whole recording. Whatever is left out is proposed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Choices {
    /// What the function does to the data; `None` for the proposed kind.
    pub kind: Option<DmfKind>,
    /// The noun that the function works on; `None` for the proposed one.
    pub data_type: Option<DataType>,
    /// Name of the DMF; `None` for the proposed one.
    pub name: Option<String>,
    /// The texts of the chosen objects, by role.
    pub objects: BTreeMap<Role, String>,
    /// The widgets on which objects were picked, by role.
    pub picked: BTreeMap<Role, PickedPlace>,
    /// Whether the end must show an object, if that differs from the default of the kind.
    pub shown: BTreeMap<Role, bool>,
    /// Whether no other function creates the viewed object, so that it counts as known from here on.
    pub first_seen: bool,
    /// Conditions in addition to the proposed ones.
    pub conditions: Vec<PickedCondition>,
    /// Keys of the proposed conditions that are not wanted.
    pub without: BTreeSet<String>,
    /// Whether all steps belong to the function, not only the proposed ones.
    pub whole: bool,
    /// Steps of the lead-in that are not wanted (`LeadStep::at`).
    pub without_lead: BTreeSet<usize>,
}

/// A widget on a recorded layout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PickedPlace(#[serde(with = "taproof_screen::archive::layout")] pub Arc<Layout>, pub WidgetIdx);

/// A condition that the person added by picking a widget.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PickedCondition {
    /// Whether it is a postcondition; otherwise it is a precondition.
    pub post: bool,
    /// The recorded layout on which the widget was picked.
    #[serde(with = "taproof_screen::archive::layout")]
    pub layout: Arc<Layout>,
    /// The widget on that layout.
    pub widget: WidgetIdx,
    /// Whether the widget must be shown; otherwise it must not.
    pub shown: bool,
    /// The state in which it must, or must not, be shown; `None` for any.
    pub state: Option<WidgetState>,
}

/// A change of the recording. Steps are identified by their index.
#[derive(Clone, Debug, PartialEq)]
pub enum RecordEdit {
    /// Sets what the function does to the data; `None` for the proposal.
    Kind(Option<DmfKind>),
    /// Sets the noun; `None` for the proposal.
    DataType(Option<DataType>),
    /// Sets the name; `None` for the proposal.
    Name(Option<String>),
    /// Sets the text of an object; `None` for the proposal.
    Object(Role, Option<String>),
    /// Sets an object that was picked on a recorded layout. On the last layout, this also chooses where the result is
    /// shown.
    ObjectAt(Role, String, Arc<Layout>, WidgetIdx),
    /// Picks a widget like the one that would show an object, which the end must not show.
    PlaceAt(Role, Arc<Layout>, WidgetIdx),
    /// Sets whether the end must show an object.
    Shown(Role, bool),
    /// Sets whether the viewed object only counts as known from here on.
    FirstSeen(bool),
    /// Sets whether the screen is scrolled until the widget of a step is visible; `None` for the proposal.
    ScrollTo(usize, Option<bool>),
    /// Sets the selector of a step's widget; `None` for the proposal.
    Selector(usize, Option<SpecSelector>),
    /// Sets the source of a step's text; `None` for the proposal.
    Input(usize, Option<Input>),
    /// Sets whether a step may fail.
    Optional(usize, bool),
    /// Adds a condition that the person picked.
    AddCondition(PickedCondition),
    /// Removes an added condition: whether it is a postcondition, and its index among the added ones of that kind.
    RemoveAdded(bool, usize),
    /// Negates an added condition, given as for `RemoveAdded`.
    SwitchAdded(bool, usize),
    /// Sets the state in which the widget of an added condition must, or must not, be shown; `None` for any.
    StateAdded(bool, usize, Option<WidgetState>),
    /// Sets whether a step of the lead-in, given by `LeadStep::at`, is left out.
    WithoutLead(usize, bool),
    /// Sets whether a proposed condition, given by its key, is left out.
    Without(String, bool),
    /// Sets whether all steps belong to the function.
    Whole(bool),
    /// Removes the step with this index.
    Delete(usize),
    /// Moves a step down by this number of places, or up if it is negative.
    Move(usize, isize),
}

/// The roles of the objects that a kind of function has.
pub fn roles_of(kind: DmfKind) -> &'static [Role] {
    match kind {
        DmfKind::Create => &[Role::Added],
        DmfKind::Update => &[Role::Removed, Role::Added],
        DmfKind::Delete => &[Role::Removed],
        DmfKind::Search | DmfKind::Read => &[Role::Sought],
        // A text that the property refers to.
        DmfKind::Property => &[Role::Added],
    }
}

impl<E> Recording<E> {
    /// Applies a change to the steps or choices.
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
                choices.picked.insert(role, PickedPlace(layout, idx));
            }
            RecordEdit::PlaceAt(role, layout, idx) => {
                choices.picked.insert(role, PickedPlace(layout, idx));
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

    /// The request to the recorder that results from the choices.
    pub fn request(&self, kind: DmfKind, data_type: DataType) -> DraftRequest {
        let choices = &self.choices;
        let mut request = DraftRequest::new(kind, data_type);
        request.name.clone_from(&choices.name);
        request.extent = if choices.whole { Extent::Whole } else { Extent::Proposed };
        for (role, object) in &choices.objects {
            request.object_mut(*role).text = Some(object.clone());
        }
        for (role, PickedPlace(layout, widget)) in &choices.picked {
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
            // The condition belongs to a step that was deleted meanwhile, so its layout does not exist any more.
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

    /// Index of a layout among the recorded ones; `None` if it is not one of them.
    pub fn place_of(&self, layout: &Arc<Layout>) -> Option<usize> {
        (0..=self.steps.len()).find(|number| self.layout(*number) == Some(layout))
    }
}

impl Choices {
    /// Index of an added condition, given its number among those of its kind.
    fn place(&self, post: bool, number: usize) -> Option<usize> {
        let of_side = self.conditions.iter().enumerate().filter(|(_, condition)| condition.post == post);
        of_side.map(|(place, _)| place).nth(number)
    }
}

impl<E> RecordingStep<E> {
    /// A step with one event.
    pub fn of(event: E, recorded: RecordedStep) -> Self {
        let alone = coalesce(std::slice::from_ref(&recorded)).into_iter().next();
        let step = alone.map_or(recorded, |alone| alone.step);
        RecordingStep {
            events: vec![event],
            step,
            selector: None,
            input: None,
            optional: false,
            scroll_to: None,
        }
    }

    /// Whether it types into a field.
    pub fn types(&self) -> bool {
        matches!(self.step.event, Event::Widget { gesture: Gesture::SetText(_), .. })
    }

    /// The text that the step types; `None` if it types none.
    pub fn typed(&self) -> Option<&str> {
        typed_text(&self.step.event)
    }

    /// This step and the next one as one step, if a person performs both in one go.
    fn joined(&self, next: &RecordedStep) -> Option<RecordedStep> {
        let both = [self.step.clone(), next.clone()];
        let joined = coalesce(&both).into_iter().next();
        joined.filter(|joined| joined.end == both.len()).map(|joined| joined.step)
    }

    /// The same step with other knowledge of its events.
    fn map<F>(&self, known: impl FnMut(&E) -> F) -> RecordingStep<F> {
        RecordingStep {
            events: self.events.iter().map(known).collect(),
            step: self.step.clone(),
            selector: self.selector.clone(),
            input: self.input.clone(),
            optional: self.optional,
            scroll_to: self.scroll_to,
        }
    }
}

impl<E> Recording<E> {
    /// The steps as input of the recorder.
    pub fn recorded(&self) -> Vec<RecordedStep> {
        self.steps.iter().map(|step| step.step.clone()).collect()
    }

    /// Inserts a step at an index. Returns true if it was joined with the step before it.
    pub fn put(&mut self, at: usize, event: E, recorded: RecordedStep) -> bool {
        let at = at.min(self.steps.len());
        let before = at.checked_sub(1).and_then(|before| self.steps.get_mut(before));
        if let Some(before) = before
            && let Some(joined) = before.joined(&recorded)
        {
            before.step = joined;
            before.events.push(event);
            return true;
        }
        self.steps.insert(at, RecordingStep::of(event, recorded));
        false
    }

    /// The events of the first `steps` steps.
    pub fn events(&self, steps: usize) -> impl Iterator<Item = &E> {
        self.steps.iter().take(steps).flat_map(|step| &step.events)
    }

    /// The layout before a step; for the index after the last step, the last layout.
    pub fn layout(&self, step: usize) -> Option<&Arc<Layout>> {
        match self.steps.get(step) {
            Some(done) => Some(&done.step.before),
            None => self.steps.last().map(|done| &done.step.after),
        }
    }

    /// Whether the screen before a step is the one after the previous step.
    pub fn follows(&self, step: usize) -> bool {
        let before = step.checked_sub(1).and_then(|before| self.steps.get(before));
        match (before, self.steps.get(step)) {
            (Some(before), Some(done)) => before.step.after == done.step.before,
            (None, _) | (_, None) => true,
        }
    }

    /// The same recording with other knowledge of its events.
    pub fn map<F>(&self, mut known: impl FnMut(&E) -> F) -> Recording<F> {
        let steps = self.steps.iter().map(|step| step.map(&mut known)).collect();
        Recording { steps, choices: self.choices.clone() }
    }
}
