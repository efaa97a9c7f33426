//! The recording: the steps performed on the phone, the person's choices, and the DMF that follows from both. The DMF
//! is never edited itself; it is always drafted from the steps and the choices.

mod actions;
mod clock;
mod command;
mod cut;
mod discover;
mod drafted;
mod first;
mod flow_player;
mod handle;
mod import;
mod known;
pub(crate) mod panels;
mod pick;
mod proposals;
mod propose;
mod steps;
#[cfg(test)]
mod tests;
mod truth;
mod undo;
mod unsaved;
mod view;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::mirror::{PathPosition, Performed};
use crate::phone::WayOrigin;
use crate::undo::UndoHistory;
use taproof_campaign::Target;
use taproof_screen::Initialiser;
use taproof_spec::{Block, Candidate, Draft, LintFinding, RecorderError, SelectorPreference};

pub(crate) use actions::NO_PHONE;
pub use actions::RECORD;
pub(crate) use clock::RecordClock;
pub use command::{Around, InsertAt, PickFor, RecordCommand, RecordPhase, StandAt};
pub use cut::Cut;
pub use discover::{DiscoverCommand, DiscoverPlan, DiscoverState};
pub(crate) use discover::{DiscoveryNews, explore, run_discover};
use drafted::Proposed;
pub(crate) use flow_player::{FlowToImport, ImportedFlow, play_flow};
pub(crate) use handle::{
    bring_phone, end_if_done, keep_recordings, run_proposal, run_record, take_fact, take_proposals, tick,
};
pub(crate) use import::{import_flow, take_imported};
pub use known::Known;
pub use proposals::{ProposalCard, ProposalCommand, ProposalState, WayCut, WayToCut};
use propose::typed_before;
pub use steps::{RecordedAction, Recording, recorded};
pub use taproof_spec::{Choices, PickedCondition, RecordEdit, roles_of};
pub use truth::{ConditionLine, Guess, ObjectLine};
pub use view::{StepLine, screen_name, verb};

/// Maximum number of changes of a recording that can be undone.
const MAX_CHANGES: usize = 500;
/// Maximum number of replaced recordings that undo brings back.
const MAX_ASIDE: usize = 20;

/// The recording, with everything that the window shows of it.
#[derive(Default)]
pub struct RecordState {
    /// The phase of the recording.
    pub phase: RecordPhase,
    /// Where the next event is inserted.
    pub insert_at: InsertAt,
    /// The app, and the phone that it was recorded on, whatever phone is shown now.
    pub target: Target,
    /// The initial steps on the phone that it was recorded on.
    pub initialiser: Option<Arc<Initialiser>>,
    /// The events from the fresh start to the first step.
    pub lead: Vec<Arc<Performed>>,
    /// The steps and the choices.
    pub recording: Recording,
    /// The DMF drafted from them, or why none can be made. `None` if there are no steps.
    pub draft: Option<Result<Draft, RecorderError>>,
    /// The lines of the list of steps.
    pub lines: Vec<StepLine>,
    /// The lines of the conditions before and after the function.
    pub conditions: [Vec<ConditionLine>; 2],
    /// What the conditions say that were left out, by key.
    pub left_out: BTreeMap<String, String>,
    /// The lines of the objects.
    pub objects: Vec<ObjectLine>,
    /// The selectors that would find the widget of the selected step, best first.
    pub candidates: Vec<Candidate>,
    /// What is to be said of a recorded page whose widget tree holds next to nothing.
    pub opaque: Option<String>,
    /// The lint findings about the DMF.
    pub lints: Vec<LintFinding>,
    /// What random events must not touch because of the DMF.
    pub blocks: Vec<Block>,
    /// Index of the selected step. The number of steps selects the end.
    pub shown: Option<usize>,
    /// The purpose for which a widget is asked for, if one is.
    pub picking: Option<PickFor>,
    /// How long the person has worked on it, in seconds.
    pub seconds: f64,
    /// The name under which it was saved. `None` if it was never saved or has changed since.
    pub kept: Option<String>,
    /// The name under which it was last saved, even if it has changed since.
    saved: Option<String>,
    /// The recording as it was when saving was requested, until it is on the disk.
    keeping: Option<Recording>,
    /// The texts typed before the recording, each with the words of the widgets touched around that.
    typed_before: Vec<(String, String)>,
    /// The data type of the last saved recording.
    last_type: Option<String>,
    /// What the steps suggest.
    proposed: Proposed,
    /// Whether it was restored from an earlier session, so that its app must be put on the phone.
    pub wants_phone: bool,
    /// The kind of selector to choose where several name a widget alone.
    prefer: SelectorPreference,
    /// Number of changes so far, by which drafts are kept up to date.
    revision: u64,
    known: Known,
    /// Whether it ends as soon as the phone has done what was asked of it before: that belongs to it.
    pub ending: bool,
    /// Whether the phone is being restarted for this recording.
    redoing: bool,
    /// Its own changes, each as the recording on the other side of it.
    history: UndoHistory<Recording, MAX_CHANGES>,
    /// Unsaved recordings that this one replaced, and those that undo replaced by this one.
    aside: UndoHistory<RecordState, MAX_ASIDE>,
    /// Whether the person discarded it. Undo still brings it back, but it is not restored in later sessions.
    discarded: bool,
    /// The name of its draft in the workspace.
    draft_word: String,
}

impl RecordState {
    /// Whether there is no recording.
    pub fn is_idle(&self) -> bool {
        self.phase == RecordPhase::Idle
    }

    /// Executes a command. Returns where the phone must be moved for it.
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
                self.start(Target::default(), Vec::new());
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
        self.start(around.target(), lead);
        self.initialiser = around.initialiser();
        self.phase = RecordPhase::Recording;
    }

    /// Begins an empty recording after these events. Undo brings back the previous one.
    fn start(&mut self, target: Target, lead: Vec<Arc<Performed>>) {
        let old = std::mem::take(self);
        *self = RecordState {
            target,
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
            target: around.target(),
            initialiser: around.initialiser(),
            lead: done.clone().take(from).collect(),
            steps: done.skip(from).collect(),
            choices: Choices::default(),
        });
    }

    fn end(&mut self) {
        self.ending = false;
        self.insert_at = InsertAt::End;
        self.picking = None;
        self.phase = if self.recording.steps.is_empty() { RecordPhase::Idle } else { RecordPhase::Review };
    }

    /// Resumes recording at a position among the steps.
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

    /// Returns where the phone must be moved for the screen before a step: along its own path if that leads there, else
    /// by performing the events again. `None` if the phone is there already.
    fn stand_before(&self, step: usize, around: &Around<'_>) -> Option<StandAt> {
        let events: Vec<&Arc<Performed>> = self.lead.iter().chain(self.recording.events(step)).collect();
        let way = &around.walked.steps;
        let same = events.iter().zip(way).all(|(event, walked)| event.event == walked.event);
        let here =
            |origin: &WayOrigin| (&origin.target, &origin.initialiser) == (&self.target, &self.initialiser);
        let same = same && around.walked.origin.as_ref().is_none_or(here);
        if !same || events.len() > way.len() || self.target.app != around.app {
            return Some(StandAt::Redo(events.into_iter().cloned().collect()));
        }
        let place = PathPosition { path: around.walked.path, step: events.len() };
        (around.stands != events.len()).then_some(StandAt::Place(place))
    }

    /// Takes an event that was performed on the phone.
    pub fn take(&mut self, performed: &Arc<Performed>) {
        if self.phase != RecordPhase::Recording || performed.again {
            return;
        }
        let (insert_at, place) = (self.insert_at, performed.place.step);
        if insert_at == InsertAt::End && place < self.lead.len() {
            // The phone was moved back to before the first step: another recording begins there, and undo brings back
            // this one.
            let lead = self.lead.iter().take(place).cloned().collect();
            let initialiser = self.initialiser.clone();
            self.start(self.target.clone(), lead);
            self.initialiser = initialiser;
            self.phase = RecordPhase::Recording;
        }
        let known = self.lead.len();
        let mut at = None;
        let mut joined = false;
        let before = self.recording.clone();
        match insert_at {
            InsertAt::End => {
                // If the phone was moved back, the steps after its position are replaced.
                let kept = (0..=self.recording.steps.len())
                    .find(|steps| known + self.recording.events(*steps).count() >= place);
                let kept = kept.unwrap_or(self.recording.steps.len());
                self.recording.steps.truncate(kept);
                joined = self.recording.put(kept, Arc::clone(performed), recorded(performed));
            }
            InsertAt::Before(step) => {
                joined = self.recording.put(step, Arc::clone(performed), recorded(performed));
                self.insert_at = InsertAt::Before(step + usize::from(!joined));
            }
            InsertAt::Replace(step) => {
                if step < self.recording.steps.len() {
                    self.recording.steps.remove(step);
                }
                let done = RecordedAction::of(Arc::clone(performed), recorded(performed));
                self.recording.steps.insert(step.min(self.recording.steps.len()), done);
                at = Some(step);
            }
        }
        self.kept = None;
        if !joined {
            self.note(before);
        }
        if let Some(step) = at {
            // Further letters are added to the same step.
            self.insert_at = InsertAt::Before(step + 1);
            if !self.recording.steps.get(step).is_some_and(RecordedAction::types) {
                self.end();
            }
        }
        self.renew();
    }

    /// Called when the phone was restarted. If the recording did not cause that, it ends, since what follows is on
    /// another path. Returns whether it ended.
    pub fn phone_began(&mut self, origin: WayOrigin) -> bool {
        let wanted = std::mem::take(&mut self.redoing);
        if wanted || self.phase != RecordPhase::Recording {
            return false;
        }
        if self.recording.steps.is_empty() {
            self.lead.clear();
            // A new draft is written, since the path to the recording is only written once per draft.
            self.revision += 1;
            self.draft_word = format!("n{}", self.revision);
            WayOrigin { target: self.target, initialiser: self.initialiser } = origin;
            return false;
        }
        self.end();
        true
    }

    /// Adds working time, in seconds.
    pub fn tick(&mut self, seconds: f64) {
        if self.phase != RecordPhase::Idle && self.kept.is_none() {
            self.seconds += seconds;
        }
    }
}
