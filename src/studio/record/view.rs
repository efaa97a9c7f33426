//! The list of steps as text.

use std::collections::BTreeSet;

use super::{RecordPhase, RecordState, RecordedAction};
use taproof_screen::{
    Event, Gesture, Key, Layout, SystemEvent, WidgetIdx, event_sentence, touched_widget, widget_caption,
};
use taproof_spec::{
    Action, Candidate, Draft, DraftObject, Input, LintFinding, NamedSelector, RecorderError, Severity,
    SpecSelector, TextPattern, choose_preferred_selector, named_by, recorded_layouts, selector_candidates,
};

/// A line of the list of steps.
#[derive(Clone, Debug, PartialEq)]
pub struct StepLine {
    /// Index of the recorded step.
    pub recorded: usize,
    /// Number of the step in the DMF, from 1. `None` if it does not belong to the function.
    pub number: Option<usize>,
    /// The verb for the event.
    pub verb: &'static str,
    /// What the event is performed on, in words.
    pub widget: String,
    /// The selector by which the widget is found. Empty if there is none.
    pub selector: String,
    /// The part of the selector that another language of the app may change.
    pub translatable: Option<String>,
    /// Number of widgets that match the selector, on each layout up to this step.
    pub counts: Vec<usize>,
    /// The typed text, if any.
    pub typed: Option<String>,
    /// Where the typed text comes from in the DMF.
    pub input: Option<Input>,
    /// Whether the step may fail.
    pub optional: bool,
    /// Whether the screen is scrolled to the widget first. `None` if the widget has no text to scroll to.
    pub scrolls: Option<bool>,
    /// Messages about the step or its selector.
    pub says: Vec<String>,
    /// Whether it starts on another screen than the previous step ended on.
    pub torn: bool,
}

impl StepLine {
    /// How well the selector identifies the widget, such as `unique on all 4 screens`: whether it matches only the widget
    /// at the step, and on how many screens up to the step it matches at most one.
    pub fn counted(&self) -> String {
        let Some(here) = self.counts.last() else { return String::new() };
        let (alone, all) = (self.counts.iter().filter(|count| **count <= 1).count(), self.counts.len());
        match (*here, alone == all) {
            (0, _) => "not found".to_owned(),
            (1, true) if all == 1 => "unique".to_owned(),
            (1, true) => format!("unique on all {all} screens"),
            (1, false) => format!("unique on {alone} of {all} screens"),
            (here, _) => format!("found {here} times"),
        }
    }

    /// The step as a sentence.
    pub fn sentence(&self) -> String {
        match &self.typed {
            Some(text) => format!("type \u{201c}{text}\u{201d} into {}", self.widget),
            None if self.selector.is_empty() => self.widget.clone(),
            None => format!("{} {}", self.verb, self.widget),
        }
    }

    /// The accessible name of the step's row.
    pub fn name(&self) -> String {
        format!("Step {}: {}", self.recorded + 1, self.sentence())
    }

    /// Whether the selector matches only the widget itself: one at the step, at most one on all other layouts.
    pub fn alone(&self) -> bool {
        self.counts.last() == Some(&1) && self.counts.iter().all(|count| *count <= 1)
    }
}

/// The name of a recorded layout, of which number 0 is the one before the first step.
pub fn screen_name(number: usize) -> String {
    format!("screen {}", number + 1)
}

impl RecordState {
    /// The widget that the selected step touches, if `layout` is the screen of that step.
    pub fn touched_on(&self, layout: &Layout) -> Option<WidgetIdx> {
        let step = &self.recording.steps.get(self.shown?)?.step;
        if *step.before == *layout { touched_widget(&step.event, layout) } else { None }
    }

    /// The lines of the list of steps.
    pub(super) fn step_lines(&self) -> Vec<StepLine> {
        let whole = self.phase != RecordPhase::Recording;
        let draft = self.draft.as_ref().and_then(|draft| draft.as_ref().ok()).filter(|_| whole);
        let line = |recorded: usize| {
            let done = self.recording.steps.get(recorded)?;
            if draft.is_none() {
                return Some(self.line_alone(recorded, done));
            }
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
                translatable: named.and_then(|named| named.selector.translatable()),
                counts: named
                    .zip(draft)
                    .map(|(named, draft)| self.counts(named, draft, recorded))
                    .unwrap_or_default(),
                typed: done.typed().map(str::to_owned),
                input: step.map(|step| step.input.clone()).filter(|input| *input != Input::None),
                optional: step.is_some_and(|step| !step.required),
                scrolls: self.scrolls(recorded, number.zip(draft)),
                says: number.map(|number| self.says_of_step(number)).unwrap_or_default(),
                torn: !self.recording.follows(recorded),
            })
        };
        (0..self.recording.steps.len()).filter_map(line).collect()
    }

    /// The line of a step while there is no function, with the best selector for its widget alone.
    fn line_alone(&self, recorded: usize, done: &RecordedAction) -> StepLine {
        let touched = touched_widget(&done.step.event, &done.step.before);
        let layouts = recorded_layouts(&self.recording.recorded());
        let found = touched.map(|idx| selector_candidates(&layouts, recorded, idx, &[])).unwrap_or_default();
        let preferred =
            touched.map(|idx| choose_preferred_selector(&done.step.before, idx, &[], self.prefer).selector);
        let best =
            found.iter().find(|it| Some(&it.selector) == preferred.as_ref()).or(found.first()).cloned();
        StepLine {
            recorded,
            number: Some(recorded + 1),
            verb: verb(&done.step.event),
            widget: subject(&done.step.event, &done.step.before, touched),
            selector: best.as_ref().map(|best| best.selector.to_string()).unwrap_or_default(),
            translatable: best.as_ref().and_then(|best| best.selector.translatable()),
            counts: best.map(|best| best.counts.into_iter().take(recorded + 1).collect()).unwrap_or_default(),
            typed: done.typed().map(str::to_owned),
            input: None,
            optional: done.optional,
            scrolls: None,
            says: match &self.draft {
                Some(Err(error @ RecorderError::NoTarget { step })) if *step == recorded + 1 => {
                    vec![error.to_string()]
                }
                _ => Vec::new(),
            },
            torn: !self.recording.follows(recorded),
        }
    }

    /// The messages about a step of the DMF and its widget.
    fn says_of_step(&self, number: usize) -> Vec<String> {
        let Some(dmf) = self.dmf() else { return Vec::new() };
        let name = dmf.steps.get(number).and_then(|step| step.widget.as_ref());
        let widget = dmf.widgets.iter().position(|widget| Some(&widget.name) == name);
        let mut says = self.says_at(&format!("events[{number}]"));
        says.extend(widget.map(|widget| self.says_at(&format!("widgets[{widget}]"))).into_iter().flatten());
        says
    }

    /// The messages about a path within the DMF.
    pub(super) fn says_at(&self, place: &str) -> Vec<String> {
        let path = format!("dmfs[0].{place}");
        let of = |lint: &&LintFinding| {
            let below = lint.path.strip_prefix(&path);
            lint.code.severity() >= Severity::Warning
                && below.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        self.lints.iter().filter(of).map(|lint| format!("{} ({})", lint.message, lint.code.code())).collect()
    }

    /// The messages that belong to no step and no condition.
    pub fn other_says(&self) -> Vec<String> {
        let lines = self.lines.iter().flat_map(|line| &line.says);
        let conditions = self.conditions.iter().flatten().flat_map(|line| &line.says);
        let said: BTreeSet<&String> = lines.chain(conditions).collect();
        let lints = self.lints.iter().filter(|lint| lint.code.severity() >= Severity::Warning);
        let lints = lints.map(|lint| format!("{} ({})", lint.message, lint.code.code()));
        self.opaque.iter().cloned().chain(lints.filter(|say| !said.contains(say))).collect()
    }

    /// Whether the DMF scrolls to the widget of a step before the step. `None` if that is not possible.
    fn scrolls(&self, recorded: usize, place: Option<(usize, &Draft)>) -> Option<bool> {
        let step = &self.recording.steps.get(recorded)?.step;
        let taps = matches!(step.event, Event::Widget { gesture: Gesture::Tap | Gesture::LongPress, .. });
        let touched = touched_widget(&step.event, &step.before).filter(|_| taps)?;
        let mut texts = step.before.subtree(touched).map(|idx| &step.before.widget(idx).text);
        texts.find(|text| !text.is_empty())?;
        let (number, draft) = place?;
        let before = number.checked_sub(1).and_then(|before| draft.dmf.steps.get(before));
        Some(before.is_some_and(|before| before.action == Action::ScrollTo))
    }

    /// The selectors that would find the widget of the selected step, best first.
    pub(super) fn shown_candidates(&self) -> Vec<Candidate> {
        let shown = self.shown.and_then(|step| Some((step, self.recording.steps.get(step)?)));
        let Some((step, done)) = shown else { return Vec::new() };
        let Some(idx) = touched_widget(&done.step.event, &done.step.before) else { return Vec::new() };
        match &self.draft {
            Some(Ok(draft)) => selector_candidates(&draft.recorded, step, idx, &draft.object_texts()),
            _ => selector_candidates(&recorded_layouts(&self.recording.recorded()), step, idx, &[]),
        }
    }

    /// Number of widgets that match a selector, on each recorded layout up to a step.
    fn counts(&self, named: &NamedSelector, draft: &Draft, recorded: usize) -> Vec<usize> {
        let selector = as_recorded(&named.selector, &draft.objects);
        let objects = draft.object_texts();
        let layouts = draft.recorded.iter().take(recorded + 1).skip(draft.first_step);
        layouts.map(|layout| named_by(&selector, layout, &objects).len()).collect()
    }
}

/// The selector with the object's text from the recording.
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

/// The verb for an event.
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
        Event::Key(Key::Menu) => "Menu",
        Event::Key(Key::Enter) => "Enter",
        Event::Key(Key::Tab) => "Tab",
        Event::Key(Key::DpadUp) => "up key",
        Event::Key(Key::DpadDown) => "down key",
        Event::Key(Key::DpadLeft) => "left key",
        Event::Key(Key::DpadRight) => "right key",
        Event::Key(Key::DpadCenter) => "middle key",
        Event::Key(Key::Search) => "Search",
        Event::Key(Key::VolumeUp) => "Volume up",
        Event::Key(Key::VolumeDown) => "Volume down",
        Event::Rotate => "rotate",
        Event::Wait(_) => "wait",
        Event::Relaunch => "restart",
        Event::OpenLink(_) => "open link",
        Event::System(what) => match what {
            SystemEvent::NetworkOff => "network off",
            SystemEvent::NetworkOn => "network on",
            SystemEvent::LowBattery => "low battery",
            SystemEvent::IncomingCall => "call",
            SystemEvent::Locale => "language",
            SystemEvent::DarkMode => "dark mode",
            SystemEvent::Background => "leave and return",
            SystemEvent::ProcessDeath => "process ends",
            SystemEvent::RevokePermission => "permissions back",
            SystemEvent::FontScale => "size of texts",
            SystemEvent::ScreenOff => "screen off and on",
            SystemEvent::SplitScreen => "split screen",
            SystemEvent::ActivityDeath => "activity ends",
            SystemEvent::DisplaySize => "display size",
            SystemEvent::HourFormat => "hours of the clock",
            SystemEvent::TimeZone => "time zone",
            SystemEvent::Location => "location",
            SystemEvent::AirplaneMode => "airplane mode",
            SystemEvent::DoNotDisturb => "do not disturb",
            SystemEvent::LowStorage => "low storage",
            SystemEvent::Notifications => "notifications",
            SystemEvent::GrantPermission => "permissions granted",
        },
    }
}

/// What an event is performed on, in words.
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
