//! What is read and written: dumps, walks and specifications of others, and exports.

mod artifacts;
mod artifacts_dmf;
mod genie_run;
mod given_cases;
mod house;
mod no_ids;
mod parsers;
mod recorder_walks;
mod reports;
mod specs_parsers;
