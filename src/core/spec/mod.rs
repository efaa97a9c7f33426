//! Specifications: DMFs, invariants, the block list, the data model; recording, checking and linting them.
//!
//! Pure: no I/O, no egui, no device. Files and their spellings are `format`'s.
//! A specification means the same to the recorder, the engine and the editor because all read these types.

mod bindings;
mod block;
mod changing_text;
mod check;
mod compiled;
mod condition_truth;
mod data_model;
mod dmf;
mod failure;
mod likeness;
mod lint;
mod lint_code;
mod proposals;
mod proposals_find;
mod proposals_noun;
mod proposals_walk;
mod reach;
mod recorder;
mod recorder_coalesce;
mod recorder_conditions;
mod recorder_cut;
mod recorder_draft;
mod recorder_guess;
mod recorder_lead;
mod recorder_objects;
mod recorder_place;
mod recorder_request;
mod recorder_selector;
mod recorder_states;
mod sentence;
mod text;
mod user_rules;

pub use crate::model::{DrawnText, TextClass};
pub use bindings::Bindings;
pub use block::{derived_blocks, is_forbidden, is_key_forbidden, is_touch_forbidden, receiver};
pub use changing_text::start_in_xpath;
pub use check::{CheckOutcome, Scene};
pub use compiled::{CompiledDmf, CompiledInvariant, CompiledSelector, CompiledSpec, Scope};
pub use condition_truth::{CanFail, ConditionTruth, ConditionWhich, keep_conditions, refused};
pub use data_model::{AppliedImpact, DataModel, ImpactOutcome};
pub use dmf::{
    Action, Block, BlockedEvent, Condition, DataType, Dmf, DmfKind, DmfStep, FreshText, Impact, ImpactOp,
    Input, Invariant, NamedSelector, Relation, Spec, SpecSelector, TextPattern, ViewPattern, WidgetState,
};
pub use lint::lint;
pub use lint_code::{LintCode, LintFinding, Severity};
pub use proposals::{Confidence, Proposal, propose};
pub use reach::stuck_functions;
pub use recorder::{
    Draft, DraftNote, DraftObject, NoteOn, RecordedStep, RecorderError, draft, recorded_layouts,
};
pub use recorder_coalesce::{CoalescedStep, coalesce};
pub use recorder_guess::proposed_kind;
pub use recorder_lead::LeadStep;
pub use recorder_objects::typed_text;
pub use recorder_request::{
    ConditionChoice, DraftRequest, Extent, ImpactChoice, ObjectChoice, PickedWidget, Role,
};
pub use recorder_selector::{
    Candidate, ChosenSelector, ObjectText, Strength, choose_selector, named_by, selector_candidates,
};
pub use sentence::{condition_key, condition_sentence};
pub use text::{DEFAULT_CLASSES, class_of, exploration_text, generate, step_without_text, still_means};
pub use user_rules::{
    Area, BlockRule, Blocked, PruneRule, ScriptAction, SequenceRule, UserRules, is_activity,
};
