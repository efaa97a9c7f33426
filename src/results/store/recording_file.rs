//! An unsaved recording, as one JSON file among the drafts: every event with the screens before and after it, and the
//! person's choices. Each layout is written once; the choices for steps are written as a DMF.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::StoreError;
use super::documents::read_recording;
use super::initialiser_file::InitialiserText;
use super::layout_texts::{LayoutText, LayoutTexts};
use taproof_core::campaign::Build;
use taproof_core::format::DmfFile;
use taproof_core::model::{Event, Initialiser, Layout, RecordedStep, WidgetIdx};
use taproof_core::spec::{
    Action, Choices, Dmf, DmfKind, DmfStep, Input, NamedSelector, PickedCondition, Recording, RecordingStep,
    Role, Spec, WidgetState,
};

/// An unsaved recording, with what it was recorded on.
#[derive(Clone, Debug, Default, PartialEq)]
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

#[derive(Serialize, Deserialize)]
struct RecordingFile {
    taproof_recording: u32,
    app: String,
    build: Build,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    initialiser: Option<InitialiserText>,
    seconds: f64,
    layouts: Vec<LayoutText>,
    lead: Vec<EventText>,
    steps: Vec<StepText>,
    /// The selectors and inputs of the steps, as a DMF.
    said: Value,
    kind: bool,
    data_type: Option<String>,
    name: Option<String>,
    objects: Vec<(Role, String, Option<WidgetRef>)>,
    shown: Vec<(Role, bool)>,
    conditions: Vec<(bool, WidgetRef, bool)>,
    without: BTreeSet<String>,
    first_seen: bool,
    whole: bool,
    /// The states of the conditions, by the index of the condition.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    states: BTreeMap<usize, WidgetState>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    without_lead: BTreeSet<usize>,
}

/// Index of a layout, and of a widget in it.
type WidgetRef = (usize, u32);
/// An event, and the indices of the layouts before and after it.
type EventText = (Event, usize, usize);

#[derive(Serialize, Deserialize)]
struct StepText {
    events: Vec<EventText>,
    scroll_to: Option<bool>,
}

const VERSION: u32 = 1;

/// The content of a recording's file.
pub(super) fn recording_text(unsaved: &UnsavedRecording) -> Result<String, StoreError> {
    let Recording { steps, choices } = &unsaved.recording;
    let mut layouts = LayoutTexts::default();
    let mut place = |layout: &Arc<Layout>, widget: WidgetIdx| (layouts.number(layout), widget.0);
    let objects = choices.objects.iter().map(|(role, text)| {
        let at = choices.picked.get(role).map(|(layout, widget)| place(layout, *widget));
        (*role, text.clone(), at)
    });
    let objects = objects.collect();
    let conditions = choices.conditions.iter();
    let conditions = conditions.map(|it| (it.post, place(&it.layout, it.widget), it.shown)).collect();
    let states = choices.conditions.iter().enumerate();
    let states = states.filter_map(|(number, it)| Some((number, it.state?))).collect();
    let mut events = |events: &[RecordedStep]| -> Vec<EventText> {
        let text = |seen: &RecordedStep| {
            (seen.event.clone(), layouts.number(&seen.before), layouts.number(&seen.after))
        };
        events.iter().map(text).collect()
    };
    let lead = events(&unsaved.lead);
    let step = |step: &RecordingStep<_>| StepText { events: events(&step.events), scroll_to: step.scroll_to };
    let steps = steps.iter().map(step).collect();
    let said = Spec { dmfs: vec![said_of_steps(&unsaved.recording)], ..Spec::default() };
    let first = unsaved.initialiser.as_ref();
    let file = RecordingFile {
        taproof_recording: VERSION,
        app: unsaved.app.clone(),
        build: unsaved.build.clone(),
        initialiser: first.map(|first| InitialiserText::of(&unsaved.app, first)),
        seconds: unsaved.seconds,
        layouts: layouts.texts(),
        lead,
        steps,
        said: serde_json::from_str(DmfFile::new(&said).source())?,
        kind: choices.kind.is_some(),
        data_type: choices.data_type.clone(),
        name: choices.name.clone(),
        objects,
        shown: choices.shown.iter().map(|(role, shown)| (*role, *shown)).collect(),
        conditions,
        without: choices.without.clone(),
        first_seen: choices.first_seen,
        whole: choices.whole,
        states,
        without_lead: choices.without_lead.clone(),
    };
    Ok(serde_json::to_string(&file)?)
}

/// Parses the content of a recording's file.
pub(super) fn recording_from(text: &str) -> Result<UnsavedRecording, StoreError> {
    let file: RecordingFile = serde_json::from_str(text)?;
    if file.taproof_recording > VERSION {
        return Err(damaged("it is of a newer Taproof"));
    }
    let layouts = file.layouts.iter().map(LayoutText::layout).collect::<Result<Vec<_>, _>>()?;
    let layout = |number: usize| layouts.get(number).cloned().ok_or_else(|| damaged("a layout is missing"));
    let place = |(number, widget): WidgetRef| {
        let (layout, widget) = (layout(number)?, WidgetIdx(widget));
        layout.get(widget).ok_or_else(|| damaged("a widget is missing"))?;
        Ok::<_, StoreError>((layout, widget))
    };
    let seen = |(event, before, after): EventText| {
        Ok::<_, StoreError>(RecordedStep { event, before: layout(before)?, after: layout(after)? })
    };
    let events = |texts: Vec<EventText>| texts.into_iter().map(seen).collect::<Result<Vec<_>, _>>();
    let spec = DmfFile::parse(&file.said.to_string()).map_err(|error| damaged(&error.to_string()))?.spec;
    let said = spec.dmfs.first().ok_or_else(|| damaged("nothing is said of the steps"))?;
    let step = |(number, step): (usize, StepText)| {
        let told = said.steps.get(number);
        let named = told.and_then(|told| said.widget(told.widget.as_deref()?));
        let events = events(step.events)?.into_iter().map(|event| (event.clone(), event));
        // A step without events is skipped.
        let done = RecordingStep::of_all(events);
        Ok::<_, StoreError>(done.map(|done| RecordingStep {
            selector: named.map(|named| named.selector.clone()),
            input: told.map(|told| told.input.clone()).filter(|input| *input != Input::None),
            optional: told.is_some_and(|told| !told.required),
            scroll_to: step.scroll_to,
            ..done
        }))
    };
    let initialiser = file.initialiser.map(InitialiserText::initialiser).transpose()?;
    let (mut objects, mut picked) = (BTreeMap::new(), BTreeMap::new());
    for (role, text, at) in file.objects {
        objects.insert(role, text);
        picked.extend(at.map(place).transpose()?.map(|at| (role, at)));
    }
    let states = file.states;
    let condition = |(number, (post, at, shown)): (usize, (bool, WidgetRef, bool))| {
        let (layout, widget) = place(at)?;
        let state = states.get(&number).copied();
        Ok::<_, StoreError>(PickedCondition { post, layout, widget, shown, state })
    };
    let steps = file.steps.into_iter().enumerate().map(step);
    let choices = Choices {
        kind: Some(said.kind).filter(|_| file.kind),
        data_type: file.data_type,
        name: file.name,
        objects,
        picked,
        shown: file.shown.into_iter().collect(),
        first_seen: file.first_seen,
        conditions: file.conditions.into_iter().enumerate().map(condition).collect::<Result<_, _>>()?,
        without: file.without,
        whole: file.whole,
        without_lead: file.without_lead,
    };
    Ok(UnsavedRecording {
        lead: events(file.lead)?,
        recording: Recording {
            steps: steps.filter_map(Result::transpose).collect::<Result<_, _>>()?,
            choices,
        },
        app: file.app,
        build: file.build,
        initialiser: initialiser.map(Arc::new),
        seconds: file.seconds,
    })
}

/// Reads a recording from its file; `None` if the file contains something else.
///
/// # Errors
///
/// [`StoreError::Read`] if the file cannot be read, and [`StoreError::BadTrace`] if the recording in it cannot be
/// parsed.
pub fn open_recording(path: &Path) -> Result<Option<UnsavedRecording>, StoreError> {
    let failed = |error| StoreError::Read { path: path.display().to_string(), error };
    let bytes = std::fs::read(path).map_err(failed)?;
    let value: Option<Value> = serde_json::from_slice(&bytes).ok();
    if value.is_none_or(|value| value.get("taproof_recording").is_none()) {
        return Ok(None);
    }
    let bad = |problem: String| StoreError::BadTrace { path: path.display().to_string(), problem };
    match read_recording(path) {
        Ok(recording) => Ok(Some(recording)),
        Err(StoreError::Damaged { what }) => Err(bad(what)),
        Err(other) => Err(other),
    }
}

/// The choices for the steps, in the form of a DMF.
fn said_of_steps(recording: &Recording<RecordedStep>) -> Dmf {
    let name = |number: usize| format!("e{}_widget", number + 1);
    let numbered = || recording.steps.iter().enumerate();
    let step = |(number, step): (usize, &RecordingStep<_>)| DmfStep {
        action: Action::Edit,
        widget: step.selector.as_ref().map(|_| name(number)),
        input: step.input.clone().unwrap_or(Input::None),
        required: !step.optional,
    };
    let widget = |(number, step): (usize, &RecordingStep<_>)| {
        Some(NamedSelector { name: name(number), layout: number, selector: step.selector.clone()? })
    };
    Dmf {
        steps: numbered().map(step).collect(),
        widgets: numbered().filter_map(widget).collect(),
        weight: 0,
        ..Dmf::empty("add item", recording.choices.kind.unwrap_or(DmfKind::Create), "item")
    }
}

fn damaged(what: &str) -> StoreError {
    StoreError::Damaged { what: what.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_core::model::{Gesture, Selector, layout_from as layout};
    use taproof_core::spec::{SpecSelector, TextPattern};

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
            picked: [(Role::Sought, (form, WidgetIdx(0)))].into(),
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
        let again = recording_from(&recording_text(&recording).unwrap()).unwrap();
        assert_eq!(again, recording);
        assert!(again.recording.events(2).eq(recording.recording.events(2)));
        assert!(recording_from("{}").is_err());
        let mut elsewhere = recording;
        if let Some(condition) = elsewhere.recording.choices.conditions.first_mut() {
            condition.widget = WidgetIdx(7);
        }
        let refused = recording_from(&recording_text(&elsewhere).unwrap()).unwrap_err().to_string();
        assert!(refused.contains("a widget is missing"), "{refused}");
    }
}
