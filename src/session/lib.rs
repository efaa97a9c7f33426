//! Runs campaigns for the command line and the window: on the bundled phone or on devices behind adb. What engines
//! learn is stored in files.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod app_data;
mod campaign_log;
pub mod dates;
mod interrupt;
mod learned;
pub mod maestro;
mod phones;
mod pursuit;
mod replaying;
mod reports;
mod session;
mod shipped;
mod traces;
mod turns;

pub use app_data::{DataQuestion, KEPT_DATA_MEANS};
pub use campaign_log::{CampaignLog, Record, Written};
pub use interrupt::{ENDED_EARLY, Interrupt};
use learned::keep_learned;
pub use learned::{ContentsError, names_files, read_contents};
pub use phones::{Phones, TestPhones, before_test};
pub use pursuit::{Pursued, Pursuit, PursuitError, PursuitSink, pursue_finding};
pub use replaying::{ReplayedFinding, replay_finding};
pub use reports::{campaign_facts, finding_facts, finding_files, report_facts, write_beside};
pub use session::{CHECKPOINT_EVERY, EngineNews, EngineTask, Session, SessionOutcome, SessionSink};
pub use shipped::shipped_with;
pub use traces::{TraceError, trace_sources, traces_named};
