//! Flows of Maestro: read with all that they run, and played on a phone, which makes a recording of them.
//!
//! A flow is checked as a whole before anything is played: what is not understood is said with its line, and nothing is left
//! out without a word. Conditions, loops and variables are resolved while it is played; a recording is the events in a row,
//! as if somebody had clicked them.

mod command;
mod expression;
mod fields;
mod flow;
mod folder;
mod hands;
mod keys;
mod player;
mod random;
mod recording;
mod selector;
#[cfg(test)]
mod tests;
mod turn;
mod yaml;

pub use flow::{Flow, FlowError, ReadFile};
pub use folder::{FlowFolder, files_below, flows_in, read_flow_file};
pub use player::{Asserted, PlayOptions, PlayedFlow, play};
