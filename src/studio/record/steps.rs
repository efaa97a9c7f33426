//! The steps of a recording as the window stores them: with pictures, and with positions of the phone.

use std::sync::Arc;

use crate::mirror::{PathPosition, Performed, Seen};
use taproof_screen::{AppHealth, DeviceInstant, Frame, Layout, RecordedStep};

/// What undo applies to: the steps and the choices.
pub type Recording = taproof_spec::Recording<Arc<Performed>>;
/// A recorded step with the event as it was performed.
pub type RecordedAction = taproof_spec::RecordingStep<Arc<Performed>>;

/// Converts an event to the recorder's format.
pub fn recorded(performed: &Performed) -> RecordedStep {
    RecordedStep {
        event: performed.event.clone(),
        before: Arc::clone(&performed.before.frame.layout),
        after: Arc::clone(&performed.after.frame.layout),
    }
}

/// Converts an event from the recorder's format. Position, health, time and pictures are unknown and have defaults.
pub fn performed(recorded: &RecordedStep) -> Arc<Performed> {
    let frame = |layout: &Arc<Layout>| {
        let (layout, health) = (Arc::clone(layout), AppHealth::Running);
        Arc::new(Seen { frame: Frame { layout, health, at: DeviceInstant::default() }, png: None })
    };
    Arc::new(Performed {
        place: PathPosition::default(),
        event: recorded.event.clone(),
        before: frame(&recorded.before),
        after: frame(&recorded.after),
        again: false,
    })
}
