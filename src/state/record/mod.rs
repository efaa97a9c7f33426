//! The recording: what was done on the phone while it was on, what the person says of it, and the DMF that
//! both make. The DMF is never edited: it is always the draft of the steps and the choices.

mod actions;
mod choices;
mod cut;
mod history;
mod known;
mod propose;
mod steps;
#[cfg(test)]
mod tests;
mod truth;
mod undo;
mod view;

use std::sync::Arc;

use super::StudioState;
use super::documents::free_name;
use super::mirror::Walked;
use super::settings::BuildChoice;
use crate::mirror::{PathPlace, Performed};
use crate::model::{Layout, WidgetIdx};
use crate::spec::{
    Block, Candidate, ConditionWhich, DataType, Dmf, DmfKind, Draft, DraftRequest, LintFinding,
    RecorderError, Role, Severity, Spec, derived_blocks, draft, keep_conditions, lint, proposed_kind,
    refused,
};

pub use actions::RECORD;
pub use choices::{Choices, PickedCondition, RecordEdit, roles_of};
pub use cut::Cut;
use history::History;
pub use known::Known;
use propose::{proposed_types, typed_before};
pub use steps::{Done, Recording, recorded};
pub use truth::{ConditionLine, ObjectLine};
pub use view::{StepLine, layout_word, verb};

/// Screens before the recording that are looked at for what is gone since then.
const MAX_SEEN: usize = 100;

/// What panels ask of the recording.
#[derive(Clone, Debug, PartialEq)]
pub enum RecordCommand {
    /// Records from here on, a new function.
    Begin,
    /// Goes on where the recorded steps end.
    GoOn,
    /// Records no more.
    End,
    /// Forgets the recording.
    Discard,
    /// Takes the steps of the phone's way from this one on, up to where the phone stands.
    Take(usize),
    /// Takes the last change back.
    Undo,
    /// Makes it again.
    Redo,
    /// Changes the steps or what the person says of them.
    Edit(RecordEdit),
    /// Chooses a step and puts the phone before it; the number of steps stands for the end.
    Show(Option<usize>),
    /// Records a step again; those behind it stay.
    Again(usize),
    /// Records steps before this one.
    Before(usize),
    /// Asks for a widget on the phone.
    Pick(PickFor),
    /// That widget, on the phone's layout.
    Picked(WidgetIdx),
    /// Asks no more.
    Unpick,
    /// Tries the DMF.
    Try,
    /// Puts the DMF into the document of the app.
    Keep,
}

/// What a widget is picked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickFor {
    /// The object of a role.
    Object(Role),
    /// A widget like the one that would show the object, which must not be shown.
    Place(Role),
    /// A condition, before the function or after it: a widget that must be shown, or must not.
    Condition {
        /// After it.
        post: bool,
        /// Whether the widget must be shown.
        shown: bool,
    },
}

/// How far the recording is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecordPhase {
    /// There is none.
    #[default]
    Idle,
    /// What is done on the phone joins it.
    Recording,
    /// It is looked at.
    Review,
}

/// Where the next event goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Taking {
    /// Behind the last step.
    #[default]
    Last,
    /// Before the step of that number.
    Before(usize),
    /// In the place of the step of that number, once it is done.
    Instead(usize),
}

/// Where the phone is to be put.
#[derive(Clone, Debug)]
pub enum StandAt {
    /// Its way comes there.
    Place(PathPlace),
    /// These events are done again on a fresh phone.
    Redo(Vec<Arc<Performed>>),
}

/// What the recording needs to know of the rest of the window.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// The way of the phone.
    pub walked: &'a Walked,
    /// After how many of its events the phone stands.
    pub stands: usize,
    /// What the phone shows.
    pub layout: Option<&'a Arc<Layout>>,
    /// Package of the app on the phone.
    pub app: &'a str,
    /// What the app's specifications say.
    pub known: &'a Known,
}

impl Around<'_> {
    /// Which bugs of the app on the phone are on.
    fn build(&self) -> BuildChoice {
        self.walked.origin.as_ref().map(|origin| origin.build.clone()).unwrap_or_default()
    }
}

/// The recording.
#[derive(Default)]
pub struct RecordState {
    /// How far it is.
    pub phase: RecordPhase,
    /// Where the next event goes.
    pub taking: Taking,
    /// Package of the app that it is about.
    pub app: String,
    build: BuildChoice,
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

/// A recording that is kept until it is saved.
#[derive(Clone, Debug, Default)]
pub struct RecordingCopy {
    /// The word that it is kept under.
    pub word: String,
    /// Package of the app.
    pub app: String,
    /// Which of its bugs were on.
    pub build: BuildChoice,
    /// How long the person worked on it.
    pub seconds: f64,
    /// What was done before it.
    pub lead: Vec<Arc<Performed>>,
    /// Its steps and what the person said.
    pub recording: Recording,
}

impl StudioState {
    /// Takes up the recordings that earlier windows left, the newest last. Undo goes to the older ones.
    pub fn restore_recordings(&mut self, copies: Vec<RecordingCopy>) {
        let known = copies.last().map(|newest| self.known_of(&newest.app));
        if let (Some(number), Some(known)) = (self.record.restore(copies), known) {
            self.record.known = known;
            self.record.renew();
            self.tell(match number {
                1 => "The recording that was not saved is back.",
                _ => "The recordings that were not saved are back. Undo goes to the older ones.",
            });
        }
    }
}

/// What the steps look like.
#[derive(Clone, Debug, Default)]
struct Proposed {
    kind: Option<DmfKind>,
    /// The nouns that fit equally well, the proposed one first.
    data_types: Vec<DataType>,
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
            RecordCommand::GoOn => return self.record_at(Taking::Last, around),
            RecordCommand::Again(step) => return self.record_at(Taking::Instead(step), around),
            RecordCommand::Before(step) => return self.record_at(Taking::Before(step), around),
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

    /// The DMF is on the disk under this name. `Keep` asked for it; until now people may have been asked, and
    /// gone on: to a change of the same recording, which is not kept with it, or to another recording.
    pub fn was_kept(&mut self, name: String) {
        self.revision += 1;
        if self.keeping.is_some() {
            return self.take_name(name);
        }
        let mut others = self.aside.iter_mut().chain(&mut self.undone);
        if let Some(asked) = others.rfind(|record| record.keeping.is_some()) {
            asked.take_name(name);
            // A saved one is not lost.
            self.aside.retain(RecordState::unsaved);
        }
    }

    fn take_name(&mut self, name: String) {
        self.kept = (self.keeping.take().as_ref() == Some(&self.recording)).then(|| name.clone());
        self.saved = Some(name);
    }

    /// The name that this very recording was kept under last.
    pub fn saved_as(&self) -> Option<&str> {
        self.saved.as_deref()
    }

    fn begin(&mut self, around: &Around<'_>) {
        let lead = around.walked.steps.iter().take(around.stands).cloned().collect();
        self.start(around.app.to_owned(), around.build(), lead);
        self.phase = RecordPhase::Recording;
    }

    /// Which bugs of the app were on when it was recorded, whatever is on the phone now.
    pub fn build(&self) -> &BuildChoice {
        &self.build
    }

    /// Whether there is something to lose.
    pub fn unsaved(&self) -> bool {
        self.kept.is_none() && !self.recording.steps.is_empty()
    }

    /// The recordings that are kept until they are saved, with the number of changes of each: this one, and those
    /// that undo or redo brings back.
    pub fn unsaved_ones(&self) -> impl Iterator<Item = (&RecordState, u64)> {
        let all = self.aside.iter().chain(&self.undone).chain(std::iter::once(self));
        all.filter(|record| record.unsaved() && !record.discarded).map(|record| (record, record.revision))
    }

    /// What it is kept as.
    pub fn draft_word(&self) -> &str {
        &self.draft_word
    }

    /// What is kept of it.
    pub fn copy(&self) -> RecordingCopy {
        RecordingCopy {
            word: self.draft_word.clone(),
            app: self.app.clone(),
            build: self.build.clone(),
            seconds: self.seconds,
            lead: self.lead.clone(),
            recording: self.recording.clone(),
        }
    }

    /// Takes up what earlier windows left, and says how many; where something is recorded here already undo goes
    /// to them.
    fn restore(&mut self, copies: Vec<RecordingCopy>) -> Option<usize> {
        let mut older: Vec<RecordState> = copies
            .into_iter()
            .filter(|copy| !copy.recording.steps.is_empty())
            .map(RecordState::of_copy)
            .collect();
        let number = older.len();
        let newest = if self.phase == RecordPhase::Idle { older.pop() } else { None };
        older.append(&mut self.aside);
        self.aside = older;
        let newest = newest?;
        let (aside, revision) = (std::mem::take(&mut self.aside), self.revision);
        *self = RecordState { aside, revision, wants_phone: true, ..newest };
        self.end();
        Some(number)
    }

    fn of_copy(copy: RecordingCopy) -> RecordState {
        RecordState {
            app: copy.app,
            build: copy.build,
            seconds: copy.seconds,
            typed_before: typed_before(&copy.lead),
            lead: copy.lead,
            recording: copy.recording,
            draft_word: copy.word,
            ..RecordState::default()
        }
    }

    /// Says whether something changed since it was asked last.
    pub fn revision(&self) -> u64 {
        self.revision
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
            lead: done.clone().take(from).collect(),
            steps: done.skip(from).collect(),
            choices: Choices::default(),
        });
    }

    fn end(&mut self) {
        self.taking = Taking::Last;
        self.picking = None;
        self.phase = if self.recording.steps.is_empty() { RecordPhase::Idle } else { RecordPhase::Review };
    }

    /// Goes on recording at a place among the steps.
    fn record_at(&mut self, taking: Taking, around: &Around<'_>) -> Option<StandAt> {
        let at = match taking {
            Taking::Last => self.recording.steps.len(),
            Taking::Before(step) | Taking::Instead(step) => step.min(self.recording.steps.len()),
        };
        self.phase = RecordPhase::Recording;
        self.taking = taking;
        self.shown = Some(at);
        self.stand_before(at, around)
    }

    /// Where the phone stands before a step: on its own way if that comes there, else the events are done
    /// again. Nothing where it stands there.
    fn stand_before(&self, step: usize, around: &Around<'_>) -> Option<StandAt> {
        let events: Vec<&Arc<Performed>> = self.lead.iter().chain(self.recording.events(step)).collect();
        let way = &around.walked.steps;
        let same = events.iter().zip(way).all(|(event, walked)| event.event == walked.event);
        let same = same && around.walked.origin.as_ref().is_none_or(|origin| origin.build == self.build);
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
        let (taking, place) = (self.taking, performed.place.step);
        if taking == Taking::Last && place < self.lead.len() {
            // Whoever went back behind the start begins another recording there; undo brings back this one.
            let lead = self.lead.iter().take(place).cloned().collect();
            self.start(self.app.clone(), self.build.clone(), lead);
            self.phase = RecordPhase::Recording;
        }
        let known = self.lead.len();
        let mut at = None;
        let mut joined = false;
        let before = self.recording.clone();
        match taking {
            Taking::Last => {
                // Whoever put the phone back goes another way from there.
                let kept = (0..=self.recording.steps.len())
                    .find(|steps| known + self.recording.events(*steps).count() >= place);
                let kept = kept.unwrap_or(self.recording.steps.len());
                self.recording.steps.truncate(kept);
                joined = self.recording.put(kept, performed);
            }
            Taking::Before(step) => {
                joined = self.recording.put(step, performed);
                self.taking = Taking::Before(step + usize::from(!joined));
            }
            Taking::Instead(step) => {
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
            self.taking = Taking::Before(step + 1);
            if !self.recording.steps.get(step).is_some_and(Done::types) {
                self.end();
            }
        }
        self.renew();
    }

    /// The phone was started anew with that app. Unless it was for the recording, that ends: what is done
    /// there is another way. Returns whether it ended.
    pub fn phone_began(&mut self, app: &str, build: &BuildChoice) -> bool {
        let wanted = std::mem::take(&mut self.redoing);
        if wanted || self.phase != RecordPhase::Recording {
            return false;
        }
        if self.recording.steps.is_empty() {
            self.lead.clear();
            // It is another recording for the disk, which writes the way to it once.
            self.revision += 1;
            self.draft_word = format!("n{}", self.revision);
            app.clone_into(&mut self.app);
            self.build.clone_from(build);
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

    fn picked(&mut self, idx: WidgetIdx, around: &Around<'_>) {
        let Some(purpose) = self.picking.take() else { return };
        let Some(widget) = around.layout.and_then(|layout| layout.get(idx)) else { return };
        match purpose {
            PickFor::Object(role) => {
                let object = widget.text.to_string();
                let Some(layout) = around.layout.filter(|_| !object.is_empty()).cloned() else { return };
                self.change(|recording| recording.edit(RecordEdit::ObjectAt(role, object, layout, idx)));
            }
            PickFor::Place(role) => {
                let layout = around.layout.filter(|layout| self.recording.place_of(layout).is_some());
                if let Some(layout) = layout.cloned() {
                    self.change(|recording| recording.edit(RecordEdit::PlaceAt(role, layout, idx)));
                }
            }
            PickFor::Condition { post, shown } => {
                let layout = around.layout.filter(|layout| self.recording.place_of(layout).is_some());
                if let Some(layout) = layout.cloned() {
                    let condition = PickedCondition { post, layout, widget: idx, shown };
                    self.change(|recording| recording.edit(RecordEdit::AddCondition(condition)));
                }
            }
        }
    }

    /// Where the phone shows what is likely to be picked: the start or the end of the function, the other one
    /// for what must not be shown. An object is
    /// picked on the screen of the step that is looked at.
    fn screen_for(&mut self, purpose: PickFor, around: &Around<'_>) -> Option<StandAt> {
        let recorded = around.layout.is_some_and(|layout| self.recording.place_of(layout).is_some());
        let draft = self.draft.as_ref()?.as_ref().ok();
        let (first, end) = draft.map_or((0, self.recording.steps.len()), |it| (it.first_step, it.end_step));
        let step = match purpose {
            PickFor::Object(_) if recorded && self.shown.is_some() => return None,
            // What must not be shown is not there to be picked.
            PickFor::Condition { post: false, shown: false } => end,
            PickFor::Condition { shown: false, .. } => first,
            PickFor::Object(Role::Removed) | PickFor::Condition { post: false, .. } => first,
            PickFor::Object(_) | PickFor::Place(_) | PickFor::Condition { post: true, .. } => end,
        };
        self.shown = Some(step);
        self.stand_before(step, around)
    }

    fn renew(&mut self) {
        self.revision += 1;
        let (steps, recorded) = (&self.recording.steps, self.recording.recorded());
        self.proposed = Proposed {
            kind: Some(proposed_kind(&recorded)),
            data_types: proposed_types(steps, &self.known.nouns, &self.typed_before, self.last_type.as_ref()),
        };
        self.draft = (!steps.is_empty()).then(|| {
            let mut request = self.recording.request(self.kind(), self.data_type());
            request.seen = self.seen();
            let taken = self.known.names(self.saved_as());
            request.name.get_or_insert(free_name(&taken, &DraftRequest::dmf_name(&request)));
            draft(&recorded, &request)
        });
        self.lints.clear();
        self.blocks.clear();
        if let Some(dmf) = self.dmf().cloned() {
            self.blocks = derived_blocks(&Spec { dmfs: vec![dmf.clone()], ..Spec::default() });
            self.lints = lint(&self.known.around(dmf, self.saved_as()));
            self.lints.retain(|lint| lint.dmf == Some(0));
        }
        self.lines = self.step_lines();
        self.candidates = self.shown_candidates();
        self.conditions = self.condition_lines();
        self.objects = self.object_lines();
    }

    /// The screens that were seen before it, the newest so many.
    fn seen(&self) -> Vec<Arc<Layout>> {
        let newest = self.lead.iter().skip(self.lead.len().saturating_sub(MAX_SEEN));
        let mut seen: Vec<Arc<Layout>> =
            newest.map(|performed| Arc::clone(&performed.after.frame.layout)).collect();
        seen.dedup_by(|one, other| Arc::ptr_eq(one, other));
        seen
    }

    /// The kind of function: as chosen, or else as it looks.
    pub fn kind(&self) -> DmfKind {
        self.recording.choices.kind.or(self.proposed.kind).unwrap_or(DmfKind::Create)
    }

    /// The noun: as chosen, or else as it looks.
    pub fn data_type(&self) -> String {
        let chosen = self.recording.choices.data_type.as_ref().or(self.proposed.data_types.first());
        chosen.cloned().unwrap_or_else(|| "item".to_owned())
    }

    /// The nouns among which the proposed one is a guess; empty where it is none.
    pub fn guessed_types(&self) -> &[String] {
        let guessed = self.recording.choices.data_type.is_none() && self.proposed.data_types.len() > 1;
        if guessed { &self.proposed.data_types } else { &[] }
    }

    /// The DMF, if one can be made.
    pub fn dmf(&self) -> Option<&Dmf> {
        self.draft.as_ref()?.as_ref().ok().map(|draft| &draft.dmf)
    }

    /// The DMF as it is saved: without conditions that cannot fail.
    pub fn kept_dmf(&self) -> Option<Dmf> {
        let draft = self.draft.as_ref()?.as_ref().ok()?;
        let truths = draft.truths();
        let stays = |which: ConditionWhich| {
            !truths.iter().any(|truth| truth.which == which && refused(truth).is_some())
        };
        let mut dmf = draft.dmf.clone();
        keep_conditions(&mut dmf, stays);
        Some(dmf)
    }

    /// The name: as chosen, or else what it does and the noun.
    pub fn name(&self) -> String {
        let drafted = || self.dmf().map(|dmf| dmf.name.clone());
        self.recording.choices.name.clone().or_else(drafted).unwrap_or_default()
    }

    /// The data types that the app's specifications speak of.
    pub fn nouns(&self) -> &[String] {
        &self.known.nouns
    }

    /// Why the DMF cannot be saved as it is.
    pub fn refusals(&self) -> Vec<String> {
        let error = match &self.draft {
            None => Some("Nothing is recorded yet.".to_owned()),
            Some(Err(error)) => Some(error.to_string()),
            Some(Ok(_)) => None,
        };
        let errors = self.lints.iter().filter(|lint| lint.code.severity() == Severity::Error);
        error.into_iter().chain(errors.map(|lint| lint.message.clone())).collect()
    }
}
