//! An unsaved recording, as one file among the drafts: every event with the screens before and after it, and the person's
//! choices, in the format of checkpoints, which writes each layout once.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::read_bytes;
use crate::store::StoreError;
use taproof_engine::device::Build;
use taproof_engine::{CheckpointError, from_checkpoint, write_checkpoint};
use taproof_screen::{Initialiser, RecordedStep};
use taproof_spec::{Choices, PickedPlace, Recording};

/// An unsaved recording, with what it was recorded on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UnsavedRecording {
    /// Package name of the app.
    pub app: String,
    /// Which of the app's bugs are on.
    pub build: Build,
    /// The initial steps on the phone that it was recorded on, if there are any.
    pub initialiser: Option<Arc<Initialiser>>,
    /// How long the person worked on it, in seconds.
    pub seconds: f64,
    /// The steps from the start of the app to the recording.
    pub lead: Vec<RecordedStep>,
    /// The steps, and the person's choices.
    pub recording: Recording<RecordedStep>,
}

/// Extension of the file with a recording's lead-in.
pub(crate) const LEAD: &str = "lead";
/// The bytes that the file of a recording begins with, of whichever version.
const NAME: &[u8] = b"taproof_recording ";
/// With the number of the format of what follows.
const HEAD: &[u8] = b"taproof_recording 1\n";

/// The content of a recording's file.
pub(crate) fn recording_bytes(unsaved: &UnsavedRecording) -> Result<Vec<u8>, StoreError> {
    let mut bytes = HEAD.to_vec();
    write_checkpoint(unsaved, &mut bytes).map_err(unusable)?;
    Ok(bytes)
}

/// Parses the content of a recording's file.
pub(crate) fn recording_from(bytes: &[u8]) -> Result<UnsavedRecording, StoreError> {
    let content = bytes.strip_prefix(HEAD).ok_or_else(|| damaged("it is of another Taproof"))?;
    let unsaved: UnsavedRecording = from_checkpoint(content).map_err(unusable)?;
    let Choices { picked, conditions, .. } = &unsaved.recording.choices;
    let picked = picked.values().map(|PickedPlace(layout, widget)| (layout, *widget));
    let mut places = picked.chain(conditions.iter().map(|it| (&it.layout, it.widget)));
    if places.any(|(layout, widget)| layout.get(widget).is_none()) {
        return Err(damaged("a widget is missing"));
    }
    Ok(unsaved)
}

/// Reads a recording from its file; `None` if the file contains something else.
///
/// # Errors
///
/// [`StoreError::Read`] if the file cannot be read, and [`StoreError::BadTrace`] if the recording in it cannot be
/// parsed.
pub fn open_recording(path: &Path) -> Result<Option<UnsavedRecording>, StoreError> {
    if !read_bytes(path)?.starts_with(NAME) {
        return Ok(None);
    }
    let bad = |problem: String| StoreError::BadTrace { path: path.display().to_string(), problem };
    match read_recording(path) {
        Ok(recording) => Ok(Some(recording)),
        Err(StoreError::Damaged { what }) => Err(bad(what)),
        Err(other) => Err(other),
    }
}

fn unusable(error: CheckpointError) -> StoreError {
    match error {
        CheckpointError::Unusable { problem } => damaged(&problem),
        other @ CheckpointError::OtherFormat { .. } => damaged(&other.to_string()),
    }
}

fn damaged(what: &str) -> StoreError {
    StoreError::Damaged { what: what.to_owned() }
}

/// Reads a recording with its lead-in.
pub(crate) fn read_recording(path: &Path) -> Result<UnsavedRecording, StoreError> {
    let mut recording = recording_from(&read_bytes(path)?)?;
    let lead = path.with_extension(LEAD);
    if lead.is_file() {
        recording.lead = recording_from(&read_bytes(&lead)?)?.lead;
    }
    Ok(recording)
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{Event, Gesture, Selector, WidgetIdx, layout_from as layout};
    use taproof_spec::{
        DmfKind, Input, PickedCondition, RecordingStep, Role, SpecSelector, TextPattern, WidgetState,
    };

    #[test]
    fn a_recording_comes_back_as_it_was() {
        let list = Arc::new(layout("ListView#list\n  Button#add \"Add\"\n"));
        let form = Arc::new(layout("EditText#name \"k7\"\n"));
        let selector = Selector { resource_id: Some("org.ex:id/add".to_owned()), ..Selector::default() };
        let event = Event::on(&list, selector, Gesture::Tap).unwrap();
        let tap = RecordedStep { event, before: Arc::clone(&list), after: Arc::clone(&form) };
        let typed = RecordedStep {
            event: Event::Type("k7".to_owned()),
            before: Arc::clone(&form),
            after: Arc::clone(&form),
        };
        let chosen = SpecSelector { text: TextPattern::Is("Add".to_owned()), ..SpecSelector::default() };
        let step = |event: &RecordedStep| RecordingStep::of(event.clone(), event.clone());
        let choices = Choices {
            kind: Some(DmfKind::Search),
            name: Some("find item".to_owned()),
            objects: [(Role::Sought, "k7".to_owned())].into(),
            picked: [(Role::Sought, PickedPlace(form, WidgetIdx(0)))].into(),
            shown: [(Role::Sought, false)].into(),
            conditions: vec![
                PickedCondition {
                    post: true,
                    layout: Arc::clone(&list),
                    widget: WidgetIdx(1),
                    shown: false,
                    state: None,
                },
                PickedCondition {
                    post: false,
                    layout: list,
                    widget: WidgetIdx(1),
                    shown: true,
                    state: Some(WidgetState::Selected),
                },
            ],
            without_lead: [2].into(),
            without: ["post in x".to_owned()].into(),
            ..Choices::default()
        };
        let steps = vec![
            RecordingStep { selector: Some(chosen), optional: true, ..step(&tap) },
            RecordingStep {
                input: Some(Input::Existing("item".to_owned())),
                scroll_to: Some(true),
                ..step(&typed)
            },
        ];
        let recording = UnsavedRecording {
            app: "org.ex".to_owned(),
            build: Build::Bugs(vec!["one".to_owned()]),
            initialiser: None,
            seconds: 12.5,
            lead: vec![tap],
            recording: Recording { steps, choices },
        };
        let again = recording_from(&recording_bytes(&recording).unwrap()).unwrap();
        assert_eq!(again, recording);
        assert!(again.recording.events(2).eq(recording.recording.events(2)));
        assert!(recording_from(b"{}").is_err());
        let mut elsewhere = recording;
        if let Some(condition) = elsewhere.recording.choices.conditions.first_mut() {
            condition.widget = WidgetIdx(7);
        }
        let refused = recording_from(&recording_bytes(&elsewhere).unwrap()).unwrap_err().to_string();
        assert!(refused.contains("a widget is missing"), "{refused}");
    }
}
