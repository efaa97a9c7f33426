//! Oracles: from frames and layouts to a `Verdict` or a `Violation`.
//!
//! They know nothing of devices and engines, so that recorded traces can be judged.

pub mod agreement;
mod comparison;
mod crash;
mod frame_oracle;
pub mod layout_effects;
pub mod may_belief;
pub mod preservation;
mod property;
mod times;

pub use comparison::{Comparison, ComparisonRule};
pub use crash::{is_loading, judge_health, logged_error, still_loading};
pub use frame_oracle::FrameOracle;
pub use frame_oracle::judge_frame;
pub use layout_effects::{
    AlignedTest, Batch, Compared, ContextLevel, Detour, DetourPause, Effect, EffectComparison, EffectError,
    EffectJudge, EffectRule, ErrorKey, PivotReturn, Places, Prepared, TestPair, WidgetKind, align,
    asks_nothing, detour_words, layouts_of, merge_batches, place_of, unstable_widgets,
};
pub use property::{judge_invariant, verdict};
pub use times::without_times;
