//! The DMF that the steps and the choices make, with all that is said of it.

use std::sync::Arc;

use super::RecordState;
use super::propose::proposed_types;
use super::steps::recorded as recorded_step;
use crate::state::documents::free_name;
use taproof_core::model::Layout;
use taproof_core::spec::{
    ConditionWhich, DataType, Dmf, DmfKind, DraftRequest, Severity, Spec, derived_blocks, draft,
    keep_conditions, lint, proposed_kind, refused,
};

/// Screens before the recording that are looked at for what is gone since then.
const MAX_SEEN: usize = 100;

/// What the steps look like.
#[derive(Clone, Debug, Default)]
pub(super) struct Proposed {
    kind: Option<DmfKind>,
    /// The nouns that fit equally well, the proposed one first.
    data_types: Vec<DataType>,
}

impl RecordState {
    pub(super) fn renew(&mut self) {
        self.revision += 1;
        let (steps, recorded) = (&self.recording.steps, self.recording.recorded());
        self.proposed = Proposed {
            kind: Some(proposed_kind(&recorded)),
            data_types: proposed_types(steps, &self.known.nouns, &self.typed_before, self.last_type.as_ref()),
        };
        self.draft = (!steps.is_empty()).then(|| {
            let mut request = self.recording.request(self.kind(), self.data_type());
            request.seen = self.seen();
            request.lead = Some(self.lead.iter().map(|performed| recorded_step(performed)).collect());
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
