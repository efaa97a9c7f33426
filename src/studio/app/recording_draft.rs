//! The recording as it is kept while it grows, and as it comes back after a crash.

use std::sync::Arc;

use crate::mirror::{PathPlace, Performed, Seen};
use crate::state::{BuildChoice, Choices, Done, PickedCondition, RecordingCopy};
use taproof_core::model::{AppHealth, DeviceInstant, Frame, Layout};
use taproof_results::store::{SeenEvent, StoredCondition, StoredRecording, StoredStep};

/// What goes to the disk.
pub(super) fn stored_of(copy: &RecordingCopy) -> StoredRecording {
    let choices = &copy.recording.choices;
    let step = |done: &Done| StoredStep {
        events: done.events.iter().map(|performed| seen_of(performed)).collect(),
        selector: done.selector.clone(),
        input: done.input.clone(),
        optional: done.optional,
        scroll_to: done.scroll_to,
    };
    let conditions = choices.conditions.iter();
    StoredRecording {
        app: copy.app.clone(),
        build: (&copy.build).into(),
        initialiser: copy.initialiser.clone(),
        seconds: copy.seconds,
        lead: copy.lead.iter().map(|performed| seen_of(performed)).collect(),
        steps: copy.recording.steps.iter().map(step).collect(),
        kind: choices.kind,
        data_type: choices.data_type.clone(),
        name: choices.name.clone(),
        objects: choices
            .objects
            .iter()
            .map(|(role, text)| (*role, text.clone(), choices.picked.get(role).cloned()))
            .collect(),
        shown: choices.shown.iter().map(|(role, shown)| (*role, *shown)).collect(),
        conditions: conditions.map(stored_condition).collect(),
        without: choices.without.iter().cloned().collect(),
        first_seen: choices.first_seen,
        whole: choices.whole,
        without_lead: choices.without_lead.iter().copied().collect(),
    }
}

fn stored_condition(picked: &PickedCondition) -> StoredCondition {
    let at = (Arc::clone(&picked.layout), picked.widget);
    StoredCondition { post: picked.post, at, shown: picked.shown, state: picked.state }
}

/// What came back from the disk.
pub(super) fn copy_of(word: String, stored: StoredRecording) -> RecordingCopy {
    let build = BuildChoice::from(&stored.build);
    let mut copy =
        RecordingCopy { word, app: stored.app, build, seconds: stored.seconds, ..RecordingCopy::default() };
    copy.initialiser = stored.initialiser;
    copy.lead = stored.lead.iter().map(performed_of).collect();
    for step in &stored.steps {
        let events: Vec<Arc<Performed>> = step.events.iter().map(performed_of).collect();
        let Some(mut done) = Done::of_all(&events) else { continue };
        done.selector.clone_from(&step.selector);
        done.input.clone_from(&step.input);
        (done.optional, done.scroll_to) = (step.optional, step.scroll_to);
        copy.recording.steps.push(done);
    }
    let condition = |stored: StoredCondition| {
        let StoredCondition { post, at: (layout, widget), shown, state } = stored;
        PickedCondition { post, layout, widget, shown, state }
    };
    copy.recording.choices = Choices {
        kind: stored.kind,
        data_type: stored.data_type,
        name: stored.name,
        picked: stored.objects.iter().filter_map(|(role, _, at)| Some((*role, at.clone()?))).collect(),
        objects: stored.objects.into_iter().map(|(role, text, _)| (role, text)).collect(),
        shown: stored.shown.into_iter().collect(),
        conditions: stored.conditions.into_iter().map(condition).collect(),
        without: stored.without.into_iter().collect(),
        first_seen: stored.first_seen,
        whole: stored.whole,
        without_lead: stored.without_lead.into_iter().collect(),
    };
    copy
}

fn seen_of(performed: &Performed) -> SeenEvent {
    SeenEvent {
        event: performed.event.clone(),
        before: Arc::clone(&performed.before.frame.layout),
        after: Arc::clone(&performed.after.frame.layout),
    }
}

fn performed_of(seen: &SeenEvent) -> Arc<Performed> {
    let frame = |layout: &Arc<Layout>| {
        let (layout, health) = (Arc::clone(layout), AppHealth::Running);
        Arc::new(Seen { frame: Frame { layout, health, at: DeviceInstant::default() }, png: None })
    };
    Arc::new(Performed {
        place: PathPlace::default(),
        event: seen.event.clone(),
        before: frame(&seen.before),
        after: frame(&seen.after),
        again: false,
    })
}
