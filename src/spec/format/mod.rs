//! Files of specifications: PBFDroid's JSON, properties of Kea and Fastbot's rule files. Their structures and spellings are not visible
//! outside this module.
//!
//! Text in, values out, and back. No disk access.

mod dmf;
mod fastbot_rule_objects;
mod fastbot_rules;
mod file_names;
mod json_text;
mod kea;

pub use dmf::{Difference, DmfFile, ForPbfdroid, block_list, for_pbfdroid, spec_version};
pub use fastbot_rules::{BadRules, RULE_FILES, RuleProblem, parse_user_rules};
pub use file_names::{blocks_name, main_names};
pub use kea::{KeaFile, KeaProblem, parse_kea};
