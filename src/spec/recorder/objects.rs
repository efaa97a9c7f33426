//! What a recording is about: the objects.

use std::sync::Arc;

use super::error::RecorderError;
use super::guess::proposed_object;
use super::request::{DraftRequest, PickedWidget, Role};
use super::selector::ObjectText;
use crate::recorded_widgets::{shows, typed_text};
use crate::{DmfKind, ImpactOp, TextPattern};
use taproof_screen::{Layout, RecordedStep, is_visible};

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
    /// By role.
    texts: [Option<String>; Role::ALL.len()],
    /// Whether the app no longer holds the object that was searched for.
    pub(super) sought_in_vain: bool,
    /// Whether the data model does not know the object that was searched for before this function.
    sought_is_new: bool,
    /// Whether the added object was shown before, so that it is known already.
    pub(super) added_was_there: bool,
    /// Other texts that were typed, each with the name of the widget that it is read from.
    pub(super) typed: Vec<ObjectText>,
    /// Whether a person picked where the known object is read, so that it is not drawn.
    known_is_read: bool,
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
            objects.texts[role as usize] = text.filter(|_| wanted);
        }
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
            && let (Some(added), Some(first)) = (self.get(Role::Added), steps.first())
        {
            self.added_was_there = !typed(added) && shows(&first.before, added);
        }
    }

    pub(super) fn get(&self, role: Role) -> Option<&str> {
        self.texts[role as usize].as_deref()
    }

    /// The texts of the objects, and the others that were typed, with the names under which they are read.
    pub(super) fn texts(&self) -> Vec<ObjectText> {
        let text = |role| {
            let (text, name) = (self.get(role)?.to_owned(), self.read_name(role).to_owned());
            Some(ObjectText { text, name })
        };
        Role::ALL.into_iter().filter_map(text).chain(self.typed.iter().cloned()).collect()
    }

    /// Adds the other texts that were typed: a run draws new ones, so that no widget may be identified by the recorded
    /// ones. `typed` are those of steps whose text is drawn.
    pub(super) fn add_typed<'t>(&mut self, typed: impl Iterator<Item = &'t str>) {
        for text in typed.filter(|text| is_visible(text)) {
            if !self.texts().iter().any(|known| known.text == text) {
                let name = match self.typed.len() {
                    0 => "typed_name".to_owned(),
                    others => format!("typed_name{}", others + 1),
                };
                self.typed.push(ObjectText { text: text.to_owned(), name });
            }
        }
    }

    /// The object that the data model knows before the run, and its role.
    pub(super) fn known(&self) -> Option<(Role, &str)> {
        let held = !self.sought_in_vain && !self.sought_is_new;
        let sought = || self.get(Role::Sought).filter(|_| held);
        let removed = self.get(Role::Removed).map(|text| (Role::Removed, text));
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

/// Whether a function of this kind needs an object in that role.
pub(super) fn belongs(role: Role, kind: DmfKind) -> bool {
    match role {
        Role::Added => matches!(kind, DmfKind::Create | DmfKind::Update),
        Role::Removed => matches!(kind, DmfKind::Delete | DmfKind::Update),
        Role::Sought => matches!(kind, DmfKind::Search | DmfKind::Read),
    }
}
