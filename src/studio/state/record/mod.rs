//! The recording: what was done on the phone while it was on, what the person says of it, and the DMF that
//! both make. The DMF is never edited: it is always the draft of the steps and the choices.

mod actions;
mod choices;
mod command;
mod cut;
mod drafted;
mod first;
mod history;
mod kept;
mod known;
mod pick;
mod propose;
mod steps;
#[cfg(test)]
mod tests;
mod truth;
mod undo;
mod view;

use std::sync::Arc;

use super::mirror::WayOrigin;
use super::settings::BuildChoice;
use crate::mirror::{PathPlace, Performed};
use taproof_core::model::Initialiser;
use taproof_core::spec::{Block, Candidate, Draft, LintFinding, RecorderError};

pub use actions::RECORD;
pub use choices::{Choices, PickedCondition, RecordEdit, roles_of};
pub use command::{Around, InsertAt, PickFor, RecordCommand, RecordPhase, StandAt};
pub use cut::Cut;
use drafted::Proposed;
use history::History;
pub use kept::RecordingCopy;
pub use known::Known;
use propose::typed_before;
pub use steps::{Done, Recording, recorded};
pub use truth::{ConditionLine, Guess, ObjectLine};
pub use view::{StepLine, layout_word, verb};

/// The recording.
#[derive(Default)]
pub struct RecordState {
    /// How far it is.
    pub phase: RecordPhase,
    /// Where the next event goes.
    pub insert_at: InsertAt,
    /// Package of the app that it is about.
    pub app: String,
    build: BuildChoice,
    /// What was done first on the phone that it is recorded on.
    pub initialiser: Option<Arc<Initialiser>>,
    /// What was done from the fresh start to its first step.
    pub lead: Vec<Arc<Performed>>,
    /// The steps and what the person says of them.
    pub recording: Recording,
    /// The DMF that they make.
    pub draft: Option<Result<Draft, RecorderError>>,
    /// The list of steps, as text.
    pub lines: Vec<StepLine>,
    /// The conditions before and after it, as text.
    pub conditions: [Vec<ConditionLine>; 2],
    /// The objects, as text.
    pub objects: Vec<ObjectLine>,
    /// The ways to find the widget of the shown step again, best first.
    pub candidates: Vec<Candidate>,
    /// What is to be said of the DMF.
    pub lints: Vec<LintFinding>,
    /// What random events must not touch because of it.
    pub blocks: Vec<Block>,
    /// The step that is looked at.
    pub shown: Option<usize>,
    /// What a widget is asked for.
    pub picking: Option<PickFor>,
    /// How long the person worked on it, in seconds.
    pub seconds: f64,
    /// What became of the DMF that was kept last: its name.
    pub kept: Option<String>,
    /// The name that it was kept under last, also if it was changed since.
    saved: Option<String>,
    /// What it was when it was to be kept, until it is.
    keeping: Option<Recording>,
    /// What was typed before the recording, with what was touched for it.
    typed_before: Vec<(String, String)>,
    /// The noun of the recording that was kept last.
    last_type: Option<String>,
    /// What the steps look like.
    proposed: Proposed,
    /// It came back from an earlier window: its app and build belong on the phone.
    pub wants_phone: bool,
    /// Counts the changes.
    revision: u64,
    known: Known,
    /// The phone is started anew because this recording wants it so.
    redoing: bool,
    history: History<Recording>,
    /// The recordings that it took the place of and that were not saved, the newest last.
    aside: Vec<RecordState>,
    /// The recordings whose place it took back, the newest last.
    undone: Vec<RecordState>,
    /// The person gave it up; undo brings it back, but no other window.
    discarded: bool,
    /// What it is kept as until it is saved.
    draft_word: String,
}

impl RecordState {
    /// Does what a panel asked for; returns where the phone is to be put for it.
    pub fn run(&mut self, command: RecordCommand, around: &Around<'_>) -> Option<StandAt> {
        let stand = self.obey(command, around);
        self.redoing |= matches!(stand, Some(StandAt::Redo(_)));
        self.known = around.known.clone();
        self.renew();
        stand
    }

    fn obey(&mut self, command: RecordCommand, around: &Around<'_>) -> Option<StandAt> {
        match command {
            RecordCommand::Begin => self.begin(around),
            RecordCommand::GoOn => return self.record_at(InsertAt::End, around),
            RecordCommand::Again(step) => return self.record_at(InsertAt::Replace(step), around),
            RecordCommand::Before(step) => return self.record_at(InsertAt::Before(step), around),
            RecordCommand::Take(from) => self.take_over(from, around),
            RecordCommand::End => self.end(),
            RecordCommand::Discard => {
                self.discarded = true;
                self.start(String::new(), BuildChoice::default(), Vec::new());
            }
            RecordCommand::Undo | RecordCommand::Redo => {
                return self.turn(command == RecordCommand::Undo, around);
            }
            RecordCommand::Edit(edit) => self.change(|recording| recording.edit(edit)),
            RecordCommand::Show(step) => {
                self.shown = step;
                return step.and_then(|step| self.stand_before(step, around));
            }
            RecordCommand::Pick(purpose) => {
                self.picking = Some(purpose);
                return self.screen_for(purpose, around);
            }
            RecordCommand::Try => {}
            RecordCommand::Unpick => self.picking = None,
            RecordCommand::Picked(idx) => self.picked(idx, around),
            RecordCommand::Keep => {
                self.last_type = Some(self.data_type());
                self.keeping = Some(self.recording.clone());
            }
        }
        None
    }

    fn begin(&mut self, around: &Around<'_>) {
        let lead = around.walked.steps.iter().take(around.stands).cloned().collect();
        self.start(around.app.to_owned(), around.build(), lead);
        self.initialiser = around.initialiser();
        self.phase = RecordPhase::Recording;
    }

    /// Which bugs of the app were on when it was recorded, whatever is on the phone now.
    pub fn build(&self) -> &BuildChoice {
        &self.build
    }

    /// An empty recording that begins where these events lead. Undo brings back what was there.
    fn start(&mut self, app: String, build: BuildChoice, lead: Vec<Arc<Performed>>) {
        let old = std::mem::take(self);
        *self = RecordState {
            app,
            build,
            typed_before: typed_before(&lead),
            lead,
            known: old.known.clone(),
            last_type: old.last_type.clone(),
            revision: old.revision + 1,
            draft_word: format!("n{}", old.revision + 1),
            aside: old.set_aside(),
            ..RecordState::default()
        };
    }

    fn take_over(&mut self, from: usize, around: &Around<'_>) {
        let done = around.walked.steps.iter().take(around.stands).cloned();
        self.take_cut(Cut {
            app: around.app.to_owned(),
            build: around.build(),
            initialiser: around.initialiser(),
            lead: done.clone().take(from).collect(),
            steps: done.skip(from).collect(),
            choices: Choices::default(),
        });
    }

    fn end(&mut self) {
        self.insert_at = InsertAt::End;
        self.picking = None;
        self.phase = if self.recording.steps.is_empty() { RecordPhase::Idle } else { RecordPhase::Review };
    }

    /// Goes on recording at a place among the steps.
    fn record_at(&mut self, insert_at: InsertAt, around: &Around<'_>) -> Option<StandAt> {
        let at = match insert_at {
            InsertAt::End => self.recording.steps.len(),
            InsertAt::Before(step) | InsertAt::Replace(step) => step.min(self.recording.steps.len()),
        };
        self.phase = RecordPhase::Recording;
        self.insert_at = insert_at;
        self.shown = Some(at);
        self.stand_before(at, around)
    }

    /// Where the phone stands before a step: on its own way if that comes there, else the events are done
    /// again. Nothing where it stands there.
    fn stand_before(&self, step: usize, around: &Around<'_>) -> Option<StandAt> {
        let events: Vec<&Arc<Performed>> = self.lead.iter().chain(self.recording.events(step)).collect();
        let way = &around.walked.steps;
        let same = events.iter().zip(way).all(|(event, walked)| event.event == walked.event);
        let here =
            |origin: &WayOrigin| (&origin.build, &origin.initialiser) == (&self.build, &self.initialiser);
        let same = same && around.walked.origin.as_ref().is_none_or(here);
        if !same || events.len() > way.len() || self.app != around.app {
            return Some(StandAt::Redo(events.into_iter().cloned().collect()));
        }
        let place = PathPlace { path: around.walked.path, step: events.len() };
        (around.stands != events.len()).then_some(StandAt::Place(place))
    }

    /// Something was done on the phone.
    pub fn take(&mut self, performed: &Arc<Performed>) {
        if self.phase != RecordPhase::Recording || performed.again {
            return;
        }
        let (insert_at, place) = (self.insert_at, performed.place.step);
        if insert_at == InsertAt::End && place < self.lead.len() {
            // Whoever went back behind the start begins another recording there; undo brings back this one.
            let lead = self.lead.iter().take(place).cloned().collect();
            let initialiser = self.initialiser.clone();
            self.start(self.app.clone(), self.build.clone(), lead);
            self.initialiser = initialiser;
            self.phase = RecordPhase::Recording;
        }
        let known = self.lead.len();
        let mut at = None;
        let mut joined = false;
        let before = self.recording.clone();
        match insert_at {
            InsertAt::End => {
                // Whoever put the phone back goes another way from there.
                let kept = (0..=self.recording.steps.len())
                    .find(|steps| known + self.recording.events(*steps).count() >= place);
                let kept = kept.unwrap_or(self.recording.steps.len());
                self.recording.steps.truncate(kept);
                joined = self.recording.put(kept, performed);
            }
            InsertAt::Before(step) => {
                joined = self.recording.put(step, performed);
                self.insert_at = InsertAt::Before(step + usize::from(!joined));
            }
            InsertAt::Replace(step) => {
                if step < self.recording.steps.len() {
                    self.recording.steps.remove(step);
                }
                self.recording.steps.insert(step.min(self.recording.steps.len()), Done::of(performed));
                at = Some(step);
            }
        }
        self.kept = None;
        if !joined {
            self.note(&before);
        }
        if let Some(step) = at {
            // Typing goes on letter by letter.
            self.insert_at = InsertAt::Before(step + 1);
            if !self.recording.steps.get(step).is_some_and(Done::types) {
                self.end();
            }
        }
        self.renew();
    }

    /// The phone was started anew. Unless it was for the recording, that ends: what is done
    /// there is another way. Returns whether it ended.
    pub fn phone_began(&mut self, origin: WayOrigin) -> bool {
        let wanted = std::mem::take(&mut self.redoing);
        if wanted || self.phase != RecordPhase::Recording {
            return false;
        }
        if self.recording.steps.is_empty() {
            self.lead.clear();
            // It is another recording for the disk, which writes the way to it once.
            self.revision += 1;
            self.draft_word = format!("n{}", self.revision);
            WayOrigin { app: self.app, build: self.build, initialiser: self.initialiser } = origin;
            return false;
        }
        self.end();
        true
    }

    /// The window's time went on by so many seconds.
    pub fn tick(&mut self, seconds: f64) {
        if self.phase != RecordPhase::Idle && self.kept.is_none() {
            self.seconds += seconds;
        }
    }
}
