//! What the list of steps says, as plain text.

use super::RecordState;
use crate::model::{Event, Gesture, Key, Layout, WidgetIdx, event_sentence, touched_widget, widget_caption};
use crate::spec::{
    Candidate, Draft, DraftObject, Input, NamedSelector, SpecSelector, TextPattern, named_by,
    recorded_layouts, selector_candidates,
};

/// One line of the list of steps.
#[derive(Clone, Debug, PartialEq)]
pub struct StepLine {
    /// Its number among the recorded steps.
    pub recorded: usize,
    /// Its number in the DMF, from 1; `None` where it does not belong to the function.
    pub number: Option<usize>,
    /// What is done.
    pub verb: &'static str,
    /// To what, in words.
    pub widget: String,
    /// By which selector it is found again.
    pub selector: String,
    /// How many widgets the selector names on the layouts up to this step.
    pub counts: Vec<usize>,
    /// What was typed.
    pub typed: Option<String>,
    /// Where its text comes from.
    pub input: Option<Input>,
    /// It may fail.
    pub optional: bool,
    /// It does not start on the screen that the step before it left.
    pub torn: bool,
}

impl StepLine {
    /// `1 of 1 on 4 layouts`: how many its selector names where it is used, and on how many of the layouts
    /// before it that is one or none.
    pub fn counted(&self) -> String {
        let Some(here) = self.counts.last() else { return String::new() };
        let alone = self.counts.iter().filter(|count| **count <= 1).count();
        let layouts = if alone == 1 { "layout" } else { "layouts" };
        format!("1 of {here} on {alone} {layouts}")
    }

    /// Whether the selector names nothing else wherever it was looked for.
    pub fn alone(&self) -> bool {
        self.counts.last() == Some(&1) && self.counts.iter().all(|count| *count <= 1)
    }
}

/// The word for a layout of the recording: `L0` is the one before the first step.
pub fn layout_word(number: usize) -> String {
    format!("L{number}")
}

impl RecordState {
    /// The lines of the list of steps.
    pub(super) fn step_lines(&self) -> Vec<StepLine> {
        let draft = self.draft.as_ref().and_then(|draft| draft.as_ref().ok());
        let line = |recorded: usize| {
            let done = self.recording.steps.get(recorded)?;
            let stands = |steps: &std::ops::Range<usize>| steps.contains(&recorded);
            let number = draft.and_then(|draft| draft.steps.iter().position(stands));
            let step = number.and_then(|number| draft?.dmf.steps.get(number));
            let named = step.and_then(|step| draft?.dmf.widget(step.widget.as_deref()?));
            let touched = touched_widget(&done.step.event, &done.step.before);
            Some(StepLine {
                recorded,
                number: number.map(|number| number + 1),
                verb: verb(&done.step.event),
                widget: subject(&done.step.event, &done.step.before, touched),
                selector: named.map(|named| named.selector.to_string()).unwrap_or_default(),
                counts: named
                    .zip(draft)
                    .map(|(named, draft)| self.counts(named, draft, recorded))
                    .unwrap_or_default(),
                typed: done.typed().map(str::to_owned),
                input: step.map(|step| step.input.clone()).filter(|input| *input != Input::None),
                optional: step.is_some_and(|step| !step.required),
                torn: !self.recording.follows(recorded),
            })
        };
        (0..self.recording.steps.len()).filter_map(line).collect()
    }

    /// The ways to find the widget of a step again, best first.
    pub fn candidates_of(&self, step: usize) -> Vec<Candidate> {
        let Some(done) = self.recording.steps.get(step) else { return Vec::new() };
        let Some(idx) = touched_widget(&done.step.event, &done.step.before) else { return Vec::new() };
        match &self.draft {
            Some(Ok(draft)) => selector_candidates(&draft.recorded, step, idx, &draft.object_texts()),
            _ => selector_candidates(&recorded_layouts(&self.recording.recorded()), step, idx, &[]),
        }
    }

    /// How many widgets the selector names on the recorded layouts up to that step.
    fn counts(&self, named: &NamedSelector, draft: &Draft, recorded: usize) -> Vec<usize> {
        let selector = as_recorded(&named.selector, &draft.objects);
        let objects = draft.object_texts();
        let layouts = draft.recorded.iter().take(recorded + 1).skip(draft.first_step);
        layouts.map(|layout| named_by(&selector, layout, &objects).len()).collect()
    }
}

/// The selector with the texts that the objects had in the recording.
fn as_recorded(selector: &SpecSelector, objects: &[DraftObject]) -> SpecSelector {
    let object = match &selector.text {
        TextPattern::FromRead(name) => objects.iter().find(|object| object.read == *name),
        TextPattern::Existing(_) => objects.iter().find(|object| object.known),
        TextPattern::Any | TextPattern::Is(_) => None,
    };
    match object {
        Some(object) => SpecSelector { text: TextPattern::Is(object.text.clone()), ..selector.clone() },
        None => selector.clone(),
    }
}

/// The word for what an event does.
pub fn verb(event: &Event) -> &'static str {
    match event {
        Event::Widget { gesture, .. } => match gesture {
            Gesture::Tap => "tap",
            Gesture::LongPress => "press long",
            Gesture::SetText(_) => "type",
            Gesture::Swipe(_) => "swipe",
            Gesture::Drag(_) => "drag",
        },
        Event::Type(_) => "type",
        Event::Key(Key::Back) => "Back",
        Event::Key(Key::Home) => "Home",
        Event::Key(Key::Recents) => "Recents",
        Event::Key(Key::ImeAction) => "action key",
        Event::Key(Key::Delete) => "Backspace",
        Event::Rotate => "rotate",
        Event::Wait(_) => "wait",
        Event::Relaunch => "restart",
    }
}

/// What the event is done to, in words.
fn subject(event: &Event, before: &Layout, touched: Option<WidgetIdx>) -> String {
    let Some(idx) = touched else { return event_sentence(event, before) };
    let widget = before.widget(idx);
    let caption = if widget.is_text_field() { String::new() } else { widget_caption(widget) };
    match (widget.is_text_field(), widget.hint.is_empty(), caption.is_empty()) {
        (true, false, _) => format!("the field \u{201c}{}\u{201d}", widget.hint),
        (true, true, _) => "the text field".to_owned(),
        (false, _, true) => widget.short_class().to_owned(),
        (false, _, false) => caption,
    }
}
