//! Performed events with their layouts to a draft DMF (pbfdroid.md 4.2 and 4.3, with the answers of 4.4).
//! Pure: the window, the command line and tests hand in the same values, and the same steps and choices
//! always give the same draft.

use std::ops::Range;
use std::sync::Arc;

use super::Dmf;
use super::condition_truth::{CanFail, ConditionTruth, ConditionWhich, Evidence, condition_truths};
use super::recorder_coalesce::coalesce;
use super::recorder_cut::cut;
use super::recorder_draft::Drafter;
use super::recorder_lead::LeadStep;
use super::recorder_objects::Objects;
use super::recorder_request::{DraftRequest, Role};
use super::recorder_selector::ObjectText;
use crate::model::{Event, Layout};

/// One event as it was performed.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedStep {
    /// The input.
    pub event: Event,
    /// What was seen before it.
    pub before: Arc<Layout>,
    /// What was seen after it.
    pub after: Arc<Layout>,
}

/// A DMF made from a recording, to be looked at by a person.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The DMF.
    pub dmf: Dmf,
    /// The recorded steps that it was made from: from this one on ...
    pub first_step: usize,
    /// ... up to and without this one.
    pub end_step: usize,
    /// For each step of the DMF the recorded steps that it stands for; none for a scroll that was put in.
    pub steps: Vec<Range<usize>>,
    /// The layout before each step of the DMF, and the last.
    pub layouts: Vec<Arc<Layout>>,
    /// What leads from the fresh start of the app to its first step.
    pub lead: Vec<LeadStep>,
    /// The objects that it is about.
    pub objects: Vec<DraftObject>,
    /// Why it came out so, and what to look at, in the order of the DMF.
    pub notes: Vec<DraftNote>,
    /// Every recorded layout.
    pub recorded: Vec<Arc<Layout>>,
    /// Screens that were seen before it.
    pub(super) seen: Vec<Arc<Layout>>,
    /// Where each pre- and postcondition stands in the request; `None` for proposed ones.
    pub(super) places: [Vec<Option<usize>>; 2],
}

/// An object of a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftObject {
    /// Its part.
    pub role: Role,
    /// What it reads in the recording.
    pub text: String,
    /// The widget of the DMF that it is read from, such as `add_name`.
    pub read: String,
    /// The widget of the DMF that must show it in the end, or must not, such as `add_object`.
    pub expected: Option<String>,
    /// Whether the app holds it before the function runs.
    pub known: bool,
}

/// One remark on a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftNote {
    /// The widget that it speaks of, if it does of one.
    pub widget: Option<String>,
    /// Whether a person should look at it before the DMF is used.
    pub doubtful: bool,
    /// What it is on.
    pub on: NoteOn,
    /// The remark.
    pub text: String,
}

/// What a remark is on, and so where it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteOn {
    /// The draft as a whole, or one of its widgets.
    Draft,
    /// What must hold before: a choice that was made among what could have been asked for.
    Before,
    /// An object: a choice that was made among the texts that it could be.
    Object(Role),
}

/// No draft can be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecorderError {
    /// There is nothing to draft from.
    #[error("the recording has no step; perform the function once and try again")]
    Empty,
    /// Nobody said which object, and it cannot be guessed.
    #[error("which object was {role}? None can be read off the recording; name it")]
    ObjectUnknown {
        /// `added`, `removed` or `sought`.
        role: &'static str,
    },
    /// The object is on no layout.
    #[error("no layout of the recording shows {object:?} ({role}); is it spelled as on the screen?")]
    ObjectNotShown {
        /// `added`, `removed` or `sought`.
        role: &'static str,
        /// The object.
        object: String,
    },
    /// An event's point is on no widget.
    #[error("step {step} is done to no widget of its layout; record it again")]
    NoTarget {
        /// The recorded step, from 1.
        step: usize,
    },
}

/// Makes a draft.
pub fn draft(steps: &[RecordedStep], request: &DraftRequest) -> Result<Draft, RecorderError> {
    if steps.is_empty() {
        return Err(RecorderError::Empty);
    }
    let recorded = recorded_layouts(steps);
    // The object is what a field came to hold, not the last letter of it.
    let joined = coalesce(steps);
    let own: Vec<RecordedStep> = joined.iter().map(|joined| joined.step.clone()).collect();
    let objects = Objects::of(&own, &recorded, request)?;
    let cut = cut(joined, &own, request, &objects)?;
    let mut drafter = Drafter::new(request, &objects, &recorded, &cut);
    drafter.steps()?;
    drafter.names_and_objects()?;
    drafter.several_fields();
    drafter.impacts();
    drafter.conditions();
    drafter.lead_in(steps);
    let mut draft = drafter.done();
    draft.prove();
    Ok(draft)
}

/// The layout before each recorded step, and the last: those that a request speaks of.
pub fn recorded_layouts(steps: &[RecordedStep]) -> Vec<Arc<Layout>> {
    let before = steps.iter().map(|step| Arc::clone(&step.before));
    before.chain(steps.last().map(|step| Arc::clone(&step.after))).collect()
}

impl Draft {
    /// The choices that were made for what must hold before, or for an object, to be shown beside it.
    pub fn notes_on(&self, on: NoteOn) -> impl Iterator<Item = &DraftNote> {
        self.notes.iter().filter(move |note| note.on == on)
    }

    /// What its conditions say on every recorded layout.
    pub fn truths(&self) -> Vec<ConditionTruth> {
        let evidence = Evidence {
            layouts: &self.recorded,
            first: self.first_step,
            end: self.end_step,
            seen: &self.seen,
            objects: &self.objects,
        };
        condition_truths(&self.dmf, &evidence)
    }

    /// Where in the request's list a condition stands; `None` for a proposed one, which is taken away by its key.
    pub fn chosen_place(&self, which: ConditionWhich) -> Option<usize> {
        let (places, index) = match which {
            ConditionWhich::Pre(index) => (&self.places[0], index),
            ConditionWhich::Post(index) => (&self.places[1], index),
        };
        places.get(index).copied().flatten()
    }

    /// The texts of its objects, for `selector_candidates`.
    pub fn object_texts(&self) -> Vec<ObjectText> {
        let text = |object: &DraftObject| ObjectText { text: object.text.clone(), name: object.read.clone() };
        self.objects.iter().map(text).collect()
    }

    /// Remarks on what its conditions say: they must hold at their end, and must be able to fail.
    fn prove(&mut self) {
        for truth in self.truths() {
            let vacuous = match &truth.can_fail {
                CanFail::No { reason } => Some(reason.clone()),
                CanFail::Yes { .. } | CanFail::Unknown { .. } => None,
            };
            let text = truth.problem.clone().or(vacuous);
            let (widget, on) = (truth.widget, NoteOn::Draft);
            self.notes.extend(text.map(|text| DraftNote { widget, doubtful: true, on, text }));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::model::{Gesture, Selector, WidgetIdx, layout_from};
    use crate::spec::{ConditionChoice, DmfKind, Input, PickedWidget};

    /// A step between two screens: a gesture on the first widget of an id, or a key.
    fn step(before: &str, id: &str, gesture: Gesture, after: &str) -> RecordedStep {
        let (before, after) = (Arc::new(layout_from(before)), Arc::new(layout_from(after)));
        let selector = Selector { resource_id: Some(format!("org.ex:id/{id}")), ..Selector::default() };
        RecordedStep { event: Event::on(&before, selector, gesture).unwrap(), before, after }
    }

    fn request(kind: DmfKind) -> DraftRequest {
        DraftRequest::new(kind, "note")
    }

    fn widgets(draft: &Draft) -> Vec<String> {
        draft.dmf.widgets.iter().map(|w| format!("{}@{} {}", w.name, w.layout, w.selector)).collect()
    }

    const LIST: &str = "ImageButton#search (Search)\nTextView#row \"a\"\nTextView#row \"c1\"\n";

    #[test]
    fn a_search_reads_its_field_and_proves_itself_by_a_row() {
        let typed = "EditText#title \"c1\"\nTextView#row \"c1\"\n";
        let steps = [
            step(LIST, "search", Gesture::Tap, "EditText#title\n"),
            step("EditText#title\n", "title", Gesture::SetText("c1".to_owned()), typed),
        ];
        let draft = draft(&steps, &request(DmfKind::Search)).unwrap();
        assert_eq!(draft.dmf.steps[1].input, Input::Existing("note".to_owned()));
        let expected = [
            "e1_widget@0 id \"org.ex:id/search\"",
            "e2_widget@1 id \"org.ex:id/title\"",
            "search_name@2 id \"org.ex:id/title\"",
            "search_object@2 id \"org.ex:id/row\", text search_name.text",
        ];
        assert_eq!(widgets(&draft), expected);
        assert!(
            draft.notes.iter().all(|note| !note.doubtful),
            "it fails before the search: {:#?}",
            draft.notes
        );
    }

    #[test]
    fn a_view_touches_the_row_of_any_known_object() {
        let opened = "TextView#heading \"c1\"\nTextView#body \"x\"\n";
        let mut tap = step(LIST, "row", Gesture::Tap, opened);
        if let Event::Widget { target, .. } = &mut tap.event {
            target.selector.text = Some("c1".to_owned());
            target.at = tap.before.widget(WidgetIdx(2)).bounds.center();
        }
        let draft = draft(&[tap], &request(DmfKind::Read)).unwrap();
        let expected = [
            "view_name@0 id \"org.ex:id/row\", text note::random",
            "view_object@1 id \"org.ex:id/heading\", text view_name.text",
        ];
        assert_eq!(widgets(&draft), expected);
        assert_eq!(draft.dmf.steps[0].widget.as_deref(), Some("view_name"));
        assert!(draft.dmf.impacts.is_empty() && draft.notes.iter().all(|note| !note.doubtful));
    }

    #[test]
    fn a_row_that_can_only_be_counted_is_doubtful() {
        let rows = "TextView#row \"a\"\nButton#more\nTextView#row \"b\"\nButton#more\n";
        let mut tap = step(rows, "more", Gesture::Tap, "TextView#row \"a\"\nButton#more\n");
        if let Event::Widget { target, .. } = &mut tap.event {
            target.selector.instance = Some(1);
            target.at = tap.before.widget(WidgetIdx(3)).bounds.center();
        }
        let request = DraftRequest { removed: Some("b".to_owned()).into(), ..request(DmfKind::Delete) };
        let draft = draft(&[tap], &request).unwrap();
        let expected = [
            "e1_widget@0 id \"org.ex:id/more\", instance 1",
            "delete_name@0 id \"org.ex:id/row\", instance 1",
            "delete_object@1 id \"org.ex:id/row\", text delete_name.text",
        ];
        assert_eq!(widgets(&draft), expected);
        assert!(draft.notes.iter().any(|note| note.doubtful && note.widget.as_deref() == Some("e1_widget")));
    }

    #[test]
    fn what_cannot_be_drafted_says_why() {
        assert_eq!(draft(&[], &request(DmfKind::Create)), Err(RecorderError::Empty));
        let tap = step(LIST, "search", Gesture::Tap, LIST);
        let unknown = draft(std::slice::from_ref(&tap), &request(DmfKind::Create));
        assert_eq!(unknown, Err(RecorderError::ObjectUnknown { role: "added" }));
        let asked = DraftRequest { removed: Some("zz".to_owned()).into(), ..request(DmfKind::Delete) };
        let missing = RecorderError::ObjectNotShown { role: "removed", object: "zz".to_owned() };
        assert_eq!(draft(&[tap], &asked), Err(missing));
    }

    #[test]
    fn what_is_picked_in_the_row_of_a_typed_object_is_found_in_that_row() {
        let list = |rows: &[&str]| {
            let row = |text: &&str| {
                format!("  LinearLayout\n    TextView#row \"{text}\"\n    ImageView#star (Star)\n")
            };
            format!("ListView\n{}Button#new\n", rows.iter().map(row).collect::<String>())
        };
        let (form, filled) = ("EditText#name\nButton#save\n", "EditText#name \"k1\"\nButton#save\n");
        let steps = [
            step(&list(&["a"]), "new", Gesture::Tap, form),
            step(form, "name", Gesture::SetText("k1".to_owned()), filled),
            step(filled, "save", Gesture::Tap, &list(&["a", "k1"])),
        ];
        let star = ConditionChoice { picked: PickedWidget::new(3, WidgetIdx(6)), shown: true, state: None };
        let asked = DraftRequest { postconditions: vec![star], ..request(DmfKind::Create) };
        let draft = draft(&steps, &asked).unwrap();
        let picked = draft.dmf.widget("post_widget").unwrap();
        assert_eq!(picked.selector.to_string(), "id \"org.ex:id/star\", in the row of add_object");
        let problems: Vec<_> = draft.truths().into_iter().filter_map(|truth| truth.problem).collect();
        assert_eq!(problems, Vec::<String>::new());
    }

    #[test]
    fn a_condition_goes_with_its_widgets() {
        let typed = "EditText#title \"c1\"\nTextView#row \"c1\"\n";
        let steps = [
            step(LIST, "search", Gesture::Tap, "EditText#title\n"),
            step("EditText#title\n", "title", Gesture::SetText("c1".to_owned()), typed),
        ];
        let without = BTreeSet::from(["post in search_object".to_owned()]);
        let draft = draft(&steps, &DraftRequest { without, ..request(DmfKind::Search) }).unwrap();
        let expected = ["e1_widget@0 id \"org.ex:id/search\"", "e2_widget@1 id \"org.ex:id/title\""];
        assert_eq!(widgets(&draft), expected);
        assert_eq!((draft.dmf.preconditions.len(), draft.dmf.postconditions.len()), (2, 0));
        assert_eq!(draft.chosen_place(ConditionWhich::Pre(1)), None);
    }
}
