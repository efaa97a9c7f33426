//! Runs of DMFs: those that are performed, and those that are recognised in what others do.

mod first_touch;
mod held;
mod off_screen;
mod progress;
mod recognise;
mod refusal;
mod run;
mod step;

pub use first_touch::FirstTouch;
pub use progress::{HeldRun, InputSource};
pub use recognise::{JudgedRuns, Occurrence, Recogniser, SeenEvent, judge_recorded};
pub use run::{AfterViolation, RunOutcome, RunPolicy, run_dmf, run_dmf_bound};

pub(super) use first_touch::add_first_touches;
pub(super) use held::broken_by_detour;
pub(super) use run::{go_lead_in, go_without_text};
