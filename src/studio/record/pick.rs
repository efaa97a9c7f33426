//! Widgets picked on the phone: for an object, for its place, for a condition.

use super::{Around, PickFor, PickedCondition, RecordEdit, RecordState, StandAt};
use taproof_screen::WidgetIdx;
use taproof_spec::Role;

impl RecordState {
    pub(super) fn picked(&mut self, idx: WidgetIdx, around: &Around<'_>) {
        let Some(purpose) = self.picking.take() else { return };
        let Some(widget) = around.layout.and_then(|layout| layout.get(idx)) else { return };
        match purpose {
            PickFor::Object(role) => {
                let object = widget.text.to_string();
                let Some(layout) = around.layout.filter(|_| !object.is_empty()).cloned() else { return };
                self.change(|recording| recording.edit(RecordEdit::ObjectAt(role, object, layout, idx)));
            }
            PickFor::Place(role) => {
                let layout = around.layout.filter(|layout| self.recording.place_of(layout).is_some());
                if let Some(layout) = layout.cloned() {
                    self.change(|recording| recording.edit(RecordEdit::PlaceAt(role, layout, idx)));
                }
            }
            PickFor::Condition { post, shown } => {
                let layout = around.layout.filter(|layout| self.recording.place_of(layout).is_some());
                if let Some(layout) = layout.cloned() {
                    let condition = PickedCondition { post, layout, widget: idx, shown, state: None };
                    self.change(|recording| recording.edit(RecordEdit::AddCondition(condition)));
                }
            }
        }
    }

    /// Returns where the phone must be moved to show what is likely to be picked: the start or the end of the function,
    /// or for something that must not be shown the opposite one. An object is picked on the screen of the selected
    /// step.
    pub(super) fn screen_for(&mut self, purpose: PickFor, around: &Around<'_>) -> Option<StandAt> {
        let recorded = around.layout.is_some_and(|layout| self.recording.place_of(layout).is_some());
        let draft = self.draft.as_ref()?.as_ref().ok();
        let (first, end) = draft.map_or((0, self.recording.steps.len()), |it| (it.first_step, it.end_step));
        let step = match purpose {
            PickFor::Object(_) if recorded && self.shown.is_some() => return None,
            // What must not be shown can only be picked on another screen.
            PickFor::Condition { post: false, shown: false } => end,
            PickFor::Condition { shown: false, .. } => first,
            PickFor::Object(Role::Removed) | PickFor::Condition { post: false, .. } => first,
            PickFor::Object(_) | PickFor::Place(_) | PickFor::Condition { post: true, .. } => end,
        };
        self.shown = Some(step);
        self.stand_before(step, around)
    }
}
