//! Oracles: frames and layouts in, `Verdict` or `Violation` out.
//!
//! Know nothing of devices or engines, so that they can be judged on recorded traces.

mod comparison;
mod crash;
mod layout_effects;
pub mod may_belief;
mod property;

pub use comparison::{Comparison, ComparisonRule};
pub use crash::{is_loading, judge_health, still_loading};
pub use layout_effects::{
    AlignedTest, Batch, Compared, ContextLevel, Effect, EffectComparison, EffectError, EffectJudge,
    EffectRule, EffectTriage, ErrorKey, LostEffect, PivotReturn, Places, Prepared, TestPair, WidgetKind,
    align, as_mutant, detour_words, is_another_run, layouts_of, lost_effects, merge_batches,
    unstable_widgets,
};
pub use property::{judge_invariant, verdict};
