//! The panels of this place. A panel reads the state and queues commands. State that only the panel needs (zoom, what is
//! folded) is in a struct of its own.

mod beginning;
mod bug_cards;
mod corrections;
mod curves;
mod earlier_list;
mod engine_inside;
mod engine_settings;
mod engine_table;
mod finding_line;
mod first;
mod form;
pub(crate) mod fuzz;
mod graph;
mod held_cards;
mod inside_auto;
mod inside_fastbot2;
mod inside_genie;
mod inside_odin;
mod inside_parts;
mod inside_timemachine;
mod list;
mod numbers;
mod rules;
mod thumbnails;
