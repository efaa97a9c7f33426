//! What a recording is about: the objects, and the widgets that its events were done to.

use std::sync::Arc;

use super::recorder::{RecordedStep, RecorderError};
use super::recorder_guess::proposed_object;
use super::recorder_request::{DraftRequest, PickedWidget, Role};
use super::recorder_selector::ObjectText;
use super::{DmfKind, ImpactOp, TextPattern};
use crate::model::{Event, Gesture, Key, Layout, WidgetFlags, WidgetIdx, is_visible};

/// The objects that the recording is about.
#[derive(Clone, Debug, Default)]
pub(super) struct Objects {
    pub(super) added: Option<String>,
    pub(super) removed: Option<String>,
    pub(super) sought: Option<String>,
    /// Whether what was sought is something that the app no longer holds.
    pub(super) sought_in_vain: bool,
    /// Whether the model first hears of what was sought from this very function.
    sought_is_new: bool,
    /// Whether what is added stood there before, so that it is known already.
    pub(super) added_was_there: bool,
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
            // A widget where the object must not show may show another.
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
        objects.look_at_steps(steps, request);
        Ok(objects)
    }

    /// An added object that nobody typed and that was there before is known already.
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

    /// The texts with the names under which they are read.
    pub(super) fn texts(&self) -> Vec<ObjectText> {
        let text = |role| {
            let (text, name) = (self.get(role)?.to_owned(), self.read_name(role).to_owned());
            Some(ObjectText { text, name })
        };
        Role::ALL.into_iter().filter_map(text).collect()
    }

    /// The object that the model knows before the run, and its part.
    pub(super) fn known(&self) -> Option<(Role, &str)> {
        let held = !self.sought_in_vain && !self.sought_is_new;
        let sought = || self.sought.as_deref().filter(|_| held);
        let removed = self.removed.as_deref().map(|text| (Role::Removed, text));
        removed.or_else(|| Some((Role::Sought, sought()?)))
    }

    /// The known object, where the run draws it from the model.
    pub(super) fn drawn(&self) -> Option<(Role, &str)> {
        self.known().filter(|_| !self.known_is_read)
    }

    /// The name that the object of a role is read under.
    pub(super) fn read_name(&self, role: Role) -> &'static str {
        match (role, self.kind) {
            (Role::Added, Some(DmfKind::Property)) => "text_name",
            (Role::Added, _) => "add_name",
            (Role::Removed, _) => "delete_name",
            (Role::Sought, Some(DmfKind::Search)) => "search_name",
            (Role::Sought, _) => "view_name",
        }
    }

    /// The name of the widget that is expected to show it, or not to.
    pub(super) fn object_name(&self, role: Role) -> &'static str {
        match (role, self.kind) {
            (Role::Added, Some(DmfKind::Property)) => "text_object",
            (Role::Added, _) => "add_object",
            (Role::Removed, _) => "delete_object",
            (Role::Sought, Some(DmfKind::Search)) => "search_object",
            (Role::Sought, _) => "view_object",
        }
    }

    /// What the object of a role reads in a selector.
    pub(super) fn pattern(&self, role: Role) -> TextPattern {
        TextPattern::FromRead(self.read_name(role).to_owned())
    }
}

/// Whether a function of the kind needs an object in that role.
pub(super) fn belongs(role: Role, kind: DmfKind) -> bool {
    match role {
        Role::Added => matches!(kind, DmfKind::Create | DmfKind::Update),
        Role::Removed => matches!(kind, DmfKind::Delete | DmfKind::Update),
        Role::Sought => matches!(kind, DmfKind::Search | DmfKind::Read),
    }
}

/// The text that an event types.
pub fn typed_text(event: &Event) -> Option<&str> {
    match event {
        Event::Widget { gesture: Gesture::SetText(text), .. } | Event::Type(text) => Some(text),
        Event::Widget { .. }
        | Event::Key(_)
        | Event::Rotate
        | Event::Wait(_)
        | Event::Relaunch
        | Event::System(_) => None,
    }
}

/// The widget that an event was done to: the one that its selector names under the point, or else what
/// a touch at the point means; for typed text the field with the focus.
pub(super) fn target_of(step: &RecordedStep) -> Option<WidgetIdx> {
    let layout = &step.before;
    let fields = || layout.iter().filter(|(_, widget)| widget.is_text_field());
    let focused = || fields().find(|(_, w)| w.flags.has(WidgetFlags::FOCUSED));
    match &step.event {
        Event::Widget { target, .. } => {
            let named = target.selector.matches(layout);
            let under = |idx: &&WidgetIdx| layout.widget(**idx).bounds.contains(target.at);
            named.iter().find(under).copied().or_else(|| layout.touch_target(target.at))
        }
        Event::Type(text) => {
            let holds_it = || {
                let field = step.after.widget(field_holding(&step.after, text)?);
                fields().find(|(_, widget)| widget.resource_id == field.resource_id)
            };
            focused().or_else(holds_it).or_else(|| fields().next()).map(|(idx, _)| idx)
        }
        Event::Key(Key::Delete) => focused().map(|(idx, _)| idx),
        Event::Key(_) | Event::Rotate | Event::Wait(_) | Event::Relaunch | Event::System(_) => None,
    }
}

/// The text field that holds a text.
pub(super) fn field_holding(layout: &Layout, text: &str) -> Option<WidgetIdx> {
    layout.iter().find(|(_, widget)| widget.is_text_field() && *widget.text == *text).map(|(idx, _)| idx)
}

/// Whether a widget other than a text field shows the object.
pub(super) fn shows(layout: &Layout, object: &str) -> bool {
    !shown_on(layout, object).is_empty()
}

pub(super) fn shown_on(layout: &Layout, object: &str) -> Vec<WidgetIdx> {
    let shown = layout.iter().filter(|(_, widget)| *widget.text == *object && !widget.is_text_field());
    shown.map(|(idx, _)| idx).collect()
}
