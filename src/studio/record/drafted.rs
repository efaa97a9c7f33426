//! The DMF that follows from the steps and the choices.

use std::sync::Arc;

use super::RecordState;
use super::propose::proposed_types;
use super::steps::recorded as recorded_step;
use crate::specs::free_name;
use taproof_screen::Layout;
use taproof_spec::{
    DataType, Dmf, DmfKind, Draft, DraftRequest, SelectorPreference, Severity, Spec, derived_blocks, draft,
    lint, opaque_page, proposed_kind, recorded_layouts,
};

/// Maximum number of screens before the recording in which objects that have disappeared since are looked for.
const MAX_SEEN: usize = 100;

/// What the steps suggest.
#[derive(Clone, Debug, Default)]
pub(super) struct Proposed {
    kind: Option<DmfKind>,
    /// The data types that match equally well, the proposed one first.
    data_types: Vec<DataType>,
}

impl RecordState {
    /// Drafts by this kind of selector from now on.
    pub(super) fn prefer(&mut self, kind: SelectorPreference) {
        if std::mem::replace(&mut self.prefer, kind) != kind && !self.recording.steps.is_empty() {
            self.renew();
        }
    }

    pub(super) fn renew(&mut self) {
        self.revision += 1;
        let gone = self.conditions.iter().flatten();
        let gone = gone.filter(|line| self.recording.choices.without.contains(&line.key));
        self.left_out.extend(gone.map(|line| (line.key.clone(), line.sentence.clone())));
        let (steps, recorded) = (&self.recording.steps, self.recording.recorded());
        self.proposed = Proposed {
            kind: Some(proposed_kind(&recorded)),
            data_types: proposed_types(steps, &self.known.nouns, &self.typed_before, self.last_type.as_ref()),
        };
        self.draft = (!steps.is_empty()).then(|| {
            let mut request = self.recording.request(self.kind(), self.data_type());
            request.seen = self.seen();
            request.prefer = self.prefer;
            request.lead = Some(self.lead.iter().map(|performed| recorded_step(performed)).collect());
            let taken = self.known.names(self.saved_as());
            request.name.get_or_insert(free_name(&taken, &DraftRequest::dmf_name(&request)));
            draft(&recorded, &request)
        });
        self.opaque = opaque_page(&recorded_layouts(&recorded));
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

    /// The screens before the recording, at most [`MAX_SEEN`] of the newest.
    fn seen(&self) -> Vec<Arc<Layout>> {
        let newest = self.lead.iter().skip(self.lead.len().saturating_sub(MAX_SEEN));
        let mut seen: Vec<Arc<Layout>> =
            newest.map(|performed| Arc::clone(&performed.after.frame.layout)).collect();
        seen.dedup_by(|one, other| Arc::ptr_eq(one, other));
        seen
    }

    /// The kind of function: the chosen one, else the proposed one.
    pub fn kind(&self) -> DmfKind {
        self.recording.choices.kind.or(self.proposed.kind).unwrap_or(DmfKind::Create)
    }

    /// The data type: the chosen one, else the proposed one.
    pub fn data_type(&self) -> String {
        let chosen = self.recording.choices.data_type.as_ref().or(self.proposed.data_types.first());
        chosen.cloned().unwrap_or_else(|| "item".to_owned())
    }

    /// The data types that match as well as the proposed one, which is a guess then. Empty if it is no guess.
    pub fn guessed_types(&self) -> &[String] {
        let guessed = self.recording.choices.data_type.is_none() && self.proposed.data_types.len() > 1;
        if guessed { &self.proposed.data_types } else { &[] }
    }

    /// The DMF. `None` if none can be made.
    pub fn dmf(&self) -> Option<&Dmf> {
        self.draft.as_ref()?.as_ref().ok().map(|draft| &draft.dmf)
    }

    /// The DMF to be saved: without conditions that cannot fail. `None` if none can be made.
    pub fn kept_dmf(&self) -> Option<Dmf> {
        self.draft.as_ref()?.as_ref().ok().map(Draft::kept_dmf)
    }

    /// The DMF's name: the chosen one, else the drafted one. Empty if there is none.
    pub fn name(&self) -> String {
        let drafted = || self.dmf().map(|dmf| dmf.name.clone());
        self.recording.choices.name.clone().or_else(drafted).unwrap_or_default()
    }

    /// The data types in the app's specifications.
    pub fn nouns(&self) -> &[String] {
        &self.known.nouns
    }

    /// Why the DMF cannot be saved, as sentences. Empty if it can.
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
