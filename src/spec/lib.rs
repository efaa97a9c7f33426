//! What should be: DMFs, invariants, the block list and the data model; recording, checking and linting them.
//!
//! Pure functions without I/O, GUI or device. Files and their syntax belong to [`format`]. Recorder, engine and editor
//! use the same types, so that a specification means the same to all of them.
//!
//! # Examples
//!
//! Read a specification, and print the problems that the linter finds in it:
//!
//! ```
//! use taproof_spec::format::DmfFile;
//! use taproof_spec::lint;
//!
//! # fn main() -> Result<(), taproof_screen::format::FormatError> {
//! let file = DmfFile::parse(r#"{ "dmfs": [{ "name": "add item", "type": "add", "datatype": "item" }] }"#)?;
//! assert_eq!(file.spec.dmfs[0].name, "add item");
//! for finding in lint(&file.spec) {
//!     println!("{finding}");
//! }
//! assert!(!lint(&file.spec).is_empty(), "it does nothing, checks nothing and changes no data");
//! # Ok(())
//! # }
//! ```
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod block;
mod changing_text;
mod check;
mod committing_words;
mod compiled;
mod data_model;
mod dmf;
mod failure;
pub mod format;
mod function_words;
mod lint;
mod proposals;
mod recorded_widgets;
mod recorder;
mod recording;
pub mod repair;
mod sentence;
mod test_rules;
mod text;
mod truth;
mod user_rules;
mod vacuity;
mod widget_words;

pub use block::{BlockedTouches, blocked_widgets, derived_blocks, is_forbidden, is_key_forbidden, receiver};
pub use check::CheckOutcome;
pub use committing_words::CommittingWords;
pub use compiled::{Bindings, CompiledDmf, CompiledInvariant, CompiledSelector, CompiledSpec, Scene, Scope};
pub use data_model::{AppliedImpact, DataModel, ImpactOutcome};
pub use dmf::{
    Action, Block, BlockedEvent, Condition, DataType, Dmf, DmfKind, DmfStep, FreshText, Impact, ImpactOp,
    Input, Invariant, NamedSelector, Relation, Spec, SpecSelector, TextPattern, ViewPattern, WidgetState,
};
pub use function_words::{distinct_function_words, function_words};
pub use lint::{LintCode, LintFinding, Severity, lint, lint_beside, stuck_functions};
pub use proposals::{Confidence, Proposal, noun_of, propose};
pub use recorded_widgets::{target_of, typed_text};
pub use recorder::{
    CanFail, Candidate, ChosenSelector, CoalescedStep, ConditionChoice, ConditionTruth, ConditionWhich,
    Draft, DraftNote, DraftObject, DraftRequest, Extent, ImpactChoice, LeadStep, NoteOn, ObjectChoice,
    ObjectText, PickedWidget, RecorderError, Role, SelectorPreference, Strength, choose_preferred_selector,
    choose_selector, coalesce, draft, keep_conditions, named_by, opaque_page, proposed_kind,
    recorded_layouts, refused, selector_candidates,
};
pub use recording::{Choices, PickedCondition, PickedPlace, RecordEdit, Recording, RecordingStep, roles_of};
pub use sentence::{condition_key, condition_sentence};
pub use taproof_screen::{DrawnText, TextClass};
pub use test_rules::{
    ActivityPattern, FieldTexts, Ignored, Lists, LogErrors, OutOfBounds, RuleAction, RuleEntry, RulesError,
    ScreenRule, TestRules, selector_of_text,
};
pub use text::{
    DEFAULT_CLASSES, PLAIN_CLASSES, class_of, exploration_text, generate, step_without_text, still_means,
};
pub use user_rules::{
    ActionKind, Area, BlockRule, Blocked, PruneRule, ScriptAction, SequenceRule, UserRules, is_activity,
};
pub use vacuity::{Breaking, EndedRun, break_postconditions, never_broken};
pub use widget_words::{condition_words, widget_words};
