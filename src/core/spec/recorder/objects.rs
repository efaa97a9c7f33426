//! What a recording is about: the objects.

use std::sync::Arc;

use super::error::RecorderError;
use super::guess::{kept_object, proposed_object, row_texts};
use super::request::{DraftRequest, PickedWidget, Role};
use super::selector::ObjectText;
use crate::model::{Layout, RecordedStep, is_visible};
use crate::spec::recorded_widgets::{shows, target_of, typed_text};
use crate::spec::{DmfKind, ImpactOp, TextPattern};

/// An object of a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftObject {
    /// The part that it plays in the DMF.
    pub role: Role,
    /// What it reads in the recording.
    pub text: String,
    /// The widget of the DMF that it is read from, such as `add_name`.
    pub read: String,
    /// The widget of the DMF that must show it in the end, or must not, such as `add_object`.
    pub expected: Option<String>,
    /// Whether the app holds it before the function runs.
    pub known: bool,
}

/// The objects of a recording.
#[derive(Clone, Debug, Default)]
pub(super) struct Objects {
    pub(super) added: Option<String>,
    pub(super) removed: Option<String>,
    pub(super) sought: Option<String>,
    /// Whether the app no longer holds the object that was searched for.
    pub(super) sought_in_vain: bool,
    /// Whether the data model does not know the object that was searched for before this function.
    sought_is_new: bool,
    /// Whether the added object was shown before, so that it is known already.
    pub(super) added_was_there: bool,
    /// Whether a person picked where the known object is read, so that it is not drawn.
    known_is_read: bool,
    /// Texts that were typed beside the objects, and that later steps or the end of a property speak of.
    pub(super) further: Vec<ObjectText>,
    kind: Option<DmfKind>,
}

impl Objects {
    pub(super) fn of(
        steps: &[RecordedStep],
        layouts: &[Arc<Layout>],
        request: &DraftRequest,
    ) -> Result<Objects, RecorderError> {
        let mut objects = Objects {
            sought_in_vain: request.sought.shown == Some(false),
            sought_is_new: request.impacts.iter().flatten().any(|impact| {
                impact.role == Role::Sought && !matches!(impact.op, ImpactOp::Delete | ImpactOp::Clear)
            }),
            known_is_read: request.removed.read.is_some() || request.sought.read.is_some(),
            kind: Some(request.kind),
            ..Objects::default()
        };
        for role in Role::ALL {
            let choice = request.object(role);
            let picked = |picked: &Option<PickedWidget>| {
                let picked = picked.as_ref()?;
                let text = &layouts.get(picked.layout)?.get(picked.widget)?.text;
                is_visible(text).then(|| text.to_string())
            };
            // A widget that must not show the object may show another.
            let expected = || picked(&choice.expected).filter(|_| choice.shown != Some(false));
            let text = choice.text.clone().or_else(|| picked(&choice.read)).or_else(expected);
            let text = match (text, belongs(role, request.kind)) {
                (Some(text), _) => Some(text),
                (None, true) => {
                    let guess = proposed_object(steps, role, request.kind);
                    Some(guess.ok_or(RecorderError::ObjectUnknown { role: role.word() })?)
                }
                (None, false) => None,
            };
            let wanted = belongs(role, request.kind) || request.kind == DmfKind::Property;
            *objects.slot(role) = text.filter(|_| wanted);
        }
        if request.kind == DmfKind::Property && objects.sought.is_none() {
            objects.sought = kept_object(steps);
        }
        if request.kind == DmfKind::Search && request.sought.shown.is_none() {
            objects.sought_in_vain = objects.is_sought_in_vain(steps);
        }
        objects.further = objects.further_texts(steps);
        objects.look_at_steps(steps, request);
        Ok(objects)
    }

    /// An added object that was not typed and was shown before is known already.
    fn look_at_steps(&mut self, steps: &[RecordedStep], request: &DraftRequest) {
        if request.impacts.is_some() {
            return;
        }
        let typed = |object: &str| steps.iter().any(|step| typed_text(&step.event) == Some(object));
        if request.kind == DmfKind::Create
            && let (Some(added), Some(first)) = (&self.added, steps.first())
        {
            self.added_was_there = !typed(added) && shows(&first.before, added);
        }
    }

    /// Whether the object was typed, and no screen shows it from then on.
    fn is_sought_in_vain(&self, steps: &[RecordedStep]) -> bool {
        let Some(sought) = &self.sought else { return false };
        let typed = steps.iter().position(|step| typed_text(&step.event) == Some(sought));
        typed.is_some_and(|typed| !steps[typed..].iter().any(|step| shows(&step.after, sought)))
    }

    /// The typed texts that are none of the objects and that a later step is done to, or to a row with them. A property
    /// is also about those that a later screen shows.
    fn further_texts(&self, steps: &[RecordedStep]) -> Vec<ObjectText> {
        let mut further: Vec<ObjectText> = Vec::new();
        let first = steps.first().map(|step| Arc::clone(&step.before));
        let was_there = |text: &str| first.as_ref().is_some_and(|first| shows(first, text));
        for (number, step) in steps.iter().enumerate() {
            let Some(text) = typed_text(&step.event).filter(|text| is_visible(text)) else { continue };
            let later = &steps[number + 1..];
            let spoken_of = later.iter().any(|later| speaks_of(later, text))
                || (self.kind == Some(DmfKind::Property)
                    && later.iter().any(|later| shows(&later.after, text)));
            let is_object = Role::ALL.into_iter().any(|role| self.get(role) == Some(text));
            let is_known = further.iter().any(|known| known.text == text);
            if spoken_of && !is_object && !is_known && !was_there(text) {
                let taken = usize::from(self.kind == Some(DmfKind::Property) && self.added.is_some());
                let name = match further.len() + taken {
                    0 => "text_name".to_owned(),
                    others => format!("text{}_name", others + 1),
                };
                further.push(ObjectText { text: text.to_owned(), name });
            }
        }
        further
    }

    fn slot(&mut self, role: Role) -> &mut Option<String> {
        match role {
            Role::Added => &mut self.added,
            Role::Removed => &mut self.removed,
            Role::Sought => &mut self.sought,
        }
    }

    pub(super) fn get(&self, role: Role) -> Option<&str> {
        match role {
            Role::Added => self.added.as_deref(),
            Role::Removed => self.removed.as_deref(),
            Role::Sought => self.sought.as_deref(),
        }
    }

    /// The texts of the objects, with the names under which they are read.
    pub(super) fn texts(&self) -> Vec<ObjectText> {
        let text = |role| {
            let (text, name) = (self.get(role)?.to_owned(), self.read_name(role).to_owned());
            Some(ObjectText { text, name })
        };
        Role::ALL.into_iter().filter_map(text).chain(self.further.iter().cloned()).collect()
    }

    /// The object that the data model knows before the run, and its role.
    pub(super) fn known(&self) -> Option<(Role, &str)> {
        let held = !self.sought_in_vain && !self.sought_is_new;
        let sought = || self.sought.as_deref().filter(|_| held);
        let removed = self.removed.as_deref().map(|text| (Role::Removed, text));
        removed.or_else(|| Some((Role::Sought, sought()?)))
    }

    /// The known object, if the run draws it from the data model.
    pub(super) fn drawn(&self) -> Option<(Role, &str)> {
        self.known().filter(|_| !self.known_is_read)
    }

    /// The name of the widget that the object of a role is read from.
    pub(super) fn read_name(&self, role: Role) -> &'static str {
        match (role, self.kind) {
            (Role::Added, Some(DmfKind::Property)) => "text_name",
            (Role::Added, _) => "add_name",
            (Role::Removed, _) => "delete_name",
            (Role::Sought, Some(DmfKind::Search)) => "search_name",
            (Role::Sought, _) => "view_name",
        }
    }

    /// The name of the widget that is expected to show the object of a role, or not to show it.
    pub(super) fn object_name(&self, role: Role) -> &'static str {
        match (role, self.kind) {
            (Role::Added, Some(DmfKind::Property)) => "text_object",
            (Role::Added, _) => "add_object",
            (Role::Removed, _) => "delete_object",
            (Role::Sought, Some(DmfKind::Search)) => "search_object",
            (Role::Sought, _) => "view_object",
        }
    }

    /// The text pattern of the object of a role in a selector.
    pub(super) fn pattern(&self, role: Role) -> TextPattern {
        TextPattern::FromRead(self.read_name(role).to_owned())
    }
}

/// The name of the widget that is expected to show what is read under a name, or not to show it.
pub(super) fn object_name_of(read: &str) -> String {
    read.replace("_name", "_object")
}

/// Whether a step is done to a widget with this text, or to the row of one.
fn speaks_of(step: &RecordedStep, text: &str) -> bool {
    let Some(target) = target_of(step).filter(|idx| !step.before.widget(*idx).is_text_field()) else {
        return false;
    };
    *step.before.widget(target).text == *text
        || row_texts(&step.before, target).iter().any(|shown| shown == text)
}

/// Whether a function of this kind needs an object in that role.
pub(super) fn belongs(role: Role, kind: DmfKind) -> bool {
    match role {
        Role::Added => matches!(kind, DmfKind::Create | DmfKind::Update),
        Role::Removed => matches!(kind, DmfKind::Delete | DmfKind::Update),
        Role::Sought => matches!(kind, DmfKind::Search | DmfKind::Read),
    }
}
