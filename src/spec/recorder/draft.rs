//! What the recorder makes: a draft, with its lead-in and the remarks on it.

use std::ops::Range;
use std::sync::Arc;

use super::condition_truth::{
    CanFail, ConditionTruth, ConditionWhich, Evidence, condition_truths, keep_conditions, refused,
};
use super::objects::DraftObject;
use super::request::Role;
use super::selector::ObjectText;
use crate::Dmf;
use taproof_screen::{Layout, RecordedStep};

/// A DMF made from a recording, to be looked at by a person.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The DMF of these steps.
    pub dmf: Dmf,
    /// The recorded steps that it was made from: from this one on ...
    pub first_step: usize,
    /// ... up to and without this one.
    pub end_step: usize,
    /// For each step of the DMF the range of recorded steps that it was made from; empty for a scroll that was added.
    pub steps: Vec<Range<usize>>,
    /// The layout before each step of the DMF, and the last.
    pub layouts: Vec<Arc<Layout>>,
    /// What leads from the fresh start of the app to its first step.
    pub lead: Vec<LeadStep>,
    /// The objects that it is about.
    pub objects: Vec<DraftObject>,
    /// Why it came out so, and what to look at, in the order of the DMF.
    pub notes: Vec<DraftNote>,
    /// Every recorded layout: layout k is the one before step k, and the last one follows the last step.
    pub recorded: Vec<Arc<Layout>>,
    /// Screens that were seen before it.
    pub(super) seen: Vec<Arc<Layout>>,
    /// Where each pre- and postcondition stands in the request; `None` for proposed ones.
    pub(super) places: [Vec<Option<usize>>; 2],
}

/// A step that leads to where the function starts.
#[derive(Clone, Debug, PartialEq)]
pub struct LeadStep {
    /// Its number among all that was done since the fresh start, by which `DraftRequest::without_lead` takes it away.
    pub at: usize,
    /// It as it was done.
    pub step: RecordedStep,
    /// Whether it was taken away.
    pub without: bool,
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
    /// The remark, as a sentence.
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

    /// The DMF to be saved: without the conditions that cannot fail.
    pub fn kept_dmf(&self) -> Dmf {
        let truths = self.truths();
        let mut dmf = self.dmf.clone();
        keep_conditions(&mut dmf, |which| {
            !truths.iter().any(|truth| truth.which == which && refused(truth).is_some())
        });
        dmf
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
    pub(super) fn prove(&mut self) {
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
