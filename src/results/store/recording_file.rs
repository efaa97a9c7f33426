//! A recording that is not saved yet, as one JSON file among the drafts: every event with what was seen before
//! and after it, and what the person said. Each layout is written once; what was said of steps is a DMF.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::StoreError;
use super::documents::read_recording;
use super::event_json::{event_from_json, event_to_json};
use super::initialiser_file::InitialiserText;
use super::layout_texts::{LayoutText, LayoutTexts};
use taproof_core::campaign::Build;
use taproof_core::format::DmfFile;
use taproof_core::model::{Event, Initialiser, Layout, WidgetIdx};
use taproof_core::spec::{
    Action, Dmf, DmfKind, DmfStep, Input, NamedSelector, Role, Spec, SpecSelector, WidgetState,
};

/// A recording that is not saved yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredRecording {
    /// Package of the app.
    pub app: String,
    /// Which of its bugs are on.
    pub build: Build,
    /// What is done first on the phone that it was recorded on.
    pub initialiser: Option<Arc<Initialiser>>,
    /// How long the person worked on it.
    pub seconds: f64,
    /// What was done before it.
    pub lead: Vec<SeenEvent>,
    /// Its steps.
    pub steps: Vec<StoredStep>,
    /// The kind of function, if the person said it.
    pub kind: Option<DmfKind>,
    /// The noun, if the person said it.
    pub data_type: Option<String>,
    /// The name, if the person said it.
    pub name: Option<String>,
    /// The objects that the person named, and where.
    pub objects: Vec<(Role, String, Option<SeenWidget>)>,
    /// Whether the end must show an object.
    pub shown: Vec<(Role, bool)>,
    /// Conditions that the person added.
    pub conditions: Vec<StoredCondition>,
    /// Proposed conditions that are not wanted.
    pub without: Vec<String>,
    /// What is viewed counts as known from here on.
    pub first_seen: bool,
    /// All steps belong to the function.
    pub whole: bool,
    /// Steps of the way to the function that are not wanted.
    pub without_lead: Vec<usize>,
}

/// A condition that the person added.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredCondition {
    /// After the function, not before it.
    pub post: bool,
    /// What it speaks of.
    pub at: SeenWidget,
    /// Whether that must show.
    pub shown: bool,
    /// In which state.
    pub state: Option<WidgetState>,
}

/// A widget of a layout.
pub type SeenWidget = (Arc<Layout>, WidgetIdx);

/// An event with what was seen.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenEvent {
    /// The input.
    pub event: Event,
    /// What was seen before it.
    pub before: Arc<Layout>,
    /// What was seen after it.
    pub after: Arc<Layout>,
}

/// A step with what the person said of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredStep {
    /// Its events.
    pub events: Vec<SeenEvent>,
    /// The selector of its widget.
    pub selector: Option<SpecSelector>,
    /// Where its text comes from.
    pub input: Option<Input>,
    /// It may fail.
    pub optional: bool,
    /// The screen is scrolled to it.
    pub scroll_to: Option<bool>,
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
    /// The selectors and inputs of the steps.
    said: Value,
    kind: bool,
    data_type: Option<String>,
    name: Option<String>,
    objects: Vec<(String, String, Option<Place>)>,
    shown: Vec<(String, bool)>,
    conditions: Vec<(bool, Place, bool)>,
    without: Vec<String>,
    first_seen: bool,
    whole: bool,
    /// The states of the conditions, by their numbers.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    states: BTreeMap<usize, String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    without_lead: Vec<usize>,
}

/// Number of a layout, and of a widget there.
type Place = (usize, u32);
/// An event, and the numbers of the layouts before and after it.
type EventText = (Value, usize, usize);

#[derive(Serialize, Deserialize)]
struct StepText {
    events: Vec<EventText>,
    scroll_to: Option<bool>,
}

const VERSION: u32 = 1;

/// The recording as text.
pub(super) fn recording_text(recording: &StoredRecording) -> Result<String, StoreError> {
    let mut layouts = LayoutTexts::default();
    let mut place = |(layout, widget): &SeenWidget| (layouts.number(layout), widget.0);
    let objects = recording
        .objects
        .iter()
        .map(|(role, text, at)| (role.word().to_owned(), text.clone(), at.as_ref().map(&mut place)));
    let objects = objects.collect();
    let conditions = recording.conditions.iter().map(|it| (it.post, place(&it.at), it.shown)).collect();
    let states = recording.conditions.iter().enumerate();
    let states = states.filter_map(|(number, it)| Some((number, it.state?.word().to_owned()))).collect();
    let mut events = |events: &[SeenEvent]| -> Result<Vec<EventText>, StoreError> {
        let text = |seen: &SeenEvent| {
            let event = serde_json::from_str(&event_to_json(&seen.event)?)?;
            Ok((event, layouts.number(&seen.before), layouts.number(&seen.after)))
        };
        events.iter().map(text).collect()
    };
    let lead = events(&recording.lead)?;
    let step = |step: &StoredStep| Ok(StepText { events: events(&step.events)?, scroll_to: step.scroll_to });
    let steps = recording.steps.iter().map(step).collect::<Result<_, StoreError>>()?;
    let said = Spec { dmfs: vec![said_of_steps(recording)], ..Spec::default() };
    let first = recording.initialiser.as_ref();
    let file = RecordingFile {
        taproof_recording: VERSION,
        app: recording.app.clone(),
        build: recording.build.clone(),
        initialiser: first.map(|first| InitialiserText::of(&recording.app, first)).transpose()?,
        seconds: recording.seconds,
        layouts: layouts.texts(),
        lead,
        steps,
        said: serde_json::from_str(DmfFile::new(&said).source())?,
        kind: recording.kind.is_some(),
        data_type: recording.data_type.clone(),
        name: recording.name.clone(),
        objects,
        shown: recording.shown.iter().map(|(role, shown)| (role.word().to_owned(), *shown)).collect(),
        conditions,
        without: recording.without.clone(),
        first_seen: recording.first_seen,
        whole: recording.whole,
        states,
        without_lead: recording.without_lead.clone(),
    };
    Ok(serde_json::to_string(&file)?)
}

/// The recording of a text.
pub(super) fn recording_from(text: &str) -> Result<StoredRecording, StoreError> {
    let file: RecordingFile = serde_json::from_str(text)?;
    if file.taproof_recording > VERSION {
        return Err(damaged("it is of a newer Taproof"));
    }
    let layouts = file.layouts.iter().map(LayoutText::layout).collect::<Result<Vec<_>, _>>()?;
    let layout = |number: usize| layouts.get(number).cloned().ok_or_else(|| damaged("a layout is missing"));
    let place = |(number, widget): Place| {
        let (layout, widget) = (layout(number)?, WidgetIdx(widget));
        layout.get(widget).ok_or_else(|| damaged("a widget is missing"))?;
        Ok::<_, StoreError>((layout, widget))
    };
    let role = |word: &str| {
        Role::ALL.into_iter().find(|role| role.word() == word).ok_or_else(|| damaged("an unknown object"))
    };
    let state = |word: &str| {
        let known = WidgetState::ALL.into_iter().find(|state| state.word() == word);
        known.ok_or_else(|| damaged("an unknown state"))
    };
    let seen = |(event, before, after): EventText| {
        let event = event_from_json(&event.to_string())?;
        Ok::<_, StoreError>(SeenEvent { event, before: layout(before)?, after: layout(after)? })
    };
    let events = |texts: Vec<EventText>| texts.into_iter().map(seen).collect::<Result<Vec<_>, _>>();
    let spec = DmfFile::parse(&file.said.to_string()).map_err(|error| damaged(&error.to_string()))?.spec;
    let said = spec.dmfs.first().ok_or_else(|| damaged("nothing is said of the steps"))?;
    let step = |(number, step): (usize, StepText)| {
        let told = said.steps.get(number);
        let named = told.and_then(|told| said.widget(told.widget.as_deref()?));
        Ok::<_, StoreError>(StoredStep {
            events: events(step.events)?,
            selector: named.map(|named| named.selector.clone()),
            input: told.map(|told| told.input.clone()).filter(|input| *input != Input::None),
            optional: told.is_some_and(|told| !told.required),
            scroll_to: step.scroll_to,
        })
    };
    let initialiser = file.initialiser.map(InitialiserText::initialiser).transpose()?;
    let object = |(word, text, at): (String, String, Option<Place>)| {
        Ok::<_, StoreError>((role(&word)?, text, at.map(place).transpose()?))
    };
    let states = file.states;
    let condition = |(number, (post, at, shown)): (usize, (bool, Place, bool))| {
        let state = states.get(&number).map(|word| state(word)).transpose()?;
        Ok::<_, StoreError>(StoredCondition { post, at: place(at)?, shown, state })
    };
    let shown = |(word, shown): (String, bool)| Ok::<_, StoreError>((role(&word)?, shown));
    Ok(StoredRecording {
        lead: events(file.lead)?,
        steps: file.steps.into_iter().enumerate().map(step).collect::<Result<_, _>>()?,
        kind: Some(said.kind).filter(|_| file.kind),
        objects: file.objects.into_iter().map(object).collect::<Result<_, _>>()?,
        shown: file.shown.into_iter().map(shown).collect::<Result<_, _>>()?,
        conditions: file.conditions.into_iter().enumerate().map(condition).collect::<Result<_, _>>()?,
        app: file.app,
        build: file.build,
        initialiser: initialiser.map(Arc::new),
        seconds: file.seconds,
        data_type: file.data_type,
        name: file.name,
        without: file.without,
        first_seen: file.first_seen,
        whole: file.whole,
        without_lead: file.without_lead,
    })
}

/// Reads a recording from its file; `None` if the file holds something else.
pub fn open_recording(path: &Path) -> Result<Option<StoredRecording>, StoreError> {
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

/// What was said of the steps, in the words that DMFs have for it.
fn said_of_steps(recording: &StoredRecording) -> Dmf {
    let name = |number: usize| format!("e{}_widget", number + 1);
    let numbered = || recording.steps.iter().enumerate();
    let step = |(number, step): (usize, &StoredStep)| DmfStep {
        action: Action::Edit,
        widget: step.selector.as_ref().map(|_| name(number)),
        input: step.input.clone().unwrap_or(Input::None),
        required: !step.optional,
    };
    let widget = |(number, step): (usize, &StoredStep)| {
        Some(NamedSelector { name: name(number), layout: number, selector: step.selector.clone()? })
    };
    Dmf {
        steps: numbered().map(step).collect(),
        widgets: numbered().filter_map(widget).collect(),
        weight: 0,
        ..Dmf::empty("add item", recording.kind.unwrap_or(DmfKind::Create), "item")
    }
}

fn damaged(what: &str) -> StoreError {
    StoreError::Damaged { what: what.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_core::model::{Gesture, Selector, layout_from as layout};
    use taproof_core::spec::TextPattern;

    #[test]
    fn a_recording_comes_back_as_it_was() {
        let list = Arc::new(layout("ListView#list\n  Button#add \"Add\"\n"));
        let form = Arc::new(layout("EditText#name \"k7\"\n"));
        let selector = Selector { resource_id: Some("org.ex:id/add".to_owned()), ..Selector::default() };
        let event = Event::on(&list, selector, Gesture::Tap).unwrap();
        let tap = SeenEvent { event, before: Arc::clone(&list), after: Arc::clone(&form) };
        let typed = SeenEvent {
            event: Event::Type("k7".to_owned()),
            before: Arc::clone(&form),
            after: Arc::clone(&form),
        };
        let chosen = SpecSelector { text: TextPattern::Is("Add".to_owned()), ..SpecSelector::default() };
        let recording = StoredRecording {
            app: "org.ex".to_owned(),
            build: Build::Bugs(vec!["one".to_owned()]),
            seconds: 12.5,
            lead: vec![tap.clone()],
            steps: vec![
                StoredStep {
                    events: vec![tap],
                    selector: Some(chosen),
                    optional: true,
                    ..StoredStep::default()
                },
                StoredStep {
                    events: vec![typed],
                    input: Some(Input::Existing("item".to_owned())),
                    scroll_to: Some(true),
                    ..StoredStep::default()
                },
            ],
            kind: Some(DmfKind::Search),
            name: Some("find item".to_owned()),
            objects: vec![(Role::Sought, "k7".to_owned(), Some((form, WidgetIdx(0))))],
            shown: vec![(Role::Sought, false)],
            conditions: vec![
                StoredCondition {
                    post: true,
                    at: (Arc::clone(&list), WidgetIdx(1)),
                    shown: false,
                    state: None,
                },
                StoredCondition {
                    post: false,
                    at: (list, WidgetIdx(1)),
                    shown: true,
                    state: Some(WidgetState::Selected),
                },
            ],
            without_lead: vec![2],
            without: vec!["post in x".to_owned()],
            ..StoredRecording::default()
        };
        assert_eq!(recording_from(&recording_text(&recording).unwrap()).unwrap(), recording);
        assert!(recording_from("{}").is_err());
        let nowhere = (Arc::new(layout("Button#add\n")), WidgetIdx(7));
        let condition = StoredCondition { post: true, at: nowhere, shown: false, state: None };
        let elsewhere = StoredRecording { conditions: vec![condition], ..recording };
        let refused = recording_from(&recording_text(&elsewhere).unwrap()).unwrap_err().to_string();
        assert!(refused.contains("a widget is missing"), "{refused}");
    }
}
