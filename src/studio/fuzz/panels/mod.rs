//! The panels of this place. A panel reads the state and queues commands. State that only the panel needs (zoom, what is
//! folded) is in a struct of its own.

mod beginning;
mod bug_cards;
mod corrections;
mod curves;
mod detours;
mod engine_inside;
mod engine_table;
mod event_list;
mod finding_line;
mod first;
mod form;
pub(crate) mod fuzz;
mod graph;
mod held_cards;
mod left_out;
mod list;
mod numbers;
mod rules;
mod stats_parts;
mod thumbnails;
