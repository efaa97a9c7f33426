//! How good the engines are, measured on apps whose faults are known.
//!
//! A *cell* is one campaign: an app, a fault that is switched on (or none, or several), an engine and a seed. A [`Plan`]
//! names apps, engines, seeds and budgets; [`choose_targets`] draws the faults; a [`Bench`] runs the cells in parallel; a
//! [`Folder`] keeps what is finished; [`Results`] is all of it as one value, and [`Summary`] says what it means.
//!
//! The same plan gives the same results byte for byte, however often the run was interrupted. The crate writes nothing to
//! the terminal, and looks at the clock only to tell how long the rest will take.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod against;
mod choose;
mod discovered;
mod folder;
mod names;
mod oracles;
mod page;
pub mod parallel;
mod performed;
mod plan;
mod recorded;
mod result;
mod results;
mod run;
#[cfg(test)]
mod samples;
mod side_by_side;
pub mod statistics;
mod summary;
#[cfg(test)]
mod summary_tests;
pub mod table;
mod tables;
#[cfg(test)]
mod tests;

pub use against::{Change, Verdict, change_tables, changes};
pub use choose::choose_targets;
pub use discovered::{Beside, Rightness, beside_truth};
pub use folder::{Folder, FolderError, Line};
pub use names::{JUDGING_FROM, app_names, check_faults, parse_seeds};
pub use oracles::{oracles, technique};
pub use page::page;
pub use plan::{Cell, EngineRun, Fault, Mix, Plan, PlanError, Purpose, Specs, Subject, Target, Witness};
pub use recorded::Recorded;
pub use result::{CellResult, Found, Truth};
pub use results::{CellRow, Results};
pub use run::{Bench, Progress};
pub use side_by_side::{Comparison, Coverage};
pub use summary::{
    BASELINE, CardCounts, CurvePoint, EngineSummary, Findings, Group, Recall, Spread, Summary,
};
pub use tables::{plan_sentence, recall_words, tables};
