//! What a recording is about: the objects, and the widgets that its events were done to.

use super::DmfKind;
use super::recorder::{DraftRequest, RecordedStep, RecorderError};
use crate::model::{Event, Gesture, Layout, WidgetFlags, WidgetIdx};

/// The objects that the recording is about.
#[derive(Clone, Debug, Default)]
pub(super) struct Objects {
    pub(super) added: Option<String>,
    pub(super) removed: Option<String>,
    pub(super) sought: Option<String>,
}

impl Objects {
    pub(super) fn of(steps: &[RecordedStep], request: &DraftRequest) -> Result<Objects, RecorderError> {
        let (Some(first), Some(last)) = (steps.first(), steps.last()) else {
            return Err(RecorderError::Empty);
        };
        let typed = || steps.iter().rev().find_map(|step| typed_text(&step.event)).map(str::to_owned);
        let touched = || {
            steps.iter().find_map(|step| {
                let widget = step.before.widget(target_of(step)?);
                (!widget.text.is_empty() && !widget.is_text_field()).then(|| widget.text.to_string())
            })
        };
        let lost = || {
            let gone = |text: &String| !shows(&last.after, text);
            let touched = touched().filter(gone);
            touched.or_else(|| {
                first.before.widgets().iter().map(|w| w.text.to_string()).find(|t| !t.is_empty() && gone(t))
            })
        };
        let known = |given: &Option<String>, role, guess: &dyn Fn() -> Option<String>| {
            given.clone().or_else(guess).ok_or(RecorderError::ObjectUnknown { role }).map(Some)
        };
        let mut objects = Objects::default();
        if matches!(request.kind, DmfKind::Create | DmfKind::Update) {
            objects.added = known(&request.added, "added", &typed)?;
        }
        if matches!(request.kind, DmfKind::Delete | DmfKind::Update) {
            objects.removed = known(&request.removed, "removed", &lost)?;
        }
        match request.kind {
            DmfKind::Search => objects.sought = known(&request.sought, "sought", &typed)?,
            DmfKind::Read => objects.sought = known(&request.sought, "sought", &touched)?,
            DmfKind::Create | DmfKind::Update | DmfKind::Delete | DmfKind::Property => {}
        }
        Ok(objects)
    }

    pub(super) fn all(&self) -> Vec<&str> {
        [&self.added, &self.removed, &self.sought].into_iter().flatten().map(String::as_str).collect()
    }

    /// The object that the model knows before the run.
    pub(super) fn known(&self) -> Option<&str> {
        self.removed.as_deref().or(self.sought.as_deref())
    }
}

/// The text that an event types.
pub(super) fn typed_text(event: &Event) -> Option<&str> {
    match event {
        Event::Widget { gesture: Gesture::SetText(text), .. } | Event::Type(text) => Some(text),
        Event::Widget { .. } | Event::Key(_) | Event::Rotate | Event::Wait(_) | Event::Relaunch => None,
    }
}

/// The widget that an event was done to: the one that its selector names under the point, or else the
/// smallest under the point; for typed text the field with the focus.
pub(super) fn target_of(step: &RecordedStep) -> Option<WidgetIdx> {
    let layout = &step.before;
    match &step.event {
        Event::Widget { target, .. } => {
            let named = target.selector.matches(layout);
            let under = |idx: &&WidgetIdx| layout.widget(**idx).bounds.contains(target.at);
            named.iter().find(under).copied().or_else(|| layout.hit_test(target.at))
        }
        Event::Type(text) => {
            let fields = || layout.iter().filter(|(_, widget)| widget.is_text_field());
            let focused = fields().find(|(_, w)| w.flags.has(WidgetFlags::FOCUSED));
            let holds_it = || {
                let field = step.after.widgets().iter().find(|w| w.is_text_field() && *w.text == **text)?;
                fields().find(|(_, widget)| widget.resource_id == field.resource_id)
            };
            focused.or_else(holds_it).or_else(|| fields().next()).map(|(idx, _)| idx)
        }
        Event::Key(_) | Event::Rotate | Event::Wait(_) | Event::Relaunch => None,
    }
}

/// Whether a widget other than a text field shows the object.
pub(super) fn shows(layout: &Layout, object: &str) -> bool {
    !shown_on(layout, object).is_empty()
}

pub(super) fn shown_on(layout: &Layout, object: &str) -> Vec<WidgetIdx> {
    let shown = layout.iter().filter(|(_, widget)| *widget.text == *object && !widget.is_text_field());
    shown.map(|(idx, _)| idx).collect()
}
