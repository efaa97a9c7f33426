//! Specifications: DMFs, invariants, the block list, the data model; recording, checking and linting them.
//!
//! Pure: no I/O, no egui, no device. Files and their spellings are `format`'s.
//! A specification means the same to the recorder, the engine and the editor because all read these types.

mod bindings;
mod block;
mod check;
mod compiled;
mod data_model;
mod dmf;
mod failure;
mod lint;
mod lint_code;
mod recorder;
mod recorder_cut;
mod recorder_objects;
mod recorder_selector;
mod sentence;
mod text;

pub use bindings::Bindings;
pub use block::derived_blocks;
pub use check::{CheckOutcome, Scene};
pub use compiled::{CompiledDmf, CompiledInvariant, CompiledSelector, CompiledSpec, Scope};
pub use data_model::{AppliedImpact, DataModel, ImpactOutcome};
pub use dmf::{
    Action, Block, BlockedEvent, Condition, DataType, Dmf, DmfKind, DmfStep, FreshText, Impact, ImpactOp,
    Input, Invariant, NamedSelector, Relation, Spec, SpecSelector, TextClass, TextPattern, ViewPattern,
};
pub use lint::lint;
pub use lint_code::{LintCode, LintFinding, Severity};
pub use recorder::{Draft, DraftNote, DraftRequest, RecordedStep, RecorderError, draft};
pub use recorder_selector::{ChosenSelector, choose_selector};
pub use sentence::{condition_key, condition_sentence};
pub use text::{DEFAULT_CLASSES, exploration_text, generate};
