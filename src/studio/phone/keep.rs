//! Saves the path of the phone: as a trace, as a regression test with expectations for its end, or as the steps of a
//! recording.

use std::sync::Arc;

use super::KeepCommand;
use crate::command::{Command, RecordCommand};
use crate::state::StudioState;
use taproof_campaign::{SavedTrace, Target};
use taproof_screen::WidgetIdx;

/// A request for a widget: the next click on the phone selects one instead of touching it.
#[derive(Clone, Debug)]
pub struct Picking {
    /// The instruction shown to the person.
    pub prompt: &'static str,
    /// Returns the command for the selected widget.
    pub chosen: fn(WidgetIdx) -> Command,
    /// The command that ends the request without a widget.
    pub leave: Command,
}

impl StudioState {
    /// The current request for a widget, if there is one.
    pub fn picking(&self) -> Option<Picking> {
        if self.keep.as_ref().is_some_and(|draft| draft.picking) {
            return Some(Picking {
                prompt: "Click what must be shown.",
                chosen: |idx| KeepCommand::Picked(idx).into(),
                leave: KeepCommand::Pick(false).into(),
            });
        }
        self.record.picking.is_some().then_some(Picking {
            prompt: "Click the widget on the phone.",
            chosen: |idx| Command::Record(RecordCommand::Picked(idx)),
            leave: Command::Record(RecordCommand::Unpick),
        })
    }
}

/// Converts a saved trace so that the phone can be led along it.
pub fn opened_trace(saved: &SavedTrace) -> Arc<super::LiveTrace> {
    let expected = |print: &taproof_screen::ScreenPrint| crate::mirror::Expected {
        print: print.clone(),
        layout: None,
        png: None,
    };
    Arc::new(super::LiveTrace {
        title: saved.title.clone(),
        target: Target::bundled(saved.app.as_str(), saved.build.clone()),
        initialiser: saved.initialiser.clone(),
        start: Some(expected(&saved.start)),
        events: saved.steps.iter().map(|step| (step.event.clone(), expected(&step.after))).collect(),
    })
}
