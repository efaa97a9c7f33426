//! Oracles: frames and layouts in, `Verdict` or `Violation` out.
//!
//! Know nothing of devices or engines, so that they can be judged on recorded traces.

mod comparison;
mod crash;
mod property;

pub use comparison::{Comparison, ComparisonRule};
pub use crash::{is_loading, judge_health, still_loading};
pub use property::{judge_invariant, judge_run, verdict};
