//! Specifications of an app that has a new version: which of their selectors no longer name what they named, which
//! widget of the new version is the likeliest in each one's place and why, and how a function goes on where a screen is
//! new. Pure functions; what performs the functions on a device is `repair` of the crate of campaigns.

mod begin;
mod counterpart;
mod likeness;
mod mend;
mod portrait;
mod problem;
mod proposal;
mod walk;

pub use begin::{may_begin_on, named_alike};
pub use counterpart::{counterpart, entry_like, list_items, menu_of, ways_on};
pub use mend::{Mend, is_by_place, mended_texts, static_part};
pub use problem::{Ended, Problem, SAME_SCREEN, Spot, astray, problems, shows};
pub use proposal::{Proposal, Proposer};
pub use walk::{History, Sight, Sights, Walk, WalkStep};
