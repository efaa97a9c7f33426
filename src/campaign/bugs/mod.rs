//! What was found: findings, and the bugs that they are grouped into.

mod attribution;
mod broken;
mod bug_class;
mod bug_key;
mod bug_title;
mod corrections;
pub(crate) mod finding;
mod finding_state;
mod group;

pub use attribution::Attribution;
pub use bug_class::{BugClass, Support, bugs_in_words};
pub use bug_key::BugKey;
pub use corrections::{BugState, Correction, Corrections, JudgedBug, Tally, precision};
pub use finding::{Confirmation, DataTimeline, Evidence, Finding, Reference, keep_latest, title_words};
pub use finding_state::FindingState;
pub use group::{Bug, CardScreen, FIRST_BUGS, Harm, bug_title, counted_bugs, group, of_class};
