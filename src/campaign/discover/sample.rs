//! What was seen once and looks like a function: its steps with the screens, and what it did to which objects.

use std::collections::BTreeSet;

use super::prober::{is_chosen, steps_as_recorded};
use taproof_screen::{Event, Gesture, Layout, RecordedStep, Trace, WidgetIdx, is_visible};
use taproof_spec::{DmfKind, PickedWidget, receiver, target_of};

/// A part of an experiment that looks like a function.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) kind: DmfKind,
    /// What it does, in a word: the first part of its name.
    pub(super) verb: String,
    /// What was done since the app was started, up to the function ...
    pub(super) lead: Vec<RecordedStep>,
    /// ... and in it.
    pub(super) steps: Vec<RecordedStep>,
    pub(super) added: Option<String>,
    pub(super) removed: Option<String>,
    pub(super) sought: Option<String>,
    /// The same steps as events that find their widgets again.
    pub(super) events: Vec<Event>,
    /// Which of the steps the app needs only once, such as the answer to a question.
    pub(super) once: BTreeSet<usize>,
    /// Texts that are typed as they are, and not drawn.
    pub(super) literal: Vec<String>,
    /// What the end must show or must not, if that is not what functions of this kind do.
    pub(super) shown: Option<bool>,
    /// Where the end shows the object, if that is not where it would be looked for.
    pub(super) expected: Option<PickedWidget>,
    /// What else the end must show.
    pub(super) message: Option<PickedWidget>,
    /// The texts that the end must show from top to bottom.
    pub(super) order: Vec<String>,
    /// Why it looks like a function, in one sentence.
    pub(super) reason: String,
}

impl Sample {
    /// What was done in a trace from its step `first` on.
    pub(super) fn of(trace: &Trace, first: usize, kind: DmfKind, verb: &str) -> Sample {
        let chosen = trace.steps().iter().skip(first).filter(|step| is_chosen(step));
        let events = chosen.map(|step| step.event.clone()).collect();
        let (lead, steps) =
            (steps_as_recorded(trace, 0, first), steps_as_recorded(trace, first, trace.len()));
        Sample { events, ..Sample::new(kind, verb, lead, steps) }
    }

    pub(super) fn new(
        kind: DmfKind,
        verb: &str,
        lead: Vec<RecordedStep>,
        steps: Vec<RecordedStep>,
    ) -> Sample {
        Sample {
            kind,
            verb: verb.to_owned(),
            lead,
            steps,
            events: Vec::new(),
            once: BTreeSet::new(),
            literal: Vec::new(),
            added: None,
            removed: None,
            sought: None,
            shown: None,
            expected: None,
            message: None,
            order: Vec::new(),
            reason: String::new(),
        }
    }

    /// Whether it changes which objects the app holds.
    pub(super) fn changes_objects(&self) -> bool {
        self.verb == "undo" || matches!(self.kind, DmfKind::Create | DmfKind::Update | DmfKind::Delete)
    }

    /// Whether the other does all that this one does, in the same order, and something else in between.
    pub(super) fn is_within(&self, other: &Sample) -> bool {
        let (mine, theirs) = (self.performed(), other.performed());
        let mut theirs = theirs.iter();
        self.shown == other.shown && mine.iter().all(|step| theirs.any(|other| other == step))
    }

    fn performed(&self) -> Vec<String> {
        let texts = [&self.added, &self.removed, &self.sought];
        let texts: Vec<&str> = texts.into_iter().flatten().map(String::as_str).collect();
        performed(&self.steps, &texts)
    }

    /// What identifies the function, with whatever objects it is performed.
    pub(super) fn key(&self) -> String {
        let end = format!("{:?} {}", self.shown, self.order.is_empty());
        format!("{}: {}; {end}", self.kind.word(), self.performed().join(", "))
    }
}

/// What steps do, to which widgets: the same for the same function, whatever objects it is performed with and however its
/// widgets are looked for. `objects` are the texts that differ from run to run.
pub fn performed(steps: &[RecordedStep], objects: &[&str]) -> Vec<String> {
    let mut done: Vec<String> = Vec::new();
    for step in steps {
        let said = performed_step(step, objects);
        // A text that is typed letter by letter is typed once.
        if said.starts_with("type") && done.last() == Some(&said) {
            continue;
        }
        done.push(said);
    }
    done
}

pub(super) fn performed_step(step: &RecordedStep, objects: &[&str]) -> String {
    let widget = || {
        let touched = target_of(step)?;
        let acted = match &step.event {
            Event::Widget { gesture, .. } => receiver(&step.before, touched, gesture).unwrap_or(touched),
            _ => touched,
        };
        Some(known_as(&step.before, touched, acted, objects))
    };
    let action = match &step.event {
        Event::Widget { gesture: Gesture::Tap, .. } => "tap",
        Event::Widget { gesture: Gesture::LongPress, .. } => "press",
        Event::Widget { gesture: Gesture::SetText(_), .. } | Event::Type(_) => "type",
        Event::Widget { gesture: Gesture::Swipe(direction), .. } => {
            return format!("swipe {}", direction.word());
        }
        Event::Widget { gesture: Gesture::Drag(_), .. } => "drag",
        Event::Key(key) => return key.android_name().to_owned(),
        Event::Rotate => return "rotate".to_owned(),
        Event::Wait(_) => return "wait".to_owned(),
        Event::Relaunch => return "relaunch".to_owned(),
        Event::System(event) => return event.sentence().to_owned(),
        Event::OpenLink(_) => return "open link".to_owned(),
    };
    format!("{action} {}", widget().unwrap_or_default())
}

/// What a widget is known by: class, id, description and the words on it that are no data.
fn known_as(layout: &Layout, touched: WidgetIdx, acted: WidgetIdx, objects: &[&str]) -> String {
    let widget = layout.widget(acted);
    let is_data = |text: &str| objects.iter().any(|object| !object.is_empty() && text.contains(*object));
    let label = |idx: WidgetIdx| {
        let widget = layout.widget(idx);
        let text = &*widget.text;
        (!widget.is_text_field() && is_visible(text) && !is_data(text)).then(|| text.to_owned())
    };
    let named = || layout.subtree(acted).any(|inner| is_data(&layout.widget(inner).text));
    let label = if named() { None } else { label(touched).or_else(|| label(acted)) };
    let desc = if is_data(&widget.content_desc) { "" } else { &*widget.content_desc };
    let id = widget.short_id().unwrap_or("");
    format!("{}#{id} {desc:?} {:?}", widget.short_class(), label.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use taproof_screen::{Selector, layout_from};

    fn step(screen: &str, id: &str, gesture: Gesture) -> RecordedStep {
        let before = Arc::new(layout_from(screen));
        let selector = Selector { resource_id: Some(format!("org.ex:id/{id}")), ..Selector::default() };
        let event = Event::on(&before, selector, gesture).unwrap();
        RecordedStep { event, after: Arc::clone(&before), before }
    }

    const LIST: &str = "Button#new \"New\"\nListView#list\n  TextView#row \"k1\"\n";

    #[test]
    fn a_function_is_the_same_with_other_objects() {
        let of = |name: &str| {
            let list = LIST.replace("k1", name);
            let steps = [step(&list, "row", Gesture::Tap), step(&list, "new", Gesture::Tap)];
            performed(&steps, &[name])
        };
        assert_eq!(of("k1"), ["tap TextView#row \"\" \"\"", "tap Button#new \"\" \"New\""]);
        assert_eq!(of("k1"), of("zebra"));
    }

    #[test]
    fn a_detour_is_told_from_another_function() {
        let sample = |ids: &[&str]| {
            let steps = ids.iter().map(|id| step(LIST, id, Gesture::Tap)).collect();
            Sample { sought: Some("k1".to_owned()), ..Sample::new(DmfKind::Read, "view", Vec::new(), steps) }
        };
        assert!(sample(&["row"]).is_within(&sample(&["new", "row"])));
        assert!(!sample(&["new", "row"]).is_within(&sample(&["row"])));
        assert!(!sample(&["row", "new"]).is_within(&sample(&["new", "row"])), "the order counts");
    }
}
