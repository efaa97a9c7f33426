//! What was found: findings, their causes, and the bugs that they are grouped into.

mod attribution;
mod broken;
mod bug_class;
mod bug_key;
mod bug_title;
mod cards;
mod cause;
pub(crate) mod cause_key;
mod corrections;
pub(crate) mod finding;
mod finding_state;

pub use attribution::Attribution;
pub use bug_class::{BugClass, Support, bugs_in_words};
pub use bug_key::BugKey;
pub use cards::{Bug, Card, CardScreen, Cards, Harm, bug_title, findings_by_bug};
pub use cause::{Cause, by_cause};
pub use corrections::{Correction, Corrections, JudgedBug, Tally};
pub use finding::{Confirmation, DataTimeline, Evidence, Finding, Reference, keep_latest, title_words};
pub use finding_state::{FindingState, FindingVerdict};
