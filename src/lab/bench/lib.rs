//! How good the engines are, measured on apps whose faults are known.
//!
//! A *cell* is one campaign: an app, a fault that is switched on (or none, or several), an engine and a seed. A plan
//! (`plan.rs`) names apps, engines, seeds and budgets; `choose.rs` draws the faults; `run.rs` runs the campaigns in parallel;
//! `folder.rs` keeps what is finished; `results.rs` is all of it as one value, and `summary.rs` says what it means. A study
//! (`study/`) is a list of such campaigns, and a table of their results. `questions/` asks all of them and keeps the book's page
//! of results.
//!
//! The same plan gives the same results byte for byte, however often the run was interrupted. The crate looks at the clock
//! only to tell how long the rest will take.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod against;
mod book;
mod choose;
mod command;
mod discovered;
mod folder;
mod names;
mod oracles;
mod page;
mod parallel;
mod performed;
mod plan;
mod questions;
mod recorded;
mod result;
mod results;
mod run;
#[cfg(test)]
mod samples;
mod study;
mod tables;
#[cfg(test)]
mod tests;

pub use command::{Options as BenchOptions, run as run_bench};
pub use questions::{Options as ResultsOptions, run as run_results};
pub use study::{Options as StudyOptions, run as run_study};
