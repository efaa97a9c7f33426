//! Campaigns on the bundled phone: what each engine finds, and that the same plan gives the same result.

mod after_runs;
mod auto;
mod bugs;
mod campaign;
mod cards;
mod code_points;
mod fastbot2;
mod genie_bugs;
mod initialiser;
mod keep;
mod odin;
mod outside_app;
mod proposals;
mod recognised_runs;
mod recorded_campaigns;
mod rerecord;
mod resume;
mod test_rules;
mod trial;
mod wrong_recordings;
