//! Campaigns on the bundled phone: what each engine finds, and that the same plan gives the same result.

mod after_runs;
mod campaign;
mod code_points;
mod fingerprints;
mod genie_bugs;
mod initialiser;
mod outside_app;
mod proposals;
mod recorded_campaigns;
mod rerecord;
mod resume;
mod test_rules;
mod trial;
mod wrong_recordings;
