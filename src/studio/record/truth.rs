//! The conditions and objects of the DMF, as text, with the truth of each condition on the recorded layouts.

use super::{RecordState, RecordedAction, roles_of};
use taproof_screen::{Layout, XPath, touched_widget, widget_caption};
use taproof_spec::{
    CanFail, Condition, ConditionTruth, ConditionWhich, Dmf, DmfKind, Draft, NamedSelector, NoteOn, Relation,
    Role, TextPattern, WidgetState, condition_sentence, named_by,
};

/// A condition as text, with its truth on each recorded layout.
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionLine {
    /// Its index among the added conditions of its side. `None` for a proposed one.
    pub added: Option<usize>,
    /// The object that a proposed condition expects at the end, and whether that must be shown. `None` for other
    /// conditions.
    pub expects: Option<(Role, bool)>,
    /// The key by which a proposed condition is removed.
    pub key: String,
    /// The condition as a sentence.
    pub sentence: String,
    /// The selector of its widget. Empty if it is about no widget.
    pub selector: String,
    /// The state that its widget must be in, if any.
    pub state: Option<WidgetState>,
    /// Whether it is about a widget that can be in different states.
    pub has_states: bool,
    /// Whether it holds on each recorded layout. `None` if that cannot be decided.
    pub truths: Vec<Option<bool>>,
    /// Whether it can fail, and the reason for that judgement.
    pub can_fail: CanFail,
    /// Why it does not hold where it must. `None` if it does.
    pub problem: Option<String>,
    /// Further messages about it.
    pub says: Vec<String>,
}

/// An object as text.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectLine {
    /// The object's role in the DMF.
    pub role: Role,
    /// Its text. Empty if unknown.
    pub text: String,
    /// Where it is read, and where it is expected.
    pub how: String,
    /// Whether the person chose it.
    pub chosen: bool,
    /// Whether the person chose that it must not be shown at the end.
    pub gone: bool,
    /// Texts that it could be, best first, each with the reason.
    pub candidates: Vec<(String, String)>,
    /// The guess by which one of several typed texts was chosen, if there was one.
    pub guess: Option<Guess>,
}

/// A guess among several typed texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Guess {
    /// Which text was chosen, and why.
    pub says: String,
    /// Whether the guess may well be wrong.
    pub doubtful: bool,
    /// All typed texts, in order.
    pub typed: Vec<String>,
}

impl RecordState {
    /// The conditions before and after the function.
    pub(super) fn condition_lines(&self) -> [Vec<ConditionLine>; 2] {
        let mut sides = [Vec::new(), Vec::new()];
        let Some(Ok(draft)) = &self.draft else { return sides };
        for truth in draft.truths() {
            let (side, condition, place) = match truth.which {
                ConditionWhich::Pre(number) => {
                    (0, draft.dmf.preconditions.get(number), format!("preconditions[{number}]"))
                }
                ConditionWhich::Post(number) => {
                    (1, draft.dmf.postconditions.get(number), format!("post-conditions[{number}]"))
                }
            };
            let line = condition.map(|condition| line(draft, condition, truth));
            sides[side].extend(line.map(|line| ConditionLine { says: self.says_at(&place), ..line }));
        }
        sides
    }

    /// The objects that this kind of function has.
    pub(super) fn object_lines(&self) -> Vec<ObjectLine> {
        if self.recording.steps.is_empty() {
            return Vec::new();
        }
        let draft = self.draft.as_ref().and_then(|draft| draft.as_ref().ok());
        let line = |role: &Role| {
            let object = draft.and_then(|draft| draft.objects.iter().find(|object| object.role == *role));
            let widget = |name: &str| draft.and_then(|draft| draft.dmf.widget(name));
            let read = object.and_then(|object| widget(&object.read)).map(|named| match named.layout {
                0 => "seen before the first step".to_owned(),
                layout => format!("seen after step {layout}"),
            });
            let shown = self.recording.choices.shown.get(role).copied().unwrap_or(*role != Role::Removed);
            let expected = object.and_then(|object| object.expected.as_deref()).map(|_| match shown {
                false => "must be gone at the end",
                true => "must be shown at the end",
            });
            let how: Vec<String> = read.into_iter().chain(expected.map(str::to_owned)).collect();
            ObjectLine {
                role: *role,
                text: object.map(|object| object.text.clone()).unwrap_or_default(),
                how: how.join(", "),
                chosen: self.recording.choices.objects.contains_key(role),
                gone: self.recording.choices.shown.get(role) == Some(&false),
                candidates: self.candidates(*role),
                guess: draft.and_then(|draft| self.guess(draft, *role)),
            }
        };
        roles_of(self.kind()).iter().map(line).collect()
    }

    fn guess(&self, draft: &Draft, role: Role) -> Option<Guess> {
        let note = draft.notes_on(NoteOn::Object(role)).next()?;
        let mut typed: Vec<String> = Vec::new();
        for text in self.recording.steps.iter().filter_map(RecordedAction::typed) {
            if !text.is_empty() && !typed.iter().any(|known| known == text) {
                typed.push(text.to_owned());
            }
        }
        Some(Guess { says: note.text.clone(), doubtful: note.doubtful, typed })
    }

    /// Texts that the object could be: typed, touched, appeared or disappeared ones.
    fn candidates(&self, role: Role) -> Vec<(String, String)> {
        let steps = &self.recording.steps;
        let (Some(first), Some(last)) = (steps.first(), steps.last()) else { return Vec::new() };
        let texts = |layout: &Layout| -> Vec<String> {
            let shown = layout.widgets().iter().filter(|widget| !widget.text.is_empty());
            shown.map(|widget| widget.text.to_string()).collect()
        };
        let (at_start, at_end) = (texts(&first.step.before), texts(&last.step.after));
        let mut found: Vec<(String, String)> = Vec::new();
        let mut add = |text: &str, why: String| {
            if !text.is_empty() && !found.iter().any(|(known, _)| known == text) {
                found.push((text.to_owned(), why));
            }
        };
        if role != Role::Removed {
            for (number, done) in steps.iter().enumerate().rev() {
                if let Some(text) = done.typed() {
                    add(text, format!("typed in step {}", number + 1));
                }
            }
        }
        if role != Role::Added {
            for (number, done) in steps.iter().enumerate() {
                let layout = &done.step.before;
                let touched = touched_widget(&done.step.event, layout).map(|idx| layout.widget(idx));
                if let Some(widget) = touched.filter(|widget| !widget.is_text_field()) {
                    add(&widget.text, format!("touched in step {}", number + 1));
                }
            }
        }
        let (from, to, why) = match role {
            Role::Added => (&at_end, &at_start, "shown at the end only"),
            Role::Removed => (&at_start, &at_end, "shown at the start only"),
            Role::Sought => (&at_end, &at_end, ""),
        };
        for text in from.iter().filter(|text| !to.contains(text)) {
            add(text, why.to_owned());
        }
        found.truncate(8);
        found
    }
}

fn line(draft: &Draft, condition: &Condition, truth: ConditionTruth) -> ConditionLine {
    let named = condition.widget.as_deref().and_then(|name| draft.dmf.widget(name));
    ConditionLine {
        added: draft.chosen_place(truth.which),
        expects: expects(draft, condition).filter(|_| draft.chosen_place(truth.which).is_none()),
        key: truth.key,
        state: condition.state,
        has_states: named.is_some() && matches!(condition.relation, Relation::In | Relation::NotIn),
        sentence: said(draft, condition),
        selector: named.map(|named| named.selector.to_string()).unwrap_or_default(),
        truths: truth.per_layout,
        can_fail: truth.can_fail,
        problem: truth.problem,
        says: Vec::new(),
    }
}

/// The object that a condition expects at the end, and whether that must be shown.
fn expects(draft: &Draft, condition: &Condition) -> Option<(Role, bool)> {
    let object = draft.objects.iter().find(|object| object.expected == condition.widget)?;
    object.expected.as_ref()?;
    match condition.relation {
        Relation::In => Some((object.role, true)),
        Relation::NotIn => Some((object.role, false)),
        _ => None,
    }
}

/// The fixed text that identifies the row of a widget.
fn row_words(dmf: &Dmf, named: &NamedSelector) -> Option<String> {
    match &dmf.widget(named.selector.row.as_deref()?)?.selector.text {
        TextPattern::Is(text) => Some(format!("\u{201c}{text}\u{201d}")),
        TextPattern::Any | TextPattern::FromRead(_) | TextPattern::Existing(_) => None,
    }
}

/// The condition as a sentence that requires no knowledge of selectors.
fn said(draft: &Draft, condition: &Condition) -> String {
    let dmf = &draft.dmf;
    let noun = condition.data_type.as_deref().unwrap_or(&dmf.data_type);
    let Some(named) = condition.widget.as_deref().and_then(|name| dmf.widget(name)) else {
        return condition_sentence(condition, &[]);
    };
    let xpath = named.selector.xpath.as_deref().and_then(|xpath| XPath::parse(xpath).ok());
    let start = xpath.as_ref().and_then(XPath::start);
    let subject = match (&named.selector.text, start) {
        (TextPattern::FromRead(name), _) => {
            let object = draft.objects.iter().find(|object| object.read == *name);
            let role = match object.map(|object| object.role) {
                Some(Role::Added) if dmf.kind == DmfKind::Property => "the text".to_owned(),
                Some(Role::Added) => format!("the new {noun}"),
                Some(Role::Removed) => format!("the old {noun}"),
                Some(Role::Sought) | None => format!("the {noun}"),
            };
            let example = object.map(|object| format!(" (here \u{201c}{}\u{201d})", object.text));
            format!("{role}{}", example.unwrap_or_default())
        }
        (TextPattern::Existing(noun), _) => format!("a known {noun}"),
        (TextPattern::Any, Some(start)) => format!("a text that begins with \u{201c}{start}\u{201d}"),
        (TextPattern::Any | TextPattern::Is(_), _) => {
            let objects = draft.object_texts();
            // The caption on the widget's own layout, or else on any that shows it.
            let own = draft.layouts.get(named.layout).into_iter();
            let caption = own.chain(&draft.recorded).find_map(|layout| {
                let idx = *named_by(&named.selector, layout, &objects).first()?;
                Some(widget_caption(layout.widget(idx))).filter(|caption| !caption.is_empty())
            });
            caption.unwrap_or_else(|| named.selector.to_string())
        }
    };
    if let (Some(state), None) = (condition.state, &condition.data_type) {
        let subject = row_words(dmf, named).map_or(subject.clone(), |row| format!("{subject} beside {row}"));
        match &condition.relation {
            Relation::In => return format!("{subject} is {}", state.word()),
            Relation::NotIn => return format!("no {subject} is {}", state.word()),
            _ => {}
        }
    }
    match &condition.relation {
        Relation::In if condition.data_type.is_none() => format!("{subject} is shown"),
        Relation::NotIn if condition.data_type.is_none() => format!("{subject} is not shown"),
        _ => condition_sentence(condition, &dmf.widgets),
    }
}
